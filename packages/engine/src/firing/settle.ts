/** Turns a Verdict into the host's outcome: one table keyed by canonical event, no dialect in sight. */
import {
  applied,
  type EventName,
  type Facts,
  type JsonObject,
  type Outcomes,
  type Stop,
  sameJson,
  type ToolCall,
  type Verdict,
} from "../protocol/index.ts";

/** Absent `denied` or `stopped`: that ruling cannot be carried out at this event, and no row of a dialect may read it. */
interface Settling<E extends EventName> {
  readonly proceed: (verdict: Verdict, facts: Facts[E]) => Outcomes[E];
  readonly denied?: (reason: string, verdict: Verdict) => Outcomes[E];
  readonly stopped?: (stop: Stop, verdict: Verdict) => Outcomes[E];
  /** A hook may ask for a question here. */
  readonly asks?: true;
  /** A denial here makes the agent go on: a hook that fails must not deny. */
  readonly denialGoesOn?: true;
}
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
const noted = ({ contexts }: Verdict) => ({ action: "proceed", context: contexts }) as const;
const question = ({ ruling }: Verdict) => (ruling?.kind === "ask" ? "ask" : ruling?.kind === "allow" ? "skip" : undefined);

export const SETTLING: { readonly [E in EventName]: Settling<E> } = {
  sessionStart: { proceed: noted },
  sessionEnd: { proceed: () => on("proceed") },
  beforeAgent: { proceed: noted, denied: refuse("discard"), stopped: asIs },
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
  },
  beforeToolSelection: { proceed: ({ slots }) => ({ action: "proceed", toolLimit: slots.toolLimit }) },
  afterModel: { proceed: ({ slots }) => ({ action: "proceed", response: slots.response }), denied: refuse("discard"), stopped: asIs },
  beforeTool: {
    proceed: (verdict, { tool }) => ({
      action: "proceed",
      input: rewritten(verdict, tool),
      context: verdict.contexts,
      because: verdict.ruling?.reason,
      question: question(verdict),
    }),
    asks: true,
    denied: refuse("block"),
    stopped: asIs,
  },
  permissionRequest: {
    proceed: (verdict, { tool }) =>
      verdict.ruling?.kind === "allow" ? { action: "grant", input: rewritten(verdict, tool) } : on("proceed"),
    denied: refuse("block"),
    stopped: asIs,
  },
  afterTool: {
    proceed: ({ slots, contexts }) => ({ action: "proceed", result: slots.result, tailCall: slots.tailCall, context: contexts }),
    denied: (reason, { contexts }) => ({ action: "hide", reason, context: contexts }),
    stopped: asIs,
  },
  subagentStart: { proceed: noted },
  subagentStop: { proceed: answerStands, denied: again, denialGoesOn: true, stopped: asIs },
  beforeCompress: { proceed: () => on("proceed"), denied: refuse("cancel"), stopped: asIs },
  notification: { proceed: () => on("proceed") },
};

export function settle<E extends EventName>(event: E, facts: Facts[E], verdict: Verdict): Outcomes[E] {
  const { proceed, denied, stopped } = SETTLING[event];
  const { ruling, withheld } = verdict;
  const reason = ruling?.reason ?? "A hook decided this without giving a reason.";
  if ((ruling?.kind === "endTurn" || ruling?.kind === "endSession") && stopped) {
    return stopped({ action: "stop", ends: ruling.kind === "endTurn" ? "turn" : "session", reason, withheld }, verdict);
  }
  return ruling?.kind === "deny" && denied ? denied(reason, verdict) : proceed(verdict, facts);
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
