/** Turns the here-documents of bash text into the place where the text goes on behind them. */

/** A here-document that a line announces: the line that ends it, and whether tabs before that line count. */
export interface HereDocument {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
}

/** Reads the word after `<<`, from `at`; `undefined` where there is none. */
export function readHereDocument(text: string, at: number): { readonly document: HereDocument; readonly end: number } | undefined {
  const stripsTabs = text.charAt(at) === "-";
  let end = stripsTabs ? at + 1 : at;
  while (/[ \t]/.test(text.charAt(end))) end += 1;
  let delimiter = "";
  const from = end;
  while (end < text.length && !/[\s;&|()<>]/.test(text.charAt(end))) {
    const c = text.charAt(end);
    if (c === "\\") {
      delimiter += text.charAt(end + 1);
      end += 2;
    } else if (c === "'" || c === '"') {
      const close = text.indexOf(c, end + 1);
      if (close === -1) return undefined;
      delimiter += text.slice(end + 1, close);
      end = close + 1;
    } else {
      delimiter += c;
      end += 1;
    }
  }
  return end === from ? undefined : { document: { delimiter, stripsTabs }, end };
}

/** Skips the bodies of all `announced` documents, the first of which begins at `at`, and forgets them. One without an end reaches to the end of the text. */
export function skipHereDocuments(text: string, at: number, announced: HereDocument[]): number {
  for (const { delimiter, stripsTabs } of announced.splice(0)) {
    let ended = false;
    while (!ended && at < text.length) {
      const newline = text.indexOf("\n", at);
      const line = text.slice(at, newline === -1 ? text.length : newline);
      at = newline === -1 ? text.length : newline + 1;
      ended = (stripsTabs ? line.replace(/^\t+/, "") : line) === delimiter;
    }
  }
  return at;
}
