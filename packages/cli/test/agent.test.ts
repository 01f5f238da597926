// One prompt on the command line: formats, pipes, sessions, variables, approvals, context files and settings files.
import { describe, expect, it } from "vitest";
import { says, stage, WIRES } from "../../agent/test/loop/stage.ts";
import { startModelServer } from "../../agent/test/servers/model-server.ts";
import { inProcess, type Ran, type Surroundings, script } from "./agent-run.ts";

const calls = (name: string, input: object) => ({ calls: [{ name, input, id: "call-1" }] });
const shell = (command: string) => calls("run_shell_command", { command });
const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

describe("what is printed", () => {
  const usage = { prompt: 10, candidates: 5, total: 15 };

  it("as text is the answer as it comes, with what is said between calls as paragraphs of their own", async () => {
    const on = stage();
    const ran = await inProcess(on, [
      ...script(on, { chunks: ["I ", "look."], ...shell("true") }, { thought: "hm", text: "Nothing." }),
      "--yolo",
      "q",
    ]);
    expect(ran).toMatchObject({ code: 0, stdout: "I look.\nNothing.\n", stderr: "" });
  });

  it("as JSON is one document: answer, tokens, tools, and warnings where hooks stepped in", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", matcher: "write_file", does: says({ decision: "deny", reason: "no" }) }]);
    const turns = [
      { text: "I look.", ...shell("true"), usage },
      { ...calls("write_file", { file_path: "a", content: "b" }), usage },
      { text: "Done.", usage },
    ];
    const ran = await inProcess(on, [...script(on, ...turns), "--yolo", "-o", "json", "q"]);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual({
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      response: "Done.",
      stats: {
        models: {
          "turns.jsonl": {
            api: { totalRequests: 3, totalErrors: 0, totalLatencyMs: expect.any(Number) },
            tokens: { prompt: 30, candidates: 15, total: 45 },
          },
        },
        tools: {
          totalCalls: 2,
          totalSuccess: 1,
          totalFail: 1,
          totalDurationMs: expect.any(Number),
          byName: {
            run_shell_command: { count: 1, success: 1, fail: 0, durationMs: expect.any(Number) },
            write_file: { count: 1, success: 0, fail: 1, durationMs: 0 },
          },
        },
      },
    });
    expect(ran.stderr).toBe("Error executing tool write_file: Tool execution blocked: no\n");
  });

  it("as JSON says why a turn was blocked, and what went wrong, with the exit code", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeAgent", does: says({ decision: "block", reason: "not this" }) }]);
    const blocked = await inProcess(on, [...script(on, { text: "x" }), "-o", "json", "q"]);
    expect(JSON.parse(blocked.stdout)).toMatchObject({ response: "", warnings: ["Agent execution blocked: not this"] });
    const broken = await inProcess(stage(), ["-o", "json", "q"]);
    expect(broken.code).toBe(41);
    expect(JSON.parse(broken.stdout)).toMatchObject({ error: { type: "NoModel", code: 41 } });
    const untrusted = stage();
    untrusted.write("my project/GEMINI.md", "facts");
    const refused = await inProcess(untrusted, [...script(untrusted, { text: "x" }), "-o", "json", "q"]);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { type: "NotStarted", code: 55 } });
  });

  it("as a stream of JSON is one event a line, as they happen", async () => {
    const on = stage();
    const ran = await inProcess(on, [
      ...script(on, { text: "I look.", ...shell("echo hi"), usage }, { text: "Done.", usage }),
      "--yolo",
      "-o",
      "stream-json",
      "q",
    ]);
    expect(lines(ran.stdout)).toEqual([
      { type: "init", timestamp: TIME, session_id: expect.any(String), model: "turns.jsonl" },
      { type: "message", timestamp: TIME, role: "user", content: "q" },
      { type: "message", timestamp: TIME, role: "assistant", content: "I look.", delta: true },
      { type: "tool_use", timestamp: TIME, tool_name: "run_shell_command", tool_id: "call-1", parameters: { command: "echo hi" } },
      { type: "tool_result", timestamp: TIME, tool_id: "call-1", status: "success", output: expect.stringContaining("hi") },
      { type: "message", timestamp: TIME, role: "assistant", content: "Done.", delta: true },
      {
        type: "result",
        timestamp: TIME,
        status: "success",
        stats: { total_tokens: 30, input_tokens: 20, output_tokens: 10, tool_calls: 1, duration_ms: expect.any(Number) },
      },
    ]);
  });

  it("as a stream of JSON tells a blocked turn as a warning, a stopped one as a success, a failure as an error", async () => {
    const on = stage();
    const kinds = (ran: Ran) =>
      lines(ran.stdout).map(({ type, severity, status, message }) => [type, severity ?? status, message].filter(Boolean));
    const args = [...script(on, { error: { message: "bad", status: 400 } }), "-o", "stream-json", "q"];
    expect(kinds(await inProcess(on, args)).at(-1)).toEqual(["result", "error"]);
    on.hooks([{ on: "BeforeAgent", does: says({ decision: "block", reason: "no" }) }]);
    expect(kinds(await inProcess(on, args)).slice(-2)).toEqual([
      ["error", "warning", "Agent execution blocked: no"],
      ["result", "success"],
    ]);
    on.hooks([{ on: "BeforeAgent", does: says({ continue: false, stopReason: "no" }) }]);
    expect(kinds(await inProcess(on, args)).at(-1)).toEqual(["result", "success"]);
  });

  it("of a hook never holds control characters", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeAgent", does: 'printf \'{"decision":"deny","reason":"a\\\\u001b[31mred\\\\u0007"}\'' }]);
    expect((await inProcess(on, [...script(on, { text: "x" }), "q"])).stderr).toBe("[WARNING] Agent execution blocked: ared\n");
  });
});

