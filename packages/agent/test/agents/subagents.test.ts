// Sub-agents at work inside hooks: what hooks see of them and do to them, side by side, and when the parent ends.
import { existsSync } from "node:fs";
import { readJournal } from "@carabiner/engine/journal";
import { describe, expect, it } from "vitest";
import { isAlive } from "../alive.ts";
import { type Stage, says, saysAt, served, stage } from "../loop/stage.ts";

const scout = (on: Stage, more = "") =>
  on.write("home/.gemini/agents/scout.md", `---\nname: scout\ndescription: Looks around.\n${more}---\nYou only look.\n`);
const asks = (prompt: string) => ({ name: "delegate_to_agent", input: { agent_name: "scout", prompt } });
const shell = (command: string) => ({ name: "run_shell_command", input: { command } });

describe("a sub-agent", () => {
  it("works in a conversation of its own with its own tools, and its answer is the result of the call", async () => {
    const on = stage();
    scout(on, "tools: [list_directory]\n");
    on.hooks([{ on: "BeforeTool" }, { on: "AfterTool" }, { on: "BeforeAgent" }, { on: "AfterAgent" }, { on: "BeforeModel" }]);
    const run = await served(on, "gemini", [
      { text: "Let somebody look.", calls: [asks("look for a.txt")] },
      { calls: [{ name: "list_directory", input: { dir_path: "." } }] },
      { text: "There is none." },
      { text: "No a.txt." },
    ]);
    expect((await run.ask("is there an a.txt?")).answer).toBe("No a.txt.");
    const own = run.server.requests[1]?.body;
    expect(own.contents).toEqual([{ role: "user", parts: [{ text: "look for a.txt" }] }]);
    expect(JSON.stringify(own.systemInstruction)).toContain("You only look.");
    expect(own.tools[0].functionDeclarations.map(({ name }: { name: string }) => name)).toEqual(["list_directory"]);
    expect(run.sent(3)).toContain("There is none.");
    expect(on.order()).toEqual([
      "BeforeAgent",
      "BeforeModel",
      "BeforeTool",
      "BeforeModel",
      "BeforeTool",
      "AfterTool",
      "BeforeModel",
      "AfterTool",
      "BeforeModel",
      "AfterAgent",
    ]);
    expect(on.seen("AfterTool").at(-1)).toMatchObject({ tool_name: "delegate_to_agent", tool_response: { llmContent: "There is none." } });
    expect(
      new Set(on.seen("BeforeModel").map(({ session_id, transcript_path }) => JSON.stringify([session_id, transcript_path]))).size,
    ).toBe(1);
    expect(run.texts(), "what it says is not the answer").toBe("Let somebody look.No a.txt.");
    await run.close("exit");
    const fired = readJournal(on.path("home/.carabiner/journal")).stories.filter(({ event }) => event === "beforeTool");
    expect(fired.map(({ fired: { agent } }) => agent?.type)).toEqual([undefined, "scout"]);
    expect(fired[1]?.fired.agent?.id).toMatch(/^scout-[0-9a-f]{8}$/);
  });

  it("is refused its calls by the same hooks, and may start no other", async () => {
    const on = stage();
    scout(on);
    on.hooks([{ on: "BeforeTool", matcher: "run_shell_command", does: says({ decision: "deny", reason: "no shell" }) }]);
    const run = await served(on, "gemini", [
      { calls: [asks("go")] },
      { calls: [shell("touch a.txt"), asks("again")] },
      { text: "I could not." },
      { text: "ok" },
    ]);
    await run.ask("go");
    expect(run.sent(2)).toContain("Tool execution blocked: no shell");
    expect(run.sent(2)).toContain('Tool \\"delegate_to_agent\\" not found');
    expect(existsSync(on.path("my project/a.txt"))).toBe(false);
  });

  it("that a hook stops ends the parent's turn", async () => {
    const on = stage();
    scout(on);
    on.hooks([{ on: "BeforeTool", matcher: "run_shell_command", does: says({ continue: false, stopReason: "that is all" }) }]);
    const run = await served(on, "gemini", [{ calls: [asks("go")] }, { calls: [shell("touch a.txt")] }, { text: "never" }]);
    expect(await run.ask("go")).toMatchObject({ ended: "stopped", reason: "that is all" });
    expect(run.server.requests).toHaveLength(2);
    // The next prompt starts afresh.
    expect(await run.ask("hello")).toMatchObject({ ended: "answered", answer: "never" });
  });

  it("works beside others, and their results come back in the order of the calls", async () => {
    const on = stage();
    scout(on);
    on.hooks([{ on: "BeforeTool", matcher: "run_shell_command" }]);
    // Which of the two asks first is theirs to settle: each answer is fit for both.
    const run = await served(on, "gemini", [
      { calls: [asks("one"), asks("two")] },
      { calls: [shell("touch started; sleep 0.3")] },
      { calls: [shell("touch started; sleep 0.3")] },
      { text: "looked" },
      { text: "looked" },
      { text: "both looked" },
    ]);
    const spans = (): readonly (readonly [string, number])[] =>
      run.events.flatMap((event, i) =>
        event.kind === "toolAsked" || event.kind === "toolDone" ? ([[`${event.kind} ${event.name}`, i]] as const) : [],
      );
    expect((await run.ask("go")).answer).toBe("both looked");
    const names = spans().map(([name]) => name);
    const started = names.flatMap((name, i) => (name === "toolAsked run_shell_command" ? [i] : []));
    expect(started).toHaveLength(2);
    expect(names.indexOf("toolDone run_shell_command"), "the second began before the first had ended").toBeGreaterThan(started[1] ?? 0);
    expect(run.server.requests.at(-1)?.body.contents.at(-1).parts).toHaveLength(2);
  });

  it("ends with its parent, and so does what it runs", async () => {
    const on = stage();
    scout(on);
    const run = await served(on, "gemini", [{ calls: [asks("go")] }, { calls: [shell("echo $$ > pid; sleep 30 & echo $! >> pid; wait")] }]);
    const stopping = new AbortController();
    const asked = run.ask("go", stopping.signal);
    await expect
      .poll(() => existsSync(on.path("my project/pid")) && on.read("my project/pid").split("\n").length, { timeout: 5000 })
      .toBe(3);
    stopping.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(on.read("my project/pid").trim().split("\n").filter(isAlive)).toEqual([]);
    expect(run.server.requests).toHaveLength(2);
  });

  it("that fails tells the parent why, and the parent goes on", async () => {
    const on = stage();
    scout(on, "max_turns: 1\n");
    const run = await served(on, "gemini", [{ calls: [asks("go")] }, { calls: [shell("true")] }, { text: "it gave up" }]);
    expect((await run.ask("go")).answer).toBe("it gave up");
    expect(run.sent(2)).toMatch(/used up its 1 turn /);
  });
});

