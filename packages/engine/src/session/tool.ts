/** The bracket around tool calls: before, permission, the tool, after, tail calls. Turns calls into what the model should read. */
import {
  type Context,
  isObject,
  type Json,
  type JsonObject,
  type McpOrigin,
  type Outcome,
  problem,
  type Stop,
  type ToolCall,
  type ToolResult,
} from "../protocol/index.ts";
import type { EngineEvent, Firing } from "./options.ts";

/** Runs the tool. A rejection is a failed tool: its message is what the model reads. */
export type RunTool = (input: JsonObject, call: ToolCall) => Promise<ToolResult>;
export type Answer = "allow" | "ask" | "deny";
/** What the host's own rules say of a call, and why. */
export interface Policy {
  readonly answer: Answer;
  readonly because?: string;
}
/** What a person is asked: the message, and what hooks on a notification may know of it. */
export interface Question {
  readonly message: string;
  readonly title?: string;
  readonly details?: JsonObject;
}

export interface ToolOptions {
  /** Default: everything is allowed. It sees the call as hooks have changed it. */
  readonly policy?: (call: ToolCall) => Policy | Promise<Policy>;
  /** Asks a person. Absent: nobody can be asked, and what would ask is declined. */
  readonly confirm?: (call: ToolCall, why: string | undefined) => Promise<boolean>;
  /** Words for the notification that goes before the question. */
  readonly question?: (call: ToolCall, why: string | undefined) => Question | Promise<Question>;
  /** Where a tool that a hook names for a tail call comes from, if an MCP server has it. */
  readonly originOf?: (name: string) => McpOrigin | undefined;
  /** Are changed arguments still usable? A text says why not, and the tool does not run. */
  readonly check?: (call: ToolCall) => string | undefined;
  readonly signal?: AbortSignal;
}
export interface ToolsOptions extends ToolOptions {
  /** May this call run side by side with its neighbours that may too? Default: no. */
  readonly together?: (call: ToolCall) => boolean;
}

/** What became of a call. `output` is for the model; with `isError` it is the error's text. */
export interface ToolDone {
  readonly ended: "done" | "failed" | "blocked" | "hidden" | "declined" | "invalid" | "stopped" | "notStarted";
  readonly output: Json;
  readonly display: Json | undefined;
  readonly isError: boolean;
  readonly error: ToolResult["error"];
  /** The calls that really ran, tail calls included, in order. */
  readonly ran: readonly ToolCall[];
  /** A hook changed the arguments of the call that gave this output. */
  readonly rewritten: boolean;
  readonly stop: { readonly ends: "turn" | "session"; readonly reason: string } | undefined;
}

export interface ToolWorld {
  readonly firing: Firing;
  readonly maxTailCalls: () => number;
  readonly emit: (event: EngineEvent) => void;
  /** The identifier of an entry, as people know it. */
  readonly nameOf: (entry: string) => string;
}

type Decision =
  | { readonly go: true; readonly call: ToolCall; readonly asked: JsonObject; readonly context: readonly Context[] }
  | { readonly go: false; readonly done: ToolDone };

/** One call, from the first hook to the last. Rejects only for misuse. */
export async function runTool(world: ToolWorld, call: ToolCall, run: RunTool, options: ToolOptions = {}): Promise<ToolDone> {
  return carryOut(world, await decideCall(world, call, options), run, options);
}

/** Calls of one model message: all are decided before any runs, and a stop keeps every sibling from starting. In order. */
export async function runTools(
  world: ToolWorld,
  calls: readonly ToolCall[],
  run: RunTool,
  options: ToolsOptions = {},
): Promise<readonly ToolDone[]> {
  const decisions = await decideAll(world, calls, options);
  const done: ToolDone[] = [];
  for (const batch of batches(decisions, options.together ?? (() => false))) {
    const stopped = done.find((one) => one.stop)?.stop;
    done.push(
      ...(await Promise.all(
        batch.map((decision) => carryOut(world, stopped && decision.go ? neverStarted(stopped, decision.context) : decision, run, options)),
      )),
    );
  }
  return done;
}

