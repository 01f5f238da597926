import { describe, expect, it } from "vitest";
import type { EventName, Facts, JsonObject, Opinion } from "../../src/protocol/index.ts";
import { act, coded, codes, hook, other, shellCall } from "./scripted.ts";

const two = { exit: 2, err: "because\n", text: '{"decision":"allow"}' };
const answered = { prompt: "p", response: "r", retrying: false };
const asked = { model: "m", messages: [], config: {} };

const proceeded = <O extends { readonly action: string }>(outcome: O): Extract<O, { readonly action: "proceed" }> => {
  expect(outcome.action).toBe("proceed");
  return outcome as Extract<O, { readonly action: "proceed" }>;
};
const saying = (wire: string, fields: JsonObject): { out: JsonObject } => ({
  out: { hookSpecificOutput: { hookEventName: wire, ...fields } },
});

describe("several dialects in one firing", () => {
  it("show each hook the same call in its own words", async () => {
    const r = await act("beforeTool", shellCall(), [
      hook("BeforeTool", {}, { matcher: "run_shell.*" }),
      other("PreUse", {}, { matcher: "Bash" }),
      other("PreUse", {}, { matcher: "BashOutput" }),
    ]);
    expect(r.saw.map((stdin) => [stdin["tool_name"], stdin["tool_input"]])).toEqual([
      ["run_shell_command", { command: "rm -rf build", dir_path: "/p" }],
      ["Bash", { command: "rm -rf build", dir_path: "/p" }],
    ]);
    expect(r.plan.statuses).toEqual(["ok", "ok", "notMatched"]);
  });

  it("compose a merge with a whole replacement, and keep what one of them has no word for", async () => {
    const r = await act("beforeTool", shellCall({ command: "a", dir_path: "/p", is_background: false }), [
      hook("BeforeTool", saying("", { tool_input: { description: "why" } })),
      other("PreUse", saying("PreUse", { updatedInput: { command: "b" } })),
    ]);
    expect(proceeded(r.outcome).input).toEqual({ dir_path: "/p", is_background: false, command: "b", description: "why" });
    expect(codes(r)).toEqual([]);
  });

  it("say so where two of them change one thing: the later one in order counts", async () => {
    const whole = (command: string) => other("PreUse", saying("PreUse", { updatedInput: { command } }));
    const r = await act("beforeTool", shellCall({ command: "a" }), [
      whole("b"),
      whole("c"),
      hook("BeforeTool", saying("", { tool_input: { command: "d" } })),
    ]);
    expect(proceeded(r.outcome).input).toEqual({ command: "d" });
    expect(codes(r)).toEqual(["REWRITES_COLLIDE", "REWRITES_COLLIDE", "REWRITES_COLLIDE"]);
    expect(r.verdict.problems[0]).toMatchObject({
      hook: r.reports[1]?.entry.name,
      what: expect.stringContaining(r.reports[0]?.entry.id ?? "?"),
    });
  });

  it("reach only the row whose variant fits", async () => {
    const failed: Facts["afterTool"] = { ...shellCall(), result: { content: "boom", error: { message: "exit 1" } } };
    const hooks = [hook("AfterTool"), other("PostUse"), other("PostUseFailed")];
    const r = await act("afterTool", failed, hooks);
    expect(r.saw.map((stdin) => stdin["hook_event_name"])).toEqual(["AfterTool", "PostUseFailed"]);
    expect(r.plan.statuses).toEqual(["ok", "notThisVariant", "ok"]);
    const retry = await act("beforeAgent", { prompt: "fix it", origin: "retry" }, [hook("BeforeAgent"), other("Submit")]);
    expect(retry.saw.map((stdin) => stdin["hook_event_name"])).toEqual(["BeforeAgent"]);
  });

  it("keep the life and the frame of each context", async () => {
    const r = await act("beforeAgent", { prompt: "p" }, [
      hook("BeforeAgent", saying("", { additionalContext: "<a>" })),
      other("Submit", { text: "b" }),
    ]);
    expect(proceeded(r.outcome).context.map(({ text, framed, lasts }) => [text, framed, lasts])).toEqual([
      ["<a>", "<hook_context>&lt;a&gt;</hook_context>", "turn"],
      ["b", "b", "history"],
    ]);
  });

  it("know a notification by their own words and not at all where they have none", async () => {
    const r = await act("notification", { type: "permission", message: "m" }, [
      other("Notice", {}, { matcher: "asking" }),
      hook("Notification", {}, { matcher: "ToolPermission" }),
      hook("Notification", {}, { matcher: "permission" }),
    ]);
    expect(r.saw.map((stdin) => stdin["notification_type"])).toEqual(["permission_prompt", "ToolPermission"]);
    const idle = await act("notification", { type: "idle", message: "m" }, [hook("Notification"), other("Notice")]);
    expect(idle.plan.statuses).toEqual(["notThisVariant", "ok"]);
    expect(idle.plan.why[0]).toContain("Gemini CLI has no word for");
  });
});

