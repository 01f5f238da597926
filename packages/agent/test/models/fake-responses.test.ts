/** Gemini CLI's fake responses, from real files. Source: contract, integration test rig. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { answerOf, type Model, openFakeResponses } from "../../src/models/index.ts";
import { all, ask, failureOf, partsOf, said } from "./against.ts";

function open(lines: readonly (string | object)[], strict?: boolean): ReturnType<typeof openFakeResponses> {
  const dir = mkdtempSync(join(tmpdir(), "carabiner-fake-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, "fake.responses");
  writeFileSync(path, `${lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")}\n`);
  return openFakeResponses({ path, name: "gemini-3-flash-preview", contextWindow: 1_000, strict });
}

function fake(lines: readonly (string | object)[], strict?: boolean): Model {
  const opened = open(lines, strict);
  if (!opened.ok) throw new Error(opened.message);
  return opened.model;
}

const candidate = (parts: readonly object[] | undefined, finishReason?: string): object => ({
  candidates: [{ content: { role: "model", ...(parts ? { parts } : {}) }, ...(finishReason ? { finishReason } : {}), index: 0 }],
});
const streamed = (...response: readonly object[]): object => ({ method: "generateContentStream", response });
const whole = (text: string): object => ({ method: "generateContent", response: candidate([{ text }], "STOP") });
const call = { model: "m", system: undefined, messages: [said("sum up")], tools: [], config: {} };
const signal = new AbortController().signal;

describe("fake responses", () => {
  it("play every kind of chunk as it was recorded", async () => {
    const model = fake([
      streamed(
        candidate([{ thought: true, text: "**Thinking**", thoughtSignature: "" }]),
        candidate([
          { functionCall: { name: "write_file", args: { file_path: "a.txt", content: "x" } }, thoughtSignature: "c2ln" },
          { functionCall: { id: "own", name: "list_dir" } },
        ]),
        candidate([{ text: "Done." }]),
        {
          ...candidate([{ text: "" }], "STOP"),
          usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 9, trafficType: "ON_DEMAND" },
        },
      ),
      streamed(candidate(undefined, "STOP")),
      streamed({ promptFeedback: { blockReason: "SAFETY" } }),
    ]);
    expect(await all(ask(model))).toEqual([
      { parts: [{ type: "text", text: "**Thinking**", thought: true, metadata: { google: { thoughtSignature: "" } } }] },
      {
        parts: [
          {
            type: "call",
            id: expect.stringMatching(/^call_/),
            name: "write_file",
            input: { file_path: "a.txt", content: "x" },
            metadata: { google: { thoughtSignature: "c2ln" } },
          },
          { type: "call", id: "own", name: "list_dir", input: {} },
        ],
      },
      { parts: [{ type: "text", text: "Done." }] },
      { parts: [], finishReason: "STOP", usage: { prompt: 5, candidates: 2, total: 9 } },
    ]);
    expect(await all(ask(model))).toEqual([{ parts: [], finishReason: "STOP" }]);
    expect(await all(ask(model))).toEqual([{ parts: [], finishReason: "SAFETY" }]);
  });

  it("keep strictly to the order of the file", async () => {
    const model = fake([whole("summary"), streamed(candidate([{ text: "answer" }], "STOP"))]);
    const error = await failureOf(ask(model, { messages: [said("hello")] }));
    expect(error).toMatchObject({ kind: "exhausted", retryable: false });
    expect(error.message).toMatch(
      /^No more mock responses for generateContentStream, got request: \{.*"text":"hello".*\}; the next one is for generateContent$/,
    );
    expect(partsOf([await answerOf(model, call, signal)])).toMatchObject([{ text: "summary" }]);
    expect(partsOf(await all(ask(model)))).toMatchObject([{ text: "answer" }]);
    await expect(answerOf(model, call, signal)).rejects.toThrow(/^No more mock responses for generateContent, got request: \{"model":"m"/);
  });

  it("are taken by method when order is not strict", async () => {
    const model = fake(
      [{ method: "countTokens", response: { totalTokens: 1 } }, whole("summary"), streamed(candidate([{ text: "answer" }], "STOP"))],
      false,
    );
    expect(partsOf(await all(ask(model)))).toMatchObject([{ text: "answer" }]);
    expect(partsOf([await answerOf(model, call, signal)])).toMatchObject([{ text: "summary" }]);
    expect((await failureOf(ask(model))).message).toMatch(/^No more mock responses for generateContentStream, got request: /);
  });

  it("stop when the request is called off", async () => {
    const model = fake([streamed(candidate([{ text: "a" }]), candidate([{ text: "b" }], "STOP"))]);
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of ask(model, {}, controller.signal)) controller.abort();
    })();
    await expect(reading).rejects.toMatchObject({ kind: "aborted" });
  });

  it.each([
    ["no JSON", ["{}}"], ":1: expected one JSON object a line"],
    ["an unknown method", ["", { method: "guess", response: [] }], ":2: expected"],
    ["a stream that is no list", [{ method: "generateContentStream", response: {} }], ":1: expected"],
    [
      "a call without a name",
      [streamed(candidate([{ functionCall: { args: {} } }]))],
      "response[0].candidates[0].content.parts[0].functionCall.name",
    ],
  ])("are refused for %s, with the place", (_, lines, message) => {
    const opened = open(lines);
    expect(!opened.ok && opened.message).toContain(message);
  });
});
