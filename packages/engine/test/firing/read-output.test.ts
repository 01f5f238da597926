import { describe, expect, it } from "vitest";
import type { EventName, Facts, Json, Opinion } from "../../src/protocol/index.ts";
import { act, gemini, hook, other, shellCall } from "./scripted.ts";

async function read(wire: string, event: EventName, facts: Facts[EventName], out: Json): Promise<{ opinion: Opinion; notes: string[] }> {
  const { reports } = await act(event, facts as never, [hook(wire, { out })]);
  const [report] = reports;
  return { opinion: report?.opinion ?? {}, notes: report?.problems.map(({ code, what }) => `${code} ${what}`) ?? [] };
}
const onTool = (out: Json) => read("BeforeTool", "beforeTool", shellCall(), out);
const onModel = (out: Json) =>
  read("BeforeModel", "beforeModel", { request: { model: "m", messages: [{ role: "user", content: "a" }], config: { topP: 1 } } }, out);

describe("a field of the output", () => {
  it.each<[string, Json, Opinion]>([
    ["allow decides nothing", { decision: "allow" }, {}],
    ["approve decides nothing", { decision: "approve" }, {}],
    ["deny denies", { decision: "deny", reason: "no" }, { ruling: { kind: "deny", reason: "no" } }],
    ["block denies", { decision: "block", reason: "no" }, { ruling: { kind: "deny", reason: "no" } }],
    ["ask asks", { decision: "ask", reason: "sure?" }, { ruling: { kind: "ask", reason: "sure?" } }],
    ["ask needs no reason", { decision: "ask" }, { ruling: { kind: "ask", reason: undefined } }],
    ["continue false stops", { continue: false, stopReason: "enough", reason: "other" }, { ruling: { kind: "endTurn", reason: "enough" } }],
    [
      "continue false takes reason where stopReason is missing",
      { continue: false, reason: "other" },
      { ruling: { kind: "endTurn", reason: "other" } },
    ],
    ["continue true decides nothing", { continue: true }, {}],
    [
      "a stop beside a denial withholds",
      { continue: false, stopReason: "s", decision: "deny", reason: "d" },
      { ruling: { kind: "endTurn", reason: "s" }, withhold: true },
    ],
    ["a stop beside an ask does not", { continue: false, stopReason: "s", decision: "ask" }, { ruling: { kind: "endTurn", reason: "s" } }],
    ["a message", { systemMessage: "hi" }, { message: "hi" }],
    ["an empty message is none", { systemMessage: "" }, {}],
    ["quiet", { suppressOutput: true }, { quiet: true }],
    ["not quiet", { suppressOutput: false }, {}],
    [
      "arguments are merged",
      { hookSpecificOutput: { tool_input: { command: "ls" } } },
      { input: { how: "merge", value: { command: "ls" } } },
    ],
    [
      "hookSpecificOutput counts whatever event it names here",
      { hookSpecificOutput: { hookEventName: "Other", tool_input: {} } },
      { input: { how: "merge", value: {} } },
    ],
  ])("%s", async (_what, out, opinion) => {
    expect(await onTool(out)).toEqual({ opinion, notes: [] });
  });

  it.each<[string, Json, string]>([
    ["decision of an unknown word", { decision: "maybe" }, "OUTPUT_BAD_VALUE decision"],
    ["decision in capitals", { decision: "DENY" }, "OUTPUT_BAD_VALUE decision"],
    ["decision that is a method of objects", { decision: "constructor" }, "OUTPUT_BAD_VALUE decision"],
    ["decision that is true", { decision: true }, "OUTPUT_BAD_VALUE decision"],
    ["decision that is null", { decision: null }, "OUTPUT_BAD_VALUE decision"],
    ["continue that is a text", { continue: "false" }, "OUTPUT_BAD_VALUE continue"],
    ["message that is a list", { systemMessage: ["a"] }, "OUTPUT_BAD_VALUE systemMessage"],
    ["quiet that is a text", { suppressOutput: "yes" }, "OUTPUT_BAD_VALUE suppressOutput"],
    ["arguments that are a list", { hookSpecificOutput: { tool_input: [] } }, "OUTPUT_BAD_VALUE hookSpecificOutput.tool_input"],
    ["hookSpecificOutput that is a text", { hookSpecificOutput: "x" }, "OUTPUT_BAD_VALUE hookSpecificOutput"],
    ["a field of another event", { hookSpecificOutput: { toolConfig: {} } }, "OUTPUT_FIELD_IGNORED hookSpecificOutput.toolConfig"],
    ["a field in the wrong place", { tool_input: {} }, "OUTPUT_FIELD_MISPLACED tool_input"],
    ["a field in the wrong place of another event", { additionalContext: "x" }, "OUTPUT_FIELD_MISPLACED additionalContext"],
    ["a common field inside", { hookSpecificOutput: { decision: "deny" } }, "OUTPUT_FIELD_MISPLACED hookSpecificOutput.decision"],
    ["a field nobody knows", { note: "deny it" }, "OUTPUT_FIELD_UNKNOWN Gemini CLI's BeforeTool does not read note"],
    ["a denial under a misspelt key", { descision: "deny" }, 'OUTPUT_RULING_UNREAD The hook printed descision: "deny", which'],
    ["a denial under any key", { verdict: "block" }, 'OUTPUT_RULING_UNREAD The hook printed verdict: "block", which'],
    ["a question in other words", { hookSpecificOutput: { permissionDecision: "ask" } }, "OUTPUT_RULING_UNREAD The hook printed"],
    ["a stop under a misspelt key", { contineu: false }, "OUTPUT_RULING_UNREAD The hook printed contineu: false, which"],
    ["a word that holds back under its own key only", { mode: "ask" }, "OUTPUT_FIELD_UNKNOWN Gemini CLI's BeforeTool does not read mode"],
    ["no under a key of its own", { cached: false }, "OUTPUT_FIELD_UNKNOWN Gemini CLI's BeforeTool does not read cached"],
    [
      "a field nobody knows inside",
      { hookSpecificOutput: { x: 1 } },
      "OUTPUT_FIELD_UNKNOWN Gemini CLI's BeforeTool does not read hookSpecificOutput.x",
    ],
    [
      "a path as a key",
      { "hookSpecificOutput.tool_input": {} },
      "OUTPUT_FIELD_UNKNOWN Gemini CLI's BeforeTool does not read hookSpecificOutput.tool_input",
    ],
  ])("%s is ignored and named", async (_what, out, note) => {
    const { opinion, notes } = await onTool(out);
    expect(opinion).toEqual({});
    expect(notes).toEqual([expect.stringMatching(new RegExp(`^${note.replaceAll(".", "\\.")}[ .]`))]);
  });
  it("does not take others with it when it is bad", async () => {
    expect((await onTool({ systemMessage: 7, decision: "deny", reason: "no", hookSpecificOutput: { tool_input: 7 } })).opinion).toEqual({
      ruling: { kind: "deny", reason: "no" },
    });
    const { opinion, notes } = await onTool({ decision: "deny", reason: 7 });
    expect(opinion.ruling).toMatchObject({ kind: "deny", reason: expect.stringContaining("without giving a reason") });
    expect(notes).toHaveLength(2);
  });
  it("that is a near miss gets the word that was meant", async () => {
    const { reports } = await act("beforeTool", shellCall(), [hook("BeforeTool", { out: { systemMesage: "hello" } })]);
    expect(reports[0]?.problems[0]?.todo).toBe('Did you mean "systemMessage"?');
  });
  it("of one event is read on that event only", async () => {
    const contextOf = async (wire: string, event: EventName, facts: Facts[EventName]) =>
      (await read(wire, event, facts, { hookSpecificOutput: { additionalContext: "c" } })).opinion.context;
    expect(await contextOf("SessionStart", "sessionStart", { source: "startup" })).toBe("c");
    expect(await contextOf("AfterTool", "afterTool", { ...shellCall(), result: { content: "" } })).toBe("c");
    expect(await contextOf("BeforeTool", "beforeTool", shellCall())).toBeUndefined();
    expect(await contextOf("Notification", "notification", { type: "permission", message: "" })).toBeUndefined();
  });
});