describe("a sequential group", () => {
  it("hands each change to the next, composes them all, and does not wait for its neighbours", async () => {
    const order: string[] = [];
    const r = await act("beforeTool", { tool: { name: "write_file", input: { file_path: "a", content: "1" } } }, [
      hook("BeforeTool", { afterMs: 60, ...saying("", { tool_input: { content: "2" } }) }, { lane: -1 }),
      hook(
        "BeforeTool",
        (stdin) => {
          order.push("second of the group");
          return saying("", { tool_input: { file_path: `${String((stdin["tool_input"] as JsonObject)["content"])}.txt` } });
        },
        { lane: -1 },
      ),
      hook("BeforeTool", () => {
        order.push("neighbour");
        return {};
      }),
    ]);
    expect(proceeded(r.outcome).input).toEqual({ file_path: "2.txt", content: "2" });
    expect(order).toEqual(["neighbour", "second of the group"]);
    expect(codes(r)).toEqual([]);
    expect([...r.inputs.keys()]).toEqual([r.reports[1]?.entry.id]);
  });

  it("goes on after a hook that denied or failed", async () => {
    const r = await act("beforeTool", shellCall(), [
      hook("BeforeTool", { exit: 2, err: "no" }, { lane: -1 }),
      hook("BeforeTool", { exit: 1, err: "boom" }, { lane: -1 }),
      hook("BeforeTool", { out: { decision: "deny", reason: "nor this" } }, { lane: -1 }),
    ]);
    expect(r.outcome).toEqual({ action: "block", reason: "no\nnor this", context: [] });
    expect(r.saw).toHaveLength(3);
  });

  it("threads a changed request, a changed chunk and added context", async () => {
    const request = { model: "m", messages: [{ role: "user" as const, content: "key=1" }], config: { temperature: 1 } };
    const model = await act("beforeModel", { request: () => request }, [
      hook("BeforeModel", saying("", { llm_request: { messages: [{ role: "user", content: "key=?" }], config: { topP: 0.5 } } }), {
        lane: -1,
      }),
      hook("BeforeModel", {}, { lane: -1 }),
    ]);
    expect(model.saw[1]?.["llm_request"]).toEqual({
      model: "m",
      messages: [{ role: "user", content: "key=?" }],
      config: { temperature: 1, topP: 0.5 },
    });
    const response = { parts: ["secret"] };
    const after = await act("afterModel", { request, response }, [
      hook("AfterModel", saying("", { llm_response: { candidates: [{ content: { role: "model", parts: ["***"] } }] } }), { lane: -1 }),
      hook("AfterModel", {}, { lane: -1 }),
    ]);
    expect(after.saw[1]).toMatchObject({ llm_response: { text: "***" } });
    const agent = await act("beforeAgent", { prompt: "p" }, [
      hook("BeforeAgent", saying("", { additionalContext: "c" }), { lane: -1 }),
      hook("BeforeAgent", {}, { lane: -1 }),
    ]);
    expect(agent.saw[1]?.["prompt"]).toBe("p\n\nc");
  });
});

