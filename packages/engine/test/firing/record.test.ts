import { describe, expect, it } from "vitest";
import { divergencesOf, firedRecord, planRecord, registryRecord, runRecord } from "../../src/firing/index.ts";
import { type EventName, type Facts, type FiredRecord, type JournalLine, joined, journalLineSchema } from "../../src/protocol/index.ts";
import { type Acted, act, coded, gemini, hook, other, registryOf, type Scripted, shellCall } from "./scripted.ts";

function linesOf<E extends EventName>(facts: Facts[E], hooks: readonly Scripted[], acted: Acted<E>, hides = true) {
  const registry = registryRecord(registryOf(hooks), "r1", "/p", 0);
  const plan = planRecord(acted.plan, "r1");
  const fired: FiredRecord = firedRecord(
    acted.plan,
    facts,
    acted,
    {
      id: "f1",
      session: "s1",
      agent: undefined,
      at: 0,
      durationMs: 1,
      cwd: "/p",
      changed: new Map([["x", { status: "spent", why: "it has run" }]]),
      problems: [],
    },
    () => hides,
  );
  return { registry, plan, fired };
}
/** The line as the file will hold it: it must be valid, and lose nothing on its way through JSON. */
function checked<L extends JournalLine>(line: L): L {
  expect(JSON.parse(JSON.stringify(line))).toStrictEqual(line);
  expect(journalLineSchema.safeParse(line)).toMatchObject({ success: true });
  return line;
}

const request = { model: "m", messages: [{ role: "user" as const, content: "x" }], config: {} };
const cases: { readonly [E in EventName]?: [Facts[E], readonly Scripted[]] } = {
  sessionStart: [{ source: "startup" }, [hook("SessionStart", { out: { hookSpecificOutput: { additionalContext: "c" } } })]],
  beforeAgent: [
    { prompt: "p" },
    [hook("BeforeAgent", { out: { continue: false } }), coded("beforeAgent", { ruling: { kind: "endTurn", reason: undefined } })],
  ],
  afterAgent: [{ prompt: "p", response: "r", retrying: false }, [hook("AfterAgent", { exit: 2, err: "again" })]],
  beforeModel: [{ request: () => request }, [hook("BeforeModel", { out: { hookSpecificOutput: { llm_request: { model: "n" } } } })]],
  afterModel: [{ request, response: { parts: ["x"] } }, [hook("AfterModel", { exit: 2 })]],
  beforeTool: [
    { tool: { name: "x", input: { a: 1, gap: undefined as never }, callId: undefined as never } },
    [
      hook("BeforeTool", { out: { decision: "ask" } }),
      hook("BeforeTool", { exit: 1, err: "boom" }),
      hook("BeforeTool", { run: { kind: "timedOut", afterMs: 5 } }),
      hook("BeforeTool", { run: { kind: "signalled", signal: "SIGKILL" } }),
      hook("BeforeTool", { run: { kind: "notStarted", message: "no" } }),
      hook("BeforeTool", { run: { kind: "cancelled" } }),
      hook("BeforeTool", {}, { background: true }),
      coded("beforeTool", { ruling: { kind: "allow", reason: undefined }, input: { how: "merge", value: { b: { c: undefined } } } }),
      other("PreUse", { out: { hookSpecificOutput: { hookEventName: "PreUse", updatedInput: { a: 2 } } } }),
    ],
  ],
  afterTool: [
    { ...shellCall(), result: { content: "x" } },
    [hook("AfterTool", { out: { hookSpecificOutput: { tailToolCallRequest: { name: "read_file", args: {} } } } })],
  ],
};