/** Once one call was stopped nobody is asked about the others any more, and those that might have run do not. */
async function decideAll(world: ToolWorld, calls: readonly ToolCall[], options: ToolOptions): Promise<readonly Decision[]> {
  const fired = await Promise.all(calls.map(async (call) => ({ call, outcome: await fireBefore(world, call, options) })));
  let stop = fired.flatMap(({ outcome }) => (outcome.action === "stop" ? [outcome] : []))[0] as ToolDone["stop"];
  const decisions: Decision[] = [];
  for (const { call, outcome } of fired) {
    const decision: Decision =
      stop && outcome.action === "proceed" ? neverStarted(stop, outcome.context) : await permitted(world, call, outcome, options);
    decisions.push(decision);
    if (!decision.go) stop ??= decision.done.stop;
  }
  return decisions.map((decision) => (stop && decision.go ? neverStarted(stop, decision.context) : decision));
}
function neverStarted(stop: ToolDone["stop"], context: readonly Context[]): Decision & { go: false } {
  const why = stop ? `: the agent was stopped (${stop.reason})` : "";
  return behind(refuse("notStarted", `Not run${why}.`, "not_started"), context);
}

function batches(decisions: readonly Decision[], together: (call: ToolCall) => boolean): Decision[][] {
  const found: Decision[][] = [];
  let open = false;
  for (const decision of decisions) {
    const joins = decision.go && together(decision.call);
    const last = found.at(-1);
    if (joins && open && last) last.push(decision);
    else found.push([decision]);
    open = joins;
  }
  return found;
}

async function decideCall(world: ToolWorld, call: ToolCall, options: ToolOptions): Promise<Decision> {
  return permitted(world, call, await fireBefore(world, call, options), options);
}
const fireBefore = (world: ToolWorld, tool: ToolCall, { signal }: ToolOptions): Promise<Outcome<"beforeTool">> =>
  world.firing.fire("beforeTool", { tool }, signal ? { signal } : {});

/** A hook's denial stands; its question never loosens a policy's denial; its `allow` skips a question and nothing else. */
async function permitted(world: ToolWorld, original: ToolCall, outcome: Outcome<"beforeTool">, options: ToolOptions): Promise<Decision> {
  // What hooks add for the model reaches it whatever becomes of the call: behind the result, or behind the error that stands in its place.
  const decision = await judged(world, original, outcome, options);
  return decision.go ? decision : behind(decision, outcome.context);
}
const behind = ({ done }: Decision & { go: false }, context: readonly Context[]): Decision & { go: false } => ({
  go: false,
  done: { ...done, output: withNotes(done.output, context) },
});
async function judged(world: ToolWorld, original: ToolCall, outcome: Outcome<"beforeTool">, options: ToolOptions): Promise<Decision> {
  if (outcome.action === "stop") return stoppedBy(outcome, options);
  if (outcome.action === "block") return refuse("blocked", `Tool execution blocked: ${outcome.reason}`, "policy_violation");
  const call = outcome.input ? { ...original, input: outcome.input } : original;
  const bad = outcome.input ? options.check?.(call) : undefined;
  if (bad !== undefined) return invalid(bad);
  const go: Decision = { go: true, call, asked: original.input, context: outcome.context };
  const policy = (await options.policy?.(call)) ?? { answer: "allow" };
  if (policy.answer === "deny") return declinedBy(policy);
  const asks = outcome.question === "ask" || (policy.answer === "ask" && outcome.question !== "skip");
  if (!asks) return go;
  const why = outcome.question === "ask" ? outcome.because : policy.because;
  return asked(world, go, call, why, options);
}

