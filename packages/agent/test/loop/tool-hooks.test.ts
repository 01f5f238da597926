// What hooks on tool calls do: on disk, in the result the model reads with the next request, and to the calls beside them.
import { existsSync } from "node:fs";
import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { type Served, says, saysAt, served, stage, WIRES } from "./stage.ts";

const FORMATS = Object.keys(WIRES) as (keyof typeof WIRES)[];
const writes = (path: string, content = "x") => ({ name: "write_file", input: { file_path: path, content } });
const shell = (command: string) => ({ name: "run_shell_command", input: { command } });
const specific = (event: string, output: JsonObject) => ({ hookSpecificOutput: { hookEventName: event, ...output } });
/** The results in the n-th Gemini request's last message: what the model read. */
const results = (run: Served, n: number): unknown[] =>
  run.server.requests[n]?.body.contents
    .at(-1)
    .parts.map(({ functionResponse }: { functionResponse?: { response: { content: unknown } } }) => functionResponse?.response.content);

describe.each(FORMATS)("before a tool, over the %s wire", (format) => {
  it("a denial keeps it from running, and the reason is the error the model reads", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", matcher: "write_.*", does: says({ decision: "deny", reason: "read only today" }) }, { on: "AfterTool" }]);
    const run = await served(on, format, [{ text: "I try.", calls: [writes("a.txt")] }, { text: "I could not." }]);
    expect((await run.ask("write")).answer).toBe("I could not.");
    expect(existsSync(on.path("my project/a.txt"))).toBe(false);
    expect(run.sent(1)).toContain("Tool execution blocked: read only today");
    expect(on.seen("AfterTool")).toEqual([]);
  });

  it("what one hook adds for the model reaches it behind the denial of another", async () => {
    const on = stage();
    on.hooks(
      [
        { on: "PreToolUse", as: "adds", does: says(specific("PreToolUse", { additionalContext: "The folder is generated." })) },
        { on: "PreToolUse", as: "denies", does: "echo 'read only today' >&2; exit 2" },
      ],
      {},
      "qoder-cn",
    );
    const call = { name: "Write", input: { file_path: on.path("my project/a.txt"), content: "x" } };
    const run = await served(on, format, [{ calls: [call] }, { text: "ok" }], { flags: { dialects: ["qoder-cn"] } });
    await run.ask("write");
    expect(existsSync(on.path("my project/a.txt"))).toBe(false);
    expect(run.sent(1)).toMatch(/Tool execution blocked: read only today\\+n\\+nThe folder is generated\./);
  });

  it("changed arguments are merged, run, and told to the model with its own call left as it was", async () => {
    const on = stage();
    on.hooks([
      { on: "BeforeTool", does: says(specific("BeforeTool", { tool_input: { content: "changed" } })) },
      { on: "AfterTool", does: says(specific("AfterTool", { additionalContext: "2 < 3" })) },
    ]);
    const run = await served(on, format, [{ calls: [{ id: "call-1", ...writes("a.txt", "original") }] }, { text: "ok" }]);
    await run.ask("write");
    expect(on.read("my project/a.txt")).toBe("changed");
    expect(run.sent(1)).toContain("original");
    expect(run.sent(1)).toMatch(
      /a\.txt.*\\n\\n<hook_context>2 &lt; 3<\/hook_context>\\n\\n\[System\] Tool input parameters were modified by a hook before execution\./,
    );
    expect(on.seen("AfterTool")[0]?.["tool_input"], "hooks after it see what the model asked for").toEqual({
      file_path: "a.txt",
      content: "original",
    });
  });
});

