/** Turns one shell command into what it printed and how it ended, within bounds of time and size. */
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { endGroup, groupMembers } from "./end-group.ts";
import { keepEnds } from "./keep-ends.ts";

/** A command with its bounds. `onOutput` gets whole characters, as they come, and must not throw. */
export interface BashCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly killGraceMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

/** How a command ended. `left`: processes of its group that go on in the background. Nothing of it is ever guessed: absent is unknown. */
export type BashRun =
  | { readonly ended: "notStarted"; readonly problem: string }
  | {
      readonly ended: "exited" | "timedOut" | "cancelled";
      readonly exitCode: number | undefined;
      readonly signal: NodeJS.Signals | undefined;
      /** Standard output and standard error in the order of writing, without terminal control sequences. */
      readonly output: string;
      readonly left: readonly number[];
      /** Something still holds the command's output although nobody of its group is left: it has moved to a group of its own. */
      readonly escaped: boolean;
    };

/** After the command has exited, its output is waited for this long: a background process may hold the pipe for ever. */
const DRAIN_MS = 250;

/**
 * Runs in a process group of its own, without a terminal and with nothing on standard input. At its time limit and on abort the whole
 * group is ended (SIGTERM, then SIGKILL). A command that exits and leaves processes behind is not waited for; they go on.
 */
export async function runBash(order: BashCommand): Promise<BashRun> {
  const child = start(order);
  if (typeof child === "string") return { ended: "notStarted", problem: child };
  const pgid = child.pid;
  if (pgid === undefined) return { ended: "notStarted", problem: (await firstError(child)).message };
  const kept = keepEnds(order.maxOutputBytes);
  const decoder = new TextDecoder();
  let listening = true;
  child.stdout?.on("data", (chunk: Buffer) => {
    // A process left behind is read on, so that a full pipe does not stop it, but nobody is told any more.
    if (!listening) return;
    kept.add(chunk);
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") order.onOutput?.(text);
  });
  const closed = new Promise<void>((resolve) => void child.stdout?.once("close", () => resolve()));
  const exited = new Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });

  const why = await firstOf(exited, order);
  if (why !== "exited") await endGroup(pgid, order.killGraceMs);
  // A process in uninterruptible sleep survives SIGKILL: the bound of endGroup holds, not its death.
  const end = await Promise.race([exited, ...(why === "exited" ? [] : [sleep(DRAIN_MS).then(() => ({ code: null, signal: null }))])]);
  const isClosed = await Promise.race([closed.then(() => true), sleep(DRAIN_MS).then(() => false)]);
  listening = false;
  child.unref();
  if (child.stdout instanceof Socket) child.stdout.unref();
  const left = await groupMembers(pgid);
  return {
    ended: why,
    exitCode: end.code ?? undefined,
    signal: end.signal ?? undefined,
    output: stripVTControlCharacters(kept.text()),
    left,
    escaped: !isClosed && left.length === 0,
  };
}

/** The second bash takes the place of the first, which is there to send both streams down one pipe, in order. */
const BOTH_STREAMS = 'exec bash -c "$0" 2>&1';

function start({ command, cwd, env }: BashCommand): ChildProcess | string {
  try {
    return spawn("bash", ["-c", BOTH_STREAMS, command], { cwd, env: { ...env }, detached: true, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return whyNotStarted(error);
  }
}

/** E2BIG is thrown, not emitted: a command or a variable of more than 128 kB. */
export const whyNotStarted = (error: unknown): string =>
  error instanceof Error && "code" in error && error.code === "E2BIG"
    ? "it is longer than the system takes (E2BIG); write what is long into a file first"
    : error instanceof Error
      ? error.message
      : String(error);

const firstError = (child: ChildProcess): Promise<Error> => new Promise((resolve) => void child.once("error", resolve));

function firstOf(exited: Promise<unknown>, { timeoutMs, signal }: BashCommand): Promise<"exited" | "timedOut" | "cancelled"> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle("timedOut"), timeoutMs);
    const onAbort = (): void => settle("cancelled");
    const settle = (why: "exited" | "timedOut" | "cancelled"): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(why);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    void exited.then(() => settle("exited"));
  });
}