describe("the prompt", () => {
  it("is what was piped, then what was typed, whichever way it was typed", async () => {
    const on = stage();
    const heard = [...script(on, { text: "ok", expect: "line 1\nline 2\n\nexplain this" })];
    for (const typed of [["explain this"], ["explain", "this"], ["--prompt", "explain this"]])
      expect(await inProcess(on, [...heard, ...typed], { stdin: "line 1\nline 2\n" }), `${typed.join()}`).toMatchObject({
        code: 0,
        stdout: "ok\n",
      });
    expect(await inProcess(on, [...script(on, { text: "ok", expect: "only piped" })], { stdin: "only piped" })).toMatchObject({ code: 0 });
  });

  it("is told to be cut where more is piped in than an agent takes", async () => {
    const on = stage();
    const most = 8 * 1024 * 1024;
    const whole = await inProcess(on, [...script(on, { text: "ok" })], { stdin: "x".repeat(most) });
    expect(whole).toEqual({ code: 0, stdout: "ok\n", stderr: "" });
    const cut = await inProcess(on, [...script(on, { text: "ok", expect: { lacks: ["\uFFFD", "end"] } })], {
      stdin: `${"x".repeat(most - 1)}ü and the end`,
    });
    expect(cut).toEqual({
      code: 0,
      stdout: "ok\n",
      stderr: "[WARNING] The text that was piped in is longer than 8 MiB; what comes after that is left out.\n",
    });
  });
});

