import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/firing/decide.ts";
import { firedRecord } from "../../src/firing/index.ts";
import { SETTLING, settle } from "../../src/firing/settle.ts";
import {
  EVENTS,
  type EventName,
  type Facts,
  type Json,
  type JsonObject,
  journalLineSchema,
  type Opinion,
  type Original,
  type Report,
  RULINGS,
  STATUSES,
} from "../../src/protocol/index.ts";
import { act, dialects, entryOf, hook, runOf, type Scripted } from "./scripted.ts";

const RUNS = { numRuns: 1_000 };
/** Bounded far above what a busy machine needs. */
const TIMEOUT_MS = 120_000;
const denying = Object.entries(SETTLING).flatMap(([event, { denied }]) => (denied ? [event as EventName] : []));

/** One row of every dialect, with its own example as facts. */
const rows = [...dialects.values()].flatMap((dialect) =>
  Object.entries(dialect.rows).map(([wire, row]) => ({
    dialect: dialect.id,
    wire,
    event: row.on as EventName,
    facts: row.example as Facts[EventName],
  })),
);
const anyRow = fc.constantFrom(...rows);

const trickyKeys = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "length",
    "hookSpecificOutput",
    "decision",
    "continue",
    "reason",
  ),
);
const anyJson = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom("deny", "block", "allow", "ask", "AUTO", "NONE"),
    ),
    fc.array(tie("json") as fc.Arbitrary<Json>, { maxLength: 4 }),
    fc
      .array(fc.tuple(trickyKeys, tie("json") as fc.Arbitrary<Json>), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries) as Json),
  ),
})).json;
/** An object that is nearly what some row reads. */
const fields = [
  "decision",
  "continue",
  "reason",
  "stopReason",
  "systemMessage",
  "suppressOutput",
  "hookSpecificOutput",
  "additionalContext",
  "tool_input",
  "updatedInput",
  "updatedResult",
  "llm_request",
  "llm_response",
  "toolConfig",
  "tailToolCallRequest",
  "clearContext",
  "permissionDecision",
  "behavior",
  "hookEventName",
];
const nearly = (value: fc.Arbitrary<Json>) => fc.dictionary(fc.constantFrom(...fields), value).map((object) => object as Json);
const output = fc.oneof(anyJson, nearly(fc.oneof(anyJson, nearly(anyJson))));

async function fired(row: (typeof rows)[number], hooks: readonly Scripted[]) {
  return act(row.event as "beforeTool", row.facts as Facts["beforeTool"], hooks);
}
function checkReport(report: Report | undefined): void {
  expect(STATUSES).toContain(report?.status);
  expect(typeof report?.opinion).toBe("object");
  for (const key of Object.keys(report?.opinion ?? {}))
    expect([
      "ruling",
      "message",
      "context",
      "input",
      "result",
      "request",
      "response",
      "toolLimit",
      "tailCall",
      "clearContext",
      "quiet",
      "withhold",
    ]).toContain(key);
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect(Object.keys(Object.prototype)).toEqual([]);
}