describe("model events", () => {
  const request = {
    model: "m",
    messages: [
      { role: "user" as const, content: "key=1" },
      { role: "user" as const, content: "pw=2" },
    ],
    config: { temperature: 1 },
  };
  const redact = (i: number) => (stdin: JsonObject) => {
    const copy = structuredClone(stdin["llm_request"]) as { messages: { role: string; content: string }[] };
    copy.messages[i] = { role: "user", content: "***" };
    return { out: { hookSpecificOutput: { llm_request: copy } } };
  };

  it("let two redactions of different messages both hold", async () => {
    const r = await act("beforeModel", { request: () => request }, [hook("BeforeModel", redact(0)), hook("BeforeModel", redact(1))]);
    expect(proceeded(r.outcome).request).toEqual({
      messages: [
        { role: "user", content: "***", at: 0 },
        { role: "user", content: "***", at: 1 },
      ],
    });
  });
  it("let no later allow undo a denial", async () => {
    const r = await act("beforeModel", { request }, [
      hook("BeforeModel", { out: { decision: "deny", reason: "no" } }),
      hook("BeforeModel", { out: { decision: "allow" } }),
      hook("BeforeModel", { text: "just logging" }),
    ]);
    expect(r.outcome).toEqual({ action: "block", reason: "no", response: undefined });
  });
  it("take a synthetic answer, alone or beside a denial", async () => {
    const answer = { hookSpecificOutput: { llm_response: { candidates: [{ content: { role: "model", parts: ["hi"] } }] } } };
    const alone = await act("beforeModel", { request }, [hook("BeforeModel", { out: answer })]);
    expect(alone.outcome).toEqual({ action: "answer", response: { parts: ["hi"] } });
    const denied = await act("beforeModel", { request }, [hook("BeforeModel", { out: { ...answer, decision: "deny", reason: "no" } })]);
    expect(denied.outcome).toEqual({ action: "block", reason: "no", response: { parts: ["hi"] } });
  });
  it("unite tool limits of the hooks that speak, NONE before ANY before AUTO", async () => {
    const limit = (mode: string, names?: string[]) =>
      hook("BeforeToolSelection", {
        out: { hookSpecificOutput: { toolConfig: { mode, ...(names ? { allowedFunctionNames: names } : {}) } } },
      });
    const r = await act("beforeToolSelection", { request }, [
      limit("ANY", ["read_file"]),
      limit("AUTO", ["glob"]),
      hook("BeforeToolSelection", { out: {} }),
    ]);
    expect(r.outcome).toEqual({ action: "proceed", toolLimit: { mode: "any", allowed: ["glob", "read_file"] } });
    const none = await act("beforeToolSelection", { request }, [limit("ANY", ["read_file"]), limit("NONE", ["glob"])]);
    expect(none.outcome).toEqual({ action: "proceed", toolLimit: { mode: "none", allowed: [] } });
    const denial = await act("beforeToolSelection", { request }, [
      hook("BeforeToolSelection", { out: { decision: "deny", continue: false } }),
    ]);
    expect(denial.outcome).toEqual({ action: "proceed", toolLimit: undefined });
    expect(codes(denial)).toEqual(["OUTPUT_FIELD_IGNORED", "OUTPUT_FIELD_IGNORED"]);
  });
});

