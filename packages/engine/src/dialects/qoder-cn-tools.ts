/**
 * Qoder CN CLI's tool words: name, older names and arguments of each kind. Source: contracts/qoder-cn.md, "Tools"; the study, section 10.
 * The task tools' arguments are those of their namesakes in Claude Code, whose shapes this product follows, and the one tool that wrote
 * the whole list before them is their older name: code.claude.com/docs/en/agent-sdk/todo-tracking.
 */
import type { JsonObject, ToolWords } from "../protocol/index.ts";

export const qoderCnTools: ToolWords = {
  mcpName: (server, tool) => `mcp__${server}__${tool}`,
  tools: [
    {
      kind: "shell",
      name: "Bash",
      args: { command: "command", description: "description", timeout: "timeoutMs", run_in_background: "background" },
      main: "command",
    },
    {
      kind: "readFile",
      name: "Read",
      args: { file_path: "file", offset: "startLine", limit: "endLine" },
      main: "file_path",
      // The first line and how many, against the first and the last: no renaming says it.
      lens: { toWords: offsetAndLimit, toNeutral: firstAndLast },
    },
    { kind: "writeFile", name: "Write", args: { file_path: "file", content: "content" }, main: "file_path" },
    {
      kind: "editFile",
      name: "Edit",
      args: { file_path: "file", old_string: "old", new_string: "new", replace_all: "all" },
      main: "file_path",
    },
    { kind: "findFiles", name: "Glob", args: { pattern: "pattern", path: "directory" }, main: "pattern" },
    { kind: "searchText", name: "Grep", args: { pattern: "pattern", path: "directory", glob: "only" }, main: "pattern" },
    {
      kind: "fetchUrl",
      name: "WebFetch",
      args: { url: "url", prompt: "prompt" },
      main: "url",
      // A host may keep the addresses inside the prompt; hooks look at `url`.
      lens: { toWords: withAddress, toNeutral: (words) => words },
    },
    { kind: "searchWeb", name: "WebSearch", args: { query: "query" }, main: "query" },
    {
      kind: "spawnAgent",
      name: "Agent",
      aliases: ["Task"],
      args: { description: "description", prompt: "prompt", subagent_type: "type" },
      main: "subagent_type",
    },
    { kind: "askUser", name: "AskUserQuestion", args: { questions: "questions" } },
    {
      kind: "createTask",
      name: "TaskCreate",
      aliases: ["TodoWrite"],
      args: { subject: "subject", description: "description", activeForm: "activeForm" },
    },
    {
      kind: "updateTask",
      name: "TaskUpdate",
      aliases: ["TodoWrite"],
      args: {
        taskId: "id",
        status: "status",
        subject: "subject",
        description: "description",
        activeForm: "activeForm",
        owner: "owner",
        addBlocks: "blocks",
        addBlockedBy: "blockedBy",
      },
    },
    { kind: "readTask", name: "TaskGet", args: { taskId: "id" } },
    { kind: "listTasks", name: "TaskList", args: {} },
  ],
};

function offsetAndLimit({ file, startLine, endLine, ...rest }: JsonObject): JsonObject {
  const first = typeof startLine === "number" ? startLine : 1;
  return {
    ...(file === undefined ? {} : { file_path: file }),
    ...(startLine === undefined ? {} : { offset: startLine }),
    // The end is told where it can be; a host's odd value stays its own.
    ...(typeof endLine === "number" ? { limit: endLine - first + 1 } : endLine === undefined ? {} : { limit: endLine }),
    ...rest,
  };
}

function firstAndLast({ file_path, offset, limit, ...rest }: JsonObject): JsonObject {
  const first = typeof offset === "number" ? offset : 1;
  return {
    ...(file_path === undefined ? {} : { file: file_path }),
    ...(offset === undefined ? {} : { startLine: offset }),
    ...(typeof limit === "number" ? { endLine: first + limit - 1 } : limit === undefined ? {} : { endLine: limit }),
    ...rest,
  };
}

/** All addresses of the prompt, where there is none apart: a hook that compares with one address must not miss another. */
function withAddress(neutral: JsonObject): JsonObject {
  const { url, prompt } = neutral;
  const found = url === undefined && typeof prompt === "string" ? (prompt.match(/https?:\/\/[^\s<>"'`]+/gi) ?? []) : [];
  return found.length === 0 ? neutral : { url: found.join(" "), ...neutral };
}
