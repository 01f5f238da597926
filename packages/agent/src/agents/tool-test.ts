/** Turns the tools that a definition names, in either product's words, into a test of tools, and into the names that name none. */
import type { McpOrigin, ToolKind, ToolWords } from "@carabiner/engine";
import { namesTool, type Rule, readEntry } from "../permissions/index.ts";
import type { AgentDefinition } from "./definition.ts";

/** `mcp` for a tool of a server, by the name the model knows; a sub-agent starts no other, so that kind is in none. */
export interface ToolTest {
  readonly own: (kind: ToolKind) => boolean;
  readonly mcp: (name: string, origin: McpOrigin) => boolean;
  /** As written. */
  readonly unknown: readonly string[];
}

/** Names are read as permission rules read them: older names, `*`, `mcp__server` and `mcp__server__*`. What is denied stays away, allowed or not. */
export function toolTest({ tools, disallowedTools }: AgentDefinition, vocabularies: readonly ToolWords[]): ToolTest {
  const allowed = tools && named(tools, "allow", vocabularies);
  const denied = named(disallowedTools, "deny", vocabularies);
  const has = (call: Parameters<typeof namesTool>[1]): boolean =>
    (allowed === undefined || allowed.rules.some((rule) => namesTool(rule, call))) && !denied.rules.some((rule) => namesTool(rule, call));
  return {
    own: (kind) => has({ name: "", kind, effect: "read", input: {} }),
    mcp: (name, mcp) => has({ name, effect: "execute", input: {}, mcp }),
    unknown: [...(allowed?.unknown ?? []), ...denied.unknown],
  };
}

/** The named tools that a product has and this session has not. `offered` are the kinds that a sub-agent may have. As written. */
export function absentTools({ tools = [] }: AgentDefinition, vocabularies: readonly ToolWords[], offered: ReadonlySet<ToolKind>) {
  return named(tools, "allow", vocabularies).rules.flatMap(({ tool: { text, kinds } }) =>
    kinds.length === 0 || kinds.some((kind) => kind === "spawnAgent" || offered.has(kind)) ? [] : [text],
  );
}

/** `Agent(a, b)`, which would let it start those, is no fault: it starts none. */
function named(entries: readonly string[], effect: "allow" | "deny", vocabularies: readonly ToolWords[]) {
  const rules: Rule[] = [];
  const unknown: string[] = [];
  for (const entry of entries) {
    const found = vocabularies.map((words) => readEntry(entry, PLAIN, words)).filter((read) => read.ok);
    const kinds = [...new Set(found.flatMap(({ tool }) => tool.kinds))];
    const starts = kinds.length === 1 && kinds[0] === "spawnAgent";
    const [first] = found;
    if (!first || !found.some(({ known }) => known) || (first.argument && !starts)) unknown.push(entry);
    else rules.push({ effect, tool: { text: first.tool.text, kinds }, source: { file: "", jsonPath: "tools", scope: "session" } });
  }
  return { rules, unknown };
}
const PLAIN = { lists: [], only: [], names: {}, covers: {}, inside: (pattern: string) => ({ kind: "exact", pattern }) as const };
