/** Turns the name of an MCP tool into one that every model API takes, and a set of tools into names of which none is there twice. */
import { createHash } from "node:crypto";
import type { McpOrigin } from "@carabiner/engine";

/** Gemini takes 63 characters, the others 64. */
const MAX_CHARS = 63;

/**
 * Letters, digits, `_` and `-` only, a letter or `_` first, at most 63 characters, and none of `taken`. Other
 * characters become `_`. A name that is too long or taken gets the beginning of its own hash at the end, the same in every session.
 */
export function modelName(name: string, taken: ReadonlySet<string>): string {
  const clean = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^(?![A-Za-z_])/, "_");
  if (clean.length <= MAX_CHARS && !taken.has(clean)) return clean;
  const hash = createHash("sha256").update(name).digest("hex");
  for (let length = 6; length <= 32; length++) {
    const candidate = `${clean.slice(0, MAX_CHARS - 1 - length)}_${hash.slice(0, length)}`;
    if (!taken.has(candidate)) return candidate;
  }
  // Only one and the same name again and again gets here.
  for (let n = 2; ; n++) {
    const candidate = `${clean.slice(0, MAX_CHARS - 12)}_${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Name for the model -> tool, in the order given. `taken` are the names of the agent's own tools; `mcpName` is the words' way to name. */
export function modelNames<T extends { readonly origin: McpOrigin }>(
  tools: readonly T[],
  mcpName: (server: string, tool: string) => string,
  taken: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, T> {
  const names = new Map<string, T>();
  const used = new Set(taken);
  for (const tool of tools) {
    const name = modelName(mcpName(tool.origin.server, tool.origin.tool), used);
    used.add(name);
    names.set(name, tool);
  }
  return names;
}
