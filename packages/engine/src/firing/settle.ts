/** Turns a Verdict into the host's outcome: one table keyed by canonical event, no dialect in sight. */
import {
  applied,
  type Context,
  type EventName,
  type Facts,
  type JsonObject,
  type Outcomes,
  type RulingKind,
  type Stop,
  sameJson,
  type ToolCall,
  type Verdict,
} from "../protocol/index.ts";
import type { Lost, Ruled } from "./decide.ts";

/** Absent `denied` or `stopped`: that ruling cannot be carried out at this event, and no row of a dialect may read it. */
interface Settling<E extends EventName> {
  readonly proceed: (verdict: Verdict, facts: Facts[E]) => Outcomes[E];
  readonly denied?: (reason: string, verdict: Verdict) => Outcomes[E];
  readonly stopped?: (stop: Stop, verdict: Verdict) => Outcomes[E];
  /** A hook may ask for a question here. */
  readonly asks?: true;
  /** A denial here makes the agent go on: a hook that fails must not deny. */
  readonly denialGoesOn?: true;
  /** What hooks said that does not count in the end, and why. Absent: everything counts. */
  readonly loses?: { readonly [W in Way]?: (ruled: Ruled) => Lost };
}
type Way = "proceed" | "denied" | "stopped";
const on = <A extends string>(action: A) => ({ action }) as const;
/** A hook that lets the answer stand may clear the history all the same. */
const answerStands = ({ slots }: Verdict): { readonly action: "proceed"; readonly clearContext?: true } =>
  slots.clearContext ? { action: "proceed", clearContext: true } : { action: "proceed" };
const asIs = (stop: Stop): Stop => stop;
const again = (prompt: string, { slots }: Verdict) => ({ action: "retry", prompt, clearContext: slots.clearContext ?? false }) as const;
const refuse =
  <A extends string>(action: A) =>
  (reason: string) =>
    ({ action, reason }) as const;
const refuseWith =
  <A extends string>(action: A) =>
  (reason: string, { contexts }: Verdict) =>
    ({ action, reason, context: contexts }) as const;
const noted = ({ contexts }: Verdict) => ({ action: "proceed", context: contexts }) as const;
const stopWith = (stop: Stop, { contexts }: Verdict) => ({ ...stop, context: contexts });
/** A prompt that stays in history keeps what was to stay with it. */
const staying = ({ contexts, withheld }: Verdict): readonly Context[] =>
  withheld ? [] : contexts.filter(({ lasts }) => lasts === "history");
const question = ({ ruling }: Verdict) => (ruling?.kind === "ask" ? "ask" : ruling?.kind === "allow" ? "skip" : undefined);

const noContext = (why: string): Lost => ({ context: why, passing: why });
const PROMPT_DROPPED = noContext("the prompt is dropped, and what was to go with it");
const NOT_ASKED = { request: "the model is not asked" };
const NOT_RUN = { input: "the tool does not run" };
const REPLACED = "the tail call's result replaces this one and what was added to it";

