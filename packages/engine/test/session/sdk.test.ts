import { describe, expect, it } from "vitest";
import { type ExecutableTool, type JsonObject, modelMiddleware, Refused, type Session, wrapTools } from "../../src/index.ts";
import { denies, prints, stops, watched, workplace } from "./workplace.ts";

function sessionOf(hooks: Parameters<ReturnType<typeof workplace>["user"]>[0] = {}): Session {
  const place = workplace();
  place.user(hooks);
  return watched(place).engine.session();
}

describe("wrapped tools", () => {
  const options = { toolCallId: "c1", messages: [] };
  it("execute inside the hooks, with the SDK's options, and keep everything else of the tool", async () => {
    const saw: unknown[] = [];
    const tools = {
      read: {
        description: "reads",
        inputSchema: { x: 1 },
        factor: 3,
        async execute(input: { n: number }, given: unknown) {
          saw.push([input, given]);
          return { n: input.n * this.factor };
        },
      },
      client: { description: "has no execute" },
    };
    const wrapped = wrapTools(sessionOf({ BeforeTool: [prints({ hookSpecificOutput: { tool_input: { n: 2 } } })] }), tools);
    expect(await wrapped.read.execute({ n: 1 }, options)).toEqual({ n: 6 });
    expect(saw).toEqual([[{ n: 2 }, options]]);
    expect(wrapped.client).toBe(tools.client);
    expect({ ...wrapped.read, execute: undefined }).toEqual({ ...tools.read, execute: undefined });
  });
  it("answer the model with a refusal, and tell the host of a stop", async () => {
    let ran = 0;
    const tools = { read: { execute: async () => ++ran } };
    expect(await wrapTools(sessionOf({ BeforeTool: [denies("no")] }), tools).read.execute()).toBe("Tool execution blocked: no" as never);
    const stopped: unknown[] = [];
    const wrapped = wrapTools(sessionOf({ BeforeTool: [stops("enough")] }), tools, { onStop: (stop) => stopped.push(stop) });
    await wrapped.read.execute();
    expect([ran, stopped]).toEqual([0, [{ ends: "turn", reason: "enough" }]]);
  });
  it("know the SDK's call id and abort signal", async () => {
    const session = sessionOf();
    const tools = { read: { execute: async (_input: unknown, _given: unknown) => "x" } };
    const wrapped = wrapTools(session, tools);
    const stopped = await wrapped.read.execute({}, { ...options, abortSignal: AbortSignal.abort() });
    expect(stopped).toBe("The call was cancelled.");
  });
  it.each<[string, unknown, unknown]>([
    ["nothing", undefined, ""],
    ["a Date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a number", 7, 7],
    ["null", null, null],
    ["a function", () => 1, ""],
  ])("that return %s give JSON", async (_what, returned, expected) => {
    expect(await wrapTools(sessionOf(), { t: { execute: async () => returned } }).t.execute()).toEqual(expected);
  });
  it("that return what no JSON can hold have failed", async () => {
    expect(await wrapTools(sessionOf(), { t: { execute: async () => 1n } }).t.execute()).toContain("BigInt");
  });
  it("that yield previews give their last one", async () => {
    const tools = {
      t: {
        async *execute() {
          yield { done: 1 };
          yield { done: 2 };
        },
      },
    };
    const wrapped: Readonly<Record<string, ExecutableTool>> = wrapTools(sessionOf(), tools);
    expect(await wrapped["t"]?.execute?.({}, {})).toEqual({ done: 2 });
  });
  it("take an input that is no object as it is", async () => {
    const tools = { t: { execute: async (input: unknown) => [input] } };
    expect(await wrapTools(sessionOf({ BeforeTool: ["true"] }), tools).t.execute("plain")).toEqual(["plain"]);
  });
  it("keep names such as __proto__ as names", async () => {
    const tools = JSON.parse('{"__proto__": {"description": "x"}}') as Record<string, object>;
    expect(Object.keys(wrapTools(sessionOf(), tools))).toEqual(["__proto__"]);
  });
});

