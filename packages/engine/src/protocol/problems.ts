/** The one catalogue of problems: call sites pass facts, the catalogue owns the words. */
import type { FactsByCode, ProblemCode } from "./problem-facts.ts";
import { WORDINGS } from "./problem-words.ts";

/** A place a person can open; `line` and `column` count from 1. */
export interface Place {
  readonly file: string;
  readonly jsonPath: string;
  readonly line?: number;
  readonly column?: number;
}
export type ProblemPlace = Place | { readonly entry: string } | { readonly path: string };

/** What is wrong, where, what was expected and found, what happens now, and what to do. `note` is for things worth knowing that changed nothing. */
export interface Problem {
  readonly code: ProblemCode;
  readonly level: "error" | "warning" | "note";
  readonly place: ProblemPlace;
  /** The hook's identifier, where the problem is about one. */
  readonly hook?: string;
  readonly what: string;
  readonly expected?: string;
  readonly found?: string;
  readonly now: string;
  readonly todo?: string;
}

export type ProblemFacts = FactsByCode;
export const PROBLEM_CODES = Object.keys(WORDINGS) as readonly ProblemCode[];

/** A Problem from its code, its place and its facts. */
export function problem<C extends ProblemCode>(code: C, place: ProblemPlace, facts: FactsByCode[C], hook?: string): Problem {
  return { code, place, ...(hook === undefined ? {} : { hook }), ...WORDINGS[code](facts) };
}

/** Where a problem is, as a person would type or click it. */
export function placeText(place: ProblemPlace): string {
  if ("entry" in place) return place.entry;
  if ("path" in place) return place.path;
  const position = place.line === undefined ? "" : `:${place.line}:${place.column ?? 1}`;
  return `${place.file}${position}${place.jsonPath === "" ? "" : ` ${place.jsonPath}`}`;
}

/** One problem as one paragraph of plain text: where, what, expected and found, what happens now, what to do. */
export function problemText(p: Problem): string {
  const expected = p.expected === undefined ? "" : ` Expected ${p.expected}${p.found === undefined ? "." : `, found ${p.found}.`}`;
  const found = p.expected === undefined && p.found !== undefined ? ` Found: ${p.found}.` : "";
  return `${placeText(p.place)}${p.hook === undefined ? "" : ` (${p.hook})`}: ${p.what}${expected}${found} ${p.now}${p.todo === undefined ? "" : ` ${p.todo}`}`;
}

/** The closest of the known words, if one is close enough to be what was meant. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 4)) + 1;
  for (const candidate of known) {
    const distance = edits(lower, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
