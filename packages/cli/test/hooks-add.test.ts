import { existsSync, readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { fileName } from "../src/commands/hooks-name.ts";
import { stripsTypes } from "../src/commands/hooks-node.ts";
import { commandText } from "../src/commands/starters/index.ts";
import { on, PROJECT, testMachine, USER } from "./test-io.ts";

test("a guard is written, configured, approved and tried with a call that it lets go and one that it refuses", async () => {
  const machine = testMachine();
  const { code, out, err } = await machine.run(["hooks", "add", "BeforeTool"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Added the hook guard-before-tool to BeforeTool (Gemini CLI).");
  expect(out).toContain('Tried with the command "ls":\nBeforeTool (run_shell_command): proceeds');
  expect(out).toContain('Tried with the command "rm -rf /tmp/example":\nBeforeTool (run_shell_command): blocked by guard-before-tool');
  expect(out).toContain("carabiner explain last");
  expect(JSON.parse(machine.read(PROJECT))).toEqual(
    on(
      "BeforeTool",
      [{ type: "command", command: '"$GEMINI_PROJECT_DIR"/.gemini/hooks/guard-before-tool.sh', name: "guard-before-tool" }],
      { matcher: "run_shell_command" },
    ),
  );
  expect(statSync(machine.path("project/.gemini/hooks/guard-before-tool.sh")).mode & 0o111).toBe(0o111);
  expect((await machine.run(["trust", "list"])).out).toContain("approved  guard-before-tool");
  const fired = await machine.run(["fire", "BeforeTool", "--tool", "run_shell_command", "--input", '{"command":"rm -r -f ~"}']);
  expect(fired).toMatchObject({ code: 2, err: "" });
});

test("comments and layout of the settings stay, and names that are taken are not taken again", async () => {
  const machine = testMachine({ [PROJECT]: '{\n\t// ours\n\t"theme": "dark", // why\n}\n' });
  await machine.run(["hooks", "add", "SessionEnd"]);
  await machine.run(["hooks", "add", "SessionEnd"]);
  expect(machine.read(PROJECT)).toMatch(/^\{\n\t\/\/ ours\n\t"theme": "dark", \/\/ why\n\t"hooks": \{/);
  expect(readdirSync(machine.path("project/.gemini/hooks")).sort()).toEqual(["log-session-end-2.sh", "log-session-end.sh"]);
  const { code, err } = await machine.run(["hooks", "add", "SessionEnd", "--name", "log-session-end"]);
  expect(code).toBe(1);
  expect(err).toContain("already");
});

test("trying it touches nothing of the project, and runs no other hook", async () => {
  const machine = testMachine();
  machine.write(PROJECT, on("Notification", [{ type: "command", command: `touch ${machine.path("ran")}` }]));
  machine.write(USER, on("Notification", [{ type: "command", command: `touch ${machine.path("ran")}` }]));
  const { out } = await machine.run(["hooks", "add", "Notification"]);
  expect(out).toContain("log-notification  no opinion");
  expect(existsSync(machine.path("ran"))).toBe(false);
  expect(readdirSync(machine.path("project/.gemini")).sort()).toEqual(["hooks", "settings.json"]);
});

test("a user's hook has an absolute command, and runs in every project", async () => {
  const machine = testMachine();
  const { out } = await machine.run(["hooks", "add", "SessionStart", "--scope", "user", "--name", "welcome"]);
  expect(out).toContain("~/.gemini/hooks/welcome.sh");
  expect(out).toContain("adds context");
  expect(machine.read(USER)).toContain(machine.path("home/.gemini/hooks/welcome.sh"));
  expect(existsSync(machine.path(PROJECT))).toBe(false);
});

test("a matcher for other tools than the shell gives a guard of files", async () => {
  const machine = testMachine();
  const { out } = await machine.run(["hooks", "add", "beforeTool", "--matcher", "write_file|replace", "--name", "密钥 守卫"]);
  expect(out).toContain('Tried with file_path "notes.txt":\nBeforeTool (write_file): proceeds');
  expect(out).toContain('Tried with file_path ".env":\nBeforeTool (write_file): blocked by 密钥 守卫');
  expect(existsSync(machine.path("project/.gemini/hooks/密钥-守卫.sh"))).toBe(true);
});

test("a matcher for one kind of the event is tried with that kind, and one that fits no tool is not tried", async () => {
  const machine = testMachine();
  const { out } = await machine.run(["hooks", "add", "SessionStart", "--matcher", "resume"]);
  expect(out).toContain("SessionStart (resume): proceeds");
  expect(out).toContain(`carabiner fire SessionStart --input '{"source":"resume"}'`);
  const other = await machine.run(["hooks", "add", "BeforeTool", "--matcher", "mcp_github_.*"]);
  expect(other).toMatchObject({ code: 0, out: expect.stringContaining("Not tried: its matcher fits no built-in tool of Gemini CLI.") });
  expect((await machine.run(["hooks", "list"])).out).toContain("matcher mcp_github_.*");
});

test("an event of another product is named with its counterpart, and nothing is written", async () => {
  const machine = testMachine({ [PROJECT]: {} });
  expect(await machine.run(["hooks", "add", "PreToolUse"])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Gemini CLI calls this moment\s+BeforeTool/),
  });
  expect(await machine.run(["hooks", "add", "BeforeTol"])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Did you mean "BeforeTool"?'),
  });
  expect(readdirSync(machine.path("project/.gemini"))).toEqual(["settings.json"]);
  expect(await machine.run(["hooks", "add", "PreToolUse", "--dialect", "qoder-cn"])).toMatchObject({ code: 0 });
  expect(machine.read("project/.qoder/settings.json")).toContain('"$QODERCN_PROJECT_DIR\\"/.qoder/hooks/guard-pre-tool-use.sh');
});

test("settings that cannot be edited stay, and the script does not", async () => {
  const machine = testMachine({ [PROJECT]: { hooks: { BeforeTool: {} } } });
  const { code, err } = await machine.run(["hooks", "add", "BeforeTool"]);
  expect(code).toBe(1);
  expect(err).toContain("hooks.BeforeTool is not a list");
  expect(readdirSync(machine.path("project/.gemini/hooks"))).toEqual([]);
  machine.write(PROJECT, "{ broken");
  expect((await machine.run(["hooks", "add", "BeforeTool"])).err).toContain("not valid JSON");
  expect(machine.read(PROJECT)).toBe("{ broken");
});

test("what is wrong with a matcher is said where it is given", async () => {
  const machine = testMachine();
  const bad = await machine.run(["hooks", "add", "BeforeTool", "--matcher", "("]);
  expect(bad.code).toBe(0);
  expect(bad.err.replace(/\s+/g, " ")).toContain("The matcher is not a valid regular expression");
  const idle = await machine.run(["hooks", "add", "AfterAgent", "--matcher", "x"]);
  expect(idle.err.replace(/\s+/g, " ")).toContain("AfterAgent has nothing to match, and a matcher is given.");
  expect(idle.err).not.toContain("regular expression");
  expect((await machine.run(["hooks", "add", "SessionEnd"])).err).toBe("");
});

test("a home is no project: its file is the user's", async () => {
  const machine = testMachine();
  expect(await machine.run(["hooks", "add", "BeforeTool"], { cwd: "home" })).toMatchObject({
    code: 1,
    err: expect.stringContaining("--scope user"),
  });
});

test("TypeScript is refused where the node in PATH does not strip types, with what to do", async () => {
  const machine = testMachine();
  machine.write("bin/node", "#!/bin/sh\necho v20.19.0\n", 0o755);
  const { code, err } = await machine.run(["hooks", "add", "BeforeTool", "--lang", "ts"], { env: { PATH: machine.path("bin") } });
  expect(code).toBe(1);
  expect(err.replace(/\s+/g, " ")).toContain(
    "the node in PATH is v20.19.0, and TypeScript files run without a build from 22.18 on. Use --lang node",
  );
  expect((await machine.run(["hooks", "add", "BeforeTool", "--lang", "ts"], { env: { PATH: machine.path("empty") } })).err).toContain(
    "no node was found",
  );
  expect(existsSync(machine.path("project/.gemini"))).toBe(false);
});

test.each([
  ["v20.19.0", false],
  ["v22.17.1", false],
  ["v22.18.0", true],
  ["v23.5.0", false],
  ["v23.6.0", true],
  ["v24.0.0", true],
  ["", false],
])("node %s strips types: %s", (version, strips) => {
  expect(stripsTypes(version)).toBe(strips);
});

test("commands name the script so that the shell of each system starts it", () => {
  const place = { variable: "GEMINI_PROJECT_DIR", inProject: ".gemini/hooks/a.sh" };
  expect(commandText(place, "sh", "linux")).toBe('"$GEMINI_PROJECT_DIR"/.gemini/hooks/a.sh');
  expect(commandText(place, "node", "win32")).toBe('node "$GEMINI_PROJECT_DIR/.gemini/hooks/a.sh"');
  expect(commandText({ absolute: "/home/a/x.sh" }, "sh", "darwin")).toBe("/home/a/x.sh");
  expect(commandText({ absolute: "/home/a b/it's.sh" }, "sh", "linux")).toBe("'/home/a b/it'\\''s.sh'");
});

test("a name becomes a file's without leaving its folder", () => {
  expect(fileName("../../etc/passwd")).toBe("etc-passwd");
  expect(fileName("my hook; rm -rf /")).toBe("my-hook-rm-rf");
  expect(fileName("...")).toBe("");
});
