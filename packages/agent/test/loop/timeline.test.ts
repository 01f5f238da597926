// One prompt with one tool call, with a hook on every event: which fire, in which order, and what each reads, byte for byte.
import { existsSync } from "node:fs";
import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { served, stage, WIRES } from "./stage.ts";

const EVENTS = [
  "SessionStart",
  "SessionEnd",
  "BeforeAgent",
  "AfterAgent",
  "BeforeModel",
  "BeforeToolSelection",
  "AfterModel",
  "BeforeTool",
  "AfterTool",
  "Notification",
  "PreCompress",
];
const usage = { prompt: 10, candidates: 5 };
const replies = () => [
  { text: "I write it.", calls: [{ id: "call-1", name: "write_file", input: { file_path: "a.txt", content: "hello\n" } }], usage },
  { text: "Done.", usage },
];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe.each(Object.keys(WIRES) as (keyof typeof WIRES)[])("a prompt with a tool call over the %s wire", (format) => {
  it("fires every event in the documented order, and each hook reads the documented object", async () => {
    const on = stage();
    on.hooks(EVENTS.map((event) => ({ on: event })));
    const asked: JsonObject[] = [];
    const run = await served(on, format, replies(), {
      flags: { mode: "default" },
      confirm: async (call, details) => {
        asked.push({ name: call.name, type: details.type });
        return true;
      },
    });
    const done = await run.ask("write a file");
    await run.close("exit");

    expect(done).toMatchObject({ ended: "answered", answer: "Done.", tries: 1 });
    expect(on.read("my project/a.txt")).toBe("hello\n");
    expect(asked).toEqual([{ name: "write_file", type: "edit" }]);
    const order = on.order();
    const models = ["BeforeModel", "BeforeToolSelection", "AfterModel"];
    // How many chunks an answer comes in is the provider's affair.
    expect(order.filter((name, i) => name !== order[i - 1])).toEqual([
      "SessionStart",
      "BeforeAgent",
      ...models,
      "BeforeTool",
      "Notification",
      "AfterTool",
      ...models,
      "AfterAgent",
      "SessionEnd",
    ]);

    const path = run.agent.transcriptPath();
    expect(existsSync(path)).toBe(true);
    expect(path).toMatch(/home\/\.gemini\/tmp\/my-project-[0-9a-f]{8}\/chats\/session-\d{4}-\d\d-\d\dT\d\d-\d\d-[0-9a-f]{8}\.jsonl$/);
    const common = (event: string) => ({
      session_id: run.agent.sessionId(),
      transcript_path: path,
      cwd: on.project,
      hook_event_name: event,
      timestamp: expect.stringMatching(TIME),
    });
    const only = (event: string): JsonObject => {
      const seen = on.seen(event);
      expect(seen, `${event}`).toHaveLength(1);
      return seen[0] ?? {};
    };
    const model = WIRES[format].model.split("/")[1];
    const input = { file_path: "a.txt", content: "hello\n" };
    const expected: Record<string, JsonObject> = {
      SessionStart: { ...common("SessionStart"), source: "startup" },
      BeforeAgent: { ...common("BeforeAgent"), prompt: "write a file" },
      BeforeTool: { ...common("BeforeTool"), tool_name: "write_file", tool_input: input },
      AfterTool: {
        ...common("AfterTool"),
        tool_name: "write_file",
        tool_input: input,
        tool_response: {
          llmContent: expect.any(String),
          returnDisplay: expect.objectContaining({ fileName: "a.txt", newContent: "hello\n" }),
        },
      },
      Notification: {
        ...common("Notification"),
        notification_type: "ToolPermission",
        message: "Tool Confirm Write: a.txt requires editing",
        details: {
          type: "edit",
          title: "Confirm Write: a.txt",
          fileName: "a.txt",
          filePath: `${on.project}/a.txt`,
          fileDiff: expect.stringContaining("+hello"),
          originalContent: "",
          newContent: "hello\n",
        },
      },
      AfterAgent: { ...common("AfterAgent"), prompt: "write a file", prompt_response: "Done.", stop_hook_active: false },
      SessionEnd: { ...common("SessionEnd"), reason: "exit" },
    };
    for (const [event, payload] of Object.entries(expected)) {
      const seen = only(event);
      expect(seen, `${event}`).toEqual(payload);
      expect(Object.keys(seen), `the order of the keys of ${event}`).toEqual(Object.keys(payload));
    }

    const [first, second] = on.seen("BeforeModel");
    expect(on.seen("BeforeModel")).toHaveLength(2);
    expect(first).toEqual({
      ...common("BeforeModel"),
      llm_request: { model, messages: [{ role: "user", content: "write a file" }], config: {} },
    });
    expect(second?.["llm_request"]).toEqual({
      model,
      messages: [
        { role: "user", content: "write a file" },
        { role: "model", content: "I write it." },
      ],
      config: {},
    });
    expect(on.seen("BeforeToolSelection").map(({ llm_request }) => llm_request)).toEqual([first?.["llm_request"], second?.["llm_request"]]);
    expect(Object.keys(on.seen("BeforeToolSelection")[0] ?? {})).toEqual([...Object.keys(common("")), "llm_request"]);
    const chunks = on.seen("AfterModel") as { llm_request: unknown; llm_response: { text?: string; candidates: JsonObject[] } }[];
    expect(
      chunks.every(
        (chunk) => JSON.stringify(Object.keys(chunk)) === JSON.stringify([...Object.keys(common("")), "llm_request", "llm_response"]),
      ),
    ).toBe(true);
    expect(chunks.map(({ llm_response }) => llm_response.text ?? "").join("")).toBe("I write it.Done.");
    const last = chunks.at(-1)?.llm_response;
    expect(last).toMatchObject({
      candidates: [{ content: { role: "model" }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    });
    expect(on.seen("PreCompress")).toEqual([]);
    expect(run.server.requests).toHaveLength(2);
    expect(run.server.requests.every(({ left }) => !left)).toBe(true);
  });
});
