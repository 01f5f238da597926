/** The same engine around a loop on the AI SDK: its tools and its model are wrapped, the rest stays as it is. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createEngine, modelMiddleware, Refused, wrapTools } from "@carabiner/engine";
import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";

type Said = { readonly text: string; readonly call?: string };
const script: Said[] = [
  { text: "I will tidy up.", call: "delete_file" },
  { text: "The password is hunter2.", call: "list_files" },
  { text: "All done." },
  { text: "The tests passed." },
  { text: "Stopping.", call: "halt" },
  { text: "This is never asked for." },
];
const asked: unknown[] = [];
const scripted = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    asked.push(prompt);
    const { text, call } = script.shift() ?? { text: "" };
    const calls =
      call === undefined ? [] : [{ type: "tool-call" as const, toolCallId: `call-${asked.length}`, toolName: call, input: "{}" }];
    return {
      content: [{ type: "text" as const, text }, ...calls],
      finishReason: { unified: call === undefined ? ("stop" as const) : ("tool-calls" as const), raw: undefined },
      usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
      warnings: [],
    };
  },
});
const ran: string[] = [];
const named = (name: string) =>
  tool({
    description: name,
    inputSchema: jsonSchema<object>({ type: "object" }),
    execute: async () => {
      ran.push(name);
      return "a.txt b.txt";
    },
  });
const myTools = { delete_file: named("delete_file"), list_files: named("list_files"), halt: named("halt") };

// --- the ten lines ----------------------------------------------------------------------------------------------
const engine = createEngine({ cwd: fileURLToPath(new URL("../project", import.meta.url)) });
const hooks = engine.session();
const model = wrapLanguageModel({ model: scripted, middleware: modelMiddleware(hooks) });
const messages: ModelMessage[] = [];
const ask = (prompt: string) =>
  hooks.turn(prompt, async (text, { context }) => {
    const stopping = new AbortController();
    messages.push({ role: "user", content: [text, ...context.map(({ framed }) => framed)].join("\n\n") });
    const tools = wrapTools(hooks, myTools, { onStop: ({ ends, reason }) => stopping.abort(new Refused("stopped", ends, reason)) });
    const done = await generateText({ model, messages, tools, stopWhen: stepCountIs(20), abortSignal: stopping.signal });
    messages.push(...done.response.messages);
    return done.text;
  });
// -----------------------------------------------------------------------------------------------------------------

const first = await ask("tidy the project");
assert.deepEqual([first.answer, first.tries], ["The tests passed.", 2]);
assert.deepEqual(ran, ["list_files"], "the deletion never ran");
const told = JSON.stringify(asked);
assert.ok(told.includes("nothing is deleted here"), "the model reads why");
assert.ok(told.includes("[a secret]") && !told.includes("hunter2"), "what was redacted is not in later requests either");
assert.ok(JSON.stringify(asked.at(-1)).includes("tidy the project"), "the retry carries the messages of the first try");

const requests = asked.length;
const second = await ask("and now?");
assert.deepEqual([second.ended, second.reason], ["stopped", "halted by the guard"]);
assert.equal(asked.length, requests + 1, "after the stop the model is not asked again");
await engine.dispose();
console.log("AI SDK: tools and model run inside the hooks, messages are carried across the retry, the stop stopped");
