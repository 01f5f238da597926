// What hooks on model calls do: seen in the body the provider gets, in what is shown, in history, and in the next request.
import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import type { Reply } from "../servers/model-server.ts";
import { says, saysAt, served, stage, WIRES } from "./stage.ts";

const FORMATS = Object.keys(WIRES) as (keyof typeof WIRES)[];
const specific = (event: string, output: JsonObject) => says({ hookSpecificOutput: { hookEventName: event, ...output } });
const answer = (text: string, more: JsonObject = {}) => ({
  candidates: [{ content: { role: "model", parts: [text] }, ...more }],
});
const writes = (path: string) => ({ name: "write_file", input: { file_path: path, content: "x" } });

describe.each(FORMATS)("before the model, over the %s wire", (format) => {
  it("a patch of texts and numbers reaches the provider; calls, results and history stay as they are", async () => {
    const on = stage();
    // What a redaction does: every text it was shown comes back changed.
    on.hooks([
      {
        on: "BeforeModel",
        does: `tail -n 1 "$home/seen/BeforeModel.jsonl" | sed 's/hunter2/[secret]/g; s/.*"llm_request":/{"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request":/; s/"config":{}}}$/"config":{"temperature":0.25}}}}/'`,
      },
    ]);
    const run = await served(on, format, [
      { text: "I keep hunter2 in mind.", calls: [{ id: "call-1", name: "list_directory", input: { dir_path: "." } }] },
      { text: "done" },
    ]);
    const done = await run.ask("the password is hunter2");
    expect(run.told().filter((text) => text.includes("BeforeModel"))).toEqual([]);
    expect(done.answer).toBe("done");
    expect(run.sent(0)).toContain("the password is [secret]");
    expect(run.sent(0) + run.sent(1)).not.toContain("hunter2");
    expect(run.sent(1)).toContain("I keep [secret] in mind.");
    // The server refuses a history whose calls and results do not match.
    expect(run.sent(1)).toContain("list_directory");
    expect(run.server.requests.map(({ body }) => body.temperature ?? body.generationConfig?.temperature)).toEqual([0.25, 0.25]);
    expect(JSON.stringify(run.agent.messages())).toContain("hunter2");
    expect(JSON.stringify(run.agent.messages())).not.toContain("[secret]");
  });

  it("an answer in place of the model's asks nobody, is seen by the hooks after the model, and is history", async () => {
    const on = stage();
    on.hooks([
      { on: "BeforeModel", does: specific("BeforeModel", { llm_response: answer("from the cache") }) },
      { on: "AfterModel" },
      { on: "BeforeToolSelection" },
    ]);
    const run = await served(on, format, []);
    const done = await run.ask("hello");
    expect(done).toMatchObject({ ended: "answered", answer: "from the cache" });
    expect(run.texts()).toBe("from the cache");
    expect(run.server.requests).toEqual([]);
    expect(run.events.filter(({ kind }) => kind === "modelAsked")).toEqual([]);
    expect(on.seen("AfterModel").map(({ llm_response }) => llm_response)).toMatchObject([
      { candidates: [{ content: { parts: ["from the cache"] }, finishReason: "STOP" }] },
    ]);
    expect(on.seen("BeforeToolSelection")).toEqual([]);
    expect(run.agent.messages().at(-1)).toEqual({ role: "model", parts: [{ type: "text", text: "from the cache" }] });
  });

  it("the tools of one step are limited for every provider: a call beyond them is refused by the loop and told to the model", async () => {
    const on = stage();
    on.hooks([
      {
        on: "BeforeToolSelection",
        does: saysAt(1, {
          hookSpecificOutput: { hookEventName: "BeforeToolSelection", toolConfig: { mode: "ANY", allowedFunctionNames: ["read_file"] } },
        }),
      },
      { on: "BeforeTool" },
    ]);
    const run = await served(on, format, [{ calls: [writes("forbidden.txt")] }, { calls: [writes("allowed.txt")] }, { text: "ok" }]);
    const done = await run.ask("write");
    expect(done.answer).toBe("ok");
    const named = run.sent(0);
    expect(named.includes('"read_file"') && !named.includes('"write_file"')).toBe(true);
    expect(run.sent(1)).toContain("may not be called now");
    expect(on.seen("BeforeTool").map(({ tool_input }) => tool_input)).toEqual([{ file_path: "allowed.txt", content: "x" }]);
    expect(() => on.read("my project/forbidden.txt")).toThrow("ENOENT");
  });
});