interface Part extends JsonObject {
  readonly type: string;
}
const params = {
  prompt: [
    { role: "system", content: "be kind" },
    {
      role: "user",
      content: [
        { type: "text", text: "key=1" },
        { type: "file", data: "..." },
      ],
    },
    { role: "assistant", content: [{ type: "tool-call", toolName: "read" }] },
    { role: "tool", content: [{ type: "tool-result", output: "x" }] },
    { role: "assistant", content: [{ type: "text", text: "ok" }] },
  ],
  temperature: 1,
  maxOutputTokens: 100,
  tools: [{ name: "read" }, { name: "write" }],
};
function sdkModel(
  parts: readonly Part[] = [
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Hi" },
    { type: "text-end", id: "1" },
  ],
) {
  const calls: JsonObject[] = [];
  return {
    calls,
    modelId: "sdk-model",
    doStream: async (options: JsonObject) => {
      calls.push(options);
      return { stream: ReadableStream.from(parts), request: { body: "kept" } };
    },
    doGenerate: async (options: JsonObject) => {
      calls.push(options);
      return {
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "Hi" },
          { type: "tool-call", toolName: "read" },
        ],
        finishReason: "stop",
        usage: { total: 3 },
      };
    },
  };
}
async function streamed(session: Session, model: ReturnType<typeof sdkModel>, more: object = {}) {
  const { wrapStream } = modelMiddleware(session);
  const result = (await wrapStream({ params: { ...params, ...more }, model })) as { stream: ReadableStream<Part>; request?: unknown };
  const parts: Part[] = [];
  for await (const part of result.stream) parts.push(part);
  return { ...result, parts };
}
const answer = (text: string) => ({ llm_response: { candidates: [{ content: { role: "model", parts: [text] } }] } });

