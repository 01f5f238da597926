/** Turns a text, a passage in it and its replacement into the new text, or into the reason why the passage is not to be had. */
import type { FailureType } from "./tool.ts";

/** What is to be replaced by what. */
export interface Replacement {
  readonly old: string;
  readonly new: string;
  /** Every occurrence instead of the only one. */
  readonly all: boolean;
}
/** The new text and how many passages were replaced, or a sentence without its full stop that says why not. */
export type Replaced =
  | { readonly ok: true; readonly text: string; readonly count: number }
  | { readonly ok: false; readonly type: FailureType; readonly problem: string };

/**
 * The passage must occur exactly, and once unless `all`. Models write `\n`: where the file ends its lines with CRLF, the passage and its
 * replacement are taken to mean that, and untouched lines stay as they are.
 */
export function replaceText(text: string, replacement: Replacement): Replaced {
  if (replacement.old === replacement.new)
    return { ok: false, type: "edit_no_change", problem: "the old and the new text are the same, so there is nothing to change" };
  const crlf = { ...replacement, old: toCrlf(replacement.old), new: toCrlf(replacement.new) };
  const onlyCrlf = text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
  const chosen = onlyCrlf || (!text.includes(replacement.old) && text.includes(crlf.old)) ? crlf : replacement;
  const places = occurrences(text, chosen.old);
  const [first] = places;
  if (first === undefined) {
    const near = nearMiss(text, replacement.old);
    const hint =
      near === undefined
        ? "Read the file again and copy the passage exactly, with its white space"
        : `Line ${near} begins a passage that differs only in white space: copy it exactly`;
    return { ok: false, type: "edit_no_occurrence_found", problem: `the old text does not occur in the file. ${hint}` };
  }
  if (places.length > 1 && !replacement.all) {
    const lines = [...new Set(places.slice(0, 10).map((at) => lineOf(text, at)))].join(", ");
    return {
      ok: false,
      type: "edit_expected_occurrence_mismatch",
      problem: `the old text occurs ${places.length} times (lines ${lines}${places.length > 10 ? ", ..." : ""}), expected once. Take in more of the lines around it, or ask for every occurrence to be replaced`,
    };
  }
  return { ok: true, text: text.split(chosen.old).join(chosen.new), count: places.length };
}

const toCrlf = (text: string): string => text.replace(/\r?\n/g, "\r\n");
const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

function occurrences(text: string, passage: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + passage.length)) places.push(at);
  return places;
}

/** The line, counted from 1, where the passage occurs if white space at both ends of each line is left out of account. */
function nearMiss(text: string, passage: string): number | undefined {
  const wanted = passage
    .trim()
    .split("\n")
    .map((line) => line.trim());
  const lines = text.split("\n").map((line) => line.trim());
  const at = lines.findIndex((_, i) => wanted.every((line, k) => lines[i + k] === line));
  return at === -1 || wanted.every((line) => line === "") ? undefined : at + 1;
}
