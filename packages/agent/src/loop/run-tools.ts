/** The calls of one answer: checked, decided by hooks, rules and people, run, and turned into the results the model reads. */
import type { Json, JsonObject, Policy, Question, Session, ToolCall, ToolDone, ToolLimit, ToolResult, ToolWords } from "@carabiner/engine";
import type { McpTool } from "../mcp/index.ts";
import type { CallPart, Part } from "../models/index.ts";
import { decide, type Mode, neverAsks, type Rule } from "../permissions/index.ts";
import { type McpDetails, type Profile, wordingOf } from "../profiles/index.ts";
import {
  argName,
  type ConfirmDetails,
  heard,
  type NamedTool,
  type Tool,
  type ToolContext,
  type ToolOutput,
  toNeutral,
  toolByName,
  toolNotFound,
  wanting,
} from "../tools/index.ts";
import type { Tell } from "./events.ts";
import { policyCall } from "./policy-call.ts";

/** A person's answer to a question about a call. */
export type Confirm = (
  call: ToolCall,
  details: ConfirmDetails | McpDetails,
  why: string | undefined,
  signal: AbortSignal,
) => Promise<boolean>;

/** Everything a call may need. `mcp` is by the name the model knows. */
export interface Toolbox {
  readonly session: Session;
  readonly words: ToolWords;
  readonly profile: Profile;
  /** The tools of this agent: a sub-agent may have fewer. */
  readonly tools: readonly Tool[];
  /** Every name the model may use now, those of MCP tools too. */
  readonly names: readonly string[];
  readonly mcp: ReadonlyMap<string, McpTool>;
  readonly context: (signal: AbortSignal, onOutput: (text: string) => void) => ToolContext;
  readonly mode: () => Mode;
  readonly rules: () => readonly Rule[];
  /** No other tool of our own may be used than these allow; `undefined`: all may. */
  readonly only: readonly Rule[] | undefined;
  readonly confirm: Confirm | undefined;
  readonly tell: Tell;
  readonly promptId: string;
  readonly agent: string | undefined;
  /** A stop that came from inside a sub-agent. */
  readonly halted: () => ToolDone["stop"];
}

export interface Results {
  readonly parts: readonly Part[];
  readonly stop: ToolDone["stop"];
}

/** Results in the order of the calls, whatever order they ran in. */
export async function runCalls(
  box: Toolbox,
  asked: readonly CallPart[],
  limit: ToolLimit | undefined,
  signal: AbortSignal,
): Promise<Results> {
  for (const { id, name, input } of asked) box.tell({ kind: "toolAsked", callId: id, name, input, agent: box.agent });
  const refused = new Map<string, string>();
  for (const call of asked) {
    const why = unfit(box, call, limit);
    if (why !== undefined) refused.set(call.id, why);
  }
  const calls = asked.filter(({ id }) => !refused.has(id)).map((part) => toCall(box, part));
  const done = await box.session.tools(calls, (input, call) => perform(box, input, call, signal), {
    signal,
    originOf: (name) => box.mcp.get(name)?.origin,
    policy: (call) => policyOf(box, call),
    check: (call) => invalid(box, call.name, call.input),
    question: (call) => question(box, call, signal),
    together: (call) => sideBySide(toolByName(box.words, call.name, box.tools)?.tool),
    // A mode that asks nobody asks no person who is there, whoever wants the question: a rule, a hook, or the mode itself.
    ...(box.confirm && !neverAsks(box.mode()) ? { confirm: (call, why) => confirmed(box, call, why, signal) } : {}),
  });
  const byId = new Map(calls.map((call, i) => [call.callId, done[i]]));
  const parts = asked.map((part): Part => {
    const one = byId.get(part.id);
    if (one) box.tell({ kind: "toolDone", callId: part.id, name: part.name, input: part.input, done: one, agent: box.agent });
    const output = one ? told(box, one) : (refused.get(part.id) ?? "Not run.");
    if (!one) box.tell({ kind: "toolDone", callId: part.id, name: part.name, input: part.input, done: notRun(output), agent: box.agent });
    return { type: "result", id: part.id, name: part.name, output, isError: one?.isError ?? true };
  });
  return { parts, stop: done.find((one) => one.stop)?.stop ?? box.halted() };
}

const notRun = (output: Json): ToolDone => ({
  ended: "invalid",
  output,
  display: undefined,
  isError: true,
  error: { message: String(output), type: "invalid_tool_params" },
  ran: [],
  rewritten: false,
  stop: undefined,
});

/** Why a call never gets as far as the hooks: the model may not call it now, it does not exist, or its arguments are no good. */
function unfit(box: Toolbox, { name, input, problem }: CallPart, limit: ToolLimit | undefined): string | undefined {
  if (limit?.mode === "none") return `The tool "${name}" may not be called now: hooks allow no tool in this step.`;
  if (limit && limit.allowed.length > 0 && !limit.allowed.some((allowed) => allowed === name || sameTool(box, allowed, name)))
    return `The tool "${name}" may not be called now: hooks allow ${limit.allowed.join(", ")} in this step.`;
  return problem ?? invalid(box, name, input);
}
/** An older name means the same tool. */
function sameTool(box: Toolbox, one: string, other: string): boolean {
  const tool = toolByName(box.words, one, box.tools)?.tool;
  return tool !== undefined && tool === toolByName(box.words, other, box.tools)?.tool;
}
function invalid(box: Toolbox, name: string, input: JsonObject): string | undefined {
  if (box.mcp.has(name)) return undefined;
  const named = toolByName(box.words, name, box.tools);
  if (!named) return toolNotFound(name, box.names);
  const missing = wanting(wordingOf(box.profile, named.word.name), input);
  if (missing !== undefined) return missing;
  const checked = named.tool.check(toNeutral(box.words, named.word.name, input), argName(named.word));
  return checked.ok ? undefined : checked.problem;
}

