/** Turns text that is not the one JSON object a hook should print into the denial or stop that stands in it, for a warning and nothing else. */
import type { AnyRow, Reads } from "../dialects/index.ts";
import { type SlotName, strength } from "../protocol/index.ts";

/** A hook that prints a book is not searched to its end. */
const MAX_LENGTH = 64 * 1024;

/** The first field and value, as written, that would have held something back on this event; `undefined` where there is none. */
export function rulingIn(text: string, row: AnyRow): string | undefined {
  const searched = text.slice(0, MAX_LENGTH);
  for (const read of row.reads as readonly Reads<SlotName>[]) {
    if (read.fills !== "ruling") continue;
    const key = read.at.split(".").at(-1) ?? "";
    for (const [value, kind] of Object.entries(read.values)) {
      if (kind === "none" || strength({ kind, reason: undefined }) < strength({ kind: "ask", reason: undefined })) continue;
      const quote = read.expected === "boolean" ? "" : `["']`;
      const found = new RegExp(`["']${key}["']\\s*:\\s*${quote}${value}${quote}`).exec(searched)?.[0];
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
