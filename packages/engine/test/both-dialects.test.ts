// Both dialects in one session: real scripts of each guard one call, each in its own words.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine, type EngineOptions, type JournalLine, type JsonObject, problemText, type ToolCall } from "../src/index.ts";

type Groups = Readonly<Record<string, readonly JsonObject[]>>;

function place(options: Partial<EngineOptions> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-both-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [project, home] = [join(root, "project"), join(root, "home")];
  for (const dir of [project, home]) mkdirSync(dir);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  /** A script that keeps what it read, then does what `body` says. */
  const script = (name: string, body: string): string => {
    const path = join(root, name);
    write(path, `#!/bin/bash\ncat > '${root}/${name}.stdin'\nenv > '${root}/${name}.env'\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const gemini = (hooks: Groups): void => write(`${project}/.gemini/settings.json`, JSON.stringify({ hooks }));
  const qoder = (hooks: Groups): void => write(`${project}/.qoder/settings.json`, JSON.stringify({ hooks }));
  const engine = () => {
    const made = createEngine({
      cwd: project,
      home,
      env: { PATH: process.env["PATH"], HOME: home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${root}/none.json` },
      dialects: ["gemini", "qoder-cn"],
      stateDir: `${root}/state`,
      ...options,
    });
    onTestFinished(() => made.dispose());
    return made;
  };
  const readBy = (name: string): JsonObject => JSON.parse(readFileSync(join(root, `${name}.stdin`), "utf8"));
  const environmentOf = (name: string): string => readFileSync(join(root, `${name}.env`), "utf8");
  return { root, project, script, gemini, qoder, engine, readBy, environmentOf };
}
const hook = (command: string, more: JsonObject = {}): JsonObject => ({ type: "command", command, ...more });
const says = (output: JsonObject): string => `cat <<'END'\n${JSON.stringify(output)}\nEND`;
const shell: ToolCall = {
  name: "run_shell_command",
  input: { command: "rm -r build", description: "Cleans", dir_path: "sub" },
  callId: "c1",
};
const pre = (fields: JsonObject): JsonObject => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });

describe("one call, guarded by a hook of each dialect", () => {
  it("is shown to each in its own words, with its own variables and under its own event's name", async () => {
    const { project, script, gemini, qoder, engine, readBy, environmentOf } = place();
    gemini({ BeforeTool: [{ matcher: "run_shell_command", hooks: [hook(script("g", ""))] }] });
    qoder({ PreToolUse: [{ matcher: "Bash", hooks: [hook(script("q", ""))] }] });
    const session = engine().session({ id: "s1", transcriptPath: "/t.jsonl", permissionMode: () => "autoEdit" });
    const outcome = await session.fire("beforeTool", { tool: shell });
    expect(outcome.action).toBe("proceed");
    const common = { session_id: "s1", transcript_path: "/t.jsonl", cwd: project };
    expect(readBy("g")).toEqual({
      ...common,
      hook_event_name: "BeforeTool",
      timestamp: expect.any(String),
      tool_name: "run_shell_command",
      tool_input: shell.input,
    });
    expect(readBy("q")).toEqual({
      ...common,
      hook_event_name: "PreToolUse",
      permission_mode: "acceptEdits",
      tool_name: "Bash",
      // `dir_path` has no counterpart and keeps its name.
      tool_input: { command: "rm -r build", description: "Cleans", dir_path: "sub" },
      tool_use_id: "c1",
    });
    expect(environmentOf("g")).toContain(`GEMINI_PROJECT_DIR=${project}\n`);
    expect(environmentOf("g")).not.toContain("QODER");
    expect(environmentOf("q")).toContain(`QODERCN_PROJECT_DIR=${project}\n`);
    expect(environmentOf("q")).not.toContain("GEMINI_PROJECT_DIR");
  });

  it("is denied where either denies, and the record says who said what", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook(script("g", says({ decision: "allow" })), { name: "lenient" })] }] });
    qoder({ PreToolUse: [{ hooks: [hook(script("q", "echo 'not that one' >&2; exit 2"), { name: "strict" })] }] });
    const lines: JournalLine[] = [];
    const made = engine();
    made.subscribe((event) => {
      if (event.kind === "line") lines.push(event.line);
    });
    const outcome = await made.session().fire("beforeTool", { tool: shell });
    expect(outcome).toMatchObject({ action: "block", reason: "not that one" });
    const registry = lines.find((line) => line.kind === "registry");
    const fired = lines.find((line) => line.kind === "fired");
    expect(registry?.kind === "registry" && registry.entries.map(({ dialect, name, wireName }) => [dialect, name, wireName])).toEqual([
      ["gemini", "lenient", "BeforeTool"],
      ["qoder-cn", "strict", "PreToolUse"],
    ]);
    expect(fired?.kind === "fired" && fired.verdict.because).toEqual(["qoder-cn:project:PreToolUse[0].hooks[0]"]);
    expect(fired?.kind === "fired" && fired.runs.map(({ entry, readAs }) => [entry.split(":")[0], readAs])).toEqual([
      ["gemini", "object"],
      ["qoder-cn", "refusal"],
    ]);
  });

  it("is stopped by the strongest word, whichever dialect says it, and a denial beside it withholds", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook(script("g", says({ continue: false, stopReason: "enough" })))] }] });
    qoder({ PreToolUse: [{ hooks: [hook(script("q", says(pre({ permissionDecision: "deny", permissionDecisionReason: "no" }))))] }] });
    const outcome = await engine().session().fire("beforeTool", { tool: shell });
    expect(outcome).toMatchObject({ action: "stop", ends: "turn", reason: "enough", withheld: true });
  });

  it("takes an allow for what it means in its own dialect: one skips the question, the other says nothing", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook(script("g", says({ decision: "allow" })))] }] });
    const made = engine();
    expect(await made.session().fire("beforeTool", { tool: shell })).toMatchObject({ action: "proceed", question: undefined });
    qoder({ PreToolUse: [{ hooks: [hook(script("q", says(pre({ permissionDecision: "allow" }))))] }] });
    expect(await engine().session().fire("beforeTool", { tool: shell })).toMatchObject({ action: "proceed", question: "skip" });
  });
});

