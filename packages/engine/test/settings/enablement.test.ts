import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { createSettings, setAllEnabled, setEnabled } from "../../src/settings/index.ts";
import { gemini, hook, type Machine, machine, on, PROJECT, SYSTEM, statuses, USER } from "./machine.ts";
import { other } from "./other-dialect.ts";

const snapshotOf = (world: Machine, trusted = true, dialects = [gemini]) =>
  createSettings({ dialects, where: world.where, folderTrusted: () => ({ trusted, by: "test" }) }).current();
const done = { kind: "done", already: false, stillDisabledBy: [], stillEnabled: [] } as const;

test("switching off writes the name where the hook is configured, and nothing else changes", () => {
  const text = '{\n\t// mine\n\t"hooks": { "BeforeTool": [ {"hooks":[{"type":"command","command":"p",}]} ] }, // why\n}\n';
  const world = machine({ [PROJECT]: text, [USER]: on("BeforeTool", [hook("u")]) });
  expect(setEnabled(snapshotOf(world), "p", false)).toEqual({ ...done, changed: [{ file: world.path(PROJECT), scope: "project" }] });
  expect(world.read(PROJECT)).toBe(text.replace("// why\n", '// why\n\t"hooksConfig": {\n\t\t"disabled": [\n\t\t\t"p"\n\t\t]\n\t},\n'));
  expect(setEnabled(snapshotOf(world), "u", false)).toEqual({ ...done, changed: [{ file: world.path(USER), scope: "user" }] });
  expect(statuses(snapshotOf(world).registry)).toEqual({ p: "disabled", u: "disabled" });
});

test("hooks of the system, of extensions and of an untrusted project are switched off in the user's file, which is made", () => {
  const world = machine({
    [PROJECT]: on("BeforeTool", [hook("p")]),
    "home/.gemini/extensions/e/hooks/hooks.json": on("BeforeTool", [hook("e")]),
  });
  expect(setEnabled(snapshotOf(world, false), "p", false)).toMatchObject({ changed: [{ scope: "user" }] });
  expect(setEnabled(snapshotOf(world), "e", false)).toMatchObject({ changed: [{ scope: "user" }] });
  expect(world.read(USER)).toBe('{\n  "hooksConfig": {\n    "disabled": [\n      "p",\n      "e"\n    ]\n  }\n}\n');
  expect(statuses(snapshotOf(world).registry)).toEqual({ p: "disabled", e: "disabled" });
});

test("a hook of an extension that is switched off as a whole is not switched on, and the answer says by what it is off", () => {
  const rules = "home/.gemini/extensions/extension-enablement.json";
  const world = machine({ "home/.gemini/extensions/e/hooks/hooks.json": on("BeforeTool", [hook("h")]) });
  world.write(rules, { e: { overrides: [`!${world.project}/`] } });
  expect(setEnabled(snapshotOf(world), "h", true)).toEqual({
    ...done,
    changed: [],
    stillDisabledBy: [{ file: world.path(rules), scope: "extension", key: "e" }],
  });
});

test("a hook of the system runs on, and the answer says so", () => {
  const world = machine({ [SYSTEM]: on("BeforeTool", [hook("s")]), [USER]: {} });
  expect(setEnabled(snapshotOf(world), "s", false)).toEqual({
    ...done,
    changed: [{ file: world.path(USER), scope: "user" }],
    stillEnabled: ["gemini:system:BeforeTool[0].hooks[0]"],
  });
  expect(setEnabled(snapshotOf(world), "s", false, { scope: "system" })).toEqual({
    ...done,
    changed: [{ file: world.path(SYSTEM), scope: "system" }],
  });
  expect(statuses(snapshotOf(world).registry)).toEqual({ s: "disabled" });
});

test("a scope names another file", () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]) });
  expect(setEnabled(snapshotOf(world), "p", false, { scope: "user" })).toMatchObject({
    changed: [{ file: world.path(USER), scope: "user" }],
  });
  expect(world.read(PROJECT)).toBe(JSON.stringify(on("BeforeTool", [hook("p")])));
  expect(setEnabled(snapshotOf(world), "p", false, { scope: "local" })).toEqual(expect.objectContaining({ kind: "done", already: true }));
  expect(setEnabled(snapshotOf(world), "p", true, { scope: "local" })).toEqual({
    kind: "noScope",
    scope: "local",
    known: ["project", "user", "system", "systemDefaults"],
  });
});

test("doing it twice changes nothing", () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]) });
  setEnabled(snapshotOf(world), "p", false);
  const text = world.read(PROJECT);
  expect(setEnabled(snapshotOf(world), "p", false)).toEqual({ ...done, already: true, changed: [] });
  expect(world.read(PROJECT)).toBe(text);
  setEnabled(snapshotOf(world), "p", true);
  expect(setEnabled(snapshotOf(world), "p", true)).toEqual({ ...done, already: true, changed: [] });
});

test("a name that nobody has is answered with those there are", () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p"), hook("q", { name: "n" })]) });
  expect(setEnabled(snapshotOf(world), "x", false)).toEqual({ kind: "unknown", name: "x", known: ["p", "n"] });
  expect(setEnabled(snapshotOf(world), "x", true)).toEqual({ kind: "unknown", name: "x", known: ["p", "n"] });
});

