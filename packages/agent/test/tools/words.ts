/** Two vocabularies, as products have them: one renames only, one counts lines differently. */
import type { JsonObject, ToolWords } from "@carabiner/engine";

export const renaming: ToolWords = {
  mcpName: (server, name) => `mcp_${server}_${name}`,
  tools: [
    {
      kind: "shell",
      name: "run_shell_command",
      args: { command: "command", description: "description", dir_path: "directory", is_background: "background" },
    },
    { kind: "readFile", name: "read_file", args: { file_path: "file", start_line: "startLine", end_line: "endLine" } },
    { kind: "searchText", name: "grep_search", aliases: ["search_file_content"], args: { pattern: "pattern", dir_path: "directory" } },
    { kind: "listDirectory", name: "list_directory", args: { dir_path: "directory", ignore: "ignore" } },
    { kind: "searchWeb", name: "google_web_search", args: { query: "query" } },
    { kind: "askUser", name: "ask_user", args: {} },
  ],
};

export const counting: ToolWords = {
  mcpName: (server, name) => `mcp__${server}__${name}`,
  tools: [
    {
      kind: "readFile",
      name: "Read",
      args: { file_path: "file", offset: "startLine", limit: "endLine" },
      lens: {
        toWords: ({ file = null, startLine, endLine }): JsonObject => ({ file_path: file, ...span(startLine, endLine) }),
        toNeutral: ({ file_path = null, offset, limit }): JsonObject => ({
          file: file_path,
          ...(typeof offset === "number" ? { startLine: offset } : {}),
          ...(typeof limit === "number" ? { endLine: (typeof offset === "number" ? offset : 1) + limit - 1 } : {}),
        }),
      },
    },
  ],
};

const span = (startLine: JsonObject[string] | undefined, endLine: JsonObject[string] | undefined): JsonObject => ({
  ...(typeof startLine === "number" ? { offset: startLine } : {}),
  ...(typeof endLine === "number" ? { limit: endLine - (typeof startLine === "number" ? startLine : 1) + 1 } : {}),
});
