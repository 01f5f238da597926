/** Turns the registry and one event into the Plan: which entries are candidates, and for every other entry why not. */
import type { AnyRow, Dialect, MatcherSyntax } from "../dialects/index.ts";
import { type Entry, type EventName, type Plan, type Problem, problem, type Registry, type Status } from "../protocol/index.ts";
import { admitted } from "./admit.ts";
import { REGEX_LIMIT_MS, regexTest } from "./regex.ts";

/** What happens: the event, its variant, its subject, and the subject in a dialect's words (aliases last; `undefined`: it does not reach that dialect). */
export interface Happening {
  readonly event: EventName;
  readonly variant: string | undefined;
  readonly subject: string | undefined;
  readonly subjects: (dialect: Dialect, row: AnyRow) => readonly string[] | undefined;
}

type Answer = boolean | "tooSlow" | "unusable";
type Test = (subject: string) => Answer;
const NAMES_ONLY = /^[\w\- |]*$/;
const SYNTAX = {
  exact: (matcher) => (subject) => subject === matcher,
  regexElseLiteral: (matcher) => regexTest(matcher) ?? ((subject) => subject === matcher),
  namesElseRegex: (matcher) => {
    if (!NAMES_ONLY.test(matcher)) return regexTest(matcher) ?? (() => "unusable");
    const names = new Set(matcher.split("|").map((name) => name.trim()));
    return (subject) => names.has(subject);
  },
  nothingToMatch: () => () => true,
} satisfies Record<MatcherSyntax, (matcher: string) => Test>;

const compiled = new Map<string, Test>();
const MAX_COMPILED = 10_000;
function testOf(as: MatcherSyntax, matcher: string): Test {
  const key = `${as}\0${matcher}`;
  const known = compiled.get(key);
  if (known) return known;
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  const test = SYNTAX[as](matcher);
  compiled.set(key, test);
  return test;
}

/** Any of the subjects will do. Absent, empty, white space and `*` match everything. */
export function matches(as: MatcherSyntax, matcher: string | undefined, subjects: readonly string[]): Answer {
  const trimmed = matcher?.trim() ?? "";
  if (trimmed === "" || trimmed === "*") return true;
  const test = testOf(as, trimmed);
  let answer: Answer = false;
  for (const subject of subjects) {
    const one = test(subject);
    if (one === true) return true;
    if (one !== false) answer = one;
  }
  return answer;
}

type Look = { readonly status: Status; readonly why?: string; readonly problem?: Problem };

/** Built once per (registry, event, variant, subject) and shared: it must not depend on anything else. */
export function plan(
  registry: Registry,
  dialects: ReadonlyMap<string, Dialect>,
  happening: Happening,
  id: string,
  mayRunNow: (entry: Entry) => boolean,
): Plan {
  const looks = registry.entries.map((entry) => look(entry, dialects, happening));
  const candidates = registry.entries.filter((_, i) => looks[i]?.status === "ok");
  const final = candidates.every((entry) => !entry.condition && !entry.once && mayRunNow(entry));
  const why: Record<number, string> = {};
  const statuses = looks.map((found, i) => {
    if (found.why !== undefined) why[i] = found.why;
    return found.status;
  });
  const running = final ? admitted(candidates, () => undefined) : undefined;
  registry.entries.forEach((entry, i) => {
    const dropped = running?.changed.get(entry.id);
    if (!dropped) return;
    statuses[i] = dropped.status;
    why[i] = dropped.why;
  });
  return {
    id,
    generation: registry.generation,
    event: happening.event,
    variant: happening.variant,
    subject: happening.subject,
    candidates: running ? running.entries : candidates,
    final,
    statuses,
    why,
    problems: looks.flatMap((found) => (found.problem ? [found.problem] : [])),
  };
}

function look(entry: Entry, dialects: ReadonlyMap<string, Dialect>, { event, variant, subject, subjects }: Happening): Look {
  const dialect = entry.dialect === undefined ? undefined : dialects.get(entry.dialect);
  if (!dialect) return lookAtFunction(entry, event, subject);
  const row = Object.hasOwn(dialect.rows, entry.wireName) ? dialect.rows[entry.wireName] : undefined;
  if (row && row.on !== event) return { status: "notMatched", why: `it is for ${entry.wireName}` };
  if (entry.barred) return { status: entry.barred.status, why: entry.barred.why };
  if (!row) return { status: "notFiredHere", why: `${entry.wireName} is not fired here` };
  const when: readonly string[] | undefined = row.when;
  if (when && !when.includes(variant ?? ""))
    return { status: "notThisVariant", why: `${entry.wireName} is fired for "${when.join('", "')}" only, this is "${variant}"` };
  if (row.matcher.as === "nothingToMatch") return { status: "ok" };
  const words = subjects(dialect, row);
  if (!words) return { status: "notThisVariant", why: `${dialect.title} has no word for "${subject}"` };
  return judged(entry, matches(row.matcher.as, entry.matcher, words), words);
}

/** Functions registered in code speak canonical words: their matcher is a regular expression on the host's own subject. */
function lookAtFunction(entry: Entry, event: EventName, subject: string | undefined): Look {
  if (entry.wireName !== event) return { status: "notMatched", why: `it is for ${entry.wireName}` };
  if (entry.barred) return { status: entry.barred.status, why: entry.barred.why };
  return judged(entry, matches("regexElseLiteral", entry.matcher, [subject ?? ""]), [subject ?? ""]);
}

function judged(entry: Entry, answer: Answer, subjects: readonly string[]): Look {
  const matcher = entry.matcher ?? "";
  const tried = subjects.map((subject) => `"${subject}"`).join(", ");
  switch (answer) {
    case true:
      return { status: "ok" };
    case false:
      return { status: "notMatched", why: `its matcher "${matcher}" does not fit ${tried}` };
    case "unusable":
      return { status: "badMatcher", why: `its matcher "${matcher}" is not a valid regular expression` };
    case "tooSlow":
      return {
        status: "badMatcher",
        why: `its matcher "${matcher}" took more than ${REGEX_LIMIT_MS} ms on ${tried}`,
        problem: problem(
          "MATCHER_TOO_SLOW",
          { entry: entry.id },
          { matcher, subject: subjects[0] ?? "", limitMs: REGEX_LIMIT_MS },
          entry.name,
        ),
      };
  }
}
