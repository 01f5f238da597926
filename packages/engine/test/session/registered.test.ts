import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Opinion } from "../../src/index.ts";
import { denies, watched, workplace } from "./workplace.ts";

const shell = { tool: { name: "run_shell_command", input: { command: "ls" } } };

describe("a registered function", () => {
  it("sees the host's facts, is merged with the hooks of the settings, and goes when it is removed", async () => {
    const place = workplace();
    place.user({ BeforeTool: ["echo from a hook"] });
    const { engine } = watched(place);
    const saw: unknown[] = [];
    const remove = engine.register("beforeTool", (facts) => {
      saw.push(facts);
      return { message: "from code" };
    });
    const session = engine.session();
    expect((await session.fire("beforeTool", shell)).messages.map(({ text }) => text)).toEqual(["from code", "from a hook"]);
    expect(saw).toEqual([shell]);
    remove();
    remove();
    expect((await session.fire("beforeTool", shell)).messages.map(({ text }) => text)).toEqual(["from a hook"]);
  });

  it("is matched on the host's own words", async () => {
    const { engine } = watched(workplace());
    engine.register("beforeTool", () => ({ ruling: { kind: "deny", reason: "no" } }), { matcher: "^run_" });
    const session = engine.session();
    expect((await session.fire("beforeTool", shell)).action).toBe("block");
    expect((await session.fire("beforeTool", { tool: { name: "read_file", input: {} } })).action).toBe("proceed");
  });

  it.each<[string, () => Opinion | Promise<Opinion>, string, string]>([
    ["throws", () => thrown(), "exitedOther", "HOOK_THREW"],
    ["rejects", () => Promise.reject(new Error("late boom")), "exitedOther", "HOOK_THREW"],
    ["never answers", () => new Promise<Opinion>(() => undefined), "timedOut", "HOOK_TIMED_OUT"],
    ["answers too late", () => sleep(400, { ruling: { kind: "deny", reason: "late" } } as Opinion), "timedOut", "HOOK_TIMED_OUT"],
    ["rejects too late", () => sleep(120).then(() => thrown()), "timedOut", "HOOK_TIMED_OUT"],
    ["says nonsense", () => ({ ruling: "deny" }) as unknown as Opinion, "badOutput", "OUTPUT_BAD_VALUE"],
  ])("that %s is a value, lets the action go on, and denies it where it fails closed", async (_what, hook, status, code) => {
    const { engine } = watched(workplace());
    const session = engine.session();
    const remove = engine.register("beforeTool", hook, { timeoutMs: 60, name: "mine" });
    const open = await session.fire("beforeTool", shell);
    expect(open).toMatchObject({ action: "proceed", record: { runs: [{ status, problems: [{ code, hook: "mine" }] }] } });
    remove();
    engine.register("beforeTool", hook, { timeoutMs: 60, onFailure: "block", name: "mine" });
    expect(await session.fire("beforeTool", shell)).toMatchObject({
      action: "block",
      reason: `The hook "mine" failed (${status}) and is set to block on failure.`,
    });
    await sleep(100);
  });

  it("is told when nobody waits for it any more", async () => {
    const { engine } = watched(workplace());
    const reasons: string[] = [];
    engine.register(
      "beforeTool",
      (_facts, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            reasons.push("aborted");
            resolve(undefined);
          });
        }),
      { timeoutMs: 50 },
    );
    await engine.session().fire("beforeTool", shell);
    expect(reasons).toEqual(["aborted"]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 10);
    expect((await engine.session().fire("beforeTool", shell, { signal: controller.signal })).record).toMatchObject({
      runs: [{ status: "cancelled" }],
    });
    expect(reasons).toEqual(["aborted", "aborted"]);
  });

  it("may wait as long as it likes: a timeout beyond what a timer can hold is no timeout at once", async () => {
    const { engine } = watched(workplace());
    engine.register("beforeTool", () => sleep(30, { message: "done" }), { timeoutMs: Number.POSITIVE_INFINITY });
    expect((await engine.session().fire("beforeTool", shell)).messages.map(({ text }) => text)).toEqual(["done"]);
  });

  it("runs beside the others, also after one of them was removed", async () => {
    const { engine } = watched(workplace());
    const first = engine.register("beforeTool", () => undefined);
    engine.register("beforeTool", () => ({ input: { how: "merge", value: { command: "changed" } } }));
    first();
    const saw: unknown[] = [];
    engine.register("beforeTool", ({ tool }) => {
      saw.push(tool.input);
      return undefined;
    });
    await engine.session().fire("beforeTool", shell);
    expect(saw).toEqual([{ command: "ls" }]);
  });

  it("does not make the settings' problems be told again", async () => {
    const place = workplace();
    place.user({ BeforeTool: [{ command: "true", timeuot: 5 }] });
    const { engine, problems } = watched(place);
    const session = engine.session();
    await session.fire("sessionEnd", { reason: "exit" });
    for (let i = 0; i < 3; i++) engine.register("beforeTool", () => undefined)();
    await session.fire("sessionEnd", { reason: "exit" });
    expect(problems().map(({ code }) => code)).toEqual(["KEY_UNKNOWN"]);
  });

  it("cannot undo what a hook denied", async () => {
    const place = workplace();
    place.user({ BeforeTool: [denies("no")] });
    const { engine } = watched(place);
    engine.register("beforeTool", () => ({ ruling: { kind: "allow", reason: "fine" } }));
    expect(await engine.session().fire("beforeTool", shell)).toMatchObject({ action: "block", reason: "no" });
  });

  it("sees facts that are built on demand once, whoever asks", async () => {
    const { engine } = watched(workplace());
    let built = 0;
    const request = () => {
      built++;
      return { model: "m", messages: [], config: {} };
    };
    const session = engine.session();
    await session.fire("beforeModel", { request });
    expect(built).toBe(0);
    for (let i = 0; i < 3; i++)
      engine.register("beforeModel", (facts) => {
        if (typeof facts.request === "function") facts.request();
        return undefined;
      });
    await session.fire("beforeModel", { request });
    expect(built).toBe(1);
  });
});

function thrown(): never {
  throw new Error("boom");
}

describe("a listener of the engine", () => {
  it("gets everything, and what it throws changes nothing about the firing", async () => {
    const { engine, lines } = watched(workplace());
    engine.register("beforeTool", () => ({ ruling: { kind: "deny", reason: "no" } }));
    const uncaught: unknown[] = [];
    const listeners = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", (error) => uncaught.push(error));
    const stop = engine.subscribe(() => {
      throw new Error("from a listener");
    });
    const outcome = await engine.session().fire("beforeTool", shell);
    await sleep(5);
    process.removeAllListeners("uncaughtException");
    for (const listener of listeners) process.on("uncaughtException", listener);
    stop();
    expect(outcome.action).toBe("block");
    expect(lines().map(({ kind }) => kind)).toEqual(["registry", "plan", "fired"]);
    expect(uncaught.length).toBeGreaterThan(2);
  });
});
