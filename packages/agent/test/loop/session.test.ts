// Sessions from their start to their end: sources and reasons, resuming, clearing, compressing, and what is on disk afterwards.
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readJournal } from "@carabiner/engine/journal";
import { describe, expect, it } from "vitest";
import { listSessions, readTranscript } from "../../src/sessions/index.ts";
import type { Reply } from "../servers/model-server.ts";
import { says, served, stage, WIRES } from "./stage.ts";

const long = (text: string, times = 400): string => `${text} `.repeat(times);

describe("a session", () => {
  it("starts once, ends once however often it is ended, and ends no later than its hooks are waited for", async () => {
    const on = stage();
    on.hooks([
      { on: "SessionStart", matcher: "startup" },
      { on: "SessionEnd", matcher: "exit" },
      { on: "SessionEnd", as: "other", matcher: "other" },
    ]);
    const run = await served(on, "gemini", [{ text: "a" }, { text: "b" }]);
    await run.ask("one");
    await run.ask("two");
    await Promise.all([run.close("exit"), run.close("other"), run.close("exit")]);
    expect(on.seen("SessionStart").map(({ source }) => source)).toEqual(["startup"]);
    expect(on.seen("SessionEnd").map(({ reason }) => reason)).toEqual(["exit"]);
    expect(on.seen("other")).toEqual([]);
    expect(run.events.filter(({ kind }) => kind === "sessionEnded")).toHaveLength(1);
  });

  it("is resumed with its history, under its id, in its transcript", async () => {
    const on = stage();
    on.hooks([{ on: "SessionStart" }]);
    const first = await served(on, "gemini", [{ text: "I remember." }]);
    await first.ask("remember 42");
    await first.close("exit");
    const second = await served(on, "openai", [{ text: "42" }], { flags: { resume: "latest" } });
    expect(second.agent.sessionId()).toBe(first.agent.sessionId());
    expect(second.agent.transcriptPath()).toBe(first.agent.transcriptPath());
    await second.ask("what was it?");
    expect(second.sent(0)).toMatch(/remember 42.*I remember\..*what was it\?/);
    expect(on.seen("SessionStart").map(({ source }) => source)).toEqual(["startup", "resume"]);
    await second.close("exit");
    const stored = await readTranscript(second.agent.transcriptPath());
    expect(stored).toMatchObject({ ok: true, problems: [], firstPrompt: "remember 42", messages: { length: 4 } });
    expect(statSync(second.agent.transcriptPath()).mode & 0o777).toBe(0o600);
  });

  it.each(Object.keys(WIRES) as (keyof typeof WIRES)[])(
    "that broke off in the middle of a tool is resumed over the %s wire",
    async (format) => {
      const on = stage();
      const first = await served(on, format, [
        { text: "I look.", calls: [{ id: "call-1", name: "list_directory", input: { dir_path: "." } }] },
        { text: "ok" },
      ]);
      await first.ask("look");
      await first.close("exit");
      // What a killed process leaves: the call, no result, and a line that was being written.
      const path = first.agent.transcriptPath();
      const lines = on.read(path.slice(on.root.length + 1)).split("\n");
      const call = lines.findIndex((line) => line.includes('"type":"call"'));
      writeFileSync(path, `${lines.slice(0, call + 1).join("\n")}\n{"type":"mess`);
      const second = await served(on, format, [{ text: "I go on." }], { flags: { resume: "latest" } });
      expect((await second.ask("go on")).answer).toBe("I go on.");
      expect(second.sent(0)).toContain("I look.");
      expect(second.told()).toContain(`${path}: The last line, ${call + 2}, was cut off. It is left out.`);
    },
  );

  it("that is cleared ends and starts under a new id with an empty history, and ends once more", async () => {
    const on = stage();
    on.hooks([
      { on: "SessionStart", does: says({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "fresh" } }) },
      { on: "SessionEnd" },
    ]);
    const run = await served(on, "gemini", [{ text: "a" }, { text: "b" }]);
    await run.ask("the first words");
    const before = run.agent.sessionId();
    await run.agent.clear();
    expect(run.agent.sessionId()).not.toBe(before);
    await run.ask("two");
    expect(run.sent(1)).not.toContain("the first words");
    expect(run.sent(1)).toContain("<hook_context>fresh</hook_context>");
    await run.close("exit");
    expect(on.seen("SessionStart").map(({ source, session_id }) => [source, session_id === before])).toEqual([
      ["startup", true],
      ["clear", false],
    ]);
    expect(on.seen("SessionEnd").map(({ reason, session_id }) => [reason, session_id === before])).toEqual([
      ["clear", true],
      ["exit", false],
    ]);
  });

  it("writes a journal that is whole and checks itself, every firing of it", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool" }, { on: "AfterAgent" }, { on: "SessionEnd" }]);
    const run = await served(on, "gemini", [{ calls: [{ name: "list_directory", input: { dir_path: "." } }] }, { text: "ok" }]);
    await run.ask("go");
    await run.close("exit");
    const { problems, stories } = readJournal(on.path("home/.carabiner/journal"));
    expect(problems).toEqual([]);
    expect(stories.map(({ event, fired }) => [event, fired.session === run.agent.sessionId()])).toEqual([
      ["beforeTool", true],
      ["afterAgent", true],
      ["sessionEnd", true],
    ]);
  });
});