describe("a function of the host", () => {
  it("speaks neutral words and is merged like anybody", async () => {
    const r = await act("beforeTool", shellCall(), [
      coded("beforeTool", { ruling: { kind: "deny", reason: "in code" } }),
      hook("BeforeTool"),
    ]);
    expect(r.outcome).toEqual({ action: "block", reason: "in code", context: [] });
    expect(r.reports.map(({ readAs }) => readAs)).toEqual(["opinion", "nothing"]);
  });
  it("that fails closed denies a tool, and does not make an agent loop", async () => {
    const threw = { run: { kind: "threw", message: "boom" } } as const;
    const guard = { ...coded("beforeTool", undefined, { onFailure: "block" }), answer: threw };
    expect((await act("beforeTool", shellCall(), [guard])).outcome.action).toBe("block");
    const loop = { ...coded("afterAgent", undefined, { onFailure: "block" }), answer: threw };
    const r = await act("afterAgent", { prompt: "", response: "", retrying: false }, [loop]);
    expect(r.outcome).toEqual({ action: "proceed" });
    expect(r.reports[0]).toMatchObject({ status: "exitedOther", opinion: {} });
  });
  it.each([
    ["a ruling that is a text", { ruling: "deny" }],
    ["a ruling of an unknown kind", { ruling: { kind: "never", reason: "x" } }],
    ["a change without how", { input: { command: "x" } }],
    ["a change that is a text", { input: "x" }],
    ["a message that is a number", { message: 7 }],
    ["a result that is a function", { result: () => 1 }],
    ["a request that is a list", { request: [] }],
    ["a field nobody knows", { decision: "deny" }],
    ["a text", "deny"],
    ["a list", [{ ruling: { kind: "deny" } }]],
    ["a circle", { result: circle() }],
    ["a number too big for JSON", { result: 10n }],
  ])("that returns %s gets a problem, and the firing goes on", async (_what, said) => {
    const r = await act("beforeTool", shellCall(), [coded("beforeTool", said), hook("BeforeTool")]);
    expect(r.outcome.action).toBe("proceed");
    expect(r.reports[0]?.status).toBe("badOutput");
    expect(codes(r)).toEqual(["OUTPUT_BAD_VALUE"]);
    expect(() => JSON.stringify(r.reports[0]?.opinion)).not.toThrow();
  });
  it.each<[string, EventName, Facts[EventName], Opinion]>([
    [
      "a change of the request",
      "beforeModel",
      { request: asked },
      { request: { model: "n", config: { x: 1 }, messages: [{ at: 0, role: "user", content: "a" }] } },
    ],
    ["an answer", "beforeModel", { request: asked }, { response: { parts: ["a"], finishReason: "STOP", usage: { total: 1 } } }],
    ["a tool limit", "beforeToolSelection", { request: asked }, { toolLimit: { mode: "any", allowed: ["a"] } }],
    ["a tail call", "afterTool", { ...shellCall(), result: { content: "" } }, { tailCall: { name: "a", input: {} } }],
    ["a cleared context", "afterAgent", answered, { clearContext: true, ruling: { kind: "deny", reason: "again" } }],
    ["quiet", "notification", { type: "idle", message: "m" }, { quiet: true, message: "m" }],
    ["nothing", "beforeTool", shellCall(), {}],
  ])("may say %s", async (_what, event, facts, said) => {
    const r = await act(event as "beforeTool", facts as Facts["beforeTool"], [coded(event, said)]);
    expect(r.reports[0]).toMatchObject({ status: "ok", opinion: said, problems: [] });
  });
  it.each<[string, EventName, Facts[EventName], unknown]>([
    ["a message at no place", "beforeModel", { request: asked }, { request: { messages: [{ at: -1, role: "user", content: "a" }] } }],
    ["an answer of numbers", "beforeModel", { request: asked }, { response: { parts: [7] } }],
    ["a limit of an unknown mode", "beforeToolSelection", { request: asked }, { toolLimit: { mode: "ALL", allowed: [] } }],
    ["a tail call to nobody", "afterTool", { ...shellCall(), result: { content: "" } }, { tailCall: { name: "", input: {} } }],
  ])("may not say %s", async (_what, event, facts, said) => {
    const r = await act(event as "beforeTool", facts as Facts["beforeTool"], [coded(event, said)]);
    expect(r.reports[0]).toMatchObject({ status: "badOutput", opinion: {}, problems: [{ code: "OUTPUT_BAD_VALUE" }] });
  });
  it.each<[string, EventName, Facts[EventName], Opinion]>([
    ["arguments", "sessionStart", { source: "startup" }, { input: { how: "merge", value: {} } }],
    ["a question", "afterTool", { ...shellCall(), result: { content: "" } }, { ruling: { kind: "ask", reason: "?" } }],
    ["a stop", "notification", { type: "idle", message: "m" }, { ruling: { kind: "endTurn", reason: "x" } }],
  ])("that says %s where that means nothing is told so", async (_what, event, facts, said) => {
    const r = await act(event as "beforeTool", facts as Facts["beforeTool"], [coded(event, said)]);
    expect([r.outcome.action, r.reports[0]?.status, codes(r)]).toEqual(["proceed", "ok", ["OUTPUT_FIELD_IGNORED"]]);
  });
  it("that rules where nothing can be refused is told so", async () => {
    const r = await act("sessionStart", { source: "startup" }, [coded("sessionStart", { ruling: { kind: "deny", reason: "no" } })]);
    expect(r.outcome).toEqual({ action: "proceed", context: [] });
    expect(codes(r)).toEqual(["OUTPUT_FIELD_IGNORED"]);
  });
});

