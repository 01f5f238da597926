/** Regular expressions of matchers, time-bounded: a pattern that could backtrack without end is tested in a context that can be interrupted. */
import { createContext, Script } from "node:vm";

export const REGEX_LIMIT_MS = 50;
export type RegexTest = (subject: string) => boolean | "tooSlow";

/** Above this many characters even one repetition, which costs the square of it, is interruptible. */
const SHORT = 1_000;

/** `undefined`: the pattern does not compile. */
export function regexTest(source: string): RegexTest | undefined {
  let regex: RegExp;
  try {
    regex = new RegExp(source);
  } catch {
    return undefined;
  }
  const risky = canBacktrack(source);
  return (subject) => (risky || subject.length > SHORT ? bounded(source, subject) : regex.test(subject));
}

/** Two repetitions, one of a whole group, or a back reference are what it takes; one of a single character is at most quadratic. Errs on the safe side. */
function canBacktrack(source: string): boolean {
  const repetitions = source.replaceAll("(?", "(").match(/[*+?]|\{\d+(?:,\d*)?\}/g)?.length ?? 0;
  return repetitions > 1 || /\)[*+?{]|\\[1-9k]/.test(source);
}

let context: ReturnType<typeof createContext> | undefined;
const script = new Script("new RegExp(source).test(subject)");
/** A busy machine can take the time from a good pattern: only one that is too slow twice is. */
const bounded = (source: string, subject: string): boolean | "tooSlow" => tested(source, subject) ?? tested(source, subject) ?? "tooSlow";

function tested(source: string, subject: string): boolean | undefined {
  context ??= createContext(Object.create(null));
  context.source = source;
  context.subject = subject;
  try {
    return script.runInContext(context, { timeout: REGEX_LIMIT_MS }) === true;
  } catch {
    // ERR_SCRIPT_EXECUTION_TIMEOUT, or the regex engine's own stack: the pattern has compiled before.
    context = undefined;
    return undefined;
  }
}
