/** How long to wait, whether to wait at all, and that a wait can be called off. */
import { describe, expect, it } from "vitest";
import { ModelError, pause, retryDelay } from "../../src/models/index.ts";

const server = new ModelError("server", "busy", { status: 503 });

describe("the wait before the next request", () => {
  it("doubles, lies between half and all of it, and has a cap", () => {
    const least = [1, 2, 3, 4].map((attempt) => retryDelay(server, attempt, { baseMs: 100, capMs: 300, random: () => 0 }));
    const most = [1, 2, 3, 4].map((attempt) => retryDelay(server, attempt, { baseMs: 100, capMs: 300, random: () => 0.999999 }));
    expect(least).toEqual([50, 100, 150, 150]);
    expect(most).toEqual([100, 200, 300, 300]);
  });

  it("is never shorter than the provider asked for", () => {
    const limited = new ModelError("rateLimit", "slow down", { status: 429, retryAfterMs: 40_000 });
    expect(retryDelay(limited, 1, { random: () => 0 })).toBe(40_000);
    expect(retryDelay(limited, 1, { random: () => 0.5 })).toBe(42_000);
  });

  it("is none when the provider asks for more than anybody waits", () => {
    const limited = new ModelError("rateLimit", "come back tomorrow", { retryAfterMs: 86_400_000 });
    expect(retryDelay(limited, 1)).toBeUndefined();
    expect(retryDelay(limited, 1, { patienceMs: 90_000_000, random: () => 0 })).toBe(86_400_000);
  });

  it("is none after the last attempt", () => {
    expect(retryDelay(server, 4)).toBeGreaterThan(0);
    expect(retryDelay(server, 5)).toBeUndefined();
    expect(retryDelay(server, 1, { attempts: 1 })).toBeUndefined();
  });

  it("is none for what will not get better", () => {
    for (const kind of ["auth", "badRequest", "exhausted", "aborted"] as const)
      expect(retryDelay(new ModelError(kind, "no"), 1)).toBeUndefined();
    expect(retryDelay(new ModelError("rateLimit", "spent", { retryable: false }), 1)).toBeUndefined();
    expect(retryDelay(new Error("not ours"), 1)).toBeUndefined();
    expect(retryDelay(new ModelError("network", "unplugged"), 1)).toBeGreaterThan(0);
  });
});

describe("a pause", () => {
  it("lasts as long as it says", async () => {
    const start = performance.now();
    await pause(60, new AbortController().signal);
    expect(performance.now() - start).toBeGreaterThanOrEqual(55);
  });

  it("ends at once when it is called off", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const start = performance.now();
    await expect(pause(10_000, controller.signal)).rejects.toMatchObject({ kind: "aborted" });
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
