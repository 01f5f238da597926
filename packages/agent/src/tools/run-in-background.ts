/** Turns one shell command into a process that goes on by itself, with its output in a file. */
import { spawn } from "node:child_process";
import { mkdtemp, open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BashCommand, whyNotStarted } from "./run-bash.ts";

/** `exit` is there when the command had ended before we looked away; `output` is what the file held by then. */
export type BackgroundRun =
  | { readonly ok: false; readonly problem: string }
  | {
      readonly ok: true;
      readonly pid: number;
      readonly outputFile: string;
      readonly output: string;
      readonly exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined;
    };

/** Long enough to see a wrong name or a port in use, short enough not to be felt. */
const LOOK_MS = 300;

/** The command leads a process group of its own (`kill -- -<pid>` ends all of it), outlives us, and has neither terminal nor input. */
export async function runInBackground({
  command,
  cwd,
  env,
  maxOutputBytes,
}: Pick<BashCommand, "command" | "cwd" | "env" | "maxOutputBytes">): Promise<BackgroundRun> {
  const outputFile = join(await mkdtemp(join(tmpdir(), "carabiner-shell-")), "output.log");
  const file = await open(outputFile, "a", 0o600);
  try {
    const child = spawn("bash", ["-c", command], { cwd, env: { ...env }, detached: true, stdio: ["ignore", file.fd, file.fd] });
    const failed = new Promise<Error>((resolve) => void child.once("error", resolve));
    if (child.pid === undefined) return { ok: false, problem: (await failed).message };
    const exited = new Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const exit = await Promise.race([exited, sleep(LOOK_MS).then(() => undefined)]);
    child.unref();
    return {
      ok: true,
      pid: child.pid,
      outputFile,
      exit,
      output: (await readFile(outputFile)).subarray(0, maxOutputBytes).toString("utf8"),
    };
  } catch (error) {
    return { ok: false, problem: whyNotStarted(error) };
  } finally {
    await file.close();
  }
}
