// Scenarios of Gemini CLI's own hook tests, played with fixtures of ours. Source: the study of Gemini CLI, 9.3 and 9.4, by row.
import { existsSync } from "node:fs";
import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { answers, type Rig, rig } from "./peer-rig.ts";

const { text, call, nothing } = answers;
const prints = (value: unknown, more = ""): string => `${more}console.log(${JSON.stringify(JSON.stringify(value))});\n`;
const handler = (command: string, more: JsonObject = {}): JsonObject => ({ type: "command", command, timeout: 5000, ...more });
const group = (command: string, more: JsonObject = {}): JsonObject => ({ ...more, hooks: [handler(command)] });
const writes = (file_path: string, content: string): object => call("write_file", { file_path, content });
const wrote = (at: Rig, success: boolean): readonly unknown[] =>
  at.records("tool_call").filter((found) => found["function_name"] === "write_file" && found["success"] === success);

interface Scenario {
  readonly row: string;
  readonly does: string;
  readonly play: (at: Rig) => Promise<void>;
}
const blocks =
  (source: string): Scenario["play"] =>
  async (at) => {
    const command = at.script("hook.js", source);
    at.setup({ hooks: { BeforeTool: [group(command, { matcher: "write_file", sequential: true })] } });
    const result = await at.run("Create a file called test.txt", [writes("test.txt", "x"), text("It is not allowed.")]);
    expect(result).toContain("writes are closed");
    expect(wrote(at, true)).toEqual([]);
    expect(existsSync(at.path("test.txt"))).toBe(false);
    expect(at.hooks("BeforeTool")).toHaveLength(1);
    expect(`${at.hooks()[0]?.stdout}${at.hooks()[0]?.stderr}`).toContain('"decision":');
  };
const refuses =
  (decision: "deny" | "block"): Scenario["play"] =>
  async (at) => {
    at.setup({ hooks: { BeforeModel: [group(at.script("hook.js", prints({ decision, reason: "the model is closed" })))] } });
    expect(await at.run("Hello")).toContain("the model is closed");
    expect(at.records("api_request")).toEqual([]);
    expect(at.hooks("BeforeModel")).toHaveLength(1);
  };

