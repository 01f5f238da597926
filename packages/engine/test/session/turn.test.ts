import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type JsonObject, Refused, type Try } from "../../src/index.ts";
import { denies, prints, stops, type Watched, watched, workplace } from "./workplace.ts";

function engineOf(
  hooks: Parameters<ReturnType<typeof workplace>["user"]>[0],
  settings = {},
): Watched & { readonly place: ReturnType<typeof workplace> } {
  const place = workplace();
  place.user(hooks, settings);
  return { ...watched(place), place };
}
/** An agent that answers `answer n`, and notes what it was asked. */
function agent(): { readonly asked: [string, Try][]; readonly run: (prompt: string, tried: Try) => Promise<string> } {
  const asked: [string, Try][] = [];
  return {
    asked,
    run: async (prompt, tried) => {
      asked.push([prompt, tried]);
      return `answer ${asked.length}`;
    },
  };
}

describe("a turn", () => {
  it("runs once and answers, with the context hooks added for it", async () => {
    const { engine } = engineOf({
      BeforeAgent: [prints({ hookSpecificOutput: { additionalContext: "today is Monday" }, systemMessage: "hi" })],
      AfterAgent: ["true"],
    });
    const { run, asked } = agent();
    const done = await engine.session().turn("hello", run);
    expect(done).toMatchObject({ ended: "answered", answer: "answer 1", keepsPrompt: true, tries: 1, messages: [{ text: "hi" }] });
    expect(asked).toEqual([["hello", { context: [expect.objectContaining({ text: "today is Monday", lasts: "turn" })], retrying: false }]]);
  });
  it("is discarded by a denial: the prompt is not kept, and nothing runs", async () => {
    const { engine } = engineOf({ BeforeAgent: [denies("off topic")] });
    const { run, asked } = agent();
    expect(await engine.session().turn("hello", run)).toMatchObject({
      ended: "discarded",
      reason: "off topic",
      keepsPrompt: false,
      answer: undefined,
    });
    expect(asked).toEqual([]);
  });
  it("is stopped before it begins: the prompt is kept, unless a hook denied it as well", async () => {
    const { engine, place } = engineOf({ BeforeAgent: [stops("enough")] });
    const { run } = agent();
    expect(await engine.session().turn("hello", run)).toMatchObject({
      ended: "stopped",
      reason: "enough",
      ends: "turn",
      keepsPrompt: true,
      unheard: { prompt: "hello", context: [] },
    });
    place.user({ BeforeAgent: [prints({ continue: false, stopReason: "enough", decision: "deny", reason: "no" })] });
    await new Promise((go) => setTimeout(go, 5));
    expect(await engine.session().turn("hello", run)).toMatchObject({
      ended: "stopped",
      reason: "enough",
      keepsPrompt: false,
      unheard: undefined,
    });
    expect(agent().asked).toEqual([]);
  });
  it("gives back the prompt that a stop kept from the agent, a retry's too, with the context that stays with it", async () => {
    const { engine } = engineOf({ AfterAgent: [denies("look again")] });
    engine.register("beforeAgent", ({ origin }) => (origin === "retry" ? { ruling: { kind: "endTurn", reason: "enough" } } : undefined));
    const { run, asked } = agent();
    const done = await engine.session().turn("hello", run);
    expect(done).toMatchObject({ ended: "stopped", tries: 2, unheard: { prompt: "look again", context: [] } });
    expect(asked.map(([prompt]) => prompt)).toEqual(["hello"]);
    expect(await engineOf({}).engine.session().turn("hello", run)).toMatchObject({ ended: "answered", unheard: undefined });
  });
  it("is tried again with the reason as it is, as a prompt that hooks see, until they are content", async () => {
    const reason = "  fix:\n1. this\t&c <b>\n";
    const { engine, place } = engineOf({
      BeforeAgent: [`cat >>"${"$GEMINI_PROJECT_DIR"}/before"; echo >>"$GEMINI_PROJECT_DIR/before"; echo '{}'`],
      AfterAgent: [
        `input=$(cat); echo "$input" >>"$GEMINI_PROJECT_DIR/after"; n=$(wc -l <"$GEMINI_PROJECT_DIR/after"); if [ "$n" -lt 3 ]; then ${prints({ decision: "deny", reason })}; fi`,
      ],
    });
    const { run, asked } = agent();
    const done = await engine.session().turn("hello", run);
    expect(done).toMatchObject({ ended: "answered", answer: "answer 3", tries: 3 });
    expect(asked.map(([prompt, { retrying }]) => [prompt, retrying])).toEqual([
      ["hello", false],
      [reason, true],
      [reason, true],
    ]);
    expect(stdins(place, "before").map(({ prompt }) => prompt)).toEqual(["hello", reason, reason]);
    expect(
      stdins(place, "after").map(({ prompt, prompt_response, stop_hook_active }) => [prompt, prompt_response, stop_hook_active]),
    ).toEqual([
      ["hello", "answer 1", false],
      ["hello", "answer 2", true],
      ["hello", "answer 3", true],
    ]);
  });
  it("is tried no more than allowed, which is said, naming the hook; the last answer stands", async () => {
    const { engine, problems } = engineOf(
      { AfterAgent: [{ command: "echo again >&2; exit 2", name: "never content" }] },
      { carabiner: { maxRetries: 2 } },
    );
    const { run, asked } = agent();
    const done = await engine.session().turn("hello", run);
    expect(done).toMatchObject({ ended: "retriesSpent", answer: "answer 3", reason: "again", tries: 3 });
    expect(asked).toHaveLength(3);
    expect(problems()).toMatchObject([{ code: "RETRIES_SPENT", hook: "never content", found: "never content" }]);
  });
  it("may be tried again zero times", async () => {
    const { engine, problems } = engineOf({ AfterAgent: ["exit 2"] }, { carabiner: { maxRetries: 0 } });
    const { run, asked } = agent();
    expect((await engine.session().turn("hello", run)).ended).toBe("retriesSpent");
    expect([asked.length, problems().map(({ code }) => code)]).toEqual([1, ["RETRIES_SPENT"]]);
  });
  it("clears the host's history where a hook asks for it, before the next try or at the end", async () => {
    const { engine, place } = engineOf({
      AfterAgent: [
        `if [ -e "$GEMINI_PROJECT_DIR/once" ]; then echo '{}'; else touch "$GEMINI_PROJECT_DIR/once"; ${prints({ decision: "deny", reason: "again", hookSpecificOutput: { clearContext: true } })}; fi`,
      ],
    });
    const order: string[] = [];
    const run = async (prompt: string) => {
      order.push(prompt);
      return "x";
    };
    const clear = async () => {
      order.push("cleared");
    };
    await engine.session().turn("hello", run, { clear });
    expect(order).toEqual(["hello", "cleared", "again"]);
    place.user({ AfterAgent: [prints({ continue: false, stopReason: "done", hookSpecificOutput: { clearContext: true } })] });
    await new Promise((go) => setTimeout(go, 5));
    expect(await engine.session().turn("bye", run, { clear })).toMatchObject({
      ended: "stopped",
      ends: "session",
      answer: "x",
      reason: "done",
    });
    expect(order.slice(3)).toEqual(["bye", "cleared"]);
  });
  it("that is refused from inside ends without its after-agent hooks", async () => {
    const { engine, lines } = engineOf({ AfterAgent: ["true"] });
    const session = engine.session();
    const refused = (how: "blocked" | "stopped") => async () => {
      throw new Refused(how, "turn", "the model said no");
    };
    expect(await session.turn("x", refused("blocked"))).toMatchObject({
      ended: "blocked",
      reason: "the model said no",
      ends: "turn",
      keepsPrompt: true,
    });
    expect(await session.turn("x", refused("stopped"))).toMatchObject({ ended: "stopped", reason: "the model said no" });
    expect(lines().filter(({ kind }) => kind === "fired")).toEqual([]);
    await expect(session.turn("x", () => Promise.reject(new Error("net down")))).rejects.toThrow("net down");
  });
  it("ends at an abort, wherever it is", async () => {
    const { engine } = engineOf({ AfterAgent: ["exit 2"] });
    const { run, asked } = agent();
    expect(await engine.session().turn("x", run, { signal: AbortSignal.abort() })).toMatchObject({ ended: "stopped", answer: undefined });
    const controller = new AbortController();
    const done = await engine.session().turn(
      "x",
      async () => {
        controller.abort();
        return "half";
      },
      { signal: controller.signal },
    );
    expect([done.ended, done.answer, asked.length]).toEqual(["stopped", "half", 0]);
  });
});

const stdins = (place: ReturnType<typeof workplace>, name: string): JsonObject[] =>
  readFileSync(join(place.project, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);