describe("a sub-agent under Qoder CN's contract", () => {
  it("starts and stops with its events, is sent back to work by exit 2, and says who it is inside", async () => {
    const on = stage();
    on.write("my project/.qoder/agents/scout.md", "---\nname: scout\ndescription: Looks around.\n---\nYou only look.\n");
    on.hooks(
      [
        {
          on: "SubagentStart",
          matcher: "scout",
          does: says({ hookSpecificOutput: { hookEventName: "SubagentStart", additionalContext: "mind the dark" } }),
        },
        { on: "SubagentStop", does: '[ "$n" -eq 1 ] && { echo "look again" >&2; exit 2; }\ntrue' },
        { on: "PreToolUse", matcher: "Bash", does: saysAt(9, {}) },
      ],
      {},
      "qoder-cn",
    );
    const run = await served(
      on,
      "anthropic",
      [
        { calls: [{ id: "t1", name: "Agent", input: { description: "look", prompt: "look around", subagent_type: "scout" } }] },
        { calls: [{ id: "t2", name: "Bash", input: { command: "true" } }] },
        { text: "nothing" },
        { text: "a cave" },
        { text: "There is a cave." },
      ],
      { flags: { dialects: ["qoder-cn"] } },
    );
    expect((await run.ask("go")).answer).toBe("There is a cave.");
    expect(run.sent(1)).toContain("mind the dark");
    expect(run.server.requests[3]?.body.messages.at(-1)).toMatchObject({ role: "user", content: [{ text: "look again" }] });
    const agent = { agent_id: expect.stringMatching(/^scout-/), agent_type: "scout" };
    expect(on.seen("SubagentStart")).toMatchObject([agent]);
    expect(on.seen("SubagentStop")).toMatchObject([
      { ...agent, stop_hook_active: false },
      { ...agent, stop_hook_active: true },
    ]);
    expect(on.seen("PreToolUse")).toMatchObject([{ ...agent, tool_name: "Bash", tool_use_id: "t2" }]);
    expect(run.sent(4)).toContain("a cave");
  });
});
