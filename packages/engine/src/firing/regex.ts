/** Regular expressions of matchers, time-bounded: a pattern that could backtrack without end is tested in a context that can be interrupted. */
import { createContext, Script } from "node:vm";

export const REGEX_LIMIT_MS = 50;
export type RegexTest = (subject: string) => boolean | "tooSlow";

/** `undefined`: the pattern does not compile. */
export function regexTest(source: string): RegexTest | undefined {
  let regex: RegExp;
  try {
    regex = new RegExp(source);
  } catch {
    return undefined;
  }
  return canBacktrack(source) ? (subject) => bounded(source, subject) : (subject) => regex.test(subject);
}

/** Two unbounded repetitions, or a back reference, are what it takes; one alone is at most quadratic in a short name. */
function canBacktrack(source: string): boolean {
  const repetitions = source.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0;
  return repetitions > 1 || /\\[1-9k]/.test(source);
}

let context: ReturnType<typeof createContext> | undefined;
const script = new Script("new RegExp(source).test(subject)");
function bounded(source: string, subject: string): boolean | "tooSlow" {
  context ??= createContext(Object.create(null));
  context.source = source;
  context.subject = subject;
  try {
    return script.runInContext(context, { timeout: REGEX_LIMIT_MS }) === true;
  } catch {
    // The only thing this script can throw is ERR_SCRIPT_EXECUTION_TIMEOUT: the pattern has compiled before.
    context = undefined;
    return "tooSlow";
  }
}
