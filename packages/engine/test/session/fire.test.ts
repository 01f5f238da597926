import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createEngine, type FiredRecord, HooksError, type JournalLine } from "../../src/index.ts";
import { denies, prints, stops, watched, workplace } from "./workplace.ts";

const shell = { tool: { name: "run_shell_command", input: { command: "ls" }, callId: "c1" } };
const request = { model: "m", messages: [], config: {} };

describe("a firing", () => {
  it("runs a real hook, gives it the event on stdin and in its variables, and records it", async () => {
    const place = workplace();
    place.user({
      BeforeTool: [
        {
          command: `cat >"${place.path("stdin")}"; printf '%s' "$GEMINI_PROJECT_DIR|$GEMINI_SESSION_ID|$PWD"`,
          name: "look",
          matcher: "shell",
        },
      ],
    });
    const { engine, lines } = watched(place);
    const session = engine.session({ id: "s1", transcriptPath: "/t.jsonl" });
    const outcome = await session.fire("beforeTool", shell);
    expect(outcome).toMatchObject({ action: "proceed", messages: [{ text: `${place.project}|s1|${place.project}`, level: "info" }] });
    expect(JSON.parse(readFileSync(place.path("stdin"), "utf8"))).toEqual({
      session_id: "s1",
      transcript_path: "/t.jsonl",
      cwd: place.project,
      hook_event_name: "BeforeTool",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      tool_name: "run_shell_command",
      tool_input: { command: "ls" },
    });
    expect(lines().map(({ kind }) => kind)).toEqual(["registry", "plan", "fired"]);
    expect(outcome.record).toEqual(lines()[2]);
    expect(outcome.record).toMatchObject({ runs: [{ status: "ok", ended: "exited", exitCode: 0, readAs: "text" }] });
  });

  it("has the same record whether somebody listens or not: then it is made when it is read, once", async () => {
    const place = workplace();
    place.user({ BeforeTool: ["echo seen >&2", denies("no")] });
    const { engine, lines } = watched(place);
    const heard = await engine.session({ id: "s" }).fire("beforeTool", shell);
    const { projectDir: cwd } = engine;
    const env = { PATH: process.env["PATH"], HOME: place.home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: place.path("none.json") };
    const unheard = createEngine({ cwd, home: place.home, dialects: ["gemini"], env, stateDir: place.path("state") });
    const alone = await unheard.session({ id: "s" }).fire("beforeTool", shell);
    await unheard.dispose();
    expect(alone.record).toBe(alone.record);
    expect({ ...alone }.record).toBe(alone.record);
    expect(lines().at(-1)).toBe(heard.record);
    // What differs from one run to the next.
    const steady = (record: object): unknown =>
      JSON.parse(JSON.stringify(record, (key, value) => (/^(id|plan|at|startedAt|durationMs|pid)$/.test(key) ? key : value)));
    expect(steady(alone.record)).toEqual(steady(heard.record));
    expect(alone.record).toMatchObject({ kind: "fired", divergences: expect.arrayContaining([expect.any(String)]) });
    expect(Object.keys(alone.record)).toEqual(Object.keys(heard.record));
  });

  it("tells who started and ended, and each message and problem once", async () => {
    const place = workplace();
    place.user({ BeforeTool: ["echo hello", "exit 3"] });
    const { engine, events } = watched(place);
    await engine.session().fire("beforeTool", shell);
    const told = events.map((event) =>
      event.kind === "hookStarted"
        ? `started ${event.index}/${event.total}`
        : event.kind === "hookEnded"
          ? `ended ${event.status}`
          : event.kind,
    );
    expect(told.slice(0, 4)).toEqual(["line", "line", "started 1/2", "started 2/2"]);
    expect(told.slice(4, 6).sort()).toEqual(["ended exitedOther", "ended ok"]);
    expect(told.slice(6)).toEqual(["line", "message", "message"]);
  });

  it("gives a listener that comes later the lines its firings refer to", async () => {
    const place = workplace();
    place.user({ BeforeTool: ["echo hello"] });
    const { engine } = watched(place);
    const session = engine.session();
    await session.fire("beforeTool", shell);
    const later: JournalLine[] = [];
    engine.subscribe((event) => {
      if (event.kind === "line") later.push(event.line);
    });
    await session.fire("beforeTool", shell);
    expect(later.map(({ kind }) => kind)).toEqual(["registry", "plan", "fired"]);
  });

  it("sees an edited settings file the next time", async () => {
    const place = workplace();
    const { engine } = watched(place);
    const session = engine.session();
    expect(session.listens("beforeTool")).toBe(false);
    expect((await session.fire("beforeTool", shell)).action).toBe("proceed");
    place.user({ BeforeTool: [denies("one")] });
    await sleep(5);
    expect(session.listens("beforeTool")).toBe(true);
    expect(await session.fire("beforeTool", shell)).toMatchObject({ action: "block", reason: "one" });
    place.user({ BeforeTool: [denies("two")] });
    await sleep(5);
    expect(await session.fire("beforeTool", shell)).toMatchObject({ action: "block", reason: "two" });
    rmSync(join(place.home, ".gemini", "settings.json"));
    await sleep(5);
    expect((await session.fire("beforeTool", shell)).action).toBe("proceed");
  });

  it("never sees one in mid-stream", async () => {
    const place = workplace();
    place.user({ AfterModel: [prints({ systemMessage: "old" })] });
    const { engine } = watched(place);
    const session = engine.session();
    const chunk = { request, response: { parts: ["x"] } };
    expect((await session.fire("afterModel", chunk)).messages[0]?.text).toBe("old");
    place.user({ AfterModel: [prints({ systemMessage: "new" })] });
    await sleep(20);
    expect((await session.fire("afterModel", chunk)).messages[0]?.text).toBe("old");
    await session.fire("beforeTool", shell);
    expect((await session.fire("afterModel", chunk)).messages[0]?.text).toBe("new");
  });

  it("goes on in the project's directory when the event's is gone, or is no directory", async () => {
    const place = workplace();
    place.user({ BeforeTool: ["pwd"] });
    const { engine } = watched(place);
    for (const cwd of [join(place.root, "gone"), "/dev/null/x", `/${"x".repeat(5_000)}`, "/a\0b"]) {
      const outcome = await engine.session({ cwd: () => cwd }).fire("beforeTool", shell);
      expect(outcome.messages.map(({ text }) => text)).toEqual([place.project, expect.stringContaining("is gone")]);
    }
  });

  it("has a hook that did not start as a value, where the project is gone too", async () => {
    const place = workplace();
    place.user({ BeforeTool: ["pwd"] });
    const { engine } = watched(place);
    rmSync(place.project, { recursive: true });
    expect((await engine.session().fire("beforeTool", shell)).record).toMatchObject({ runs: [{ status: "notStarted" }] });
  });

  it("keeps what a quiet hook asked to keep out of the record, and says that it ran and what it decided", async () => {
    const place = workplace();
    place.user({
      BeforeTool: [
        prints({ suppressOutput: true, decision: "deny", reason: "no", systemMessage: "shown" }),
        { command: "echo SECRET", name: "loud" },
      ],
    });
    const { engine, lines } = watched(place);
    const outcome = await engine.session().fire("beforeTool", { tool: { name: "x", input: { token: "SECRET" } } });
    expect(outcome).toMatchObject({ action: "block", reason: "no" });
    expect(outcome.messages.map(({ text }) => text)).toEqual(["shown", "SECRET"]);
    const fired = lines().find(({ kind }) => kind === "fired");
    expect(fired).toMatchObject({ quiet: true, outcome: { action: "block" }, verdict: { ruling: { kind: "deny" }, contexts: [] } });
    expect(fired).not.toHaveProperty("facts");
    expect(JSON.stringify(fired)).not.toContain("SECRET");
  });
});

