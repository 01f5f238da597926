/** One firing as a host asks for it: plan, what this firing itself refuses, the run, the record, and the outcome. */
import type { Dialect, SessionWords } from "../dialects/index.ts";
import { type Admitted, admitted, divergencesOf, fire, firedRecord, type Refusal, runRecord, SETTLING } from "../firing/index.ts";
import {
  type Entry,
  EVENTS,
  type EventName,
  type Facts,
  type FiredRecord,
  type Outcome,
  problem,
  RECORD_VERSION,
  type Report,
  type Verdict,
} from "../protocol/index.ts";
import { PROJECT_SCOPES } from "../settings/index.ts";
import { either, untilAborted } from "./aborting.ts";
import type { OnceClaim, OnceHooks } from "./once.ts";
import type { FireOptions } from "./options.ts";
import type { Planned } from "./plans.ts";
import { firingBudget, runHook } from "./run-hook.ts";
import { quietLine } from "./tallies.ts";
import type { Current, World } from "./world.ts";

/** What a session knows that its firings share. */
export interface Scope {
  readonly words: (firedAt: string) => SessionWords;
  readonly id: string;
  readonly agent: SessionWords["agent"];
  readonly once: OnceHooks;
}

export function fireIn<E extends EventName>(
  world: World,
  scope: Scope,
  event: E,
  facts: Facts[E],
  options?: FireOptions,
): Promise<Outcome<E>> {
  const current = world.current(EVENTS[event].midStream === true);
  const planned = current.plans.of(event, facts);
  const signal = options?.signal;
  if (planned.plan.candidates.length > 0 || world.recordsEvery || signal?.aborted)
    return held(world, fireFully(world, current, scope, planned, event, remembering(facts), signal));
  if (!planned.told) tellPlan(world, current, planned);
  world.tallies.count(planned.plan.id, event, scope.id, world.now());
  planned.quiet ??= Promise.resolve(quietOutcome(planned, event, facts, scope.id, world.now()));
  // Every firing of one plan in which nothing runs has the same outcome: the event is part of the plan.
  return planned.quiet as Promise<Outcome<E>>;
}

/** Who disposes of an engine and then closes its journal must not lose the record of what still ran. */
function held<T>(world: World, firing: Promise<T>): Promise<T> {
  world.later(
    firing.then(
      () => undefined,
      () => undefined,
    ),
  );
  return firing;
}

async function fireFully<E extends EventName>(
  world: World,
  current: Current,
  scope: Scope,
  planned: Planned,
  event: E,
  facts: Facts[E],
  signal: AbortSignal | undefined,
): Promise<Outcome<E>> {
  const abort = either(signal, world.ending);
  const at = world.now();
  const began = performance.now();
  const id = world.nextFiringId();
  if (!planned.told) tellPlan(world, current, planned);
  const { entries, changed, claim } = planned.plan.final
    ? { entries: planned.plan.candidates, changed: new Map<string, Refusal>(), claim: undefined }
    : await admit(current, scope, planned.plan.candidates, event, facts, abort);
  const session = scope.words(new Date(at).toISOString());
  const context = { firing: id, session, signal, ending: world.ending, budget: firingBudget() };
  const fired = await fire(
    {
      dialects: current.dialects,
      translate: current.translate,
      session,
      maxStdoutBytes: current.limits.maxStdoutBytes,
      aborted: () => abort.aborted,
      run: (call) => {
        world.emit({ kind: "hookStarted", firing: id, entry: call.entry, index: entries.indexOf(call.entry) + 1, total: entries.length });
        return runHook(current.running, call, call.entry.background ? { ...context, signal: undefined } : context);
      },
      reported: (report, input) => {
        const { entry, status, run } = report;
        world.emit({
          kind: "hookEnded",
          firing: id,
          session: scope.id,
          entry,
          status,
          durationMs: run.durationMs,
          report,
          stdin: () => input?.object(),
        });
        if (!entry.background) claim?.done(entry, status === "ok");
      },
      later: (report) => world.later(lateLine(world, claim, id, report)),
    },
    event,
    facts,
    entries,
  ).catch((error: unknown) => {
    claim?.release();
    throw error;
  });
  const happened = {
    id,
    session: scope.id,
    agent: scope.agent,
    at,
    durationMs: performance.now() - began,
    cwd: session.cwd,
    changed,
    problems: planned.plan.problems,
  };
  const record = once((): FiredRecord => {
    const bare = firedRecord(planned.plan, facts, fired, happened, (report) => hidesRecord(current.dialects, report));
    return { ...bare, divergences: divergencesOf(current.dialects.values(), current.line, planned.line, bare) };
  });
  if (world.heard()) world.emit({ kind: "line", line: record() });
  for (const message of fired.verdict.messages) world.emit({ kind: "message", firing: id, message });
  for (const found of fired.verdict.problems) world.emit({ kind: "problem", problem: found });
  return {
    ...fired.outcome,
    messages: fired.verdict.messages,
    /** Where nobody listens, few ever look at it. */
    get record() {
      return record();
    },
  };
}

