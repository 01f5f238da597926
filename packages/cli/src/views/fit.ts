/** Fits text into a terminal's columns: wrapped, cut or padded by the width that characters have on screen. */
import { plain } from "@carabiner/engine";
import widthOfAny from "fast-string-width";

/** Never narrower than this: below it, long words would be all that is seen. */
const MIN_WIDTH = 20;

/** Columns on a terminal. What is printable ASCII throughout has one a character: that is known without the tables of all the others. */
export const widthOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : widthOfAny(text));

/** Lines of at most `width` columns. Words stay whole unless one is longer than that; indentation of the text's own lines is kept. */
export function wrapped(text: string, width: number): readonly string[] {
  return tidy(text)
    .split("\n")
    .flatMap((line) => wrappedLine(line, Math.max(width, MIN_WIDTH)));
}

/** Wrapped into `columns` with `first` before the first line and `rest`, as wide as it or wider, before the others. */
export function hanging(text: string, columns: number, first: string, rest: string): readonly string[] {
  return wrapped(text, columns - widthOf(rest)).map((line, i) => (i === 0 ? first : rest) + line);
}

/** The text on one line of at most `width` columns; what does not fit gives way to "...". */
export function cut(text: string, width: number): string {
  const line = oneLine(text);
  if (widthOf(line) <= width) return line;
  return width <= 3 ? ".".repeat(Math.max(0, width)) : `${pieces(line, width - 3)[0] ?? ""}...`;
}

/** Filled up with spaces to `width` columns. */
export const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)));

/** Foreign text as part of a line: no control characters, no line ends. */
export const oneLine = (text: string): string =>
  tidy(text)
    .trim()
    .replace(/\s*\n\s*/g, " / ");

/** Terminals disagree on what a tab is, and on whether U+2028 and U+2029 end a line. */
const tidy = (text: string): string =>
  plain(text)
    .replaceAll("\t", "    ")
    .replace(/[\u2028\u2029]/g, " ");

function wrappedLine(line: string, width: number): readonly string[] {
  if (widthOf(line) <= width) return [line.trimEnd()];
  const lines: string[] = [];
  let now = "";
  for (const piece of line.match(/\s*\S+/g) ?? []) {
    if (widthOf(now + piece) <= width) {
      now += piece;
      continue;
    }
    if (now !== "") lines.push(now);
    const [last = "", ...before] = [...pieces(now === "" ? piece : piece.trimStart(), width)].reverse();
    lines.push(...before.reverse());
    now = last;
  }
  return now === "" ? lines : [...lines, now];
}

let segmenter: Intl.Segmenter | undefined;
/** Made when something is cut: most runs of the program cut nothing. */
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** A text in pieces of at most `width` columns; characters are not cut in two. */
function pieces(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const found: string[] = [];
  let now = "";
  let used = 0;
  for (const { segment } of graphemes().segment(text)) {
    const wide = widthOf(segment);
    if (used + wide > width && now !== "") {
      found.push(now);
      [now, used] = ["", 0];
    }
    now += segment;
    used += wide;
  }
  return [...found, now];
}
