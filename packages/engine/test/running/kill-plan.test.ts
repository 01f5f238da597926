import { describe, expect, it } from "vitest";
import { killPlan } from "../../src/running/kill-plan.ts";

describe("the plan to end a run", () => {
  it.each([
    ["ask", "SIGTERM"],
    ["force", "SIGKILL"],
    ["sweep", "SIGKILL"],
    ["probe", 0],
  ] as const)("on POSIX goes to the whole group: %s", (phase, signal) => {
    for (const platform of ["linux", "darwin", "freebsd"] as const) {
      expect(killPlan(platform, 4711, phase)).toEqual([{ kind: "signal", target: -4711, signal }]);
    }
  });

  it("on Windows ends the tree at once, asks the process whether it lives, and cannot sweep", () => {
    const taskkill = [{ kind: "command", file: "taskkill", args: ["/pid", "4711", "/t", "/f"] }];
    expect((["ask", "force", "sweep", "probe"] as const).map((phase) => killPlan("win32", 4711, phase))).toEqual([
      taskkill,
      taskkill,
      [],
      [{ kind: "signal", target: 4711, signal: 0 }],
    ]);
  });

  it.each([1, 0, -1, -4711, 1.5, Number.NaN])("never touches our own group, everybody, or nonsense: %s", (pid) => {
    for (const platform of ["linux", "win32"] as const) expect(killPlan(platform, pid, "force")).toEqual([]);
  });
});
