import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPool, runProcess } from "../../src/running/index.ts";
import { bash } from "./orders.ts";

describe("a pool", () => {
  it("runs no more tasks at once than it has places, and starts them in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }),
        async (places, times) => {
          const pool = createPool(places);
          const started: number[] = [];
          let busy = 0;
          let most = 0;
          const results = await Promise.all(
            times.map((ms, index) =>
              pool.run(async () => {
                started.push(index);
                most = Math.max(most, ++busy);
                await sleep(ms);
                busy -= 1;
                return index;
              }),
            ),
          );
          const inOrder = times.map((_, index) => index);
          expect({ started, results, most }).toEqual({ started: inOrder, results: inOrder, most: Math.min(places, times.length) });
        },
      ),
      { numRuns: 30 },
    );
  });

  it("gives a place back when a task rejects or throws", async () => {
    const pool = createPool(1);
    const broken = pool.run(() => Promise.reject(new Error("rejected")));
    const worse = pool.run(() => {
      throw new Error("thrown");
    });
    await expect(broken).rejects.toThrow("rejected");
    await expect(worse).rejects.toThrow("thrown");
    expect(await pool.run(async () => "next")).toBe("next");
  });

  it("lets no newcomer overtake those who wait", async () => {
    const pool = createPool(1);
    const order: string[] = [];
    const task = (name: string) => async () => void order.push(name);
    const first = pool.run(task("first")).then(() => pool.run(task("newcomer")));
    await Promise.all([first, pool.run(task("second")), pool.run(task("third"))]);
    expect(order).toEqual(["first", "second", "third", "newcomer"]);
  });

  it.each([0, -3, Number.NaN])("of %s places has one", async (places) => {
    expect(await createPool(places).run(async () => "ran")).toBe("ran");
  });

  it("holds for real processes", async () => {
    const pool = createPool(4);
    const command = "mkdir d 2>/dev/null; echo hook";
    const ends = await Promise.all(
      Array.from({ length: 20 }, () => pool.run(() => runProcess(bash(command, { cwd: process.env["HOME"] ?? "/" })))),
    );
    expect(ends.map((end) => end.stdout)).toEqual(Array(20).fill("hook\n"));
  });
});