describe("changes of both dialects to one call", () => {
  it("compose by what each changed: a whole replacement does not wipe out the other's change", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook(script("g", says({ hookSpecificOutput: { tool_input: { command: "rm -ri build" } } })))] }] });
    const whole = { command: "rm -r build", description: "Cleans the build", dir_path: "sub" };
    qoder({ PreToolUse: [{ hooks: [hook(script("q", says(pre({ updatedInput: whole }))))] }] });
    const outcome = await engine().session().fire("beforeTool", { tool: shell });
    expect(outcome).toMatchObject({
      action: "proceed",
      input: { command: "rm -ri build", description: "Cleans the build", dir_path: "sub" },
    });
    expect(outcome.record.kind === "fired" && outcome.record.problems).toEqual([]);
  });

  it("name both where they changed the same thing otherwise; the later in configured order counts", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook(script("g", says({ hookSpecificOutput: { tool_input: { command: "one" } } })))] }] });
    qoder({ PreToolUse: [{ hooks: [hook(script("q", says(pre({ updatedInput: { ...shell.input, command: "two" } }))))] }] });
    const outcome = await engine().session().fire("beforeTool", { tool: shell });
    expect(outcome).toMatchObject({ action: "proceed", input: { ...shell.input, command: "two" } });
    const told = outcome.record.kind === "fired" ? outcome.record.problems.map(({ place, what }) => ({ place, what })) : [];
    expect(told).toEqual([
      {
        place: { entry: "qoder-cn:project:PreToolUse[0].hooks[0]" },
        what: "This hook and gemini:project:BeforeTool[0].hooks[0] both changed command.",
      },
    ]);
  });

  it("come back in the host's words, lines counted as the host counts them", async () => {
    const { script, gemini, qoder, engine, readBy } = place();
    gemini({ BeforeTool: [{ matcher: "read_file", hooks: [hook(script("g", ""))] }] });
    qoder({
      PreToolUse: [
        { matcher: "Read", hooks: [hook(script("q", says(pre({ updatedInput: { file_path: "b.txt", offset: 5, limit: 2 } }))))] },
      ],
    });
    const read: ToolCall = { name: "read_file", input: { file_path: "a.txt", start_line: 10, end_line: 19 } };
    const outcome = await engine().session().fire("beforeTool", { tool: read });
    expect(readBy("g")["tool_input"]).toEqual(read.input);
    expect(readBy("q")["tool_input"]).toEqual({ file_path: "a.txt", offset: 10, limit: 10 });
    expect(outcome).toMatchObject({ action: "proceed", input: { file_path: "b.txt", start_line: 5, end_line: 6 } });
  });

  it("in the second dialect's words where that one comes first: it gives the host its words", async () => {
    const { script, gemini, qoder, engine, readBy } = place({ dialects: ["qoder-cn", "gemini"] });
    gemini({ BeforeTool: [{ hooks: [hook(script("g", says({ hookSpecificOutput: { tool_input: { end_line: 12 } } })))] }] });
    qoder({ PreToolUse: [{ hooks: [hook(script("q", ""))] }] });
    const read: ToolCall = { name: "Read", input: { file_path: "a.txt", offset: 10, limit: 10 } };
    const outcome = await engine().session().fire("beforeTool", { tool: read });
    expect(readBy("g")).toMatchObject({ tool_name: "read_file", tool_input: { file_path: "a.txt", start_line: 10, end_line: 19 } });
    expect(outcome).toMatchObject({ action: "proceed", input: { file_path: "a.txt", offset: 10, limit: 3 } });
  });

  it("show an address that the host keeps in its prompt, and give the host nothing it did not have", async () => {
    const { script, qoder, engine, readBy } = place();
    const fetch: ToolCall = { name: "web_fetch", input: { prompt: "Sum up https://a.example/x and https://b.example/y" } };
    const updated = { url: "https://a.example/x https://b.example/y", prompt: "Sum up https://a.example/x only" };
    qoder({
      PreToolUse: [{ matcher: "WebFetch", hooks: [hook(script("q", says(pre({ updatedInput: updated }))))] }],
    });
    const outcome = await engine().session().fire("beforeTool", { tool: fetch });
    expect(readBy("q")["tool_input"]).toEqual({ url: "https://a.example/x https://b.example/y", ...fetch.input });
    expect(outcome).toMatchObject({ input: { prompt: "Sum up https://a.example/x only" } });
    expect(outcome.action === "proceed" && outcome.input).not.toHaveProperty("url");
  });
});

