import { expect, test } from "vitest";
import { hook, machine, on, PROJECT } from "./machine.ts";
import { other } from "./other-dialect.ts";

const matched = (event: string, matcher: unknown) =>
  machine({ [PROJECT]: on(event, [hook("a")], matcher === undefined ? {} : { matcher }) }).registry();
const matchedThere = (event: string, matcher: string) =>
  machine({ "project/.other/settings.json": on(event, [hook("a")], { matcher }) }).registry({ dialects: [other] });

test.each([undefined, "", "  ", "*", " * "])("the matcher %j matches everything, and nothing is wrong with it", (matcher) => {
  for (const event of ["BeforeTool", "SessionStart", "BeforeAgent"]) {
    const { entries, problems } = matched(event, matcher);
    expect([entries[0]?.matcher, entries[0]?.barred, problems]).toEqual([undefined, undefined, []]);
  }
});

test.each(["BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection"])(
  "%s has nothing to match: the hook runs, and the matcher is told",
  (event) => {
    const { entries, problems } = matched(event, "x");
    expect([entries[0]?.matcher, entries[0]?.barred]).toEqual([undefined, undefined]);
    expect(problems).toMatchObject([{ code: "MATCHER_NOTHING_TO_MATCH", place: { jsonPath: `hooks.${event}[0].matcher` }, hook: "a" }]);
  },
);

test("a regular expression that does not compile is compared as text", () => {
  const { entries, problems } = matched("BeforeTool", "write(");
  expect([entries[0]?.matcher, entries[0]?.barred]).toEqual(["write(", undefined]);
  expect(problems).toMatchObject([{ code: "MATCHER_BAD_REGEX", now: "It is compared as plain text." }]);
});

test("in the other syntax it bars the hook", () => {
  const { entries, problems } = matchedThere("PreToolUse", "write(");
  expect(entries[0]?.barred?.status).toBe("badMatcher");
  expect(problems).toMatchObject([{ code: "MATCHER_BAD_REGEX", now: "The hook never runs." }]);
});

test.each(["compact", "startup|resume", "Startup", "start"])("SessionStart %j fits no known source, and they are listed", (matcher) => {
  const { entries, problems } = matched("SessionStart", matcher);
  expect([entries[0]?.matcher, entries[0]?.barred]).toEqual([matcher, undefined]);
  expect(problems).toMatchObject([{ code: "MATCHER_MATCHES_NOTHING", expected: "one of startup, resume, clear" }]);
});

test.each([
  ["SessionStart", "startup"],
  ["SessionEnd", "prompt_input_exit"],
  ["PreCompress", "auto"],
  ["Notification", "ToolPermission"],
  ["BeforeTool", "any_tool"],
])("%s %s is a known value", (event, matcher) => {
  expect(matched(event, matcher).problems).toEqual([]);
});

test("of a list of names one known value is enough", () => {
  expect(matchedThere("SessionStart", "compact|later").problems).toEqual([]);
  expect(matchedThere("SessionStart", "sooner|later").problems).toMatchObject([{ code: "MATCHER_MATCHES_NOTHING" }]);
  expect(matchedThere("SessionStart", "soon.*").problems).toEqual([]);
});

test("a problem of a matcher names every hook of its group", () => {
  const { problems } = machine({ [PROJECT]: on("BeforeTool", [hook("a"), hook("b")], { matcher: "(" }) }).registry();
  expect(problems[0]?.hook).toBe("a, b");
});