describe("a change of the request", () => {
  it.each<[string, Json, Opinion["request"]]>([
    ["of nothing", {}, {}],
    ["that repeats what was shown", { model: "m", messages: [{ role: "user", content: "a" }], config: { topP: 1 } }, {}],
    ["of the model", { model: "n" }, { model: "n" }],
    ["of one setting", { config: { topP: 0, temperature: 2 } }, { config: { topP: 0, temperature: 2 } }],
    [
      "that adds a message",
      {
        messages: [
          { role: "user", content: "a" },
          { role: "model", content: "b" },
        ],
      },
      { messages: [{ role: "model", content: "b", at: 1 }] },
    ],
    [
      "with a setting called __proto__",
      JSON.parse('{"config":{"__proto__":{"x":1}}}') as Json,
      { config: JSON.parse('{"__proto__":{"x":1}}') },
    ],
  ])("%s is only what differs", async (_what, llm_request, request) => {
    const { opinion, notes } = await onModel({ hookSpecificOutput: { llm_request } });
    expect(opinion.request).toEqual(request);
    expect(JSON.stringify(opinion.request)).toBe(JSON.stringify(request));
    expect(notes).toEqual([]);
  });
  it.each<Json>([
    7,
    "x",
    [],
    { model: 7 },
    { config: [] },
    { messages: {} },
    { messages: [{ role: "nobody", content: "a" }] },
    { messages: [{ role: "user", content: 7 }] },
  ])("of the wrong shape (%j) is ignored and named", async (llm_request) => {
    const { opinion, notes } = await onModel({ hookSpecificOutput: { llm_request } });
    expect([opinion, notes.length]).toEqual([{}, 1]);
  });
  it.each<Json>([
    7,
    {},
    { candidates: [] },
    { candidates: [{}] },
    { candidates: [{ content: { parts: [{ text: "x" }] } }] },
    { candidates: [{ content: { parts: "x" } }] },
  ])("and an answer of the wrong shape (%j) too", async (llm_response) => {
    expect((await onModel({ hookSpecificOutput: { llm_response } })).opinion).toEqual({});
  });
});