/** The user would be asked: hooks may answer first, then are told, then the person is asked. Where nobody can be asked, it is declined at once. */
async function asked(
  world: ToolWorld,
  go: Decision & { go: true },
  call: ToolCall,
  why: string | undefined,
  options: ToolOptions,
): Promise<Decision> {
  const signal = options.signal ? { signal: options.signal } : {};
  const answer = await world.firing.fire("permissionRequest", { tool: call }, signal);
  if (answer.action === "stop") return stoppedBy(answer, options);
  if (answer.action === "block") return refuse("blocked", `Tool execution blocked: ${answer.reason}`, "policy_violation");
  if (answer.action === "grant") return answer.input ? recheck({ ...go, call: { ...call, input: answer.input } }, options) : go;
  if (!options.confirm) {
    return refuse(
      "declined",
      `This call needs a person's confirmation, and nobody can be asked here${why === undefined ? "" : ` (${why})`}.`,
      "needs_confirmation",
    );
  }
  const question = (await options.question?.(call, why)) ?? { message: "Tool requires confirmation" };
  await world.firing.fire("notification", { type: "permission", ...question, tool: call }, signal);
  return (await options.confirm(call, why)) ? go : refuse("declined", "The user declined this call.", "declined");
}
/** A grant brings no arguments past the check, or past what the policy denies. */
async function recheck(go: Decision & { go: true }, options: ToolOptions): Promise<Decision> {
  const bad = options.check?.(go.call);
  if (bad !== undefined) return invalid(bad);
  const policy = await options.policy?.(go.call);
  return policy?.answer === "deny" ? declinedBy(policy) : go;
}
const invalid = (bad: string): Decision & { go: false } =>
  refuse("invalid", `Tool parameter modification by hook failed validation: ${bad}`, "invalid_tool_params");
const declinedBy = ({ because }: Policy): Decision & { go: false } =>
  refuse("declined", because ?? "The policy denies this call.", "policy_violation");

/** An abort is the user's act, and no hook's. */
const stopWords = ({ reason }: Stop, { signal }: ToolOptions): { readonly message: string; readonly type: string } =>
  signal?.aborted
    ? { message: "The call was cancelled.", type: "cancelled" }
    : { message: `Agent execution stopped by hook: ${reason}`, type: "stop_execution" };
function stoppedBy(stop: Stop, options: ToolOptions): Decision & { go: false } {
  const { message, type } = stopWords(stop, options);
  return refuse("stopped", message, type, stop);
}

const NOTHING_RAN = { display: undefined, isError: true, ran: [], rewritten: false, stop: undefined } as const;
function refuse(
  ended: ToolDone["ended"],
  message: string,
  type: string,
  stop?: { readonly ends: "turn" | "session"; readonly reason: string },
): Decision & { go: false } {
  return {
    go: false,
    done: { ...NOTHING_RAN, ended, output: message, error: { message, type }, stop: stop && { ends: stop.ends, reason: stop.reason } },
  };
}

/** Runs a decided call, and the tail calls that follow from it. The last result stands; what ran is kept in order. */
async function carryOut(world: ToolWorld, first: Decision, run: RunTool, options: ToolOptions): Promise<ToolDone> {
  let decision = first;
  const ran: ToolCall[] = [];
  for (let tails = 0; ; tails++) {
    if (!decision.go) return { ...decision.done, ran };
    const { call, context } = decision;
    ran.push(call);
    const { done, tail, by } = await runOnce(world, decision, run, options);
    if (!tail) return { ...done, ran };
    const max = world.maxTailCalls();
    if (tails >= max) {
      const name = by === undefined ? "unknown" : world.nameOf(by);
      world.emit({ kind: "problem", problem: problem("TAIL_CALLS_SPENT", { entry: by ?? call.name }, { max, by: name }, name) });
      return { ...done, ran };
    }
    const mcp = options.originOf?.(tail.name);
    const next: ToolCall = {
      ...(mcp ? { mcp } : {}),
      name: tail.name,
      input: tail.input,
      tailOf: call.tailOf ?? call.name,
      ...(call.callId === undefined ? {} : { callId: call.callId }),
    };
    // What the hooks before this call added is not part of its result, which the tail call replaces.
    const tailed = await decideCall(world, next, options);
    decision = tailed.go ? { ...tailed, context: [...context, ...tailed.context] } : behind(tailed, context);
  }
}

