/** Qoder CN CLI: its published CN page first, its newer pages where that is silent, the real binary where both are. As cells. */
import { type Facts, isObject, type Json, type JsonObject, type ToolCall, type ToolResult } from "../protocol/index.ts";
import { type AnyRow, type Dialect, type Reads, row, type Speaker } from "./dialect.ts";
import { qoderCnDivergences } from "./qoder-cn-divergences.ts";
import { notificationMessage, notificationTitle } from "./qoder-cn-notification.ts";
import { qoderCnTools } from "./qoder-cn-tools.ts";

/** The baseline page, and the newer pages that count where it is silent. */
const PAGE = "help.aliyun.com/lingma/qodercli-cn/user-guide/hook";
const NEWER = "docs.qoder.com/cli/hooks";

type Ruling = Extract<Reads<never>, { readonly fills: "ruling" }>;
/** Wherever exit 2 blocks. An `allow` here decides nothing. */
const decision: Ruling = {
  fills: "ruling",
  at: "decision",
  expected: "string",
  values: { allow: "none", approve: "none", deny: "deny", block: "deny" },
  reason: ["reason"],
};
const stop: Ruling = {
  fills: "ruling",
  at: "continue",
  expected: "boolean",
  values: { true: "none", false: "endTurn" },
  reason: ["stopReason", "reason"],
};
const message = { fills: "message", at: "systemMessage" } as const;
const quiet = { fills: "quiet", at: "suppressOutput" } as const;
const context = { fills: "context", at: "hookSpecificOutput.additionalContext" } as const;
const clearContext = { fills: "clearContext", at: "hookSpecificOutput.clearContext" } as const;

const called = {
  tool_name: (f: { readonly tool: ToolCall }, say: Speaker) => say.toolName(f.tool),
  tool_input: (f: { readonly tool: ToolCall }, say: Speaker) => say.toolInput(f.tool),
};
const callId = { tool_use_id: (f: { readonly tool: ToolCall }) => f.tool.callId };

/** A tool's result as the one text this dialect shows: parts that are texts joined, anything else as JSON. */
function asText(content: Json): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.map((part: Json) => (isObject(part) && Object.keys(part).length === 1 ? part["text"] : part));
  return texts.every((part) => typeof part === "string") ? texts.join("\n") : JSON.stringify(content);
}

const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === "boolean" ? value : otherwise);
/** A call from the fields of stdin: the name alone may be given. */
function call(fields: JsonObject, example: ToolCall): ToolCall {
  const name = text(fields.tool_name, example.name);
  const id = text(fields.tool_use_id, example.callId ?? "");
  return {
    name,
    input: isObject(fields.tool_input) ? fields.tool_input : name === example.name ? example.input : {},
    ...(id === "" ? {} : { callId: id }),
  };
}
const agent = (fields: JsonObject, example: { readonly id: string; readonly type: string }) => ({
  id: text(fields.agent_id, example.id),
  type: text(fields.agent_type, example.type),
});

const EXAMPLE_CALL: ToolCall = { name: "Bash", input: { command: "npm test", description: "Runs the tests" }, callId: "toolu_01" };
const EXAMPLE_FAILURE: ToolResult = {
  content: "Command failed with exit code 1",
  error: { message: "Command failed with exit code 1", type: "execution_failed" },
};
const EXAMPLE_AGENT = { id: "agent-1", type: "general-purpose" };

