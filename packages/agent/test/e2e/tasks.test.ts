// The list of tasks in a session in Qoder CN CLI's words: what the model is told of it, what hooks read and change of it, and how it lasts.
import { describe, expect, it } from "vitest";
import type { OpenOptions } from "../../src/config/index.ts";
import { type Served, type Stage, says, served, stage } from "../loop/stage.ts";
import type { Reply } from "../servers/model-server.ts";

const qoder = (on: Stage, replies: Reply[], flags: OpenOptions["flags"] = {}): Promise<Served> =>
  served(on, "openai", replies, { flags: { dialects: ["qoder-cn"], ...flags } });
const create = (id: string, subject: string, more = {}) => ({
  id,
  name: "TaskCreate",
  input: { subject, description: `${subject}, all of it.`, ...more },
});
const update = (id: string, taskId: string, more: object) => ({ id, name: "TaskUpdate", input: { taskId, ...more } });
const list = (id: string) => ({ id, name: "TaskList", input: {} });
/** The results that an OpenAI model has read by the n-th request, in order. */
const results = (run: Served, n: number): string[] =>
  run.server.requests[n]?.body.messages
    .filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: string }) => content);

describe("the list of tasks", () => {
  it("is offered as the product's four tools, with their documented arguments, and no other list beside it", async () => {
    const on = stage();
    const run = await qoder(on, [{ text: "ok" }]);
    await run.ask("hello");
    const tools: readonly { function: { name: string; parameters: { properties: object; required: string[] } } }[] =
      run.server.requests[0]?.body.tools;
    const told = tools
      .filter(({ function: { name } }) => /task|todo/i.test(name))
      .map(({ function: { name, parameters } }) => [name, Object.keys(parameters.properties), parameters.required]);
    expect(told).toEqual([
      ["TaskCreate", ["subject", "description", "activeForm"], ["subject", "description"]],
      ["TaskUpdate", ["taskId", "status", "subject", "description", "activeForm", "owner", "addBlocks", "addBlockedBy"], ["taskId"]],
      ["TaskGet", ["taskId"], ["taskId"]],
      ["TaskList", [], []],
    ]);
    expect(run.sent(0)).toContain('"enum":["pending","in_progress","completed","deleted"]');
  });

  it("is watched by hooks, each reading the documented object", async () => {
    const on = stage();
    on.hooks(
      [
        { on: "PreToolUse", matcher: "TaskCreate", as: "before create" },
        { on: "PreToolUse", matcher: "TaskUpdate", as: "before update" },
        { on: "PostToolUse", matcher: "TaskCreate", as: "after create" },
        { on: "PostToolUse", matcher: "TaskUpdate", as: "after update" },
        { on: "PreToolUse", matcher: "TodoWrite", as: "by the older name" },
      ],
      {},
      "qoder-cn",
    );
    const run = await qoder(
      on,
      [
        { calls: [create("c1", "Write", { activeForm: "Writing" })] },
        { calls: [create("c2", "Check")] },
        { calls: [update("u1", "2", { addBlockedBy: ["1"] })] },
        { calls: [update("u2", "1", { status: "in_progress" }), list("l1")] },
        { calls: [{ id: "g1", name: "TaskGet", input: { taskId: "2" } }] },
        { text: "ok" },
      ],
      { mode: "default" },
    );
    await run.ask("go");
    const common = (event: string) => ({
      session_id: run.agent.sessionId(),
      transcript_path: run.agent.transcriptPath(),
      cwd: on.project,
      hook_event_name: event,
      permission_mode: "default",
    });
    const before = (tool_name: string, tool_input: object, tool_use_id: string) => ({
      ...common("PreToolUse"),
      tool_name,
      tool_input,
      tool_use_id,
    });
    const after = (tool_name: string, tool_input: object, tool_response: string, tool_use_id: string) => ({
      ...common("PostToolUse"),
      tool_name,
      tool_input,
      tool_response,
      tool_use_id,
    });
    const write = { subject: "Write", description: "Write, all of it.", activeForm: "Writing" };
    const check = { subject: "Check", description: "Check, all of it." };
    const waits = { taskId: "2", addBlockedBy: ["1"] };
    const begins = { taskId: "1", status: "in_progress" };
    const expected = {
      "before create": [before("TaskCreate", write, "c1"), before("TaskCreate", check, "c2")],
      "after create": [after("TaskCreate", write, "Added task 1: Write", "c1"), after("TaskCreate", check, "Added task 2: Check", "c2")],
      "before update": [before("TaskUpdate", waits, "u1"), before("TaskUpdate", begins, "u2")],
      "after update": [
        after("TaskUpdate", waits, "Changed task 2:\n2. [pending] Check (waits for 1)", "u1"),
        after("TaskUpdate", begins, "Changed task 1:\n1. [in_progress] Write", "u2"),
      ],
    };
    for (const [name, payloads] of Object.entries(expected)) {
      expect(on.seen(name)).toEqual(payloads);
      expect(on.seen(name).map((seen) => Object.keys(seen))).toEqual(payloads.map((payload) => Object.keys(payload)));
    }
    expect(on.seen("by the older name").map(({ tool_use_id }) => tool_use_id)).toEqual(["c1", "c2", "u1", "u2"]);
    expect(results(run, 4).at(-1)).toBe("2 tasks, 0 completed:\n1. [in_progress] Write\n2. [pending] Check (waits for 1)");
    expect(results(run, 5).at(-1)).toBe("Task 2: Check\nStatus: pending\nWaits for: 1\nDescription: Check, all of it.");
  });

  it("is kept from a change by a hook that blocks it, and takes what a hook makes of one", async () => {
    const on = stage();
    const renamed = { subject: "Write, with tests", description: "Both." };
    on.hooks(
      [
        {
          on: "PreToolUse",
          matcher: "TaskCreate",
          does: says({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: renamed } }),
        },
        {
          on: "PreToolUse",
          matcher: "TaskUpdate",
          as: "gate",
          does: 'grep -q completed "$home/seen/gate.jsonl" && { echo "run the tests first" >&2; exit 2; }\ntrue',
        },
        { on: "PostToolUse", matcher: "Task.*" },
        { on: "PostToolUseFailure", matcher: "TaskUpdate" },
      ],
      {},
      "qoder-cn",
    );
    const run = await qoder(on, [
      { calls: [create("c1", "Write")] },
      { calls: [update("u1", "7", { status: "in_progress" })] },
      { calls: [update("u2", "1", { status: "completed" })] },
      { calls: [list("l1")] },
      { text: "ok" },
    ]);
    await run.ask("go");
    expect(on.seen("PostToolUse")).toMatchObject([
      { tool_name: "TaskCreate", tool_input: renamed, tool_response: "Added task 1: Write, with tests" },
      { tool_name: "TaskList", tool_input: {}, tool_response: "1 task, 0 completed:\n1. [pending] Write, with tests" },
    ]);
    expect(on.seen("PostToolUseFailure")).toMatchObject([
      { tool_input: { taskId: "7", status: "in_progress" }, error: 'There is no task "7". There are: 1. Nothing was changed.' },
    ]);
    expect(results(run, 3)[2]).toContain("run the tests first");
  });

  it("is a matter of planning: no mode asks about it, and plan mode allows it", async () => {
    const on = stage();
    const run = await qoder(on, [{ calls: [create("c1", "Write"), update("u1", "1", { status: "completed" })] }, { text: "ok" }], {
      mode: "plan",
    });
    await run.ask("go");
    expect(results(run, 1)).toEqual(["Added task 1: Write", "Changed task 1:\n1. [completed] Write"]);
  });

  it("is there when the session is resumed, deleted ids included, and gone when it begins anew", async () => {
    const on = stage();
    const first = await qoder(on, [
      {
        calls: [
          create("c1", "Write"),
          create("c2", "Check"),
          update("u1", "2", { status: "deleted" }),
          update("u2", "1", { status: "in_progress" }),
        ],
      },
      { text: "ok" },
    ]);
    await first.ask("go");
    await first.close("exit");
    const second = await qoder(
      on,
      [{ calls: [list("l1"), create("c3", "Ship")] }, { text: "ok" }, { calls: [list("l2"), create("c4", "Anew")] }, { text: "ok" }],
      {
        resume: "latest",
      },
    );
    await second.ask("where were we?");
    expect(results(second, 1).slice(-2)).toEqual(["1 task, 0 completed:\n1. [in_progress] Write", "Added task 3: Ship"]);
    await second.agent.clear();
    await second.ask("something else");
    expect(results(second, 3)).toEqual(["The list has no tasks.", "Added task 1: Anew"]);
    await second.close("exit");
    const third = await qoder(on, [{ calls: [list("l3")] }, { text: "ok" }], { resume: "latest" });
    await third.ask("and now?");
    expect(results(third, 1).at(-1)).toBe("1 task, 0 completed:\n1. [pending] Anew");
  });

  it("outlives a history that was made short or emptied by a hook", async () => {
    const on = stage();
    on.hooks(
      [
        {
          on: "Stop",
          does: `[ "$n" -eq 1 ] && ${says({ decision: "block", reason: "again", hookSpecificOutput: { hookEventName: "Stop", clearContext: true } })}\ntrue`,
        },
      ],
      {},
      "qoder-cn",
    );
    const run = await qoder(on, [
      { calls: [create("c1", "Write")] },
      { text: "one" },
      { calls: [list("l1")] },
      { text: "two" },
      { text: "A summary." },
      { calls: [list("l2")] },
      { text: "three" },
    ]);
    await run.ask("go");
    expect(results(run, 3), "the first call is not in the history any more").toEqual(["1 task, 0 completed:\n1. [pending] Write"]);
    expect(await run.agent.compress(new AbortController().signal)).toBe("done");
    await run.ask("go on");
    expect(results(run, 6).at(-1)).toBe("1 task, 0 completed:\n1. [pending] Write");
    await run.close("exit");
    const later = await qoder(on, [{ calls: [list("l3")] }, { text: "ok" }], { resume: "latest" });
    await later.ask("and now?");
    expect(results(later, 1).at(-1)).toBe("1 task, 0 completed:\n1. [pending] Write");
  });

  it("is the session's: a sub-agent that has its tools sees and changes the same", async () => {
    const on = stage();
    on.write(
      "my project/.qoder/agents/scout.md",
      "---\nname: scout\ndescription: Looks around.\ntools: TaskList, TaskUpdate\n---\nYou only look.\n",
    );
    on.hooks([{ on: "PreToolUse", matcher: "TaskUpdate" }], {}, "qoder-cn");
    const run = await qoder(on, [
      { calls: [create("c1", "Look")] },
      { calls: [{ id: "a1", name: "Agent", input: { description: "look", prompt: "look around", subagent_type: "scout" } }] },
      { calls: [list("l1"), update("u1", "1", { status: "completed", owner: "scout" }), create("c2", "More")] },
      { text: "nothing" },
      { calls: [list("l2")] },
      { text: "ok" },
    ]);
    await run.ask("go");
    const offered = run.server.requests[2]?.body.tools.map(({ function: { name } }: { function: { name: string } }) => name);
    expect(offered).toEqual(["TaskUpdate", "TaskList"]);
    expect(results(run, 3)).toEqual([
      "1 task, 0 completed:\n1. [pending] Look",
      "Changed task 1:\n1. [completed] Look (owner: scout)",
      expect.stringMatching(/Tool ."TaskCreate." not found/),
    ]);
    expect(on.seen("PreToolUse")).toMatchObject([{ agent_type: "scout", tool_name: "TaskUpdate", tool_use_id: "u1" }]);
    expect(results(run, 5).at(-1)).toBe("1 task, 1 completed:\n1. [completed] Look (owner: scout)");
  });
});

