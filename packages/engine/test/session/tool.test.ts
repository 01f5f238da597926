import { describe, expect, it } from "vitest";
import type { JsonObject, Policy, RegisteredHook, ToolCall, ToolDone, ToolOptions } from "../../src/index.ts";
import { denies, prints, stops, type Watched, watched, workplace } from "./workplace.ts";

const call: ToolCall = { name: "run_shell_command", input: { command: "rm -rf build" }, callId: "c1" };

/** A tool that notes what it was called with and says so. */
function tool(result?: unknown): {
  readonly ran: ToolCall[];
  readonly run: (input: JsonObject, call: ToolCall) => Promise<{ content: string }>;
} {
  const ran: ToolCall[] = [];
  return {
    ran,
    run: async (_input, call) => {
      ran.push(call);
      if (result instanceof Error) throw result;
      return (result ?? { content: `ran ${call.name}` }) as { content: string };
    },
  };
}
function engineOf(hooks: Parameters<ReturnType<typeof workplace>["user"]>[0] = {}, settings: JsonObject = {}): Watched {
  const place = workplace();
  place.user(hooks, settings);
  return watched(place);
}
const always = (answer: Policy["answer"], because?: string): Pick<ToolOptions, "policy"> => ({
  policy: () => ({ answer, ...(because === undefined ? {} : { because }) }),
});
const done = ({ ended, output, isError, error, stop }: ToolDone) => ({ ended, output, isError, error: error?.type, stop });

describe("what hooks add for the model", () => {
  const adds: RegisteredHook<"beforeTool"> = () => ({ context: "mind the gap" });
  const added = (text: string) => `${text}\n\nmind the gap`;
  it.each<[ToolDone["ended"], string, Partial<ToolOptions>, RegisteredHook<"beforeTool"> | undefined]>([
    ["blocked", "Tool execution blocked: no", {}, () => ({ ruling: { kind: "deny", reason: "no" } })],
    ["stopped", "Agent execution stopped by hook: enough", {}, () => ({ ruling: { kind: "endTurn", reason: "enough" } })],
    ["declined", "not here", always("deny", "not here"), undefined],
    ["declined", "This call needs a person's confirmation, and nobody can be asked here.", always("ask"), undefined],
    ["declined", "The user declined this call.", { ...always("ask"), confirm: async () => false }, undefined],
    [
      "invalid",
      "Tool parameter modification by hook failed validation: no such key",
      { check: () => "no such key" },
      () => ({ input: { how: "merge", value: { x: 1 } } }),
    ],
  ])("reaches it when the call is %s: %s", async (ended, text, options, beside) => {
    const { engine } = engineOf();
    engine.register("beforeTool", adds);
    if (beside) engine.register("beforeTool", beside);
    const { run, ran } = tool();
    expect(await engine.session().tool(call, run, options)).toMatchObject({ ended, output: added(text), isError: true });
    expect(ran).toEqual([]);
  });
  it("reaches it when a sibling was stopped and this call never started", async () => {
    const { engine } = engineOf();
    engine.register("beforeTool", adds);
    engine.register("beforeTool", ({ tool: { name } }) => (name === "b" ? { ruling: { kind: "endTurn", reason: "enough" } } : undefined));
    const { run } = tool();
    const results = await engine.session().tools(
      [
        { name: "a", input: {} },
        { name: "b", input: {} },
      ],
      run,
    );
    expect(results.map(({ output }) => output)).toEqual([
      added("Not run: the agent was stopped (enough)."),
      added("Agent execution stopped by hook: enough"),
    ]);
  });
  it("reaches it behind a stop's words, from before the tool and after it", async () => {
    const { engine } = engineOf();
    engine.register("beforeTool", adds);
    engine.register("afterTool", () => ({ ruling: { kind: "endTurn", reason: "enough" }, context: "read the log" }));
    const { run } = tool();
    expect(await engine.session().tool(call, run)).toMatchObject({
      ended: "stopped",
      output: `${added("Agent execution stopped by hook: enough")}\nread the log`,
      error: { message: "Agent execution stopped by hook: enough" },
    });
  });
  it("goes with a result that a tail call replaces; what was added before the call stays", async () => {
    const { engine } = engineOf();
    engine.register("beforeTool", ({ tool: { name } }) => (name === call.name ? { context: "mind the gap" } : undefined));
    engine.register("afterTool", ({ tool: { tailOf } }) =>
      tailOf === undefined ? { context: "gone", tailCall: { name: "glob", input: {} } } : { context: "and this" },
    );
    const { run } = tool();
    expect(await engine.session().tool(call, run)).toMatchObject({ ended: "done", output: `${added("ran glob")}\nand this` });
  });
});

