import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyRequest, applyResponse, type GeminiRequest, toRequest, toResponse } from "../../src/dialects/index.ts";
import { applyMessages, composed, type MessageCodec, patched, textMessages } from "../../src/protocol/index.ts";

const text = (value: string) => ({ text: value });
const call = { functionCall: { name: "read_file", args: {} } };
const response = { functionResponse: { name: "read_file", response: {} } };

/** What a Gemini CLI conversation really looks like: texts with calls between them. */
const contents = [
  { role: "user", parts: [text("setup"), text("hello")] },
  { role: "model", parts: [text("let me look"), call] },
  { role: "user", parts: [response] },
  { role: "model", parts: [{ text: "thinking", thought: true }, call] },
  { role: "user", parts: [response, text("and this")] },
];
const request: GeminiRequest = {
  model: "m",
  contents,
  config: { temperature: 1, topP: 0.9, topK: 64, systemInstruction: "be kind", tools: [{}] },
};

describe("a request as hooks see it", () => {
  it("has one message for each entry with text, its texts joined, and the four numbers", () => {
    expect(toRequest(request)).toEqual({
      model: "m",
      messages: [
        { role: "user", content: "setuphello" },
        { role: "model", content: "let me look" },
        { role: "user", content: "and this" },
      ],
      config: { temperature: 1, topP: 0.9, topK: 64 },
    });
  });
  it("may be one text, one entry, or a list of texts", () => {
    const messages = (given: GeminiRequest["contents"]) => toRequest({ model: "m", contents: given }).messages;
    expect(messages("hi")).toEqual([{ role: "user", content: "hi" }]);
    expect(messages({ role: "model", parts: [text("hi")] })).toEqual([{ role: "model", content: "hi" }]);
    expect(messages(["a", "b"])).toEqual([
      { role: "user", content: "a" },
      { role: "user", content: "b" },
    ]);
    expect(messages([])).toEqual([]);
    expect(messages([{ role: "tool", parts: [text("x")] }, 7, null, { parts: "x" }])).toEqual([{ role: "user", content: "x" }]);
  });
});

describe("a change laid over the rich request", () => {
  it("goes by position among the entries with text; calls between them stay where they are", () => {
    const changed = applyRequest(request, {
      messages: [
        { at: 1, role: "model", content: "***" },
        { at: 2, role: "user", content: "other" },
      ],
    });
    expect(changed.contents).toEqual([
      contents[0],
      { role: "model", parts: [text("***"), call] },
      contents[2],
      contents[3],
      { role: "user", parts: [text("other"), response] },
    ]);
  });
  it("appends what is past the end, in order", () => {
    const changed = applyRequest(request, {
      messages: [
        { at: 9, role: "model", content: "second" },
        { at: 3, role: "user", content: "first" },
      ],
    });
    expect((changed.contents as unknown[]).slice(5)).toEqual([
      { role: "user", parts: [text("first")] },
      { role: "model", parts: [text("second")] },
    ]);
  });
  it("of nothing changes nothing, the very same list", () => {
    expect(applyRequest(request, undefined).contents).toBe(contents);
    expect(applyRequest(request, { messages: [] }).contents).toEqual(contents);
    expect(applyRequest({ model: "m", contents: [] }, undefined)).toEqual({ model: "m", contents: [] });
  });
  it("keeps the settings it does not name", () => {
    expect(applyRequest(request, { model: "n", config: { temperature: 0 } })).toEqual({
      ...request,
      model: "n",
      config: { ...request.config, temperature: 0 },
    });
  });
  it("limits the tools", () => {
    expect(applyRequest(request, undefined, { mode: "any", allowed: ["a"] }).config?.["toolConfig"]).toEqual({
      functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["a"] },
    });
    expect(applyRequest(request, undefined, { mode: "none", allowed: [] }).config?.["toolConfig"]).toEqual({
      functionCallingConfig: { mode: "NONE" },
    });
  });
  it("makes entries of bare texts", () => {
    expect(applyRequest({ model: "m", contents: ["a", "b"] }, { messages: [{ at: 1, role: "user", content: "c" }] }).contents).toEqual([
      "a",
      { role: "user", parts: [text("c")] },
    ]);
  });
});