/** What reads disturbs nobody, and sub-agents are there to work at the same time. */
const sideBySide = (tool: Tool | undefined): boolean => tool?.effect === "read" || tool?.kind === "spawnAgent";

function toCall(box: Toolbox, { id, name, input }: CallPart): ToolCall {
  const mcp = box.mcp.get(name)?.origin;
  return { name, input: mcp ? input : heard(toolByName(box.words, name, box.tools), input), callId: id, ...(mcp ? { mcp } : {}) };
}

async function perform(box: Toolbox, input: JsonObject, call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
  const began = performance.now();
  const result = await performed(box, input, call, signal);
  box.tell({
    kind: "toolRan",
    callId: call.callId ?? "",
    name: call.name,
    input,
    durationMs: performance.now() - began,
    error: result.error,
    promptId: box.promptId,
    mcp: call.mcp !== undefined,
    content: result.content,
  });
  return result;
}
async function performed(box: Toolbox, input: JsonObject, call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
  const mcp = box.mcp.get(call.name);
  if (mcp) {
    const { content, display, isError } = await mcp.call(input, signal);
    return {
      content,
      ...(display === undefined ? {} : { display }),
      ...(isError ? { error: { message: asText(content), type: "mcp_tool_error" } } : {}),
    };
  }
  const why = invalid(box, call.name, input);
  if (why !== undefined) return { content: why, error: { message: why, type: "invalid_tool_params" } };
  const { tool, word } = named(box, call.name);
  const checked = tool.check(toNeutral(box.words, word.name, input), argName(word));
  if (!checked.ok) return { content: checked.problem, error: { message: checked.problem, type: "invalid_tool_params" } };
  const onOutput = (text: string): void => box.tell({ kind: "toolOutput", callId: call.callId ?? "", text });
  return resultOf(box, await tool.run(checked.value, box.context(signal, onOutput)));
}
function resultOf({ profile }: Toolbox, { content, display, error, failed, exitCode }: ToolOutput): ToolResult {
  const code = exitCode === undefined ? "" : ` (exit code ${exitCode})`;
  const failure =
    error ??
    (failed && profile.failedCommandIsError
      ? { message: `The command failed${code}.\n${asText(content)}`, type: "shell_execute_error" }
      : undefined);
  return { content, ...(display === undefined ? {} : { display }), ...(failure ? { error: failure } : {}) };
}

async function policyOf(box: Toolbox, call: ToolCall): Promise<Policy> {
  // A hook's tail call may name no tool, or bad arguments: running it gives the error, and there is nothing to ask anybody.
  if (invalid(box, call.name, call.input) !== undefined) return { answer: "allow" };
  const { cwd, home } = box.context(new AbortController().signal, () => undefined);
  const { answer, because, wouldAsk } = decide({
    call: await policyCall(box.words, box.tools, call, cwd, home),
    mode: box.mode(),
    rules: box.rules(),
    only: box.only,
    interactive: box.confirm !== undefined,
    cwd,
    home,
  });
  // What nobody can be asked about is still a question: hooks on permission requests may answer it before it is declined.
  return { answer: wouldAsk ? "ask" : answer, because };
}

async function detailsOf(box: Toolbox, call: ToolCall, signal: AbortSignal): Promise<ConfirmDetails | McpDetails> {
  if (call.mcp)
    return {
      type: "mcp",
      title: `Confirm MCP Tool ${call.mcp.tool}`,
      serverName: call.mcp.server,
      toolName: call.mcp.tool,
      toolDisplayName: call.mcp.tool,
    };
  const { tool, word } = named(box, call.name);
  const checked = tool.check(toNeutral(box.words, word.name, call.input), argName(word));
  return tool.confirmation(
    checked.ok ? checked.value : {},
    box.context(signal, () => undefined),
  );
}
async function question(box: Toolbox, call: ToolCall, signal: AbortSignal): Promise<Question> {
  const details = await detailsOf(box, call, signal);
  return { ...box.profile.notice(details), details: details as unknown as JsonObject };
}
async function confirmed(box: Toolbox, call: ToolCall, why: string | undefined, signal: AbortSignal): Promise<boolean> {
  return (await box.confirm?.(call, await detailsOf(box, call, signal), why, signal)) ?? false;
}

function named(box: Toolbox, name: string): NamedTool {
  const found = toolByName(box.words, name, box.tools);
  if (!found) throw new Error(toolNotFound(name, box.names));
  return found;
}

/** What the model reads; a call whose arguments hooks changed says so. Source: the study of Gemini CLI, 5.2. */
function told({ profile }: Toolbox, { output, rewritten, isError }: ToolDone): Json {
  const notice = rewritten && !isError ? profile.rewriteNotice : undefined;
  if (notice === undefined) return output;
  return Array.isArray(output) ? [...output, { text: notice }] : `${asText(output)}\n\n${notice}`;
}
const asText = (content: Json): string => (typeof content === "string" ? content : JSON.stringify(content));
