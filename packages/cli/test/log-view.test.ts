/** The list of firings as text. */
import { describe, expect, it } from "vitest";
import { logView, quietView } from "../src/views/index.ts";
import { denied, mixed, PLAIN, storyOf } from "./explain-story.ts";

describe("the list of firings", () => {
  it("has one line each, in columns that stand below each other whatever the width of characters", () => {
    const wide = storyOf({}, { at: "2026-03-01T12:00:05.000Z" }, { subject: "日本語のツール" });
    expect(logView([denied(), mixed(), wide], { ...PLAIN, columns: 120 })).toBe(
      [
        "03-01 12:00:00  a1b2c3-1  BeforeTool  write_file      blocked by guard, 2 hooks, 12 ms",
        "03-01 12:00:00  a1b2c3-1  BeforeTool  write_file      proceeds in sub-agent reviewer, 1 of 2 hooks failed, 12 ms",
        "03-01 12:00:05  a1b2c3-1  BeforeTool  日本語のツール  proceeds, no hooks, 12 ms",
        "",
      ].join("\n"),
    );
  });

  it("cuts what does not fit a narrow terminal, and nothing where nobody looks at a terminal", () => {
    const long = storyOf({}, {}, { subject: "mcp_a_very_long_server_name_and_its_tool" });
    expect(logView([long], PLAIN)).toBe("03-01 12:00:00  a1b2c3-1  BeforeTool  mcp_a_very_long...  proceeds, no hooks,...\n");
    expect(logView([long], { ...PLAIN, columns: Number.POSITIVE_INFINITY })).toBe(
      "03-01 12:00:00  a1b2c3-1  BeforeTool  mcp_a_very_long_server_name_and_its_tool  proceeds, no hooks, 12 ms\n",
    );
  });

  it("is empty without firings", () => {
    expect(logView([], PLAIN)).toBe("");
  });
});

describe("firings in which nothing ran", () => {
  it("are summed up by event", () => {
    const quiet = [
      { event: "beforeTool", count: 10 },
      { event: "notification", count: 2 },
      { event: "beforeTool", count: 1 },
    ];
    expect(quietView(quiet, PLAIN)).toBe("13 times an event was fired, and no hook was called: 11 BeforeTool, 2\nNotification.\n");
    expect(quietView([{ event: "afterTool", count: 1 }], PLAIN)).toBe("Once an event was fired, and no hook was called: 1 AfterTool.\n");
    expect(quietView([], PLAIN)).toBe("");
  });
});
