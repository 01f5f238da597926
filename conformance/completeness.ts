/** Turns a dialect's table and its cases into the list of what no case looks at. */
import type { AnyRow, Dialect } from "../packages/engine/src/dialects/index.ts";
import { at, type JsonObject } from "../packages/engine/src/protocol/index.ts";
import type { Act, Case, ExpectedProblem } from "./cases.ts";

/** How a hook can end and what it can print: every event needs a case of each. */
export const EXIT_CLASSES = [
  "exit 0 with a JSON object",
  "exit 0 with text",
  "exit 0 in silence",
  "exit 0 with other JSON",
  "exit 2 with stderr",
  "exit 2 in silence",
  "another exit code with text",
  "not found (127)",
  "not executable (126)",
  "a signal",
  "a timeout",
  "a process that cannot be started",
] as const;
type ExitClass = (typeof EXIT_CLASSES)[number];

/** One line for each cell of the table without a case, naming it. Throws where there is nothing to look at: that would find everything complete. */
export function missing(dialect: Dialect, cases: readonly Case[]): readonly string[] {
  const rows = Object.entries(dialect.rows);
  if (rows.length === 0 || dialect.divergences.length === 0) throw new Error(`The table of ${dialect.id} is empty.`);
  if (cases.length === 0) throw new Error(`There are no cases of ${dialect.id}.`);
  return [
    ...rows.flatMap(([event, row]) => {
      const own = cases.filter((one) => one.event === event);
      return [...missingExits(own), ...missingReads(row, own), ...missingStdin(dialect, row, own), ...missingWords(row, own)].map(
        (what) => `${event}: ${what}`,
      );
    }),
    ...missingDivergences(dialect, cases),
  ];
}

function missingExits(cases: readonly Case[]): readonly string[] {
  const seen = new Set<ExitClass | undefined>(cases.flatMap((one) => classesOf(one)));
  return EXIT_CLASSES.filter((wanted) => !seen.has(wanted));
}
function classesOf(one: Case): readonly (ExitClass | undefined)[] {
  const statuses = Object.values(one.expect.statuses ?? {});
  const codes = (one.expect.problems ?? []).map(codeOf);
  return [
    ...(statuses.includes("signalled") ? (["a signal"] as const) : []),
    ...(statuses.includes("timedOut") ? (["a timeout"] as const) : []),
    ...(statuses.includes("notStarted") ? (["a process that cannot be started"] as const) : []),
    ...(codes.includes("HOOK_NOT_FOUND") ? (["not found (127)"] as const) : []),
    ...(codes.includes("HOOK_NOT_EXECUTABLE") ? (["not executable (126)"] as const) : []),
    ...Object.values(one.hooks ?? {}).map(classOf),
  ];
}
function classOf({ exit = 0, signal, stdout, stderr = "" }: Act): ExitClass | undefined {
  if (signal !== undefined) return undefined;
  const text = typeof stdout === "string" ? stdout.trim() : stdout;
  if (exit === 2) return stderr.trim() === "" ? "exit 2 in silence" : "exit 2 with stderr";
  if (exit !== 0) return text || stderr.trim() ? "another exit code with text" : undefined;
  if (text === undefined || text === "") return "exit 0 in silence";
  if (typeof text === "object") return "exit 0 with a JSON object";
  return isJson(text) ? "exit 0 with other JSON" : "exit 0 with text";
}
function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== "object" || value === null || Array.isArray(value);
  } catch {
    return false; // text
  }
}

/** Each field with a value that counts, each value of a ruling, each place of a reason, and each field with a value that does not count. */
function missingReads(row: AnyRow, cases: readonly Case[]): readonly string[] {
  const outputs = cases.flatMap((one) => outputsOf(one).map((output) => ({ output, bad: badPaths(one) })));
  const has = (path: string, test: (value: unknown) => boolean): boolean =>
    outputs.some(({ output, bad }) => {
      const value = at(output, path);
      return value !== undefined && !bad.some((text) => text.includes(path)) && test(value);
    });
  return row.reads.flatMap((read): readonly string[] => {
    const rejected = outputs.some(({ output, bad }) => at(output, read.at) !== undefined && bad.some((text) => read.at.includes(text)));
    const wrong = read.fills === "result" || rejected ? [] : [`${read.at} of a wrong type`];
    if (read.fills !== "ruling") return [...(has(read.at, () => true) ? [] : [read.at]), ...wrong];
    const values = Object.keys(read.values).filter((wanted) => !has(read.at, (value) => String(value) === wanted));
    const reasons = read.reason.filter((path) => !has(path, (value) => typeof value === "string"));
    return [...values.map((value) => `${read.at} ${value}`), ...reasons.map((path) => `${path} beside ${read.at}`), ...wrong];
  });
}
const outputsOf = (one: Case): readonly JsonObject[] =>
  Object.values(one.hooks ?? {}).flatMap(({ stdout }) => (typeof stdout === "object" ? [stdout] : []));
const badPaths = (one: Case): readonly string[] =>
  (one.expect.problems ?? []).flatMap((found) =>
    codeOf(found) === "OUTPUT_BAD_VALUE" && typeof found === "object" ? (found.mentions ?? []) : [],
  );
const codeOf = (found: ExpectedProblem): string => (typeof found === "string" ? found : found.code);

function missingStdin(dialect: Dialect, row: AnyRow, cases: readonly Case[]): readonly string[] {
  const read = new Set(cases.flatMap((one) => Object.values(one.expect.stdin ?? {}).flatMap((fields) => Object.keys(fields))));
  const listed = new Set(cases.flatMap((one) => Object.values(one.expect.stdinKeys ?? {}).flat()));
  return [...Object.keys(dialect.stdin), ...Object.keys(row.stdin)].flatMap((key) => [
    ...(read.has(key) ? [] : [`the value of ${key} on stdin`]),
    ...(listed.has(key) ? [] : [`the place of ${key} on stdin`]),
  ]);
}

/** A row that matches needs a hook that matched by its matcher and one that did not. */
function missingWords(row: AnyRow, cases: readonly Case[]): readonly string[] {
  const matchers = cases.filter((one) => JSON.stringify(one.settings ?? {}).includes('"matcher"'));
  if (row.matcher.as === "nothingToMatch") return matchers.length > 0 ? [] : ["a matcher, which has nothing to match"];
  const ended = (status: string): boolean => matchers.some(({ expect }) => (expect.statuses?.["a"] ?? "ok") === status);
  return [...(ended("ok") ? [] : ["a matcher that fits"]), ...(ended("notMatched") ? [] : ["a matcher that does not fit"])];
}

/** Each needs a firing that shows it, and one of the same event that does not. */
function missingDivergences({ divergences }: Dialect, cases: readonly Case[]): readonly string[] {
  const shows = (one: Case, id: string): boolean => one.expect.divergences?.includes(id) === true;
  return divergences.flatMap(({ id }) => {
    const showing = cases.filter((one) => shows(one, id));
    const events = new Set(showing.map(({ event }) => event));
    if (showing.length === 0) return [`divergence ${id}: a case that shows it`];
    return cases.some((one) => events.has(one.event) && !shows(one, id))
      ? []
      : [`divergence ${id}: a case of the same event that does not show it`];
  });
}