describe("before a tool", () => {
  it("arguments that a hook made unusable are refused", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", does: says(specific("BeforeTool", { tool_input: { content: 7 } })) }]);
    const run = await served(on, "gemini", [{ calls: [writes("a.txt")] }, { text: "ok" }]);
    await run.ask("write");
    expect(results(run, 1)).toEqual([
      { error: expect.stringMatching(/^Tool parameter modification by hook failed validation: .*content/) },
    ]);
    expect(existsSync(on.path("my project/a.txt"))).toBe(false);
  });

  it("a question is declined at once where nobody can be asked, even where everything is allowed", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", does: says({ decision: "ask", reason: "touches production" }) }, { on: "Notification" }]);
    const run = await served(on, "gemini", [{ calls: [writes("a.txt")] }, { text: "ok" }]);
    await run.ask("write");
    expect(results(run, 1)).toEqual([{ error: expect.stringContaining("touches production") }]);
    expect(on.seen("Notification")).toEqual([]);
  });

  it.each([true, false])("a question is put to the person, whose answer (%s) counts", async (yes) => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", does: says({ decision: "ask", reason: "sure?" }) }, { on: "Notification" }]);
    const why: (string | undefined)[] = [];
    const run = await served(on, "gemini", [{ calls: [shell("echo hi > a.txt")] }, { text: "ok" }], {
      confirm: async (_call, _details, because) => {
        why.push(because);
        return yes;
      },
    });
    await run.ask("write");
    expect(why).toEqual(["sure?"]);
    expect(existsSync(on.path("my project/a.txt"))).toBe(yes);
    expect(on.seen("Notification").map(({ message, details }) => ({ message, details }))).toEqual([
      {
        message: "Tool Confirm Shell Command requires execution",
        details: { type: "exec", title: "Confirm Shell Command", command: "echo hi > a.txt", rootCommand: "echo" },
      },
    ]);
  });

  it("a question never loosens what the rules deny", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", does: says({ decision: "ask" }) }], { tools: { exclude: ["write_file"] } });
    const run = await served(on, "gemini", [{ calls: [writes("a.txt")] }, { text: "ok" }], { confirm: async () => true });
    await run.ask("write");
    expect(existsSync(on.path("my project/a.txt"))).toBe(false);
    expect(results(run, 1)).toEqual([{ error: expect.stringContaining("tools.exclude[0]") }]);
  });

  it("a list of the only tools hides the others from the model, and confines commands, in every mode", async () => {
    const on = stage();
    on.hooks([], { tools: { core: ["write_file"] } });
    on.write("system/settings.json", JSON.stringify({ tools: { core: ["ReadFileTool", "run_shell_command(echo)"] } }));
    const run = await served(on, "gemini", [{ calls: [shell("echo hi"), shell("echo hi; touch a.txt"), writes("b.txt")] }, { text: "ok" }]);
    await run.ask("go");
    const [body] = run.server.requests.map(({ body: sent }) => sent as { tools: { functionDeclarations: { name: string }[] }[] });
    expect(body?.tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name))).toEqual([
      "read_file",
      "run_shell_command",
    ]);
    expect(results(run, 1)).toEqual([
      expect.stringContaining("Output: hi"),
      { error: expect.stringContaining("tools.core in ") },
      { error: expect.stringContaining('Tool "write_file" not found') },
    ]);
    expect(["a.txt", "b.txt"].filter((name) => existsSync(on.path(`my project/${name}`)))).toEqual([]);
  });

  it("a stop ends the loop, and no sibling starts", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", matcher: "write_file", does: says({ continue: false, reason: "emergency" }) }, { on: "AfterAgent" }]);
    const run = await served(on, "gemini", [
      { calls: [shell("touch before.txt"), writes("a.txt"), shell("touch after.txt")] },
      { text: "never" },
    ]);
    expect(await run.ask("go")).toMatchObject({ ended: "stopped", reason: "emergency" });
    expect(["before.txt", "a.txt", "after.txt"].filter((name) => existsSync(on.path(`my project/${name}`)))).toEqual([]);
    expect(run.server.requests).toHaveLength(1);
    expect(on.seen("AfterAgent")).toEqual([]);
    const done = run.events.flatMap((event) => (event.kind === "toolDone" ? [event.done.error?.message] : []));
    expect(done).toContain("Agent execution stopped by hook: emergency");
    // Every call has its result: the next prompt finds a history that providers take.
    expect(run.agent.messages().at(-1)?.parts).toHaveLength(3);
  });

  it("hooks of one group in sequence see each other's changes, and the last state is what runs", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", as: "one", does: says(specific("BeforeTool", { tool_input: { content: "one" } })), handler: {} }]);
    const script = on.write(
      "hooks/two.sh",
      `#!/bin/sh\ncat > '${on.path("two.json")}'\n${says(specific("BeforeTool", { tool_input: { file_path: "b.txt" } }))}\n`,
    );
    on.write(
      "home/.gemini/settings.json",
      JSON.stringify({
        hooks: {
          BeforeTool: [
            {
              sequential: true,
              hooks: [
                { type: "command", command: `'${on.path("hooks/gemini/one.sh")}'` },
                { type: "command", command: `sh '${script}'` },
              ],
            },
          ],
        },
      }),
    );
    const run = await served(on, "gemini", [{ calls: [writes("a.txt", "zero")] }, { text: "ok" }]);
    await run.ask("write");
    expect(JSON.parse(on.read("two.json")).tool_input).toEqual({ file_path: "a.txt", content: "one" });
    expect(on.read("my project/b.txt")).toBe("one");
  });

  it("unknown tools and bad arguments never reach the hooks; the model is told what is wrong", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool" }, { on: "AfterTool" }]);
    const run = await served(on, "gemini", [
      {
        calls: [
          { name: "list_dir", input: {} },
          { name: "write_file", input: { file_path: 1 } },
        ],
      },
      { text: "ok" },
    ]);
    await run.ask("go");
    expect(results(run, 1)).toEqual([
      { error: expect.stringMatching(/^Tool "list_dir" not found\. Did you mean .*"list_directory"/) },
      { error: expect.stringContaining("file_path") },
    ]);
    expect(on.order()).toEqual([]);
  });

  it("calls that only read run side by side, results come in the order of the calls", async () => {
    const on = stage();
    on.write("my project/a.txt", "A");
    on.write("my project/b.txt", "B");
    on.hooks([{ on: "BeforeTool", does: "sleep 0.2" }]);
    const run = await served(on, "gemini", [
      { calls: ["a.txt", "b.txt"].map((file_path) => ({ name: "read_file", input: { file_path } })) },
      { text: "ok" },
    ]);
    await run.ask("read");
    expect(results(run, 1)).toEqual([expect.stringContaining("A"), expect.stringContaining("B")]);
  });
});

