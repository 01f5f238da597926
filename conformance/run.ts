/** Turns one case into what really came of it: files in a folder of its own, real hook processes, one firing. */
import { setImmediate } from "node:timers/promises";
import { createEngine, type JournalLine } from "@carabiner/engine";
import { DIALECTS, type Dialect, dialectById } from "../packages/engine/src/dialects/index.ts";
import {
  type EntryRecord,
  type FiredRecord,
  type Json,
  type JsonObject,
  joined,
  type Story,
} from "../packages/engine/src/protocol/index.ts";
import { cameToItsEnd, children, release } from "./act.ts";
import type { Case } from "./cases.ts";
import { differences, type Observed } from "./compare.ts";
import { layersOf, type Stage, stageOf } from "./stage.ts";

/** Runs a case and says, one line each, how what came of it differs from what must. None: the case holds. */
export async function runCase(dialectId: string, one: Case): Promise<readonly string[]> {
  const dialect = dialectById(dialectId);
  if (!dialect) throw new Error(`There is no dialect ${dialectId}.`);
  const stage = stageOf(one, dialect);
  try {
    return await runOn(stage, dialect, one);
  } finally {
    for (const pid of children(stage.acts)) endQuietly(pid);
    stage.remove();
  }
}

/** The same on a stage that is there already and stays. */
export async function runOn(stage: Stage, dialect: Dialect, one: Case): Promise<readonly string[]> {
  const observed = await observe(dialect, one, stage);
  return differences(stage.filled(one.expect), observed, stage, dialect.id);
}

async function observe(dialect: Dialect, one: Case, stage: Stage): Promise<Observed> {
  const { permissionMode } = one;
  const engine = createEngine({
    cwd: stage.project,
    home: stage.home,
    env: stage.env,
    dialects: [dialect.id],
    record: "every",
    stateDir: stage.state,
    ...(isLeft(one) ? {} : patientWith(dialect, one)),
    ...(one.trust === undefined ? {} : { trust: one.trust }),
    ...(one.folderTrust === undefined ? {} : { folderTrust: one.folderTrust }),
  });
  const lines: JournalLine[] = [];
  engine.subscribe((event) => {
    if (event.kind === "line") lines.push(event.line);
  });
  try {
    const main = engine.session({
      id: "session-1",
      transcriptPath: `${stage.root}/transcript.jsonl`,
      plansDir: `${stage.root}/plans`,
      cwd: () => stage.cwd,
      ...(permissionMode === undefined ? {} : { permissionMode: () => permissionMode }),
    });
    const session = one.agent ? main.agent(one.agent) : main;
    const fire = (event: string, input: unknown, more: unknown) => {
      const row = dialect.rows[event];
      if (!row) throw new Error(`${dialect.title} has no event ${event}.`);
      // The row keeps event, facts and example together; which row it is, only the case knows.
      const factsOf = row.facts as (fields: unknown, example: unknown) => object;
      return session.fire(row.on, { ...factsOf(stage.filled(input ?? {}), row.example), ...stage.filled(more ?? {}) } as never);
    };
    for (const earlier of one.before ?? []) {
      stage.writeSettings(earlier.settings ?? layersOf(one));
      await fire(earlier.event, earlier.input, {});
      // Settings are looked at once a turn of the event loop.
      await setImmediate();
    }
    stage.writeSettings(layersOf(one));
    const began = performance.now();
    const { messages, record, ...outcome } = await fire(one.event, one.input, one.facts);
    const tookMs = performance.now() - began;
    release(stage.acts);
    // Disposing of the engine ends what runs in the background.
    for (const hook of one.expect.finishesLater ?? []) await cameToItsEnd(stage.acts, hook);
    if (record.kind !== "fired") throw new Error("The firing left no full record.");
    const story = storyOf(lines, record);
    const labels = labelled(story.entries, Object.keys(one.hooks ?? {}));
    return {
      story,
      outcome: plainly(outcome),
      kept: "context" in outcome ? outcome.context.map(({ entry }) => entry) : undefined,
      messages,
      problems: [...record.problems, ...record.runs.flatMap((run) => run.problems)],
      settingsProblems: engine.problems(),
      tookMs,
      labels,
      label: (entry) => labels.get(entry) ?? entry,
    };
  } finally {
    await engine.dispose();
  }
}

/** How long hooks that end by themselves are waited for where the contract leaves them after half a second: a busy machine must not decide the case. */
const PATIENT_MS = 15_000;
/** As the tables are before anybody flips a cell: a flip must not lengthen a wait. */
const PATIENT = new Set(
  DIALECTS.flatMap(({ id, rows }) => Object.keys(rows).flatMap((event) => (rows[event]?.patience ? [`${id} ${event}`] : []))),
);
const patientWith = ({ id }: Dialect, { event }: Case) => (PATIENT.has(`${id} ${event}`) ? { leaveAfterMs: PATIENT_MS } : {});
/** What is left has the contract's own bound. */
const isLeft = ({ expect }: Case): boolean => Object.values(expect.statuses ?? {}).includes("left");

/** The record must be readable as a reader of the journal reads it: three lines joined by their ids. */
function storyOf(lines: readonly JournalLine[], fired: FiredRecord): Story {
  const plan = lines.find((line) => line.kind === "plan" && line.id === fired.plan);
  const registry = lines.find((line) => line.kind === "registry" && plan?.kind === "plan" && line.id === plan.registry);
  const story = plan?.kind === "plan" && registry?.kind === "registry" ? joined(registry, plan, fired) : undefined;
  if (!story) throw new Error("The firing's record does not join with its plan and registry.");
  return story;
}

/** A hook's name in the case; with its layer where it is configured in several, and a number where that is not enough. */
function labelled(entries: readonly EntryRecord[], hooks: readonly string[]): ReadonlyMap<string, string> {
  const plain = (entry: EntryRecord): string =>
    hooks.find((hook) => new RegExp(`/acts/${hook}(?![\\w.])`).test(entry.command ?? "")) ?? entry.name;
  const taken = new Map<string, string>();
  for (const entry of entries) {
    const alike = entries.filter((other) => plain(other) === plain(entry));
    const layered = alike.length > 1 ? `${plain(entry)}@${entry.scope}` : plain(entry);
    const before = [...taken.values()].filter((label) => label === layered || label.startsWith(`${layered}#`)).length;
    taken.set(entry.id, before === 0 ? layered : `${layered}#${before + 1}`);
  }
  return taken;
}

/** The outcome as data: contexts are looked at apart, and what is undefined is not there. */
function plainly({ context: _, ...outcome }: Record<string, unknown>): JsonObject {
  return JSON.parse(JSON.stringify(outcome)) as Record<string, Json>;
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // ESRCH: it is gone, as it should be.
  }
}
