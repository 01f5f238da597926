/** Turns what a case expects and what came of it into the list of differences. */
import { spawnSync } from "node:child_process";
import { dialectById } from "../packages/engine/src/dialects/index.ts";
import type { JsonObject, Message, Story } from "../packages/engine/src/protocol/index.ts";
import { children, type Noted, noted, steps } from "./act.ts";
import type { Expectation, ExpectedMessage, ExpectedProblem } from "./cases.ts";
import type { Stage } from "./stage.ts";

/** As the record has them. */
type Problems = Readonly<Story["fired"]["problems"]>;
/** What came of one firing, with hooks under the names the case gives them. */
export interface Observed {
  readonly story: Story;
  readonly outcome: JsonObject;
  /** Whose contexts the outcome has. Absent: it has no place for them. */
  readonly kept: readonly string[] | undefined;
  /** What the host shows the user. */
  readonly messages: readonly Message[];
  readonly problems: Problems;
  readonly settingsProblems: Problems;
  readonly tookMs: number;
  /** Entry id -> the case's name for it. */
  readonly label: (entry: string) => string;
  readonly labels: ReadonlyMap<string, string>;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `expect` with its places filled in. */
export function differences(expect: Expectation, seen: Observed, stage: Stage, dialect: string): readonly string[] {
  const found: string[] = [];
  const same = (what: string, wanted: unknown, got: unknown): void => {
    if (!sameValue(wanted, got)) found.push(`${what}: expected ${shown(wanted)}, got ${shown(got)}`);
  };
  const { verdict } = seen.story.fired;
  const named = (ids: readonly string[]): readonly string[] => ids.map(seen.label);

  same("outcome", expect.outcome ?? { action: "proceed" }, seen.outcome);
  same("statuses", expect.statuses ?? all(seen, "ok"), statuses(seen));
  same(
    "verdict",
    expect.verdict && { overruled: [], withheld: expect.verdict.ruling === "deny", ...expect.verdict },
    verdict.ruling && {
      ruling: verdict.ruling.kind,
      because: named(verdict.because),
      overruled: named(verdict.overruled),
      withheld: verdict.withheld,
    },
  );
  same(
    "contexts",
    contexts(expect, dialect),
    verdict.contexts.map(({ entry, ...context }) => ({ from: seen.label(entry), ...context })),
  );
  if (seen.kept !== undefined || expect.kept)
    same("contexts in the outcome", expect.kept ?? (expect.contexts ?? []).map(({ from }) => from), seen.kept?.map(seen.label));
  same("messages", expect.messages ?? [], messages(expect.messages ?? [], seen));
  if (expect.steps) same("steps", expect.steps, merge(expect.steps, seen));
  found.push(...problems("problem", expect.problems ?? [], seen.problems, seen, stage));
  found.push(...problems("settings problem", expect.settingsProblems ?? [], seen.settingsProblems, seen, stage));
  same(
    "divergences",
    (expect.divergences ?? []).toSorted(),
    seen.story.fired.divergences.map((id) => id.slice(dialect.length + 1)).toSorted(),
  );
  same("hidden", expect.hidden ?? false, seen.story.fired.quiet);
  notes(expect, stage, same);
  if (expect.atLeastMs !== undefined && seen.tookMs < expect.atLeastMs) found.push(`took ${seen.tookMs} ms, less than ${expect.atLeastMs}`);
  if (expect.atMostMs !== undefined && seen.tookMs > expect.atMostMs) found.push(`took ${seen.tookMs} ms, more than ${expect.atMostMs}`);
  if (expect.leavesNothing) same("children alive", [], children(stage.acts).filter(isAlive));
  for (const hook of expect.finishesLater ?? []) {
    if (!steps(stage.acts).includes(`${hook} ended`)) found.push(`${hook} did not come to its end`);
  }
  return found;
}

/** What the hooks themselves saw. */
function notes(expect: Expectation, stage: Stage, same: (what: string, wanted: unknown, got: unknown) => void): void {
  const of = (hook: string): Noted => noted(stage.acts, hook);
  for (const [hook, fields] of Object.entries(expect.stdin ?? {})) {
    const read = stdinOf(of(hook));
    for (const [key, wanted] of Object.entries(fields)) same(`stdin of ${hook}: ${key}`, wanted, timeless(wanted, read[key]));
  }
  for (const [hook, keys] of Object.entries(expect.stdinKeys ?? {})) same(`keys on stdin of ${hook}`, keys, Object.keys(stdinOf(of(hook))));
  for (const [hook, variables] of Object.entries(expect.environment ?? {}))
    for (const [name, wanted] of Object.entries(variables)) same(`${name} of ${hook}`, wanted, of(hook).variable(name) ?? null);
  for (const [hook, wanted] of Object.entries(expect.cwd ?? {})) same(`directory of ${hook}`, wanted, of(hook).cwd);
  for (const [hook, wanted] of Object.entries(expect.ran ?? {})) same(`starts of ${hook}`, wanted, of(hook).starts);
  if (expect.sequence)
    same(
      "sequence",
      expect.sequence.flatMap((hook) => [`${hook} started`, `${hook} ended`]),
      steps(stage.acts).filter((step) => expect.sequence?.includes(step.split(" ")[0] ?? "")),
    );
}

function stdinOf({ stdin }: Noted): Record<string, unknown> {
  const read: unknown = stdin === undefined ? undefined : JSON.parse(stdin);
  return typeof read === "object" && read !== null ? { ...read } : {};
}
const timeless = (wanted: unknown, got: unknown): unknown =>
  wanted === "{{timestamp}}" && typeof got === "string" && ISO_TIME.test(got) ? wanted : got;

const all = (seen: Observed, status: string) => Object.fromEntries([...seen.labels.values()].map((label) => [label, status]));
const statuses = (seen: Observed) => Object.fromEntries(seen.story.entries.map((entry) => [seen.label(entry.id), entry.status]));

function contexts(expect: Expectation, dialect: string) {
  const frame = dialectById(dialect)?.frame ?? ((text: string) => text);
  return (expect.contexts ?? []).map((context) => ({ framed: frame(context.text), ...context }));
}

/** A warning that says everything expected of it looks as expected; any other stands there in full. */
function messages(wanted: readonly ExpectedMessage[], seen: Observed): readonly unknown[] {
  return seen.messages.map(({ entry, text, level }, i) => {
    const one = wanted[i];
    if (level === "warning") {
      const fits = one && "warns" in one && one.warns.every((part) => text.includes(part));
      return { from: seen.label(entry), warns: fits ? one.warns : [text] };
    }
    return { from: seen.label(entry), text };
  });
}

/** A step that says what is expected of it looks as expected; any other stands there in full. */
function merge(wanted: NonNullable<Expectation["steps"]>, seen: Observed): readonly unknown[] {
  return seen.story.fired.verdict.steps.map(({ entry, what, did }, i) => {
    const says = wanted[i]?.says;
    return { from: seen.label(entry), what, ...(says === undefined ? {} : { says: did.includes(says) ? says : did }) };
  });
}

/** In any order; each expected problem takes one of those that came. */
function problems(what: string, wanted: readonly ExpectedProblem[], got: Problems, seen: Observed, stage: Stage): readonly string[] {
  const left = [...got];
  const missing = wanted.flatMap((one) => {
    const { code, hook, mentions = [], lacks = [] } = typeof one === "string" ? { code: one, hook: undefined } : one;
    const at = left.findIndex(
      (found) =>
        found.code === code &&
        (hook === undefined || hookOf(found, seen) === hook) &&
        mentions.every((part) => problemText(found).includes(part)) &&
        !lacks.some((part) => problemText(found).includes(part)),
    );
    if (at >= 0) left.splice(at, 1);
    return at >= 0 ? [] : [`${what} missing: ${JSON.stringify(one)}`];
  });
  return [
    ...missing,
    ...left.map((found) => `${what} not expected: ${found.code}, ${problemText(found).replaceAll(stage.root, "{{root}}")}`),
  ];
}
function hookOf(found: Problems[number], seen: Observed): string | undefined {
  return "entry" in found.place ? seen.label(found.place.entry) : found.hook;
}

/** A child that has ended and that nobody has asked about yet (Z) is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

/** Everything a problem says, its place included. */
const problemText = ({ place, hook, what, expected, found, now, todo }: Problems[number]): string =>
  [...Object.values(place), hook, what, expected, found, now, todo].filter((part) => part !== undefined).join(" ");

/** Equality of plain values; the order of an object's keys does not count. */
function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [ours, theirs] = [Object.entries(a), new Map(Object.entries(b))];
  return ours.length === theirs.size && ours.every(([key, value]) => theirs.has(key) && sameValue(value, theirs.get(key)));
}
const shown = (value: unknown): string => JSON.stringify(value) ?? "nothing";
