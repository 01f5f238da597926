import { describe, expect, it } from "vitest";
import type { Entry, EventName, Facts, Report, Run } from "../../src/protocol/index.ts";
import { type Answer, act, codes, hook, other, shellCall } from "./scripted.ts";

/** How one Gemini CLI hook on beforeTool, or on another event, was read. */
async function read(
  answer: Answer,
  more: Partial<Entry> = {},
  event: EventName = "beforeTool",
  wire = "BeforeTool",
  facts?: Facts[EventName],
): Promise<Report> {
  const { reports } = await act(event, (facts ?? shellCall()) as Facts["beforeTool"], [hook(wire, answer, more)]);
  return reports[0] as Report;
}
const said = ({ status, readAs, opinion, problems }: Report) => ({ status, readAs, opinion, codes: problems.map(({ code }) => code) });

describe("a run that exited with 0", () => {
  it.each<[string, Answer, object]>([
    ["and printed nothing has no opinion", {}, { status: "ok", readAs: "nothing", opinion: {}, codes: [] }],
    ["and printed white space has no opinion", { text: " \r\n\t" }, { status: "ok", readAs: "nothing", opinion: {}, codes: [] }],
    ["and printed a BOM alone has no opinion", { text: "\uFEFF" }, { status: "ok", readAs: "nothing", opinion: {}, codes: [] }],
    ["and printed an empty object has no opinion", { text: "{}" }, { status: "ok", readAs: "object", opinion: {}, codes: [] }],
    ["and an object is read", { text: '{"decision":"deny","reason":"no"}' }, denied("no")],
    ["and an object behind a BOM is read", { text: '\uFEFF{"decision":"deny","reason":"no"}' }, denied("no")],
    ["and an object in CRLF lines is read", { text: '{\r\n"decision": "deny",\r\n"reason": "no"\r\n}\r\n' }, denied("no")],
    ["and an object over many lines is read", { text: '\n\n{\n  "decision": "block",\n  "reason": "no"\n}\n\n' }, denied("no")],
    ["and a text that holds an object is decoded once more", { text: JSON.stringify('{"decision":"deny","reason":"no"}') }, denied("no")],
    [
      "and a reason keeps its emoji and quotes",
      { text: JSON.stringify({ decision: "deny", reason: '"\u{1F4A5}" `x`\n\u0000' }) },
      denied('"\u{1F4A5}" `x`\n\u0000'),
    ],
    ...[
      'Welcome!\n{"decision":"deny","reason":"no"}',
      '{"decision":"deny","reason":"no",}',
      "{'decision': 'block'}",
      '```json\n{"decision": "deny"}\n```',
      '{"continue": false}\n{"systemMessage":"x"}',
      '\0{"hookSpecificOutput":{},"decision":"ask"}',
    ].map((text): [string, Answer, object] => [
      `and a ruling in ${JSON.stringify(text)} does not count, and is told`,
      { text },
      expect.objectContaining({ readAs: "text", opinion: { message: text }, codes: ["OUTPUT_NOT_JSON", "OUTPUT_RULING_LOST"] }),
    ]),
    [
      "and a ruling in a list does not count, and is told",
      { text: '[{"decision":"deny"}]' },
      { status: "badOutput", readAs: "otherJson", opinion: {}, codes: ["OUTPUT_NOT_OBJECT", "OUTPUT_RULING_LOST"] },
    ],
    [
      "and a ruling on stderr alone does not count, and is told",
      { err: '{"decision":"deny","reason":"no"}' },
      { status: "ok", readAs: "nothing", opinion: {}, codes: ["OUTPUT_RULING_LOST"] },
    ],
    [
      "and text about a ruling, or one inside a string, is text",
      { text: 'decision: deny, "decision" is "deny", {\\"decision\\":\\"deny\\"}, "decision": "allow"' },
      { status: "ok", readAs: "text", opinion: expect.anything(), codes: ["OUTPUT_NOT_JSON"] },
    ],
    [
      "and other JSON is no opinion",
      { text: "[1]" },
      { status: "badOutput", readAs: "otherJson", opinion: {}, codes: ["OUTPUT_NOT_OBJECT"] },
    ],
    ["and null is no opinion", { text: "null" }, { status: "badOutput", readAs: "otherJson", opinion: {}, codes: ["OUTPUT_NOT_OBJECT"] }],
    [
      "and a text in JSON is no opinion",
      { text: '"deny"' },
      { status: "badOutput", readAs: "otherJson", opinion: {}, codes: ["OUTPUT_NOT_OBJECT"] },
    ],
    [
      "and text is a message",
      { text: " hello \n" },
      { status: "ok", readAs: "text", opinion: { message: "hello" }, codes: ["OUTPUT_NOT_JSON"] },
    ],
    [
      "and an object with text before it is a message",
      { text: 'log\n{"decision":"deny"}' },
      {
        status: "badOutput",
        readAs: "text",
        opinion: { message: 'log\n{"decision":"deny"}' },
        codes: ["OUTPUT_NOT_JSON", "OUTPUT_RULING_LOST"],
      },
    ],
    [
      "and two objects are a message",
      { text: '{"a":1}\n{"b":2}' },
      { status: "badOutput", readAs: "text", opinion: { message: '{"a":1}\n{"b":2}' }, codes: ["OUTPUT_NOT_JSON"] },
    ],
    [
      "and colours around an object make it a message",
      { text: '\u001b[32m{"decision":"deny"}\u001b[0m' },
      {
        status: "ok",
        readAs: "text",
        opinion: { message: '\u001b[32m{"decision":"deny"}\u001b[0m' },
        codes: ["OUTPUT_NOT_JSON", "OUTPUT_RULING_LOST"],
      },
    ],
    [
      "and half a character is a message",
      { text: "\uFFFD{" },
      { status: "ok", readAs: "text", opinion: { message: "\uFFFD{" }, codes: ["OUTPUT_NOT_JSON"] },
    ],
  ])("%s", async (_what, answer, expected) => {
    expect(said(await read(answer))).toEqual(expected);
  });
  it("shows people a message without its escape sequences, and keeps them in the record", async () => {
    const r = await act("beforeTool", shellCall(), [hook("BeforeTool", { text: "\u001b[31mred\u001b[0m\u0007" })]);
    expect(r.verdict.messages).toEqual([{ text: "red", entry: r.reports[0]?.entry.id, level: "info" }]);
    expect(r.reports[0]?.run.stdout).toBe("\u001b[31mred\u001b[0m\u0007");
  });
  it("tells the author what the stray text probably was meant to be", async () => {
    const [problem] = (await read({ text: 'starting\n{"decision":"deny"}' })).problems;
    expect(problem).toMatchObject({ level: "note", todo: expect.stringContaining("stderr") });
    expect((await read({ text: "hello" })).problems[0]?.todo).toBeUndefined();
  });
  it("is context or a note where its row says so", async () => {
    const submit = await act("beforeAgent", { prompt: "p" }, [other("Submit", { text: "hello" })]);
    expect([submit.reports[0]?.opinion, codes(submit)]).toEqual([{ context: "hello" }, []]);
    const list = await act("beforeAgent", { prompt: "p" }, [other("Submit", { text: "[1]" })]);
    expect(list.reports[0]).toMatchObject({ opinion: { context: "[1]" }, readAs: "text" });
    const noted = await act("beforeTool", shellCall(), [other("PreUse", { text: 'log {"decision":"block"}' })]);
    expect([noted.outcome.action, noted.reports[0]?.opinion]).toEqual(["proceed", {}]);
    const once = await act("beforeTool", shellCall(), [other("PreUse", { text: JSON.stringify('{"decision":"block"}') })]);
    expect([once.outcome.action, once.reports[0]?.readAs]).toEqual(["proceed", "text"]);
    const selection = await read({ text: "hello" }, {}, "beforeToolSelection", "BeforeToolSelection", {
      request: { model: "m", messages: [], config: {} },
    });
    expect(said(selection)).toEqual({ status: "ok", readAs: "text", opinion: {}, codes: ["OUTPUT_NOT_JSON"] });
  });
});