describe("one tool call", () => {
  it("runs, and gives the model its result", async () => {
    const { run, ran } = tool();
    expect(await engineOf().engine.session().tool(call, run)).toEqual({
      ended: "done",
      output: "ran run_shell_command",
      display: undefined,
      isError: false,
      error: undefined,
      ran: [call],
      rewritten: false,
      stop: undefined,
    });
    expect(ran).toEqual([call]);
  });
  it("that a hook denies does not run; the reason is the tool's error", async () => {
    const { run, ran } = tool();
    const result = await engineOf({ BeforeTool: [denies("not that")] })
      .engine.session()
      .tool(call, run);
    expect(done(result)).toEqual({
      ended: "blocked",
      output: "Tool execution blocked: not that",
      isError: true,
      error: "policy_violation",
      stop: undefined,
    });
    expect(ran).toEqual([]);
  });
  it("that a hook stops does not run, and ends the loop", async () => {
    const { run, ran } = tool();
    const result = await engineOf({ BeforeTool: [stops("enough")] })
      .engine.session()
      .tool(call, run);
    expect(done(result)).toEqual({
      ended: "stopped",
      output: "Agent execution stopped by hook: enough",
      isError: true,
      error: "stop_execution",
      stop: { ends: "turn", reason: "enough" },
    });
    expect(ran).toEqual([]);
  });
  it("runs with the arguments that hooks made of it, once they are checked", async () => {
    const hooks = {
      BeforeTool: [prints({ hookSpecificOutput: { tool_input: { command: "ls" } } })],
      AfterTool: [`cat >"$GEMINI_PROJECT_DIR/after"; printf '{"systemMessage":"%s"}' seen`],
    };
    const { run, ran } = tool();
    const { engine } = engineOf(hooks);
    const seen: JsonObject[] = [];
    engine.register("afterTool", (facts) => {
      seen.push({ asked: facts.asked ?? {}, input: facts.tool.input });
      return undefined;
    });
    const checked: ToolCall[] = [];
    const result = await engine.session().tool(call, run, {
      check: (changed) => {
        checked.push(changed);
        return undefined;
      },
    });
    expect(result).toMatchObject({ ended: "done", rewritten: true, ran: [{ input: { command: "ls" } }] });
    expect([ran[0]?.input, checked[0]?.input]).toEqual([{ command: "ls" }, { command: "ls" }]);
    expect(seen).toEqual([{ asked: call.input, input: { command: "ls" } }]);
    const refused = await engine.session().tool(call, run, { check: () => "command must be a list" });
    expect(done(refused)).toMatchObject({
      ended: "invalid",
      error: "invalid_tool_params",
      output: expect.stringContaining("command must be a list"),
    });
    expect(ran).toHaveLength(1);
  });
  it("that rejects is a failed tool, and hooks see it as one", async () => {
    const { run } = tool(new Error("disk full"));
    const { engine } = engineOf();
    const seen: unknown[] = [];
    engine.register("afterTool", (facts) => {
      seen.push(facts.result);
      return { context: "look at the disk" };
    });
    const result = await engine.session().tool(call, run);
    expect(done(result)).toMatchObject({
      ended: "failed",
      isError: true,
      output: "disk full\n\nlook at the disk",
      error: "execution_failed",
    });
    expect(seen).toEqual([{ content: "disk full", error: { message: "disk full", type: "execution_failed" } }]);
  });
  it("rejects only for misuse", async () => {
    const { engine } = engineOf();
    await engine.dispose();
    await expect(engine.session().tool(call, tool().run)).rejects.toMatchObject({ code: "DISPOSED" });
  });
});

