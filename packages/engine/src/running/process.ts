/** Turns one order into one bounded process, and its exit, signal, timeout or failed start into a ProcessEnd. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { onAbort } from "./aborts.ts";
import { type Capture, createCapture } from "./capture.ts";
import { endGroup, forgetGroup, rememberGroup } from "./group.ts";
import { liveMemberOf } from "./live-member.ts";
import { describeStartFailure } from "./not-started.ts";
import type { ProcessEnd, ProcessFate, ProcessOrder } from "./order.ts";

/** How often a group that was asked to end is looked at. */
const POLL_MS = 10;
/** How long the pipes of a dead group, and the notice of a killed process, are waited for: the rest of the bound that runProcess promises. */
const CLOSE_MS = 50;
/** How much longer for what was killed and has not died yet: a busy machine, not a process that escaped. */
const DYING_MS = 1_000;

/**
 * Starts the process as the leader of its own group, feeds it, and waits for its end. Never rejects; settles within
 * `timeoutMs + killGraceMs + drainMs` and about 100 ms, whatever the process and its descendants do; on a machine that is too busy to bury the dead, a
 * second later.
 *
 * The process's own exit ends the run. Output is read for `drainMs` more if somebody else still holds the pipes, then the rest of the group
 * is killed; what was printed by then counts. A timeout or an abort asks the whole group (TERM) and kills what is left of it after
 * `killGraceMs`. Afterwards no timer, listener or pipe of the run keeps the host alive.
 * Source: the contracts, "Running".
 */
export function runProcess(order: ProcessOrder): Promise<ProcessEnd> {
  const begun: Begun = { startedAt: Date.now(), tick: performance.now() };
  if (order.signal?.aborted) return Promise.resolve(neverRan(begun, { kind: "cancelled" }));
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(order.line.file, order.line.args, {
      cwd: order.cwd,
      env: order.env,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: "pipe",
    });
  } catch (error) {
    return Promise.resolve(neverRan(begun, { kind: "notStarted", message: describeStartFailure(error, order) }));
  }
  return new Promise((resolve) => {
    const { pid } = child;
    if (pid !== undefined) watch(child, pid, order, begun, resolve);
    else child.once("error", (error) => resolve(neverRan(begun, { kind: "notStarted", message: describeStartFailure(error, order) })));
  });
}

export interface Begun {
  readonly startedAt: number;
  readonly tick: number;
}

function watch(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  order: ProcessOrder,
  begun: Begun,
  resolve: (end: ProcessEnd) => void,
): void {
  const stdout = createCapture(order.maxStdoutBytes, order.budget);
  const stderr = createCapture(order.maxStderrBytes);
  let openPipes = 2;
  let exited = false;
  /** What the run comes to: its exit, or what made us end it, whichever was first. */
  let fate: ProcessFate | undefined;
  let asked = false;
  let forced = false;
  let phaseUntil = 0;
  let settled = false;
  let timer: NodeJS.Timeout | undefined;

  const after = (ms: number, act: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
  // A host that was busy fires its timers before it reads what has long been there; one turn later it has read it.
  const afterReading = (ms: number, act: () => void): void =>
    after(ms, () => {
      setImmediate(() => {
        if (!settled) act();
      });
    });

  const settle = (): void => {
    if (settled || fate === undefined) return;
    settled = true;
    clearTimeout(timer);
    stopListening?.();
    forgetGroup(pid);
    const escaped = openPipes > 0;
    if (escaped) letGo(child);
    if (!exited) child.unref();
    const out = stdout.read();
    const err = stderr.read();
    resolve({
      startedAt: begun.startedAt,
      durationMs: performance.now() - begun.tick,
      pid,
      stdout: out.text,
      stderr: err.text,
      stdoutBytes: out.bytes,
      stderrBytes: err.bytes,
      stdoutTruncated: out.truncated,
      stderrTruncated: err.truncated,
      escaped,
      readAllStdin: input.taken,
      ...fate,
    });
  };

  const members = liveMemberOf(pid);
  const isAlive = (): boolean => endGroup(pid, "probe") && (!exited || members.exists() !== false);
  const settleWhenClosed = (): void => {
    if (openPipes === 0 && exited) settle();
    else afterReading(CLOSE_MS, () => settleUnlessDying(performance.now() + DYING_MS));
  };
  const settleUnlessDying = (until: number): void => {
    if ((openPipes === 0 && exited) || performance.now() >= until || !isAlive()) settle();
    else afterReading(POLL_MS, () => settleUnlessDying(until));
  };
  const sweep = (): void => {
    endGroup(pid, "sweep");
    settleWhenClosed();
  };

  const pursue = (): void => {
    const now = performance.now();
    if (!isAlive()) settleWhenClosed();
    else if (now < phaseUntil) after(Math.min(POLL_MS, phaseUntil - now), pursue);
    else if (forced) settle();
    else {
      forced = true;
      endGroup(pid, "force");
      phaseUntil = now + CLOSE_MS + DYING_MS;
      after(POLL_MS, pursue);
    }
  };
  const end = (cause: ProcessFate): void => {
    if (settled || asked) return;
    if (exited) {
      sweep();
      return;
    }
    asked = true;
    fate = cause;
    child.stdin.destroy();
    endGroup(pid, "ask");
    phaseUntil = performance.now() + order.killGraceMs;
    pursue();
  };
  const stopListening = order.signal && onAbort(order.signal, () => end({ kind: "cancelled" }));

  const advance = (): void => {
    if (settled || !exited) return;
    if (asked) pursue();
    else if (openPipes === 0) sweep();
  };

  const input = feed(child.stdin, order.stdin);
  const onPipeClosed = (): void => {
    openPipes -= 1;
    advance();
  };
  collect(child.stdout, stdout, onPipeClosed);
  collect(child.stderr, stderr, onPipeClosed);
  child.once("exit", (code, signal) => {
    exited = true;
    fate ??= code === null ? { kind: "signalled", signal: signal ?? "unknown" } : { kind: "exited", exitCode: code };
    if (!asked && openPipes > 0) afterReading(order.drainMs, sweep);
    advance();
  });
  // After the start a child process reports here only that it could not be signalled, which this room does by itself.
  child.on("error", () => undefined);
  rememberGroup(pid);
  afterReading(order.timeoutMs, () => {
    if (!exited) end({ kind: "timedOut", afterMs: order.timeoutMs });
  });
}

function collect(stream: Readable, capture: Capture, onClosed: () => void): void {
  let open = true;
  const closed = (): void => {
    if (!open) return;
    open = false;
    onClosed();
  };
  stream.on("data", capture.take);
  stream.on("end", closed);
  stream.on("error", closed);
}

/** A hook need not read: EPIPE and ECONNRESET are its good right, and say only that not everything was taken. */
function feed(stream: Writable, bytes: Uint8Array): { readonly taken: boolean } {
  const input = { taken: false };
  stream.on("error", () => undefined);
  stream.write(bytes, (error) => {
    // A write that the stream's destruction has cut off is called back without an error.
    if (!error && !stream.destroyed) input.taken = true;
  });
  stream.end();
  return input;
}

function letGo(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

export function neverRan(begun: Begun, fate: ProcessFate): ProcessEnd {
  return {
    startedAt: begun.startedAt,
    durationMs: performance.now() - begun.tick,
    pid: undefined,
    stdout: "",
    stderr: "",
    stdoutBytes: 0,
    stderrBytes: 0,
    stdoutTruncated: false,
    stderrTruncated: false,
    escaped: false,
    readAllStdin: false,
    ...fate,
  };
}