function denied(reason: string): object {
  return { status: "ok", readAs: "object", opinion: { ruling: { kind: "deny", reason } }, codes: [] };
}
const nothing = { opinion: {} };

describe("a run that exited otherwise", () => {
  it.each<[string, Answer, object]>([
    [
      "2 denies with stderr",
      { exit: 2, err: " no \n", text: '{"decision":"allow"}' },
      { status: "ok", readAs: "refusal", opinion: { ruling: { kind: "deny", reason: "no" } }, codes: [] },
    ],
    [
      "1 decides nothing",
      { exit: 1, err: "boom", text: "hello" },
      { status: "exitedOther", readAs: "failure", ...nothing, codes: ["HOOK_EXITED"] },
    ],
    [
      "1 with a denial printed decides nothing, and says so",
      { exit: 1, out: { decision: "deny" } },
      { status: "exitedOther", readAs: "failure", ...nothing, codes: ["HOOK_EXITED", "OUTPUT_EXIT_1_DENIAL"] },
    ],
    [
      "1 with an allow printed is only a failure",
      { exit: 1, out: { decision: "allow" } },
      { status: "exitedOther", readAs: "failure", ...nothing, codes: ["HOOK_EXITED"] },
    ],
    ["126", { exit: 126 }, { status: "exitedOther", readAs: "failure", ...nothing, codes: ["HOOK_NOT_EXECUTABLE"] }],
    ["127", { exit: 127, err: "x: not found" }, { status: "exitedOther", readAs: "failure", ...nothing, codes: ["HOOK_NOT_FOUND"] }],
    ["255", { exit: 255 }, { status: "exitedOther", readAs: "failure", ...nothing, codes: ["HOOK_EXITED"] }],
    [
      "a signal",
      { run: { kind: "signalled", signal: "SIGKILL" } },
      { status: "signalled", readAs: "failure", ...nothing, codes: ["HOOK_SIGNALLED"] },
    ],
    [
      "its timeout",
      { run: { kind: "timedOut", afterMs: 50, stdout: '{"decision":"deny"}' } },
      { status: "timedOut", readAs: "failure", ...nothing, codes: ["HOOK_TIMED_OUT"] },
    ],
    [
      "no process at all",
      { run: { kind: "notStarted", message: "ENOENT" } },
      { status: "notStarted", readAs: "failure", ...nothing, codes: ["HOOK_NOT_STARTED"] },
    ],
    ["a throw", { run: { kind: "threw", message: "x" } }, { status: "exitedOther", readAs: "failure", ...nothing, codes: ["HOOK_THREW"] }],
    [
      "an opinion",
      { run: { kind: "returned", opinion: { message: "m" } } },
      { status: "ok", readAs: "opinion", opinion: { message: "m" }, codes: [] },
    ],
    ["an abort", { run: { kind: "cancelled" } }, { status: "cancelled", readAs: "notRead", ...nothing, codes: [] }],
    ["left behind", { run: { kind: "left", afterMs: 500 } }, { status: "left", readAs: "notRead", ...nothing, codes: [] }],
  ])("%s", async (_what, answer, expected) => {
    expect(said(await read(answer))).toEqual(expected);
  });
  it("2 without a reason gives a standard sentence that names the hook", async () => {
    const report = await read({ exit: 2 }, { name: "guard" });
    expect(report.opinion.ruling?.reason).toBe('The hook "guard" denied this without giving a reason.');
    expect(report.problems).toMatchObject([{ code: "REASON_MISSING", hook: "guard" }]);
  });
  it("2 where nothing can be refused is a warning with stderr", async () => {
    const report = await read({ exit: 2, err: "no\nnever" }, {}, "sessionStart", "SessionStart", { source: "startup" });
    expect(said(report)).toEqual({ status: "exitedOther", readAs: "refusal", opinion: {}, codes: ["EXIT_2_IGNORED"] });
    expect(report.problems[0]?.what).toContain("no / never");
  });
  it("with failures shown to people, naming the hook", async () => {
    const r = await act("beforeTool", shellCall(), [hook("BeforeTool", { exit: 3, err: "\u001b[31mboom\u001b[0m" }, { name: "guard" })]);
    expect(r.verdict.messages).toMatchObject([
      { level: "warning", text: expect.stringMatching(/^Hook "guard" \(BeforeTool\): .*exit code 3.*boom/) },
    ]);
    expect(r.verdict.messages[0]?.text).not.toContain("\u001b");
  });
  it("with 1 is told which code refuses, where something can be refused and no denial was printed", async () => {
    const todo = async (...asked: Parameters<typeof read>) => (await read(...asked)).problems[0]?.todo;
    expect(await todo({ exit: 1, err: "no" })).toBe("If it was meant to refuse: exit with code 2, and the reason on stderr.");
    expect(await todo({ exit: 1, out: { decision: "deny" } })).toBeUndefined();
    expect(await todo({ exit: 3 })).toBeUndefined();
    expect(await todo({ exit: 1 }, {}, "sessionStart", "SessionStart", { source: "startup" })).toBeUndefined();
  });
});