describe("a question", () => {
  const ask = prints({ decision: "ask", reason: "sure?" });
  it("of a hook is put to the person, after a notification", async () => {
    const { engine } = engineOf({ BeforeTool: [ask], Notification: ["true"] });
    const order: string[] = [];
    engine.register("notification", (facts) => {
      order.push(`${facts.type}: ${facts.message} ${JSON.stringify(facts.details)}`);
      return undefined;
    });
    for (const yes of [true, false]) {
      const { run, ran } = tool();
      const result = await engine.session().tool(call, run, {
        question: (_call, why) => ({ message: `May I (${why})`, details: { type: "exec" } }),
        confirm: async (_call, why) => {
          order.push(`confirm ${why}`);
          return yes;
        },
      });
      expect([result.ended, ran.length]).toEqual(yes ? ["done", 1] : ["declined", 0]);
    }
    expect(order).toEqual([
      'permission: May I (sure?) {"type":"exec"}',
      "confirm sure?",
      'permission: May I (sure?) {"type":"exec"}',
      "confirm sure?",
    ]);
  });
  it("is declined at once where nobody can be asked, with the reason", async () => {
    const { run, ran } = tool();
    const result = await engineOf({ BeforeTool: [ask], Notification: ["exit 2"] })
      .engine.session()
      .tool(call, run);
    expect(done(result)).toMatchObject({ ended: "declined", isError: true, output: expect.stringContaining("sure?") });
    expect(ran).toEqual([]);
  });
  it("of a hook never loosens what the policy denies", async () => {
    const { run, ran } = tool();
    let asked = 0;
    const confirm = async () => {
      asked++;
      return true;
    };
    const result = await engineOf({ BeforeTool: [ask] })
      .engine.session()
      .tool(call, run, { ...always("deny", "rule 7"), confirm });
    expect([done(result).ended, result.output, asked, ran.length]).toEqual(["declined", "rule 7", 0, 0]);
  });
  it("of the policy is put, and a hook's allow skips it where its dialect says so; a policy's denial it does not", async () => {
    const { engine } = engineOf({ BeforeTool: [prints({ decision: "allow" })] });
    let asked = 0;
    const options = { ...always("ask"), confirm: async () => ++asked > 0 };
    await engine.session().tool(call, tool().run, options);
    expect(asked).toBe(1);
    engine.register("beforeTool", () => ({ ruling: { kind: "allow", reason: "known" } }));
    expect((await engine.session().tool(call, tool().run, options)).ended).toBe("done");
    expect(asked).toBe(1);
    expect((await engine.session().tool(call, tool().run, always("deny"))).ended).toBe("declined");
  });
  it("may be answered by a hook first", async () => {
    const { engine } = engineOf();
    const notified: string[] = [];
    engine.register("notification", (facts) => {
      notified.push(facts.type);
      return undefined;
    });
    const answers: Parameters<typeof engine.register<"permissionRequest">>[1][] = [
      () => ({ ruling: { kind: "allow", reason: undefined } }),
      () => ({ ruling: { kind: "allow", reason: undefined }, input: { how: "merge", value: { command: "ls" } } }),
      () => ({ ruling: { kind: "deny", reason: "never" } }),
      () => ({ ruling: { kind: "endTurn", reason: "stop it" } }),
    ];
    const ended: unknown[] = [];
    for (const answer of answers) {
      const remove = engine.register("permissionRequest", answer as RegisteredHook<"permissionRequest">);
      const { run, ran } = tool();
      const result = await engine.session().tool(call, run, always("ask"));
      ended.push([result.ended, ran[0]?.input, result.stop?.reason]);
      remove();
    }
    expect(ended).toEqual([
      ["done", call.input, undefined],
      ["done", { command: "ls" }, undefined],
      ["blocked", undefined, undefined],
      ["stopped", undefined, "stop it"],
    ]);
    expect(notified).toEqual([]);
  });
  it("granted with other arguments is checked, and stays inside the policy", async () => {
    const { engine } = engineOf();
    engine.register("permissionRequest", () => ({
      ruling: { kind: "allow", reason: undefined },
      input: { how: "merge", value: { command: "sudo rm" } },
    }));
    const { run, ran } = tool();
    const policy = ({ input }: ToolCall): Policy =>
      String(input["command"]).startsWith("sudo") ? { answer: "deny", because: "no sudo" } : { answer: "ask" };
    expect(await engine.session().tool(call, run, { policy })).toMatchObject({ ended: "declined", output: "no sudo" });
    expect(await engine.session().tool(call, run, { ...always("ask"), check: () => "bad" })).toMatchObject({ ended: "invalid" });
    expect(ran).toEqual([]);
  });
  it("sees the call as hooks have changed it", async () => {
    const { engine } = engineOf({ BeforeTool: [prints({ hookSpecificOutput: { tool_input: { command: "ls" } } })] });
    const saw: unknown[] = [];
    await engine.session().tool(call, tool().run, {
      policy: ({ input }) => {
        saw.push(input);
        return { answer: "ask" };
      },
      confirm: async ({ input }) => {
        saw.push(input);
        return true;
      },
    });
    expect(saw).toEqual([{ command: "ls" }, { command: "ls" }]);
  });
});