describe("a response", () => {
  const rich = {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "hm", thought: true }, text("a"), call, text("b")] },
        finishReason: "STOP",
        safetyRatings: [],
      },
      { index: 1 },
    ],
    usageMetadata: { totalTokenCount: 3, promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 9 },
    responseId: "r",
  };
  it("shows texts, never thoughts", () => {
    expect(toResponse(rich)).toEqual({ parts: ["a", "b"], finishReason: "STOP", usage: { total: 3, prompt: 1, candidates: 2 } });
    expect(toResponse({})).toEqual({ parts: [] });
    expect(toResponse({ candidates: [null] } as never)).toEqual({ parts: [] });
  });
  it("with its text replaced keeps calls, thoughts and everything else", () => {
    expect(applyResponse(rich, { parts: ["***"] })).toEqual({
      ...rich,
      candidates: [
        { ...rich.candidates[0], content: { role: "model", parts: [text("***"), { text: "hm", thought: true }, call] } },
        { index: 1 },
      ],
    });
  });
  it("is made anew where there is none", () => {
    expect(applyResponse(undefined, { parts: ["a"] })).toEqual({
      candidates: [{ content: { role: "model", parts: [text("a")] }, finishReason: "STOP" }],
    });
    expect(applyResponse(undefined, { parts: ["a"], finishReason: "MAX_TOKENS" })).toMatchObject({
      candidates: [{ finishReason: "MAX_TOKENS" }],
    });
  });
});

describe("any host's messages", () => {
  interface Rich {
    readonly text?: string;
    readonly role: "user" | "model";
    readonly call?: number;
  }
  const codec: MessageCodec<Rich> = {
    text: ({ text: value }) => value,
    withText: (message, value, role) => ({ ...message, text: value, role: role === "model" ? "model" : "user" }),
    fromText: (value, role) => ({ text: value, role: role === "model" ? "model" : "user" }),
  };
  const rich: fc.Arbitrary<Rich> = fc.record(
    { role: fc.constantFrom("user", "model"), text: fc.string(), call: fc.integer() },
    { requiredKeys: ["role"] },
  );
  const role = ({ role: value }: Rich) => value;
  const changes = fc
    .uniqueArray(
      fc.record({ at: fc.nat(12), role: fc.constantFrom("user" as const, "model" as const), content: fc.string({ minLength: 1 }) }),
      { selector: ({ at }) => at },
    )
    .map((messages) => messages.sort((a, b) => a.at - b.at));

  it("changed and then shown are what was shown and then changed", () => {
    fc.assert(
      fc.property(fc.array(rich, { maxLength: 10 }), changes, (messages, patch) => {
        const shown = textMessages(messages, codec, role);
        const changed = patched({ model: "m", messages: shown, config: {} }, { messages: patch });
        expect(textMessages(applyMessages(messages, { messages: patch }, codec), codec, role)).toEqual(changed.messages);
      }),
      { numRuns: 1_000 },
    );
  });
  it("without text stay as they are, wherever they stand", () => {
    fc.assert(
      fc.property(fc.array(rich, { maxLength: 10 }), changes, (messages, patch) => {
        const untouched = messages.filter((message) => !message.text);
        expect(applyMessages(messages, { messages: patch }, codec).filter((message) => untouched.includes(message))).toEqual(untouched);
        expect(applyMessages(messages, {}, codec)).toBe(messages);
      }),
      { numRuns: 1_000 },
    );
  });
  it("changed twice are as changed by the two changes as one", () => {
    fc.assert(
      fc.property(fc.array(rich, { minLength: 3, maxLength: 10 }), changes, changes, (messages, first, later) => {
        const shown = textMessages(messages, codec, role);
        const inside = (patch: typeof first) => ({ messages: patch.filter(({ at }) => at < shown.length) });
        const request = { model: "m", messages: shown, config: {} };
        expect(patched(patched(request, inside(first)), inside(later))).toEqual(patched(request, composed(inside(first), inside(later))));
      }),
      { numRuns: 1_000 },
    );
  });
});
