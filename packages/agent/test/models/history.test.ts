/** Histories put in order for providers, deltas joined to parts, windows by name. */
import { describe, expect, it } from "vitest";
import { answerOf, contextWindowOf, joined, type Message, type Model, type Part } from "../../src/models/index.ts";
import { paired } from "../../src/models/pairs.ts";

const user = (...parts: Part[]): Message => ({ role: "user", parts });
const model = (...parts: Part[]): Message => ({ role: "model", parts });
const text = (said: string): Part => ({ type: "text", text: said });
const call = (id: string): Part => ({ type: "call", id, name: "t", input: {} });
const result = (id: string): Part => ({ type: "result", id, name: "t", output: "r", isError: false });
const missing = (id: string): Part => ({ type: "result", id, name: "t", output: "This call was not carried out.", isError: true });

describe("pairs of calls and results", () => {
  it("are left alone when they are complete", () => {
    const history = [user(text("a")), model(call("1"), call("2")), user(result("2"), result("1"), text("b"))];
    const ordered = paired(history);
    expect(ordered).toEqual(history);
    for (const [i, message] of ordered.entries()) expect(message).toBe(history[i]);
  });

  it("are completed before what comes next, whoever says it", () => {
    expect(paired([model(call("1"), call("2")), user(result("1"))])).toEqual([
      model(call("1"), call("2")),
      user(missing("2"), result("1")),
    ]);
    expect(paired([model(call("1")), model(text("b"))])).toEqual([model(call("1")), user(missing("1")), model(text("b"))]);
    expect(paired([model(call("1"))])).toEqual([model(call("1")), user(missing("1"))]);
  });

  it("make text of a result that has lost its call", () => {
    expect(paired([user(result("9"), text("go"))])).toEqual([user(text("Result of an earlier call of t: r"), text("go"))]);
  });
});

describe("joined deltas", () => {
  it("are one part as long as kind and signature allow", () => {
    const signed = { type: "text", text: "c", metadata: { x: { s: "1" } } } as const;
    const thought = { type: "text", text: "t", thought: true } as const;
    expect(joined([text("a"), text("b"), signed, text("d"), thought, thought, call("1"), text("e")])).toEqual([
      { type: "text", text: "abc", metadata: { x: { s: "1" } } },
      text("d"),
      { type: "text", text: "tt", thought: true },
      call("1"),
      text("e"),
    ]);
  });

  it("make an answer of a stream, with its end", async () => {
    const streamed: Model = {
      provider: "p",
      name: "n",
      contextWindow: 1,
      async *stream() {
        yield { parts: [text("a")] };
        yield { parts: [text("b")], finishReason: "STOP", usage: { total: 3 } };
      },
    };
    const ask = { model: "n", system: undefined, messages: [], tools: [], config: {} };
    expect(await answerOf(streamed, ask, new AbortController().signal)).toEqual({
      parts: [text("ab")],
      finishReason: "STOP",
      usage: { total: 3 },
    });
  });
});

it.each([
  ["gemini-3.5-flash", 1_048_576],
  ["claude-sonnet-4-5", 200_000],
  ["claude-sonnet-5", 1_000_000],
  ["anthropic/claude-opus-5-5", 1_000_000],
  ["gpt-4", 8_192],
  ["gpt-4o-mini", 128_000],
  ["gpt-5.2", 400_000],
  ["gpt-5.4-mini", 1_050_000],
  ["Llama3.2:3b", 128_000],
  ["something-new", 32_000],
  ["__proto__", 32_000],
])("the window of %s is %i tokens", (name, tokens) => {
  expect(contextWindowOf(name)).toBe(tokens);
  expect(contextWindowOf(name, 1_000)).toBe(1_000);
});