describe("after the tool", () => {
  it("a denial hides the result behind its reason", async () => {
    const result = await engineOf({ AfterTool: [denies("secret inside")] })
      .engine.session()
      .tool(call, tool().run);
    expect(result).toMatchObject({
      ended: "hidden",
      output: "secret inside",
      display: "Tool result blocked: secret inside",
      isError: true,
      ran: [call],
    });
  });
  it.each<[string, unknown, unknown]>([
    ["text", { content: "out" }, "out\n\n<hook_context>&lt;b&gt;</hook_context>"],
    ["an empty text", { content: "" }, "<hook_context>&lt;b&gt;</hook_context>"],
    ["a list", { content: [{ text: "a" }] }, [{ text: "a" }, { text: "<hook_context>&lt;b&gt;</hook_context>" }]],
    ["an object", { content: { inlineData: 1 } }, [{ inlineData: 1 }, { text: "<hook_context>&lt;b&gt;</hook_context>" }]],
    ["an error", { content: "x", error: { message: "boom" } }, "boom\n\n<hook_context>&lt;b&gt;</hook_context>"],
  ])("context is added behind %s", async (_what, given, output) => {
    const hooks = { AfterTool: [prints({ hookSpecificOutput: { additionalContext: "<b>" } })] };
    expect((await engineOf(hooks).engine.session().tool(call, tool(given).run)).output).toEqual(output);
  });
  it("a function replaces the result", async () => {
    const { engine } = engineOf();
    engine.register("afterTool", () => ({ result: { redacted: true } }));
    expect((await engine.session().tool(call, tool().run)).output).toEqual({ redacted: true });
  });
  it("a stop ends the loop", async () => {
    const result = await engineOf({ AfterTool: [stops("enough")] })
      .engine.session()
      .tool(call, tool().run);
    expect(result).toMatchObject({ ended: "stopped", isError: true, stop: { ends: "turn", reason: "enough" }, ran: [call] });
  });
  it("an abort shows what the interrupted tool said, blames no hook, and lets hooks know", async () => {
    const controller = new AbortController();
    const { engine } = engineOf({ AfterTool: ["true"] });
    const interrupted: unknown[] = [];
    engine.register("afterTool", (facts) => {
      interrupted.push(facts.interrupted);
      return undefined;
    });
    const run = async () => {
      controller.abort();
      return { content: "half of it" };
    };
    const result = await engine.session().tool(call, run, { signal: controller.signal });
    expect(result).toMatchObject({ ended: "stopped", output: "half of it", isError: false, stop: { ends: "turn" } });
    expect(interrupted).toEqual([true]);
    const before = await engine.session().tool(call, run, { signal: AbortSignal.abort() });
    expect(before).toMatchObject({ ended: "stopped", output: "The call was cancelled.", error: { type: "cancelled" }, ran: [] });
  });
});

describe("tail calls", () => {
  it("to a tool of an MCP server say where it comes from", async () => {
    const { engine } = engineOf({
      AfterTool: [
        { matcher: "run_shell_command", command: prints({ hookSpecificOutput: { tailToolCallRequest: { name: "mcp_a_b", args: {} } } }) },
      ],
    });
    const { run } = tool();
    const origin = { server: "a", tool: "b" };
    const result = await engine.session().tool(call, run, { originOf: (name) => (name === "mcp_a_b" ? origin : undefined) });
    expect(result.ran.map(({ mcp }) => mcp)).toEqual([undefined, origin]);
  });
  const tailTo = (name: string) => prints({ hookSpecificOutput: { tailToolCallRequest: { name, args: { file_path: "a" } } } });
  it("run through the whole pipeline, and the last result stands", async () => {
    const { engine } = engineOf({ AfterTool: [{ matcher: "run_shell_command", command: tailTo("read_file") }] });
    const saw: unknown[] = [];
    engine.register("beforeTool", ({ tool: { name, tailOf, callId } }) => {
      saw.push([name, tailOf, callId]);
      return undefined;
    });
    const { run } = tool();
    const result = await engine.session().tool(call, run);
    expect(result.output).toBe("ran read_file");
    expect(result.ran).toEqual([call, { name: "read_file", input: { file_path: "a" }, tailOf: "run_shell_command", callId: "c1" }]);
    expect(saw).toEqual([
      ["run_shell_command", undefined, "c1"],
      ["read_file", "run_shell_command", "c1"],
    ]);
  });
  it("may be denied like any call", async () => {
    const { engine } = engineOf({
      AfterTool: [tailTo("read_file")],
      BeforeTool: [{ matcher: "^read_file$", command: denies("not that file") }],
    });
    const result = await engine.session().tool(call, tool().run);
    expect(result).toMatchObject({ ended: "blocked", output: "Tool execution blocked: not that file", ran: [call] });
  });
  it("end at the bound, which is said, naming the hook", async () => {
    const { engine, problems } = engineOf(
      { AfterTool: [{ command: tailTo("read_file"), name: "chain" }] },
      { carabiner: { maxTailCalls: 3 } },
    );
    const { run, ran } = tool();
    const result = await engine.session().tool(call, run);
    expect(result).toMatchObject({ ended: "done", output: "ran read_file" });
    expect(ran.map(({ tailOf }) => tailOf)).toEqual([undefined, ...Array.from({ length: 3 }, () => "run_shell_command")]);
    expect(problems()).toMatchObject([{ code: "TAIL_CALLS_SPENT", hook: "chain", found: "chain" }]);
  });
});

