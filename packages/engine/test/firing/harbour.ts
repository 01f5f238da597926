// A second dialect, made up for the tests: everything that a product may do otherwise than Gemini CLI, in one small table.

import { row } from "../../src/dialects/dialect.ts";
import { type AnyRow, DIALECTS, type Dialect } from "../../src/dialects/index.ts";
import type { ToolCall } from "../../src/protocol/index.ts";

const [first] = DIALECTS;
const SOURCE = "made up for the tests";

const halt = {
  fills: "ruling",
  at: "continue",
  expected: "boolean",
  values: { true: "none", false: "endTurn" },
  reason: ["stopReason"],
} as const;
const decision = {
  fills: "ruling",
  at: "decision",
  expected: "string",
  values: { approve: "none", block: "deny" },
  reason: ["reason"],
} as const;
const permission = {
  fills: "ruling",
  at: "hookSpecificOutput.permissionDecision",
  expected: "string",
  values: { allow: "allow", ask: "ask", deny: "deny" },
  reason: ["hookSpecificOutput.permissionDecisionReason"],
} as const;
const message = { fills: "message", at: "systemMessage" } as const;
const quiet = { fills: "quiet", at: "suppressOutput" } as const;
const context = { fills: "context", at: "hookSpecificOutput.additionalContext" } as const;
const tool = {
  tool_name: (f: { readonly tool: ToolCall }, say: { toolName: (call: ToolCall) => string }) => say.toolName(f.tool),
  tool_input: (f: { readonly tool: ToolCall }, say: { toolInput: (call: ToolCall) => ToolCall["input"] }) => say.toolInput(f.tool),
};
const cells = { exit2: "deny", failClosed: true, plainText: "noted", source: SOURCE } as const;
const same = <F>(_fields: unknown, example: F): F => example;
const call: ToolCall = { name: "run_shell_command", input: { command: "ls" } };

const rows = {
  PreUse: row("beforeTool", {
    ...cells,
    matcher: { as: "namesElseRegex" },
    stdin: tool,
    facts: same,
    example: { tool: call },
    reads: [
      halt,
      permission,
      { ...decision, yieldsTo: "hookSpecificOutput.permissionDecision" },
      message,
      quiet,
      context,
      { fills: "input", at: "hookSpecificOutput.updatedInput", how: "whole" },
    ],
    contextLasts: "history",
  }),
  PostUse: row("afterTool", {
    ...cells,
    when: ["ok"],
    matcher: { as: "namesElseRegex" },
    stdin: { ...tool, tool_result: (f) => f.result.content },
    facts: same,
    example: { tool: call, result: { content: "x" } },
    reads: [decision, message, quiet, context, { fills: "result", at: "hookSpecificOutput.updatedResult", shown: "tool_result" }],
    exit2: "context",
    failClosed: false,
    contextLasts: "history",
  }),
  PostUseFailed: row("afterTool", {
    ...cells,
    when: ["failed"],
    matcher: { as: "namesElseRegex" },
    stdin: { ...tool, error: (f) => f.result.error?.message },
    facts: same,
    example: { tool: call, result: { content: "x", error: { message: "no" } } },
    reads: [message, quiet, context],
    exit2: "context",
    failClosed: false,
  }),
  Ask: row("permissionRequest", {
    ...cells,
    matcher: { as: "namesElseRegex" },
    stdin: tool,
    facts: same,
    example: { tool: call },
    reads: [
      {
        fills: "ruling",
        at: "hookSpecificOutput.behavior",
        expected: "string",
        values: { allow: "allow", deny: "deny", interrupt: "endTurn" },
        reason: ["hookSpecificOutput.message"],
      },
      message,
      quiet,
      { fills: "input", at: "hookSpecificOutput.updatedInput", how: "whole" },
    ],
    exit2: "ignored",
    failClosed: false,
  }),
  Submit: row("beforeAgent", {
    ...cells,
    when: ["user"],
    matcher: { as: "nothingToMatch" },
    stdin: { prompt: (f) => f.prompt },
    facts: same,
    example: { prompt: "p" },
    reads: [halt, decision, message, quiet, context],
    plainText: "context",
    contextLasts: "history",
  }),
  Halt: row("afterAgent", {
    ...cells,
    matcher: { as: "nothingToMatch" },
    stdin: { stop_hook_active: (f) => f.retrying },
    facts: same,
    example: { prompt: "p", response: "r", retrying: false },
    reads: [halt, decision, message, quiet],
    failClosed: false,
  }),
  SubStart: row("subagentStart", {
    ...cells,
    matcher: { as: "namesElseRegex" },
    stdin: { agent_type: (f) => f.agent.type },
    facts: same,
    example: { agent: { id: "a", type: "helper" } },
    reads: [message, quiet, context],
    exit2: "ignored",
    failClosed: false,
  }),
  SubStop: row("subagentStop", {
    ...cells,
    matcher: { as: "namesElseRegex" },
    stdin: { agent_type: (f) => f.agent.type },
    facts: same,
    example: { agent: { id: "a", type: "helper" }, response: "r", retrying: false },
    reads: [halt, decision, message, quiet],
    failClosed: false,
  }),
  Shrink: row("beforeCompress", {
    ...cells,
    matcher: { as: "exact", known: ["auto", "manual"] },
    stdin: { trigger: (_f, say) => say.subject },
    facts: same,
    example: { trigger: "auto" },
    reads: [halt, decision, message, quiet],
  }),
  Notice: row("notification", {
    ...cells,
    matcher: { as: "namesElseRegex", words: { permission: ["permission_prompt", "asking"] } },
    stdin: { notification_type: (_f, say) => say.subject },
    facts: same,
    example: { type: "permission", message: "m" },
    reads: [message, quiet],
    exit2: "ignored",
    failClosed: false,
  }),
} as const satisfies Record<string, AnyRow>;

export const harbour: Dialect = {
  ...(first as Dialect),
  id: "harbour",
  title: "Harbour",
  conditions: "toolGlob",
  stdin: {
    session_id: (_f, say) => say.session.id,
    hook_event_name: (_f, say) => say.wireName,
    permission_mode: (_f, say) => say.session.permissionMode,
  },
  permissionModes: { default: "default", autoEdit: "acceptEdits" },
  decodesTwice: false,
  otherJson: "plainText",
  specificOutputNamesEvent: "checked",
  quietHides: "message",
  frame: (text) => text,
  tools: {
    mcpName: (server, name) => `mcp__${server}__${name}`,
    tools: [
      { kind: "shell", name: "Bash", args: { command: "command", description: "description" }, main: "command" },
      { kind: "writeFile", name: "Write", args: { path: "file", text: "content" }, main: "path" },
      {
        kind: "readFile",
        name: "Read",
        aliases: ["Open"],
        args: { path: "file", offset: "startLine", limit: "endLine" },
        main: "path",
        // `offset` and `limit` against first and last line.
        lens: {
          toWords: ({ file, startLine, endLine }) => ({
            ...(file === undefined ? {} : { path: file }),
            ...(startLine === undefined ? {} : { offset: startLine }),
            ...(typeof endLine === "number" ? { limit: endLine - (typeof startLine === "number" ? startLine : 1) + 1 } : {}),
          }),
          toNeutral: ({ path, offset, limit }) => ({
            ...(path === undefined ? {} : { file: path }),
            ...(offset === undefined ? {} : { startLine: offset }),
            ...(typeof limit === "number" ? { endLine: (typeof offset === "number" ? offset : 1) + limit - 1 } : {}),
          }),
        },
      },
    ],
  },
  rows,
  divergences: [],
};
