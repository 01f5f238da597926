import { describe, expect, it } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { decide } from "../../src/firing/decide.ts";
import { losing, SETTLING, settle } from "../../src/firing/settle.ts";
import {
  EVENT_NAMES,
  type EventName,
  type Facts,
  type Opinion,
  type Outcomes,
  type Report,
  type RulingKind,
} from "../../src/protocol/index.ts";
import { entryOf, runOf } from "./scripted.ts";

/** A report that says this, of an entry of its own lane. */
function report(opinion: Opinion, more: Partial<Parameters<typeof entryOf>[2]> & { readonly dialect?: string } = {}): Report {
  const { dialect = "gemini", ...entry } = more;
  return {
    entry: entryOf(dialect, "BeforeTool", entry),
    run: runOf({}),
    status: "ok",
    readAs: "object",
    output: {},
    opinion,
    problems: [],
    contextLasts: "turn",
    frame: (text) => `[${text}]`,
    quietHidesMessage: false,
  };
}
const ruling = (kind: RulingKind, reason?: string): Opinion => ({ ruling: { kind, reason } });

describe("the strongest ruling wins", () => {
  it("and names who decided and who lost", () => {
    const reports = [
      report(ruling("allow", "a")),
      report(ruling("deny", "one")),
      report({}),
      report(ruling("ask", "q")),
      report(ruling("deny", "two")),
    ];
    const verdict = decide(reports);
    expect(verdict.ruling).toEqual({ kind: "deny", reason: "one\ntwo" });
    expect(verdict.because).toEqual([reports[1]?.entry.id, reports[4]?.entry.id]);
    expect(verdict.overruled).toEqual([reports[0]?.entry.id, reports[3]?.entry.id]);
    expect(verdict.withheld).toBe(true);
    expect(verdict.steps.map(({ did }) => did)).toEqual([
      "says allow, and is overruled by something stronger",
      "says deny, and nothing said is stronger",
      "says ask, and is overruled by something stronger",
      "says deny, and nothing said is stronger",
    ]);
  });
  it("a stop keeps what a denial withholds withheld", () => {
    const facts: Facts["beforeAgent"] = { prompt: "p" };
    const stop = decide([report(ruling("endTurn", "s")), report(ruling("deny", "d"))]);
    expect(settle("beforeAgent", facts, stop)).toEqual({ action: "stop", ends: "turn", reason: "s", withheld: true, context: [] });
    expect(settle("beforeAgent", facts, decide([report(ruling("endTurn", "s"))]))).toMatchObject({ withheld: false });
    expect(settle("beforeAgent", facts, decide([report({ ...ruling("endTurn", "s"), withhold: true })]))).toMatchObject({ withheld: true });
  });
  it("without anybody's ruling there is none", () => {
    expect(decide([])).toEqual({
      ruling: undefined,
      because: [],
      overruled: [],
      withheld: false,
      slots: {},
      inputs: [],
      contexts: [],
      messages: [],
      steps: [],
      problems: [],
    });
    expect(decide([report({}), report({ message: "m" })])).toMatchObject({ ruling: undefined, because: [], overruled: [] });
  });
  it("a ruling without a reason has none, and the host gets a sentence", () => {
    const verdict = decide([report(ruling("deny"))]);
    expect(verdict.ruling).toEqual({ kind: "deny", reason: undefined });
    expect(settle("beforeCompress", { trigger: "auto" }, verdict)).toEqual({
      action: "cancel",
      reason: "A hook decided this without giving a reason.",
    });
  });
});