/** Trust counts first, then `if` and `once`; duplicates are looked for among what is left. Who would not start is no matter for the user. */
async function admit(
  current: Current,
  scope: Scope,
  candidates: readonly Entry[],
  event: EventName,
  facts: Facts[EventName],
  abort: AbortSignal,
): Promise<Admitted & { readonly claim: OnceClaim }> {
  const own = new Map<string, Refusal | undefined>();
  const refusalOf = (entry: Entry): Refusal | undefined => {
    if (scope.once.isSpent(entry)) return { status: "spent", why: "it runs once a session, and has run" };
    if (!entry.condition) return undefined;
    if (!own.has(entry.id)) own.set(entry.id, current.condition(entry, event, facts, scope.words("").cwd));
    return own.get(entry.id);
  };
  const starting = (refused: ReadonlySet<string>): readonly Entry[] =>
    admitted(
      candidates.filter(({ id }) => !refused.has(id)),
      refusalOf,
    ).entries;
  const untrusted = (await answered(current.gate(candidates, starting), abort)) ?? unanswered(candidates);
  for (;;) {
    const settled = admitted(candidates, (entry) => untrusted.get(entry.id) ?? refusalOf(entry));
    const others = scope.once.busy(settled.entries, abort);
    if (!others) return { ...settled, claim: scope.once.take(settled.entries) };
    await others;
  }
}

async function answered<T>(gate: T | Promise<T>, abort: AbortSignal): Promise<T | undefined> {
  return gate instanceof Promise ? await untilAborted(gate, abort) : gate;
}
/** A question that nobody waits for any more is no yes, for a hook in the background either. */
function unanswered(candidates: readonly Entry[]): ReadonlyMap<string, Refusal> {
  const why = "the firing was aborted before the question whether it may run was answered";
  return new Map(candidates.filter(({ scope }) => PROJECT_SCOPES.has(scope)).map(({ id }) => [id, { status: "unapproved", why }]));
}

function hidesRecord(dialects: ReadonlyMap<string, Dialect>, { entry }: Report): boolean {
  return entry.dialect === undefined || dialects.get(entry.dialect)?.quietHides === "record";
}

async function lateLine(world: World, claim: OnceClaim | undefined, firing: string, pending: Promise<Report>): Promise<void> {
  const report = await pending;
  claim?.done(report.entry, report.status === "ok");
  world.emit({
    kind: "line",
    line: { version: RECORD_VERSION, kind: "late", firing, run: runRecord(report, undefined, report.opinion.quiet === true) },
  });
  if (report.opinion.ruling)
    world.emit({
      kind: "problem",
      problem: problem("LATE_RULING", { entry: report.entry.id }, { ruling: report.opinion.ruling.kind }, report.entry.name),
    });
}

function tellPlan(world: World, current: Current, planned: Planned): void {
  if (!world.heard()) return;
  world.tellRegistry(current);
  planned.told = true;
  world.emit({ kind: "line", line: planned.line });
  for (const found of planned.plan.problems) world.emit({ kind: "problem", problem: found });
}

const NO_VERDICT: Verdict = {
  ruling: undefined,
  because: [],
  overruled: [],
  withheld: false,
  slots: {},
  inputs: [],
  contexts: [],
  messages: [],
  steps: [],
  problems: [],
};
function quietOutcome<E extends EventName>({ plan }: Planned, event: E, facts: Facts[E], session: string, at: number): Outcome<E> {
  const record = quietLine({ plan: plan.id, event, session, count: 1, first: at, last: at });
  return { ...SETTLING[event].proceed(NO_VERDICT, facts), messages: [], record };
}

/** What is built on demand is built once, whoever asks: the hooks, the record, the host. */
function remembering<F extends object>(facts: F): F {
  const entries: [string, unknown][] = Object.entries(facts);
  if (!entries.some(([, value]) => typeof value === "function")) return facts;
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === "function" ? once(value as () => unknown) : value])) as F;
}
function once<T>(build: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: build() };
    return made.value;
  };
}