describe("a sub-agent's scope", () => {
  it("is named in the record, and hooks see the session it belongs to", async () => {
    const place = workplace();
    place.user({ BeforeTool: [`printf '%s' "$GEMINI_SESSION_ID"`] });
    const { engine } = watched(place);
    const session = engine.session({ id: "s1" });
    const { record, messages } = await session.agent({ id: "a1", type: "helper" }).fire("beforeTool", shell);
    expect([record, messages[0]?.text]).toMatchObject([{ session: "s1", agent: { id: "a1", type: "helper" } }, "s1"]);
    expect((await session.fire("beforeTool", shell)).record).not.toHaveProperty("agent");
    const cleared = session.clear("s2");
    expect([cleared.id, (await cleared.fire("beforeTool", shell)).messages[0]?.text]).toEqual(["s2", "s2"]);
  });
});

describe("a quiet firing", () => {
  it("resolves to the plan's one shared outcome, and is told as one line for all", async () => {
    const place = workplace();
    place.user({ BeforeTool: [{ command: "exit 2", matcher: "^write_file$" }] });
    const { engine, lines } = watched(place, { now: clock() });
    const session = engine.session({ id: "s1" });
    const first = session.fire("beforeTool", shell);
    for (let i = 0; i < 50; i++) expect(session.fire("beforeTool", shell)).toBe(first);
    await first;
    expect(lines().map(({ kind }) => kind)).toEqual(["registry", "plan"]);
    await engine.dispose();
    const quiet = lines()[2];
    expect(lines().map(({ kind }) => kind)).toEqual(["registry", "plan", "quiet"]);
    expect(quiet).toMatchObject({
      kind: "quiet",
      session: "s1",
      event: "beforeTool",
      count: 51,
      plan: lines()[1] && "id" in lines()[1]! ? (lines()[1] as { id: string }).id : "",
    });
    expect(quiet?.kind === "quiet" && quiet.firstAt < quiet.lastAt).toBe(true);
  });
  it('is one full record each where the host asked for "every"', async () => {
    const place = workplace();
    place.user({ BeforeTool: [{ command: "exit 2", matcher: "^write_file$" }] });
    const { engine, lines } = watched(place, { record: "every" });
    const session = engine.session();
    const { record } = await session.fire("beforeTool", shell);
    await session.fire("sessionEnd", { reason: "exit" });
    expect(record).toMatchObject({ kind: "fired", runs: [], facts: { tool: shell.tool } });
    expect(lines().map(({ kind }) => kind)).toEqual(["registry", "plan", "fired", "plan", "fired"]);
  });
  it("is not shared between an MCP tool and a plain name that looks like it", async () => {
    const place = workplace();
    place.user({ BeforeTool: [{ command: "exit 2", matcher: "^mcp_s_t$" }] });
    const { engine } = watched(place);
    const session = engine.session();
    const name = "mcp_s_t";
    for (const plain of [`${name}\0s\0t`, JSON.stringify([name, "s", "t"])])
      await session.fire("beforeTool", { tool: { name: plain, input: {} } });
    expect((await session.fire("beforeTool", { tool: { name, input: {}, mcp: { server: "s", tool: "t" } } })).action).toBe("block");
  });
  it("costs no memory for ever: a model may invent names without end", async () => {
    const place = workplace();
    place.user({ BeforeTool: [{ command: "exit 2", matcher: "^write_file$" }] });
    const { engine, lines } = watched(place);
    const session = engine.session();
    for (let i = 0; i < 6_000; i++) await session.fire("beforeTool", { tool: { name: `tool_${i}`, input: {} } });
    expect(lines().filter(({ kind }) => kind === "quiet").length).toBeGreaterThan(4_000);
    await engine.dispose();
    const counted = lines().flatMap((line) => (line.kind === "quiet" ? [line.count] : []));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(6_000);
  });
});