describe("sessions", () => {
  it("are listed newest first, and one is resumed by latest, number or the beginning of its id", async () => {
    const on = stage();
    expect(await inProcess(on, ["--list-sessions"])).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("no sessions") });
    await inProcess(on, [...script(on, { text: "one" }), "the first prompt"]);
    await inProcess(on, [...script(on, { text: "two" }), "the second prompt"]);
    const { stdout } = await inProcess(on, ["--list-sessions"]);
    expect(stdout).toMatch(/^ {2}1 .* 2 messages {2}the second prompt\n {2}2 .* 2 messages {2}the first prompt\n$/);
    const id = /([0-9a-f]{8}) .*first/.exec(stdout)?.[1] ?? "";
    for (const [which, text] of [
      ["latest", "the second prompt"],
      ["2", "the first prompt"],
      [id, "the first prompt"],
    ] as const)
      expect(await inProcess(on, [...script(on, { text: "ok", expect: text }), "--resume", which, "-p", "and?"]), `${which}`).toMatchObject(
        {
          code: 0,
        },
      );
    expect((await inProcess(on, ["--list-sessions"])).stdout.split("\n")).toHaveLength(3);
  });

  it("are asked for by the word after --resume, which is no prompt: that is said where there is no other", async () => {
    const on = stage();
    const ran = await inProcess(on, ["--resume", "go on"]);
    expect(ran).toMatchObject({ code: 42, stdout: "" });
    expect(ran.stderr).toContain('carabiner --resume latest "go on"');
    expect((await inProcess(on, [])).stderr).toContain("carabiner --help");
  });

  it("are counted as they are spoken of", async () => {
    const on = stage();
    await inProcess(on, ["without a model"]);
    await inProcess(on, [...script(on, { text: "one" }), "with one"]);
    const { stdout } = await inProcess(on, ["--list-sessions"]);
    expect(stdout).toMatch(/ 2 messages {2}with one\n.* 1 message {3}without a model\n$/);
  });

  it("are made short by /compress, and cleared by /clear, without a turn", async () => {
    const on = stage();
    await inProcess(on, [...script(on, { text: "x".repeat(2_000) }), "a long story"]);
    await inProcess(on, [...script(on, { text: "y" }), "--resume", "latest", "-p", "go on"]);
    const short = await inProcess(on, [
      ...script(on, { text: "the gist", expect: "a long story" }),
      "--resume",
      "latest",
      "-p",
      "/compress keep names",
    ]);
    expect(short).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("The history is compressed.") });
    expect(await inProcess(on, [...script(on, { text: "ok", expect: "the gist" }), "--resume", "latest", "-p", "and?"])).toMatchObject({
      code: 0,
    });
    expect(await inProcess(on, [...script(on, { text: "x" }), "--resume", "latest", "-p", "/clear"])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/A new session has begun/),
    });
    const path = await inProcess(on, [...script(on, { text: "a path", expect: "/etc/hosts?" }), "what is in /etc/hosts?"]);
    expect(path).toMatchObject({ code: 0, stdout: "a path\n" });
  });
});

describe("variables from files", () => {
  const asked = async (
    files: Readonly<Record<string, string>>,
    around: Surroundings = {},
    args: readonly string[] = ["--skip-trust"],
  ): Promise<unknown> => {
    const on = stage();
    for (const [name, text] of Object.entries(files)) on.write(name, text);
    const server = await startModelServer("gemini", [{ text: "ok" }]);
    const ran = await inProcess(on, ["--model", WIRES.gemini.model, ...args, "q"], {
      ...around,
      env: { GOOGLE_GEMINI_BASE_URL: server.url, ...around.env },
    });
    await server.close();
    return ran.code === 0 ? server.requests[0]?.headers["x-goog-api-key"] : ran.code;
  };

  it("come from the first file found, and never over one that is set", async () => {
    expect(await asked({ "my project/.env": "GEMINI_API_KEY=of-the-project" })).toBe("of-the-project");
    expect(await asked({ "my project/.env": "GEMINI_API_KEY=weaker", "my project/.gemini/.env": "GEMINI_API_KEY=stronger" })).toBe(
      "stronger",
    );
    expect(await asked({ "home/.env": "GEMINI_API_KEY=of-the-user" })).toBe("of-the-user");
    expect(await asked({ "my project/.env": "OTHER=1", "home/.env": "GEMINI_API_KEY=of-the-user" })).toBe(41);
    expect(await asked({ "my project/.env": "GEMINI_API_KEY=of-the-project" }, { env: { GEMINI_API_KEY: "set" } })).toBe("set");
  });

  it("never come from a folder that nobody trusts", async () => {
    expect(await asked({ "my project/.env": "GEMINI_API_KEY=of-the-project" }, {}, [])).toBe(55);
    expect(await asked({ "my project/.env": "GEMINI_API_KEY=of-the-project" }, { env: { GEMINI_CLI_TRUST_WORKSPACE: "false" } }, [])).toBe(
      55,
    );
  });
});

