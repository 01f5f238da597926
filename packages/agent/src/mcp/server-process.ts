/** Turns a command into a running server in a process group of its own, and the group into nothing at the end. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { tailOf } from "./stderr-tail.ts";

/** What to run. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Resolves when the process has ended and its output is read, or 300 ms after its end if somebody else holds the pipe. */
  readonly ended: Promise<void>;
  /** How it ended; `undefined` while it runs. */
  readonly ending: () => string | undefined;
  /** The end of what it said on stderr; `""` when it said nothing. */
  readonly said: () => string;
  /** Closes stdin, then SIGTERM, then SIGKILL, to the whole group, `graceMs` apart. Resolves when the group has been killed. */
  readonly end: (graceMs: number) => Promise<void>;
}

const DRAIN_MS = 300;

/** Rejects with the error of `spawn` when the command cannot be started. */
export async function startServer({ command, args, env, cwd }: ServerCommand): Promise<ServerProcess> {
  const child = spawn(command, args, {
    env,
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const stderr = tailOf(child.stderr);
  let hasExited = false;
  const exited = new Promise<void>((resolve) =>
    child.once("exit", () => {
      hasExited = true;
      resolve();
    }),
  );
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const pid = child.pid ?? 0;
  child.on("error", () => undefined);
  // A server that is gone does not read: EPIPE is told by `ended`.
  child.stdin?.on("error", () => undefined);
  remember(pid);
  const ended = exited.then(async () => {
    await Promise.race([closed, sleep(DRAIN_MS)]);
    kill(pid, "SIGKILL");
    forget(pid);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  });
  return {
    child,
    ended,
    ending: () => (hasExited ? how(child) : undefined),
    said: stderr,
    end: async (graceMs) => {
      child.stdin?.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        if (await within(exited, graceMs)) break;
        kill(pid, signal);
      }
      await ended;
    },
  };
}

async function within(done: Promise<void>, ms: number): Promise<boolean> {
  const patience = new AbortController();
  const late = sleep(ms, false, { signal: patience.signal }).catch(() => false);
  const inTime = await Promise.race([done.then(() => true), late]);
  patience.abort();
  return inTime;
}

const how = (child: ChildProcess): string => (child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`);

/** Servers still running when the agent's process exits are killed with it: nobody else would end them. */
const running = new Set<number>();

function remember(pid: number): void {
  if (running.size === 0) process.on("exit", killAll);
  running.add(pid);
}

function forget(pid: number): void {
  running.delete(pid);
  if (running.size === 0) process.off("exit", killAll);
}

function killAll(): void {
  for (const pid of running) kill(pid, "SIGKILL");
}

function kill(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    spawn("taskkill", ["/PID", String(pid), "/T", ...(signal === "SIGKILL" ? ["/F"] : [])], { stdio: "ignore", windowsHide: true }).on(
      "error",
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the group is gone. EPERM: only others' processes or dead ones are left in it.
  }
}
