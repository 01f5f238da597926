/** What a search of text is asked and what it finds, whichever program does the searching. */
import type { Ignored } from "./ignored.ts";

/** `path` is real and absolute: a folder or one file. Paths in results are relative to it, or the file's own name. */
export interface SearchQuery {
  readonly path: string;
  readonly isFile: boolean;
  readonly pattern: string;
  readonly literal: boolean;
  readonly caseSensitive: boolean;
  /** Globs of files; one without a slash is matched against names at any depth. */
  readonly only: string | undefined;
  readonly exclude: string | undefined;
  /** Lines shown before and after each match. */
  readonly context: number;
  readonly maxMatches: number;
  /** Of git and of the product. */
  readonly ignored: Ignored;
  /** Whether git's rules from above `path` hold: not when git ignores `path` itself. */
  readonly rulesFromAbove: boolean;
  readonly skip: ReadonlySet<string>;
  readonly maxFileBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A line that matches, or one around it. `line` counts from 1; `text` is without its line ending. */
export interface SearchLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** `more`: the search was ended at `maxMatches`. `notes` say what was left out and why. */
export type SearchResult =
  | { readonly ok: true; readonly lines: readonly SearchLine[]; readonly more: boolean; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string };