describe("a hook that fails closed", () => {
  const failures: [string, Answer, string][] = [
    ["exits with 1", { exit: 1 }, "exitedOther"],
    ["is killed", { run: { kind: "signalled", signal: "SIGSEGV" } }, "signalled"],
    ["times out", { run: { kind: "timedOut", afterMs: 5 } }, "timedOut"],
    ["cannot start", { run: { kind: "notStarted", message: "x" } }, "notStarted"],
    ["prints no JSON", { text: "hello" }, "badOutput"],
    ["prints other JSON", { text: "7" }, "badOutput"],
    ["prints too much", { run: { kind: "exited", exitCode: 0, truncated: ["stdout"], stdout: '{"decision":"allow"}' } }, "badOutput"],
  ];
  it.each(failures)("denies when it %s", async (_what, answer, status) => {
    const report = await read(answer, { onFailure: "block", name: "guard" });
    expect(report.status).toBe(status);
    expect(report.opinion.ruling).toEqual({ kind: "deny", reason: `The hook "guard" failed (${status}) and is set to block on failure.` });
    expect(report.problems.map(({ code }) => code)).toContain("HOOK_FAILED_CLOSED");
  });
  it.each(failures)("without it, decides nothing when it %s", async (_what, answer) => {
    expect((await read(answer)).opinion.ruling).toBeUndefined();
  });
  it("is not asked for when the host gave up or did not wait", async () => {
    for (const kind of ["cancelled", "left"] as const)
      expect((await read({ run: { kind, afterMs: 1 } as Run }, { onFailure: "block" })).opinion).toEqual({});
  });
  it("denies nothing where a denial means that the agent goes on", async () => {
    const facts = { prompt: "", response: "", retrying: false };
    expect((await read({ exit: 1 }, { onFailure: "block" }, "afterAgent", "AfterAgent", facts)).opinion).toEqual({});
  });
});