describe("the calls of one message", () => {
  const three: readonly ToolCall[] = ["a", "b", "c"].map((name) => ({ name, input: {}, callId: name }));
  it("are all decided before any runs, and answered in order", async () => {
    const { engine } = engineOf();
    const order: string[] = [];
    engine.register("beforeTool", async ({ tool: { name } }) => {
      await new Promise((go) => setTimeout(go, name === "a" ? 40 : 5));
      order.push(`decided ${name}`);
      return name === "b" ? { ruling: { kind: "deny", reason: "not b" } } : undefined;
    });
    const results = await engine.session().tools(three, async (_input, { name }) => {
      order.push(`ran ${name}`);
      return { content: name };
    });
    expect(order.slice(0, 3).sort()).toEqual(["decided a", "decided b", "decided c"]);
    expect(order.slice(3)).toEqual(["ran a", "ran c"]);
    expect(results.map(({ ended, output }) => [ended, output])).toEqual([
      ["done", "a"],
      ["blocked", "Tool execution blocked: not b"],
      ["done", "c"],
    ]);
  });
  it("do not start once a hook stopped one of them; a denial of another stays its own", async () => {
    const { engine } = engineOf();
    engine.register("beforeTool", ({ tool: { name } }) =>
      name === "b"
        ? { ruling: { kind: "endTurn", reason: "enough" } }
        : name === "c"
          ? { ruling: { kind: "deny", reason: "not c" } }
          : undefined,
    );
    const { run, ran } = tool();
    let asked = 0;
    const results = await engine.session().tools(three, run, { ...always("ask"), confirm: async () => ++asked > 0 });
    expect(results.map(({ ended, output }) => [ended, output])).toEqual([
      ["notStarted", "Not run: the agent was stopped (enough)."],
      ["stopped", "Agent execution stopped by hook: enough"],
      ["blocked", "Tool execution blocked: not c"],
    ]);
    expect([ran.length, asked]).toEqual([0, 0]);
  });
  it("do not start either when the stop came with a permission; nobody is asked about the rest", async () => {
    const { engine } = engineOf();
    engine.register("permissionRequest", ({ tool: { name } }) =>
      name === "b" ? { ruling: { kind: "endTurn", reason: "enough" } } : undefined,
    );
    const { run, ran } = tool();
    const asked: string[] = [];
    const confirm = async ({ name }: ToolCall) => asked.push(name) > 0;
    const results = await engine.session().tools(three, run, { ...always("ask"), confirm });
    expect(results.map(({ ended }) => ended)).toEqual(["notStarted", "stopped", "notStarted"]);
    expect([ran.length, asked]).toEqual([0, ["a"]]);
  });
  it("do not start after one whose result stopped the loop", async () => {
    const { engine } = engineOf({ AfterTool: [{ matcher: "^a$", command: stops("enough") }] });
    const { run, ran } = tool();
    const results = await engine.session().tools(three, run);
    expect(results.map(({ ended }) => ended)).toEqual(["stopped", "notStarted", "notStarted"]);
    expect(ran.map(({ name }) => name)).toEqual(["a"]);
  });
  it("run side by side where they may, and one after another elsewhere", async () => {
    const { engine } = engineOf();
    let at = 0;
    const most: Record<string, number> = {};
    const calls = ["r1", "r2", "w1", "r3", "r4"].map((name): ToolCall => ({ name, input: {} }));
    const results = await engine.session().tools(
      calls,
      async (_input, { name }) => {
        at++;
        await new Promise((go) => setTimeout(go, 20));
        most[name] = at;
        at--;
        return { content: name };
      },
      { together: ({ name }) => name.startsWith("r") },
    );
    expect(most).toEqual({ r1: 2, r2: 1, w1: 1, r3: 2, r4: 1 });
    expect(results.map(({ output }) => output)).toEqual(["r1", "r2", "w1", "r3", "r4"]);
  });
  it("are none at all without harm", async () => {
    expect(await engineOf().engine.session().tools([], tool().run)).toEqual([]);
  });
});