describe("compression", () => {
  const settings = { carabiner: { contextWindow: 2000 } };
  const summary: Reply = { text: "The user counts." };

  it.each(Object.keys(WIRES) as (keyof typeof WIRES)[])(
    "happens by itself when the history outgrows the window over the %s wire",
    async (format) => {
      const on = stage();
      on.hooks(
        [
          { on: "PreCompress", does: "sleep 0.3" },
          { on: "BeforeModel" },
          { on: "BeforeAgent", does: says({ hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "of this turn" } }) },
        ],
        settings,
      );
      const run = await served(on, format, [{ text: long("old answer", 800) }, summary, { text: "new answer" }]);
      await run.ask(long("old question", 300));
      await run.ask("new question");
      expect(run.server.requests).toHaveLength(3);
      expect(run.sent(1), "the summary is asked without hooks and without tools").toContain("Write the summary now.");
      expect(run.server.requests[1]?.body.tools).toBeUndefined();
      expect(on.seen("BeforeModel")).toHaveLength(2);
      expect(run.sent(2)).toContain("The user counts.");
      expect(run.sent(2)).toContain("new question");
      expect(run.sent(2), "what lasts a turn outlives a compression in it").toContain("of this turn");
      expect(run.sent(2)).not.toContain("old question");
      expect(run.events.flatMap((event) => (event.kind === "compressed" ? [event.keptMessages] : []))).toEqual([1]);
      await run.close("exit");
      expect(on.seen("PreCompress").map(({ trigger }) => trigger)).toEqual(["auto"]);
      const stored = await readTranscript(run.agent.transcriptPath());
      expect(stored).toMatchObject({ ok: true, problems: [], messages: run.agent.messages() });
    },
  );

  it.each(Object.keys(WIRES) as (keyof typeof WIRES)[])(
    "happens once when the model finds the question too long over the %s wire, whatever we took its window for",
    async (format) => {
      const message = {
        gemini: "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
        openai: "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens.",
        anthropic: "prompt is too long: 40000 tokens > 32768 maximum",
      }[format];
      const refusal: Reply = {
        status: 400,
        body: { type: "error", error: { code: 400, type: "invalid_request_error", message, status: "INVALID_ARGUMENT" } },
      };
      const replies: Reply[] = [{ text: long("old answer") }, refusal, summary, { text: "new answer" }];
      const run = await served(stage(), format, replies);
      await run.ask(long("old question"));
      expect(await run.ask("new question")).toMatchObject({ answer: "new answer" });
      expect(run.sent(3)).toContain("The user counts.");
      expect(run.sent(3)).toContain("new question");
      expect(run.sent(3)).not.toContain("old question");
      replies.push(refusal, summary, refusal);
      await expect(run.ask("and again")).rejects.toMatchObject({ kind: "tooLong", message: expect.stringContaining(message.slice(0, 30)) });
    },
  );

  it("that has failed is not tried again in the same turn", async () => {
    const on = stage();
    on.hooks([], settings);
    const looks: Reply = { calls: [{ name: "list_directory", input: {} }] };
    const run = await served(on, "gemini", [{ text: long("old answer", 800) }, {}, looks, looks, { text: "end" }]);
    await run.ask(long("old question", 300));
    expect(await run.ask("go on")).toMatchObject({ answer: "end" });
    expect(run.told().filter((text) => text.includes("could not be compressed"))).toHaveLength(1);
  });

  it("is not waited for its hooks under Gemini's contract, and their denial changes nothing", async () => {
    const on = stage();
    on.hooks([{ on: "PreCompress", does: `until [ -e "$home/go" ]; do sleep 0.05; done; ${says({ decision: "deny" })}` }], {});
    const run = await served(on, "gemini", [{ text: long("a") }, summary]);
    await run.ask(long("q"));
    // The hook ends when it is told to, which nobody does: who waited for it would never come back.
    expect(await run.agent.compress(new AbortController().signal)).toBe("done");
    expect(on.seen("PreCompress").length).toBeLessThanOrEqual(1);
    await run.close("exit");
  });

  it("is cancelled by a Qoder CN hook with exit 2, and hooks learn of it afterwards where it was not", async () => {
    const on = stage();
    on.hooks(
      [
        { on: "PreCompact", does: '[ "$n" -eq 1 ] && { echo "not now" >&2; exit 2; }\ntrue' },
        { on: "SessionStart", matcher: "compact", does: "echo 'The branch is main.'" },
      ],
      {},
      "qoder-cn",
    );
    const run = await served(on, "gemini", [{ text: long("a") }, summary, { text: "b" }], { flags: { dialects: ["qoder-cn"] } });
    await run.ask(long("q"));
    const { signal } = new AbortController();
    expect(await run.agent.compress(signal, "keep names")).toBe("cancelled");
    expect(run.server.requests).toHaveLength(1);
    expect(run.told().join("\n")).toContain("not now");
    expect(await run.agent.compress(signal, "keep names")).toBe("done");
    expect(run.sent(1)).toContain("keep names");
    expect(on.seen("PreCompact").map(({ trigger, custom_instructions }) => [trigger, custom_instructions])).toEqual([
      ["manual", "keep names"],
      ["manual", "keep names"],
    ]);
    await run.ask("next");
    expect(run.sent(2)).toContain("The branch is main.");
  });

  it("of nothing is nothing, and fires nothing", async () => {
    const on = stage();
    on.hooks([{ on: "PreCompress" }]);
    const run = await served(on, "gemini", []);
    expect(await run.agent.compress(new AbortController().signal)).toBe("nothing");
    expect(on.order()).toEqual([]);
  });

  it("that nobody asked for does not cost the turn when the model gives no summary; a lost connection is tried again", async () => {
    const on = stage();
    on.hooks([], settings);
    const run = await served(on, "gemini", [
      { text: long("old answer", 800) },
      { status: 503, headers: { "retry-after-ms": "10" } },
      { status: 400 },
      { text: "still here" },
    ]);
    await run.ask(long("old question", 300));
    expect((await run.ask("go on")).answer).toBe("still here");
    expect(run.told().join("\n")).toMatch(/could not be compressed.*The turn goes on/);
    expect(run.sent(3)).toContain("old question");
  });
});

describe("sub-agents' transcripts", () => {
  it("lie beside the session's and are no sessions of their own", async () => {
    const on = stage();
    on.write("home/.gemini/agents/scout.md", "---\nname: scout\ndescription: Looks around.\n---\nLook around.\n");
    const run = await served(on, "gemini", [
      { calls: [{ name: "delegate_to_agent", input: { agent_name: "scout", prompt: "look" } }] },
      { text: "I saw nothing." },
      { text: "Nothing there." },
    ]);
    await run.ask("go");
    await run.close("exit");
    const folder = dirname(run.agent.transcriptPath());
    expect(await listSessions(folder)).toHaveLength(1);
    const own = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(own).toHaveLength(1);
    const [name] = readdirSync(`${folder}/${own[0]?.name}`);
    const stored = await readTranscript(`${folder}/${own[0]?.name}/${name}`);
    expect(stored).toMatchObject({ ok: true, firstPrompt: "look", messages: { length: 2 } });
    expect(existsSync(`${folder}/${own[0]?.name}/${name}`)).toBe(true);
  });
});