describe("whatever a hook does", { timeout: TIMEOUT_MS }, () => {
  it("any bytes on stdout and stderr with any exit code give a report on every row", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRow,
        fc.uint8Array({ maxLength: 60 }),
        fc.string(),
        fc.constantFrom(0, 0, 0, 1, 2, 126, 127, 255),
        fc.boolean(),
        async (row, bytes, err, exit, block) => {
          const text = Buffer.from(bytes).toString("utf8");
          const one: Scripted = {
            entry: entryOf(row.dialect, row.wire, { onFailure: block ? "block" : "allow" }),
            answer: { text, err, exit },
          };
          const { reports } = await fired(row, [one]);
          expect(reports).toHaveLength(1);
          checkReport(reports[0]);
        },
      ),
      RUNS,
    );
  });

  it("any JSON printed gives a report on every row, and a line that is valid", async () => {
    await fc.assert(
      fc.asyncProperty(anyRow, output, fc.boolean(), async (row, out, twice) => {
        const text = JSON.stringify(out);
        const one: Scripted = { entry: entryOf(row.dialect, row.wire), answer: { text: twice ? JSON.stringify(text) : text } };
        const acted = await fired(row, [one]);
        checkReport(acted.reports[0]);
        const line = firedRecord(
          acted.plan,
          row.facts as Facts["beforeTool"],
          acted,
          { id: "f", session: "s", agent: undefined, at: 0, durationMs: 0, cwd: "/", changed: new Map(), problems: [] },
          () => true,
        );
        expect(journalLineSchema.safeParse(line).success).toBe(true);
      }),
      RUNS,
    );
  });

  it("keys such as __proto__ and constructor are data in the output, the arguments and everywhere else", async () => {
    const odd = fc
      .array(fc.tuple(fc.constantFrom("__proto__", "constructor", "prototype", "toString", "a"), anyJson), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries) as JsonObject);
    await fc.assert(
      fc.asyncProperty(odd, odd, async (input, change) => {
        const { outcome, saw } = await act("beforeTool", { tool: { name: "my_tool", input } }, [
          hook("BeforeTool", { out: { hookSpecificOutput: { tool_input: change } } }),
        ]);
        expect(JSON.stringify(saw[0]?.["tool_input"])).toBe(JSON.stringify(input));
        const merged = Object.fromEntries([...Object.entries(input), ...Object.entries(change)]);
        expect(outcome.action === "proceed" && sorted(outcome.input ?? {})).toBe(sorted(merged));
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      RUNS,
    );
  });
});
const sorted = (object: JsonObject): string => JSON.stringify(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

const opinion: fc.Arbitrary<Opinion> = fc.record(
  {
    ruling: fc.record({ kind: fc.constantFrom(...RULINGS), reason: fc.option(fc.string(), { nil: undefined }) }),
    message: fc.string(),
    context: fc.string(),
    input: fc.record({ how: fc.constantFrom("merge" as const, "whole" as const), value: fc.dictionary(trickyKeys, fc.integer()) }),
    result: anyJson,
    response: fc.record({ parts: fc.array(fc.string()) }),
    toolLimit: fc.record({ mode: fc.constantFrom("auto" as const, "any" as const, "none" as const), allowed: fc.array(fc.string()) }),
    clearContext: fc.constant(true as const),
    quiet: fc.constant(true as const),
  },
  { requiredKeys: [] },
);
const reports = fc.array(
  fc.tuple(opinion, fc.constantFrom("gemini", "harbour", undefined), fc.nat(3)).map(
    ([said, dialect, lane]): Report => ({
      entry: entryOf(dialect, "BeforeTool", { lane }),
      run: runOf({}),
      status: "ok",
      readAs: "object",
      output: undefined,
      opinion: said,
      problems: [],
      contextLasts: "turn",
      frame: (text) => text,
      quietHidesMessage: false,
    }),
  ),
  { maxLength: 6 },
);
const isDenied = (event: EventName, all: readonly Report[]): boolean => {
  const facts = rows.find((row) => row.event === event)?.facts as Facts[EventName];
  const original = (EVENTS[event].original as ((facts: Facts[EventName]) => Original) | undefined)?.(facts) ?? {};
  return !NOT_REFUSALS.includes(settle(event as "beforeTool", facts as Facts["beforeTool"], decide(all, { original })).action);
};
const NOT_REFUSALS = ["proceed", "answer", "grant"];

describe("whatever the hooks say together", { timeout: TIMEOUT_MS }, () => {
  it("where one of them denies, the action never goes on", () => {
    fc.assert(
      fc.property(fc.constantFrom(...denying), reports, (event, all) => {
        fc.pre(all.some(({ opinion: { ruling } }) => ruling?.kind === "deny"));
        const facts = rows.find((row) => row.event === event)?.facts as Facts["beforeTool"];
        expect(NOT_REFUSALS).not.toContain(settle(event as "beforeTool", facts, decide(all)).action);
      }),
      RUNS,
    );
  });
  it("one more denial never turns a refusal into anything else, wherever it stands", () => {
    fc.assert(
      fc.property(fc.constantFrom(...denying), reports, reports, fc.nat(6), (event, all, extra, at) => {
        const deny = extra.map((report): Report => ({ ...report, opinion: { ...report.opinion, ruling: { kind: "deny", reason: "no" } } }));
        const more = [...all.slice(0, at), ...deny, ...all.slice(at)];
        expect(isDenied(event, more)).toBe(isDenied(event, all) || deny.length > 0);
      }),
      RUNS,
    );
  });
  it("one more hook that says nothing changes nothing at all", () => {
    fc.assert(
      fc.property(reports, fc.nat(6), (all, at) => {
        const silent: Report = { ...(all[0] as Report), entry: entryOf("gemini", "BeforeTool"), opinion: {} };
        fc.pre(all.length > 0);
        expect(decide([...all.slice(0, at), silent, ...all.slice(at)])).toEqual(decide(all));
      }),
      RUNS,
    );
  });
  it("every one that ruled is named once: as what decided, or as overruled", () => {
    fc.assert(
      fc.property(reports, (all) => {
        const { because, overruled } = decide(all);
        const ruled = all.filter(({ opinion: { ruling } }) => ruling).map(({ entry }) => entry.id);
        expect([...because, ...overruled].sort()).toEqual([...ruled].sort());
      }),
      RUNS,
    );
  });
  it("and nothing depends on who finishes first", async () => {
    const scripted = fc.array(fc.tuple(output, fc.nat(3), fc.boolean(), fc.nat(4)), { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(anyRow, scripted, async (row, given) => {
        const entries = given.map(([, , , lane], i) =>
          entryOf(row.dialect, row.wire, { lane, order: i, id: `e${i}`, name: `n${i}`, same: `s${i}` }),
        );
        const hooks = (delays: boolean): Scripted[] =>
          given.map(([out, turns, denies], i) => ({
            entry: entries[i] as Scripted["entry"],
            answer: denies ? { exit: 2, err: `no ${i}` } : { out, ...(delays && turns > 0 ? { afterMs: turns % 2 } : {}) },
          }));
        const [slow, fast] = await Promise.all([fired(row, hooks(true)), fired(row, hooks(false))]);
        expect(slow.verdict).toEqual(fast.verdict);
        expect(slow.outcome).toEqual(fast.outcome);
      }),
      RUNS,
    );
  });
});