describe("before the model", () => {
  it("a denial blocks the request: no call, the reason ends the turn, the prompt stays in history, no hooks after it", async () => {
    const on = stage();
    on.hooks([
      { on: "BeforeModel", does: saysAt(1, { decision: "deny", reason: "budget spent" }) },
      { on: "BeforeToolSelection" },
      { on: "AfterModel" },
      { on: "AfterAgent" },
    ]);
    const run = await served(on, "anthropic", [{ text: "fine" }]);
    expect(await run.ask("one")).toMatchObject({ ended: "blocked", reason: "budget spent", answer: undefined });
    expect(run.server.requests).toEqual([]);
    expect(on.order()).toEqual(["BeforeModel"]);
    await run.ask("two");
    expect(run.server.requests[0]?.body.messages).toMatchObject([{ content: [{ text: "one" }, { text: "two" }] }]);
  });

  it("a denial with an answer shows that answer and ends the turn blocked", async () => {
    const on = stage();
    on.hooks([
      {
        on: "BeforeModel",
        does: says({
          decision: "block",
          reason: "off topic",
          hookSpecificOutput: { hookEventName: "BeforeModel", llm_response: answer("Ask about code.") },
        }),
      },
    ]);
    const run = await served(on, "gemini", []);
    expect(await run.ask("the weather?")).toMatchObject({ ended: "blocked", reason: "off topic" });
    expect(run.texts()).toBe("Ask about code.");
    expect(run.server.requests).toEqual([]);
  });

  it("a stop ends the loop, and a harmless hook behind it changes nothing about that", async () => {
    const on = stage();
    on.hooks([
      { on: "BeforeModel", as: "stops", does: says({ continue: false, stopReason: "halt" }) },
      { on: "BeforeModel", as: "logs", does: says({ decision: "allow" }) },
    ]);
    const run = await served(on, "gemini", []);
    expect(await run.ask("x")).toMatchObject({ ended: "stopped", reason: "halt" });
    expect(run.server.requests).toEqual([]);
  });

  it("a connection that fails is tried again through all hooks", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeModel" }, { on: "BeforeToolSelection" }, { on: "BeforeAgent" }, { on: "AfterModel" }]);
    const run = await served(on, "gemini", [
      { status: 429, headers: { "retry-after-ms": "20" } },
      { status: 503, headers: { "retry-after-ms": "20" } },
      { text: "at last" },
    ]);
    expect((await run.ask("x")).answer).toBe("at last");
    expect(on.order()).toEqual([
      "BeforeAgent",
      "BeforeModel",
      "BeforeToolSelection",
      "BeforeModel",
      "BeforeToolSelection",
      "BeforeModel",
      "BeforeToolSelection",
      "AfterModel",
    ]);
    expect(run.events.flatMap((event) => (event.kind === "modelRetry" ? [event.attempt] : []))).toEqual([1, 2]);
  });

  it("an answer that breaks off after words were shown is not asked again; nothing half of it is kept", async () => {
    const on = stage();
    on.hooks([{ on: "AfterAgent" }]);
    const run = await served(on, "openai", [{ text: "half", then: "cut" }]);
    await expect(run.ask("x")).rejects.toMatchObject({ name: "ModelError", kind: "network" });
    expect(run.server.requests).toHaveLength(1);
    expect(run.agent.messages()).toHaveLength(1);
    expect(on.seen("AfterAgent")).toEqual([]);
  });

  it.each([
    ["NONE", [], "hooks allow no tool"],
    ["AUTO", ["read_file"], "hooks allow read_file"],
  ] as const)("mode %s with %j refuses a call of write_file in the loop", async (mode, names, told) => {
    const on = stage();
    on.hooks([
      { on: "BeforeToolSelection", does: specific("BeforeToolSelection", { toolConfig: { mode, allowedFunctionNames: [...names] } }) },
    ]);
    const run = await served(on, "openai", [{ calls: [writes("a.txt")] }, { text: "ok" }]);
    await run.ask("write");
    expect(run.sent(1)).toContain(told);
    expect(() => on.read("my project/a.txt")).toThrow("ENOENT");
  });

  it("a limit that names a tool by its newer name lets it be called by the older one", async () => {
    const on = stage();
    on.write("my project/a.txt", "needle\n");
    on.hooks([
      {
        on: "BeforeToolSelection",
        does: specific("BeforeToolSelection", { toolConfig: { mode: "ANY", allowedFunctionNames: ["grep_search"] } }),
      },
    ]);
    const run = await served(on, "gemini", [{ calls: [{ name: "search_file_content", input: { pattern: "needle" } }] }, { text: "ok" }]);
    await run.ask("search");
    expect(run.sent(1)).toContain("a.txt");
    expect(run.sent(1)).not.toContain("may not be called");
  });
});