describe("after a tool", () => {
  it("a denial puts its reason in place of the result, which the model never sees", async () => {
    const on = stage();
    on.hooks([{ on: "AfterTool", does: says({ decision: "deny", reason: "it holds a secret" }) }]);
    const run = await served(on, "gemini", [{ calls: [shell("echo hunter2")] }, { text: "ok" }]);
    await run.ask("go");
    expect(results(run, 1)).toEqual([{ error: "it holds a secret" }]);
    expect(run.sent(1).split("functionResponse")[1]).not.toContain("hunter2");
  });

  it("context stands behind a failed tool's error too", async () => {
    const on = stage();
    on.hooks([{ on: "AfterTool", does: says(specific("AfterTool", { additionalContext: "try ls" })) }]);
    const run = await served(on, "gemini", [{ calls: [{ name: "read_file", input: { file_path: "none.txt" } }] }, { text: "ok" }]);
    await run.ask("go");
    expect(results(run, 1)).toEqual([{ error: expect.stringMatching(/none\.txt[\s\S]*\n\n<hook_context>try ls<\/hook_context>$/) }]);
    expect(on.seen("AfterTool")[0]?.["tool_response"]).toMatchObject({ error: { message: expect.any(String), type: "file_not_found" } });
  });

  it("a stop hides the result, keeps the siblings from starting and ends the loop", async () => {
    const on = stage();
    on.hooks([{ on: "AfterTool", does: says({ continue: false, stopReason: "enough seen" }) }]);
    const run = await served(on, "gemini", [{ calls: [shell("echo hunter2"), shell("touch after.txt")] }]);
    expect(await run.ask("go")).toMatchObject({ ended: "stopped", reason: "enough seen" });
    expect(existsSync(on.path("my project/after.txt"))).toBe(false);
    expect(JSON.stringify(run.agent.messages().at(-1))).not.toContain("untrusted_context");
  });

  it("a tail call runs next through all hooks, and its result is the first call's", async () => {
    const on = stage();
    on.write("my project/a.txt", "A");
    on.hooks([
      {
        on: "AfterTool",
        matcher: "read_file",
        does: says(
          specific("AfterTool", { tailToolCallRequest: { name: "write_file", args: { file_path: "tail.txt", content: "tail" } } }),
        ),
      },
      { on: "BeforeTool" },
    ]);
    const run = await served(on, "gemini", [{ calls: [{ name: "read_file", input: { file_path: "a.txt" } }] }, { text: "ok" }]);
    await run.ask("go");
    expect(on.read("my project/tail.txt")).toBe("tail");
    expect(on.seen("BeforeTool").map(({ tool_name, original_request_name }) => [tool_name, original_request_name])).toEqual([
      ["read_file", undefined],
      ["write_file", "read_file"],
    ]);
    const part = run.server.requests[1]?.body.contents.at(-1).parts[0];
    expect(part.functionResponse).toMatchObject({ name: "read_file", response: { content: expect.stringContaining("tail.txt") } });
  });

  it("a chain of tail calls is bounded by the setting, which is said", async () => {
    const on = stage();
    on.hooks(
      [
        {
          on: "AfterTool",
          as: "restless",
          does: says(
            specific("AfterTool", { tailToolCallRequest: { name: "run_shell_command", args: { command: "echo x >> tail.txt" } } }),
          ),
        },
      ],
      {
        carabiner: { maxTailCalls: 2 },
      },
    );
    const run = await served(on, "gemini", [{ calls: [shell("echo x >> tail.txt")] }, { text: "ok" }]);
    await run.ask("go");
    expect(on.read("my project/tail.txt")).toBe("x\nx\nx\n");
    expect(run.told().join("\n")).toContain("restless");
  });

  it.each([
    ["an unknown tool", { name: "fly", args: {} }, /Tool "fly" not found/],
    ["bad arguments", { name: "write_file", args: { file_path: 3 } }, /file_path/],
  ])("a tail call with %s is an error for the model, also where a person is asked", async (_what, request, told) => {
    const on = stage();
    on.hooks([{ on: "AfterTool", does: saysAt(1, specific("AfterTool", { tailToolCallRequest: request })) }]);
    const run = await served(on, "gemini", [{ calls: [shell("true")] }, { text: "ok" }], {
      flags: { mode: "default" },
      confirm: async () => true,
    });
    expect((await run.ask("go")).answer).toBe("ok");
    expect(results(run, 1)).toEqual([{ error: expect.stringMatching(told) }]);
  });
});
