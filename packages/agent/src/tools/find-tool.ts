/** Turns the name that a model used into the tool that it means, or into a message that helps it on. */
import type { ToolWord, ToolWords } from "@carabiner/engine";
import { TOOLS } from "./roll-call.ts";
import type { Tool } from "./tool.ts";

/** A tool of the agent and the word that a vocabulary has for it. */
export interface NamedTool {
  readonly tool: Tool;
  readonly word: ToolWord;
}

/** By the name or an alias in this vocabulary. `undefined` for names it does not have and for kinds that are not in `tools`. */
export function toolByName(words: ToolWords, name: string, tools: readonly Tool[] = TOOLS): NamedTool | undefined {
  const word = words.tools.find((w) => w.name === name) ?? words.tools.find((w) => w.aliases?.includes(name) === true);
  const tool = tools.find((t) => t.kind === word?.kind);
  return word !== undefined && tool !== undefined ? { tool, word } : undefined;
}

/** `known`: every name that the model could have used, those of MCP servers too. */
export function toolNotFound(name: string, known: readonly string[]): string {
  const near = known
    .map((candidate) => ({ candidate, far: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => `"${candidate}"`);
  if (near.length === 0) return `Tool "${name}" not found. There are no tools in this session.`;
  return `Tool "${name}" not found. Did you mean ${near.length === 1 ? near[0] : `one of: ${near.join(", ")}`}?`;
}

/** How many characters must be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
