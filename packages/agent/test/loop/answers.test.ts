// Answers that are not what they should be: cut, withheld, empty, broken off, or with a call that cannot be read.
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/loop/index.ts";
import { served, stage, WIRES } from "./stage.ts";

const FORMATS = Object.keys(WIRES) as (keyof typeof WIRES)[];
const warnings = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === "notice" && event.level === "warning" ? [event.text] : []));

describe.each(FORMATS)("an answer over the %s wire", (format) => {
  it.each([
    ["length", "The answer is cut: it reached the number of tokens that the model may write (MAX_TOKENS)."],
    ["safety", "The provider of the model withheld the answer or the rest of it (SAFETY)."],
  ] as const)("that ends by %s stands, and people are told", async (finish, told) => {
    const run = await served(stage(), format, [{ text: "Half", finish }]);
    expect(await run.ask("go")).toMatchObject({ ended: "answered", answer: "Half" });
    expect(warnings(run.events)).toEqual([told]);
  });

  it("that says nothing is told to people, and one that is whole is not", async () => {
    const run = await served(stage(), format, [{}, { text: "whole" }]);
    expect(await run.ask("go")).toMatchObject({ ended: "answered", answer: "" });
    expect(warnings(run.events)).toEqual(["The model answered with nothing at all."]);
    await run.ask("again");
    expect(warnings(run.events)).toHaveLength(1);
  });
});

describe("an answer", () => {
  it("of which only thoughts were heard when it broke off is asked for again", async () => {
    const run = await served(stage(), "gemini", [{ thought: "Hm.", then: "cut" }, { text: "fine" }]);
    expect(await run.ask("go")).toMatchObject({ answer: "fine" });
    expect(run.events.filter(({ kind }) => kind === "modelRetry")).toHaveLength(1);
    expect(JSON.stringify(run.agent.messages())).not.toContain("Hm.");
  });

  it("whose call cannot be read is history, and the model is told what to put right", async () => {
    const tool = { tool_calls: [{ index: 0, id: "c1", function: { name: "write_file", arguments: '{"file_path": "a.txt", "con' } }] };
    const body = [
      { id: "1", choices: [{ index: 0, delta: { content: "Writing it." } }] },
      { id: "1", choices: [{ index: 0, delta: tool }] },
      { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    ].map((data) => `data: ${JSON.stringify(data)}\n\n`);
    const on = stage();
    on.hooks([{ on: "BeforeTool" }]);
    const run = await served(on, "openai", [
      { status: 200, headers: { "content-type": "text/event-stream" }, body: body.join("") },
      { text: "Sorry." },
    ]);
    expect(await run.ask("go")).toMatchObject({ ended: "answered", answer: "Sorry." });
    expect(run.server.requests[1]?.body.messages.slice(-2)).toMatchObject([
      { role: "assistant", content: "Writing it.", tool_calls: [{ id: "c1", function: { name: "write_file", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "c1", content: expect.stringContaining("The arguments are not a JSON object") },
    ]);
    expect(run.server.requests[1]?.body.messages.at(-1).content).toContain("Call again with all arguments as one JSON object.");
    expect(on.seen("BeforeTool")).toEqual([]);
  });
});
