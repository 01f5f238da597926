// What hooks on sessions, prompts and answers do to the conversation: seen in the provider's request, in history and in the transcript.
import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { readTranscript } from "../../src/sessions/index.ts";
import { says, saysAt, served, stage } from "./stage.ts";

const context = (event: string, text: string) => says({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
/** The texts of the contents of a Gemini request. */
const contents = (body: { contents: { role: string; parts: { text?: string }[] }[] }) =>
  body.contents.map(({ role, parts }) => [role, ...parts.map(({ text }) => text)]);

describe("context that hooks add", () => {
  it("stands before the first prompt for the whole session where it came with its start, and behind one prompt for its turn where it came with that", async () => {
    const on = stage();
    on.hooks([
      { on: "SessionStart", does: context("SessionStart", "Be <terse>.") },
      { on: "BeforeAgent", does: saysAt(1, { hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "branch main" } }) },
    ]);
    const run = await served(on, "gemini", [
      { calls: [{ name: "list_directory", input: { dir_path: "." } }] },
      { text: "one" },
      { text: "two" },
    ]);
    await run.ask("first");
    await run.ask("second");
    const [first, tool, second] = run.server.requests.map(({ body }) => contents(body));
    const opened = ["user", "<hook_context>Be &lt;terse&gt;.</hook_context>\n\n", "first"];
    expect(first).toEqual([[...opened, "<hook_context>branch main</hook_context>"]]);
    expect(tool?.[0], "it lasts through the tool calls of the turn").toEqual([...opened, "<hook_context>branch main</hook_context>"]);
    expect(second?.[0], "it is gone with the turn").toEqual(opened);
    expect(second?.at(-1)).toEqual(["user", "second"]);
    expect(
      on.seen("BeforeAgent").map(({ prompt }) => prompt),
      "hooks see what the user typed",
    ).toEqual(["first", "second"]);
    const stored = await readTranscript(run.agent.transcriptPath());
    if (!stored.ok) throw new Error(stored.problem.what);
    expect(stored.firstPrompt).toBe("first");
    expect(JSON.stringify(stored.messages)).not.toContain("branch main");
  });

  it("is a turn of its own before the first prompt where a person reads along", async () => {
    const on = stage();
    on.hooks([{ on: "SessionStart", does: context("SessionStart", "Be terse.") }]);
    const run = await served(on, "gemini", [{ text: "ok" }], { confirm: async () => true });
    await run.ask("first");
    expect(contents(run.server.requests[0]?.body)).toEqual([
      ["user", "<hook_context>Be terse.</hook_context>"],
      ["user", "first"],
    ]);
  });

  it("by several hooks at one moment is one text, a line for each in their order", async () => {
    const on = stage();
    on.hooks([
      { on: "SessionStart", as: "s1", does: context("SessionStart", "s1") },
      { on: "SessionStart", as: "s2", does: context("SessionStart", "s2") },
      { on: "BeforeAgent", as: "a1", does: context("BeforeAgent", "a1") },
      { on: "BeforeAgent", as: "a2", does: context("BeforeAgent", "a2") },
    ]);
    const run = await served(on, "gemini", [{ text: "ok" }]);
    await run.ask("first");
    const framed = (text: string) => `<hook_context>${text}</hook_context>`;
    expect(contents(run.server.requests[0]?.body)).toEqual([
      ["user", `${framed("s1")}\n${framed("s2")}\n\n`, "first", `${framed("a1")}\n${framed("a2")}`],
    ]);
  });

  it("of Qoder CN hooks joins the conversation without a frame, plain text too, and stays", async () => {
    const on = stage();
    on.hooks(
      [
        { on: "SessionStart", does: "echo 'The build is green.'" },
        { on: "UserPromptSubmit", does: "echo 'It is Monday.'" },
      ],
      {},
      "qoder-cn",
    );
    const run = await served(on, "gemini", [{ text: "one" }, { text: "two" }], { flags: { dialects: ["qoder-cn"] } });
    await run.ask("first");
    await run.ask("second");
    expect(contents(run.server.requests[1]?.body)).toEqual([
      ["user", "The build is green.\n\n", "first", "It is Monday."],
      ["model", "one"],
      ["user", "second", "It is Monday."],
    ]);
  });
});

describe("a prompt", () => {
  it("that a hook denies reaches neither the model nor history, and the next one goes through", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeAgent", does: saysAt(1, { decision: "deny", reason: "no secrets" }) }, { on: "AfterAgent" }]);
    const run = await served(on, "gemini", [{ text: "fine" }]);
    expect(await run.ask("my password is x")).toMatchObject({ ended: "discarded", reason: "no secrets", keepsPrompt: false });
    expect(run.server.requests).toEqual([]);
    expect(run.agent.messages()).toEqual([]);
    expect(on.seen("AfterAgent")).toEqual([]);
    await run.ask("hello");
    expect(contents(run.server.requests[0]?.body)).toEqual([["user", "hello"]]);
    expect(on.seen("AfterAgent")).toHaveLength(1);
  });

  it("that a hook stops is not answered and stays in history", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeAgent", does: saysAt(1, { continue: false, stopReason: "lunch" }) }]);
    const run = await served(on, "anthropic", [{ text: "fine" }]);
    expect(await run.ask("first")).toMatchObject({ ended: "stopped", reason: "lunch", keepsPrompt: true });
    expect(run.server.requests).toEqual([]);
    await run.ask("second");
    // Anthropic takes no two messages of the user in a row.
    expect(run.server.requests[0]?.body.messages).toMatchObject([{ role: "user", content: [{ text: "first" }, { text: "second" }] }]);
  });

  it.each(["gemini", "openai", "anthropic"] as const)(
    "that a hook stops on a retry stays in history and transcript as the retry's, after the answer it is about, over the %s wire",
    async (format) => {
      const on = stage();
      on.hooks([
        { on: "BeforeAgent", does: saysAt(2, { continue: false, stopReason: "lunch" }) },
        { on: "AfterAgent", does: saysAt(1, { decision: "deny", reason: "look again" }) },
      ]);
      const run = await served(on, format, [{ text: "one" }, { text: "two" }]);
      expect(await run.ask("go")).toMatchObject({ ended: "stopped", reason: "lunch", tries: 2 });
      expect(run.agent.messages()).toEqual([
        { role: "user", parts: [{ type: "text", text: "go" }] },
        { role: "model", parts: [{ type: "text", text: "one" }] },
        { role: "user", parts: [{ type: "text", text: "look again" }] },
      ]);
      expect(on.read(run.agent.transcriptPath().slice(on.root.length + 1))).toContain("look again");
      await run.ask("next");
      for (const text of ["go", "one", "look again", "next"]) expect(run.sent(1)).toContain(text);
      expect(run.server.requests).toHaveLength(2);
    },
  );

  it("that a hook denies on a retry does not stay, and the answer before it does", async () => {
    const on = stage();
    on.hooks([
      { on: "BeforeAgent", does: saysAt(2, { decision: "deny", reason: "never mind" }) },
      { on: "AfterAgent", does: saysAt(1, { decision: "deny", reason: "look again" }) },
    ]);
    const run = await served(on, "gemini", [{ text: "one" }]);
    expect(await run.ask("go")).toMatchObject({ ended: "discarded", reason: "never mind", tries: 2 });
    expect(run.agent.messages().map(({ role }) => role)).toEqual(["user", "model"]);
  });

  it("that a hook stops keeps the context of another hook that stays in history, and what the session began with", async () => {
    const on = stage();
    on.hooks(
      [
        { on: "SessionStart", does: "echo 'The build is green.'" },
        { on: "UserPromptSubmit", as: "adds", does: "echo 'It is Monday.'" },
        { on: "UserPromptSubmit", as: "stops", does: saysAt(1, { continue: false, stopReason: "lunch" }) },
      ],
      {},
      "qoder-cn",
    );
    const run = await served(on, "gemini", [{ text: "two" }], { flags: { dialects: ["qoder-cn"] } });
    expect(await run.ask("first")).toMatchObject({ ended: "stopped", reason: "lunch" });
    expect(run.agent.messages()).toMatchObject([
      { parts: [{ text: "The build is green.\n\n" }, { text: "first" }, { text: "It is Monday." }] },
    ]);
  });

  it("is blocked by exit 2 with stderr as the reason", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeAgent", does: 'echo \'{"decision":"allow"}\'; echo "not today" >&2; exit 2' }]);
    const run = await served(on, "gemini", []);
    expect(await run.ask("x")).toMatchObject({ ended: "discarded", reason: "not today" });
  });
});