/** How long hooks may look at a tool that the user interrupted. */
const INTERRUPTED_MS = 1_000;

interface Once {
  readonly done: ToolDone;
  readonly tail?: { readonly name: string; readonly input: JsonObject } | undefined;
  readonly by?: string | undefined;
}
async function runOnce(
  world: ToolWorld,
  { call, asked: input, context }: Decision & { go: true },
  run: RunTool,
  options: ToolOptions,
): Promise<Once> {
  const { signal } = options;
  const result = await attempt(run, call);
  const changed = call.input !== input;
  const facts = { tool: call, ...(changed ? { asked: input } : {}), result, ...(signal?.aborted ? { interrupted: true } : {}) };
  // A hook on an interrupted tool is told so: it gets a moment of its own, since the interrupt would end it at once.
  const hooksSignal = signal?.aborted ? AbortSignal.timeout(INTERRUPTED_MS) : signal;
  const after = await world.firing.fire("afterTool", facts, hooksSignal ? { signal: hooksSignal } : {});
  const base = { display: result.display, ran: [], rewritten: changed, stop: undefined };
  const failed = result.error !== undefined;
  const notes = [...context, ...after.context];
  if (after.action === "stop") {
    const stop = { ends: after.ends, reason: after.reason };
    // What an interrupted tool had to say is not the hooks' to hide, unless one of them denied it.
    if (signal?.aborted && !after.withheld) {
      const { output, error } = given(result);
      return { done: { ...base, ended: "stopped", output: withNotes(output, notes), error, isError: failed, stop } };
    }
    const error = stopWords(after, options);
    return {
      done: { ...base, ended: "stopped", output: withNotes(error.message, notes), display: error.message, isError: true, error, stop },
    };
  }
  if (after.action === "hide") {
    const message = after.reason;
    return {
      done: {
        ...base,
        ended: "hidden",
        output: withNotes(message, notes),
        display: `Tool result blocked: ${message}`,
        isError: true,
        error: { message, type: "execution_failed" },
      },
    };
  }
  const { output, error } = given(result);
  const done: ToolDone = {
    ...base,
    ended: failed ? "failed" : "done",
    output: withNotes(after.result ?? output, notes),
    isError: failed,
    error,
  };
  // The loop ends, whatever the hooks made of the result; no further tool runs.
  if (signal?.aborted) return { done: { ...done, ended: "stopped", stop: { ends: "turn", reason: "The call was cancelled." } } };
  return {
    done,
    tail: after.tailCall,
    by: after.record.kind === "fired" ? after.record.runs.findLast((one) => one.opinion.tailCall !== undefined)?.entry : undefined,
  };
}

const given = ({ content, error }: ToolResult): Pick<ToolDone, "output" | "error"> => ({ output: error ? error.message : content, error });
async function attempt(run: RunTool, call: ToolCall): Promise<ToolResult> {
  try {
    return await run(call.input, call);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { content: message, error: { message, type: "execution_failed" } };
  }
}

/** Added context goes behind the result, framed as its dialect frames it. Source: the study of Gemini CLI, 2.15 and 5.2. */
function withNotes(output: Json, notes: readonly Context[]): Json {
  if (notes.length === 0) return output;
  const text = notes.map((note) => note.framed).join("\n");
  if (typeof output === "string") return output === "" ? text : `${output}\n\n${text}`;
  if (Array.isArray(output)) return [...output, { text }];
  return isObject(output) ? [output, { text }] : `${JSON.stringify(output)}\n\n${text}`;
}
