/** Gemini CLI: what its published hooks reference says, as cells. Where it is silent, what the study of the real binary saw. */
import { type Facts, isObject, type JsonObject, type ModelRequest, read, type ToolCall, type ToolResult } from "../protocol/index.ts";
import { type AnyRow, type Decoding, type Dialect, type Reads, row, type Speaker } from "./dialect.ts";
import { geminiDivergences } from "./gemini-divergences.ts";
import {
  modelRequest,
  modelResponse,
  REQUEST_KEYS,
  REQUEST_SHAPE,
  RESPONSE_KEYS,
  RESPONSE_SHAPE,
  requestPatch,
  TOOL_CONFIG_KEYS,
  TOOL_CONFIG_SHAPE,
  toolLimit,
  wireRequest,
  wireResponse,
} from "./gemini-model.ts";
import { extensions, longestRule, systemFile, userDir } from "./gemini-places.ts";
import { geminiTools } from "./gemini-tools.ts";

const REFERENCE = "geminicli.com/docs/hooks/reference";

type Ruling = Extract<Reads<never>, { readonly fills: "ruling" }>;
/** An `allow` here never skips a question. */
const decision: Ruling = {
  fills: "ruling",
  at: "decision",
  expected: "string",
  values: { allow: "none", approve: "none", deny: "deny", block: "deny" },
  reason: ["reason"],
};
const asking: Ruling = { ...decision, values: { ...decision.values, ask: "ask" } };
const stop: Ruling = {
  fills: "ruling",
  at: "continue",
  expected: "boolean",
  values: { true: "none", false: "endTurn" },
  reason: ["stopReason", "reason"],
};
const stopSession: Ruling = { ...stop, values: { true: "none", false: "endSession" } };
const message = { fills: "message", at: "systemMessage" } as const;
const quiet = { fills: "quiet", at: "suppressOutput" } as const;
const context = { fills: "context", at: "hookSpecificOutput.additionalContext" } as const;

const called = {
  tool_name: (f: { readonly tool: ToolCall }, say: Speaker) => say.toolName(f.tool),
  tool_input: (f: { readonly tool: ToolCall }, say: Speaker) => say.toolInput(f.tool),
};
const origin = {
  mcp_context: (f: { readonly tool: ToolCall }) =>
    f.tool.mcp ? { server_name: f.tool.mcp.server, tool_name: f.tool.mcp.tool, ...f.tool.mcp.connection } : undefined,
  original_request_name: (f: { readonly tool: ToolCall }, say: Speaker) =>
    f.tool.tailOf === undefined ? undefined : say.toolName({ name: f.tool.tailOf }),
};
const asked = { llm_request: (f: { readonly request: ModelRequest | (() => ModelRequest) }) => wireRequest(read(f.request)) };

function tailCall(value: unknown, say: Decoding): { readonly name: string; readonly input: JsonObject } | undefined {
  if (!isObject(value) || typeof value.name !== "string" || value.name === "" || !isObject(value.args)) return undefined;
  const name = say.hostToolName(value.name);
  return { name, input: say.hostPatch({ name }, value.args) };
}

const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
/** A call from the fields of stdin: the name alone may be given. */
function call(fields: JsonObject, example: ToolCall): ToolCall {
  const name = text(fields.tool_name, example.name);
  const { mcp_context: mcp, original_request_name: tailOf } = fields;
  const origin = isObject(mcp) && typeof mcp.server_name === "string" && typeof mcp.tool_name === "string" ? mcp : undefined;
  const connection = origin
    ? Object.fromEntries(Object.entries(origin).filter(([key]) => key !== "server_name" && key !== "tool_name"))
    : {};
  return {
    name,
    input: isObject(fields.tool_input) ? fields.tool_input : name === example.name ? example.input : {},
    ...(example.callId === undefined ? {} : { callId: example.callId }),
    ...(origin
      ? {
          mcp: {
            server: text(origin.server_name, ""),
            tool: text(origin.tool_name, ""),
            ...(Object.keys(connection).length > 0 ? { connection } : {}),
          },
        }
      : {}),
    ...(typeof tailOf === "string" ? { tailOf } : {}),
  };
}
function result(value: unknown, example: ToolResult): ToolResult {
  if (!isObject(value)) return typeof value === "string" ? { content: value } : example;
  const { llmContent, returnDisplay, error } = value;
  return {
    content: llmContent ?? "",
    ...(returnDisplay === undefined ? {} : { display: returnDisplay }),
    ...(isObject(error)
      ? { error: { message: text(error.message, "error"), ...(typeof error.type === "string" ? { type: error.type } : {}) } }
      : {}),
  };
}

