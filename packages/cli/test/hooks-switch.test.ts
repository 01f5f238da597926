import { expect, test } from "vitest";
import { hook, on, PROJECT, SYSTEM, testMachine, USER } from "./test-io.ts";

const settings =
  '{\n  // ours\n  "hooks": {\n    "BeforeTool": [{ "hooks": [{ "type": "command", "command": "echo a", "name": "a" }] }]\n  }\n}\n';

test("a hook is switched off and on in the file that configures it, and the answer names the file", async () => {
  const machine = testMachine({ [PROJECT]: settings });
  const off = await machine.run(["hooks", "disable", "a"]);
  expect(off).toEqual({ code: 0, out: '"a" is switched off.\n  added to the list in .gemini/settings.json (project)\n', err: "" });
  expect(machine.read(PROJECT)).toContain("// ours");
  expect(JSON.parse((await machine.run(["hooks", "list", "--json"])).out)).toMatchObject({ hooks: [{ status: "disabled" }] });
  expect((await machine.run(["hooks", "disable", "a"])).out).toBe('"a" is already switched off; nothing changed.\n');
  const back = await machine.run(["hooks", "enable", "a"]);
  expect(back.out).toBe('"a" is switched on.\n  taken out of the list in .gemini/settings.json (project)\n');
  expect(JSON.parse((await machine.run(["hooks", "list", "--json"])).out)).toMatchObject({ hooks: [{ status: "enabled" }] });
});

test("a scope names another file", async () => {
  const machine = testMachine({ [PROJECT]: settings });
  expect((await machine.run(["hooks", "disable", "a", "--scope", "user"])).out).toContain("~/.gemini/settings.json (user)");
  expect(machine.read(PROJECT)).toBe(settings);
  expect(await machine.run(["hooks", "disable", "a", "--scope", "moon"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("project, user"),
  });
});

test("a name that nobody has lists those that there are", async () => {
  const machine = testMachine({ [PROJECT]: settings });
  expect(await machine.run(["hooks", "disable", "b"])).toEqual({
    code: 1,
    out: "",
    err: 'No hook is called "b".\nThe hooks here are:\n  a\n',
  });
  expect(await testMachine().run(["hooks", "enable", "b"])).toMatchObject({ code: 1, err: expect.stringContaining("carabiner init") });
});

test("what still switches a hook off is named, with its file", async () => {
  const machine = testMachine({ [PROJECT]: settings, [USER]: { hooksConfig: { enabled: false } } });
  const { code, out } = await machine.run(["hooks", "enable", "a"]);
  expect(code).toBe(1);
  expect(out).toContain("is still switched off by:\n  hooksConfig.enabled in ~/.gemini/settings.json (user)");
});

test("the administrator's hooks run on, and the answer says so", async () => {
  const machine = testMachine({ [SYSTEM]: on("BeforeTool", [hook("echo s", { name: "s" })]), [PROJECT]: settings });
  const { code, out } = await machine.run(["hooks", "disable-all"]);
  expect(code).toBe(1);
  expect(out).toContain("run on");
  expect(out).toContain("  s\n");
});

test("all are switched off and on together, under both spellings", async () => {
  const machine = testMachine({ [PROJECT]: settings, [USER]: on("SessionEnd", [hook("echo u", { name: "u" })]) });
  expect((await machine.run(["hooks", "disableall"])).out).toContain("All 2 hooks are switched off.");
  expect((await machine.run(["hooks", "list"])).out).not.toContain("enabled");
  expect((await machine.run(["hooks", "enable-all"])).out).toContain("All 2 hooks are switched on.");
  expect((await machine.run(["hooks", "list"])).out).not.toContain("disabled");
  expect((await testMachine().run(["hooks", "enable-all"])).out).toContain("No hooks are configured");
});

test("a settings file that cannot be edited is left as it is, and the answer says why", async () => {
  const machine = testMachine({ [PROJECT]: settings, [USER]: '{ "hooksConfig": [] }' });
  const { code, err } = await machine.run(["hooks", "disable", "a", "--scope", "user"]);
  expect(code).toBe(1);
  expect(err).toContain("hooksConfig is not an object");
  expect(machine.read(USER)).toBe('{ "hooksConfig": [] }');
});