describe("approvals without a person", () => {
  const tried = async (
    settings: object,
    args: readonly string[],
    turn: object = calls("write_file", { file_path: "a.txt", content: "x" }),
  ) => {
    const on = stage();
    on.write("home/.gemini/settings.json", JSON.stringify(settings));
    const ran = await inProcess(on, [...script(on, turn, { text: "ok" }), ...args, "q"]);
    expect(ran).toMatchObject({ code: 0, stdout: "ok\n" });
    return ran.stderr === "" ? "ran" : ran.stderr;
  };

  it("follow the mode", async () => {
    expect(await tried({}, [])).toMatch(
      /^Error executing tool write_file: .*needs a person's confirmation, and nobody can be asked here.*--approval-mode/,
    );
    expect(await tried({}, ["--approval-mode", "auto_edit"])).toBe("ran");
    expect(await tried({}, ["--approval-mode", "auto_edit"], shell("true"))).toContain("nobody can be asked");
    expect(await tried({}, ["--yolo"], shell("true"))).toBe("ran");
    expect(await tried({}, ["--approval-mode", "plan"])).toContain("permission mode plan does not allow");
    expect(await tried({}, [], calls("list_directory", { dir_path: "." }))).toBe("ran");
  });

  it("follow the rules of the settings and the command line, denials first", async () => {
    expect(await tried({ tools: { allowed: ["run_shell_command(git status)"] } }, [], shell("git status --short"))).toBe("ran");
    expect(await tried({ tools: { allowed: ["run_shell_command(git status)"] } }, [], shell("git status; rm a"))).toContain(
      "nobody can be asked",
    );
    expect(await tried({}, ["--allowed-tools", "write_file"])).toBe("ran");
    expect(await tried({ tools: { exclude: ["write_file"] } }, ["--yolo"])).toContain("tools.exclude[0]");
    expect(await tried({ tools: { exclude: ["write_file"] } }, ["--allowed-tools", "write_file"])).toContain("tools.exclude[0]");
    expect(await tried({ tools: { confirmationRequired: ["write_file"] } }, ["--approval-mode", "auto_edit"])).toContain(
      "tools.confirmationRequired[0]",
    );
  });
});

describe("what the model is told of the project", () => {
  it("is GEMINI.md of the user, of the folders above and of the project, and what the setting names instead", async () => {
    const on = stage();
    on.write("home/.gemini/GEMINI.md", "user facts");
    on.write("GEMINI.md", "facts from above");
    on.write("my project/GEMINI.md", "project facts");
    on.write("my project/OTHER.md", "other facts");
    const told = (contains: string[], lacks: string[] = []) => [
      ...script(on, { text: "ok", expect: { contains, lacks } }),
      "--skip-trust",
      "q",
    ];
    expect(await inProcess(on, told(["user facts", "facts from above", "project facts"], ["other facts"]))).toMatchObject({ code: 0 });
    on.write("home/.gemini/settings.json", JSON.stringify({ context: { fileName: "OTHER.md" } }));
    expect(await inProcess(on, told(["other facts"], ["project facts"]))).toMatchObject({ code: 0 });
  });
});

describe("--settings", () => {
  it("adds a file whose hooks run and whose values count", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeAgent", as: "from-the-file", does: says({ decision: "deny", reason: "the file says no" }) }]);
    on.write("extra.json", on.read("home/.gemini/settings.json"));
    on.write("home/.gemini/settings.json", "{}");
    const ran = await inProcess(on, [...script(on, { text: "x" }), "--settings", on.path("extra.json"), "q"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("the file says no") });
  });
});

describe("a hook that takes its time", () => {
  const slow = { on: "BeforeAgent", does: "sleep 2.4" };
  it("is named while it runs, unless the settings say that running hooks are not shown", async () => {
    const [shown, hidden] = [stage(), stage()];
    shown.hooks([slow]);
    hidden.hooks([slow], { hooksConfig: { notifications: false } });
    const [one, other] = await Promise.all([shown, hidden].map((on) => inProcess(on, [...script(on, { text: "done" }), "q"])));
    expect(one).toMatchObject({ code: 0, stderr: expect.stringMatching(/Waiting for the hook ".*" \(BeforeAgent\) \.\.\./) });
    expect(other?.stderr).not.toContain("Waiting");
  });
});
