/** Turns text that may hold secrets into text that says where they were. */
import { type JsonObject, type Problem, problem } from "../protocol/index.ts";
import { SECRET_PATTERNS } from "../running/index.ts";
import type { Cut } from "./clip.ts";
import { mapStrings } from "./map-strings.ts";

const MARK = "[redacted]";
/** A secret longer than this may lose its first part to a cut and be taken for plain text. */
const LONGEST_SECRET = 64 * 1024;
/** Patterns can uncover each other's matches; those of the house do so once at most. */
const MAX_PASSES = 8;
const KNOWN: readonly RegExp[] = [new RegExp(SECRET_PATTERNS.map(({ pattern }) => pattern.source).join("|"), "i")];

/** What looks like a secret, and how it is hidden. Pure; never throws; hiding twice is hiding once. */
export interface Redactor {
  readonly text: (text: string) => string;
  /** Every string and every key. What a key is called does not make its value a secret. */
  readonly json: (value: JsonObject) => JsonObject;
  /** Moves cuts out of secrets, so that no half of one is left to be taken for plain text. */
  readonly cut: Cut;
}

/** Leaves everything as it is. */
export const noRedactor: Redactor = { text: (text) => text, json: (value) => value, cut: (_text, head, tail) => [head, tail] };

/**
 * Hides what the engine takes for a secret in a hook's environment, and what `extra` matches: regular expressions without regard to case.
 * One that does not compile, or that matches the empty text, is a problem and hides nothing.
 */
export function createRedactor(extra: readonly string[] = []): { readonly redactor: Redactor; readonly problems: readonly Problem[] } {
  const patterns = [...KNOWN];
  const problems: Problem[] = [];
  for (const [i, source] of extra.entries()) {
    const found = compiled(source);
    if (typeof found === "object") patterns.push(found);
    else {
      const facts = { expected: "a regular expression that matches some text", found: `${JSON.stringify(source)} (${found})` };
      const now = "This pattern hides nothing in the journal; the others do.";
      problems.push(problem("SETTINGS_BAD_SHAPE", { path: `journal.redact[${i}]` }, { ...facts, now }));
    }
  }
  const text = (value: string): string => hidden(value, patterns);
  return {
    redactor: {
      text,
      json: (value) => mapStrings(value, text, text),
      cut: (value, head, tail) =>
        isSurelyPlain(value, patterns) ? [head, tail] : [moved(value, head, "start", patterns), moved(value, tail, "end", patterns)],
    },
    problems,
  };
}

function compiled(source: string): RegExp | string {
  try {
    const pattern = new RegExp(source, "i");
    return pattern.test("") ? "it matches the empty text" : pattern;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function hidden(text: string, patterns: readonly RegExp[]): string {
  let now = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = now;
    for (const pattern of patterns)
      now = now.includes(MARK)
        ? now
            .split(MARK)
            .map((part) => hide(part, pattern))
            .join(MARK)
        : hide(now, pattern);
    if (now === before) break;
  }
  return now;
}

/** What follows a match is looked at as a text of its own, as it will be when it is looked at again behind the mark. */
function hide(text: string, pattern: RegExp): string {
  let done = "";
  let rest = text;
  for (let match = pattern.exec(rest); match && match[0] !== ""; match = pattern.exec(rest)) {
    done += rest.slice(0, match.index) + MARK;
    rest = rest.slice(match.index + match[0].length);
  }
  return done + rest;
}

/** One look at all of a text is faster than two at most of it. */
function isSurelyPlain(text: string, patterns: readonly RegExp[]): boolean {
  return text.length <= LONGEST_SECRET && !patterns.some((pattern) => pattern.test(text));
}

/** `at`, or the nearer end of the secret it would halve: its start for the end of a head, its end for the start of a tail. */
function moved(text: string, at: number, to: "start" | "end", patterns: readonly RegExp[]): number {
  return patterns.reduce((here, pattern) => spanAround(text, here, pattern)?.[to] ?? here, at);
}

function spanAround(text: string, at: number, pattern: RegExp): { readonly start: number; readonly end: number } | undefined {
  let from = Math.max(0, at - LONGEST_SECRET);
  const to = at + LONGEST_SECRET;
  for (let match = pattern.exec(text.slice(from, to)); match && match[0] !== ""; match = pattern.exec(text.slice(from, to))) {
    const start = from + match.index;
    if (start >= at) return undefined;
    from = start + match[0].length;
    if (from > at) return { start, end: from };
  }
  return undefined;
}
