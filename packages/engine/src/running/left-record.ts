/** Turns the directory of a run that outlived its host into a ProcessEnd, once it has ended. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { decode } from "./capture.ts";
import type { ProcessEnd, ProcessFate, ProcessOrder } from "./order.ts";
import { LEFT_FILES } from "./watcher.ts";

export const LEFT_PREFIX = "left-";
/** How long after its last moment a run without a note is still given the benefit of the doubt. */
const LOST_MS = 5_000;
/** Signals by the numbers that every POSIX system gives them; a shell reports death by signal n as code 128 + n. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};

/** Made when such a run is looked at: few programs ever do. */
const orderSchema = () =>
  z.object({
    tag: z.string(),
    startedAt: z.number(),
    timeoutMs: z.number(),
    killGraceMs: z.number(),
    drainMs: z.number(),
    maxStdoutBytes: z.number(),
    maxStderrBytes: z.number(),
  });
type LeftOrder = z.infer<ReturnType<typeof orderSchema>>;

export interface LeftRun {
  readonly dir: string;
  /** What the caller gave to `runLeaving` to know the run by. */
  readonly tag: string;
  readonly startedAt: number;
}

/** Notes what will be needed to read the run back. Throws as the file system does. */
export function writeLeftOrder(dir: string, order: ProcessOrder, tag: string, startedAt: number): void {
  const { timeoutMs, killGraceMs, drainMs, maxStdoutBytes, maxStderrBytes } = order;
  const note: LeftOrder = { tag, startedAt, timeoutMs, killGraceMs, drainMs, maxStdoutBytes, maxStderrBytes };
  writeFileSync(join(dir, LEFT_FILES.order), JSON.stringify(note), { mode: 0o600 });
}

/** The runs below `stateDir`, oldest first, whether they have ended or not. A missing directory has none; a directory that is none of ours is passed over. */
export function findLeft(stateDir: string): readonly LeftRun[] {
  const runs: LeftRun[] = [];
  for (const name of namesIn(stateDir)) {
    const dir = join(stateDir, name);
    const order = name.startsWith(LEFT_PREFIX) ? readOrder(dir) : undefined;
    if (order !== undefined) runs.push({ dir, tag: order.tag, startedAt: order.startedAt });
  }
  return runs.sort((a, b) => a.startedAt - b.startedAt);
}

/**
 * How the run in `dir` ended; `undefined` while it runs, and where `dir` is no left run. stdout and stderr are capped as the order said; above
 * the cap `stdoutBytes` and `stderrBytes` may fall short by the block in which it was reached.
 * The note comes from a shell, which reports death by a signal as code 128 + n: such a code is `signalled` here, also where a hook exited with it.
 * A run whose watcher is gone without a note (the machine went down, somebody killed it) was ended by force: `signalled`, SIGKILL.
 */
export function readLeft(dir: string, now: number = Date.now()): ProcessEnd | undefined {
  const order = readOrder(dir);
  if (order === undefined) return undefined;
  const note = readText(join(dir, LEFT_FILES.end));
  if (!note.endsWith("\n"))
    return isLost(dir, order, now) ? endOf(dir, order, now, { kind: "signalled", signal: "SIGKILL" }, undefined, false) : undefined;
  const [kind = "", code = "", pid = "", escaped = ""] = note.trim().split(" ");
  const endedAt = statSync(join(dir, LEFT_FILES.end)).mtimeMs;
  return endOf(dir, order, endedAt, fateOf(kind, Number(code), order), Number(pid), escaped === "1");
}

/** Removes what a run left on disk. Call it after its end has been recorded; while it runs it would lose its end. */
export function forgetLeft(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}

function fateOf(kind: string, code: number, order: LeftOrder): ProcessFate {
  if (kind === "timedOut") return { kind, afterMs: order.timeoutMs };
  if (kind === "cancelled") return { kind };
  const signal = SIGNALS[code - 128];
  return signal === undefined ? { kind: "exited", exitCode: code } : { kind: "signalled", signal };
}

function endOf(dir: string, order: LeftOrder, endedAt: number, fate: ProcessFate, pid: number | undefined, escaped: boolean): ProcessEnd {
  const out = readStream(dir, LEFT_FILES.stdout, order.maxStdoutBytes);
  const err = readStream(dir, LEFT_FILES.stderr, order.maxStderrBytes);
  return {
    startedAt: order.startedAt,
    durationMs: Math.max(0, endedAt - order.startedAt),
    pid,
    stdout: out.text,
    stderr: err.text,
    stdoutBytes: out.bytes,
    stderrBytes: err.bytes,
    stdoutTruncated: out.truncated,
    stderrTruncated: err.truncated,
    escaped,
    readAllStdin: true,
    ...fate,
  };
}

function readStream(
  dir: string,
  name: string,
  maxBytes: number,
): { readonly text: string; readonly bytes: number; readonly truncated: boolean } {
  const path = join(dir, name);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const bytes = size + (Number.parseInt(readText(path + LEFT_FILES.rest), 10) || 0);
  const kept = Buffer.alloc(Math.min(size, maxBytes));
  if (kept.length > 0) {
    const file = openSync(path, "r");
    readSync(file, kept, 0, kept.length, 0);
    closeSync(file);
  }
  const truncated = bytes > kept.length;
  return { text: decode(kept, truncated), bytes, truncated };
}

function isLost(dir: string, order: LeftOrder, now: number): boolean {
  if (now < order.startedAt + order.timeoutMs + order.killGraceMs + order.drainMs + LOST_MS) return false;
  const watcher = Number.parseInt(readText(join(dir, LEFT_FILES.watcher)), 10);
  if (!(watcher > 1)) return true;
  try {
    process.kill(watcher, 0);
    return false;
  } catch {
    // ESRCH: gone. EPERM: the number has gone to somebody else.
    return true;
  }
}

function readOrder(dir: string): LeftOrder | undefined {
  try {
    return orderSchema().parse(JSON.parse(readFileSync(join(dir, LEFT_FILES.order), "utf8")));
  } catch {
    // No such file, half a file, or not ours: in each case there is no run to read.
    return undefined;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // ENOENT: not written yet.
    return "";
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    // ENOENT: nothing was ever left.
    return [];
  }
}
