/** Turns hook runs, tool calls and model requests into log records as Gemini CLI's local target writes them. */
import type { EngineEvent, Json, JsonObject } from "@carabiner/engine";
import type { AgentEvent } from "../loop/index.ts";
import type { Message, Part } from "../models/index.ts";

export interface Attributed {
  readonly body: string;
  readonly attributes: JsonObject;
}
/** What every record says, and what it may say. */
export interface Common {
  readonly prefix: string;
  readonly sessionId: string;
  readonly interactive: boolean;
  readonly logPrompts: boolean;
  readonly at: Date;
}
type HookEnded = Extract<EngineEvent, { readonly kind: "hookEnded" }>;

const common = (name: string, { prefix, sessionId, interactive, at }: Common): JsonObject => ({
  "session.id": sessionId,
  interactive,
  "event.name": `${prefix}.${name}`,
  "event.timestamp": at.toISOString(),
});
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** One executed hook. Without prompts neither contents nor the command line are told. Source: the study of Gemini CLI, TEL-2 to TEL-4. */
export function hookCall(ended: HookEnded, input: JsonObject | undefined, quiet: boolean, told: Common): Attributed {
  const { entry, report, durationMs } = ended;
  const { run, output } = report;
  // A hook that nobody waited for has not failed.
  const success = run.kind === "exited" ? run.exitCode === 0 : run.kind === "returned" || run.kind === "left";
  const name = told.logPrompts ? entry.name : firstWord(entry.name);
  const error =
    run.kind === "timedOut"
      ? `Hook timed out after ${run.afterMs}ms`
      : run.kind === "notStarted" || run.kind === "threw"
        ? run.message
        : undefined;
  const contents: JsonObject =
    told.logPrompts && !quiet
      ? {
          hook_input: pretty(input ?? {}),
          ...(output ? { hook_output: pretty(output) } : {}),
          stdout: run.stdout,
          stderr: run.stderr,
          ...(error === undefined ? {} : { error }),
        }
      : {};
  return {
    body: `Hook call ${entry.wireName}.${name} ${run.kind === "left" ? "left running" : success ? "succeeded" : "failed"} in ${Math.round(durationMs)}ms`,
    attributes: {
      ...common("hook_call", told),
      hook_event_name: entry.wireName,
      hook_type: entry.run.kind === "function" ? "runtime" : "command",
      hook_name: name,
      duration_ms: Math.round(durationMs),
      success,
      ...(run.kind === "exited" ? { exit_code: run.exitCode } : {}),
      ...contents,
    },
  };
}

/** The name of a program says little; its arguments may be secrets. */
function firstWord(identifier: string): string {
  const word = identifier.trim().split(/\s+/)[0] ?? "";
  return word.split(/[/\\]/).at(-1) || "unknown-command";
}

interface Called {
  readonly name: string;
  readonly input: JsonObject;
  readonly durationMs: number;
  readonly error: { readonly message: string; readonly type?: string } | undefined;
  readonly promptId: string;
  readonly mcp: boolean;
  readonly contentLength: number | undefined;
}
/** Source: the study of Gemini CLI, TEL-8. */
export function toolCall(call: Called, told: Common): Attributed {
  const { name, input, error } = call;
  return {
    body: `Tool call: ${name}. Success: ${error === undefined}. Duration: ${Math.round(call.durationMs)}ms.`,
    attributes: {
      ...common("tool_call", told),
      function_name: name,
      ...(told.logPrompts ? { function_args: pretty(input) } : {}),
      duration_ms: Math.round(call.durationMs),
      success: error === undefined,
      prompt_id: call.promptId,
      tool_type: call.mcp ? "mcp" : "native",
      ...(call.contentLength === undefined ? {} : { content_length: call.contentLength }),
      ...(error ? { "error.type": error.type ?? "execution_failed", error_type: error.type ?? "execution_failed" } : {}),
      ...(error && told.logPrompts ? { error: error.message, "error.message": error.message } : {}),
    },
  };
}

/** Source: the study of Gemini CLI, TEL-8. */
export function apiRequest(
  { model, promptId, messages, role }: Extract<AgentEvent, { readonly kind: "modelAsked" }>,
  told: Common,
): Attributed {
  return {
    body: `API request to ${model}.`,
    attributes: {
      ...common("api_request", told),
      model,
      prompt_id: promptId,
      role,
      ...(told.logPrompts ? { request_text: JSON.stringify(messages.map(content)) } : {}),
    },
  };
}

const content = ({ role, parts }: Message): JsonObject => ({ role, parts: parts.map(wirePart) });
function wirePart(part: Part): JsonObject {
  switch (part.type) {
    case "text":
      return { text: part.text, ...(part.thought ? { thought: true } : {}) };
    case "call":
      return { functionCall: { id: part.id, name: part.name, args: part.input } };
    case "result":
      return {
        functionResponse: { id: part.id, name: part.name, response: part.isError ? { error: part.output } : { output: part.output } },
      };
    case "media":
      return { inlineData: { mimeType: part.mimeType } };
  }
}

/** A log record as it stands in the file. Source: the study of Gemini CLI, TEL-6. */
export function logRecord({ body, attributes }: Attributed, { at, prefix }: Common): Json {
  const hrTime = [Math.floor(at.getTime() / 1000), (at.getTime() % 1000) * 1_000_000];
  return {
    hrTime,
    hrTimeObserved: hrTime,
    resource: { _rawAttributes: [["service.name", scopeName(prefix)]], _asyncAttributesPending: false },
    instrumentationScope: { name: scopeName(prefix) },
    attributes,
    _body: body,
    _attributesCount: Object.keys(attributes).length,
    _droppedAttributesCount: 0,
    _isReadonly: true,
  };
}
export const scopeName = (prefix: string): string => prefix.replace("_", "-");