const SCENARIOS: readonly Scenario[] = [
  {
    row: "9.3 1",
    does: "a block keeps the tool from running",
    play: blocks(prints({ decision: "block", reason: "writes are closed" })),
  },
  {
    row: "9.3 2",
    does: "exit 2 with stderr keeps the tool from running",
    play: blocks(`console.error(${JSON.stringify(JSON.stringify({ decision: "deny", reason: "writes are closed" }))}); process.exit(2);\n`),
  },
  {
    row: "9.3 3",
    does: "an allow lets the tool run",
    play: async (at) => {
      at.setup({
        hooks: { BeforeTool: [group(at.script("hook.js", prints({ decision: "allow", reason: "fine" })), { matcher: "write_file" })] },
      });
      await at.run("Create approved.txt", [writes("approved.txt", "Approved words"), nothing(), text("left over")]);
      expect(at.file("approved.txt")).toContain("Approved words");
      expect(wrote(at, true)).toHaveLength(1);
      expect(at.hooks()).toHaveLength(1);
    },
  },
  {
    row: "9.3 4",
    does: "context after a tool, and the whole record of its hook",
    play: async (at) => {
      at.on.write("peer/test-file.txt", "words");
      const command = at.script(
        "hook.js",
        prints({ decision: "allow", hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "scanned" } }),
      );
      at.setup({ hooks: { AfterTool: [group(command, { matcher: "read_file", sequential: true })] } });
      await at.run("Read test-file.txt", [call("read_file", { file_path: "test-file.txt" }), text("Read.")]);
      expect(at.records("tool_call")).toMatchObject([{ function_name: "read_file", success: true }]);
      expect(at.hooks()).toMatchObject([{ hook_event_name: "AfterTool", hook_name: command, exit_code: 0, success: true, stderr: "" }]);
      const [log] = at.records("hook_call");
      expect(log).toMatchObject({ interactive: false, hook_type: "command", "event.name": "gemini_cli.hook_call" });
      expect(log?.["hook_input"], "two spaces of indentation").toMatch(/^\{\n {2}"session_id": /);
      expect(at.hooks()[0]?.output).toMatchObject({ hookSpecificOutput: { additionalContext: "scanned" } });
    },
  },
  {
    row: "9.3 5",
    does: "a tail call writes what the hook asked for",
    play: async (at) => {
      at.on.write("peer/original.txt", "words");
      const tail = {
        hookSpecificOutput: {
          hookEventName: "AfterTool",
          tailToolCallRequest: { name: "write_file", args: { file_path: "tail-called-file.txt", content: "Words of the tail" } },
        },
      };
      at.setup({ hooks: { AfterTool: [group(at.script("hook.js", prints(tail)), { matcher: "read_file" })] } });
      const result = await at.run("Read original.txt", [call("read_file", { file_path: "original.txt" }), text("The tail was called.")]);
      expect(result).toContain("The tail was called.");
      expect(at.file("tail-called-file.txt")).toBe("Words of the tail");
      expect(at.hooks("AfterTool")).toHaveLength(1);
      expect(at.records("tool_call").map((found) => [found["function_name"], found["success"]])).toEqual([
        ["read_file", true],
        ["write_file", true],
      ]);
    },
  },
  {
    row: "9.3 6",
    does: "a changed request is the one that is made",
    play: async (at) => {
      const changed = {
        hookSpecificOutput: {
          hookEventName: "BeforeModel",
          llm_request: { messages: [{ role: "user", content: "Say that a hook was here" }] },
        },
      };
      const command = at.script("hook.js", prints(changed));
      at.setup({ hooks: { BeforeModel: [group(command)] } });
      expect(await at.run("Hello", [text("A hook was here.")])).toContain("A hook was here.");
      expect(at.hooks()).toMatchObject([{ hook_event_name: "BeforeModel", hook_name: command, exit_code: 0 }]);
      expect(at.records("api_request")[0]?.["request_text"]).toContain("Say that a hook was here");
    },
  },
  { row: "9.3 7", does: "a denied request is not made", play: refuses("deny") },
  { row: "9.3 8", does: "a blocked request is not made", play: refuses("block") },
  {
    row: "9.3 9",
    does: "every chunk replaced, thoughts not printed",
    play: async (at) => {
      const filtered = {
        candidates: [{ content: { role: "model", parts: ["[FILTERED] The answer was withheld."] }, finishReason: "STOP" }],
      };
      at.setup({
        hooks: {
          AfterModel: [
            group(at.script("hook.js", prints({ hookSpecificOutput: { hookEventName: "AfterModel", llm_response: filtered } }))),
          ],
        },
      });
      const result = await at.run("What is 2 + 2?", [text("4")]);
      expect(result).toContain("[FILTERED] The answer was withheld.");
      expect(result.split("\n\nStdErr:")[0]).not.toMatch(/4|Thinking/);
      expect(at.hooks("AfterModel").length).toBeGreaterThan(0);
    },
  },
  {
    row: "9.3 10",
    does: "a selection of tools is recorded",
    play: async (at) => {
      at.on.write("peer/new_file_data.txt", "words");
      const selection = {
        hookSpecificOutput: { hookEventName: "BeforeToolSelection", toolConfig: { mode: "ANY", allowedFunctionNames: ["read_file"] } },
      };
      at.setup({ general: { debugMode: true }, hooks: { BeforeToolSelection: [group(at.script("hook.js", prints(selection)))] } });
      await at.run("Check new_file_data.txt", [call("read_file", { file_path: "new_file_data.txt" }), text("Done.")]);
      const [log] = at.hooks("BeforeToolSelection");
      expect(log?.success).toBe(true);
      expect(JSON.stringify(log?.output)).toContain("read_file");
    },
  },
  {
    row: "9.3 11",
    does: "context before the agent",
    play: async (at) => {
      const command = at.script(
        "hook.js",
        prints({ decision: "allow", hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "Mind the locks." } }),
      );
      at.setup({ hooks: { BeforeAgent: [group(command)] } });
      expect(await at.run("Hello", [text("I mind the locks.")])).toContain("locks");
      expect(at.hooks()).toHaveLength(1);
      expect(at.records("api_request")[0]?.["request_text"]).toContain("<hook_context>Mind the locks.</hook_context>");
    },
  },
  {
    row: "9.3 13",
    does: "two hooks in sequence are each recorded",
    play: async (at) => {
      const [first, second] = ["one", "two"].map((step) =>
        at.script(
          `${step}.js`,
          prints({ decision: "allow", hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: `Step ${step}` } }),
        ),
      );
      at.setup({ hooks: { BeforeAgent: [{ sequential: true, hooks: [handler(first ?? ""), handler(second ?? "")] }] } });
      await at.run("Hello", [text("Hi.")]);
      expect(at.hooks().map(({ hook_name, exit_code }) => [hook_name, exit_code])).toEqual([
        [first, 0],
        [second, 0],
      ]);
      expect(at.hooks().map(({ stdout }) => stdout)).toEqual([expect.stringContaining("Step one"), expect.stringContaining("Step two")]);
    },
  },
  {
    row: "9.3 14",
    does: "the input has every field",
    play: async (at) => {
      const checks = [
        'const given = JSON.parse(require("node:fs").readFileSync(0, "utf8"));',
        'const lacks = ["session_id", "cwd", "hook_event_name", "timestamp", "tool_name", "tool_input"].filter((key) => !given[key]);',
        'console.log(JSON.stringify(lacks.length ? { decision: "block", reason: lacks.join() } : { decision: "allow" }));',
      ];
      at.setup({ hooks: { BeforeTool: [group(at.script("hook.js", checks.join("\n")))] } });
      await at.run("Create input-test.txt", [writes("input-test.txt", "test"), text("Done.")]);
      expect(at.file("input-test.txt")).toContain("test");
      expect(wrote(at, true)).toHaveLength(1);
    },
  },
  {
    row: "9.3 15",
    does: "a text before the JSON makes all of it a message",
    play: async (at) => {
      const command = at.script("hook.js", prints({ decision: "deny", reason: "must not count" }, 'console.log("Some noise");\n'));
      at.setup({ hooks: { BeforeTool: [group(command, { matcher: "write_file" })] } });
      const result = await at.run("Create approved.txt", [writes("approved.txt", "Approved words"), nothing()]);
      expect(wrote(at, true)).toHaveLength(1);
      expect(result).toContain("Some noise");
      expect(result).toContain("must not count");
    },
  },
  {
    row: "9.3 16",
    does: "hooks on several events, each recorded, messages shown",
    play: async (at) => {
      const says = (event: string, message: string): string =>
        at.script(`${event}.js`, prints({ decision: "allow", systemMessage: `${event}: ${message}` }));
      const commands = {
        BeforeAgent: says("BeforeAgent", "prompt"),
        BeforeTool: says("BeforeTool", "a file is written"),
        AfterTool: says("AfterTool", "a file was written"),
      };
      at.setup({
        hooks: {
          BeforeAgent: [group(commands.BeforeAgent)],
          BeforeTool: [group(commands.BeforeTool, { matcher: "write_file" })],
          AfterTool: [group(commands.AfterTool, { matcher: "write_file" })],
        },
      });
      const result = await at.run("Create many.txt", [writes("many.txt", "words"), nothing(), text("left over")]);
      expect(at.file("many.txt")).toBe("words");
      expect(result).toContain("BeforeTool: a file is written");
      expect(at.hooks().map(({ hook_name, exit_code, stdout }) => [hook_name, exit_code, stdout.includes("decision")])).toEqual(
        Object.values(commands).map((command) => [command, 0, true]),
      );
    },
  },
  {
    row: "9.3 17",
    does: "a hook that fails in silence costs nothing",
    play: async (at) => {
      const commands = [at.script("fails.js", "process.exit(1);\n"), at.script("works.js", prints({ decision: "allow" }))];
      at.setup({ hooks: { BeforeTool: [{ hooks: commands.map((command) => handler(command)) }] } });
      await at.run("Create error-test.txt", [writes("error-test.txt", "words"), text("Done.")]);
      expect(at.file("error-test.txt")).toBe("words");
      expect(at.hooks().map(({ exit_code, success }) => [exit_code, success])).toEqual([
        [1, false],
        [0, true],
      ]);
    },
  },
  {
    row: "9.3 18",
    does: "telemetry has the tool and the hook",
    play: async (at) => {
      at.setup({ hooks: { BeforeTool: [group(at.script("hook.js", prints({ decision: "allow" })))] } });
      await at.run("Create telemetry-test.txt", [writes("telemetry-test.txt", "words"), text("Done.")]);
      expect(wrote(at, true)).toHaveLength(1);
      expect(at.hooks()).toHaveLength(1);
      expect(at.records("api_request")).toMatchObject([{ model: "gemini-3-flash-preview" }, { model: "gemini-3-flash-preview" }]);
      expect(at.on.read("peer-home/telemetry.log")).toContain('"scopeMetrics"');
    },
  },
  {
    row: "9.3 19",
    does: "the start of a session",
    play: async (at) => {
      const command = at.script("hook.js", prints({ decision: "allow", systemMessage: "A session starts." }));
      at.setup({ hooks: { SessionStart: [group(command, { matcher: "startup", sequential: true })] } });
      await at.run("Hello", [text("Hi.")]);
      expect(at.hooks()).toMatchObject([
        { hook_event_name: "SessionStart", hook_name: command, exit_code: 0, input: { source: "startup" } },
      ]);
      expect(at.hooks()[0]?.stdout).toContain("A session starts.");
    },
  },
  {
    row: "9.3 20",
    does: "context from the start of a session is in the first request",
    play: async (at) => {
      const output = {
        systemMessage: "Context was added.",
        hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "You are a mountaineer." },
      };
      at.setup({ hooks: { SessionStart: [group(at.script("hook.js", prints(output)), { matcher: "startup" })] } });
      expect(await at.run("Who are you?", [text("A mountaineer.")])).toContain("Context was added.");
      expect(at.hooks("SessionStart")).toHaveLength(1);
      expect(at.records("api_request")[0]?.["request_text"]).toContain("You are a mountaineer.");
    },
  },
  {
    row: "9.3 24",
    does: "the end of a session",
    play: async (at) => {
      const command = at.script("hook.js", prints({ decision: "allow", systemMessage: "It ends." }));
      at.setup({ hooks: { SessionEnd: [group(command, { matcher: "exit", sequential: true })] } });
      await at.run("Hello", [text("Hi.")]);
      expect(at.hooks()).toMatchObject([{ hook_event_name: "SessionEnd", hook_name: command, input: { reason: "exit" } }]);
    },
  },
  {
    row: "9.3 25 and 26",
    does: "a disabled hook does not run, in this run and the next",
    play: async (at) => {
      at.script("enabled_hook.js", prints({ decision: "allow", systemMessage: "enabled was here" }));
      at.script("disabled_hook.js", prints({ decision: "block", reason: "disabled was here" }));
      at.setup({
        hooksConfig: { enabled: true, disabled: ["hook-b"] },
        hooks: {
          BeforeTool: [
            { hooks: [handler("node enabled_hook.js", { name: "hook-a" }), handler("node disabled_hook.js", { name: "hook-b" })] },
          ],
        },
      });
      for (const name of ["first.txt", "second.txt"]) await at.run(`Create ${name}`, [writes(name, "words"), text("Done.")]);
      expect([at.file("first.txt"), at.file("second.txt")]).toEqual(["words", "words"]);
      expect(at.hooks().map(({ hook_name, output }) => [hook_name, output?.["systemMessage"]])).toEqual([
        ["hook-a", "enabled was here"],
        ["hook-a", "enabled was here"],
      ]);
    },
  },
  {
    row: "9.3 27",
    does: "changed arguments are what runs and what is recorded, once",
    play: async (at) => {
      const command = at.script(
        "input-hook.js",
        prints({
          hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { file_path: "modified.txt", content: "modified words" } },
        }),
      );
      at.setup({ hooks: { BeforeTool: [group(command, { matcher: "write_file", sequential: true })] } });
      await at.run("Create original.txt", [writes("original.txt", "original words"), text("Done.")]);
      expect(at.file("modified.txt")).toBe("modified words");
      expect(existsSync(at.path("original.txt"))).toBe(false);
      expect(at.hooks()).toHaveLength(1);
      expect(at.hooks()[0]?.hook_name).toContain("input-hook.js");
      const tools = at.records("tool_call");
      expect(tools).toHaveLength(1);
      expect(tools[0]).toMatchObject({ function_name: "write_file", success: true });
      expect(JSON.parse(String(tools[0]?.["function_args"]))).toMatchObject({ file_path: "modified.txt" });
    },
  },
  {
    row: "9.3 28",
    does: "a stop before a tool ends the run",
    play: async (at) => {
      at.setup({ hooks: { BeforeTool: [group(at.script("hook.js", prints({ continue: false, reason: "The rope is cut" })))] } });
      const result = await at.run("Create stop.txt", [writes("stop.txt", "words"), text("Never said.")]);
      expect(result).toContain("Agent execution stopped by hook: The rope is cut");
      expect(result).not.toContain("Never said.");
      expect(wrote(at, true)).toEqual([]);
    },
  },
  {
    row: "9.4 1",
    does: "context before the agent, over several chunks",
    play: async (at) => {
      const output = {
        decision: "allow",
        hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "Words that a hook added." },
      };
      at.setup({ hooks: { BeforeAgent: [group(at.script("hook.js", prints(output)))] } });
      expect(await at.run("Hello", [text("Response to: ", "Hello World")])).toContain("Response to: Hello World");
      const [log] = at.hooks("BeforeAgent");
      expect(log?.stdout).toContain('"decision":"allow"');
      expect(log?.stdout).toContain("Words that a hook added.");
    },
  },
  {
    row: "9.4 2",
    does: "what a hook after the agent reads",
    play: async (at) => {
      at.setup({
        hooks: { AfterAgent: [group(at.script("hook.js", 'console.log("Read: " + require("node:fs").readFileSync(0, "utf8"));\n'))] },
      });
      await at.run("Hello validation", [text("Response to: ", "Hello World")]);
      expect(at.hooks("AfterAgent")).toHaveLength(1);
      for (const part of ["Read: ", "Hello validation", "Hello World"]) expect(at.hooks()[0]?.stdout).toContain(part);
    },
  },
  {
    row: "9.4 3",
    does: "clearing the context with another try",
    play: async (at) => {
      const counts = [
        'const fs = require("node:fs");',
        'const { llm_request } = JSON.parse(fs.readFileSync(0, "utf8"));',
        'const file = __dirname + "/counts.json";',
        'const counts = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : [];',
        "counts.push(llm_request.messages.length);",
        "fs.writeFileSync(file, JSON.stringify(counts));",
        'console.log("{}");',
      ];
      const again = [
        'const { stop_hook_active } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));',
        `const again = ${JSON.stringify({ decision: "block", reason: "Start from a clean slate", hookSpecificOutput: { hookEventName: "AfterAgent", clearContext: true } })};`,
        'console.log(JSON.stringify(stop_hook_active ? { decision: "allow" } : again));',
      ];
      at.setup({
        hooks: {
          BeforeModel: [group(at.script("counts.js", counts.join("\n")))],
          AfterAgent: [group(at.script("again.js", again.join("\n")))],
        },
      });
      const result = await at.run("Hello", [text("One."), text("Two.")]);
      expect(result).toContain("Start from a clean slate");
      const logs = at.hooks("AfterAgent");
      expect(logs.map(({ input }) => input["stop_hook_active"])).toEqual([false, true]);
      expect(logs[0]?.stdout).toMatch(/clearContext.*true/);
      const seen = JSON.parse(at.file("counts.json")) as number[];
      expect(seen).toHaveLength(2);
      expect(seen[1]).toBeLessThanOrEqual(seen[0] ?? 0);
    },
  },
  {
    row: "9.4 4",
    does: "agent hooks fire once a turn, however many answers it takes",
    play: async (at) => {
      at.setup({
        hooks: Object.fromEntries(
          ["BeforeAgent", "AfterAgent"].map((event) => [event, [group(at.script(`${event}.js`, `console.log("${event} was here");\n`))]]),
        ),
      });
      expect(await at.run("Do it in steps", [call("list_dir", { path: "." }), text("The last answer")])).toContain("The last answer");
      expect(at.hooks().map(({ hook_event_name, stdout }) => [hook_event_name, stdout.trim()])).toEqual([
        ["BeforeAgent", "BeforeAgent was here"],
        ["AfterAgent", "AfterAgent was here"],
      ]);
      expect(at.records("tool_call")).toMatchObject([{ function_name: "list_dir", success: false }]);
    },
  },
];

