/** The short answer of `fire` as text. */
import type { EventName, JsonObject, Status } from "@carabiner/engine";
import { STATUSES, statusClass } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { effectLines, firedView, isDenial } from "../src/views/index.ts";
import { denied, mixed, PLAIN, quiet, storyOf } from "./explain-story.ts";

const lines = (view: string): readonly string[] => {
  expect(view.endsWith("\n")).toBe(true);
  return view.slice(0, -1).split("\n");
};

describe("the short answer", () => {
  it("says what comes of the event, and each hook in a line", () => {
    expect(lines(firedView(denied(), PLAIN))).toEqual([
      "BeforeTool (write_file): blocked by guard",
      "  The tool does not run. The model reads this instead of a result:",
      "    | Not this file.",
      "",
      "  guard  denies (3 ms)",
      "  asker  overruled: wants the user asked (3 ms)",
    ]);
  });
  it("says why a hook was not called or failed, and what the user sees", () => {
    expect(lines(firedView(mixed(), PLAIN))).toEqual([
      "BeforeTool (write_file): proceeds",
      "  The tool runs with changed arguments:",
      '    | {"content":"x"}',
      "",
      '  format   not matched: its matcher "replace" does not fit "write_file"',
      "  twice    duplicate: the same hook is configured at .gemini/settings.json:8",
      "           (project), and runs from there",
      "  upload   failed: command not found (exit code 127) (3 ms)",
      "           The hook's command was not found by bash (exit code 127). The action",
      "           goes on as if the hook had said nothing. Check the path and the PATH",
      "           variable.",
      "  counter  gives a message, changes the arguments (3 ms)",
      "  1 hook is configured for other events.",
      "",
      "  The user sees:",
      "    counter:",
      "      | 40 lines",
      "    A warning about a hook, as told above.",
    ]);
  });
  it("does not show what is kept off the records", () => {
    expect(lines(firedView(quiet(), PLAIN))).toEqual([
      "BeforeTool (write_file): blocked by secret",
      "  The tool does not run. The model reads this instead of a result:",
      "    | (kept off the records)",
      "",
      "  secret  denies, keeps this out of the records (3 ms)",
    ]);
  });
  it("says that no hook is configured", () => {
    expect(lines(firedView(storyOf({}), PLAIN))).toEqual([
      "BeforeTool (write_file): proceeds",
      "  The tool runs with its arguments as they are.",
      "",
      "  No hook is configured for this event.",
    ]);
  });

  it("gives a long name a line of its own", () => {
    const story = storyOf({ long: { status: "ok", entry: { name: "$GEMINI_PROJECT_DIR/.gemini/hooks/security.sh" }, run: {} } });
    expect(lines(firedView(story, PLAIN)).slice(3)).toEqual([
      "  $GEMINI_PROJECT_DIR/.gemini/hooks/security.sh",
      "                                no opinion (3 ms)",
    ]);
  });

  it.each(STATUSES)("has words of its own for a hook that became %s", (status: Status) => {
    const run = statusClass(status) === "skipped" ? {} : { run: { exitCode: 1, signal: "SIGKILL" } };
    const [line = ""] = lines(firedView(storyOf({ hook: { status, ...run } }), PLAIN)).slice(3);
    expect(line).toMatch(/^ {2}hook {2}\S/);
    expect(line).not.toContain("undefined");
  });
});

