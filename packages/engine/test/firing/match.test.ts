import { describe, expect, it } from "vitest";
import { matches } from "../../src/firing/index.ts";
import type { Entry, EventName, Facts, ToolCall } from "../../src/protocol/index.ts";
import { entryOf, planOf } from "./scripted.ts";

const MANY = "a".repeat(40);

describe("a matcher", () => {
  it.each([undefined, "", "  ", "*", " * "])("that is %j fits everything in every syntax", (matcher) => {
    for (const syntax of ["exact", "regexElseLiteral", "namesElseRegex", "nothingToMatch"] as const)
      expect(matches(syntax, matcher, ["x"])).toBe(true);
  });
  it.each<[string, Parameters<typeof matches>[0], string, string, ReturnType<typeof matches>]>([
    ["exact fits the whole text", "exact", "startup", "startup", true],
    ["exact fits no part", "exact", "start", "startup", false],
    ["exact knows no pattern", "exact", "start.*", "startup", false],
    ["exact minds case", "exact", "Startup", "startup", false],
    ["a regex fits a part", "regexElseLiteral", "shell", "run_shell_command", true],
    ["a regex minds case", "regexElseLiteral", "Shell", "run_shell_command", false],
    ["a regex may be anchored", "regexElseLiteral", "^read_file$", "read_file_again", false],
    ["a regex knows alternatives", "regexElseLiteral", "write_file|replace", "replace", true],
    ["a regex may look ahead", "regexElseLiteral", "^(?!run_).*$", "run_shell_command", false],
    ["a broken regex is compared as a text", "regexElseLiteral", "run(", "run(", true],
    ["a broken regex fits nothing else", "regexElseLiteral", "run(", "run", false],
    ["names fit whole names", "namesElseRegex", "Bash", "BashOutput", false],
    ["names know alternatives", "namesElseRegex", "Write | Edit", "Edit", true],
    ["names with a pattern are a regex", "namesElseRegex", "Write|Edit.*", "NotebookEdit", true],
    ["a broken regex among names is unusable", "namesElseRegex", "other|(", "other", "unusable"],
    ["nothing to match fits whatever it says", "nothingToMatch", "xyz", "", true],
    ["an empty alternative of a regex fits everything, as in JavaScript", "regexElseLiteral", "a|", "zzz", true],
  ])("%s", (_what, syntax, matcher, subject, expected) => {
    expect(matches(syntax, matcher, [subject])).toBe(expected);
  });
  it("fits where any of several subjects does", () => {
    expect(matches("regexElseLiteral", "^search_file_content$", ["grep_search", "search_file_content"])).toBe(true);
    expect(matches("namesElseRegex", "(", ["a", "b"])).toBe("unusable");
  });
  it.each([
    ["nested repetition", "^(a+)+$"],
    ["alternatives that overlap", "^(a|a)+$"],
    ["alternatives that overlap, counted", "^(a|aa){1,60}$"],
    ["many optional parts", `^${"a?".repeat(30)}${"a".repeat(10)}$`],
    ["an optional part that is counted", "^(a?){30}a{10}$"],
    ["a back reference", "^(a*)*\\1$"],
    ["a named back reference", "^(?<x>a*)*\\k<x>$"],
    ["a lazy repetition in another", "^(a+?)+?$"],
  ])("with %s cannot stall the host", (_what, pattern) => {
    const began = performance.now();
    expect(matches("regexElseLiteral", pattern, [`${MANY}!`])).toBe("tooSlow");
    expect(performance.now() - began).toBeLessThan(10_000);
  });
  it("cannot stall the host on a very long name either", () => {
    const began = performance.now();
    expect(["tooSlow", false]).toContain(matches("regexElseLiteral", "a*b", ["a".repeat(300_000)]));
    expect(performance.now() - began).toBeLessThan(10_000);
  });
  it("works again after one was too slow", () => {
    expect(matches("regexElseLiteral", "^(a+)+$", [`${MANY}?`])).toBe("tooSlow");
    expect(matches("regexElseLiteral", "^(a+)+$", ["aaa"])).toBe(true);
    expect(matches("regexElseLiteral", "^(b+)+$", ["aaa"])).toBe(false);
  });
});