describe("each slot has one fold", () => {
  const slots = (...opinions: Opinion[]) => decide(opinions.map((opinion) => report(opinion))).slots;
  it("result, response and tail call: the last one", () => {
    expect(slots({ result: 1 }, {}, { result: null })).toEqual({ result: null });
    expect(slots({ response: { parts: ["a"] } }, { response: { parts: ["b"] } })).toEqual({ response: { parts: ["b"] } });
    expect(slots({ tailCall: { name: "a", input: {} } }, { tailCall: { name: "b", input: {} } })).toEqual({
      tailCall: { name: "b", input: {} },
    });
  });
  it("request: the changes composed, the later one where both speak of one thing", () => {
    const request = slots(
      { request: { model: "a", config: { x: 1, y: 1 }, messages: [{ at: 1, role: "user", content: "1" }] } },
      { request: { config: { y: 2 }, messages: [{ at: 0, role: "user", content: "0" }] } },
      { request: { messages: [{ at: 1, role: "user", content: "one" }] } },
    ).request;
    expect(request).toEqual({
      model: "a",
      config: { x: 1, y: 2 },
      messages: [
        { at: 0, role: "user", content: "0" },
        { at: 1, role: "user", content: "one" },
      ],
    });
  });
  it("request: what hooks side by side add is kept in order; what a group adds, its later hooks may change", () => {
    const added = (at: number, content: string): Opinion => ({ request: { messages: [{ at, role: "user", content }] } });
    const original = { request: () => ({ model: "m", messages: [{ role: "user" as const, content: "0" }], config: {} }) };
    const of = (...reports: Report[]) => {
      const { slots, problems } = decide(reports, { original });
      return { texts: slots.request?.messages?.map(({ at, content }) => `${at} ${content}`), problems: problems.length };
    };
    const alone = { lane: -1 };
    expect(of(report(added(1, "a")), report(added(1, "b")))).toEqual({ texts: ["1 a", "2 b"], problems: 0 });
    expect(of(report(added(1, "a"), alone), report(added(1, "A"), alone))).toEqual({ texts: ["1 A"], problems: 0 });
    expect(of(report(added(1, "a"), alone), report(added(2, "b"), alone), report(added(1, "c")))).toEqual({
      texts: ["1 a", "2 b", "3 c"],
      problems: 0,
    });
    // Past the end is the end, in a group too.
    expect(of(report(added(9, "a"), alone), report(added(2, "b"), alone))).toEqual({ texts: ["1 a", "2 b"], problems: 0 });
    expect(of(report(added(0, "a"), alone), report(added(0, "b"), alone), report(added(0, "b")))).toEqual({ texts: ["0 b"], problems: 0 });
    expect(of(report(added(0, "a")), report(added(0, "b")))).toEqual({ texts: ["0 b"], problems: 1 });
  });
  it("who says the original takes nothing from who says something else; a group has one word, its last", () => {
    const original = { result: { lines: 2 } };
    const did = (...reports: Report[]) => decide(reports, { original }).steps.map((step) => step.did);
    expect(decide([report({ result: "short" }), report({ result: { lines: 2 } })], { original }).slots).toEqual({ result: "short" });
    const alone = { lane: -1 };
    const group = [report({ result: "a" }, alone), report({ result: "b" }, alone)];
    expect(did(...group)).toEqual(["is replaced by a later hook of its group", "replaces the result given before"]);
    expect(decide(group, { original }).problems).toEqual([]);
    expect(decide([...group, report({ result: "b" })], { original }).problems).toEqual([]);
    expect(decide([...group, report({ result: "c" })], { original }).problems).toHaveLength(1);
    const chunk = { response: { parts: ["x"] } };
    const responses = [report({ response: { parts: ["a"] } }, alone), report({ response: { parts: ["b"] } }, alone)];
    expect(decide([...responses, report({ response: { parts: ["c"], usage: { total: 1 } } })], { original: chunk })).toMatchObject({
      slots: { response: { parts: ["c"], usage: { total: 1 } } },
      steps: [
        { did: "is replaced by a later hook of its group" },
        { did: expect.stringContaining("is laid over the response given before, except for response.parts[0]") },
        { did: "is laid over the response given before" },
      ],
    });
  });
  it("tool limit: NONE, then ANY, and the names together", () => {
    const of = (mode: "auto" | "any" | "none", ...allowed: string[]): Opinion => ({ toolLimit: { mode, allowed } });
    expect(slots(of("auto", "b"), of("any", "a", "b"), of("auto"))).toEqual({ toolLimit: { mode: "any", allowed: ["a", "b"] } });
    expect(slots(of("auto"))).toEqual({ toolLimit: { mode: "auto", allowed: [] } });
    expect(slots(of("none", "a"), of("any", "b"))).toEqual({ toolLimit: { mode: "none", allowed: [] } });
  });
  it("clear context: anybody's wish", () => {
    expect(slots({ clearContext: true }, {})).toEqual({ clearContext: true });
  });
  it("messages and contexts: all of them, in order, framed by their dialect", () => {
    const verdict = decide([report({ message: "a", context: "x" }), report({ message: "b" }), report({ context: "y" })]);
    expect(verdict.messages.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(verdict.contexts.map(({ framed }) => framed)).toEqual(["[x]", "[y]"]);
    expect(verdict.steps.map(({ what, did }) => `${what} ${did}`)).toEqual([
      "message counts",
      "context counts",
      "message is joined to what was said before",
      "context is joined to what was said before",
    ]);
  });
});

describe("changes of the arguments", () => {
  const original = { a: 1, b: 2 };
  const merge = (value: object, more = {}): Report => report({ input: { how: "merge", value: value as never } }, more);
  const whole = (value: object, more = {}): Report => report({ input: { how: "whole", value: value as never } }, more);
  const input = (...reports: Report[]) => {
    const outcome = settle("beforeTool", { tool: { name: "x", input: original } }, decide(reports, { original: { input: original } }));
    return outcome.action === "proceed" ? outcome.input : "refused";
  };
  const collide = (...reports: Report[]) => decide(reports, { original: { input: original } }).problems.map(({ what }) => what);

  it("are none where nobody changed anything", () => expect(input(report({}))).toBeUndefined());
  it("are laid over one another in order", () =>
    expect(input(merge({ a: 5 }), merge({ c: 3 }), merge({ a: 6 }))).toEqual({ a: 6, b: 2, c: 3 }));
  it("may be the whole of them", () => expect(input(whole({ c: 3 }))).toEqual({ c: 3 }));
  it("of two dialects compose by what differs", () =>
    expect(input(merge({ a: 5 }), whole({ a: 1, b: 7 }, { dialect: "harbour" }))).toEqual({ a: 5, b: 7 }));
  it("keep keys such as __proto__ as keys", () => {
    const found = input(merge(JSON.parse('{"__proto__":{"x":1},"constructor":2}')));
    expect(JSON.stringify(found)).toBe('{"a":1,"b":2,"__proto__":{"x":1},"constructor":2}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });
  it("collide where two that did not see each other change one thing differently", () => {
    expect(collide(merge({ a: 5 }), merge({ a: 6 }))).toHaveLength(1);
    expect(collide(merge({ a: 5 }), merge({ a: 5 }))).toEqual([]);
    expect(collide(merge({ a: 5 }), merge({ b: 6 }))).toEqual([]);
    expect(collide(merge({ a: 5 }, { lane: -1 }), merge({ a: 6 }, { lane: -1 }))).toEqual([]);
    expect(collide(whole({ a: 5 }), whole({ a: 6 }))).toEqual([expect.stringContaining("the whole input")]);
    expect(collide(whole({ a: 5, b: 2 }), merge({ b: 3 }, { dialect: "harbour" }))).toEqual([]);
    expect(collide(whole({ a: 5 }), merge({ b: 3 }, { dialect: "harbour" }))).toEqual([expect.stringContaining("both changed b")]);
  });
});

const example: Facts = {
  sessionStart: { source: "startup" },
  sessionEnd: { reason: "exit" },
  beforeAgent: { prompt: "p" },
  afterAgent: { prompt: "p", response: "r", retrying: false },
  beforeModel: { request: { model: "m", messages: [], config: {} } },
  beforeToolSelection: { request: { model: "m", messages: [], config: {} } },
  afterModel: { request: { model: "m", messages: [], config: {} }, response: { parts: [] } },
  beforeTool: { tool: { name: "x", input: {} } },
  permissionRequest: { tool: { name: "x", input: {} } },
  afterTool: { tool: { name: "x", input: {} }, result: { content: "" } },
  subagentStart: { agent: { id: "a", type: "t" } },
  subagentStop: { agent: { id: "a", type: "t" }, response: "r", retrying: false },
  beforeCompress: { trigger: "auto" },
  notification: { type: "idle", message: "m" },
};
type Settled = { readonly [E in EventName]: Outcomes[E] };
const on = <E extends EventName>(event: E, ...opinions: Opinion[]): Outcomes[E] =>
  settle(event, example[event], decide(opinions.map((opinion) => report(opinion))));
/** One outcome of every event; a forgotten event, or a shape it does not have, does not compile. */
const everywhere = (...opinions: Opinion[]): Settled => ({
  sessionStart: on("sessionStart", ...opinions),
  sessionEnd: on("sessionEnd", ...opinions),
  beforeAgent: on("beforeAgent", ...opinions),
  afterAgent: on("afterAgent", ...opinions),
  beforeModel: on("beforeModel", ...opinions),
  beforeToolSelection: on("beforeToolSelection", ...opinions),
  afterModel: on("afterModel", ...opinions),
  beforeTool: on("beforeTool", ...opinions),
  permissionRequest: on("permissionRequest", ...opinions),
  afterTool: on("afterTool", ...opinions),
  subagentStart: on("subagentStart", ...opinions),
  subagentStop: on("subagentStop", ...opinions),
  beforeCompress: on("beforeCompress", ...opinions),
  notification: on("notification", ...opinions),
});

describe("what an event does with a verdict", () => {
  it("nothing said: it goes on", () => {
    const none = { action: "proceed" } as const;
    expect(everywhere()).toEqual({
      sessionStart: { ...none, context: [] },
      sessionEnd: none,
      beforeAgent: { ...none, context: [] },
      afterAgent: none,
      beforeModel: { ...none, request: undefined },
      beforeToolSelection: { ...none, toolLimit: undefined },
      afterModel: { ...none, response: undefined },
      beforeTool: { ...none, input: undefined, question: undefined, because: undefined, context: [] },
      permissionRequest: none,
      afterTool: { ...none, result: undefined, tailCall: undefined, context: [] },
      subagentStart: { ...none, context: [] },
      subagentStop: none,
      beforeCompress: none,
      notification: none,
    } satisfies Settled);
  });
  it("a denial", () => {
    const actions = Object.fromEntries(Object.entries(everywhere(ruling("deny", "no"))).map(([event, { action }]) => [event, action]));
    expect(actions).toEqual({
      sessionStart: "proceed",
      sessionEnd: "proceed",
      beforeAgent: "discard",
      afterAgent: "retry",
      beforeModel: "block",
      beforeToolSelection: "proceed",
      afterModel: "discard",
      beforeTool: "block",
      permissionRequest: "block",
      afterTool: "hide",
      subagentStart: "proceed",
      subagentStop: "retry",
      beforeCompress: "cancel",
      notification: "proceed",
    });
    expect(on("afterAgent", { ...ruling("deny", "again"), clearContext: true })).toEqual({
      action: "retry",
      prompt: "again",
      clearContext: true,
    });
    expect(on("afterTool", { ...ruling("deny", "no"), context: "c" })).toMatchObject({
      action: "hide",
      reason: "no",
      context: [{ text: "c" }],
    });
    for (const event of ["beforeTool", "afterTool"] as const) {
      expect(on(event, ruling("deny", "no"), { context: "c" })).toMatchObject({ reason: "no", context: [{ text: "c" }] });
      expect(on(event, ruling("endTurn", "no"), { context: "c" })).toMatchObject({ action: "stop", context: [{ text: "c" }] });
    }
    expect(on("beforeModel", { ...ruling("deny", "no"), response: { parts: ["x"] } })).toEqual({
      action: "block",
      reason: "no",
      response: { parts: ["x"] },
    });
  });
  it.each(["endTurn", "endSession"] as const)("%s: it stops exactly where it can", (kind) => {
    const outcomes: [string, { readonly action: string }][] = Object.entries(everywhere(ruling(kind, "enough")));
    const stopped = outcomes.filter(([, { action }]) => action === "stop");
    expect(outcomes.flatMap(([event, { action }]) => (action === "stop" ? [] : [[event, action]]))).toEqual(
      ["sessionStart", "sessionEnd", "beforeToolSelection", "subagentStart", "notification"].map((event) => [event, "proceed"]),
    );
    for (const [, outcome] of stopped)
      expect(outcome).toMatchObject({ ends: kind === "endTurn" ? "turn" : "session", reason: "enough", withheld: false });
    expect(on("afterAgent", { ...ruling(kind, "x"), clearContext: true })).toMatchObject({ clearContext: true });
  });
  it("a stopped prompt keeps the context that is to stay with it, unless it was denied as well", () => {
    const says = (...opinions: Opinion[]) => {
      const reports = [report({ context: "passing" }), { ...report({ context: "staying" }), contextLasts: "history" as const }];
      return settle("beforeAgent", { prompt: "p" }, decide([...reports, ...opinions.map((opinion) => report(opinion))]));
    };
    expect(says(ruling("endTurn", "x"))).toMatchObject({ action: "stop", context: [{ text: "staying" }] });
    expect(says(ruling("endTurn", "x"), ruling("deny", "y"))).toMatchObject({ action: "stop", context: [] });
    expect(says(ruling("deny", "y"))).toEqual({ action: "discard", reason: "y" });
  });
  it("a firing that its host called off stops where it can, and the record says what that costs", () => {
    const said = report({ context: "c", request: { model: "m" } });
    const of = <E extends EventName>(event: E) => {
      const verdict = decide([said], { lost: losing(event, true) });
      return [settle(event, example[event], verdict, true).action, ...verdict.steps.map(({ what, did }) => `${what} ${did}`)];
    };
    expect(of("beforeModel")).toEqual(["stop", "context counts", "request does not count: the model is not asked"]);
    expect(of("beforeAgent")[1]).toBe("context does not count: it would last for this turn only, and the turn has ended");
    expect(of("sessionStart")).toEqual(["proceed", "context counts", "request counts"]);
  });
  it("an input counts on a permission request only where the call is granted", () => {
    const changed: Opinion = { input: { how: "merge", value: { a: 1 } } };
    const steps = (...opinions: Opinion[]) =>
      decide(
        opinions.map((opinion) => report(opinion)),
        { lost: losing("permissionRequest", false) },
      ).steps.map(({ what, did }) => `${what} ${did}`);
    expect(steps(changed)).toEqual(["input does not count: no hook granted the call"]);
    expect(steps({ ...changed, ...ruling("allow") }).join()).not.toContain("does not count");
  });
  it("a question, a permission, an answer", () => {
    expect(on("beforeTool", ruling("ask", "sure?"))).toMatchObject({ question: "ask", because: "sure?" });
    expect(on("beforeTool", ruling("allow", "known"))).toMatchObject({ question: "skip", because: "known" });
    expect(on("permissionRequest", { ...ruling("allow"), input: { how: "merge", value: { a: 1 } } })).toEqual({
      action: "grant",
      input: { a: 1 },
    });
    expect(on("permissionRequest", ruling("ask"))).toEqual({ action: "proceed" });
    expect(on("beforeModel", { response: { parts: ["x"] } })).toEqual({ action: "answer", response: { parts: ["x"] } });
  });
  it("no row reads or refuses what its event cannot carry out", () => {
    const rows = DIALECTS.flatMap((dialect) =>
      Object.entries(dialect.rows).map(([wire, row]) => ({ where: `${dialect.id} ${wire}`, row })),
    );
    const beyond = rows.flatMap(({ where, row }) => {
      const reads = row.reads as readonly { readonly fills: string; readonly values?: Readonly<Record<string, string>> }[];
      const kinds = reads.flatMap((read) => (read.fills === "ruling" ? Object.values(read.values ?? {}) : []));
      const { denied, stopped, asks, denialGoesOn } = SETTLING[row.on];
      const says = {
        denies: row.exit2 === "deny" || kinds.includes("deny"),
        stops: kinds.some((kind) => kind.startsWith("end")),
        asks: kinds.includes("ask"),
      };
      return [
        ...(says.denies && !denied ? [`${where} denies`] : []),
        ...(says.stops && !stopped ? [`${where} stops`] : []),
        ...(says.asks && !asks ? [`${where} asks`] : []),
        ...(row.failClosed && (row.exit2 !== "deny" || denialGoesOn) ? [`${where} fails closed`] : []),
      ];
    });
    expect(beyond).toEqual([]);
    expect(rows.length).toBeGreaterThan(20);
    expect(Object.keys(SETTLING).sort()).toEqual([...EVENT_NAMES].sort());
  });
});