describe("the model middleware, streaming", () => {
  it("passes the stream and the rest of the result through", async () => {
    const { parts, request } = await streamed(sessionOf(), sdkModel());
    expect(parts.map(({ type }) => type)).toEqual(["text-start", "text-delta", "text-end"]);
    expect(request).toEqual({ body: "kept" });
  });
  it("lays what hooks changed over the call, and keeps what is no text", async () => {
    const place = workplace();
    place.user({
      BeforeModel: [
        `cat >"$GEMINI_PROJECT_DIR/stdin"; ${prints({
          hookSpecificOutput: {
            llm_request: {
              messages: [
                { role: "system", content: "be kind" },
                { role: "user", content: "key=?" },
                { role: "model", content: "ok" },
                { role: "user", content: "more" },
              ],
              config: { temperature: 0 },
            },
          },
        })}`,
      ],
      BeforeToolSelection: [prints({ hookSpecificOutput: { toolConfig: { mode: "ANY", allowedFunctionNames: ["read"] } } })],
    });
    const model = sdkModel();
    await streamed(watched(place).engine.session(), model);
    expect(model.calls).toEqual([
      {
        ...params,
        prompt: [
          params.prompt[0],
          {
            role: "user",
            content: [
              { type: "text", text: "key=?" },
              { type: "file", data: "..." },
            ],
          },
          params.prompt[2],
          params.prompt[3],
          params.prompt[4],
          { role: "user", content: [{ type: "text", text: "more" }] },
        ],
        temperature: 0,
        tools: [{ name: "read" }],
        toolChoice: { type: "required" },
      },
    ]);
  });
  it("replaces the text of a delta, and lets a tool call be", async () => {
    const model = sdkModel([
      { type: "text-delta", id: "1", delta: "secret" },
      { type: "tool-call", toolName: "read" },
    ]);
    const { parts } = await streamed(sessionOf({ AfterModel: [prints({ hookSpecificOutput: answer("***") })] }), model);
    expect(parts).toEqual([
      { type: "text-delta", id: "1", delta: "***" },
      { type: "tool-call", toolName: "read" },
    ]);
  });
  it("frames an answer in place of the model as a stream of its own", async () => {
    const model = sdkModel();
    const { parts } = await streamed(sessionOf({ BeforeModel: [prints({ hookSpecificOutput: answer("cached") })] }), model);
    expect(parts.map(({ type, delta }) => [type, delta])).toEqual([
      ["stream-start", undefined],
      ["text-start", undefined],
      ["text-delta", "cached"],
      ["text-end", undefined],
      ["finish", undefined],
    ]);
    expect(model.calls).toEqual([]);
  });
  it("throws what refuses the call into the SDK, and shows an answer that comes with it first", async () => {
    await expect(streamed(sessionOf({ BeforeModel: [denies("no")] }), sdkModel())).rejects.toBeInstanceOf(Refused);
    const { wrapStream } = modelMiddleware(
      sessionOf({ BeforeModel: [prints({ decision: "deny", reason: "no", hookSpecificOutput: answer("see the policy") })] }),
    );
    const { stream } = (await wrapStream({ params, model: sdkModel() })) as { stream: ReadableStream<Part> };
    const seen: unknown[] = [];
    await expect(
      (async () => {
        for await (const { delta } of stream) if (delta) seen.push(delta);
      })(),
    ).rejects.toMatchObject({ name: "Refused", reason: "no" });
    expect(seen).toEqual(["see the policy"]);
  });
  it("ends the stream with the refusal of a chunk", async () => {
    await expect(streamed(sessionOf({ AfterModel: [denies("bad")] }), sdkModel())).rejects.toMatchObject({
      name: "Refused",
      how: "blocked",
      reason: "bad",
    });
  });
  it("lets the model's stream go when the SDK cancels", async () => {
    let cancelled = false;
    const model = {
      ...sdkModel(),
      doStream: async () => ({
        stream: new ReadableStream<Part>({
          pull: (controller) => controller.enqueue({ type: "text-delta", id: "1", delta: "x" }),
          cancel: () => {
            cancelled = true;
          },
        }),
      }),
    };
    const { stream } = (await modelMiddleware(sessionOf()).wrapStream({ params, model })) as { stream: ReadableStream<Part> };
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    expect(cancelled).toBe(true);
  });
});

describe("the model middleware, in one piece", () => {
  const generate = async (session: Session, model = sdkModel()) =>
    (await modelMiddleware(session).wrapGenerate({ params, model })) as { content: Part[]; finishReason: unknown; usage: unknown };
  it("shows hooks the text and keeps the rest of the result", async () => {
    const result = await generate(sessionOf({ AfterModel: [prints({ hookSpecificOutput: answer("***") })] }));
    expect(result.content).toEqual([
      { type: "text", text: "***" },
      { type: "reasoning", text: "hm" },
      { type: "tool-call", toolName: "read" },
    ]);
    expect([result.finishReason, result.usage]).toEqual(["stop", { total: 3 }]);
  });
  it("gives an answer in place of the model, also one that comes with a denial", async () => {
    for (const out of [
      { hookSpecificOutput: answer("cached") },
      { decision: "deny", reason: "no", hookSpecificOutput: answer("cached") },
    ]) {
      const model = sdkModel();
      const result = await generate(sessionOf({ BeforeModel: [prints(out)] }), model);
      expect([result.content, model.calls]).toEqual([[{ type: "text", text: "cached" }], []]);
    }
  });
  it("throws a refusal", async () => {
    await expect(generate(sessionOf({ BeforeModel: [denies("no")] }))).rejects.toMatchObject({ how: "blocked", reason: "no" });
    await expect(generate(sessionOf({ AfterModel: [stops("enough")] }))).rejects.toMatchObject({ how: "stopped", reason: "enough" });
  });
});
