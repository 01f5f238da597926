/** How each product writes permission rules in its settings: two tables and one reader of entries for both. */
import { type ToolKind, type ToolWords, wildcard } from "@carabiner/engine";
import type { ArgumentTest, Rule } from "./policy.ts";
import { PATH_KINDS } from "./says-of-path.ts";

/** `lists` are dotted settings paths, `only` those of lists beside which no other tool of our own may be used. `names` are further names of tools in rules only. `inside` reads what stands in the brackets. */
export interface RuleSyntax {
  readonly lists: readonly { readonly path: string; readonly effect: Rule["effect"] }[];
  readonly only: readonly string[];
  readonly names: Readonly<Record<string, ToolKind>>;
  readonly inside: (text: string, kinds: readonly ToolKind[]) => ArgumentTest;
  /** Further tools that a rule with an argument speaks of, by the tool it names. */
  readonly covers: Readonly<Partial<Record<ToolKind, readonly ToolKind[]>>>;
}

/** Source: Gemini CLI configuration reference, `tools` (`core`, `allowed`, `exclude`, `confirmationRequired`), and the flat keys of older files. */
export const geminiRuleSyntax: RuleSyntax = {
  lists: [
    { path: "tools.exclude", effect: "deny" },
    { path: "tools.confirmationRequired", effect: "ask" },
    { path: "tools.allowed", effect: "allow" },
    { path: "excludeTools", effect: "deny" },
    { path: "allowedTools", effect: "allow" },
  ],
  only: ["tools.core", "coreTools"],
  names: {
    ShellTool: "shell",
    ReadFileTool: "readFile",
    WriteFileTool: "writeFile",
    EditTool: "editFile",
    LSTool: "listDirectory",
    GlobTool: "findFiles",
    GrepTool: "searchText",
    ReadManyFilesTool: "readManyFiles",
    WebFetchTool: "fetchUrl",
    WebSearchTool: "searchWeb",
    MemoryTool: "saveMemory",
  },
  inside: (text) => ({ kind: "prefix", pattern: text.replace(/(:\*| \*)$/, "") }),
  covers: {},
};

/**
 * Source: qoder-cn.md, Tools: `permissions.allow|ask|deny`, `Tool`, `Tool(glob)`, `Bash(prefix:*)`; docs.qoder.com/cli/permissions: paths as in
 * ignore files, `Edit(path)` for every tool that writes, `\(` for a bracket. That a path nobody may read is not searched either is ours.
 */
export const qoderRuleSyntax: RuleSyntax = {
  lists: [
    { path: "permissions.deny", effect: "deny" },
    { path: "permissions.ask", effect: "ask" },
    { path: "permissions.allow", effect: "allow" },
  ],
  only: [],
  names: {},
  inside: (text, kinds) => {
    const rooted = kinds.some((kind) => PATH_KINDS.has(kind)) ? { rooted: true as const } : {};
    const isHost = kinds.includes("fetchUrl") && text.startsWith("domain:");
    if (text.endsWith(":*") && !isHost) return { kind: "prefix", pattern: text.slice(0, -2), ...rooted };
    return { kind: kinds.includes("shell") && !text.includes("*") ? "exact" : "glob", pattern: text, ...rooted };
  },
  covers: { editFile: ["writeFile"], readFile: ["readManyFiles", "searchText"] },
};

/** One entry as rule parts. `known` is whether any tool has that name: an unknown one may still be a tool that comes later. */
export type ReadEntry =
  | { readonly ok: true; readonly tool: Rule["tool"]; readonly argument?: ArgumentTest; readonly known: boolean }
  | { readonly ok: false; readonly problem: string };

/** Reads `name` or `name(argument)`; names resolve through the product's words, older names and patterns included. */
export function readEntry(entry: string, syntax: RuleSyntax, words: ToolWords): ReadEntry {
  const match = /^([^()]+)(?:\(([\s\S]*)\))?$/.exec(entry.trim());
  const text = match?.[1]?.trim();
  if (!match || !text) return { ok: false, problem: "expected a tool's name, or a name and an argument in brackets" };
  const named = [
    ...words.tools.flatMap((word) => [word.name, ...(word.aliases ?? [])].map((name) => [name, word.kind] as const)),
    ...Object.entries(syntax.names),
  ];
  const kinds = [...new Set(named.filter(([name]) => name === text || (text !== "*" && wildcard(text, name))).map(([, kind]) => kind))];
  const known = kinds.length > 0 || text.includes("*") || /^mcp_|__/.test(text);
  const inside = match[2]?.trim();
  // `Bash(*)`, `Bash(:*)` and `Bash()` are the tool itself.
  if (inside === undefined || /^(:?\*)?$/.test(inside)) return { ok: true, tool: { text, kinds }, known };
  const argument = syntax.inside(inside.replace(/\\([()])/g, "$1"), kinds);
  const covered = kinds.flatMap((kind) => syntax.covers[kind] ?? []).filter((kind) => !kinds.includes(kind));
  return { ok: true, tool: { text, kinds, ...(covered.length > 0 && { covered }) }, known, argument };
}
