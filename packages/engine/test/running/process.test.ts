import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { runProcess } from "../../src/running/index.ts";
import { abortedOnceBegun, acting, aliveInGroup, bash, hasPerl, hasProc, unburied } from "./orders.ts";

describe("a process that ends by itself", () => {
  it("reports what it printed, its exit code and how long it took", async () => {
    const before = Date.now();
    const end = await runProcess(bash("cat; echo out; echo err >&2; exit 3", { stdin: Buffer.from('{"a":1}') }));
    expect(end).toEqual({
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
    expect(end.startedAt).toBeGreaterThanOrEqual(before);
    expect(end.durationMs).toBeGreaterThan(0);
    expect(end.durationMs).toBeLessThan(5_000);
  });

  it.each([0, 1, 2, 126, 127, 255])("keeps exit code %i as it is", async (code) => {
    expect(await runProcess(bash(`exit ${code}`))).toMatchObject({ kind: "exited", exitCode: code });
  });

  it("keeps what bash says and exits with for a command that is not there, and for one that is not executable", async () => {
    const missing = await runProcess(bash("no-such-program-here"));
    expect(missing).toMatchObject({ kind: "exited", exitCode: 127 });
    expect(missing.stderr).toContain("command not found");
    expect(await runProcess(bash("/etc/passwd"))).toMatchObject({ kind: "exited", exitCode: 126 });
  });

  it.each(["SIGKILL", "SIGTERM", "SIGSEGV"])("calls death by %s a signal, never an exit", async (signal) => {
    const end = await runProcess(bash(`echo before; kill -${signal.slice(3)} $$; sleep 5`));
    expect(end).toMatchObject({ kind: "signalled", signal, stdout: "before\n" });
    expect(end).not.toHaveProperty("exitCode");
  });

  it("runs in the given directory with exactly the given environment", async () => {
    const end = await runProcess(bash("pwd; env | sort", { cwd: "/", env: { PATH: process.env["PATH"] ?? "", ONLY: "this" } }));
    const [directory, ...variables] = end.stdout.trim().split("\n");
    expect(directory).toBe("/");
    expect(variables.map((line) => line.split("=")[0])).toEqual(["ONLY", "PATH", "PWD", "SHLVL", "_"]);
  });
});

describe("what a process leaves in its group", () => {
  it("does not wait for a background child that holds the pipes longer than the drain, and ends it", async () => {
    const end = await runProcess(bash("sleep 30 & echo x", { drainMs: 100 }));
    expect(end).toMatchObject({ kind: "exited", exitCode: 0, stdout: "x\n", escaped: false });
    expect(end.durationMs).toBeLessThan(5_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it("counts what a background child prints while the pipes are drained", async () => {
    const end = await runProcess(bash("(sleep 0.05; echo late) & echo soon", { drainMs: 8_000 }));
    expect(end).toMatchObject({ kind: "exited", stdout: "soon\nlate\n" });
    expect(end.durationMs).toBeLessThan(5_000);
  });

  it("ends a background child that holds no pipe, without waiting", async () => {
    const end = await runProcess(bash("sleep 30 >/dev/null 2>&1 & echo x", { drainMs: 8_000 }));
    expect(end).toMatchObject({ kind: "exited", stdout: "x\n" });
    expect(end.durationMs).toBeLessThan(5_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it("says so when something moved out of the group with the pipes, and does not wait for it", async () => {
    const end = await runProcess(acting({ stdout: "done", grandchild: "setsid", grandchildMs: 8_000 }, { drainMs: 100 }));
    expect(end).toMatchObject({ kind: "exited", exitCode: 0, stdout: "done", escaped: true });
    expect(end.durationMs).toBeLessThan(5_000);
  });

  it("leaves neither timers nor listeners on a signal that many runs share", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 20 }, () => runProcess(bash("true", { signal }))));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});

describe("a timeout", () => {
  it("ends the run with what was printed until then", async () => {
    const end = await runProcess(bash("echo early; sleep 30", { timeoutMs: 1_000, killGraceMs: 8_000 }));
    expect(end).toMatchObject({ kind: "timedOut", afterMs: 1_000, stdout: "early\n", escaped: false });
    expect(end.durationMs).toBeGreaterThanOrEqual(999);
    expect(end.durationMs).toBeLessThan(5_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it("lets the process clean up on TERM", async () => {
    const end = await runProcess(bash("trap 'echo bye; exit 0' TERM; sleep 30 & wait", { timeoutMs: 1_000, killGraceMs: 8_000 }));
    expect(end).toMatchObject({ kind: "timedOut", stdout: "bye\n" });
    expect(end.durationMs).toBeLessThan(5_000);
  });

  it("kills a process that ignores TERM, once the grace is over", async () => {
    const end = await runProcess(bash("trap '' TERM; while :; do sleep 0.05; done", { timeoutMs: 1_000, killGraceMs: 200 }));
    expect(end).toMatchObject({ kind: "timedOut", escaped: false });
    expect(end.durationMs).toBeGreaterThanOrEqual(1_199);
    expect(end.durationMs).toBeLessThan(6_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it("kills a grandchild that ignores TERM although the process itself went at once", async () => {
    const end = await runProcess(bash("(trap '' TERM; while :; do sleep 0.05; done) & sleep 30", { timeoutMs: 1_000, killGraceMs: 200 }));
    expect(end).toMatchObject({ kind: "timedOut", escaped: false });
    expect(end.durationMs).toBeGreaterThanOrEqual(1_199);
    expect(end.durationMs).toBeLessThan(6_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it.runIf(hasProc && hasPerl)("waits out no grace for a process that is dead and not collected", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "carabiner-unburied-")), "pid");
    const end = await runProcess(bash(unburied(file), { timeoutMs: 3_000, killGraceMs: 15_000 }));
    process.kill(Number(readFileSync(file, "utf8")), "SIGKILL");
    rmSync(dirname(file), { recursive: true });
    expect(end).toMatchObject({ kind: "timedOut", stdout: "ready\n", escaped: false });
    expect(end.durationMs).toBeLessThan(15_000);
  });

  it("kills a stopped process", async () => {
    const end = await runProcess(bash("kill -STOP $$; echo never", { timeoutMs: 100, killGraceMs: 100 }));
    expect(end).toMatchObject({ kind: "timedOut", stdout: "" });
    expect(end.durationMs).toBeLessThan(5_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it("settles in time when something outside the group holds the pipes", async () => {
    const end = await runProcess(
      acting({ grandchild: "setsid", grandchildMs: 9_000, ignoreSigterm: true, sleepMs: 30_000 }, { timeoutMs: 1_500, killGraceMs: 100 }),
    );
    expect(end).toMatchObject({ kind: "timedOut", escaped: true });
    expect(end.durationMs).toBeLessThan(6_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it("does not count a process as late that ended in time while the host was busy", async () => {
    const running = runProcess(bash("echo in time", { timeoutMs: 300 }));
    await new Promise((resolve) => setImmediate(resolve));
    const until = performance.now() + 1_500;
    while (performance.now() < until);
    expect(await running).toMatchObject({ kind: "exited", exitCode: 0, stdout: "in time\n" });
  });

  it("expires at once when there is no time at all", async () => {
    expect(await runProcess(bash("sleep 30", { timeoutMs: 0 }))).toMatchObject({ kind: "timedOut", afterMs: 0 });
  });
});

describe("an abort", () => {
  it("before the start starts nothing", async () => {
    const end = await runProcess(bash("echo x", { signal: AbortSignal.abort() }));
    expect(end).toMatchObject({ kind: "cancelled", pid: undefined, stdout: "" });
  });

  it("ends a running group as a timeout does", async () => {
    const end = await runProcess(
      bash("echo early; (trap '' TERM; : >\"$BEGUN\"; sleep 30; sleep 30) & sleep 30", { ...abortedOnceBegun(), killGraceMs: 100 }),
    );
    expect(end).toMatchObject({ kind: "cancelled", stdout: "early\n" });
    expect(end.durationMs).toBeLessThan(4_000);
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it("cuts the drain short, and leaves the exit what it was", async () => {
    const end = await runProcess(bash('sleep 30 & : >"$BEGUN"; exit 2', { ...abortedOnceBegun(500), drainMs: 9_000 }));
    expect(end).toMatchObject({ kind: "exited", exitCode: 2 });
    expect(end.durationMs).toBeLessThan(4_000);
  });

  it("ends all the runs that share its signal", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const ends = await Promise.all(Array.from({ length: 12 }, () => runProcess(bash("sleep 30", { signal: stop.signal }))));
    expect(ends.map((end) => end.kind)).toEqual(Array(12).fill("cancelled"));
  });

  it("after the end changes nothing", async () => {
    const stop = new AbortController();
    const end = await runProcess(bash("echo x", { signal: stop.signal }));
    stop.abort();
    expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
  });
});
