/** Turns a journal file's bytes into its lines, told apart by their first characters: most lines are never parsed. */
import type { JournalLine } from "../protocol/index.ts";
import { type Checked, checkLine } from "./check-line.ts";

export interface RawLine {
  /** Counts from 1. */
  readonly number: number;
  readonly kind: JournalLine["kind"] | undefined;
  /** The line's own id, a late line's firing. Where it is not to be seen at first sight, `undefined`. */
  readonly id: string | undefined;
  readonly checked: () => Checked;
}

const LINE_FEED = 10;
const HEAD = /^\{"version":\d+,"kind":"(registry|plan|fired|quiet|late)"(?:,"(?:id|firing)":"([^"\\]*)")?/;
const HEAD_BYTES = 256;

/** Empty lines are passed over: they close off what could not be written to its end. */
export function linesOf(bytes: Buffer): readonly RawLine[] {
  const lines: RawLine[] = [];
  let start = 0;
  for (let number = 1; start < bytes.length; number++) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    if (end > start) lines.push(rawLine(bytes.subarray(start, end), number, found === -1));
    start = end + 1;
  }
  return lines;
}

function rawLine(bytes: Buffer, number: number, isUnended: boolean): RawLine {
  const [, kind, id] = HEAD.exec(bytes.toString("utf8", 0, HEAD_BYTES)) ?? [];
  const checked = (): Checked => {
    const found = checkLine(bytes.toString());
    return isUnended && "fault" in found
      ? { fault: "the file ends in the middle of it; its process was ended, or is still writing" }
      : found;
  };
  if (isKind(kind)) return { number, kind, id, checked };
  const found = checked();
  return { number, kind: "line" in found ? found.line.kind : undefined, id: undefined, checked: () => found };
}
const KINDS: ReadonlySet<string | undefined> = new Set(["registry", "plan", "fired", "quiet", "late"] satisfies JournalLine["kind"][]);
const isKind = (kind: string | undefined): kind is JournalLine["kind"] => KINDS.has(kind);
