import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  findLeft,
  forgetLeft,
  type LeftBehind,
  type ProcessEnd,
  type ProcessOrder,
  readLeft,
  runLeaving,
} from "../../src/running/index.ts";
import { abortedOnceBegun, acting, aliveInGroup, bash, hasPerl, hasProc, unburied } from "./orders.ts";

const root = mkdtempSync(join(tmpdir(), "carabiner-left-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const freshState = (): string => join(mkdtempSync(join(root, `it's "state" `)), "left");
const leave = (order: ProcessOrder, waitMs: number, stateDir = freshState()) => runLeaving(order, { waitMs, stateDir, tag: "the tag" });

async function ended(dir: string): Promise<ProcessEnd> {
  for (let round = 0; round < 500; round += 1) {
    const end = readLeft(dir);
    if (end !== undefined) return end;
    await sleep(20);
  }
  throw new Error(`nothing ended in ${dir}: ${readdirSync(dir).join(" ")}`);
}

function left(run: ProcessEnd | LeftBehind): LeftBehind {
  if (run.kind !== "left") throw new Error(`not left but ${JSON.stringify(run)}`);
  return run;
}

describe("a run that may be left", () => {
  it("and ends while it is waited for, ends like any other and leaves no files", async () => {
    const stateDir = freshState();
    const run = await leave(bash("cat; echo out; echo err >&2; exit 3", { stdin: Buffer.from('{"a":1}') }), 10_000, stateDir);
    expect(run).toEqual({
      kind: "exited",
      exitCode: 3,
      startedAt: expect.any(Number),
      durationMs: expect.any(Number),
      pid: expect.any(Number),
      stdout: '{"a":1}out\n',
      stderr: "err\n",
      stdoutBytes: 11,
      stderrBytes: 4,
      stdoutTruncated: false,
      stderrTruncated: false,
      escaped: false,
      readAllStdin: true,
    });
    expect(readdirSync(stateDir)).toEqual([]);
  });

  it("and does not, is left after the wait and read back when it has ended", async () => {
    const stateDir = freshState();
    const go = join(root, "go");
    const run = left(await leave(bash(`echo early; until [ -e '${go}' ]; do sleep 0.02; done; echo late; exit 4`), 100, stateDir));
    expect(run).toEqual({
      kind: "left",
      pid: expect.any(Number),
      dir: expect.stringContaining(stateDir),
      startedAt: expect.any(Number),
      afterMs: expect.any(Number),
    });
    expect(run.afterMs).toBeGreaterThanOrEqual(99);
    expect(readLeft(run.dir)).toBeUndefined();
    expect(findLeft(stateDir)).toEqual([{ dir: run.dir, tag: "the tag", startedAt: run.startedAt }]);
    writeFileSync(go, "");
    const end = await ended(run.dir);
    expect(end).toMatchObject({ kind: "exited", exitCode: 4, stdout: "early\nlate\n", startedAt: run.startedAt });
    expect(end.durationMs).toBeGreaterThan(99);
    forgetLeft(run.dir);
    expect(findLeft(stateDir)).toEqual([]);
  });

  it("keeps quotes, dollars and newlines in its command", async () => {
    const run = await leave(bash("printf '%s\\n' \"a'b\" 'c\"$HOME' '\n`'"), 10_000);
    expect(run).toMatchObject({ kind: "exited", stdout: "a'b\nc\"$HOME\n\n`\n" });
  });

  it("is ended at its timeout without its host, TERM ignored or not, with all of its group", async () => {
    const command = "(trap '' TERM; while :; do sleep 0.05; done) & echo early; trap 'echo bye; exit' TERM; sleep 30 & wait";
    const run = left(await leave(bash(command, { timeoutMs: 1_500, killGraceMs: 200 }), 50));
    const end = await ended(run.dir);
    expect(end).toMatchObject({ kind: "timedOut", afterMs: 1_500, stdout: "early\nbye\n", escaped: false });
    expect(end.durationMs).toBeGreaterThan(1_690);
    expect(end.durationMs).toBeLessThan(8_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
    expect(await aliveInGroup(run.pid)).toEqual([]);
  });

  it.runIf(hasProc && hasPerl)("waits out no grace for a process that is dead and not collected", async () => {
    const file = join(root, "unburied-left");
    const end = await leave(bash(unburied(file), { timeoutMs: 3_000, killGraceMs: 15_000 }), 30_000);
    process.kill(Number(readFileSync(file, "utf8")), "SIGKILL");
    expect(end).toMatchObject({ kind: "timedOut", stdout: "ready\n", escaped: false });
    expect("durationMs" in end && end.durationMs).toBeLessThan(15_000);
  });

  it("has its output capped on disk, and counted to the end", async () => {
    const order = bash("head -c 3000000 /dev/zero | tr '\\0' x; printf 'ab€' >&2", { maxStdoutBytes: 1_000, maxStderrBytes: 4 });
    const run = left(await leave(order, 0));
    const end = await ended(run.dir);
    expect(end).toMatchObject({
      kind: "exited",
      stdoutTruncated: true,
      stderr: "ab",
      stderrBytes: 5,
      stderrTruncated: true,
    });
    expect(end.stdout).toBe("x".repeat(1_000));
    expect(end.stdoutBytes).toBeGreaterThan(2_500_000);
    expect(end.stdoutBytes).toBeLessThanOrEqual(3_000_000);
    expect(statSync(join(run.dir, "stdout")).size).toBeLessThanOrEqual(1_024);
  });

  it("gives a background child the drain, then ends it", async () => {
    const end = await leave(bash("(sleep 0.05; echo late) & sleep 30 & echo soon", { drainMs: 200 }), 10_000);
    expect(end).toMatchObject({ kind: "exited", exitCode: 0, stdout: "soon\nlate\n", escaped: false });
    expect(await aliveInGroup("pid" in end ? end.pid : undefined)).toEqual([]);
  });

  it("says so when something moved out of its group with the pipes", async () => {
    const end = await leave(acting({ stdout: "x", grandchild: "setsid", grandchildMs: 8_000 }, { drainMs: 100 }), 10_000);
    expect(end).toMatchObject({ kind: "exited", stdout: "x", escaped: true });
  });

  it("reports death by a signal, and a program that is not there", async () => {
    expect(await leave(bash("kill -9 $$"), 10_000)).toMatchObject({ kind: "signalled", signal: "SIGKILL" });
    const missing = await leave(bash("", { line: { file: "/no/such/hook", args: [], shown: "" } }), 10_000);
    expect(missing).toMatchObject({ kind: "exited", exitCode: 127, stderr: expect.stringContaining("/no/such/hook") });
  });

  it("sees the PATH and the variables that it was given, and none of the watcher's", async () => {
    const order = bash("env | cut -d= -f1 | sort", { env: { PATH: "/usr/bin:/bin", SHLVL: "1" } });
    const end = await leave(order, 5_000);
    expect("stdout" in end ? end.stdout.trim().split("\n") : []).toEqual(["PATH", "PWD", "SHLVL", "_"]);
  });

  it("is cancelled by an abort while it is waited for, and not started by one before", async () => {
    const end = await leave(bash('echo early; : >"$BEGUN"; sleep 30', abortedOnceBegun()), 10_000);
    expect(end).toMatchObject({ kind: "cancelled", stdout: "early\n" });
    expect(await aliveInGroup("pid" in end ? end.pid : undefined)).toEqual([]);
    expect(await leave(bash("true", { signal: AbortSignal.abort() }), 10_000)).toMatchObject({ kind: "cancelled", pid: undefined });
  });

  it("that cannot be started says why, and leaves no files", async () => {
    const stateDir = freshState();
    expect(await leave(bash("true", { env: { PATH: "/nowhere" } }), 10_000, stateDir)).toMatchObject({
      kind: "notStarted",
      message: expect.stringContaining('"/nowhere"'),
    });
    expect(await leave(bash("true", { cwd: join(root, "gone") }), 10_000, stateDir)).toMatchObject({
      kind: "notStarted",
      message: expect.stringContaining("does not exist"),
    });
    expect(await leave(bash("true", { env: { HUGE: "x".repeat(200_000) } }), 10_000, stateDir)).toMatchObject({
      kind: "notStarted",
      message: expect.stringContaining("E2BIG"),
    });
    expect(readdirSync(stateDir)).toEqual([]);
  });
});

describe("a run whose files cannot be kept where they belong", () => {
  it("keeps them among the temporary ones, and runs", async () => {
    const temporary = mkdtempSync(join(root, "tmp-"));
    const file = join(root, "a-file");
    writeFileSync(file, "");
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await leave(bash("echo out"), 10_000, file)).toMatchObject({ kind: "exited", exitCode: 0, stdout: "out\n" });
    expect(readdirSync(temporary)).toEqual([]);
    vi.stubEnv("TMPDIR", join(root, "nowhere"));
    expect(await leave(bash("true"), 10_000, file)).toMatchObject({ kind: "notStarted", message: expect.stringContaining(file) });
  });
});

describe("what runs have left", () => {
  it("is nothing where there is no directory, and passes over what is none of ours", () => {
    const stateDir = freshState();
    expect(findLeft(stateDir)).toEqual([]);
    for (const name of ["left-empty", "left-broken", "other"]) mkdirSync(join(stateDir, name), { recursive: true });
    writeFileSync(join(stateDir, "left-broken", "order.json"), '{"tag":');
    expect(findLeft(stateDir)).toEqual([]);
    expect(readLeft(join(stateDir, "left-broken"))).toBeUndefined();
  });

  it("counts as killed once its time is over and its watcher is gone without a note", async () => {
    const run = left(await leave(bash("echo early; sleep 5", { timeoutMs: 5_000, killGraceMs: 0, drainMs: 0 }), 1_000));
    process.kill(run.pid, "SIGKILL");
    await sleep(50);
    expect(readLeft(run.dir)).toBeUndefined();
    expect(readLeft(run.dir, run.startedAt + 11_000)).toMatchObject({ kind: "signalled", signal: "SIGKILL", stdout: "early\n" });
  });
});