function circle(): { message: string; self?: unknown } {
  const found: { message: string; self?: unknown } = { message: "x" };
  found.self = found;
  return found;
}

describe("a background entry", () => {
  it("decides nothing, and its report comes later", async () => {
    const r = await act("beforeTool", shellCall(), [hook("BeforeTool", { exit: 2, err: "no", afterMs: 30 }, { background: true })]);
    expect(r.outcome.action).toBe("proceed");
    expect(r.reports[0]?.status).toBe("left");
    expect(await r.late[0]).toMatchObject({ status: "ok", opinion: { ruling: { kind: "deny", reason: "no" } } });
  });
});

describe("exit 2", () => {
  it.each<[string, () => Promise<{ outcome: object }>, object]>([
    ["discards a prompt", () => act("beforeAgent", { prompt: "p" }, [hook("BeforeAgent", two)]), { action: "discard", reason: "because" }],
    [
      "asks for another try",
      () => act("afterAgent", answered, [hook("AfterAgent", two)]),
      { action: "retry", prompt: "because", clearContext: false },
    ],
    [
      "blocks a model call",
      () => act("beforeModel", { request: asked }, [hook("BeforeModel", two)]),
      { action: "block", reason: "because", response: undefined },
    ],
    ["blocks a tool", () => act("beforeTool", shellCall(), [hook("BeforeTool", two)]), { action: "block", reason: "because", context: [] }],
    [
      "hides a result",
      () => act("afterTool", { ...shellCall(), result: { content: "x" } }, [hook("AfterTool", two)]),
      { action: "hide", reason: "because", context: [] },
    ],
    [
      "cancels a compression",
      () => act("beforeCompress", { trigger: "auto" }, [other("Shrink", two)]),
      { action: "cancel", reason: "because" },
    ],
    [
      "means nothing where nothing can be refused",
      () => act("beforeCompress", { trigger: "auto" }, [hook("PreCompress", two)]),
      { action: "proceed" },
    ],
    ["does not decide a permission", () => act("permissionRequest", shellCall(), [other("Ask", two)]), { action: "proceed" }],
  ])("%s", async (_what, run, outcome) => {
    expect((await run()).outcome).toEqual(outcome);
  });
  it("is context where its row says so", async () => {
    const r = await act("afterTool", { ...shellCall(), result: { content: "x" } }, [other("PostUse", two)]);
    expect(proceeded(r.outcome).context.map(({ text }) => text)).toEqual(["because"]);
  });
});