describe("another dialect", () => {
  it("reads a field only where none before it was understood, and checks which event is named", async () => {
    const one = async (out: Json) => {
      const { outcome, reports } = await act("beforeTool", shellCall(), [other("PreUse", { out })]);
      return [outcome.action, reports[0]?.problems.map(({ code }) => code)];
    };
    const inside = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreUse", ...fields } }) as Json;
    expect(await one({ decision: "block", reason: "no", ...(inside({ permissionDecision: "allow" }) as object) })).toEqual([
      "proceed",
      ["OUTPUT_FIELD_IGNORED"],
    ]);
    expect(
      await one({ decision: "block", reason: "no", hookSpecificOutput: { hookEventName: "PostUse", permissionDecision: "allow" } }),
    ).toEqual(["block", ["OUTPUT_EVENT_WRONG"]]);
    expect(await one({ hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no" } })).toEqual([
      "block",
      ["OUTPUT_EVENT_MISSING"],
    ]);
  });
  it("skips a question where its word for allow means that", async () => {
    const allow = { out: { hookSpecificOutput: { hookEventName: "PreUse", permissionDecision: "allow" } } };
    const question = async (...hooks: Parameters<typeof act<"beforeTool">>[2]) => {
      const { outcome, verdict } = await act("beforeTool", shellCall(), hooks);
      return [outcome.action === "proceed" && outcome.question, verdict.overruled.length];
    };
    expect(await question(hook("BeforeTool", { out: { decision: "allow" } }))).toEqual([undefined, 0]);
    expect(await question(other("PreUse", allow))).toEqual(["skip", 0]);
    expect(await question(other("PreUse", allow), hook("BeforeTool", { out: { decision: "ask", reason: "sure?" } }))).toEqual(["ask", 1]);
  });
});

describe("every row of every dialect", () => {
  it("names a source, and reads back what its own stdin says of its example", () => {
    const rows = Object.entries(gemini.rows);
    expect(rows.length).toBe(11);
    for (const [wire, row] of rows) expect([wire, row.source]).toEqual([wire, expect.stringMatching(/\S+#\S+/)]);
  });
});
