// A session in Qoder CN CLI's words, and one in which both products' hooks count.
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { OpenOptions } from "../../src/config/index.ts";
import { type Hook, type Served, type Stage, says, saysAt, served, stage } from "../loop/stage.ts";
import type { Reply } from "../servers/model-server.ts";

const qoder = (on: Stage, replies: Reply[], options: Partial<OpenOptions> = {}): Promise<Served> =>
  served(on, "openai", replies, { ...options, flags: { dialects: ["qoder-cn"], ...options.flags } });
const bash = (command: string, id = "call_1") => ({ id, name: "Bash", input: { command } });
/** The last results that an OpenAI model read. */
const results = (run: Served, n: number): string[] =>
  run.server.requests[n]?.body.messages
    .filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: string }) => content);

describe("a session in Qoder CN's words", () => {
  it("offers its tools under its names, and hooks read the documented objects", async () => {
    const on = stage();
    const events = [
      "SessionStart",
      "SessionEnd",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "PermissionRequest",
      "Notification",
      "Stop",
    ];
    on.hooks(
      events.map((event) => ({ on: event })),
      {},
      "qoder-cn",
    );
    const run = await qoder(
      on,
      [{ calls: [{ id: "call_1", name: "Write", input: { file_path: "a.txt", content: "x" } }] }, { text: "Done." }],
      {
        flags: { mode: "default" },
        confirm: async () => true,
      },
    );
    await run.ask("write");
    await run.close("promptExit");
    const named = run.server.requests[0]?.body.tools.map(({ function: { name } }: { function: { name: string } }) => name);
    for (const name of ["Bash", "Read", "Write", "Edit", "Glob", "Grep", "WebFetch"]) expect(named).toContain(name);
    expect(on.read("my project/a.txt")).toBe("x");
    expect(on.order()).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "Notification",
      "PostToolUse",
      "Stop",
      "Notification",
      "SessionEnd",
    ]);
    const path = run.agent.transcriptPath();
    expect(path).toBe(`${on.home}/.qoder-cn/projects/${on.project.replace(/[^A-Za-z0-9]/g, "-")}/${run.agent.sessionId()}.jsonl`);
    const common = (event: string) => ({
      session_id: run.agent.sessionId(),
      transcript_path: path,
      cwd: on.project,
      hook_event_name: event,
      permission_mode: "default",
    });
    const input = { file_path: "a.txt", content: "x" };
    const expected = {
      SessionStart: [{ ...common("SessionStart"), source: "startup", model: "gpt-5.2" }],
      UserPromptSubmit: [{ ...common("UserPromptSubmit"), prompt: "write" }],
      PreToolUse: [{ ...common("PreToolUse"), tool_name: "Write", tool_input: input, tool_use_id: "call_1" }],
      PermissionRequest: [{ ...common("PermissionRequest"), tool_name: "Write", tool_input: input }],
      PostToolUse: [
        { ...common("PostToolUse"), tool_name: "Write", tool_input: input, tool_response: expect.any(String), tool_use_id: "call_1" },
      ],
      Notification: [
        {
          ...common("Notification"),
          message: "Agent is requesting permission to run: Write(a.txt)",
          title: "Permission Required",
          notification_type: "permission",
        },
        { ...common("Notification"), message: expect.stringMatching(/^(?!Agent)/), title: expect.any(String), notification_type: "result" },
      ],
      Stop: [{ ...common("Stop"), stop_hook_active: false, last_assistant_message: "Done." }],
      SessionEnd: [{ ...common("SessionEnd"), reason: "prompt_input_exit" }],
    };
    for (const [event, payloads] of Object.entries(expected)) {
      expect(on.seen(event)).toEqual(payloads);
      expect(on.seen(event).map((seen) => Object.keys(seen))).toEqual(payloads.map((payload) => Object.keys(payload)));
    }
  });

  it.each([
    ["default", "default"],
    ["autoEdit", "acceptEdits"],
    ["plan", "plan"],
    ["dontAsk", "dontAsk"],
    ["auto", "auto"],
    ["yolo", "yolo"],
  ] as const)("tells the permission mode %s as %s", async (mode, told) => {
    const on = stage();
    on.hooks([{ on: "UserPromptSubmit" }], {}, "qoder-cn");
    const run = await qoder(on, [{ text: "ok" }], { flags: { mode } });
    await run.ask("q");
    expect(on.seen("UserPromptSubmit")).toMatchObject([{ permission_mode: told }]);
  });

  it("takes a command that fails for a failed tool, and gives its hooks' words to the model", async () => {
    const on = stage();
    on.hooks([{ on: "PostToolUse" }, { on: "PostToolUseFailure", does: 'echo "look at the log" >&2; exit 2' }], {}, "qoder-cn");
    const run = await qoder(on, [{ calls: [bash("echo broken; exit 3")] }, { text: "ok" }]);
    await run.ask("go");
    expect(on.order()).toEqual(["PostToolUseFailure"]);
    expect(on.seen("PostToolUseFailure")).toMatchObject([
      {
        tool_name: "Bash",
        tool_input: { command: "echo broken; exit 3" },
        tool_use_id: "call_1",
        error: expect.stringMatching(/exit code 3[\s\S]*broken/),
        is_interrupt: false,
      },
    ]);
    expect(results(run, 1)).toEqual([expect.stringMatching(/broken[\s\S]*look at the log/)]);
  });

  it("goes on at the stop with stderr as the message, says so, and ends when the hook is content", async () => {
    const on = stage();
    on.hooks(
      [{ on: "Stop", does: '[ "$n" -eq 1 ] && { echo "Run the tests first." >&2; exit 2; }\ntrue' }, { on: "UserPromptSubmit" }],
      {},
      "qoder-cn",
    );
    const run = await qoder(on, [{ text: "Done." }, { text: "Tests pass." }]);
    expect(await run.ask("go")).toMatchObject({ ended: "answered", answer: "Tests pass.", tries: 2 });
    expect(run.server.requests[1]?.body.messages.at(-1)).toMatchObject({ role: "user", content: "Run the tests first." });
    expect(on.seen("Stop")).toMatchObject([
      { stop_hook_active: false, last_assistant_message: "Done." },
      { stop_hook_active: true, last_assistant_message: "Tests pass." },
    ]);
    expect(on.seen("UserPromptSubmit"), "what hooks send is no prompt of the user's").toHaveLength(1);
  });

  it("goes on no more often than it may, and says when the answer that stands is complete", async () => {
    const on = stage();
    on.hooks(
      [{ on: "Stop", as: "never-content", does: "echo again >&2; exit 2" }, { on: "Notification" }],
      { carabiner: { maxRetries: 1 } },
      "qoder-cn",
    );
    const run = await qoder(on, [{ text: "one" }, { text: "two" }], { confirm: async () => true });
    expect(await run.ask("go")).toMatchObject({ ended: "retriesSpent", answer: "two" });
    expect(run.told().join("\n")).toContain("never-content");
    expect(on.seen("Notification")).toMatchObject([{ notification_type: "result" }]);
  });

  it("lets a call run headless when a permission hook allows it, with the hook's input, and declines it when none does", async () => {
    const on = stage();
    const allow = {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "allow", updatedInput: { command: "echo tamed > a.txt" } },
      },
    };
    on.hooks([{ on: "PermissionRequest", does: saysAt(1, allow) }, { on: "Notification" }], {}, "qoder-cn");
    const run = await qoder(
      on,
      [{ calls: [bash("echo wild > a.txt")] }, { calls: [bash("echo wild > b.txt", "call_2")] }, { text: "ok" }],
      { flags: { mode: "default" } },
    );
    await run.ask("go");
    expect(on.read("my project/a.txt")).toBe("tamed\n");
    expect(existsSync(on.path("my project/b.txt"))).toBe(false);
    expect(results(run, 2).at(-1)).toContain("nobody can be asked");
    expect(on.seen("PermissionRequest")).toHaveLength(2);
    expect(on.seen("Notification")).toEqual([]);
  });

  it("lets PreToolUse replace the whole input, add context, and skip the question, but never a deny rule", async () => {
    const on = stage();
    const output = { permissionDecision: "allow", updatedInput: { command: "echo replaced > a.txt" }, additionalContext: "seen by a hook" };
    on.hooks(
      [{ on: "PreToolUse", matcher: "Bash|Write", does: says({ hookSpecificOutput: { hookEventName: "PreToolUse", ...output } }) }],
      { permissions: { deny: ["Write"] } },
      "qoder-cn",
    );
    const run = await qoder(
      on,
      [
        { calls: [bash("echo original > a.txt"), { id: "call_2", name: "Write", input: { file_path: "b.txt", content: "x" } }] },
        { text: "ok" },
      ],
      {
        flags: { mode: "default" },
      },
    );
    await run.ask("go");
    expect(on.read("my project/a.txt")).toBe("replaced\n");
    expect(existsSync(on.path("my project/b.txt"))).toBe(false);
    expect(results(run, 1)[0]).toContain("seen by a hook");
  });

  it("refuses a web request without the address that hooks look at, before any of them is asked", async () => {
    const on = stage();
    on.hooks([{ on: "PreToolUse" }], {}, "qoder-cn");
    const run = await qoder(on, [
      { calls: [{ id: "call_1", name: "WebFetch", input: { prompt: "see http://127.0.0.1:9/" } }] },
      { calls: [{ id: "call_2", name: "WebFetch", input: { url: "http://127.0.0.1:9/", prompt: "all of it" } }] },
      { text: "ok" },
    ]);
    await run.ask("go");
    expect(results(run, 1)).toEqual([expect.stringContaining("url: this argument is required. The call had only prompt")]);
    expect(on.seen("PreToolUse")).toMatchObject([
      { tool_input: { url: "http://127.0.0.1:9/", prompt: "all of it" }, tool_use_id: "call_2" },
    ]);
  });

  it("reads AGENTS.md, AGENTS.local.md and the project's rules", async () => {
    const on = stage();
    on.write("home/.qoder-cn/AGENTS.md", "facts of the user");
    on.write("my project/AGENTS.md", "facts of the project");
    on.write("my project/AGENTS.local.md", "facts of mine");
    on.write("my project/.qoder/rules/style.md", "rules of style");
    on.write("my project/GEMINI.md", "facts of the other product");
    const run = await qoder(on, [{ text: "ok" }]);
    await run.ask("q");
    for (const text of ["facts of the user", "facts of the project", "facts of mine", "rules of style"])
      expect(run.sent(0)).toContain(text);
    expect(run.sent(0)).not.toContain("facts of the other product");
  });
});