describe("after the answer", () => {
  it("a denial sends its reason verbatim as the next prompt, through all hooks, and says that it is active", async () => {
    const on = stage();
    const reason = "  Run the <tests>.\nThen answer.";
    on.hooks([{ on: "BeforeAgent" }, { on: "AfterAgent", does: saysAt(1, { decision: "deny", reason }) }]);
    const run = await served(on, "gemini", [
      { text: "one" },
      { text: "let me see", calls: [{ name: "list_directory", input: { dir_path: "." } }] },
      { text: "two" },
      { text: "three" },
    ]);
    const done = await run.ask("go");
    expect(done).toMatchObject({ ended: "answered", answer: "two", tries: 2 });
    expect(contents(run.server.requests[1]?.body)).toEqual([
      ["user", "go"],
      ["model", "one"],
      ["user", reason],
    ]);
    expect(on.seen("BeforeAgent").map(({ prompt }) => prompt)).toEqual(["go", reason]);
    await run.ask("again");
    expect(
      on.seen("AfterAgent").map(({ prompt, prompt_response, stop_hook_active }) => [prompt, prompt_response, stop_hook_active]),
    ).toEqual([
      ["go", "one", false],
      ["go", "two", true],
      ["again", "three", false],
    ]);
  });

  it("retries are bounded by the setting, and what asked for them is named", async () => {
    const on = stage();
    on.hooks([{ on: "AfterAgent", as: "never-happy", does: says({ decision: "block", reason: "again" }) }], {
      carabiner: { maxRetries: 2 },
    });
    const run = await served(on, "gemini", [{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }]);
    expect(await run.ask("go")).toMatchObject({ ended: "retriesSpent", answer: "3", tries: 3 });
    expect(run.server.requests).toHaveLength(3);
    expect(run.told().join("\n")).toMatch(/never-happy/);
  });

  it("a stop ends it with the answer kept", async () => {
    const on = stage();
    on.hooks([{ on: "AfterAgent", does: says({ continue: false, stopReason: "enough", decision: "deny", reason: "again" }) }]);
    const run = await served(on, "gemini", [{ text: "1" }]);
    expect(await run.ask("go")).toMatchObject({ ended: "stopped", answer: "1", reason: "enough", ends: "session" });
    expect(run.agent.messages()).toHaveLength(2);
  });

  it("clearContext empties history and the transcript's, and the retry begins with the reason alone", async () => {
    const on = stage();
    on.hooks([
      {
        on: "AfterAgent",
        does: saysAt(1, {
          decision: "deny",
          reason: "start over",
          hookSpecificOutput: { hookEventName: "AfterAgent", clearContext: true },
        }),
      },
    ]);
    const run = await served(on, "gemini", [{ text: "one" }, { text: "two" }]);
    const id = run.agent.sessionId();
    await run.ask("go");
    expect(contents(run.server.requests[1]?.body)).toEqual([["user", "start over"]]);
    expect(run.agent.messages().map(({ parts }) => parts)).toEqual([
      [{ type: "text", text: "start over" }],
      [{ type: "text", text: "two" }],
    ]);
    expect(run.agent.sessionId()).toBe(id);
    expect(run.told()).toContain("Conversation context has been cleared.");
    const stored = await readTranscript(run.agent.transcriptPath());
    expect(stored).toMatchObject({ id, messages: run.agent.messages() as unknown as JsonObject[] });
  });
});
