/** Turns an order into a run that may outlive its host: waited for a moment, then left to itself under a watcher. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve as absolute, join } from "node:path";
import { onAbort } from "./aborts.ts";
import { forgetLeft, LEFT_PREFIX, readLeft, writeLeftOrder } from "./left-record.ts";
import { describeStartFailure } from "./not-started.ts";
import type { ProcessEnd, ProcessOrder } from "./order.ts";
import { neverRan, runProcess } from "./process.ts";
import { watcherLine } from "./watcher.ts";

export interface LeavingPatience {
  /** How long the run is waited for. Source: contracts/gemini.md, SessionEnd: 500. */
  readonly waitMs: number;
  /** Where the runs that outlive their hosts keep their files; made if missing, for this user only. Where it cannot be written: the system's directory for temporary files. */
  readonly stateDir: string;
  /** What `findLeft` gives back to know the run by. */
  readonly tag: string;
}

/** The run goes on without us. `pid` is that of its watcher; `dir` is for `readLeft`. */
export interface LeftBehind {
  readonly kind: "left";
  readonly pid: number;
  readonly dir: string;
  readonly startedAt: number;
  readonly afterMs: number;
}

/**
 * Runs the order so that it survives the end of this process: its pipes belong to a small watcher in a session of its own, which ends the
 * group at the timeout as `runProcess` does, keeps what is printed on disk up to the caps, and notes the end. The input is a file, so it is all there.
 * Settles with the end if that comes within `waitMs`, else with where to find it later; never rejects. The order's `budget` does not apply.
 * An abort while it is waited for ends the run: `cancelled`, or `left` where that takes longer than `waitMs`.
 * On Windows, which has no bash to watch over it, the run is waited for to its end.
 */
export async function runLeaving(order: ProcessOrder, patience: LeavingPatience): Promise<ProcessEnd | LeftBehind> {
  if (process.platform === "win32") return runProcess(order);
  const begun = { startedAt: Date.now(), tick: performance.now() };
  if (order.signal?.aborted) return neverRan(begun, { kind: "cancelled" });
  let dir: string;
  try {
    dir = prepare(order, patience, begun.startedAt);
  } catch (error) {
    const where = `its files cannot be written under ${JSON.stringify(patience.stateDir)}`;
    return neverRan(begun, { kind: "notStarted", message: `Could not start the hook: ${where} (${String(error)}).` });
  }
  const line = watcherLine(order, dir);
  let child: ChildProcess;
  try {
    child = startWatcher(order, line.file, line.args, dir);
  } catch (error) {
    forgetLeft(dir);
    return neverRan(begun, { kind: "notStarted", message: describeStartFailure(error, { ...order, line }) });
  }
  return new Promise((resolve) => {
    child.once("error", (error) => {
      forgetLeft(dir);
      resolve(neverRan(begun, { kind: "notStarted", message: describeStartFailure(error, { ...order, line }) }));
    });
    const { pid } = child;
    if (pid !== undefined) wait(child, pid, order, dir, begun, patience.waitMs, resolve);
  });
}

function wait(
  child: ChildProcess,
  pid: number,
  order: ProcessOrder,
  dir: string,
  begun: { readonly startedAt: number; readonly tick: number },
  waitMs: number,
  resolve: (end: ProcessEnd | LeftBehind) => void,
): void {
  const stopListening = order.signal && onAbort(order.signal, () => child.kill("SIGTERM"));
  const stop = (): void => {
    clearTimeout(timer);
    stopListening?.();
    child.removeAllListeners("exit");
    child.unref();
  };
  const timer = setTimeout(() => {
    stop();
    resolve({ kind: "left", pid, dir, startedAt: begun.startedAt, afterMs: performance.now() - begun.tick });
  }, waitMs);
  child.once("exit", () => {
    stop();
    const end = readLeft(dir, Number.POSITIVE_INFINITY) ?? neverRan(begun, { kind: "signalled", signal: "SIGKILL" });
    forgetLeft(dir);
    resolve({ ...end, durationMs: performance.now() - begun.tick });
  });
}

/** A home that is read-only or full keeps no hook from running: then its files are among the temporary ones, where no later host looks for its end. */
function prepare(order: ProcessOrder, { stateDir, tag }: LeavingPatience, startedAt: number): string {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    return prepareIn(join(absolute(stateDir), LEFT_PREFIX), order, tag, startedAt);
  } catch (error) {
    try {
      return prepareIn(join(tmpdir(), `carabiner-${LEFT_PREFIX}`), order, tag, startedAt);
    } catch {
      // What was asked for is what is told.
      throw error;
    }
  }
}

function prepareIn(prefix: string, order: ProcessOrder, tag: string, startedAt: number): string {
  const dir = mkdtempSync(prefix);
  try {
    writeLeftOrder(dir, order, tag, startedAt);
    writeFileSync(join(dir, STDIN), order.stdin, { mode: 0o600 });
    return dir;
  } catch (error) {
    forgetLeft(dir);
    throw error;
  }
}
const STDIN = "stdin";

function startWatcher(order: ProcessOrder, file: string, args: readonly string[], dir: string): ChildProcess {
  const path = join(dir, STDIN);
  const stdin = openSync(path, "r");
  // The open file is enough for the hook: what it was told does not stay on the disk.
  unlinkSync(path);
  try {
    return spawn(file, args, { cwd: order.cwd, env: order.env, detached: true, stdio: [stdin, "ignore", "ignore"] });
  } finally {
    closeSync(stdin);
  }
}