const EXAMPLE_CALL: ToolCall = { name: "write_file", input: { file_path: "notes.txt", content: "Hello." }, callId: "call-1" };
const EXAMPLE_REQUEST: ModelRequest = {
  model: "gemini-3-flash-preview",
  messages: [{ role: "user", content: "Say hello." }],
  config: { temperature: 1, topP: 0.95, topK: 64 },
};

const rows = {
  SessionStart: row("sessionStart", {
    matcher: { as: "exact", words: { compact: [] }, known: ["startup", "resume", "clear"] },
    stdin: { source: (_f, say) => say.subject },
    facts: (fields, example) => ({ ...example, source: text(fields.source, example.source) }),
    example: { source: "startup" },
    reads: [message, quiet, context],
    exit2: "ignored",
    failClosed: false,
    plainText: "message",
    contextLasts: "history",
    source: `${REFERENCE}#sessionstart`,
  }),
  SessionEnd: row("sessionEnd", {
    matcher: {
      as: "exact",
      words: { promptExit: ["prompt_input_exit"] },
      known: ["exit", "clear", "logout", "prompt_input_exit", "other"],
    },
    stdin: { reason: (_f, say) => say.subject },
    facts: (fields, example) => ({ reason: fields.reason === "prompt_input_exit" ? "promptExit" : text(fields.reason, example.reason) }),
    example: { reason: "exit" },
    reads: [message, quiet],
    exit2: "ignored",
    failClosed: false,
    plainText: "message",
    patience: { waitMs: 500, then: "leave" },
    source: `${REFERENCE}#sessionend`,
  }),
  BeforeAgent: row("beforeAgent", {
    matcher: { as: "nothingToMatch" },
    stdin: { prompt: (f) => f.prompt },
    facts: (fields, example) => ({ ...example, prompt: text(fields.prompt, example.prompt) }),
    example: { prompt: "Say hello." },
    reads: [stop, decision, message, quiet, context],
    exit2: "deny",
    failClosed: true,
    plainText: "message",
    contextLasts: "turn",
    source: `${REFERENCE}#beforeagent`,
  }),
  AfterAgent: row("afterAgent", {
    matcher: { as: "nothingToMatch" },
    stdin: { prompt: (f) => f.prompt, prompt_response: (f) => f.response, stop_hook_active: (f) => f.retrying },
    facts: (fields, example) => ({
      prompt: text(fields.prompt, example.prompt),
      response: text(fields.prompt_response, example.response),
      retrying: typeof fields.stop_hook_active === "boolean" ? fields.stop_hook_active : example.retrying,
    }),
    example: { prompt: "Say hello.", response: "Hello.", retrying: false },
    reads: [stopSession, decision, message, quiet, { fills: "clearContext", at: "hookSpecificOutput.clearContext" }],
    exit2: "deny",
    failClosed: false,
    plainText: "message",
    source: `${REFERENCE}#afteragent`,
  }),
  BeforeModel: row("beforeModel", {
    matcher: { as: "nothingToMatch" },
    stdin: asked,
    facts: (fields, example) => ({ request: modelRequest(fields.llm_request, read(example.request)) }),
    example: { request: EXAMPLE_REQUEST },
    reads: [
      stop,
      decision,
      message,
      quiet,
      { fills: "request", at: "hookSpecificOutput.llm_request", expected: REQUEST_SHAPE, keys: REQUEST_KEYS, as: requestPatch },
      { fills: "response", at: "hookSpecificOutput.llm_response", expected: RESPONSE_SHAPE, keys: RESPONSE_KEYS, as: modelResponse },
    ],
    exit2: "deny",
    failClosed: true,
    plainText: "message",
    source: `${REFERENCE}#beforemodel`,
  }),
  BeforeToolSelection: row("beforeToolSelection", {
    matcher: { as: "nothingToMatch" },
    stdin: asked,
    facts: (fields, example) => ({ request: modelRequest(fields.llm_request, read(example.request)) }),
    example: { request: EXAMPLE_REQUEST },
    reads: [
      quiet,
      { fills: "toolLimit", at: "hookSpecificOutput.toolConfig", expected: TOOL_CONFIG_SHAPE, keys: TOOL_CONFIG_KEYS, as: toolLimit },
    ],
    exit2: "ignored",
    failClosed: false,
    plainText: "noted",
    source: `${REFERENCE}#beforetoolselection`,
  }),
  AfterModel: row("afterModel", {
    matcher: { as: "nothingToMatch" },
    stdin: { ...asked, llm_response: (f) => wireResponse(read(f.response)) },
    facts: (fields, example) => ({
      request: modelRequest(fields.llm_request, read(example.request)),
      response: (fields.llm_response === undefined ? undefined : modelResponse(fields.llm_response)) ?? read(example.response),
    }),
    example: {
      request: EXAMPLE_REQUEST,
      response: { parts: ["Hello."], finishReason: "STOP", usage: { total: 12, prompt: 8, candidates: 4 } },
    },
    reads: [
      stop,
      decision,
      message,
      quiet,
      { fills: "response", at: "hookSpecificOutput.llm_response", expected: RESPONSE_SHAPE, keys: RESPONSE_KEYS, as: modelResponse },
    ],
    exit2: "deny",
    failClosed: true,
    plainText: "message",
    source: `${REFERENCE}#aftermodel`,
  }),
  BeforeTool: row("beforeTool", {
    matcher: { as: "regexElseLiteral" },
    stdin: { ...called, ...origin },
    facts: (fields, example) => ({ tool: call(fields, example.tool) }),
    example: { tool: EXAMPLE_CALL },
    reads: [stop, asking, message, quiet, { fills: "input", at: "hookSpecificOutput.tool_input", how: "merge" }],
    exit2: "deny",
    failClosed: true,
    plainText: "message",
    source: `${REFERENCE}#beforetool`,
  }),
  AfterTool: row("afterTool", {
    matcher: { as: "regexElseLiteral" },
    stdin: {
      tool_name: called.tool_name,
      // The model's original arguments. Source: reference; the binary shows the executed ones (D8).
      tool_input: (f: Facts["afterTool"], say: Speaker) => say.toolInput(f.tool, f.asked),
      tool_response: (f) => ({
        llmContent: f.result.content,
        returnDisplay: f.result.display ?? f.result.content,
        ...(f.result.error
          ? { error: { message: f.result.error.message, ...(f.result.error.type === undefined ? {} : { type: f.result.error.type }) } }
          : {}),
      }),
      ...origin,
    },
    facts: (fields, example) => ({
      tool: call(fields, example.tool),
      result: fields.tool_response === undefined ? example.result : result(fields.tool_response, example.result),
    }),
    example: { tool: EXAMPLE_CALL, result: { content: "Wrote notes.txt." } },
    reads: [
      stop,
      decision,
      message,
      quiet,
      context,
      {
        fills: "tailCall",
        at: "hookSpecificOutput.tailToolCallRequest",
        expected: "an object with name (text) and args (object)",
        keys: ["name", "args"],
        as: tailCall,
      },
    ],
    exit2: "deny",
    failClosed: true,
    plainText: "message",
    contextLasts: "history",
    source: `${REFERENCE}#aftertool`,
  }),
  Notification: row("notification", {
    matcher: { as: "exact", words: { permission: ["ToolPermission"], result: [], idle: [] }, known: ["ToolPermission"] },
    stdin: { notification_type: (_f, say) => say.subject, message: (f) => f.message, details: (f) => f.details ?? {} },
    facts: (fields, example) => ({
      type:
        fields.notification_type === undefined || fields.notification_type === "ToolPermission"
          ? "permission"
          : text(fields.notification_type, example.type),
      message: text(fields.message, example.message),
      details: isObject(fields.details) ? fields.details : (example.details ?? {}),
    }),
    example: {
      type: "permission",
      message: "Tool Confirm Shell Command requires execution",
      details: { type: "exec", title: "Confirm Shell Command", command: "ls", rootCommand: "ls" },
    },
    reads: [message, quiet],
    exit2: "ignored",
    failClosed: false,
    plainText: "message",
    source: `${REFERENCE}#notification`,
  }),
  PreCompress: row("beforeCompress", {
    matcher: { as: "exact", known: ["auto", "manual"] },
    stdin: { trigger: (_f, say) => say.subject },
    facts: (fields, example) => ({ trigger: text(fields.trigger, example.trigger) }),
    example: { trigger: "auto" },
    reads: [message, quiet],
    exit2: "ignored",
    failClosed: false,
    plainText: "message",
    source: `${REFERENCE}#precompress`,
  }),
} as const satisfies Record<string, AnyRow>;

