/** Turns what happened into the record's lines: plain JSON, one registry line, one plan line, one line a firing. */
import type { Dialect } from "../dialects/index.ts";
import {
  commandOf,
  type Entry,
  type EntryRecord,
  type EventName,
  type Facts,
  type FiredRecord,
  isObject,
  type Json,
  type JsonObject,
  joined,
  type Plan,
  type PlanRecord,
  type Problem,
  RECORD_VERSION,
  type Registry,
  type RegistryRecord,
  type Report,
  type Ruling,
  type Run,
  type RunRecord,
  type Verdict,
  type VerdictRecord,
} from "../protocol/index.ts";
import type { Refusal } from "./admit.ts";
import type { Fired } from "./fire.ts";

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

export function registryRecord(registry: Registry, id: string, projectDir: string, at: number): RegistryRecord {
  return {
    version: RECORD_VERSION,
    kind: "registry",
    id,
    at: iso(at),
    projectDir,
    entries: registry.entries.map(entryRecord),
    problems: [...registry.problems],
  };
}
export function entryRecord(entry: Entry): EntryRecord {
  return {
    id: entry.id,
    key: entry.key,
    ...optional("dialect", entry.dialect),
    wireName: entry.wireName,
    scope: entry.scope,
    name: entry.name,
    ...optional("command", commandOf(entry)),
    ...optional("matcher", entry.matcher),
    sequential: entry.sequential,
    timeoutMs: entry.timeoutMs,
    onFailure: entry.onFailure,
    ...optional("place", entry.place),
  };
}
export function planRecord(plan: Plan, registryId: string): PlanRecord {
  return {
    version: RECORD_VERSION,
    kind: "plan",
    id: plan.id,
    registry: registryId,
    event: plan.event,
    ...optional("variant", plan.variant),
    ...optional("subject", plan.subject),
    statuses: [...plan.statuses],
    why: Object.fromEntries(Object.entries(plan.why)),
    problems: [...plan.problems],
  };
}

export interface Circumstances {
  readonly id: string;
  readonly session: string;
  readonly agent: { readonly id: string; readonly type: string } | undefined;
  readonly at: number;
  readonly durationMs: number;
  readonly cwd: string;
  readonly changed: ReadonlyMap<string, Refusal>;
  readonly problems: readonly Problem[];
}

/** A quiet hook keeps the firing's input and output out of the record; that it ran, and what was decided, stays. */
export function firedRecord<E extends EventName>(
  plan: Plan,
  facts: Facts[E],
  fired: Fired<E>,
  happened: Circumstances,
  hidesRecord: (report: Report) => boolean,
): FiredRecord {
  const quiet = fired.reports.some((report) => report.opinion.quiet === true && hidesRecord(report));
  return {
    version: RECORD_VERSION,
    kind: "fired",
    id: happened.id,
    plan: plan.id,
    event: plan.event,
    session: happened.session,
    ...optional("agent", happened.agent),
    at: iso(happened.at),
    durationMs: happened.durationMs,
    cwd: happened.cwd,
    ...(quiet ? {} : { facts: plainFacts(facts) }),
    quiet,
    runs: fired.reports.map((report) => runRecord(report, fired.inputs.get(report.entry.id), quiet)),
    changed: Object.fromEntries([...happened.changed].map(([id, { status, why }]) => [id, { status, why }])),
    verdict: verdictRecord(fired.verdict, quiet),
    outcome: quiet ? { action: fired.outcome.action } : asJson(fired.outcome),
    problems: [...happened.problems, ...fired.verdict.problems],
    divergences: [],
  };
}

export function runRecord(
  { entry, run, status, readAs, output, opinion, problems }: Report,
  stdin: JsonObject | undefined,
  quiet: boolean,
): RunRecord {
  return {
    entry: entry.id,
    status,
    ended: run.kind,
    ...ending(run),
    startedAt: iso(run.startedAt),
    durationMs: run.durationMs,
    ...optional("pid", run.pid),
    ...optional("cwd", run.cwd),
    ...optional("shell", run.shell),
    ...(quiet ? {} : { ...optional("stdin", stdin), stdout: run.stdout, stderr: run.stderr }),
    stdoutBytes: run.stdoutBytes,
    stderrBytes: run.stderrBytes,
    truncated: [...run.truncated],
    escaped: run.escaped,
    ...(run.withheld ? { withheldVariables: [...run.withheld] } : {}),
    readAs,
    ...(quiet ? {} : optional("output", output)),
    opinion: quiet ? asJson({ ruling: bare(opinion.ruling), quiet: opinion.quiet }) : asJson(opinion),
    problems: quiet ? problems.map(withoutWords) : [...problems],
  };
}
function ending(run: Run): Pick<RunRecord, "exitCode" | "signal" | "message"> {
  if (run.kind === "exited") return { exitCode: run.exitCode };
  if (run.kind === "signalled") return { signal: run.signal };
  return run.kind === "notStarted" || run.kind === "threw" ? { message: run.message } : {};
}

/** A reason is something a hook printed. */
const bare = (ruling: Ruling | undefined): Pick<Ruling, "kind"> | undefined => ruling && { kind: ruling.kind };
/** Which problem it was stays; its words quote what was printed. */
function withoutWords({ code, level, place, hook, now }: Problem): Problem {
  return { code, level, place, ...optional("hook", hook), what: "What the hook printed is kept out of the record, as it was asked.", now };
}

function verdictRecord({ ruling, because, overruled, withheld, steps, messages, contexts }: Verdict, quiet: boolean): VerdictRecord {
  return {
    ...(ruling ? { ruling: { kind: ruling.kind, ...(quiet ? {} : optional("reason", ruling.reason)) } } : {}),
    because: [...because],
    overruled: [...overruled],
    withheld,
    steps: steps.map((step) => ({ ...step })),
    messages: quiet ? [] : messages.map((message) => ({ ...message })),
    contexts: quiet ? [] : contexts.map((context) => ({ ...context })),
  };
}

/** Facts as plain JSON: what is built on demand is built by now, since a hook has read it. */
function plainFacts<E extends EventName>(facts: Facts[E]): JsonObject {
  const entries: [string, unknown][] = Object.entries(facts);
  return Object.fromEntries(
    entries.flatMap(([key, value]): [string, Json][] =>
      value === undefined ? [] : [[key, withoutGaps((typeof value === "function" ? value() : value) as Json)]],
    ),
  );
}
const asJson = (value: object): JsonObject =>
  Object.fromEntries(
    Object.entries(value as Record<string, Json | undefined>).flatMap(([key, one]): [string, Json][] =>
      one === undefined ? [] : [[key, withoutGaps(one)]],
    ),
  );
/** Members that are `undefined` are left out, as JSON leaves them out; what has none stays the same object. */
function withoutGaps(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map(withoutGaps);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value as Record<string, Json | undefined>);
  const kept = entries.flatMap(([key, one]): [string, Json][] => (one === undefined ? [] : [[key, withoutGaps(one)]]));
  return kept.length === entries.length && kept.every(([key, one]) => one === value[key]) ? value : Object.fromEntries(kept);
}

/** `<dialect>:<id>` of every divergence the joined record shows. A condition that throws would be our bug: it is not caught here. */
export function divergencesOf(dialects: Iterable<Dialect>, registry: RegistryRecord, plan: PlanRecord, fired: FiredRecord): string[] {
  const story = joined(registry, plan, fired);
  if (!story) return [];
  const found: string[] = [];
  for (const { id, divergences } of dialects) for (const one of divergences) if (one.when(story)) found.push(`${id}:${one.id}`);
  return found;
}
