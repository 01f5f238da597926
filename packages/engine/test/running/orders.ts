// Turns a line for bash, or orders for the fixture program, into a whole ProcessOrder, and looks for what a run left behind.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { addVariables, commandLine, type ProcessOrder } from "../../src/running/index.ts";

const act = fileURLToPath(new URL("../fixtures/act.mjs", import.meta.url));

export const plainEnv = addVariables(
  { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: process.env["HOME"] ?? "/" },
  {},
  {},
  process.platform,
);

/** A run of `command` by bash: 10 s to do it in, the default limits, an empty object on stdin. */
export function bash(command: string, more: Partial<ProcessOrder> = {}): ProcessOrder {
  return {
    line: commandLine({ kind: "shell", command }, "linux", plainEnv, []),
    cwd: tmpdir(),
    env: plainEnv,
    stdin: Buffer.from("{}"),
    timeoutMs: 10_000,
    killGraceMs: 1_000,
    drainMs: 300,
    maxStdoutBytes: 64 * 1024 * 1024,
    maxStderrBytes: 1024 * 1024,
    ...more,
  };
}

/** A run of the fixture program, without a shell. */
export function acting(orders: Readonly<Record<string, unknown>>, more: Partial<ProcessOrder> = {}): ProcessOrder {
  return bash("", { line: { file: process.execPath, args: [act, JSON.stringify(orders)], shown: "act" }, ...more });
}

/** For a command that makes the file $BEGUN: the variable, and a signal that aborts so many ms after the file is there. */
export function abortedOnceBegun(laterMs = 0): Pick<ProcessOrder, "env" | "signal"> {
  const dir = mkdtempSync(join(tmpdir(), "carabiner-begun-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const stop = new AbortController();
  void (async () => {
    while (readdirSync(dir).length === 0) await sleep(10);
    await sleep(laterMs);
    stop.abort();
  })();
  return { env: { ...plainEnv, BEGUN: join(dir, "begun") }, signal: stop.signal };
}

/**
 * A command that leaves a dead process in its group once that is asked to end: the parent, who moves to a group of its own and holds no pipe, does not
 * collect it for twenty seconds. It writes its number to `file`.
 */
export const unburied = (file: string): string =>
  `perl -e 'if (fork == 0) { exec "sleep", "30" } setpgrp(0, 0); open(F, ">", $ARGV[0]); print F $$; close F; close STDIN; close STDOUT; close STDERR; sleep 20' '${file}' & ` +
  `until [ -s '${file}' ]; do sleep 0.02; done; echo ready; sleep 30`;
export const hasPerl = spawnSync("perl", ["-e", "1"]).status === 0;

/** The processes of a group that are alive 200 ms after they may have been killed, as /proc has them; none where there is no /proc. */
export async function aliveInGroup(group: number | undefined): Promise<readonly number[]> {
  for (let round = 0; round < 20 && members(group).length > 0; round += 1) await sleep(10);
  return members(group);
}

function members(group: number | undefined): readonly number[] {
  return processes()
    .filter((one) => one.group === group && one.state !== "Z")
    .map((one) => one.pid);
}

/** Is this process alive? A dead one that nobody has collected is not. */
export function isAlive(pid: number): boolean {
  return processes().some((one) => one.pid === pid && one.state !== "Z");
}

export const hasProc = process.platform === "linux";

function processes(): readonly { readonly pid: number; readonly group: number; readonly state: string }[] {
  if (!hasProc) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state = "", , group = ""] = readFileSync(join("/proc", name, "stat"), "utf8")
          .replace(/^.*\) /s, "")
          .split(" ");
        return [{ pid: Number(name), group: Number(group), state }];
      } catch {
        // ENOENT, ESRCH: it ended while it was being looked at.
        return [];
      }
    });
}