describe("the lines of a firing", () => {
  it.each(Object.entries(cases) as [EventName, [Facts["beforeTool"], readonly Scripted[]]][])(
    "of %s are valid, plain, and join into one story",
    async (event, [facts, hooks]) => {
      const acted = await act(event as "beforeTool", facts, hooks);
      const { registry, plan, fired } = linesOf(facts, hooks, acted);
      for (const line of [registry, plan, fired]) checked(line);
      checked({ version: 1, kind: "late", firing: "f1", run: runRecord(acted.reports[0]!, undefined, false) });
      const story = joined(registry, plan, fired);
      expect(story?.entries.map(({ id, status }) => [id, status])).toEqual(acted.reports.map((report) => [report.entry.id, report.status]));
      expect(divergencesOf([gemini], registry, plan, fired)).toEqual(expect.any(Array));
    },
  );

  it("hold what was read only where it differs from the firing's", async () => {
    const hooks = [
      hook("BeforeTool", { out: { hookSpecificOutput: { tool_input: { command: "b" } } } }, { lane: -1 }),
      hook("BeforeTool", {}, { lane: -1 }),
    ];
    const facts = shellCall({ command: "a" });
    const { fired } = linesOf(facts, hooks, await act("beforeTool", facts, hooks));
    expect(fired.runs.map(({ stdin }) => (typeof stdin === "object" ? stdin["tool_input"] : stdin))).toEqual([undefined, { command: "b" }]);
  });

  it("keep what is built on demand as it was shown", async () => {
    const { fired } = linesOf({ request: () => request }, [], await act("beforeModel", { request: () => request }, [hook("BeforeModel")]));
    expect(fired.facts).toEqual({ request });
  });

  it("do not join where they do not belong together", async () => {
    const hooks = [hook("BeforeTool")];
    const { registry, plan, fired } = linesOf(shellCall(), hooks, await act("beforeTool", shellCall(), hooks));
    expect(joined(registry, plan, fired)).toBeDefined();
    expect(joined({ ...registry, id: "other" }, plan, fired)).toBeUndefined();
    expect(joined(registry, { ...plan, id: "other" }, fired)).toBeUndefined();
    expect(joined(registry, { ...plan, event: "__proto__" }, fired)).toBeUndefined();
    expect(joined({ ...registry, entries: [] }, plan, fired)).toBeUndefined();
  });
});

describe("a quiet hook", () => {
  const secret = [
    hook("BeforeTool", { out: { suppressOutput: true, decision: "deny", reason: "SECRET", systemMessage: "SECRET", junk: "SECRET" } }),
    hook("BeforeTool", { text: "SECRET" }),
    hook("BeforeTool", { exit: 1, err: "SECRET" }),
    hook("BeforeTool", { out: { decision: "SECRET", hookSpecificOutput: { tool_input: { x: "SECRET" } } } }),
  ];
  it("keeps input and output of the firing out of the record, whoever printed it; what ran and was decided stays", async () => {
    const facts = shellCall({ command: "SECRET" });
    const acted = await act("beforeTool", facts, secret);
    const { registry, plan, fired } = linesOf(facts, secret, acted);
    expect(JSON.stringify([checked(fired)])).not.toContain("SECRET");
    expect(fired).toMatchObject({
      quiet: true,
      outcome: { action: "block" },
      verdict: { ruling: { kind: "deny" }, because: [acted.reports[0]?.entry.id] },
    });
    expect(fired.runs.map(({ status, opinion }) => [status, opinion])).toEqual([
      ["ok", { ruling: { kind: "deny" }, quiet: true }],
      ["ok", {}],
      ["exitedOther", {}],
      ["ok", {}],
    ]);
    expect(fired.runs.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual([
      "OUTPUT_FIELD_UNKNOWN",
      "OUTPUT_NOT_JSON",
      "HOOK_EXITED",
      "OUTPUT_BAD_VALUE",
    ]);
    expect(joined(registry, plan, fired)?.ran).toHaveLength(4);
    expect(acted.verdict.messages.map(({ text }) => text)).toContain("SECRET");
  });
  it("only hides its own message where its dialect says so", async () => {
    const hooks = [other("PreUse", { out: { suppressOutput: true, systemMessage: "mine" } }), hook("BeforeTool", { text: "yours" })];
    const acted = await act("beforeTool", shellCall(), hooks);
    expect(acted.verdict.messages.map(({ text }) => text)).toEqual(["yours"]);
    const { fired } = linesOf(shellCall(), hooks, acted, false);
    expect(fired).toMatchObject({ quiet: false, facts: { tool: { name: "run_shell_command" } } });
  });
});