describe("what the dialects tell apart", () => {
  it("a failed tool reaches the one event of the one and the other event of the other", async () => {
    const { script, gemini, qoder, engine, readBy } = place();
    gemini({ AfterTool: [{ hooks: [hook(script("g", ""))] }] });
    qoder({
      PostToolUse: [{ hooks: [hook(script("ok", "exit 9"))] }],
      PostToolUseFailure: [{ hooks: [hook(script("failed", "echo 'look at the log' >&2; exit 2"))] }],
    });
    const result = { content: "boom", error: { message: "boom", type: "execution_failed" } };
    const outcome = await engine().session().fire("afterTool", { tool: shell, result });
    expect(readBy("g")["tool_response"]).toEqual({ llmContent: "boom", returnDisplay: "boom", error: result.error });
    expect(readBy("failed")).toMatchObject({ hook_event_name: "PostToolUseFailure", error: "boom", is_interrupt: false });
    expect(outcome).toMatchObject({ action: "proceed", context: [{ text: "look at the log" }] });
    expect(outcome.record.kind === "fired" && outcome.record.runs.map(({ entry }) => entry)).toEqual([
      "gemini:project:AfterTool[0].hooks[0]",
      "qoder-cn:project:PostToolUseFailure[0].hooks[0]",
    ]);
  });

  it("context is framed as its own dialect frames it, and lasts as long", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeAgent: [{ hooks: [hook(script("g", says({ hookSpecificOutput: { additionalContext: "g" } })))] }] });
    qoder({ UserPromptSubmit: [{ hooks: [hook(script("q", "echo q"))] }] });
    const outcome = await engine().session().fire("beforeAgent", { prompt: "hello" });
    expect(outcome).toMatchObject({
      context: [
        { text: "g", framed: "<hook_context>g</hook_context>", lasts: "turn" },
        { text: "q", framed: "q", lasts: "history" },
      ],
    });
  });

  it("a retry is a prompt for the one, and none for the other", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeAgent: [{ hooks: [hook(script("g", ""))] }] });
    qoder({ UserPromptSubmit: [{ hooks: [hook(script("q", "exit 2"))] }] });
    const outcome = await engine().session().fire("beforeAgent", { prompt: "again", origin: "retry" });
    expect(outcome.action).toBe("proceed");
    expect(outcome.record.kind === "fired" && outcome.record.runs.map(({ entry }) => entry.split(":")[0])).toEqual(["gemini"]);
  });

  it("a number means milliseconds to the one and seconds to the other", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook(script("g", "sleep 5"), { timeout: 150 })] }] });
    qoder({ PreToolUse: [{ hooks: [hook(script("q", "sleep 0.3"), { timeout: 150 })] }] });
    const made = engine();
    expect(made.hooks().map(({ timeoutMs }) => timeoutMs)).toEqual([150, 150_000]);
    const outcome = await made.session().fire("beforeTool", { tool: shell });
    expect(outcome.record.kind === "fired" && outcome.record.runs.map(({ status }) => status)).toEqual(["timedOut", "ok"]);
  });

  it("the same command in both runs twice: each reads its own words", async () => {
    const { script, gemini, qoder, engine, root } = place();
    const both = script("both", `echo ran >> '${root}/count'`);
    gemini({ BeforeTool: [{ hooks: [hook(both)] }] });
    qoder({ PreToolUse: [{ hooks: [hook(both)] }] });
    const outcome = await engine().session().fire("beforeTool", { tool: shell });
    expect(outcome.record.kind === "fired" && outcome.record.runs).toHaveLength(2);
    expect(readFileSync(join(root, "count"), "utf8")).toBe("ran\nran\n");
  });

  it("one question to a person is told to each in its own sentence", async () => {
    const { script, gemini, qoder, engine, readBy } = place();
    gemini({ Notification: [{ matcher: "ToolPermission", hooks: [hook(script("g", ""))] }] });
    qoder({ Notification: [{ matcher: "permission", hooks: [hook(script("q", ""))] }] });
    const session = engine().session();
    const done = await session.tool(shell, async () => ({ content: "done" }), {
      policy: () => ({ answer: "ask" }),
      confirm: async () => true,
      question: () => ({ message: "Tool Confirm Shell Command requires execution", details: { type: "exec", command: "rm -r build" } }),
    });
    expect(done).toMatchObject({ ended: "done", output: "done" });
    expect(readBy("g")).toMatchObject({
      notification_type: "ToolPermission",
      message: "Tool Confirm Shell Command requires execution",
      details: { type: "exec", command: "rm -r build" },
    });
    expect(readBy("q")).toMatchObject({
      notification_type: "permission",
      title: "Permission Required",
      message: "Agent is requesting permission to run: rm -r build",
    });
  });

  it("a PermissionRequest hook answers where nobody can be asked, also with another dialect's hooks around", async () => {
    const { script, gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook(script("g", says({ decision: "ask", reason: "sure?" })))] }] });
    const allow = {
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow", updatedInput: { command: "ls" } } },
    };
    qoder({ PermissionRequest: [{ matcher: "Bash", hooks: [hook(script("q", says(allow)))] }] });
    const ran: JsonObject[] = [];
    const done = await engine()
      .session()
      .tool(shell, async (input) => {
        ran.push(input);
        return { content: "ok" };
      });
    expect(done.ended).toBe("done");
    expect(ran).toEqual([{ command: "ls", dir_path: "sub" }]);
  });
});