test("a stale name can be taken out of the lists", () => {
  const world = machine({ [USER]: { hooksConfig: { disabled: ["gone", "other"] } } });
  expect(setEnabled(snapshotOf(world), "gone", true)).toEqual({ ...done, changed: [{ file: world.path(USER), scope: "user" }] });
  expect(JSON.parse(world.read(USER))).toEqual({ hooksConfig: { disabled: ["other"] } });
});

test("switching on clears every list of project and user, old places too, and names who still disables it", () => {
  const list = { hooksConfig: { disabled: ["p", "q"] } };
  const world = machine({
    [PROJECT]: { ...on("BeforeTool", [hook("p")]), ...list },
    [USER]: { hooks: { disabled: ["p"] }, ...list },
    [SYSTEM]: list,
  });
  expect(setEnabled(snapshotOf(world), "p", true)).toEqual({
    ...done,
    changed: [
      { file: world.path(PROJECT), scope: "project" },
      { file: world.path(USER), scope: "user" },
    ],
    stillDisabledBy: [{ file: world.path(SYSTEM), scope: "system", key: "hooksConfig.disabled" }],
  });
  expect(JSON.parse(world.read(USER))).toEqual({ hooks: { disabled: [] }, hooksConfig: { disabled: ["q"] } });
  world.write(SYSTEM, { hooksConfig: { enabled: false } });
  expect(setEnabled(snapshotOf(world), "p", true)).toMatchObject({
    already: false,
    changed: [],
    stillDisabledBy: [{ key: "hooksConfig.enabled", scope: "system" }],
  });
});

test("all hooks are switched off each in its own file, and on again", () => {
  const world = machine({
    [PROJECT]: on("BeforeTool", [hook("p"), hook("both")]),
    [USER]: on("BeforeTool", [hook("u"), hook("both")]),
    "project/.other/settings.json": on("PreToolUse", [hook("o")]),
  });
  const now = () => snapshotOf(world, true, [gemini, other]);
  expect(setAllEnabled(now(), false)).toMatchObject({ kind: "done", already: false, stillEnabled: [] });
  expect(JSON.parse(world.read(PROJECT))).toMatchObject({ hooksConfig: { disabled: ["p", "both"] } });
  expect(JSON.parse(world.read(USER))).toMatchObject({ hooksConfig: { disabled: ["u"] } });
  expect(statuses(now().registry)).toEqual({ p: "disabled", both: "disabled", u: "disabled", o: "disabled" });
  expect(setAllEnabled(now(), false)).toMatchObject({ already: true, changed: [] });
  expect(setAllEnabled(now(), true)).toMatchObject({ kind: "done", already: false, stillDisabledBy: [] });
  expect(statuses(now().registry)).toEqual({ p: "runs", both: "runs", u: "runs", o: "runs" });
});

test.each([
  ["null", "its root is not an object"],
  ["[]", "its root is not an object"],
  ["{ broken", "not valid JSON"],
  ['{"hooksConfig": []}', "hooksConfig is not an object"],
  ['{"hooksConfig": {"disabled": "p"}}', "hooksConfig.disabled is not a list"],
])("a file that is %s is left as it is", (text, message) => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]), [USER]: text });
  const answer = setEnabled(snapshotOf(world), "p", false, { scope: "user" });
  expect(answer).toMatchObject({
    kind: "refused",
    changed: [],
    problems: [{ code: "SETTINGS_UNWRITABLE", place: { path: world.path(USER) }, what: expect.stringContaining(message) }],
  });
  expect(world.read(USER)).toBe(text);
});

test("BOM, CRLF, tabs, links and the file's mode are kept", () => {
  const text = `\uFEFF{\r\n\t"a": 1\r\n}\r\n`;
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]), "dotfiles/gemini.json": text });
  chmodSync(world.path("dotfiles/gemini.json"), 0o640);
  world.write("home/.gemini/x", "");
  symlinkSync("../../dotfiles/gemini.json", world.path(USER));
  expect(setEnabled(snapshotOf(world), "p", false, { scope: "user" })).toMatchObject({ kind: "done" });
  expect(world.read(USER)).toBe(`\uFEFF{\r\n\t"a": 1,\r\n\t"hooksConfig": {\r\n\t\t"disabled": [\r\n\t\t\t"p"\r\n\t\t]\r\n\t}\r\n}\r\n`);
  expect(lstatSync(world.path(USER)).isSymbolicLink()).toBe(true);
  expect(statSync(world.path("dotfiles/gemini.json")).mode & 0o777).toBe(0o640);
  expect(readdirSync(world.path("dotfiles"))).toEqual(["gemini.json"]);
});

test("what somebody wrote since the snapshot was taken stays", () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]) });
  const old = snapshotOf(world);
  world.write(PROJECT, { ...on("BeforeTool", [hook("p")]), hooksConfig: { disabled: ["other"] }, mine: 1 });
  setEnabled(old, "p", false);
  expect(JSON.parse(world.read(PROJECT))).toMatchObject({ hooksConfig: { disabled: ["other", "p"] }, mine: 1 });
});

test.skipIf(process.getuid?.() === 0)("a file that may not be written is left as it is", () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]) });
  chmodSync(world.path(PROJECT), 0o444);
  expect(setEnabled(snapshotOf(world), "p", false)).toMatchObject({ kind: "refused", changed: [] });
});

test("a directory in the way is a refusal, not an exception", () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]), "home/.gemini": "a file" });
  expect(setEnabled(snapshotOf(world), "p", false, { scope: "user" })).toMatchObject({
    kind: "refused",
    problems: [{ code: "SETTINGS_UNWRITABLE" }],
  });
});