function clock(): () => number {
  let now = Date.parse("2026-11-30T00:00:00Z");
  return () => (now += 1_000);
}

describe("an abort", () => {
  it.each([
    ["beforeTool", shell],
    ["afterTool", { ...shell, result: { content: "x" } }],
    ["beforeAgent", { prompt: "p" }],
    ["afterAgent", { prompt: "p", response: "r", retrying: false }],
    ["beforeModel", { request }],
    ["afterModel", { request, response: { parts: ["x"] } }],
  ] as const)("before %s resolves to stop, and no hook starts", async (event, facts) => {
    const place = workplace();
    const touch = `touch "${place.path("ran")}"`;
    place.user({
      BeforeTool: [touch],
      AfterTool: [touch],
      BeforeAgent: [touch],
      AfterAgent: [touch],
      BeforeModel: [touch],
      AfterModel: [touch],
    });
    const { engine } = watched(place);
    let called = false;
    engine.register(event, () => {
      called = true;
      return undefined;
    });
    const outcome = await engine.session().fire(event, facts as never, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ action: "stop", ends: "turn", record: { runs: [{ status: "cancelled" }, { status: "cancelled" }] } });
    expect([existsSync(place.path("ran")), called]).toEqual([false, false]);
  });
  it("while hooks run ends them, and is a status where the event cannot stop", async () => {
    const place = workplace();
    place.user({ SessionStart: ["sleep 20"], BeforeTool: ["sleep 20"] });
    const { engine } = watched(place);
    engine.register("sessionStart", () => new Promise(() => undefined));
    const began = performance.now();
    const [start, tool] = await Promise.all([
      engine.session().fire("sessionStart", { source: "startup" }, { signal: AbortSignal.timeout(80) }),
      engine.session().fire("beforeTool", shell, { signal: AbortSignal.timeout(80) }),
    ]);
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(start).toMatchObject({ action: "proceed", record: { runs: [{ status: "cancelled" }, { status: "cancelled" }] } });
    expect(tool).toMatchObject({ action: "stop", reason: "The firing was aborted.", record: { runs: [{ status: "cancelled" }] } });
  });
  it("stops a firing in which nothing would run", async () => {
    const { engine } = watched(workplace());
    expect((await engine.session().fire("beforeTool", shell, { signal: AbortSignal.abort() })).action).toBe("stop");
    expect((await engine.session().fire("notification", { type: "idle", message: "m" }, { signal: AbortSignal.abort() })).action).toBe(
      "proceed",
    );
  });
  it("leaves no listener behind on the host's signal", async () => {
    const place = workplace();
    const { engine } = watched(place);
    engine.register("beforeTool", () => undefined);
    const warnings: Error[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning);
    process.on("warning", onWarning);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 40 }, () => engine.session().fire("beforeTool", shell, { signal })));
    await sleep(5);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});