describe.each(FORMATS)("after the model, over the %s wire", (format) => {
  it("a replaced text is what is shown, kept, written down and sent again; the calls beside it stay", async () => {
    const on = stage();
    on.hooks([
      {
        on: "AfterModel",
        does: `if tail -n 1 "$home/seen/AfterModel.jsonl" | grep -q '"llm_response".*hunter2'; then\n${specific("AfterModel", { llm_response: answer("[redacted]") })}\nfi`,
      },
    ]);
    const run = await served(on, format, [
      { chunks: ["The password ", "is hunter2"], calls: [{ id: "call-1", ...writes("a.txt") }] },
      { text: "done" },
    ]);
    await run.ask("tell me");
    expect(run.texts()).toBe("The password [redacted]done");
    expect(run.sent(1)).toContain("The password [redacted]");
    expect(run.sent(1)).not.toContain("hunter2");
    expect(on.read("my project/a.txt")).toBe("x");
    expect(on.read(run.agent.transcriptPath().slice(on.root.length + 1))).not.toContain("hunter2");
  });
});

describe.each(FORMATS)("a hook on every chunk, over the %s wire", (format) => {
  it("sees as many chunks as were said, the finish and the tokens with the last; one that replaces each speaks once for each", async () => {
    const on = stage();
    on.hooks([{ on: "AfterModel", does: specific("AfterModel", { llm_response: answer("[x]") }) }]);
    const usage = { prompt: 7, candidates: 3 };
    const run = await served(on, format, [
      { text: "whole", usage },
      { chunks: ["one ", "two"], usage },
    ]);
    expect((await run.ask("once")).answer).toBe("[x]");
    expect(run.texts()).toBe("[x]");
    await run.ask("twice");
    expect(run.texts()).toBe("[x][x][x]");
    const chunk = (text: string, finish: object, counted: object) => ({
      llm_response: { text, candidates: [{ content: { role: "model", parts: [text] }, index: 0, ...finish }], ...counted },
    });
    const end = [
      { finishReason: "STOP" },
      { usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 } },
    ] as const;
    expect(on.seen("AfterModel").map(({ llm_response }) => ({ llm_response }))).toEqual([
      chunk("whole", ...end),
      chunk("one ", {}, {}),
      chunk("two", ...end),
    ]);
    expect(run.agent.messages().at(-1)).toEqual({ role: "model", parts: [{ type: "text", text: "[x][x]" }] });
  });
});

describe("after the model", () => {
  const chunked: Reply[] = [{ chunks: ["one ", "two ", "three"] }];
  const at = (text: string, said: unknown) =>
    `if tail -n 1 "$home/seen/AfterModel.jsonl" | grep -q '"parts":\\["${text}"\\]'; then\n${says(said)}\nfi`;
  const atTwo = (said: unknown) => at("two ", said);

  it("replacing the text of a chunk that holds a call keeps the call", async () => {
    const on = stage();
    on.hooks([
      { on: "AfterModel", does: saysAt(1, { hookSpecificOutput: { hookEventName: "AfterModel", llm_response: answer("[filtered]") } }) },
    ]);
    const run = await served(on, "gemini", [{ calls: [writes("a.txt")] }, { text: "x" }]);
    await run.ask("go");
    expect(on.read("my project/a.txt")).toBe("x");
    expect(run.agent.messages()[1]?.parts.map(({ type }) => type)).toEqual(["text", "call"]);
  });

  it("a denied chunk is discarded with what follows, the turn is blocked, and nothing of the answer is kept", async () => {
    const on = stage();
    on.hooks([{ on: "AfterModel", does: atTwo({ decision: "deny", reason: "no twos" }) }, { on: "AfterAgent" }]);
    const run = await served(on, "gemini", [...chunked]);
    expect(await run.ask("count")).toMatchObject({ ended: "blocked", reason: "no twos" });
    expect(run.texts()).toBe("one ");
    expect(run.agent.messages()).toHaveLength(1);
    expect(on.seen("AfterAgent")).toEqual([]);
  });

  it("a stop ends the loop without that chunk", async () => {
    const on = stage();
    on.hooks([{ on: "AfterModel", does: atTwo({ continue: false, stopReason: "enough" }) }]);
    const run = await served(on, "gemini", [...chunked]);
    expect(await run.ask("count")).toMatchObject({ ended: "stopped", reason: "enough" });
    expect(run.texts()).toBe("one ");
  });

  it("thoughts are neither shown to hooks as the answer nor to people, and stay beside a replaced text", async () => {
    const on = stage();
    on.hooks([
      { on: "AfterModel", does: at("dirty", { hookSpecificOutput: { hookEventName: "AfterModel", llm_response: answer("clean") } }) },
    ]);
    const run = await served(on, "gemini", [{ thought: "secret plan", text: "dirty" }]);
    await run.ask("x");
    expect(JSON.stringify(on.seen("AfterModel"))).not.toContain("secret plan");
    expect(run.texts()).toBe("clean");
    expect(run.agent.messages().at(-1)?.parts).toMatchObject([{ text: "secret plan", thought: true }, { text: "clean" }]);
  });
});
