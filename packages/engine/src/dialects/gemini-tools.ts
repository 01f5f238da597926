/** Gemini CLI's tool words: name, older names and arguments of each kind. Source: Gemini CLI tools reference; aliases as PLN-6 of the study. */
import type { ToolWords } from "../protocol/index.ts";

export const geminiTools: ToolWords = {
  mcpName: (server, tool) => `mcp_${server}_${tool}`,
  tools: [
    {
      kind: "shell",
      name: "run_shell_command",
      args: { command: "command", description: "description", dir_path: "directory", is_background: "background" },
      main: "command",
    },
    { kind: "readFile", name: "read_file", args: { file_path: "file", start_line: "startLine", end_line: "endLine" }, main: "file_path" },
    { kind: "writeFile", name: "write_file", args: { file_path: "file", content: "content" }, main: "file_path" },
    {
      kind: "editFile",
      name: "replace",
      args: { file_path: "file", instruction: "why", old_string: "old", new_string: "new", allow_multiple: "all" },
      main: "file_path",
    },
    { kind: "listDirectory", name: "list_directory", args: { dir_path: "directory", ignore: "ignore" }, main: "dir_path" },
    {
      kind: "findFiles",
      name: "glob",
      args: { pattern: "pattern", dir_path: "directory", case_sensitive: "caseSensitive", respect_git_ignore: "respectGitIgnore" },
      main: "pattern",
    },
    {
      kind: "searchText",
      name: "grep_search",
      aliases: ["search_file_content"],
      args: {
        pattern: "pattern",
        dir_path: "directory",
        include_pattern: "only",
        exclude_pattern: "exclude",
        case_sensitive: "caseSensitive",
        fixed_strings: "literal",
        context: "context",
        names_only: "namesOnly",
        total_max_matches: "maxMatches",
      },
      main: "pattern",
    },
    { kind: "readManyFiles", name: "read_many_files", args: { include: "include", exclude: "exclude", recursive: "recursive" } },
    { kind: "fetchUrl", name: "web_fetch", args: { prompt: "prompt" }, main: "prompt" },
    { kind: "searchWeb", name: "google_web_search", args: { query: "query" }, main: "query" },
    { kind: "writeTodos", name: "write_todos", args: { todos: "todos" } },
    { kind: "saveMemory", name: "save_memory", args: { fact: "fact" }, main: "fact" },
    { kind: "askUser", name: "ask_user", args: { questions: "questions" } },
    {
      kind: "spawnAgent",
      name: "delegate_to_agent",
      args: { agent_name: "type", prompt: "prompt", description: "description" },
      main: "agent_name",
    },
  ],
};
