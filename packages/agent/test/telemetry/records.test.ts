// The telemetry file: who decides that it is written, what its records say, and that trouble with it costs nothing.
import { readFileSync, statSync } from "node:fs";
import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { telemetrySettings } from "../../src/telemetry/index.ts";
import { type Stage, says, served, stage } from "../loop/stage.ts";

const names = { enabled: "T_ENABLED", outfile: "T_OUTFILE", logPrompts: "T_LOG_PROMPTS" };
const settings = (written: JsonObject, env: Record<string, string> = {}) =>
  telemetrySettings((key) => written[key], names, env, "/project");

describe("what is written where", () => {
  it("is what the settings say, and variables over them", () => {
    expect(settings({})).toEqual({ outfile: undefined, logPrompts: true });
    expect(settings({ outfile: "t.log" })).toEqual({ outfile: undefined, logPrompts: true });
    expect(settings({ enabled: true, outfile: "t.log", logPrompts: false })).toEqual({ outfile: "/project/t.log", logPrompts: false });
    expect(settings({ enabled: true, outfile: "t.log" }, { T_ENABLED: "false" })).toEqual({ outfile: undefined, logPrompts: true });
    expect(settings({ outfile: "t.log" }, { T_ENABLED: "1", T_OUTFILE: "/other", T_LOG_PROMPTS: "0" })).toEqual({
      outfile: "/other",
      logPrompts: false,
    });
    expect(settings({ enabled: "yes", outfile: 7 })).toEqual({ outfile: undefined, logPrompts: true });
  });

  it("comes value by value from the strongest layer that has it", async () => {
    const on = stage();
    on.hooks([], { telemetry: { outfile: on.path("t.log") } });
    on.write("my project/.gemini/settings.json", JSON.stringify({ telemetry: { enabled: true } }));
    const run = await served(on, "gemini", [{ text: "ok" }]);
    await run.ask("q");
    await run.close("exit");
    expect(on.read("t.log")).toContain("gemini_cli.api_request");
  });
});

const records = (on: Stage): JsonObject[] =>
  readFileSync(on.path("t.log"), "utf8")
    .trimEnd()
    .split("\n}\n")
    .map((text, i, all) => JSON.parse(i < all.length - 1 ? `${text}\n}` : text) as JsonObject);
const attributes = (on: Stage, name: string) =>
  records(on).flatMap((record) => {
    const found = record["attributes"] as JsonObject | undefined;
    return found?.["event.name"] === `gemini_cli.${name}` ? [found] : [];
  });

describe("records", () => {
  const telemetry = (on: Stage) => ({ telemetry: { enabled: true, outfile: on.path("t.log") } });

  it("of hooks come in the order of the hooks, with how each ended; the file is the user's alone", async () => {
    const on = stage();
    on.hooks(
      [
        { on: "BeforeAgent", as: "slow", does: `sleep 0.2; ${says({ systemMessage: "slow" })}` },
        { on: "BeforeAgent", as: "fails", does: "echo trouble >&2; exit 3" },
        { on: "BeforeAgent", as: "late", does: "exec sleep 5", handler: { timeout: 150 } },
        { on: "BeforeAgent", as: "killed", does: "kill -9 $$" },
      ],
      telemetry(on),
    );
    const run = await served(on, "gemini", [{ text: "ok" }]);
    await run.ask("q");
    await run.close("exit");
    const [slow, fails, late, killed] = attributes(on, "hook_call");
    expect(attributes(on, "hook_call")).toHaveLength(4);
    expect(slow).toMatchObject({ hook_name: "slow", success: true, exit_code: 0, hook_event_name: "BeforeAgent" });
    expect(JSON.parse(String(slow?.["hook_input"]))).toEqual(on.seen("slow")[0]);
    expect(JSON.parse(String(slow?.["hook_output"]))).toEqual({ systemMessage: "slow" });
    expect(fails).toMatchObject({ hook_name: "fails", success: false, exit_code: 3, stderr: "trouble\n" });
    expect(late).toMatchObject({ hook_name: "late", success: false, error: "Hook timed out after 150ms" });
    expect(late).not.toHaveProperty("exit_code");
    expect(killed).toMatchObject({ hook_name: "killed", success: false });
    expect(statSync(on.path("t.log")).mode & 0o777).toBe(0o600);
    const metrics = records(on).at(-1);
    expect(JSON.stringify(metrics)).toContain('"value":4');
  });

  it("of tools and requests say what was called, what it gave, and who asked", async () => {
    const on = stage();
    on.write("home/.gemini/agents/scout.md", "---\nname: scout\ndescription: Looks.\n---\nLook.\n");
    on.hooks([{ on: "BeforeTool", matcher: "write_file", does: says({ decision: "deny", reason: "no" }) }], telemetry(on));
    const run = await served(on, "gemini", [
      {
        calls: [
          { name: "write_file", input: { file_path: "a", content: "b" } },
          { name: "run_shell_command", input: { command: "echo hi" } },
        ],
      },
      { calls: [{ name: "delegate_to_agent", input: { agent_name: "scout", prompt: "look" } }] },
      { text: "nothing" },
      { text: "ok" },
    ]);
    await run.ask("q");
    await run.close("exit");
    expect(attributes(on, "tool_call")).toMatchObject([
      {
        function_name: "run_shell_command",
        success: true,
        tool_type: "native",
        function_args: expect.stringContaining("echo hi"),
        content_length: expect.any(Number),
      },
      { function_name: "write_file", success: false, error_type: "policy_violation", error: "Tool execution blocked: no" },
      { function_name: "delegate_to_agent", success: true },
    ]);
    expect(attributes(on, "api_request").map(({ role, prompt_id }) => [role, prompt_id === run.agent.sessionId()])).toEqual([
      ["main", true],
      ["main", true],
      ["subagent", true],
      ["main", true],
    ]);
    expect(JSON.parse(String(attributes(on, "api_request")[1]?.["request_text"]))).toMatchObject([
      { role: "user", parts: [{ text: "q" }] },
      { role: "model", parts: [{ functionCall: { name: "write_file" } }, { functionCall: { name: "run_shell_command" } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "write_file", response: { error: "Tool execution blocked: no" } } },
          { functionResponse: { response: { output: expect.any(String) } } },
        ],
      },
    ]);
  });

  it("that cannot be written are told once, and the run goes on", async () => {
    const on = stage();
    on.write("t.log/in-the-way", "");
    on.hooks([{ on: "BeforeAgent" }], telemetry(on));
    const run = await served(on, "gemini", [{ text: "ok" }]);
    expect((await run.ask("q")).answer).toBe("ok");
    await run.close("exit");
    expect(run.told().filter((text) => text.startsWith("Telemetry cannot be written"))).toHaveLength(1);
  });
});
