/** One firing without I/O: a plan's entries in lanes of (run, parse), then decide, then settle. Knows no event and no dialect. */
import type { AnyRow, Dialect, SessionWords } from "../dialects/index.ts";
import {
  type Entry,
  EVENTS,
  type EventName,
  type Facts,
  type JsonObject,
  type Opinion,
  type Outcomes,
  type ProblemCode,
  type ProblemFacts,
  problem,
  type Report,
  type Run,
  type Status,
  statusClass,
  type Translator,
  type Verdict,
} from "../protocol/index.ts";
import { lanes } from "./admit.ts";
import { decide } from "./decide.ts";
import { parse } from "./parse.ts";
import type { Asked } from "./read-output.ts";
import { readSaid } from "./said.ts";
import { losing, SETTLING, settle } from "./settle.ts";
import { speaker, stdinObject, toolOf } from "./speak.ts";

/** What one hook reads: built when somebody asks, shared by every hook that reads the same. */
export interface HookInput {
  readonly object: () => JsonObject;
  readonly bytes: () => Uint8Array;
}
export interface HookCall {
  readonly entry: Entry;
  readonly facts: Facts[EventName];
  /** Absent for functions, which read the facts themselves. */
  readonly input: HookInput | undefined;
  /** The table the entry belongs to; absent for functions. */
  readonly dialect: Dialect | undefined;
  readonly row: AnyRow | undefined;
}
export interface FiringWorld {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly translate: (dialect: Dialect) => Translator;
  readonly session: SessionWords;
  readonly maxStdoutBytes: number;
  /** Has the host called this firing off? */
  readonly aborted: () => boolean;
  /** Must not reject: whatever becomes of a run is its value. */
  readonly run: (call: HookCall) => Promise<Run>;
  /** Told once for every entry, as soon as its report is there. */
  readonly reported: (report: Report, input: HookInput | undefined) => void;
  /** Takes over a run that the firing does not wait for. */
  readonly later: (report: Promise<Report>) => void;
}
export interface Fired<E extends EventName> {
  /** In configured order. */
  readonly reports: readonly Report[];
  readonly verdict: Verdict;
  readonly outcome: Outcomes[E];
  /** What the hooks read, per entry, for those that read something else than the first of their dialect. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
}

export async function fire<E extends EventName>(
  world: FiringWorld,
  event: E,
  facts: Facts[E],
  running: readonly Entry[],
): Promise<Fired<E>> {
  const inputs = new Map<string, JsonObject>();
  const { report, inputOf } = reporter(world, event, facts, inputs);
  const one = async (entry: Entry, seen: Facts[E]): Promise<Report> => {
    const pending = report(entry, seen);
    if (entry.background) world.later(pending);
    const settled = entry.background ? leftBehind(entry) : await pending;
    world.reported(settled, inputOf(entry, seen));
    return settled;
  };
  const reports = (await Promise.all(lanes(running).map((lane) => inLane(event, facts, lane, one)))).flat();
  reports.sort((a, b) => a.entry.order - b.entry.order);
  const aborted = world.aborted();
  const original = EVENTS[event].original?.(facts);
  const verdict = decide(reports, { ...(original ? { original } : {}), lost: losing(event, aborted) });
  return { reports, verdict, outcome: settle(event, facts, verdict, aborted), inputs };
}

/** One after another, each seeing what the one before changed; a denial or a failure does not end the lane. */
async function inLane<E extends EventName>(
  event: E,
  facts: Facts[E],
  lane: readonly Entry[],
  one: (entry: Entry, seen: Facts[E]) => Promise<Report>,
): Promise<Report[]> {
  const reports: Report[] = [];
  let seen = facts;
  for (const entry of lane) {
    const report = await one(entry, seen);
    reports.push(report);
    seen = EVENTS[event].thread?.(seen, report.opinion) ?? seen;
  }
  return reports;
}

function reporter<E extends EventName>(world: FiringWorld, event: E, original: Facts[E], inputs: Map<string, JsonObject>) {
  const shared = sharedInputs(world, event);
  const tableOf = (entry: Entry): { readonly dialect: Dialect; readonly row: AnyRow } | undefined => {
    const dialect = entry.dialect === undefined ? undefined : world.dialects.get(entry.dialect);
    const row = dialect?.rows[entry.wireName];
    return dialect && row ? { dialect, row } : undefined;
  };
  const report = async (entry: Entry, seen: Facts[E]): Promise<Report> => {
    const table = tableOf(entry);
    if (!table)
      return functionReport(entry, event, await world.run({ entry, facts: seen, input: undefined, dialect: undefined, row: undefined }));
    const { input, say } = shared(table.dialect, table.row, entry.wireName, seen);
    const run = await world.run({ entry, facts: seen, input, ...table });
    if (seen !== original) inputs.set(entry.id, input.object());
    const asked: Asked = { ...table, wireName: entry.wireName, say, tool: toolOf(event, seen), stdin: input.object(), entry };
    return parse(entry, run, asked, world.maxStdoutBytes);
  };
  const inputOf = (entry: Entry, seen: Facts[E]): HookInput | undefined => {
    const table = tableOf(entry);
    return table && shared(table.dialect, table.row, entry.wireName, seen).input;
  };
  return { report, inputOf };
}

/** One stdin a (row, facts): translated once, serialised once, whatever number of hooks reads it. */
function sharedInputs<E extends EventName>(world: FiringWorld, event: E) {
  type Shared = { readonly input: HookInput; readonly say: ReturnType<typeof speaker> };
  const known = new Map<AnyRow, WeakMap<Facts[E] & object, Shared>>();
  return (dialect: Dialect, row: AnyRow, wireName: string, facts: Facts[E]): Shared => {
    const byFacts = known.get(row) ?? new WeakMap<Facts[E] & object, Shared>();
    known.set(row, byFacts);
    const before = byFacts.get(facts);
    if (before) return before;
    const say = speaker(dialect, row, wireName, event, facts, world.translate(dialect), world.session);
    const shared: Shared = { say, input: lazyInput(() => stdinObject(dialect, row, facts, say)) };
    byFacts.set(facts, shared);
    return shared;
  };
}
function lazyInput(build: () => JsonObject): HookInput {
  let object: JsonObject | undefined;
  let bytes: Uint8Array | undefined;
  const asObject = (): JsonObject => (object ??= build());
  return { object: asObject, bytes: () => (bytes ??= Buffer.from(JSON.stringify(asObject()), "utf8")) };
}

/** What an entry that nobody waits for says: nothing. */
function leftBehind(entry: Entry): Report {
  const run: Run = { ...UNSEEN, kind: "left", afterMs: 0, startedAt: Date.now() };
  return { ...SILENT, entry, run, status: "left", readAs: "notRead", opinion: {}, problems: [] };
}
const UNSEEN = {
  durationMs: 0,
  stdout: "",
  stderr: "",
  stdoutBytes: 0,
  stderrBytes: 0,
  truncated: [],
  escaped: false,
  problems: [],
} as const;
const SILENT = { output: undefined, contextLasts: "turn", frame: (text: string) => text, quietHidesMessage: false } as const;

/** A function speaks canonical words: its opinion needs no dialect, only a check that it is one. */
function functionReport(entry: Entry, event: EventName, run: Run): Report {
  const problems = [...run.problems];
  const note = <C extends ProblemCode>(code: C, facts: ProblemFacts[C]): void => {
    problems.push(problem(code, { entry: entry.id }, facts, entry.name));
  };
  if (run.kind === "threw") note("HOOK_THREW", { message: run.message });
  if (run.kind === "timedOut") note("HOOK_TIMED_OUT", { afterMs: run.afterMs });
  const said = run.kind === "returned" ? readSaid(entry, event, run.opinion) : undefined;
  problems.push(...(said?.problems ?? []));
  const status = said ? (said.usable ? "ok" : "badOutput") : endedAs(run);
  const failed = statusClass(status) === "failed";
  const { denied, denialGoesOn } = SETTLING[event];
  const closed = failed && status !== "cancelled" && entry.onFailure === "block" && denied !== undefined && denialGoesOn !== true;
  if (closed) note("HOOK_FAILED_CLOSED", { status });
  const opinion: Opinion = closed
    ? { ruling: { kind: "deny", reason: `The hook "${entry.name}" failed (${status}) and is set to block on failure.` } }
    : (said?.opinion ?? {});
  return { ...SILENT, entry, run, status, readAs: said ? "opinion" : "failure", opinion, problems };
}
const endedAs = ({ kind }: Run): Status => (kind === "timedOut" || kind === "cancelled" ? kind : "exitedOther");