const rows = {
  SessionStart: row("sessionStart", {
    matcher: { as: "namesElseRegex", known: ["startup", "resume", "compact", "clear"] },
    stdin: { source: (_f, say) => say.subject, model: (f) => f.model },
    facts: (fields, example) => ({
      source: text(fields.source, example.source),
      ...(typeof fields.model === "string" ? { model: fields.model } : {}),
    }),
    example: { source: "startup" },
    reads: [message, quiet, context],
    exit2: "ignored",
    failClosed: false,
    plainText: "context",
    contextLasts: "history",
    source: `${PAGE}, SessionStart; ${NEWER}, output`,
  }),
  SessionEnd: row("sessionEnd", {
    matcher: {
      as: "namesElseRegex",
      words: { promptExit: ["prompt_input_exit"], exit: ["other"] },
      known: ["prompt_input_exit", "clear", "other"],
    },
    stdin: { reason: (_f, say) => say.subject },
    facts: (fields, example) => ({ reason: fields.reason === "prompt_input_exit" ? "promptExit" : text(fields.reason, example.reason) }),
    example: { reason: "other" },
    reads: [message, quiet],
    exit2: "ignored",
    failClosed: false,
    plainText: "noted",
    patience: { waitMs: 500, then: "leave" },
    source: `${PAGE}, SessionEnd`,
  }),
  UserPromptSubmit: row("beforeAgent", {
    when: ["user"],
    matcher: { as: "nothingToMatch" },
    stdin: { prompt: (f) => f.prompt },
    facts: (fields, example) => ({ ...example, prompt: text(fields.prompt, example.prompt) }),
    example: { prompt: "Say hello." },
    reads: [stop, decision, message, quiet, context],
    exit2: "deny",
    failClosed: true,
    plainText: "context",
    contextLasts: "history",
    source: `${PAGE}, UserPromptSubmit; ${NEWER}, exit code 2`,
  }),
  PreToolUse: row("beforeTool", {
    matcher: { as: "namesElseRegex" },
    stdin: { ...called, ...callId },
    facts: (fields, example) => ({ tool: call(fields, example.tool) }),
    example: { tool: EXAMPLE_CALL },
    reads: [
      stop,
      {
        fills: "ruling",
        at: "hookSpecificOutput.permissionDecision",
        expected: "string",
        values: { allow: "allow", deny: "deny", ask: "ask" },
        reason: ["hookSpecificOutput.permissionDecisionReason", "reason"],
      },
      { ...decision, yieldsTo: "hookSpecificOutput.permissionDecision" },
      message,
      quiet,
      { fills: "input", at: "hookSpecificOutput.updatedInput", how: "whole" },
      context,
    ],
    exit2: "deny",
    failClosed: true,
    plainText: "noted",
    contextLasts: "history",
    source: `${PAGE}, PreToolUse; ${NEWER}, PreToolUse output`,
  }),
  PostToolUse: row("afterTool", {
    when: ["ok"],
    matcher: { as: "namesElseRegex" },
    stdin: { ...called, tool_response: (f: Facts["afterTool"]) => asText(f.result.content), ...callId },
    facts: (fields, example) => ({
      tool: call(fields, example.tool),
      result: fields.tool_response === undefined ? example.result : { content: fields.tool_response },
    }),
    example: { tool: EXAMPLE_CALL, result: { content: "12 tests passed" } },
    reads: [stop, message, quiet, context, { fills: "result", at: "hookSpecificOutput.updatedToolOutput", shown: "tool_response" }],
    exit2: "context",
    failClosed: false,
    plainText: "noted",
    contextLasts: "history",
    source: `${PAGE}, PostToolUse; ${NEWER}, PostToolUse output`,
  }),
  PostToolUseFailure: row("afterTool", {
    when: ["failed"],
    matcher: { as: "namesElseRegex" },
    stdin: {
      ...called,
      ...callId,
      error: (f: Facts["afterTool"]) => f.result.error?.message ?? asText(f.result.content),
      is_interrupt: (f: Facts["afterTool"]) => f.interrupted ?? false,
    },
    facts: (fields, example) => ({
      tool: call(fields, example.tool),
      result: typeof fields.error === "string" ? { content: fields.error, error: { message: fields.error } } : example.result,
      interrupted: flag(fields.is_interrupt, example.interrupted ?? false),
    }),
    example: { tool: EXAMPLE_CALL, result: EXAMPLE_FAILURE, interrupted: false },
    reads: [stop, message, quiet, context],
    exit2: "context",
    failClosed: false,
    plainText: "noted",
    contextLasts: "history",
    source: `${PAGE}, PostToolUseFailure; ${NEWER}, PostToolUseFailure output`,
  }),
  PermissionRequest: row("permissionRequest", {
    matcher: { as: "namesElseRegex" },
    stdin: called,
    facts: (fields, example) => ({ tool: call(fields, example.tool) }),
    example: { tool: EXAMPLE_CALL },
    reads: [
      {
        fills: "ruling",
        at: "hookSpecificOutput.decision.behavior",
        expected: "string",
        values: { allow: "allow", deny: "deny" },
        reason: ["hookSpecificOutput.decision.message"],
      },
      {
        fills: "ruling",
        at: "hookSpecificOutput.decision.interrupt",
        expected: "boolean",
        values: { true: "endTurn", false: "none" },
        reason: ["hookSpecificOutput.decision.message"],
        onlyWith: { at: "hookSpecificOutput.decision.behavior", is: "deny" },
      },
      {
        fills: "input",
        at: "hookSpecificOutput.decision.updatedInput",
        how: "whole",
        onlyWith: { at: "hookSpecificOutput.decision.behavior", is: "allow" },
      },
      message,
      quiet,
    ],
    exit2: "ignored",
    failClosed: false,
    plainText: "noted",
    source: `${PAGE}, PermissionRequest; ${NEWER}, PermissionRequest output`,
  }),
  Notification: row("notification", {
    matcher: {
      as: "namesElseRegex",
      words: { permission: ["permission", "permission_prompt"], idle: ["idle_prompt"] },
      known: ["permission", "result"],
    },
    stdin: { message: notificationMessage, title: notificationTitle, notification_type: (_f, say) => say.subject },
    facts: ({ notification_type: type, message, title }, example) => ({
      type: type === "permission_prompt" ? "permission" : type === "idle_prompt" ? "idle" : text(type, example.type),
      message: text(message, example.message),
      ...(typeof title === "string" ? { title } : {}),
    }),
    example: { type: "permission", message: "Agent is requesting permission to run: npm test" },
    reads: [message, quiet],
    exit2: "ignored",
    failClosed: false,
    plainText: "noted",
    source: `${PAGE}, Notification`,
  }),
  SubagentStart: row("subagentStart", {
    matcher: { as: "namesElseRegex" },
    stdin: { agent_id: (f) => f.agent.id, agent_type: (f) => f.agent.type },
    facts: (fields, example) => ({ agent: agent(fields, example.agent) }),
    example: { agent: EXAMPLE_AGENT },
    reads: [message, quiet, context],
    exit2: "ignored",
    failClosed: false,
    plainText: "noted",
    contextLasts: "history",
    source: `${PAGE}, SubagentStart; ${NEWER}, output`,
  }),
  SubagentStop: row("subagentStop", {
    matcher: { as: "namesElseRegex" },
    stdin: { agent_id: (f) => f.agent.id, agent_type: (f) => f.agent.type, stop_hook_active: (f) => f.retrying },
    facts: (fields, example) => ({
      ...example,
      agent: agent(fields, example.agent),
      retrying: flag(fields.stop_hook_active, example.retrying),
    }),
    example: { agent: EXAMPLE_AGENT, response: "Done.", retrying: false },
    reads: [stop, decision, message, quiet, clearContext],
    exit2: "deny",
    failClosed: false,
    plainText: "noted",
    source: `${PAGE}, SubagentStop; ${NEWER}, Stop and SubagentStop output`,
  }),
  Stop: row("afterAgent", {
    matcher: { as: "nothingToMatch" },
    stdin: { stop_hook_active: (f) => f.retrying, last_assistant_message: (f) => f.response },
    facts: (fields, example) => ({
      ...example,
      response: text(fields.last_assistant_message, example.response),
      retrying: flag(fields.stop_hook_active, example.retrying),
    }),
    example: { prompt: "Say hello.", response: "Hello.", retrying: false },
    reads: [stop, decision, message, quiet, clearContext],
    exit2: "deny",
    failClosed: false,
    plainText: "noted",
    source: `${PAGE}, Stop; ${NEWER}, Stop and SubagentStop output`,
  }),
  PreCompact: row("beforeCompress", {
    matcher: { as: "namesElseRegex", known: ["auto", "manual"] },
    stdin: { trigger: (_f, say) => say.subject, custom_instructions: (f) => f.instructions ?? "" },
    facts: (fields, example) => ({
      trigger: text(fields.trigger, example.trigger),
      ...(typeof fields.custom_instructions === "string" ? { instructions: fields.custom_instructions } : {}),
    }),
    example: { trigger: "auto" },
    reads: [decision, message, quiet],
    exit2: "deny",
    failClosed: true,
    plainText: "noted",
    source: `${PAGE}, PreCompact; ${NEWER}, exit code 2`,
  }),
} as const satisfies Record<string, AnyRow>;