describe("what an outcome means", () => {
  const meaning = (event: EventName, outcome: JsonObject) => {
    const story = storyOf({}, { outcome }, { event, subject: undefined });
    return { denial: isDenial(story), text: effectLines(story, "", 100) };
  };
  const reason = "because";
  const stop = (ends: string, more: JsonObject = {}): JsonObject => ({ action: "stop", ends, reason, withheld: false, ...more });
  const cases: readonly (readonly [EventName, JsonObject, boolean, readonly string[]])[] = [
    ["sessionStart", { action: "proceed" }, false, ["The session starts."]],
    ["sessionEnd", { action: "proceed" }, false, ["The session ends."]],
    ["beforeAgent", { action: "proceed" }, false, ["The prompt goes to the model."]],
    [
      "beforeAgent",
      { action: "discard", reason },
      true,
      ["The prompt does not reach the model, and is not kept in the history. The user reads:", "  | because"],
    ],
    [
      "beforeAgent",
      stop("turn", { withheld: true }),
      true,
      [
        "The prompt does not reach the model. The agent stops and waits for the user. The user reads:",
        "  | because",
        "A hook denied it as well: what that denial keeps back stays back.",
      ],
    ],
    ["afterAgent", { action: "proceed" }, false, ["The answer stands."]],
    [
      "afterAgent",
      { action: "retry", prompt: "Test it.", clearContext: true },
      true,
      ["The answer is not accepted: the agent goes on, with this as the next prompt:", "  | Test it.", "The history is cleared."],
    ],
    [
      "afterAgent",
      stop("session", { clearContext: true }),
      true,
      ["The session ends. The user reads:", "  | because", "The history is cleared."],
    ],
    ["beforeModel", { action: "proceed" }, false, ["The request goes to the model as it is."]],
    [
      "beforeModel",
      { action: "proceed", request: { model: "m" } },
      false,
      ["The request goes to the model with these changes:", '  | {"model":"m"}'],
    ],
    [
      "beforeModel",
      { action: "answer", response: { parts: ["Hello, ", "you."] } },
      false,
      ["The model is not called. This response takes its place:", "  | Hello, you."],
    ],
    [
      "beforeModel",
      { action: "block", reason, response: { parts: ["No."] } },
      true,
      [
        "The request does not go to the model, and the turn ends. The user reads:",
        "  | because",
        "This is shown as the answer:",
        "  | No.",
      ],
    ],
    [
      "beforeModel",
      stop("turn"),
      true,
      ["The request does not go to the model. The agent stops and waits for the user. The user reads:", "  | because"],
    ],
    ["beforeToolSelection", { action: "proceed" }, false, ["The model may use every tool."]],
    [
      "beforeToolSelection",
      { action: "proceed", toolLimit: { mode: "auto", allowed: ["glob"] } },
      false,
      ["The model may use these tools only:", "  | glob"],
    ],
    [
      "beforeToolSelection",
      { action: "proceed", toolLimit: { mode: "any", allowed: ["glob", "replace"] } },
      false,
      ["The model must use one of these tools:", "  | glob, replace"],
    ],
    ["beforeToolSelection", { action: "proceed", toolLimit: { mode: "none", allowed: [] } }, false, ["The model may use no tool."]],
    ["afterModel", { action: "proceed" }, false, ["What the model said is used as it is."]],
    ["afterModel", { action: "proceed", response: { parts: ["***"] } }, false, ["This takes the place of what the model said:", "  | ***"]],
    [
      "afterModel",
      { action: "discard", reason },
      true,
      ["What the model said is thrown away, and the turn ends. The user reads:", "  | because"],
    ],
    ["afterModel", stop("turn"), true, ["The agent stops and waits for the user. The user reads:", "  | because"]],
    ["beforeTool", { action: "proceed" }, false, ["The tool runs with its arguments as they are."]],
    [
      "beforeTool",
      { action: "proceed", input: { a: 1 }, question: "skip" },
      false,
      ["The tool runs with changed arguments:", '  | {"a":1}', "The user is not asked."],
    ],
    [
      "beforeTool",
      { action: "proceed", question: "ask", because: "Sure?" },
      false,
      ["The tool runs with its arguments as they are.", "The user is asked first:", "  | Sure?"],
    ],
    ["beforeTool", { action: "block", reason }, true, ["The tool does not run. The model reads this instead of a result:", "  | because"]],
    ["beforeTool", stop("turn"), true, ["The tool does not run. The agent stops and waits for the user. The user reads:", "  | because"]],
    ["permissionRequest", { action: "proceed" }, false, ["The user is asked, as without hooks."]],
    [
      "permissionRequest",
      { action: "grant", input: { a: 1 } },
      false,
      ["The user is not asked. The tool runs with changed arguments:", '  | {"a":1}'],
    ],
    ["permissionRequest", { action: "grant" }, false, ["The tool runs, and the user is not asked."]],
    [
      "permissionRequest",
      { action: "block", reason },
      true,
      ["The tool does not run, and the user is not asked. The model reads this instead of a result:", "  | because"],
    ],
    ["afterTool", { action: "proceed" }, false, ["The model reads the tool's result as it is."]],
    [
      "afterTool",
      { action: "proceed", result: "new", tailCall: { name: "glob", input: {} } },
      false,
      [
        "The model reads this instead of the tool's result:",
        "  | new",
        "This tool runs next, and its result takes the place of this one:",
        '  | {"name":"glob","input":{}}',
      ],
    ],
    ["afterTool", { action: "hide", reason }, true, ["The model does not read the tool's result. It reads this instead:", "  | because"]],
    ["subagentStart", { action: "proceed" }, false, ["The sub-agent starts."]],
    [
      "subagentStop",
      { action: "retry", prompt: "More." },
      true,
      ["The answer is not accepted: the sub-agent goes on, with this as the next prompt:", "  | More."],
    ],
    ["beforeCompress", { action: "proceed" }, false, ["The history is compressed."]],
    ["beforeCompress", { action: "cancel", reason }, true, ["The history is not compressed. The user reads:", "  | because"]],
    ["notification", { action: "proceed" }, false, ["The notification is shown."]],
    ["notification", { action: "explode" }, true, ["The agent is told: explode.", '  | {"action":"explode"}']],
  ];
  it.each(cases)("%s %j", (event, outcome, denial, text) => {
    expect(meaning(event, outcome)).toEqual({ denial, text });
  });
});
