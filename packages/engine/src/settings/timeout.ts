/** Turns the timeout as written into milliseconds, and what is odd about it into a finding. */
import type { Dialect } from "../dialects/index.ts";
import { type Json, type ProblemFacts, shown } from "../protocol/index.ts";

/** The longest a timer can wait. Source: Node.js, "Timers". */
const MAX_MS = 2 ** 31 - 1;

export interface Timeout {
  readonly timeoutMs: number;
  /** Was it written down, and usable? */
  readonly given: boolean;
  readonly finding?:
    | { readonly code: "TIMEOUT_BAD"; readonly facts: ProblemFacts["TIMEOUT_BAD"] }
    | { readonly code: "TIMEOUT_CAPPED"; readonly facts: ProblemFacts["TIMEOUT_CAPPED"] }
    | { readonly code: "TIMEOUT_SUSPECT"; readonly facts: ProblemFacts["TIMEOUT_SUSPECT"] };
}

/** Not a positive, finite number: the default, and TIMEOUT_BAD. Longer than a timer can wait: capped. Source: contracts/gemini.md, "Configuration". */
export function readTimeout(value: Json | undefined, { unitMs, unit, defaultMs, suspect }: Dialect["timeout"]): Timeout {
  const otherwise = { timeoutMs: defaultMs, given: false };
  if (value === undefined) return otherwise;
  const found = shown(value);
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) {
    const facts = { found: typeof value === "number" ? String(value) : found, unit, used: `the default, ${defaultMs / unitMs} ${unit}` };
    return { ...otherwise, finding: { code: "TIMEOUT_BAD", facts } };
  }
  const timeoutMs = value * unitMs;
  if (timeoutMs > MAX_MS) return { timeoutMs: MAX_MS, given: true, finding: { code: "TIMEOUT_CAPPED", facts: { found } } };
  const given = { timeoutMs: Math.max(1, Math.round(timeoutMs)), given: true };
  if (value >= (suspect.below ?? 0) && value <= (suspect.above ?? Number.POSITIVE_INFINITY)) return given;
  const [other, meant] = unitMs === 1 ? ["seconds", value * 1000] : ["milliseconds", value / 1000];
  const facts = { found, reads: `${found} ${unit}`, todo: `If ${found} ${other} were meant, write ${meant}.` };
  return { ...given, finding: { code: "TIMEOUT_SUSPECT", facts } };
}
