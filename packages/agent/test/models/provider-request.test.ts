/** What is sent to each provider, as the server received it. */

import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { chooseModel, type Message, type Part } from "../../src/models/index.ts";
import { withNewLimit } from "../../src/models/provider.ts";
import { all, allStands, ask, modelAt, partsOf, readFile, said, secret, serve, shell, stands, writeFile } from "./against.ts";

const call = { type: "call", id: "c1", name: "read_file", input: { path: "a.txt" } } as const satisfies Part;

/** A history with one answered call; the second result failed. */
const history = (metadata?: JsonObject): readonly Message[] => [
  said("read a.txt"),
  {
    role: "model",
    parts: [
      { type: "text", text: "Reading." },
      { ...call, ...(metadata ? { metadata } : {}) },
      { ...call, id: "c2", input: { path: "b.txt" } },
    ],
  },
  {
    role: "user",
    parts: [
      { type: "text", text: "and be brief" },
      { type: "result", id: "c1", name: "read_file", output: "content of a", isError: false },
      { type: "result", id: "c2", name: "read_file", output: "no such file", isError: true },
    ],
  },
];

describe("the history in each provider's words", () => {
  it("is Gemini's contents, with results wrapped and errors called errors", async () => {
    const { url, requests } = await serve("gemini", [{ text: "ok" }]);
    await all(
      ask(modelAt(stands.gemini, url), {
        system: "Be kind.",
        messages: history(),
        tools: [readFile],
        config: { temperature: 0.5, topP: 0.9, topK: 40, maxOutputTokens: 99 },
      }),
    );
    const { body } = requests[0]!;
    expect(body.systemInstruction).toEqual({ parts: [{ text: "Be kind." }] });
    expect(body.generationConfig).toMatchObject({ temperature: 0.5, topP: 0.9, topK: 40, maxOutputTokens: 99 });
    expect(body.tools[0].functionDeclarations[0]).toMatchObject({ name: "read_file", description: "Reads a file." });
    expect(body.contents.map((content: { role: string }) => content.role)).toEqual(["user", "model", "user", "user"]);
    expect(body.contents[1].parts[1].functionCall).toMatchObject({ name: "read_file", args: { path: "a.txt" } });
    expect(
      body.contents[2].parts.map(
        (part: { functionResponse: { response: { content: unknown } } }) => part.functionResponse.response.content,
      ),
    ).toEqual(["content of a", { error: "no such file" }]);
    expect(body.contents[3].parts).toEqual([{ text: "and be brief" }]);
  });

  it("is OpenAI's messages, results first", async () => {
    const { url, requests } = await serve("openai", [{ text: "ok" }]);
    await all(
      ask(modelAt(stands.openai, url), {
        system: "Be kind.",
        messages: history(),
        tools: [readFile],
        config: { temperature: 0.5, maxOutputTokens: 99 },
      }),
    );
    const { body, headers } = requests[0]!;
    expect(headers.authorization).toBe(`Bearer ${secret}`);
    expect(body).toMatchObject({ model: "gpt-5.2", temperature: 0.5, max_tokens: 99, stream: true });
    expect(body.messages).toEqual([
      { role: "system", content: "Be kind." },
      { role: "user", content: "read a.txt" },
      {
        role: "assistant",
        content: "Reading.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read_file", arguments: '{"path":"a.txt"}' } },
          { id: "c2", type: "function", function: { name: "read_file", arguments: '{"path":"b.txt"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "content of a" },
      { role: "tool", tool_call_id: "c2", content: '{"error":"no such file"}' },
      { role: "user", content: "and be brief" },
    ]);
  });

  it("is Anthropic's messages, with errors marked", async () => {
    const { url, requests } = await serve("anthropic", [{ text: "ok" }]);
    await all(
      ask(modelAt(stands.anthropic, url), { system: "Be kind.", messages: history(), tools: [readFile], config: { maxOutputTokens: 99 } }),
    );
    const { body, headers } = requests[0]!;
    expect(headers["x-api-key"]).toBe(secret);
    expect(body).toMatchObject({ model: "claude-sonnet-4-5", max_tokens: 99, system: [{ type: "text", text: "Be kind." }] });
    expect(body.messages[1].content).toMatchObject([
      { type: "text", text: "Reading." },
      { type: "tool_use", id: "c1", name: "read_file", input: { path: "a.txt" } },
      { type: "tool_use", id: "c2" },
    ]);
    expect(body.messages[2].content).toMatchObject([
      { type: "tool_result", tool_use_id: "c1", content: "content of a" },
      { type: "tool_result", tool_use_id: "c2", content: "no such file", is_error: true },
      { type: "text", text: "and be brief" },
    ]);
  });
});

describe.each(allStands)("a round trip on $format", (stand) => {
  it("gives a call's own id and the thought's signature back with the result", async () => {
    const replies = [
      { thought: "I need the file.", signature: "c2lnbmVk", calls: [{ id: "x1", name: "read_file", input: { path: "a" } }] },
      { text: "done" },
    ];
    const { url, requests } = await serve(stand.format, replies);
    const model = modelAt(stand, url);
    const first = (await all(ask(model, { tools: [readFile] }))).flatMap((chunk) => chunk.parts);
    const asked = first.find((part) => part.type === "call");
    expect(asked).toMatchObject({ id: "x1", name: "read_file", input: { path: "a" } });
    const messages: Message[] = [
      said("hello"),
      { role: "model", parts: first },
      { role: "user", parts: [{ type: "result", id: "x1", name: "read_file", output: { lines: ["1"] }, isError: false }] },
    ];
    expect(partsOf(await all(ask(model, { tools: [readFile], messages })))).toEqual([{ type: "text", text: "done" }]);
    const sent = JSON.stringify(requests[1]!.body);
    expect(sent).toContain("lines");
    expect(sent).toContain("x1");
    // Thoughts are not signed in chat completions; there the first call is.
    expect(sent).toContain("c2lnbmVk");
  });

  it("answers for calls that were never carried out, which every provider insists on", async () => {
    const { url, requests } = await serve(stand.format, [{ text: "ok" }]);
    const messages: Message[] = [said("go"), { role: "model", parts: [call] }, said("never mind")];
    await all(ask(modelAt(stand, url), { messages, tools: [readFile] }));
    expect(JSON.stringify(requests[0]!.body)).toContain("This call was not carried out.");
  });

  it("leaves out texts without letters, and messages that then say nothing", async () => {
    const { url, requests } = await serve(stand.format, [{ text: "ok" }]);
    const empty = { type: "text", text: "" } as const;
    const messages: Message[] = [
      said("go"),
      { role: "model", parts: [empty, call] },
      { role: "user", parts: [{ type: "result", id: "c1", name: "read_file", output: "x", isError: false }, empty] },
      { role: "model", parts: [empty] },
      { role: "user", parts: [empty] },
      said("on"),
    ];
    await all(ask(modelAt(stand, url), { messages, tools: [readFile] }));
    const { body } = requests[0]!;
    expect(JSON.stringify(body)).not.toContain('"text":""');
    expect((body.contents ?? body.messages).map((message: { role: string }) => message.role)).toEqual(rolesOf[stand.format]);
  });

  it("sends a picture", async () => {
    const { url, requests } = await serve(stand.format, [{ text: "a cat" }]);
    const messages: Message[] = [
      {
        role: "user",
        parts: [
          { type: "text", text: "what is it?" },
          { type: "media", mimeType: "image/png", data: "iVBORw0=" },
        ],
      },
    ];
    await all(ask(modelAt(stand, url), { messages }));
    expect(JSON.stringify(requests[0]!.body)).toMatch(/image\/png.*iVBORw0=/);
  });

  it("offers all tools, must call one, one of some, or may call none", async () => {
    const { url, requests } = await serve(stand.format, [{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }, { text: "5" }]);
    const model = modelAt(stand, url);
    const tools = [readFile, writeFile, shell];
    await all(ask(model, { tools }));
    await all(ask(model, { tools, toolLimit: { mode: "any", allowed: [] } }));
    await all(ask(model, { tools, toolLimit: { mode: "any", allowed: ["read_file", "write_file", "unknown"] } }));
    await all(ask(model, { tools, toolLimit: { mode: "auto", allowed: ["read_file"] } }));
    await all(ask(model, { tools, toolLimit: { mode: "none", allowed: ["read_file"] } }));
    const three = ["read_file", "write_file", "run_shell_command"];
    expect(requests.map(({ body }) => offered(body))).toEqual([
      { names: three, choice: undefined },
      { names: three, choice: words[stand.format].any },
      { names: ["read_file", "write_file"], choice: words[stand.format].any },
      { names: ["read_file"], choice: words[stand.format].auto },
      { names: three, choice: words[stand.format].none },
    ]);
  });

  it("lets a model that may call only unknown tools answer with text", async () => {
    const { url, requests } = await serve(stand.format, [{ text: "ok" }]);
    await all(ask(modelAt(stand, url), { tools: [readFile], toolLimit: { mode: "any", allowed: ["nothing_here"] } }));
    expect(offered(requests[0]!.body)).toEqual({ names: [], choice: undefined });
  });

  it("asks for the model a hook named instead", async () => {
    const { url, requests } = await serve(stand.format, [{ text: "ok" }]);
    const other = stand.name.replace(/[^-]*$/, "other").split("/")[1]!;
    await all(ask(modelAt(stand, url), { model: other }));
    expect(`${requests[0]!.path} ${requests[0]!.body.model}`).toContain(other);
  });
});

it.each([
  ["gemini", "", "/v1beta/models/"],
  ["gemini", "/", "/v1beta/models/"],
  ["gemini", "/v1beta", "/v1beta/models/"],
  ["gemini", "/v1beta/", "/v1beta/models/"],
  ["openai", "", "/v1/chat/completions"],
  ["openai", "/", "/v1/chat/completions"],
  ["openai", "/v1", "/v1/chat/completions"],
  ["openai", "/v1/", "/v1/chat/completions"],
  ["anthropic", "", "/v1/messages"],
  ["anthropic", "/", "/v1/messages"],
  ["anthropic", "/v1", "/v1/messages"],
  ["anthropic", "/v1/", "/v1/messages"],
] as const)("%s with a base URL that ends in %j is asked at %s", async (format, suffix, path) => {
  const { url, requests } = await serve(format, [{ text: "ok" }]);
  await all(ask(modelAt(stands[format], `${url}${suffix}`)));
  expect(requests[0]?.path.startsWith(path)).toBe(true);
});

describe("what only some providers do", () => {
  it("asks Gemini for thoughts, but not models that do not think", async () => {
    const { url, requests } = await serve("gemini", [{ text: "1" }, { text: "2" }]);
    const model = modelAt(stands.gemini, url);
    await all(ask(model));
    await all(ask(model, { model: "gemini-2.0-flash" }));
    expect(requests[0]!.body.generationConfig.thinkingConfig).toEqual({ includeThoughts: true });
    expect(requests[1]!.body.generationConfig?.thinkingConfig).toBeUndefined();
  });

  it("gives a redacted thought back to Anthropic as it came", async () => {
    const { url, requests } = await serve("anthropic", [{ signature: "b3BhcXVl", text: "Hm." }, { text: "ok" }]);
    const model = modelAt(stands.anthropic, url);
    const parts = (await all(ask(model))).flatMap((chunk) => chunk.parts);
    expect(parts[0]).toEqual({ type: "text", text: "", thought: true, metadata: { anthropic: { redactedData: "b3BhcXVl" } } });
    await all(ask(model, { messages: [said("hello"), { role: "model", parts }, said("more")] }));
    expect(requests[1]!.body.messages[1].content[0]).toEqual({ type: "redacted_thinking", data: "b3BhcXVl" });
  });

  it("says once what a provider cannot do", async () => {
    const { url } = await serve("openai", [{ text: "1" }, { text: "2" }]);
    const notices: string[] = [];
    const model = modelAt(stands.openai, url, {}, (text) => notices.push(text));
    await all(ask(model, { config: { topK: 3 } }));
    await all(ask(model, { config: { topK: 3 } }));
    expect(notices).toEqual(["openai/gpt-5.2: topK is not supported"]);
  });

  it("needs no key for an endpoint of one's own, and sends none", async () => {
    const { url, requests } = await serve("openai", [{ text: "hi" }]);
    const choice = chooseModel({ flag: "qwen2.5-coder:7b", cwd: "/", env: { OPENAI_BASE_URL: url } });
    if (!choice.ok) throw new Error(choice.message);
    expect(partsOf(await all(ask(choice.model)))).toEqual([{ type: "text", text: "hi" }]);
    expect(requests[0]!.body.model).toBe("qwen2.5-coder:7b");
    expect(requests[0]!.headers.authorization).toBeUndefined();
  });

  it("names the token limit for OpenAI's own endpoint as that wants it", () => {
    expect(withNewLimit({ model: "gpt-5.2", max_tokens: 5 })).toEqual({ model: "gpt-5.2", max_completion_tokens: 5 });
    expect(withNewLimit({ model: "gpt-5.2" })).toEqual({ model: "gpt-5.2" });
  });
});

const rolesOf = {
  gemini: ["user", "model", "user", "user"],
  openai: ["user", "assistant", "tool", "user"],
  anthropic: ["user", "assistant", "user"],
} as const;

const words = {
  gemini: { any: "ANY", auto: "AUTO", none: "NONE" },
  openai: { any: "required", auto: "auto", none: "none" },
  anthropic: { any: "any", auto: "auto", none: "none" },
} as const;

// biome-ignore lint/suspicious/noExplicitAny: a request body of any provider.
function offered(body: any): { names: string[]; choice: string | undefined } {
  const tools: { name?: string; function?: { name: string } }[] = body.tools?.[0]?.functionDeclarations ?? body.tools ?? [];
  const choice = body.toolConfig?.functionCallingConfig?.mode ?? body.tool_choice?.type ?? body.tool_choice;
  return { names: tools.map((tool) => tool.name ?? tool.function?.name ?? ""), choice };
}
