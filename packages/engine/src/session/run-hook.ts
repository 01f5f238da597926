/** Turns one hook call into one Run: a process of its own, a process that may outlive the host, or a function of the host. */
import { statSync } from "node:fs";
import type { AnyRow, Dialect, SessionWords } from "../dialects/index.ts";
import type { HookCall } from "../firing/index.ts";
import { type Entry, type Problem, problem, type Run, type Runner } from "../protocol/index.ts";
import {
  addVariables,
  type CommandLine,
  commandLine,
  createOutputBudget,
  type Environment,
  type LeftBehind,
  type OutputBudget,
  onAbort,
  type Pool,
  type ProcessEnd,
  type ProcessOrder,
  runLeaving,
  runProcess,
} from "../running/index.ts";
import { either } from "./aborting.ts";

/** What all runs of one engine have in common; values that settings may change are asked for each time. */
export interface RunningWorld {
  readonly platform: NodeJS.Platform;
  readonly pool: Pool;
  readonly leftDir: string;
  /** In place of what the dialect's table says. */
  readonly leaveAfterMs: number | undefined;
  readonly limits: () => { readonly maxStdoutBytes: number; readonly killGraceMs: number; readonly drainMs: number };
  /** The sanitised environment of the host, before anything is added. */
  readonly environment: (dialect: Dialect) => Environment;
}
export interface RunContext {
  readonly firing: string;
  readonly session: SessionWords;
  /** The host's own. */
  readonly signal: AbortSignal | undefined;
  /** The engine's end. A run that may outlive the host outlives that, too. */
  readonly ending: AbortSignal;
  readonly budget: OutputBudget;
}

const MAX_STDERR_BYTES = 1024 * 1024;
/** Source: the Gemini contract, "Running": stdout is capped at 256 MiB a firing. */
const MAX_FIRING_BYTES = 256 * 1024 * 1024;
export const firingBudget = (): OutputBudget => createOutputBudget(MAX_FIRING_BYTES);

/** Never rejects. */
export function runHook(world: RunningWorld, call: HookCall, context: RunContext): Promise<Run> {
  const { run } = call.entry;
  if (run.kind === "function") return callFunction(call, run, either(context.signal, context.ending));
  const { dialect, row, input } = call;
  if (!dialect || !row || !input) throw new TypeError(`The command hook ${call.entry.id} was called without its dialect.`);
  return world.pool.run(() => startProcess(world, call.entry, run, dialect, row, input.bytes(), context));
}

async function startProcess(
  world: RunningWorld,
  entry: Entry,
  runner: Exclude<Runner, { kind: "function" }>,
  dialect: Dialect,
  row: AnyRow,
  stdin: Uint8Array,
  context: RunContext,
): Promise<Run> {
  const { session } = context;
  const place = whereToRun(entry, dialect, session);
  const { env: base, withheld } = world.environment(dialect);
  const env = environmentOf(entry, runner, dialect, session, place.cwd, base, world.platform);
  const line = lineOf(entry, runner, world.platform, env, dialect);
  const order: ProcessOrder = {
    line,
    cwd: place.cwd,
    env,
    stdin,
    timeoutMs: entry.timeoutMs,
    maxStderrBytes: MAX_STDERR_BYTES,
    budget: context.budget,
    ...world.limits(),
  };
  const { patience } = row;
  const waitMs = patience?.then === "leave" && patience.waitMs !== "untilDone" ? (world.leaveAfterMs ?? patience.waitMs) : undefined;
  const end =
    waitMs === undefined
      ? await runProcess({ ...order, signal: either(context.signal, context.ending) })
      : await runLeaving(context.signal ? { ...order, signal: context.signal } : order, {
          waitMs,
          stateDir: world.leftDir,
          tag: `${context.firing} ${entry.id}`,
        });
  const shell = runner.kind === "shell" ? { shell: line.file } : {};
  return runOf(end, { cwd: place.cwd, ...shell, ...(withheld.length > 0 ? { withheld } : {}), problems: place.problems });
}

