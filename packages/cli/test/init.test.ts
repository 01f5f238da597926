import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { PROJECT, testMachine } from "./test-io.ts";

test("one command gives a project a hook that works, and says what to do next", async () => {
  const machine = testMachine();
  const { code, out, err } = await machine.run(["init"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Added the hook no-root-deletion to BeforeTool (Gemini CLI).");
  expect(out).toContain("blocked by no-root-deletion");
  const fire = /carabiner (fire .*)\n/.exec(out)?.[1];
  expect(fire).toBe(`fire BeforeTool --tool run_shell_command --input '{"command":"rm -rf /tmp/example"}'`);
  const fired = await machine.run(["fire", "BeforeTool", "--tool", "run_shell_command", "--input", '{"command":"rm -rf /tmp/example"}']);
  expect(fired.code).toBe(2);
  expect((await machine.run(["explain", "last"])).out).toContain("no-root-deletion");
  expect((await machine.run(["doctor"])).out).toContain("The one configured hook runs");
});

test("a second time nothing is changed", async () => {
  const machine = testMachine();
  await machine.run(["init"]);
  const before = machine.read(PROJECT);
  const { code, err } = await machine.run(["init", "--lang", "node"]);
  expect(code).toBe(1);
  expect(err.replace(/\s+/g, " ")).toContain("There is a hook no-root-deletion in .gemini/settings.json already");
  expect(machine.read(PROJECT)).toBe(before);
});

test("it is written for the product whose settings are there, or that is named", async () => {
  const machine = testMachine({ "project/.qoder/settings.json": {} });
  expect((await machine.run(["init"])).out).toContain("to PreToolUse (Qoder CN CLI)");
  expect(existsSync(machine.path("project/.qoder/hooks/no-root-deletion.sh"))).toBe(true);
  const other = testMachine();
  expect((await other.run(["init", "--dialect", "qoder-cn", "--lang", "node"])).out).toContain("to PreToolUse (Qoder CN CLI)");
  expect(await other.run(["init", "--dialect", "nope"])).toMatchObject({ code: 1, err: expect.stringContaining("gemini, qoder-cn") });
  expect(await other.run(["init", "--lang", "perl"])).toMatchObject({ code: 1 });
});
