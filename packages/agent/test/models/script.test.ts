/** The scripted model, from real files. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Model, openScript } from "../../src/models/index.ts";
import { all, ask, failureOf, partsOf, readFile, said, shell } from "./against.ts";

function open(...lines: (string | object)[]): ReturnType<typeof openScript> {
  const dir = mkdtempSync(join(tmpdir(), "carabiner-script-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, "tour.jsonl");
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return openScript({ path, name: "tour.jsonl", contextWindow: 1_000 });
}

function script(...lines: (string | object)[]): Model {
  const opened = open(...lines);
  if (!opened.ok) throw new Error(opened.message);
  return opened.model;
}

describe("a script", () => {
  it("answers line by line, passing comments and blank lines by", async () => {
    const model = script("\uFEFF# a tour", '{"text":"one"}', "", "  // and then", '{"chunks":["t","wo"]}\r', "");
    expect(await all(ask(model))).toEqual([{ parts: [{ type: "text", text: "one" }], finishReason: "STOP" }]);
    expect(await all(ask(model))).toEqual([
      { parts: [{ type: "text", text: "t" }] },
      { parts: [{ type: "text", text: "wo" }], finishReason: "STOP" },
    ]);
  });

  it("thinks, speaks, calls and counts", async () => {
    const calls = [{ name: "read_file", input: { path: "a" }, id: "mine" }, { name: "list" }];
    const model = script({ thought: "hm", text: "Let me.", calls, finish: "MAX_TOKENS", usage: { prompt: 5, total: 9 } });
    const chunks = await all(ask(model));
    expect(chunks).toEqual([
      { parts: [{ type: "text", text: "hm", thought: true }] },
      { parts: [{ type: "text", text: "Let me." }] },
      {
        parts: [
          { type: "call", id: "mine", name: "read_file", input: { path: "a" } },
          { type: "call", id: expect.stringMatching(/^call_[0-9a-f]{32}$/), name: "list", input: {} },
        ],
        finishReason: "MAX_TOKENS",
        usage: { prompt: 5, total: 9 },
      },
    ]);
  });

  it("may answer with nothing", async () => {
    expect(await all(ask(script({ text: "" })))).toEqual([{ parts: [], finishReason: "STOP" }]);
  });

  it("fails as it is told, also in the middle of an answer", async () => {
    const model = script(
      { error: { status: 429, message: "slow down", retryAfterMs: 20 } },
      { chunks: ["half"], error: { message: "cable pulled" } },
    );
    expect(await failureOf(ask(model))).toMatchObject({
      kind: "rateLimit",
      status: 429,
      retryAfterMs: 20,
      retryable: true,
      message: "script/tour.jsonl answered 429: slow down",
    });
    const heard: unknown[] = [];
    const reading = (async () => {
      for await (const chunk of ask(model)) heard.push(chunk);
    })();
    await expect(reading).rejects.toMatchObject({ kind: "network", retryable: true });
    expect(heard).toEqual([{ parts: [{ type: "text", text: "half" }] }]);
  });

  it("waits before each chunk and can be called off meanwhile", async () => {
    const model = script({ chunks: ["a", "b"], delayMs: 40 }, { text: "c", delayMs: 10_000 });
    const start = performance.now();
    await all(ask(model));
    expect(performance.now() - start).toBeGreaterThanOrEqual(70);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    expect(await failureOf(ask(model, {}, controller.signal))).toMatchObject({ kind: "aborted" });
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it("says where it ended when the agent asks for more", async () => {
    const model = script("# one turn only", '{"text":"one"}');
    await all(ask(model));
    expect(await failureOf(ask(model, { messages: [said("and now?")] }))).toMatchObject({
      kind: "exhausted",
      retryable: false,
      message: "script/tour.jsonl: line 2 was the last turn; the agent asked for another. The request was: and now?",
    });
  });
});

describe("what a script expects", () => {
  const history = [
    said('say "hi"'),
    { role: "model", parts: [{ type: "call", id: "1", name: "read_file", input: { path: "a.txt" } }] },
    { role: "user", parts: [{ type: "result", id: "1", name: "read_file", output: { output: "content\n" }, isError: false }] },
  ] as const;

  it.each([
    ["a text as a person wrote it", 'say "hi"'],
    ["several texts", ["say", "content"]],
    ["the input of a call", '"path":"a.txt"'],
    ["the system instruction", "Be kind."],
    ["what is not there", { lacks: "secret" }],
    ["the tools that may be called", { tools: ["run_shell_command"] }],
  ])("may be %s", async (_, expect_) => {
    const model = script({ text: "ok", expect: expect_ });
    const toolLimit = { mode: "auto", allowed: ["run_shell_command"] } as const;
    const chunks = await all(ask(model, { system: "Be kind.", messages: history, tools: [readFile, shell], toolLimit }));
    expect(partsOf(chunks)).toEqual([{ type: "text", text: "ok" }]);
  });

  it.each([
    ["a missing text", "goodbye", 'line 1 expects a request that contains "goodbye"'],
    ["one of several", ["say", "goodbye"], 'line 1 expects a request that contains "goodbye"'],
    ["a text that should not be there", { lacks: ["content"] }, 'line 1 expects a request without "content"'],
    ["other tools", { tools: ["read_file"] }, "line 1 expects the tools [read_file], but [read_file, run_shell_command] may be called"],
  ])("fails the request at %s", async (_, expect_, message) => {
    const error = await failureOf(ask(script({ text: "ok", expect: expect_ }), { messages: history, tools: [shell, readFile] }));
    expect(error).toMatchObject({ kind: "exhausted", retryable: false });
    expect(error.message).toContain(message);
  });

  it("knows that under none nothing may be called", async () => {
    const model = script({ text: "ok", expect: { tools: [] } });
    expect(await all(ask(model, { tools: [shell], toolLimit: { mode: "none", allowed: [] } }))).toHaveLength(1);
  });

  it("keeps a line with when for the agent it is meant for", async () => {
    const model = script({ when: "agent B", text: "for B" }, { when: ["agent A", "first"], text: "for A" }, { text: "for anybody" });
    expect(partsOf(await all(ask(model, { messages: [said("agent A, first")] })))).toMatchObject([{ text: "for A" }]);
    expect(partsOf(await all(ask(model, { messages: [said("agent A, second")] })))).toMatchObject([{ text: "for anybody" }]);
    const error = await failureOf(ask(model, { messages: [said("agent A, third")] }));
    expect(error.message).toContain("no turn is left for this request (line 1 waits for another text)");
    expect(partsOf(await all(ask(model, { messages: [said("agent B")] })))).toMatchObject([{ text: "for B" }]);
  });
});

describe("a script with a mistake", () => {
  it.each([
    ["no JSON", ['{"text":"a"}', "{text}"], "line 2: expected one JSON object a line"],
    ["an unknown field", ['{"txt":"a"}'], "line 1: "],
    ["a wrong type", ['{"calls":[{"name":5}]}'], "line 1: calls[0].name: "],
    ["two ways of speaking", ['{"text":"a","chunks":["b"]}'], 'line 1: has "text" and "chunks"'],
    ["nothing to say", ['{"delayMs":5}'], "line 1: says nothing"],
    ["an impossible status", ['{"error":{"status":7,"message":"x"}}'], "line 1: error.status: "],
    ["no turn", ["# only a comment"], "holds no turn"],
  ])("is refused for %s", (_, lines, why) => {
    const opened = open(...lines);
    expect(opened).toMatchObject({ ok: false });
    expect(!opened.ok && opened.message).toContain(`script/tour.jsonl: ${why}`);
  });

  it("is refused when the file is not there", () => {
    expect(openScript({ path: "/nowhere/x.jsonl", name: "x.jsonl", contextWindow: 1 })).toMatchObject({
      ok: false,
      message: expect.stringContaining("/nowhere/x.jsonl cannot be read"),
    });
  });
});