type Around = Pick<Run, "cwd" | "shell" | "withheld" | "problems">;
function runOf(end: ProcessEnd | LeftBehind, around: Around): Run {
  if (end.kind === "left") {
    const { afterMs, pid, startedAt } = end;
    return { ...around, ...NOTHING_PRINTED, kind: "left", afterMs: Math.round(afterMs), pid, startedAt, durationMs: afterMs };
  }
  const { stdoutTruncated, stderrTruncated, pid, readAllStdin: _, ...rest } = end;
  const truncated = [...(stdoutTruncated ? (["stdout"] as const) : []), ...(stderrTruncated ? (["stderr"] as const) : [])];
  return { ...rest, ...around, truncated, ...(pid === undefined ? {} : { pid }) };
}
const NOTHING_PRINTED = { stdout: "", stderr: "", stdoutBytes: 0, stderrBytes: 0, truncated: [], escaped: false } as const;

/** The event's directory; if it is gone, the project's, with a Problem. Source: the Gemini contract, "Running". */
function whereToRun(
  entry: Entry,
  dialect: Dialect,
  session: SessionWords,
): { readonly cwd: string; readonly problems: readonly Problem[] } {
  const wanted = session[dialect.runsIn];
  if (wanted === session.projectDir || isDirectory(wanted)) return { cwd: wanted, problems: [] };
  return {
    cwd: session.projectDir,
    problems: [problem("CWD_GONE", { entry: entry.id }, { cwd: wanted, used: session.projectDir }, entry.name)],
  };
}
function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // EACCES, ENAMETOOLONG, a NUL in the name: nothing can be started there
  }
}

/** Nothing in it depends on the firing: it is put together again when the settings, the session or a directory are others. */
const environments = new WeakMap<Entry, { readonly base: object; readonly of: string; readonly env: Readonly<Record<string, string>> }>();
function environmentOf(
  entry: Entry,
  runner: Exclude<Runner, { kind: "function" }>,
  dialect: Dialect,
  session: SessionWords,
  cwd: string,
  base: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> {
  const of = [session.id, cwd, session.projectDir, session.plansDir].join("\0");
  const known = environments.get(entry);
  if (known?.base === base && known.of === of) return known.env;
  const env = addVariables(base, ownVariables(dialect, session, cwd), runner.env, platform);
  environments.set(entry, { base, of, env });
  return env;
}

function ownVariables(dialect: Dialect, session: SessionWords, cwd: string): Record<string, string> {
  const values = { projectDir: session.projectDir, cwd, sessionId: session.id, plansDir: session.plansDir };
  return Object.fromEntries(Object.entries(dialect.environment).map(([name, holds]) => [name, values[holds]]));
}

/** Reading a command's quotes takes longer than starting it: for the shells whose line depends on the entry alone it is done once. */
const lines = new WeakMap<Entry, CommandLine>();
function lineOf(
  entry: Entry,
  runner: Exclude<Runner, { kind: "function" }>,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string>>,
  dialect: Dialect,
): CommandLine {
  const known = lines.get(entry);
  if (known) return known;
  const variables = runner.kind === "exec" ? dialect.expands.inArgs : Object.keys(dialect.environment);
  const line = commandLine(runner, platform, env, variables);
  if (runner.kind === "shell" && platform !== "win32") lines.set(entry, line);
  return line;
}

async function callFunction(call: HookCall, runner: Extract<Runner, { kind: "function" }>, outer: AbortSignal): Promise<Run> {
  const startedAt = Date.now();
  const began = performance.now();
  const end = <E extends object>(how: E) => ({
    startedAt,
    durationMs: performance.now() - began,
    problems: [],
    ...NOTHING_PRINTED,
    ...how,
  });
  if (outer.aborted) return end({ kind: "cancelled" } as const);
  const { timeoutMs } = call.entry;
  // Not AbortSignal.any: the engine's end outlives every call, and would remember each of them.
  const { signal, abort } = abortable();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    abort();
  }, timeoutMs);
  const stopListening = onAbort(outer, abort);
  let giveUp = (): void => undefined;
  const ended = new Promise<"aborted">((resolve) => {
    giveUp = () => resolve("aborted");
    signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    const answer = await Promise.race([ended, Promise.resolve(call.facts).then((facts) => runner.call(facts, { signal }))]);
    if (answer !== "aborted") return end({ kind: "returned", opinion: answer } as const);
    return timedOut ? end({ kind: "timedOut", afterMs: timeoutMs } as const) : end({ kind: "cancelled" } as const);
  } catch (error) {
    return end({ kind: "threw", message: error instanceof Error ? error.message : String(error) } as const);
  } finally {
    clearTimeout(timer);
    stopListening();
    signal.removeEventListener("abort", giveUp);
  }
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