export const SETTLING: { readonly [E in EventName]: Settling<E> } = {
  sessionStart: { proceed: noted },
  sessionEnd: { proceed: () => on("proceed") },
  beforeAgent: {
    proceed: noted,
    denied: refuse("discard"),
    stopped: (stop, verdict) => ({ ...stop, context: staying(verdict) }),
    loses: {
      denied: () => PROMPT_DROPPED,
      stopped: ({ withheld }) => (withheld ? PROMPT_DROPPED : { passing: "it would last for this turn only, and the turn has ended" }),
    },
  },
  afterAgent: {
    proceed: answerStands,
    denied: again,
    denialGoesOn: true,
    stopped: (stop, { slots }) => ({ ...stop, clearContext: slots.clearContext ?? false }),
  },
  beforeModel: {
    proceed: ({ slots }) =>
      slots.response ? { action: "answer", response: slots.response } : { action: "proceed", request: slots.request },
    denied: (reason, { slots }) => ({ action: "block", reason, response: slots.response }),
    stopped: asIs,
    loses: {
      proceed: ({ says }) => (says("response") ? NOT_ASKED : {}),
      denied: () => NOT_ASKED,
      stopped: () => ({ ...NOT_ASKED, response: "the loop ends without an answer" }),
    },
  },
  beforeToolSelection: { proceed: ({ slots }) => ({ action: "proceed", toolLimit: slots.toolLimit }) },
  afterModel: {
    proceed: ({ slots }) => ({ action: "proceed", response: slots.response }),
    denied: refuse("discard"),
    stopped: asIs,
    loses: { denied: () => ({ response: "the chunk is discarded" }), stopped: () => ({ response: "the chunk is not shown" }) },
  },
  beforeTool: {
    proceed: (verdict, { tool }) => ({
      action: "proceed",
      input: rewritten(verdict, tool),
      context: verdict.contexts,
      because: verdict.ruling?.reason,
      question: question(verdict),
    }),
    asks: true,
    denied: refuseWith("block"),
    stopped: stopWith,
    loses: { denied: () => NOT_RUN, stopped: () => NOT_RUN },
  },
  permissionRequest: {
    proceed: (verdict, { tool }) =>
      verdict.ruling?.kind === "allow" ? { action: "grant", input: rewritten(verdict, tool) } : on("proceed"),
    denied: refuse("block"),
    stopped: asIs,
    loses: {
      proceed: ({ kind }) => (kind === "allow" ? {} : { input: "no hook granted the call" }),
      denied: () => NOT_RUN,
      stopped: () => NOT_RUN,
    },
  },
  afterTool: {
    proceed: ({ slots, contexts }) => ({ action: "proceed", result: slots.result, tailCall: slots.tailCall, context: contexts }),
    denied: refuseWith("hide"),
    stopped: stopWith,
    loses: {
      proceed: ({ says }) => (says("tailCall") ? { result: REPLACED, ...noContext(REPLACED) } : {}),
      denied: () => ({ result: "the denial's reason stands in its place", tailCall: "a hook denied the result that it follows" }),
      stopped: () => ({ result: "the stop's reason stands in its place", tailCall: "the loop ends" }),
    },
  },
  subagentStart: { proceed: noted },
  subagentStop: {
    proceed: answerStands,
    denied: again,
    denialGoesOn: true,
    stopped: asIs,
    loses: { stopped: () => ({ clearContext: "the sub-agent has ended, and its history with it" }) },
  },
  beforeCompress: { proceed: () => on("proceed"), denied: refuse("cancel"), stopped: asIs },
  notification: { proceed: () => on("proceed") },
};

/** `aborted`: the host called the firing off, and wants the loop to end wherever the event can say so. */
export function settle<E extends EventName>(event: E, facts: Facts[E], verdict: Verdict, aborted = false): Outcomes[E] {
  const { proceed, denied, stopped } = SETTLING[event];
  const { ruling, withheld } = verdict;
  const way = wayOf(event, ruling?.kind, aborted);
  const reason = ruling?.reason ?? "A hook decided this without giving a reason.";
  if (way === "stopped" && stopped) {
    if (aborted) return stopped({ action: "stop", ends: "turn", reason: "The firing was aborted.", withheld }, verdict);
    return stopped({ action: "stop", ends: ruling?.kind === "endSession" ? "session" : "turn", reason, withheld }, verdict);
  }
  return way === "denied" && denied ? denied(reason, verdict) : proceed(verdict, facts);
}

/** What an event leaves of what was said, for the merge. */
export function losing(event: EventName, aborted: boolean): (ruled: Ruled) => Lost {
  return (ruled) => SETTLING[event].loses?.[wayOf(event, ruled.kind, aborted)]?.(ruled) ?? {};
}

function wayOf(event: EventName, kind: RulingKind | undefined, aborted: boolean): Way {
  const { denied, stopped } = SETTLING[event];
  if (stopped && (aborted || kind === "endTurn" || kind === "endSession")) return "stopped";
  return kind === "deny" && denied ? "denied" : "proceed";
}

/**
 * Each dialect's net input is what that product alone would have run; between dialects only the differences compose,
 * so that a whole replacement in one dialect's words cannot wipe out what the other one changed.
 */
function rewritten({ inputs }: Verdict, tool: ToolCall): JsonObject | undefined {
  if (inputs.length === 0) return undefined;
  let input = tool.input;
  for (const dialect of new Set(inputs.map((one) => one.dialect))) {
    const net = inputs.filter((one) => one.dialect === dialect).reduce((soFar, one) => applied(soFar, one.change), tool.input);
    const gone = Object.keys(tool.input).filter((key) => !Object.hasOwn(net, key));
    const set = Object.entries(net).filter(([key, value]) => !Object.hasOwn(tool.input, key) || !sameJson(tool.input[key], value));
    input = Object.fromEntries([...Object.entries(input).filter(([key]) => !gone.includes(key)), ...set]);
  }
  return input;
}
