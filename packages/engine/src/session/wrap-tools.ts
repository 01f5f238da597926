/** Fits the brackets to the AI SDK's tools and model middleware by shape alone, without importing it. */
import { isObject, type Json, type JsonObject, type ToolCall, type ToolResult } from "../protocol/index.ts";
import type { Session } from "./session.ts";
import type { ToolDone, ToolOptions } from "./tool.ts";

/** The part of an AI SDK tool this needs: something that may be executed. */
export interface ExecutableTool {
  // The SDK types input and options per tool; a wrapper passes both through unchanged in kind.
  // biome-ignore lint/suspicious/noExplicitAny: the tool's own types are the SDK's business, and `never` or `unknown` would refuse every real tool.
  readonly execute?: ((input: any, options: any) => unknown) | undefined;
  /** Named so that a tool that only a client executes is one, too. */
  readonly description?: unknown;
}
export interface WrapOptions extends Omit<ToolOptions, "signal"> {
  /** Called when a hook stops the agent: abort the SDK's loop here. */
  readonly onStop?: (stop: NonNullable<ToolDone["stop"]>) => void;
}

/** The same tools, each executed inside the hooks. A refusal is what the model reads as the tool's output; tools without `execute` pass unchanged. */
export function wrapTools<T extends Readonly<Record<string, ExecutableTool>>>(session: Session, tools: T, options: WrapOptions = {}): T {
  const { onStop, ...toolOptions } = options;
  const wrapped = Object.entries(tools).map(([name, tool]): [string, ExecutableTool] => {
    const { execute } = tool;
    if (!execute) return [name, tool];
    const through = async (input: unknown, given: unknown): Promise<Json> => {
      const callId = idOf(given);
      const signal = signalOf(given);
      const shown = isObject(input) ? input : {};
      const call: ToolCall = { name, input: shown, ...(callId === undefined ? {} : { callId }) };
      // What is no object is not shown to hooks, and reaches the tool as it is unless they say otherwise.
      const run = async (changed: JsonObject): Promise<ToolResult> => ({
        content: toJson(await finalOf(execute.call(tool, changed === shown ? input : changed, given))),
      });
      const done = await session.tool(call, run, {
        ...toolOptions,
        ...(signal ? { signal } : {}),
      });
      if (done.stop) onStop?.(done.stop);
      return done.output;
    };
    return [name, { ...tool, execute: through }];
  });
  return Object.fromEntries(wrapped) as unknown as T;
}

const idOf = (given: unknown): string | undefined =>
  isObject(given) && typeof given.toolCallId === "string" ? given.toolCallId : undefined;
function signalOf(given: unknown): AbortSignal | undefined {
  const signal: unknown = typeof given === "object" && given !== null && "abortSignal" in given ? given.abortSignal : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
/** A tool may yield previews: the last one is its result. */
async function finalOf(returned: unknown): Promise<unknown> {
  const value = await returned;
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const one of value as AsyncIterable<unknown>) last = one;
  return last;
}
/** What a tool returned as JSON: a tool that returns nothing says so with an empty text. */
function toJson(value: unknown): Json {
  if (value === undefined) return "";
  return JSON.parse(JSON.stringify(value) ?? '""') as Json;
}
