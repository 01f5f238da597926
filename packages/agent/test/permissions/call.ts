/** Short ways to write calls and rules in these tests. */
import type { ToolWords } from "@carabiner/engine";
import type { PolicyCall, Rule } from "../../src/permissions/index.ts";

export const shell = (command: string): PolicyCall => ({
  name: "run_shell_command",
  kind: "shell",
  effect: "execute",
  input: { command },
  main: command,
});
export const write = (file: string): PolicyCall => ({
  name: "write_file",
  kind: "writeFile",
  effect: "edit",
  input: { file_path: file },
  main: file,
});
export const read = (file: string): PolicyCall => ({
  name: "read_file",
  kind: "readFile",
  effect: "read",
  input: { file_path: file },
  main: file,
});
export const fetchPage = (url: string): PolicyCall => ({
  name: "web_fetch",
  kind: "fetchUrl",
  effect: "network",
  input: { prompt: url },
  main: url,
});
export const mcp = (server: string, tool: string, input = {}): PolicyCall => ({
  name: `mcp_${server}_${tool}`,
  effect: "execute",
  input,
  mcp: { server, tool },
});

const kindsOf: Readonly<Record<string, Rule["tool"]["kinds"]>> = {
  run_shell_command: ["shell"],
  write_file: ["writeFile"],
  read_file: ["readFile"],
  web_fetch: ["fetchUrl"],
};
export const rule = (effect: Rule["effect"], tool: string, argument?: Rule["argument"], scope: Rule["source"]["scope"] = "user"): Rule => ({
  effect,
  tool: { text: tool, kinds: kindsOf[tool] ?? [] },
  ...(argument && { argument }),
  source: { file: "/home/me/.gemini/settings.json", jsonPath: `tools.${effect}[0]`, scope },
});
export const prefix = (pattern: string) => ({ kind: "prefix", pattern }) as const;
export const glob = (pattern: string) => ({ kind: "glob", pattern }) as const;
export const exact = (pattern: string) => ({ kind: "exact", pattern }) as const;

/** The words of the other product, as far as rules need them. */
export const qoderWords: ToolWords = {
  mcpName: (server, tool) => `mcp__${server}__${tool}`,
  tools: [
    { kind: "shell", name: "Bash", args: { command: "command" }, main: "command" },
    { kind: "readFile", name: "Read", args: { file_path: "file" }, main: "file_path" },
    { kind: "writeFile", name: "Write", args: { file_path: "file" }, main: "file_path" },
    { kind: "editFile", name: "Edit", args: { file_path: "file" }, main: "file_path" },
    { kind: "searchText", name: "Grep", args: { pattern: "pattern", path: "directory" }, main: "pattern" },
    { kind: "fetchUrl", name: "WebFetch", args: { url: "url" }, main: "url" },
    { kind: "searchWeb", name: "WebSearch", args: { query: "query" }, main: "query" },
  ],
};
export const geminiWords: ToolWords = {
  mcpName: (server, tool) => `mcp_${server}_${tool}`,
  tools: [
    { kind: "shell", name: "run_shell_command", args: { command: "command" }, main: "command" },
    { kind: "readFile", name: "read_file", args: { file_path: "file" }, main: "file_path" },
    { kind: "writeFile", name: "write_file", args: { file_path: "file" }, main: "file_path" },
    { kind: "searchText", name: "grep_search", aliases: ["search_file_content"], args: { pattern: "pattern" }, main: "pattern" },
  ],
};