describe("output over the cap", () => {
  it("is never read, and a refusal still stands", async () => {
    const clipped = { truncated: ["stdout"] as const, stdoutBytes: 70_000_000, stdout: '{"decision":"deny"}' };
    expect(said(await read({ run: { kind: "exited", exitCode: 0, ...clipped } }))).toEqual({
      status: "badOutput",
      readAs: "notRead",
      opinion: {},
      codes: ["OUTPUT_TRUNCATED"],
    });
    expect(said(await read({ run: { kind: "exited", exitCode: 2, stderr: "no", ...clipped } }))).toMatchObject({
      status: "ok",
      opinion: { ruling: { kind: "deny", reason: "no" } },
    });
  });
  it("on stderr is said, and stdout counts", async () => {
    const report = await read({
      run: { kind: "exited", exitCode: 0, truncated: ["stderr"], stderrBytes: 2_000_000, stdout: '{"decision":"deny","reason":"no"}' },
    });
    expect(said(report)).toEqual({ ...denied("no"), codes: ["OUTPUT_TRUNCATED"] });
  });
});

describe("hostile output", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  it("that nests without end gives a report", async () => {
    expect(said(await read({ text: deep }))).toEqual({
      status: "badOutput",
      readAs: "otherJson",
      opinion: {},
      codes: ["OUTPUT_NOT_OBJECT"],
    });
  });
  it("loses the fields that nest too deep, and no other", async () => {
    const report = await read({
      text: `{"decision":"deny","reason":"no","junk":${deep},"hookSpecificOutput":{"tool_input":{"x":${deep}}}}`,
    });
    expect(report.opinion).toEqual({ ruling: { kind: "deny", reason: "no" } });
    expect(report.problems.map(({ what }) => what)).toEqual([
      "junk has a value that cannot be used.",
      "hookSpecificOutput.tool_input has a value that cannot be used.",
    ]);
    expect(() => JSON.stringify(report.output)).not.toThrow();
  });
  it("that nests without end and exits with 1, or as a text in JSON, gives a report too", async () => {
    expect((await read({ exit: 1, text: `{"systemMessage":${deep}}` })).status).toBe("exitedOther");
    expect((await read({ text: JSON.stringify(`{"systemMessage":${deep}}`) })).problems.map(({ code }) => code)).toEqual([
      "OUTPUT_BAD_VALUE",
    ]);
  });
  it("with a hundred thousand fields, or one of a megabyte, is named in a few notes and at once", async () => {
    const began = performance.now();
    const many = await read({ text: JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`field${i}`, i]))) });
    const long = await read({ text: JSON.stringify({ ["decision".repeat(200_000)]: 1 }) });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(many.problems).toHaveLength(21);
    expect(many.problems.at(-1)?.what).toBe("Gemini CLI's BeforeTool does not read 99980 more fields.");
    expect(long.problems.map(({ what }) => what.length < 200)).toEqual([true]);
  });
  it("with __proto__ and constructor is data", async () => {
    const text =
      '{"__proto__":{"decision":"deny"},"constructor":{"prototype":{"x":1}},"hookSpecificOutput":{"__proto__":{"additionalContext":"x"},"tool_input":{"__proto__":{"polluted":1},"constructor":2}}}';
    const report = await read({ text });
    expect(report.opinion.ruling).toBeUndefined();
    expect(Object.entries(report.opinion.input?.value ?? {})).toEqual([
      ["__proto__", { polluted: 1 }],
      ["constructor", 2],
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(report.problems.map(({ code }) => code)).toEqual(["OUTPUT_RULING_UNREAD", "OUTPUT_FIELD_UNKNOWN", "OUTPUT_FIELD_UNKNOWN"]);
  });
});