const userDir = (home: string, env: Readonly<Record<string, string | undefined>>): string => env.QODERCN_CONFIG_DIR || `${home}/.qoder-cn`;

const PROJECT_FILES = "Project hooks are read from .qoder/settings.json and .qoder/settings.local.json.";
const USER_FILE = "User hooks are read from ~/.qoder-cn/settings.json.";

export const qoderCn: Dialect = {
  id: "qoder-cn",
  title: "Qoder CN CLI",
  layers: [
    { scope: "local", file: ({ cwd }) => `${cwd}/.qoder/settings.local.json` },
    { scope: "project", file: ({ cwd }) => `${cwd}/.qoder/settings.json` },
    { scope: "user", file: ({ home, env }) => `${userDir(home, env)}/settings.json` },
  ],
  scalarOrder: ["local", "project", "user"],
  lookalikes: [
    ...[".qoder-cn/settings.json", ".qoder-cn/settings.local.json", ".qodercn/settings.json", ".qodercn/settings.local.json"].map(
      (file) => ({
        file: ({ cwd }: { readonly cwd: string }) => `${cwd}/${file}`,
        says: PROJECT_FILES,
      }),
    ),
    ...[".qoder/hooks.json", ".qoder/hooks/hooks.json"].map((file) => ({
      file: ({ cwd }: { readonly cwd: string }) => `${cwd}/${file}`,
      says: PROJECT_FILES,
    })),
    ...[".qoder/settings.json", ".qodercn/settings.json"].map((file) => ({
      file: ({ home }: { readonly home: string }) => `${home}/${file}`,
      says: USER_FILE,
    })),
    { file: ({ home, env }) => `${userDir(home, env)}/settings.local.json`, says: USER_FILE },
    { file: ({ home, env }) => `${userDir(home, env)}/hooks.json`, says: USER_FILE },
  ],
  switches: {
    allOff: [
      { at: "disableAllHooks", is: true },
      { at: "hooksConfig.enabled", is: false },
    ],
    names: "hooksConfig.disabled",
    legacy: [],
    notEvents: [],
    notifications: "hooksConfig.notifications",
  },
  groupKeys: ["matcher", "sequential", "async", "hooks"],
  handlerKeys: ["type", "command", "args", "timeout", "if", "name", "env", "async", "once", "statusMessage", "shell", "asyncRewake"],
  describes: "statusMessage",
  handlerTypes: { command: "run", http: "unsupported", prompt: "unsupported", agent: "unsupported" },
  sameHook: ["command", "args"],
  conditions: "toolGlob",
  timeout: { unitMs: 1000, unit: "seconds", defaultMs: 60_000, suspect: { above: 600 } },
  expands: { settingsStrings: false, inArgs: ["QODERCN_PROJECT_DIR", "QODER_PROJECT_DIR", "CLAUDE_PROJECT_DIR"], extension: false },
  notFiredHere: [
    "PermissionDenied",
    "StopFailure",
    "PostCompact",
    "InstructionsLoaded",
    "ConfigChange",
    "CwdChanged",
    "FileChanged",
    "WorktreeCreate",
    "WorktreeRemove",
    "Elicitation",
    "ElicitationResult",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Setup",
  ],
  folderTrust: {
    variable: undefined,
    off: undefined,
    store: { file: ({ home, env }) => `${userDir(home, env)}/settings.json`, read: isTrustedDirectory },
  },
  stdin: {
    session_id: (_f, say) => say.session.id,
    transcript_path: (_f, say) => say.session.transcriptPath,
    cwd: (_f, say) => say.session.cwd,
    hook_event_name: (_f, say) => say.wireName,
    permission_mode: (_f, say) => say.session.permissionMode,
    agent_id: (_f, say) => say.session.agent?.id,
    agent_type: (_f, say) => say.session.agent?.type,
  },
  environment: { QODERCN_PROJECT_DIR: "projectDir", QODER_PROJECT_DIR: "projectDir", CLAUDE_PROJECT_DIR: "projectDir" },
  sanitising: {
    enabled: "security.environmentVariableRedaction.enabled",
    allowed: "security.environmentVariableRedaction.allowed",
    blocked: "security.environmentVariableRedaction.blocked",
    // No signs of its own: those of a workflow run count for every dialect.
    strict: () => false,
  },
  runsIn: "projectDir",
  tools: qoderCnTools,
  permissionModes: { default: "default", autoEdit: "acceptEdits", plan: "plan", dontAsk: "dontAsk", auto: "auto", yolo: "yolo" },
  decodesTwice: false,
  otherJson: "plainText",
  specificOutputNamesEvent: "checked",
  quietHides: "message",
  frame: (context) => context,
  rows,
  divergences: qoderCnDivergences,
};

/** A list of the directories the user trusts, each for itself: what is below one is not known to be meant. Source: the study, 2.6. */
function isTrustedDirectory(stored: Json, folder: string): true | undefined {
  const permissions = isObject(stored) ? stored["permissions"] : undefined;
  const list: Json | undefined = isObject(permissions) ? permissions["trustDirectories"] : undefined;
  const plain = (path: string): string => path.replace(/(?<=.)[/\\]+$/, "");
  return Array.isArray(list) && list.some((path: Json) => typeof path === "string" && plain(path) === plain(folder)) ? true : undefined;
}
