/** `carabiner fire`, with real hooks in real folders. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, hooks, type Place, stdinOf, steady } from "./fire-place.ts";

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.remove());

const WARNED = /\[WARNING\] A hook of this project is about to run[\s\S]*?hooks\..*\n(?:.*approves them\.\n)?/g;
const read = (text: string) => JSON.parse(text) as { readonly [key: string]: never };

describe("firing an event", () => {
  it("tells that a hook denied it, and what became of the others", async () => {
    place.script("guard.sh", "echo 'Not this file.' >&2; exit 2");
    place.settings({
      ...hooks(
        "BeforeTool",
        "write_file",
        { name: "guard", command: "./guard.sh" },
        { name: "asker", command: `echo '{"decision":"ask","reason":"Sure?"}'` },
        { name: "slow", command: "sleep 5", timeout: 150 },
        { name: "gone", command: "no-such-command-here" },
        { name: "off", command: "true" },
      ),
      hooksConfig: { disabled: ["off"] },
    });
    const { code, out } = await place.run(["fire", "BeforeTool", "--tool", "write_file"]);
    expect(code).toBe(2);
    expect(steady(out).split("\n")).toEqual([
      "BeforeTool (write_file): blocked by guard",
      "  The tool does not run. The model reads this instead of a result:",
      "    | Not this file.",
      "",
      "  guard  denies (N ms)",
      "  asker  overruled: wants the user asked (N ms)",
      "  slow   timed out after N ms (N ms)",
      "         The hook did not finish within N ms and was ended. The action goes on",
      "         as if the hook had said nothing. Give it a longer `timeout`, or make it",
      "         faster.",
      "  gone   failed: command not found (exit code 127) (N ms)",
      "         The hook's command was not found by bash (exit code 127); stderr:",
      '         "bash: line 1: no-such-command-here: command not found". The action',
      "         goes on as if the hook had said nothing. Check the path, the first line",
      "         of the script, and the PATH variable.",
      "  off    switched off: hooksConfig.disabled in .gemini/settings.json",
      "",
      "  The user sees:",
      "    2 warnings about hooks, as told above.",
      "",
    ]);
  });

  it("warns of a project hook the first time, on stderr, and is silent about it afterwards", async () => {
    place.settings(hooks("SessionStart", undefined, { command: "true" }));
    const first = await place.run(["fire", "SessionStart"]);
    expect(first.err.match(WARNED)).toHaveLength(1);
    expect(await place.run(["fire", "SessionStart"])).toMatchObject({ code: 0, err: "" });
  });

  it("gives hooks what was said on the command line, and the example for the rest", async () => {
    place.settings(hooks("BeforeTool", undefined, { command: "cat > read.json" }));
    const { code } = await place.run(["fire", "BeforeTool", "--tool", "run_shell_command", "--input", '{"command":"ls"}']);
    expect(code).toBe(0);
    expect(read(readFileSync(join(place.project, "read.json"), "utf8"))).toEqual({
      session_id: expect.any(String),
      transcript_path: "",
      cwd: place.project,
      hook_event_name: "BeforeTool",
      timestamp: expect.any(String),
      tool_name: "run_shell_command",
      tool_input: { command: "ls" },
    });
  });

  it("fires a recorded event as it was: session, directory and transcript too", async () => {
    place.write("sub/.keep", "");
    const event = {
      session_id: "s-1",
      transcript_path: "/tmp/t.json",
      cwd: join(place.project, "sub"),
      hook_event_name: "AfterAgent",
      timestamp: "2026-01-01T00:00:00.000Z",
      prompt: "Hi.",
      prompt_response: "Ho.",
      stop_hook_active: true,
    };
    place.write("event.json", JSON.stringify(event));
    place.settings(hooks("AfterAgent", undefined, { command: `cat > "$GEMINI_PROJECT_DIR/read.json"` }));
    const { err } = await place.run(["fire", "AfterAgent", "--input", "@event.json"]);
    expect(err.replace(WARNED, "")).toBe("");
    expect(read(readFileSync(join(place.project, "read.json"), "utf8"))).toEqual({ ...event, timestamp: expect.any(String) });
  });

  it("reads the input from standard input", async () => {
    place.settings(hooks("BeforeAgent", undefined, { command: "cat >&2; exit 2" }));
    const { code, out } = await place.run(["fire", "BeforeAgent", "--input", "-"], { stdin: stdinOf('{"prompt":"Say \\u00e9."}') });
    expect(code).toBe(2);
    expect(out).toContain('"prompt":"Say é."');
  });

  it("tells hooks where an MCP tool comes from", async () => {
    place.settings(hooks("BeforeTool", "mcp_github_create_issue", { command: "cat > read.json" }));
    await place.run(["fire", "BeforeTool", "--mcp", "github/create_issue"]);
    expect(read(readFileSync(join(place.project, "read.json"), "utf8"))).toMatchObject({
      tool_name: "mcp_github_create_issue",
      mcp_context: { server_name: "github", tool_name: "create_issue" },
    });
  });

  it("takes another product's word for the event, and says what it is called here", async () => {
    place.settings(hooks("BeforeTool", "run_shell_command", { name: "guard", command: "exit 2" }));
    const { code, out, err } = await place.run(["fire", "pretooluse", "--tool", "Bash", "--input", '{"command":"ls"}']);
    expect(code).toBe(2);
    expect(out).toMatch(/^BeforeTool \(Bash\): blocked by guard\n/);
    expect(err.replace(WARNED, "")).toBe("Note: PreToolUse is a word of Qoder CN CLI; Gemini CLI calls this moment\nBeforeTool.\n");
  });

  it.each([
    ["proceeds", "BeforeTool", "echo '{}'", 0],
    ["asks the user", "BeforeTool", `echo '{"decision":"ask"}'`, 0],
    ["stops the agent", "BeforeTool", `echo '{"continue":false}'`, 2],
    ["sends the answer back", "AfterAgent", "echo 'Test it.' >&2; exit 2", 2],
    ["refuses what cannot be refused", "Notification", "exit 2", 0],
    ["fails", "BeforeTool", "exit 1", 0],
  ])("exits with a code that says whether the agent goes on: a hook %s", async (_, event, command, code) => {
    place.settings(hooks(event, undefined, { command }));
    expect((await place.run(["fire", event])).code).toBe(code);
  });

  it("tells the whole story with --explain, what hooks read included", async () => {
    place.settings(hooks("BeforeTool", undefined, { name: "guard", command: "exit 2" }));
    const { code, out } = await place.run(["fire", "BeforeTool", "--explain"]);
    expect(code).toBe(2);
    const headings = out.match(/^\S.*$/gm);
    expect(headings).toEqual([
      "BeforeTool (write_file): blocked by guard",
      "The event",
      "Hooks: 1 configured, 1 of them called",
      "How it was decided",
      "What happens now",
      "Where the real CLI does otherwise",
    ]);
    expect(out).toContain('"hook_event_name": "BeforeTool"');
  });

  it("prints one JSON document with --json, and nothing else on stdout", async () => {
    place.settings({ ...hooks("BeforeTool", undefined, { name: "guard", command: "echo No. >&2; exit 2", colour: "red" }) });
    const { code, out } = await place.run(["fire", "BeforeTool", "--json"]);
    expect(code).toBe(2);
    expect(read(out)).toMatchObject({
      outcome: { action: "block", reason: "No.", messages: [] },
      record: {
        event: "beforeTool",
        subject: "write_file",
        entries: [{ name: "guard", status: "ok", run: { exitCode: 2, stderr: "No.\n" } }],
      },
      problems: [{ code: "KEY_UNKNOWN" }],
    });
  });

  it("answers one question with --why-not", async () => {
    place.settings(hooks("BeforeTool", "replace", { name: "format", command: "true" }));
    const known = await place.run(["fire", "BeforeTool", "--why-not", "format"]);
    expect(known).toMatchObject({ code: 0, err: "" });
    expect(known.out).toBe(
      '"format", from .gemini/settings.json:7 (project), did not run at BeforeTool\n(write_file): its matcher "replace" does not fit "write_file".\n',
    );
    const unknown = await place.run(["fire", "BeforeTool", "--why-not", "formad"]);
    expect(unknown).toEqual({ code: 1, out: "", err: 'There is no hook "formad". Did you mean "format"? The hooks are: format.\n' });
  });

  it("runs hooks of a settings file named with --settings", async () => {
    place.write("more.json", JSON.stringify(hooks("SessionStart", undefined, { name: "more", command: "echo hello" })));
    const { out } = await place.run(["fire", "SessionStart", "--settings", "more.json"]);
    expect(out).toContain("more:\n      | hello\n");
  });

  it("keeps the firing in the journal", async () => {
    place.settings(hooks("SessionStart", undefined, { command: "true" }));
    await place.run(["fire", "SessionStart"]);
    expect(existsSync(join(place.home, ".carabiner", "journal"))).toBe(true);
    expect((await place.run(["explain"])).out).toMatch(/^SessionStart \(startup\): proceeds\n/);
  });

  it("waits for a hook that runs in the background, and tells how it ended", async () => {
    place.write(
      ".qoder/settings.json",
      JSON.stringify(hooks("PostToolUse", undefined, { name: "later", command: "sleep 0.2; exit 3", async: true })),
    );
    const { code, out } = await place.run(["fire", "PostToolUse"]);
    expect(code).toBe(0);
    expect(steady(out)).toContain(
      "later  failed: exit code 3 (N ms): it was still running when the firing\n         ended, which did not wait for it\n",
    );
  });

  it("lists the files in which hooks were looked for where there are none", async () => {
    const { code, err } = await place.run(["fire", "BeforeTool"]);
    expect(code).toBe(0);
    expect(err).toMatch(
      /^Hooks were looked for in:\n {2}\.gemini\/settings\.json: there is no such file\n {2}~\/\.gemini\/settings\.json: there is no such file\n/,
    );
  });

  it("ends its hooks and exits with the signal's code when it is interrupted", async () => {
    place.settings(hooks("BeforeTool", undefined, { command: "touch started; sleep 30" }));
    const began = performance.now();
    const { code, out } = await place.run(["fire", "BeforeTool"], {
      onSignal: (listener) => {
        const timer = setInterval(() => {
          if (existsSync(join(place.project, "started"))) listener("SIGINT");
        }, 20);
        return () => clearInterval(timer);
      },
    });
    expect(code).toBe(130);
    expect(out).toMatch(/^BeforeTool \(write_file\): stopped\n/);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe("what cannot be fired", () => {
  const refused = async (...argv: string[]) => {
    const { code, out, err } = await place.run(["fire", ...argv]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    return err;
  };

  it("is an unknown event: the closest is named, and all there are", async () => {
    expect(await refused("BeforeTol")).toMatch(/^"BeforeTol" is not an event\. Did you mean "BeforeTool"\?\nGemini CLI: SessionStart, /);
    expect(await refused("Elicitation")).toBe('"Elicitation" is an event of Qoder CN CLI that is not fired here.\n');
  });

  it("is an input that is no JSON object", async () => {
    expect(await refused("BeforeTool", "--input", "[1]")).toBe("--input: expected one JSON object, found [1].\n");
    expect(await refused("BeforeTool", "--input", "event.json")).toMatch(
      /^--input: not JSON \(.*\)\. Expected one JSON object, found event\.json\. A file is named with @, as in --input @event\.json\.\n$/,
    );
    expect(await refused("BeforeTool", "--input", "@nowhere.json")).toMatch(
      /^--input: nowhere\.json cannot be read \(there is no such file\)\.$/m,
    );
  });

  it("is a tool where there is none, or two that disagree", async () => {
    expect(await refused("SessionStart", "--tool", "glob")).toBe("--tool: SessionStart is not about a tool.\n");
    expect(await refused("BeforeTool", "--mcp", "github")).toBe('--mcp "github": expected SERVER/TOOL, as in --mcp github/create_issue.\n');
    expect(await refused("BeforeTool", "--mcp", "a/b", "--tool", "glob")).toBe("--mcp and --tool both name the tool: give one of them.\n");
    expect(await refused("BeforeTool", "--tool", "glob", "--input", '{"tool_name":"replace"}')).toBe(
      '--tool says "glob" and tool_name in --input says "replace": give one of them.\n',
    );
  });

  it("is a dialect or a settings file that is not there", async () => {
    expect(await refused("BeforeTool", "--dialect", "gemini,claud")).toBe('--dialect "claud": expected one or more of gemini, qoder-cn.\n');
    expect(await refused("BeforeTool", "--settings", "none.json")).toBe(
      "--settings none.json: the file cannot be read (there is no such file).\n",
    );
  });

  it("is told by the exit code where a settings file cannot be read, unless a hook denied all the same", async () => {
    place.write(".gemini/settings.json", '{"hooks": ');
    const open = await place.run(["fire", "BeforeTool"]);
    expect(open.code).toBe(1);
    expect(open.err).toContain("Error: .gemini/settings.json:1:");
    place.userSettings(hooks("BeforeTool", undefined, { command: "exit 2" }));
    expect((await place.run(["fire", "BeforeTool"])).code).toBe(2);
  });

  it.each<[string, unknown]>([
    ["the whole file", [1]],
    ["the hooks", { hooks: [{ event: "BeforeTool", command: "exit 2" }] }],
    ["the event", { hooks: { BeforeTool: { hooks: [{ type: "command", command: "exit 2" }] } } }],
    ["the group", { hooks: { BeforeTool: [{ hooks: { type: "command", command: "exit 2" } }] } }],
  ])("is told where %s has the wrong shape, so that its hooks are in no list; other events are fired as asked", async (what, settings) => {
    place.settings(settings);
    const { code, err } = await place.run(["fire", "BeforeTool"]);
    expect(code).toBe(1);
    expect(err).toContain(what === "the whole file" ? "settings.json: cannot be used" : "settings.json: has no hook that can be used");
    expect((await place.run(["fire", "SessionStart"])).code).toBe(what === "the event" || what === "the group" ? 0 : 1);
  });

  it("is not a single hook that cannot be used: it has a status, and the others were called", async () => {
    place.settings({ hooks: { BeforeTool: [{ hooks: [{ type: "command" }, { type: "command", command: "true" }] }] } });
    const { code, out } = await place.run(["fire", "BeforeTool"]);
    expect(code).toBe(0);
    expect(out).toContain("definition not usable");
  });
});

describe("fields that do not count", () => {
  it("are named, with what was meant", async () => {
    place.settings(hooks("BeforeTool", undefined, { command: "true" }));
    const { err } = await place.run(["fire", "BeforeTool", "--input", '{"tool_input":"ls","tol_name":"x","hook_event_name":"AfterTool"}']);
    expect(err.replace(WARNED, "")).toBe(
      [
        'Note: --input: hook_event_name says "AfterTool"; fired is BeforeTool.',
        'Note: --input: "tol_name" is not a field of BeforeTool, and hooks do not read',
        'it. Did you mean "tool_name"?',
        "Note: --input: tool_input is not passed on as it was given: hooks read",
        '{"file_path":"notes.txt","content":"Hello."}.',
        "",
      ].join("\n"),
    );
  });

  it("include a tool whose name is nearly a known one", async () => {
    const { err } = await place.run(["fire", "BeforeTool", "--tool", "write_fil"]);
    expect(err).toContain('Note: Gemini CLI has no tool "write_fil". Did you mean "write_file"?');
  });

  it("include a tool that only another product has by this name", async () => {
    const { err } = await place.run(["fire", "BeforeTool", "--tool", "Bash"]);
    expect(err.replace(/\s+/g, " ")).toContain(
      'Gemini CLI has no tool "Bash", which is a word of Qoder CN CLI. Did you mean "run_shell_command"? It is fired as it stands.',
    );
    expect((await place.run(["fire", "PreToolUse", "--tool", "Bash"])).err).not.toContain("has no tool");
  });

  it("do not include what a tool calls its arguments", async () => {
    place.settings(hooks("BeforeTool", undefined, { command: "cat > read.json" }));
    await place.run(["fire", "BeforeTool", "--tool", "x", "--input", '{"__proto__":{"a":1},"b":2}']);
    expect(readFileSync(join(place.project, "read.json"), "utf8")).toContain('"tool_input":{"__proto__":{"a":1},"b":2}');
  });
});