export const gemini: Dialect = {
  id: "gemini",
  title: "Gemini CLI",
  layers: [
    { scope: "project", file: ({ cwd }) => `${cwd}/.gemini/settings.json` },
    { scope: "user", file: (where) => `${userDir(where)}/settings.json` },
    { scope: "system", file: systemFile },
    { scope: "extension", file: (where) => `${userDir(where)}/extensions/*/hooks/hooks.json` },
    {
      scope: "systemDefaults",
      file: (where) => where.env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH || systemFile(where).replace(/[^/\\]*$/, "system-defaults.json"),
    },
  ],
  scalarOrder: ["system", "project", "user", "systemDefaults"],
  lookalikes: [
    { file: ({ cwd }) => `${cwd}/.gemini/hooks.json`, says: "Project hooks are read from .gemini/settings.json." },
    { file: ({ cwd }) => `${cwd}/.gemini/hooks/hooks.json`, says: "Project hooks are read from .gemini/settings.json." },
    { file: ({ cwd }) => `${cwd}/.gemini/settings.local.json`, says: "Project hooks are read from .gemini/settings.json." },
    { file: (where) => `${userDir(where)}/hooks.json`, says: "User hooks are read from settings.json beside it." },
  ],
  switches: {
    allOff: [{ at: "hooksConfig.enabled", is: false }],
    names: "hooksConfig.disabled",
    legacy: [
      { at: "hooks.enabled", means: "allOff", is: false, instead: "hooksConfig.enabled" },
      { at: "hooks.disabled", means: "names", instead: "hooksConfig.disabled" },
    ],
    notEvents: ["enabled", "disabled", "notifications"],
    notifications: "hooksConfig.notifications",
  },
  groupKeys: ["matcher", "sequential", "hooks"],
  handlerKeys: ["type", "command", "name", "timeout", "description", "env"],
  describes: "description",
  handlerTypes: { command: "run", plugin: "unsupported", runtime: "unsupported" },
  sameHook: ["name", "command"],
  conditions: "none",
  timeout: { unitMs: 1, unit: "milliseconds", defaultMs: 60_000, suspect: { below: 100 } },
  expands: { settingsStrings: true, inArgs: [], extension: true },
  extensions,
  notFiredHere: [],
  folderTrust: {
    variable: "GEMINI_CLI_TRUST_WORKSPACE",
    off: { at: "security.folderTrust.enabled", is: false },
    store: {
      file: (where) => where.env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || `${userDir(where)}/trustedFolders.json`,
      read: longestRule,
    },
  },
  stdin: {
    session_id: (_f, say) => say.session.id,
    transcript_path: (_f, say) => say.session.transcriptPath,
    cwd: (_f, say) => say.session.cwd,
    hook_event_name: (_f, say) => say.wireName,
    timestamp: (_f, say) => say.session.firedAt,
  },
  environment: {
    GEMINI_PROJECT_DIR: "projectDir",
    GEMINI_CWD: "cwd",
    GEMINI_SESSION_ID: "sessionId",
    GEMINI_PLANS_DIR: "plansDir",
    CLAUDE_PROJECT_DIR: "projectDir",
  },
  sanitising: {
    enabled: "security.environmentVariableRedaction.enabled",
    allowed: "security.environmentVariableRedaction.allowed",
    blocked: "security.environmentVariableRedaction.blocked",
    strict: (env) => (env.GITHUB_SHA ?? "") !== "" || env.SURFACE === "Github",
  },
  runsIn: "cwd",
  tools: geminiTools,
  permissionModes: { default: "default", autoEdit: "auto_edit", plan: "plan", yolo: "yolo" },
  decodesTwice: true,
  otherJson: "noOpinion",
  specificOutputNamesEvent: "never",
  quietHides: "record",
  frame: (text) => `<hook_context>${text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</hook_context>`,
  rows,
  divergences: geminiDivergences,
};