describe("hooks of both products in one session", () => {
  const both = (on: Stage, gemini: readonly Hook[], qoderCn: readonly Hook[]): void => {
    on.hooks(gemini);
    on.hooks(qoderCn, {}, "qoder-cn");
  };
  const flags = { dialects: ["gemini", "qoder-cn"] };
  const shell = (command: string) => ({ id: "call_1", name: "run_shell_command", input: { command } });

  it("guard one shell call together, each reading its own words of it; the strictest counts", async () => {
    const on = stage();
    both(
      on,
      [{ on: "BeforeTool", matcher: "run_shell_command", does: says({ decision: "allow", reason: "fine by me" }) }],
      [{ on: "PreToolUse", matcher: "Bash", does: 'echo "not in production" >&2; exit 2' }],
    );
    const run = await served(on, "openai", [{ calls: [shell("touch a.txt")] }, { text: "ok" }], { flags });
    await run.ask("go");
    expect(existsSync(on.path("my project/a.txt"))).toBe(false);
    expect(results(run, 1)).toEqual([expect.stringContaining("not in production")]);
    expect(on.seen("BeforeTool")).toMatchObject([
      { hook_event_name: "BeforeTool", tool_name: "run_shell_command", tool_input: { command: "touch a.txt" } },
    ]);
    expect(on.seen("PreToolUse")).toMatchObject([
      {
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "touch a.txt" },
        tool_use_id: "call_1",
        permission_mode: "yolo",
      },
    ]);
  });

  it("each add context in their own way, and the first product names the tools", async () => {
    const on = stage();
    both(
      on,
      [{ on: "BeforeAgent", does: says({ hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "for this turn" } }) }],
      [{ on: "UserPromptSubmit", does: "echo 'for good'" }],
    );
    const run = await served(on, "openai", [{ text: "one" }, { text: "two" }], { flags });
    await run.ask("first");
    on.hooks([]);
    on.hooks([], {}, "qoder-cn");
    // Settings are looked at once a turn of the event loop.
    await setImmediate();
    await run.ask("second");
    expect(run.sent(0)).toContain("<hook_context>for this turn</hook_context>");
    expect(run.sent(0)).toContain("for good");
    expect(run.sent(1)).toContain("for good");
    expect(run.sent(1)).not.toContain("for this turn");
    expect(run.sent(0)).toContain('"run_shell_command"');
    expect(run.sent(0)).not.toContain('"Bash"');
  });
});