describe("a tool for steps that one product alone has, in a session of both", () => {
  it("keeps its name and its arguments for the other's hooks: the whole list of the first product", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", matcher: "write_todos" }]);
    on.hooks([{ on: "PreToolUse" }, { on: "PreToolUse", matcher: "TaskCreate|TaskUpdate|TodoWrite", as: "other tools" }], {}, "qoder-cn");
    const input = { todos: [{ description: "Look", status: "pending" }] };
    const run = await served(on, "openai", [{ calls: [{ id: "t1", name: "write_todos", input }, create("c1", "Write")] }, { text: "ok" }], {
      flags: { dialects: ["gemini", "qoder-cn"] },
    });
    await run.ask("go");
    expect(on.seen("BeforeTool")).toMatchObject([{ tool_name: "write_todos", tool_input: input }]);
    expect(on.seen("PreToolUse")).toMatchObject([{ tool_name: "write_todos", tool_input: input, tool_use_id: "t1" }]);
    expect(on.seen("other tools")).toEqual([]);
    expect(results(run, 1)).toEqual([
      "The list of steps is now:\n1. [pending] Look",
      expect.stringMatching(/Tool ."TaskCreate." not found/),
    ]);
  });

  it("keeps them the other way round as well: the single tasks of the second", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool" }, { on: "AfterTool", matcher: "TaskCreate" }]);
    on.hooks([{ on: "PreToolUse", matcher: "TaskCreate" }], {}, "qoder-cn");
    const run = await served(on, "openai", [{ calls: [create("c1", "Write")] }, { text: "ok" }], {
      flags: { dialects: ["qoder-cn", "gemini"] },
    });
    await run.ask("go");
    const input = { subject: "Write", description: "Write, all of it." };
    expect(on.seen("BeforeTool")).toMatchObject([{ tool_name: "TaskCreate", tool_input: input }]);
    expect(on.seen("AfterTool")).toMatchObject([
      {
        tool_name: "TaskCreate",
        tool_input: input,
        tool_response: { llmContent: "Added task 1: Write", returnDisplay: "Added task 1: Write" },
      },
    ]);
    expect(on.seen("PreToolUse")).toMatchObject([{ tool_name: "TaskCreate", tool_input: input, tool_use_id: "c1" }]);
  });
});
