import { describe, expect, it } from "vitest";
import { createOutputBudget, runProcess } from "../../src/running/index.ts";
import { acting, bash } from "./orders.ts";

const MiB = 1024 * 1024;

describe("output", () => {
  it("of 100 MB is read to its end, while memory holds no more than the cap", async () => {
    const before = process.memoryUsage();
    const end = await runProcess(bash("head -c 104857600 /dev/zero | tr '\\0' x; echo done >&2", { maxStdoutBytes: MiB }));
    const now = process.memoryUsage();
    expect(end).toMatchObject({
      kind: "exited",
      exitCode: 0,
      stdoutBytes: 100 * MiB,
      stdoutTruncated: true,
      stderr: "done\n",
      stderrTruncated: false,
    });
    expect(end.stdout).toBe("x".repeat(MiB));
    expect(now.heapUsed + now.external - before.heapUsed - before.external).toBeLessThan(50 * MiB);
  });

  it("on stderr has a cap of its own", async () => {
    const end = await runProcess(acting({ stdout: "fine", floodBytes: 3 * MiB, floodTo: "stderr" }, { maxStderrBytes: 1_000 }));
    expect(end).toMatchObject({ stdout: "fine", stdoutTruncated: false, stderrBytes: 3 * MiB, stderrTruncated: true });
    expect(end.stderr).toHaveLength(1_000);
  });

  it("that fits the cap exactly is whole", async () => {
    expect(await runProcess(bash("printf 12345", { maxStdoutBytes: 5 }))).toMatchObject({ stdout: "12345", stdoutTruncated: false });
    expect(await runProcess(bash("printf 123456", { maxStdoutBytes: 5 }))).toMatchObject({ stdout: "12345", stdoutTruncated: true });
  });

  it("of one firing shares a budget", async () => {
    const budget = createOutputBudget(150_000);
    const ends = await Promise.all([1, 2].map(() => runProcess(bash("head -c 100000 /dev/zero", { budget }))));
    expect(ends.reduce((sum, end) => sum + end.stdout.length, 0)).toBe(150_000);
    expect(ends.filter((end) => end.stdoutTruncated).length).toBeGreaterThan(0);
    expect(ends.map((end) => end.stdoutBytes)).toEqual([100_000, 100_000]);
  });

  it("keeps characters whole that arrive in pieces", async () => {
    expect((await runProcess(acting({ splitUtf8: "é€😀 ok" }))).stdout).toBe("é€😀 ok");
  });

  it("keeps characters whole at the edge of every chunk of a long text", async () => {
    const end = await runProcess(bash(`printf a; for i in {1..60000}; do printf '€'; done`));
    expect(end.stdout).toBe(`a${"€".repeat(60_000)}`);
  });

  it("shows bytes that are no UTF-8 as U+FFFD, and keeps a byte order mark", async () => {
    expect((await runProcess(bash(`printf '\\xef\\xbb\\xbfa\\xffb\\xe2\\x82'`))).stdout).toBe("\uFEFFa\uFFFDb\uFFFD");
  });

  it("loses the half character that the cap has cut", async () => {
    expect(await runProcess(bash("printf 'ab€'", { maxStdoutBytes: 4 }))).toMatchObject({ stdout: "ab", stdoutTruncated: true });
  });

  it("of very many tiny writes costs memory by its bytes, not by its writes", { timeout: 90_000 }, async () => {
    const before = process.memoryUsage();
    const end = await runProcess(bash("for ((i = 0; i < 200000; i++)); do printf x; done", { timeoutMs: 60_000 }));
    const now = process.memoryUsage();
    expect(end.stdout).toBe("x".repeat(200_000));
    expect(now.heapUsed + now.external - before.heapUsed - before.external).toBeLessThan(30 * MiB);
  });
});

describe("stdin", () => {
  const big = Buffer.alloc(5 * MiB, "y");

  it("of 5 MB reaches a hook byte for byte, and one Buffer serves many", async () => {
    const ends = await Promise.all([1, 2, 3].map(() => runProcess(bash("cksum", { stdin: big }))));
    const sums = new Set(ends.map((end) => end.stdout));
    expect(sums).toEqual(new Set([(await runProcess(bash(`head -c ${big.length} /dev/zero | tr '\\0' y | cksum`))).stdout]));
    expect(ends.every((end) => end.readAllStdin)).toBe(true);
  });

  it("keeps every character, in whatever language", async () => {
    const text = '{"command":"a\\\\nb","name":"Ünï €😀\u2028"}';
    expect((await runProcess(acting({ echoStdin: true }, { stdin: Buffer.from(text) }))).stdout).toBe(text);
  });

  it("may be ignored, whatever its size", async () => {
    expect(await runProcess(bash("echo '{}'", { stdin: big }))).toMatchObject({
      kind: "exited",
      exitCode: 0,
      stdout: "{}\n",
      readAllStdin: false,
    });
  });

  it("may be closed at once", async () => {
    expect(await runProcess(bash("exec <&-; sleep 0.05; echo ok", { stdin: big }))).toMatchObject({
      kind: "exited",
      stdout: "ok\n",
      readAllStdin: false,
    });
  });

  it("may be read in part", async () => {
    expect(await runProcess(bash("head -c 3", { stdin: big }))).toMatchObject({
      kind: "exited",
      exitCode: 0,
      stdout: "yyy",
      readAllStdin: false,
    });
  });

  it("may be empty", async () => {
    expect(await runProcess(bash("cat; echo end", { stdin: Buffer.alloc(0) }))).toMatchObject({ stdout: "end\n", readAllStdin: true });
  });

  it("that is never read does not keep a run from its timeout", async () => {
    expect(await runProcess(bash("sleep 30", { stdin: big, timeoutMs: 100 }))).toMatchObject({ kind: "timedOut", readAllStdin: false });
  });
});
