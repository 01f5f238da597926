import { describe, expect, it } from "vitest";
import { runProcess } from "../../src/running/index.ts";
import { acting, plainEnv } from "./orders.ts";

describe("the fixture program", () => {
  it.each([
    [
      { stdout: "o", stderr: "e", exit: 3 },
      { kind: "exited", exitCode: 3, stdout: "o", stderr: "e" },
    ],
    [{ echoStdin: true }, { kind: "exited", exitCode: 0, stdout: "{}" }],
    [{ stdoutBase64: "/w==" }, { kind: "exited", stdout: "\uFFFD", stdoutBytes: 1 }],
    [{ floodBytes: 3_000_000 }, { kind: "exited", stdoutBytes: 3_000_000 }],
    [
      { signal: "SIGTERM", neverReadStdin: true },
      { kind: "signalled", signal: "SIGTERM" },
    ],
    [
      { closeStdin: true, sleepMs: 10 },
      { kind: "exited", exitCode: 0 },
    ],
    [
      { grandchild: "group", stdout: "x" },
      { kind: "exited", stdout: "x", escaped: false },
    ],
  ])("does as it is told: %j", async (orders, end) => {
    expect(await runProcess(acting(orders, { drainMs: 50 }))).toMatchObject(end);
  });

  it("takes its orders from the variable ACT, too", async () => {
    const { line, ...order } = acting({});
    const end = await runProcess({ ...order, line: { ...line, args: line.args.slice(0, 1) }, env: { ...plainEnv, ACT: '{"exit":9}' } });
    expect(end).toMatchObject({ kind: "exited", exitCode: 9 });
  });
});