describe("misuse", () => {
  it("is refused with a code, as a rejection where a promise is due", async () => {
    const place = workplace();
    const { engine } = watched(place);
    const session = engine.session();
    await expect(session.fire("beforetool" as "beforeTool", shell)).rejects.toMatchObject({
      code: "UNKNOWN_EVENT",
      message: expect.stringContaining("beforeTool"),
    });
    await expect(session.fire("__proto__" as "beforeTool", shell)).rejects.toBeInstanceOf(HooksError);
    expect(() => session.listens("nope" as "beforeTool")).toThrow(HooksError);
    expect(() => engine.register("nope" as "beforeTool", () => undefined)).toThrow(expect.objectContaining({ code: "UNKNOWN_EVENT" }));
    expect(() => engine.register("beforeTool", () => undefined, { matcher: "(" })).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
    for (const timeoutMs of [0, -1, Number.NaN])
      expect(() => engine.register("beforeTool", () => undefined, { timeoutMs })).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
    expect(() => engine.register("beforeTool", "x" as never)).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
    expect(() => watched(place, { dialects: ["nope"] })).toThrow(expect.objectContaining({ code: "UNKNOWN_DIALECT" }));
    await engine.dispose();
    await expect(session.fire("beforeTool", shell)).rejects.toMatchObject({ code: "DISPOSED" });
  });
});

