/** Fires one event in an engine that records everything, journals it, and hands back the firing joined with its plan and registry. */
import {
  type Engine,
  type EventName,
  type FiredRecord,
  isObject,
  type JournalLine,
  type JsonObject,
  joined,
  type Outcome,
  type Problem,
  problemText,
  type RunRecord,
  type Story,
} from "@carabiner/engine";
import { attachJournal } from "@carabiner/engine/journal";
import type { EventChoice } from "./fire-event.ts";
import { type EventFacts, notPassedOn } from "./fire-facts.ts";
import type { SessionGiven } from "./fire-session.ts";
import { journalOptions } from "./log-place.ts";

export interface FiredOnce {
  readonly story: Story;
  readonly outcome: Omit<Outcome<EventName>, "record">;
  /** Of settings, trust, this firing and the journal; those of single runs stand in the story. */
  readonly problems: readonly Problem[];
  /** What hooks read, by entry id. */
  readonly stdin: ReadonlyMap<string, JsonObject>;
  /** Given fields that no hook read as they were given. */
  readonly notes: readonly string[];
}

/** Waits for hooks that run in the background, which may take their whole timeout. The engine is disposed of afterwards. */
export async function fireOnce(
  engine: Engine,
  choice: EventChoice,
  given: EventFacts,
  { options, agent }: SessionGiven,
  signal: AbortSignal,
): Promise<FiredOnce> {
  const lines: JournalLine[] = [];
  const stdin = new Map<string, JsonObject>();
  const problems = new Map<string, Problem>();
  let notes: readonly string[] | undefined;
  let lineHeard = (): void => undefined;
  const found = (problem: Problem): void => void problems.set(problemText(problem), problem);
  engine.subscribe((event) => {
    if (event.kind === "line") {
      lines.push(event.line);
      lineHeard();
    } else if (event.kind === "problem") found(event.problem);
    else if (event.kind === "hookEnded") {
      const read = event.stdin();
      if (!read) return;
      stdin.set(event.entry.id, read);
      // Later hooks of a group may read what an earlier one changed.
      if (event.entry.dialect === choice.dialect.id) notes ??= notPassedOn(given, read);
    }
  });
  const journal = attachJournal(engine, { ...journalOptions(engine), onProblem: found });
  engine.problems().forEach(found);

  const main = engine.session(options);
  const session = agent ? main.agent(agent) : main;
  const { record, ...outcome } = await session.fire<EventName>(choice.row.on, given.facts, { signal });
  if (record.kind !== "fired") throw new TypeError(`The firing of ${choice.wireName} left no full record.`);
  const background = new Set(engine.hooks().flatMap((entry) => (entry.background ? [entry.id] : [])));
  const left = record.runs.filter(({ entry, status }) => status === "left" && background.has(entry)).map(({ entry }) => entry);
  const late = (): ReadonlyMap<string, RunRecord> => lateRuns(lines, record.id);
  await new Promise<void>((resolve) => {
    lineHeard = () => {
      if (signal.aborted || left.every((entry) => late().has(entry))) resolve();
    };
    signal.addEventListener("abort", lineHeard, { once: true });
    lineHeard();
  });
  await engine.dispose();
  await journal.close();
  return {
    story: storyOf(lines, signal.aborted ? { ...record, outcome: asJson(outcome) } : record, late()),
    outcome,
    problems: [...problems.values()],
    stdin,
    notes: notes ?? [],
  };
}

/** An abort changes what the host is told, and is no hook's doing: the record has what the hooks said. */
function asJson({ messages: _, ...outcome }: Omit<Outcome<EventName>, "record">): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(outcome));
  return isObject(json) ? json : {};
}

const lateRuns = (lines: readonly JournalLine[], firing: string): ReadonlyMap<string, RunRecord> =>
  new Map(lines.flatMap((line) => (line.kind === "late" && line.firing === firing ? [[line.run.entry, line.run] as const] : [])));

/** A hook that ended late has the status and the run of its end, as the journal tells it. */
function storyOf(lines: readonly JournalLine[], fired: FiredRecord, late: ReadonlyMap<string, RunRecord>): Story {
  const plan = lines.find((line) => line.kind === "plan" && line.id === fired.plan);
  const registry = lines.find((line) => line.kind === "registry" && plan?.kind === "plan" && line.id === plan.registry);
  const story = plan?.kind === "plan" && registry?.kind === "registry" ? joined(registry, plan, fired) : undefined;
  if (!story) throw new TypeError(`The record of ${fired.id} does not join with its plan and its registry.`);
  if (late.size === 0) return story;
  const why = "it was still running when the firing ended, which did not wait for it";
  const entries = story.entries.map((entry) => {
    const run = late.get(entry.id);
    return run && entry.status === "left" ? { ...entry, status: run.status, why, run } : entry;
  });
  return { ...story, entries };
}
