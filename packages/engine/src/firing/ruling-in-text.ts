/** Turns text that is not the one JSON object a hook should print into the denial or stop that stands in it, for a warning and nothing else. */
import type { AnyRow } from "../dialects/index.ts";
import { wordsOf } from "./ruling-words.ts";

/** A hook that prints a book is not searched to its end. */
const MAX_LENGTH = 64 * 1024;

/** The first field and value, as written, that would have held something back on this event; `undefined` where there is none. */
export function rulingIn(text: string, row: AnyRow): string | undefined {
  const searched = text.slice(0, MAX_LENGTH);
  for (const { key, value } of wordsOf(row)) {
    const quote = typeof value === "boolean" ? "" : `["']`;
    const found = new RegExp(`["']${key}["']\\s*:\\s*${quote}${value}${quote}`).exec(searched)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
