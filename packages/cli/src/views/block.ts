/** Turns long or structured values into a few indented lines, and says what was left out. */
import type { Json } from "@carabiner/engine";
import { oneLine, widthOf, wrapped } from "./fit.ts";

const HEAD_LINES = 8;
const TAIL_LINES = 4;
/** Longer text is not even wrapped: only its two ends can be shown. */
const MAX_CHARS = 8_000;

/** Foreign text behind a bar, so that it is plain where it begins and ends. The ends of a long text, around a note. */
export function quoted(text: string, indent: string, columns: number): readonly string[] {
  const width = columns - widthOf(indent) - 2;
  return clippedLines(text, width).map((line) => `${indent}| ${line}`.trimEnd());
}

/** At most a dozen lines of `width` columns. */
export function clippedLines(text: string, width: number): readonly string[] {
  const lines = wrapped(shortened(text.replace(/\s+$/, "")), width);
  if (lines.length <= HEAD_LINES + TAIL_LINES + 1) return lines;
  const left = lines.length - HEAD_LINES - TAIL_LINES;
  return [...lines.slice(0, HEAD_LINES), `[... ${left} lines left out here; --json has them ...]`, ...lines.slice(-TAIL_LINES)];
}

/** JSON on one line where it fits, else one value a line. A text stands for itself. */
export function jsonLines(value: Json, width: number): readonly string[] {
  if (typeof value === "string") return clippedLines(value, width);
  const compact = oneLine(JSON.stringify(value));
  return widthOf(compact) <= width ? [compact] : clippedLines(JSON.stringify(value, null, 2), width);
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const [head, tail] = [text.slice(0, MAX_CHARS / 2), text.slice(-MAX_CHARS / 2)];
  return `${head}\n[... ${text.length - MAX_CHARS} characters left out here; --json has them ...]\n${tail}`;
}
