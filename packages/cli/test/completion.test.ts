import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { hook, on, PROJECT, type TestMachine, testMachine } from "./test-io.ts";

const settings = on("BeforeTool", [
  hook("echo a", { name: "no-secrets" }),
  hook("echo b", { name: "no-rm" }),
  hook("echo c", { name: "$(touch pwned)" }),
  hook("echo d", { name: "two words" }),
  hook("echo e", { name: "密钥" }),
]);
const offered = async (machine: TestMachine, ...words: readonly string[]): Promise<readonly string[]> => {
  const { out } = await machine.run(["completion", "complete", "--", ...words]);
  return out
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith(":"))
    .map((line) => line.split("\t")[0] ?? "");
};

test("commands, sub-commands, options and their values are offered", async () => {
  const machine = testMachine();
  expect(await offered(machine, "")).toEqual(expect.arrayContaining(["hooks", "trust", "doctor", "init", "completion"]));
  expect(await offered(machine, "hooks", "dis")).toEqual(["disable", "disable-all"]);
  expect(await offered(machine, "hooks", "add", "--la")).toEqual(["--lang"]);
  expect(await offered(machine, "hooks", "add", "--lang", "")).toEqual(["sh", "python", "node", "ts"]);
  expect(await offered(machine, "hooks", "disable", "x", "--scope=u")).toEqual(["user"]);
  expect(await offered(machine, "--output-f")).toEqual(["--output-format"]);
  expect(await offered(machine, "--output-format", "s")).toEqual(["stream-json"]);
  expect(await offered(machine, "--resume", "")).toEqual(["latest"]);
});

test("events are offered in the words of the products that are here", async () => {
  expect(await offered(testMachine(), "hooks", "add", "Before")).toEqual([
    "BeforeAgent",
    "BeforeModel",
    "BeforeToolSelection",
    "BeforeTool",
  ]);
  const qoder = testMachine({ "project/.qoder/settings.json": {} });
  expect(await offered(qoder, "fire", "Pre")).toEqual(["PreToolUse", "PreCompact"]);
  expect(await offered(qoder, "fire", "PreToolUse", "--tool", "Ba")).toEqual(["Bash"]);
});

test("hooks are offered by name, but for names that a shell could take for code", async () => {
  const machine = testMachine({ [PROJECT]: settings });
  expect(await offered(machine, "hooks", "disable", "")).toEqual(["no-secrets", "no-rm", "密钥"]);
  expect(await offered(machine, "trust", "approve", "no-s")).toEqual(["no-secrets"]);
});

test("firings of the journal are offered", async () => {
  const machine = testMachine({ [PROJECT]: settings });
  await machine.run(["fire", "BeforeTool"]);
  const [last, id] = await offered(machine, "explain", "");
  expect(last).toBe("last");
  expect(id).toMatch(/^[0-9a-f]+-\d+$/);
});

test("without a known shell the command says which there are", async () => {
  expect(await testMachine().run(["completion"])).toMatchObject({ code: 1, err: expect.stringContaining("bash|zsh|fish") });
  expect((await testMachine().run(["completion"], { env: { SHELL: "/bin/zsh" } })).out).toMatch(/^#compdef carabiner\n/);
  expect(await testMachine().run(["completion", "tcsh"])).toMatchObject({ code: 1 });
});

const bin = resolve(import.meta.dirname, "../bin/carabiner.js");
/** The script, and a `carabiner` on the PATH that is the built program. */
async function stage(shell: string) {
  const machine = testMachine({ [PROJECT]: settings });
  machine.write("bin/carabiner", `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`, 0o755);
  const { out } = await machine.run(["completion", shell]);
  const script = machine.write(`script.${shell}`, out);
  const env = { ...machine.env, PATH: `${machine.path("bin")}:${process.env["PATH"]}`, TERM: "dumb" };
  return {
    machine,
    script,
    run: (command: string, args: readonly string[]) => spawnSync(command, args, { cwd: machine.project, env, encoding: "utf8" }),
  };
}

test.each([
  ["bash", "bash"],
  ["zsh", "zsh"],
  ["fish", "fish"],
])("the script for %s parses", async (shell, program) => {
  const { script, run } = await stage(shell);
  const { status, error, stderr } = run(program, ["-n", script]);
  // Not every machine has every shell; bash has to be there.
  if (error && shell !== "bash") return;
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("a real bash completes hooks, options with = and commands, and never runs a name as code", { timeout: 60_000 }, async () => {
  const { machine, script, run } = await stage("bash");
  const complete = (...words: readonly string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const { stdout, stderr } = run("bash", [
      "--norc",
      "-c",
      `source ${script}; COMP_WORDS=(carabiner ${quoted}); COMP_CWORD=${words.length}; _carabiner_complete; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]);
    expect(stderr).toBe("");
    return stdout.trim().split("\n");
  };
  expect(complete("hooks", "disable", "")).toEqual(["no-secrets", "no-rm", "密钥"]);
  expect(complete("hooks", "disable", "no-r")).toEqual(["no-rm"]);
  expect(complete("hooks", "disable", "--scope", "=", "us")).toEqual(["user"]);
  expect(complete("doc")).toEqual(["doctor"]);
  expect(complete("hooks", "disable", "$(touch typed)")).toEqual([""]);
  const { stdout } = run("bash", ["--norc", "-c", "ls"]);
  expect(stdout).toBe("");
  expect(machine.read(PROJECT)).toContain("pwned");
});

test("the key in an interactive bash puts the rest of the name on the line", { timeout: 60_000 }, async () => {
  const { script, machine } = await stage("bash");
  const { spawn } = await import("@lydell/node-pty");
  const env = {
    ...process.env,
    ...machine.env,
    PATH: `${machine.path("bin")}:${process.env["PATH"]}`,
    TERM: "dumb",
    PS1: "> ",
    HISTFILE: "",
  };
  const terminal = spawn("bash", ["--norc", "--noprofile", "-i"], { cwd: machine.project, env, cols: 80, rows: 24 });
  let seen = "";
  const until = (text: string) =>
    new Promise<void>((done, fail) => {
      const bound = setTimeout(() => fail(new Error(`no ${JSON.stringify(text)} in ${JSON.stringify(seen)}`)), 25_000);
      const look = () => {
        if (!seen.includes(text)) return;
        clearTimeout(bound);
        heard.dispose();
        done();
      };
      const heard = terminal.onData((data) => {
        seen += data;
        look();
      });
      look();
    });
  try {
    terminal.write(`source ${script} && echo rea''dy\r`);
    await until("ready");
    terminal.write("carabiner hooks disable no-s\t");
    await until("carabiner hooks disable no-secrets ");
    expect(seen).not.toContain("not found");
  } finally {
    terminal.kill("SIGKILL");
  }
});