describe("settings of both", () => {
  it("a wire name of the other dialect is told with its counterpart", () => {
    const { gemini, qoder, engine } = place();
    gemini({ PreToolUse: [{ hooks: [hook("true")] }] });
    qoder({ BeforeTool: [{ hooks: [hook("true")] }] });
    const told = engine().problems().map(problemText);
    expect(told.some((text) => text.includes('"PreToolUse" is not an event') && text.includes('called "BeforeTool"'))).toBe(true);
    expect(told.some((text) => text.includes('"BeforeTool" is not an event') && text.includes('called "PreToolUse"'))).toBe(true);
  });

  it("without a choice those dialects take part of which there is a settings file", () => {
    const { project, root, gemini, qoder } = place();
    const make = () =>
      createEngine({ cwd: project, home: join(root, "home"), env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${root}/none.json` } });
    expect(make().dialects.map(({ id }) => id)).toEqual(["gemini"]);
    qoder({});
    expect(make().dialects.map(({ id }) => id)).toEqual(["qoder-cn"]);
    gemini({});
    expect(make().dialects.map(({ id }) => id)).toEqual(["gemini", "qoder-cn"]);
  });

  it("a handler is described by the key its product has for that", () => {
    const { gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook("true", { description: "Guards the shell" })] }] });
    qoder({ PreToolUse: [{ hooks: [hook("true", { statusMessage: "Looking at the command", description: "not a key here" })] }] });
    expect(
      engine()
        .hooks()
        .map(({ description }) => description),
    ).toEqual(["Guards the shell", "Looking at the command"]);
  });

  it("a hook switched off is switched off in the file that configures it", () => {
    const { project, gemini, qoder, engine } = place();
    gemini({ BeforeTool: [{ hooks: [hook("true", { name: "shared" })] }] });
    qoder({ PreToolUse: [{ hooks: [hook("true", { name: "shared" })] }] });
    const made = engine();
    expect(made.setEnabled("shared", false)).toMatchObject({ kind: "done" });
    for (const file of [".gemini/settings.json", ".qoder/settings.json"])
      expect(JSON.parse(readFileSync(join(project, file), "utf8")).hooksConfig).toEqual({ disabled: ["shared"] });
    expect(made.hooks().map(({ barred }) => barred?.status)).toEqual(["disabled", "disabled"]);
  });

  it("the second product's list of trusted directories is its word on the folder", () => {
    const { project, root, qoder, engine } = place();
    qoder({ PreToolUse: [{ hooks: [hook("true")] }] });
    mkdirSync(join(root, "home/.qoder-cn"), { recursive: true });
    writeFileSync(
      join(root, "home/.qoder-cn/settings.json"),
      `// mine\n${JSON.stringify({ permissions: { trustDirectories: [`${project}/`] } })}`,
    );
    expect(engine().folder()).toEqual({ trusted: true, by: join(root, "home/.qoder-cn/settings.json") });
  });
});
