import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { addVariables, hookEnvironment, runProcess } from "../../src/running/index.ts";
import { bash } from "./orders.ts";

const home = mkdtempSync(join(tmpdir(), "carabiner-shell-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
writeFileSync(join(home, ".bashrc"), "echo BASHRC\n");
writeFileSync(join(home, ".bash_profile"), "echo PROFILE\n");
writeFileSync(join(home, ".profile"), "echo PROFILE\n");
writeFileSync(join(home, "start.sh"), "echo STARTED\n");
const start = join(home, "start.sh");

const policy = { enabled: true, allowed: [], blocked: [], strict: false };
const path = process.env["PATH"] ?? "";

describe("the shell of a hook", () => {
  it("reads no start-up file although its input is a socket and it has no SHLVL, nor when under ssh", async () => {
    for (const more of [{}, { SHLVL: "0" }, { SSH_CLIENT: "::1 1 2" }] as Record<string, string>[]) {
      const end = await runProcess(bash("echo hook", { env: { PATH: path, HOME: home, ...more } }));
      expect(end).toMatchObject({ stdout: "hook\n", stderr: "" });
    }
  });

  it("reads none that BASH_ENV or ENV name, and takes neither options nor functions from outside", async () => {
    const env = {
      PATH: path,
      HOME: home,
      BASH_ENV: start,
      ENV: start,
      SHELLOPTS: "xtrace",
      PS4: "$(echo CODE >&2)",
      "BASH_FUNC_echo%%": "() { printf FUNCTION; }",
    };
    expect(await runProcess(bash("echo hook", { env }))).toMatchObject({ stdout: "hook\n", stderr: "" });
  });

  it("hands the host's BASH_ENV, ENV and exported functions to no shell that the hook starts, and says so", async () => {
    const parent = {
      PATH: path,
      HOME: home,
      BASH_ENV: start,
      ENV: start,
      BASHOPTS: "extdebug",
      "BASH_FUNC_echo%%": "() { printf FUNCTION; }",
    };
    const { env, withheld } = hookEnvironment({ parent, own: {}, handlerEnv: {}, policy: { ...policy, allowed: ["BASH_ENV", "ENV"] } });
    expect(withheld).toEqual(["BASHOPTS", "BASH_ENV", "BASH_FUNC_echo%%", "ENV"]);
    expect(await runProcess(bash("bash -c 'echo inner'; bash -c 'echo last'", { env }))).toMatchObject({
      stdout: "inner\nlast\n",
      stderr: "",
    });
  });

  it("is started so that a shell started by it reads no ~/.bashrc either", async () => {
    const env = addVariables({ PATH: path, HOME: home }, {}, {}, "linux");
    expect(await runProcess(bash("bash -c 'echo inner'", { env }))).toMatchObject({ stdout: "inner\n" });
  });

  it("lets a handler that asks for BASH_ENV have it in the shells it starts, and only there", async () => {
    const { env } = hookEnvironment({ parent: { PATH: path, HOME: home }, own: {}, handlerEnv: { BASH_ENV: start }, policy });
    expect(await runProcess(bash("echo hook; bash -c 'echo inner'; true", { env }))).toMatchObject({ stdout: "hook\nSTARTED\ninner\n" });
  });
});
