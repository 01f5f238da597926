/** What comes back from each provider's stream, over real HTTP. */
import { describe, expect, it } from "vitest";
import { all, allStands, ask, failureOf, modelAt, partsOf, readFile, said, serve, stands } from "./against.ts";

describe.each(allStands)("a model that speaks $format", (stand) => {
  it("streams text as one chunk a delta and ends with the reason and the tokens", async () => {
    const { url } = await serve(stand.format, [{ chunks: ["Hel", "lo ", "w\u00f6rld \u{1F600}"], usage: { prompt: 7, candidates: 3 } }]);
    const chunks = await all(ask(modelAt(stand, url)));
    expect(chunks).toEqual([
      { parts: [{ type: "text", text: "Hel" }] },
      { parts: [{ type: "text", text: "lo " }] },
      { parts: [{ type: "text", text: "w\u00f6rld \u{1F600}" }] },
      { parts: [], finishReason: "STOP", usage: { prompt: 7, candidates: 3, total: 10 } },
    ]);
  });

  it("yields the first chunk while the answer is still being written", async () => {
    const { url, requests } = await serve(stand.format, [{ chunks: ["first"], then: "hold" }]);
    for await (const chunk of ask(modelAt(stand, url))) {
      expect(chunk.parts).toEqual([{ type: "text", text: "first" }]);
      break;
    }
    await expect.poll(() => requests[0]?.left).toBe(true);
  });

  it.each([
    ["length", "MAX_TOKENS"],
    ["safety", "SAFETY"],
  ] as const)("says in Gemini's words that an answer ended by %s", async (finish, word) => {
    const { url } = await serve(stand.format, [{ text: "Once", finish }]);
    expect((await all(ask(modelAt(stand, url)))).at(-1)?.finishReason).toBe(word);
  });

  it("keeps thoughts apart from the text", async () => {
    const { url } = await serve(stand.format, [{ thought: "Let me see.", text: "Four." }]);
    expect(partsOf(await all(ask(modelAt(stand, url))))).toEqual([
      { type: "text", text: "Let me see.", thought: true },
      { type: "text", text: "Four." },
    ]);
  });

  it("yields calls complete, several of them in order, also without arguments", async () => {
    const calls = [
      { id: "a1", name: "read_file", input: { path: "a b.txt", deep: { list: [1, "\u00e4"] } } },
      { id: "a2", name: "read_file", input: {} },
    ];
    const { url } = await serve(stand.format, [{ text: "Reading.", calls }]);
    const chunks = await all(ask(modelAt(stand, url), { tools: [readFile] }));
    expect(partsOf(chunks)).toEqual([{ type: "text", text: "Reading." }, ...calls.map((call) => ({ type: "call", ...call }))]);
    expect(chunks.at(-1)?.finishReason).toBe("STOP");
  });

  it("ends with kind aborted when it is called off in mid-stream, and the server sees the connection close", async () => {
    const { url, requests } = await serve(stand.format, [{ chunks: ["one", "two"], then: "hold" }]);
    const controller = new AbortController();
    const heard: string[] = [];
    const reading = (async () => {
      for await (const chunk of ask(modelAt(stand, url), {}, controller.signal)) {
        for (const part of chunk.parts) if (part.type === "text") heard.push(part.text);
        if (heard.length === 2) controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: "ModelError", kind: "aborted", retryable: false });
    expect(heard).toEqual(["one", "two"]);
    await expect.poll(() => requests[0]?.left).toBe(true);
  });

  it("sends nothing when it is called off before it began", async () => {
    const { url, requests } = await serve(stand.format, [{ text: "never" }]);
    expect(await failureOf(ask(modelAt(stand, url), {}, AbortSignal.abort()))).toMatchObject({ kind: "aborted" });
    expect(requests).toEqual([]);
  });

  it.each(["cut", "end"] as const)("does not take an answer that breaks off (%s) for a complete one", async (then) => {
    const { url } = await serve(stand.format, [{ chunks: ["half of", " it"], then }]);
    const heard: string[] = [];
    const reading = (async () => {
      for await (const chunk of ask(modelAt(stand, url), { messages: [said("all of it")] })) {
        for (const part of chunk.parts) if (part.type === "text") heard.push(part.text);
      }
    })();
    await expect(reading).rejects.toMatchObject({ kind: "network", retryable: true });
    expect(heard.join("")).toBe("half of it");
  });
});

describe("a key named __proto__ in the arguments of a call", () => {
  const reply = () => ({ calls: [{ id: "a1", name: "read_file", input: JSON.parse('{"__proto__": {"polluted": true}}') }] });

  it.each([stands.openai, stands.anthropic])("is data from $format", async (stand) => {
    const { url } = await serve(stand.format, [reply()]);
    const [call] = partsOf(await all(ask(modelAt(stand, url), { tools: [readFile] })));
    expect(JSON.stringify(call)).toContain('"input":{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("makes the client refuse Gemini's whole chunk, which is an error and not silence", async () => {
    const { url } = await serve("gemini", [reply()]);
    const error = await failureOf(ask(modelAt(stands.gemini, url), { tools: [readFile] }));
    expect(error).toMatchObject({ kind: "server", retryable: true });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});