describe("as Gemini CLI's own tests see it", () => {
  it.each(SCENARIOS)("$row: $does", async ({ play }) => {
    expect.hasAssertions();
    await play(rig());
  });

  // A process of its own shows what this one cannot: that all records and files are there when it has ended.
  const whole = ["9.3 1", "9.3 4", "9.3 5", "9.3 24", "9.3 28", "9.4 3"];
  it.each(SCENARIOS.filter(({ row }) => whole.includes(row)))("$row by the built command: $does", async ({ play }) => {
    expect.hasAssertions();
    await play(rig({ built: true }));
  });

  it("9.3 23: compression is told when it happens, and only then (the product's test relies on a fault of its own)", async () => {
    const at = rig();
    const command = at.script("hook.js", prints({ systemMessage: "It is compressed." }));
    const hooks = { PreCompress: [group(command, { matcher: "auto", sequential: true })] };
    at.setup({ hooks, carabiner: { contextWindow: 400 } });
    const long = "words and more words ".repeat(60);
    const summary = {
      method: "generateContent",
      response: { candidates: [{ content: { role: "model", parts: [{ text: "They talked." }] }, finishReason: "STOP" }] },
    };
    await at.run(long, [call("list_dir", {}), summary, text("Done.")]);
    expect(at.hooks()).toMatchObject([{ hook_event_name: "PreCompress", hook_name: command, exit_code: 0, input: { trigger: "auto" } }]);
    const short = rig();
    short.setup({ hooks });
    await short.run("Hello", [text("Hi.")]);
    expect(short.hooks()).toEqual([]);
  });

  it("the rig's variable decides about the folder as its setting does", async () => {
    const at = rig({ trustedBy: "variable", built: true });
    at.setup({ hooks: { BeforeAgent: [group(at.script("hook.js", prints({})))] } });
    expect(await at.run("Hello", [text("Hi.")])).toContain("Hi.");
    expect(at.hooks()).toHaveLength(1);
  });

  it("without prompts in the records neither contents nor command lines are told, and a quiet hook's are not either", async () => {
    const at = rig();
    at.setup({
      telemetry: { enabled: true, outfile: at.on.path("peer-home/telemetry.log"), logPrompts: false },
      hooks: { BeforeTool: [group(at.script("secret-name.js", prints({ systemMessage: "secret words" })))] },
    });
    await at.run("secret prompt", [writes("a.txt", "secret content"), text("Done.")]);
    const written = at.on.read("peer-home/telemetry.log");
    expect(written).not.toContain("secret");
    expect(at.records("hook_call")).toMatchObject([{ hook_name: "node", success: true }]);
    const quiet = rig();
    quiet.setup({ hooks: { BeforeAgent: [group(quiet.script("hook.js", prints({ suppressOutput: true, systemMessage: "hush" })))] } });
    await quiet.run("secret prompt", [text("Done.")]);
    expect(quiet.records("hook_call")[0]).not.toHaveProperty("hook_input");
    expect(quiet.records("hook_call")[0]).not.toHaveProperty("stdout");
  });
});
