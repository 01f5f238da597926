/** Chunks of which the last that says something brings the finish: piece by piece, and over each provider's wire. */
import { describe, expect, it } from "vitest";
import { holdingFinish, MORE_COMES, type Piece } from "../../src/models/hold-finish.ts";
import type { Chunk, Part } from "../../src/models/index.ts";
import { all, allStands, ask, modelAt, readFile, serve } from "./against.ts";

const text = (said: string, more: object = {}): Part => ({ type: "text", text: said, ...more });
const call = (id: string): Part => ({ type: "call", id, name: "glob", input: {} });
const signed = { metadata: { google: { thoughtSignature: "c2ln" } } };
const end: Piece = { parts: [], finishReason: "STOP", usage: { total: 3 } };
const finish = { finishReason: "STOP", usage: { total: 3 } };

async function* from(pieces: readonly Piece[], then?: Error): AsyncGenerator<Piece> {
  yield* pieces;
  if (then) throw then;
}
const chunks = (...pieces: readonly Piece[]): Promise<Chunk[]> => all(holdingFinish(from(pieces), new AbortController().signal));

describe("a finish that comes with the last chunk", () => {
  it("rides on the last text, thought or call", async () => {
    expect(await chunks({ parts: [text("a")] }, { parts: [text("b")] }, end)).toEqual([
      { parts: [text("a")] },
      { parts: [text("b")], ...finish },
    ]);
    const thought = text("hm", { thought: true });
    expect(await chunks({ parts: [thought] }, end)).toEqual([{ parts: [thought], ...finish }]);
    expect(await chunks({ parts: [text("a")] }, MORE_COMES, { parts: [call("1")] }, end)).toEqual([
      { parts: [text("a")] },
      { parts: [call("1")], ...finish },
    ]);
  });
  it("comes alone where nothing was said", async () => expect(await chunks(end)).toEqual([end]));
  it("leaves calls side by side in one chunk, as one answer of Gemini has them", async () => {
    const calls = ["1", "2"].flatMap((id): Piece[] => [MORE_COMES, { parts: [call(id)] }]);
    expect(await chunks({ parts: [call("0")] }, ...calls.filter((piece) => piece !== MORE_COMES), end)).toEqual([
      { parts: [call("0"), call("1"), call("2")], ...finish },
    ]);
  });
  it("brings what is empty and only signed with it: nothing there to look at", async () => {
    expect(await chunks({ parts: [text("a")] }, { parts: [text("", signed)] }, end)).toEqual([
      { parts: [text("a"), text("", signed)], ...finish },
    ]);
    const withheld = text("", { thought: true, ...signed });
    expect(await chunks({ parts: [withheld] }, { parts: [text("a")] }, end)).toEqual([{ parts: [withheld, text("a")], ...finish }]);
    expect(await chunks({ parts: [withheld] }, MORE_COMES, { parts: [call("1")] }, end)).toEqual([
      { parts: [withheld, call("1")], ...finish },
    ]);
  });
  it("holds back nothing once it is known that more comes", async () => {
    const stream = holdingFinish(from([{ parts: [text("a")] }, MORE_COMES]), new AbortController().signal);
    expect(await stream.next()).toEqual({ done: false, value: { parts: [text("a")] } });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
  it("says what was said before an answer broke off, and nothing more after an abort", async () => {
    const heard = async (signal: AbortSignal, piece: Piece): Promise<readonly unknown[]> => {
      const got: unknown[] = [];
      try {
        for await (const chunk of holdingFinish(from([piece], new Error("cut")), signal)) got.push(chunk);
      } catch (error) {
        got.push(error instanceof Error ? error.message : error);
      }
      return got;
    };
    expect(await heard(new AbortController().signal, { parts: [text("half")] })).toEqual([{ parts: [text("half")] }, "cut"]);
    expect(await heard(AbortSignal.abort(), { parts: [text("half")] })).toEqual(["cut"]);
    expect(await heard(new AbortController().signal, { parts: [text("", signed)] })).toEqual(["cut"]);
  });
});

describe.each(allStands)("a model that speaks $format and is asked for that", (stand) => {
  const usage = { prompt: 7, candidates: 3 };
  const heard = async (reply: Parameters<typeof serve>[1][number]): Promise<Chunk[]> => {
    const { url } = await serve(stand.format, [reply]);
    return all(ask(modelAt(stand, url), { tools: [readFile] }, undefined, { finishWithContent: true }));
  };
  const counted = { finishReason: "STOP", usage: { ...usage, total: 10 } };

  it("gives as many chunks as were said", async () => {
    expect(await heard({ chunks: ["one ", "two"], usage })).toEqual([{ parts: [text("one ")] }, { parts: [text("two")], ...counted }]);
    expect(await heard({ text: "whole", usage })).toEqual([{ parts: [text("whole")], ...counted }]);
  });
  it("gives a thought, a text and all calls as a chunk each", async () => {
    const calls = ["a1", "a2"].map((id) => ({ id, name: "read_file", input: { path: id } }));
    const got = await heard({ thought: "hm", text: "Reading.", calls, usage });
    expect(got.map(({ parts }) => parts.filter((part) => part.type !== "text" || part.text !== "").map(({ type }) => type))).toEqual([
      ["text"],
      ["text"],
      ["call", "call"],
    ]);
    expect(got.map(({ finishReason }) => finishReason)).toEqual([undefined, undefined, "STOP"]);
  });
  it("ends an answer that says nothing with one chunk", async () => {
    expect(await heard({ usage })).toMatchObject([{ parts: [], ...counted }]);
  });
  it("shows a text while the arguments of a call are still being written", async () => {
    if (stand.format === "gemini") return; // Its calls come whole.
    const { url } = await serve(stand.format, [{ text: "Writing.", calls: [{ id: "a1", name: "read_file", input: {} }], then: "hold" }]);
    for await (const chunk of ask(modelAt(stand, url), { tools: [readFile] }, undefined, { finishWithContent: true })) {
      expect(chunk.parts).toEqual([text("Writing.")]);
      break;
    }
  });
});
