// What an agent is made of before its first prompt: folders, variables, context files, models, and what is said of bad settings.
import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadEnvFile, openAgent } from "../../src/config/index.ts";
import type { Mode } from "../../src/permissions/index.ts";
import { profileOf } from "../../src/profiles/index.ts";
import { readTranscript } from "../../src/sessions/index.ts";
import { type Stage, says, served, stage } from "../loop/stage.ts";

describe("environment files", () => {
  const loaded = (on: Stage, trusted: boolean, env: Record<string, string | undefined> = {}) => {
    const found = loadEnvFile(profileOf("gemini"), { cwd: on.project, home: on.home, env }, env, trusted);
    return { file: found?.file.slice(on.root.length), env };
  };

  it("are looked for from the project upward, then in the home; only there in a folder that is not trusted", () => {
    const on = stage();
    on.write("home/.env", "A=home");
    expect(loaded(on, true)).toEqual({ file: "/home/.env", env: { A: "home" } });
    on.write(".env", "A=above");
    expect(loaded(on, true)).toEqual({ file: "/.env", env: { A: "above" } });
    on.write("my project/.env", "A=project");
    expect(loaded(on, true)).toEqual({ file: "/my project/.env", env: { A: "project" } });
    expect(loaded(on, false)).toEqual({ file: "/home/.env", env: { A: "home" } });
  });

  it("never change a variable that is set, be it to nothing", () => {
    const on = stage();
    on.write("my project/.env", "A=file\nB=file\nC=file\n");
    expect(loaded(on, true, { A: "set", B: "" }).env).toEqual({ A: "set", B: "", C: "file" });
  });
});

describe("a folder that nobody has decided about", () => {
  const opening = async (on: Stage, askFolder: (folder: string) => Promise<boolean>) => {
    on.write("my project/GEMINI.md", "facts");
    return openAgent({
      cwd: on.project,
      home: on.home,
      env: { HOME: on.home, PATH: process.env["PATH"], GEMINI_CLI_SYSTEM_SETTINGS_PATH: on.path("none") },
      flags: { model: `script/${on.write("turns.jsonl", '{"text":"ok"}')}` },
      confirm: async () => true,
      askFolder,
      tell: () => undefined,
      onEngineEvent: () => undefined,
      signal: new AbortController().signal,
    });
  };

  it("is asked about once; the answer is kept", async () => {
    const on = stage();
    const asked: string[] = [];
    const first = await opening(on, async (folder) => {
      asked.push(folder);
      return true;
    });
    if (!first.ok) throw new Error(first.message);
    expect(first.engine.snapshot().trusted).toBe(true);
    await first.close("exit");
    const second = await opening(on, async () => {
      throw new Error("asked again");
    });
    if (!second.ok) throw new Error(second.message);
    await second.close("exit");
    expect(asked).toEqual([on.project]);
  });

  it("that is not trusted gives no context, no hooks and no rules, and the agent works in it", async () => {
    const on = stage();
    on.write(
      "my project/.gemini/settings.json",
      JSON.stringify({
        tools: { allowed: ["run_shell_command"] },
        hooks: { BeforeAgent: [{ hooks: [{ type: "command", command: "touch ran" }] }] },
      }),
    );
    const run = await opening(on, async () => false);
    if (!run.ok) throw new Error(run.message);
    await run.agent.begin();
    expect((await run.agent.prompt("q", new AbortController().signal)).answer).toBe("ok");
    expect(() => on.read("my project/ran")).toThrow("ENOENT");
    expect(run.engine.hooks().map((entry) => entry.name)).toEqual(["touch ran"]);
    await run.close("exit");
  });
});

describe("a mode in a folder that is not trusted", () => {
  it.each<[Mode, Mode]>([
    ["yolo", "default"],
    ["auto", "default"],
    ["autoEdit", "default"],
    ["plan", "plan"],
    ["dontAsk", "dontAsk"],
  ])("that is %s is %s, at the start and later, and that is told", async (wanted, expected) => {
    const on = stage();
    on.write("my project/GEMINI.md", "facts");
    const notices: string[] = [];
    const run = await openAgent({
      cwd: on.project,
      home: on.home,
      env: { HOME: on.home, PATH: process.env["PATH"], GEMINI_CLI_SYSTEM_SETTINGS_PATH: on.path("none") },
      flags: { model: `script/${on.write("turns.jsonl", '{"text":"ok"}')}`, mode: wanted },
      confirm: async () => true,
      askFolder: async () => false,
      tell: (event) => event.kind === "notice" && notices.push(event.text),
      onEngineEvent: () => undefined,
      signal: new AbortController().signal,
    });
    if (!run.ok) throw new Error(run.message);
    expect(run.mode()).toBe(expected);
    run.setMode(wanted);
    expect(run.mode()).toBe(expected);
    expect(notices.filter((text) => text.includes("the permission mode"))).toHaveLength(wanted === expected ? 0 : 2);
    await run.close("exit");
  });
});