describe("a plan", () => {
  const tool = (call: ToolCall): Facts["beforeTool"] => ({ tool: call });
  const statuses = (event: EventName, facts: Facts[EventName], ...entries: readonly Entry[]) => planOf(event, facts, entries).statuses;

  it("gives every entry a status, and every one that does not run a reason", () => {
    const entries = [
      entryOf("gemini", "BeforeTool"),
      entryOf("gemini", "AfterTool"),
      entryOf("gemini", "BeforeTool", { matcher: "^read" }),
      entryOf("gemini", "BeforeTool", { barred: { status: "disabled", why: "switched off" } }),
      entryOf("gemini", "AfterTool", { barred: { status: "disabled", why: "switched off" } }),
      entryOf("gemini", "Elsewhere"),
      entryOf("gemini", "__proto__"),
      entryOf("gemini", "constructor"),
      entryOf("harbour", "PreUse", { matcher: "(" }),
      entryOf("gemini", "BeforeTool", { matcher: "^(_?[a-z]+)+!$" }),
      entryOf(undefined, "beforeTool", { matcher: "shell" }),
      entryOf(undefined, "afterTool"),
      entryOf(undefined, "beforeTool", { barred: { status: "broken", why: "it is broken" } }),
      entryOf("unknown-dialect", "BeforeTool"),
    ];
    const made = planOf("beforeTool", tool({ name: "run_shell_command_with_a_long_name_indeed", input: {} }), entries);
    expect(made.statuses).toEqual([
      "ok",
      "notMatched",
      "notMatched",
      "disabled",
      "notMatched",
      "notFiredHere",
      "notFiredHere",
      "notFiredHere",
      "badMatcher",
      "badMatcher",
      "ok",
      "notMatched",
      "broken",
      "notMatched",
    ]);
    expect(Object.keys(made.why)).toEqual(made.statuses.flatMap((status, i) => (status === "ok" ? [] : [String(i)])));
    expect(made.candidates).toEqual([entries[0], entries[10]]);
    expect(made.problems).toMatchObject([{ code: "MATCHER_TOO_SLOW", hook: entries[9]?.name, place: { entry: entries[9]?.id } }]);
  });

  it("tests a matcher on the name in the hook's words, on its older names, and on the name the host used", () => {
    const grep = entryOf("gemini", "BeforeTool", { matcher: "^grep_search$" });
    const old = entryOf("gemini", "BeforeTool", { matcher: "^search_file_content$" });
    expect(statuses("beforeTool", tool({ name: "grep_search", input: {} }), grep, old)).toEqual(["ok", "ok"]);
    expect(statuses("beforeTool", tool({ name: "search_file_content", input: {} }), grep, old)).toEqual(["ok", "ok"]);
    expect(statuses("beforeTool", tool({ name: "read_file", input: {} }), entryOf("harbour", "PreUse", { matcher: "Open" }))).toEqual([
      "ok",
    ]);
  });

  it("builds the name of an MCP tool from its origin, never from the text the host shows", () => {
    const call: ToolCall = { name: "anything", input: {}, mcp: { server: "a_b", tool: "c" } };
    expect(
      statuses(
        "beforeTool",
        tool(call),
        entryOf("gemini", "BeforeTool", { matcher: "^mcp_a_b_c$" }),
        entryOf("harbour", "PreUse", { matcher: "mcp__a_b__c" }),
        entryOf("gemini", "BeforeTool", { matcher: "^anything$" }),
      ),
    ).toEqual(["ok", "ok", "notMatched"]);
    const disguised: ToolCall = { name: "x", input: {}, mcp: { server: "s", tool: "run_shell_command" } };
    expect(statuses("beforeTool", tool(disguised), entryOf("gemini", "BeforeTool", { matcher: "^run_shell_command$" }))).toEqual([
      "notMatched",
    ]);
  });

  it("runs a hook whatever matcher it gives where there is nothing to match", () => {
    expect(
      statuses("afterAgent", { prompt: "p", response: "r", retrying: false }, entryOf("gemini", "AfterAgent", { matcher: "never" })),
    ).toEqual(["ok"]);
  });

  it("passes an unlisted word on, and keeps one from a dialect that lists it as none of its own", () => {
    expect(statuses("sessionStart", { source: "teleport" }, entryOf("gemini", "SessionStart", { matcher: "teleport" }))).toEqual(["ok"]);
    expect(statuses("sessionStart", { source: "compact" }, entryOf("gemini", "SessionStart"))).toEqual(["notThisVariant"]);
    expect(statuses("sessionEnd", { reason: "promptExit" }, entryOf("gemini", "SessionEnd", { matcher: "prompt_input_exit" }))).toEqual([
      "ok",
    ]);
    expect(statuses("sessionEnd", { reason: "__proto__" }, entryOf("gemini", "SessionEnd", { matcher: "__proto__" }))).toEqual(["ok"]);
    expect(statuses("sessionEnd", { reason: "constructor" }, entryOf("gemini", "SessionEnd", { matcher: "constructor" }))).toEqual(["ok"]);
  });

  it("is final only where nothing has to be looked at per firing", () => {
    const final = (...entries: Entry[]) => planOf("beforeTool", tool({ name: "x", input: {} }), entries).final;
    expect(final(entryOf("gemini", "BeforeTool"))).toBe(true);
    expect(final(entryOf("gemini", "BeforeTool", { once: true }))).toBe(false);
    expect(final(entryOf("gemini", "BeforeTool", { condition: { tool: "x", pattern: undefined } }))).toBe(false);
    expect(final(entryOf("gemini", "AfterTool", { once: true }))).toBe(true);
  });

  it("drops duplicates already where it is final", () => {
    const twin = { same: "twin" };
    const entries = [
      entryOf("gemini", "BeforeTool", { ...twin, scope: "project" }),
      entryOf("gemini", "BeforeTool", { ...twin, scope: "user" }),
    ];
    const made = planOf("beforeTool", tool({ name: "x", input: {} }), entries);
    expect(made.statuses).toEqual(["duplicate", "ok"]);
    expect(made.why[0]).toContain(entries[1]?.id);
    expect(made.candidates).toEqual([entries[1]]);
  });
});