describe("a plan", () => {
  it("says what would run and for everybody else why not, without running anything", () => {
    const place = workplace();
    mkdirSync(place.path("x"));
    place.user(
      { BeforeTool: [{ command: "exit 2", matcher: "^write_file$", name: "guard" }, stops("x")], AfterTool: ["true"] },
      { hooksConfig: { disabled: [] } },
    );
    const { engine } = watched(place);
    const plan = engine.session().plan("beforeTool", shell);
    expect(plan.statuses).toEqual(["notMatched", "ok", "notMatched"]);
    expect(plan.why).toEqual({ 0: 'its matcher "^write_file$" does not fit "run_shell_command"', 2: "it is for AfterTool" });
    expect(plan.candidates).toHaveLength(1);
  });
});

describe("a project's hook", () => {
  it("runs under the default policy and is announced once before its process starts", async () => {
    const place = workplace();
    place.projects({ BeforeTool: ["echo from the project"] });
    const { engine, events } = watched(place);
    const session = engine.session();
    for (let i = 0; i < 2; i++)
      expect((await session.fire("beforeTool", shell)).messages.map(({ text }) => text)).toEqual(["from the project"]);
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind === "unknownHook" || kind === "hookStarted");
    expect(kinds).toEqual(["unknownHook", "hookStarted", "hookStarted"]);
  });
  it("that is a copy of the user's own hook is nobody's concern: it does not start, and is neither announced nor asked about", async () => {
    const same = { command: "echo mine", name: "same" };
    const place = workplace();
    place.user({ BeforeTool: [same] });
    place.projects({ BeforeTool: [same, "echo other"] });
    const asked: string[] = [];
    const warned = watched(place);
    const asking = watched(place, {
      trust: "ask",
      stateDir: place.path("asking"),
      askTrust: async ({ command }) => {
        asked.push(command);
        return true;
      },
    });
    for (const { engine } of [warned, asking]) {
      const outcome = await engine.session().fire("beforeTool", shell);
      expect(outcome.messages.map(({ text }) => text)).toEqual(["other", "mine"]);
      expect(Object.values((outcome.record as FiredRecord).changed)).toMatchObject([{ status: "duplicate" }]);
    }
    expect(warned.events.flatMap((event) => (event.kind === "unknownHook" ? [event.hook.command] : []))).toEqual(["echo other"]);
    expect(asked).toEqual(["echo other"]);
  });
  it("that is refused leaves the question to its copy in another group", async () => {
    const place = workplace();
    place.projects({
      BeforeTool: [
        { command: "echo twin", name: "twin" },
        { command: "echo twin", name: "twin", timeout: 5_000 },
      ],
    });
    const asked: (number | undefined)[] = [];
    const { engine } = watched(place, {
      trust: "ask",
      askTrust: async ({ entry }) => {
        asked.push(entry.timeoutMs);
        return asked.length === 2;
      },
    });
    const outcome = await engine.session().fire("beforeTool", shell);
    expect(asked).toEqual([60_000, 5_000]);
    expect((outcome.record as FiredRecord).runs).toHaveLength(1);
  });
  it("does not run in a folder that is not trusted, and not unapproved where approval is required", async () => {
    const place = workplace();
    place.projects({ BeforeTool: [denies("no")] });
    const untrusted = watched(place, { folderTrust: false });
    expect((await untrusted.engine.session().fire("beforeTool", shell)).action).toBe("proceed");
    expect(untrusted.engine.session().plan("beforeTool", shell).statuses).toEqual(["untrusted"]);
    const strict = watched(place, { trust: "require", stateDir: place.path("strict") });
    const outcome = await strict.engine.session().fire("beforeTool", shell);
    expect(outcome).toMatchObject({
      action: "proceed",
      record: { runs: [], changed: { [strict.engine.hooks()[0]?.id ?? ""]: { status: "unapproved" } } },
    });
  });
});