describe("settings", () => {
  it("that are broken are told and cost only themselves", async () => {
    const on = stage();
    on.write(
      "home/.gemini/settings.json",
      JSON.stringify({
        hooks: { BeforeAgent: [{ hooks: [{ type: "command" }, { type: "command", command: "touch ran" }] }] },
        tools: { exclude: "write_file", allowed: [7] },
        mcpServers: { broken: { command: "" }, alsoBroken: 3 },
        model: { maxSessionTurns: "many" },
      }),
    );
    const run = await served(on, "gemini", [{ text: "ok" }]);
    expect((await run.ask("q")).answer).toBe("ok");
    expect(on.read("my project/ran")).toBe("");
    const told = run.told().join("\n");
    for (const part of ["hooks.BeforeAgent[0].hooks[0]", "tools.exclude", "tools.allowed[0]", "MCP server broken", "MCP server alsoBroken"])
      expect(told).toContain(part);
  });

  it.each([
    [{ model: "gemini-3.5-flash" }, 'settings model: expected an object, found "gemini-3.5-flash". model.name is not read from it.'],
    [{ model: { name: 5 } }, "settings model.name: expected the name of a model, found 5. It is ignored."],
    [
      { model: { maxSessionTurns: 0 } },
      "settings model.maxSessionTurns: expected a whole number from 1, or -1 for no bound, found 0. It is ignored.",
    ],
    [
      { model: { compressionThreshold: 70 } },
      "settings model.compressionThreshold: expected a number above 0 and at most 1, found 70. It is ignored.",
    ],
    [
      { context: { fileName: ["A.md", 5] } },
      'settings context.fileName: expected the name of a file, or a list of names, found ["A.md",5]. It is ignored.',
    ],
    [{ tools: "none" }, "tools: expected an object, found a string. No rule is taken from it."],
  ])("of the agent with a value of another shape are told: %j", async (settings, told) => {
    const on = stage();
    on.hooks([], settings);
    const run = await served(on, "gemini", [{ text: "ok" }]);
    expect((await run.ask("q")).answer).toBe("ok");
    expect(run.told().filter((text) => text.endsWith(told))).toHaveLength(1);
  });

  it("with -1 turns bound none", async () => {
    const on = stage();
    on.hooks([], { model: { maxSessionTurns: -1 } });
    const looks = { calls: [{ name: "list_directory", input: {} }] };
    const run = await served(on, "gemini", [...Array.from({ length: 101 }, () => looks), { text: "at last" }]);
    expect((await run.ask("q")).answer).toBe("at last");
  });

  it("bound the turns, and what was done stays", async () => {
    const on = stage();
    on.hooks([{ on: "AfterAgent" }], { model: { maxSessionTurns: 1 } });
    const run = await served(on, "gemini", [
      { calls: [{ name: "run_shell_command", input: { command: "touch a.txt" } }] },
      { text: "never" },
    ]);
    await expect(run.ask("q")).rejects.toThrow("--max-turns (or model.maxSessionTurns)");
    expect(on.read("my project/a.txt")).toBe("");
    expect(run.server.requests).toHaveLength(1);
    const stored = await readTranscript(run.agent.transcriptPath());
    expect(stored).toMatchObject({ messages: { length: 3 } });
  });

  it("that change between two prompts count with the second", async () => {
    const on = stage();
    on.hooks([]);
    const run = await served(on, "gemini", [{ text: "one" }, { text: "two" }]);
    expect((await run.ask("q")).ended).toBe("answered");
    on.hooks([{ on: "BeforeAgent", does: says({ decision: "deny", reason: "new rule" }) }]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await run.ask("q")).toMatchObject({ ended: "discarded", reason: "new rule" });
  });
});

describe("context files", () => {
  it("that are very long are cut, and say so", async () => {
    const on = stage();
    on.write("my project/GEMINI.md", "x".repeat(100_500));
    const run = await served(on, "gemini", [{ text: "ok" }]);
    await run.ask("q");
    expect(run.sent(0)).toContain("[The file goes on for 500 characters.]");
  });

  it("have what they import in its place, files in files, and people are told what cannot be", async () => {
    const on = stage();
    on.write("secret.md", "SECRET");
    on.write("my project/docs/style.md", "Two blanks.\n@../more.md");
    on.write("my project/more.md", "More. @docs/style.md");
    symlinkSync(on.path("secret.md"), on.path("my project/link.md"));
    on.write("home/.gemini/own.md", "OWN");
    on.write("home/.gemini/GEMINI.md", "@./own.md");
    on.write(
      "my project/GEMINI.md",
      [
        "Follow @./docs/style.md, and ask @alice or me@example.com.",
        "@../secret.md @link.md @nowhere.md @docs",
        "`@more.md` and",
        "```",
        "@more.md",
        "```",
      ].join("\n"),
    );
    const run = await served(on, "gemini", [{ text: "ok" }]);
    await run.ask("q");
    const system = run.server.requests[0]?.body.systemInstruction.parts[0].text;
    expect(system).toContain("<!-- Imported from: ./own.md -->\nOWN\n<!-- End of import from: ./own.md -->");
    expect(system).toContain(
      [
        "Follow <!-- Imported from: ./docs/style.md -->",
        "Two blanks.",
        "<!-- Imported from: ../more.md -->",
        "More. @docs/style.md",
        "<!-- End of import from: ../more.md -->",
        "<!-- End of import from: ./docs/style.md -->, and ask @alice or me@example.com.",
        "@../secret.md @link.md @nowhere.md @docs",
        "`@more.md` and",
        "```",
        "@more.md",
        "```",
      ].join("\n"),
    );
    expect(system).not.toContain("SECRET");
    const file = on.path("my project/GEMINI.md");
    const outside = "the file is outside the project and the folder of the user's settings";
    expect(run.told()).toEqual([
      `${on.path("my project/more.md")}: the import @docs/style.md is left as it stands: the file imports itself.`,
      `${file}: the import @../secret.md is left as it stands: ${outside}.`,
      `${file}: the import @link.md is left as it stands: ${outside}.`,
      `${file}: the import @nowhere.md is left as it stands: there is no such file.`,
    ]);
  });
});
