import { expect, test } from "vitest";
import { addGroup, createSettings } from "../../src/settings/index.ts";
import { gemini, hook, type Machine, machine, PROJECT, SYSTEM, statuses, USER } from "./machine.ts";

const snapshotOf = (world: Machine) => createSettings({ dialects: [gemini], where: world.where }).current();
const group = { matcher: "write_file", hooks: [hook("new")] };

test("a group joins its event in the file of the scope, with comments and layout kept", () => {
  const text =
    '{\n  // mine\n  "hooks": {\n    "BeforeTool": [\n      { "hooks": [{ "type": "command", "command": "old" }] } // first\n    ]\n  }\n}\n';
  const world = machine({ [PROJECT]: text });
  expect(addGroup(snapshotOf(world), { dialect: "gemini", wireName: "BeforeTool", scope: "project", group })).toEqual({
    kind: "done",
    file: world.path(PROJECT),
  });
  expect(world.read(PROJECT)).toContain("// mine");
  expect(world.read(PROJECT)).toContain('"old" }] }, // first');
  expect(statuses(snapshotOf(world).registry)).toEqual({ old: "runs", new: "runs" });
});

test("the file is made where it is missing", () => {
  const world = machine();
  expect(addGroup(snapshotOf(world), { dialect: "gemini", wireName: "BeforeTool", scope: "user", group })).toMatchObject({ kind: "done" });
  expect(JSON.parse(world.read(USER))).toEqual({ hooks: { BeforeTool: [group] } });
});

test("a file that cannot be edited is left as it is", () => {
  const world = machine({ [SYSTEM]: "{ broken", [PROJECT]: { hooks: { BeforeTool: {} } } });
  for (const [scope, file] of [
    ["system", SYSTEM],
    ["project", PROJECT],
  ] as const) {
    const before = world.read(file);
    expect(addGroup(snapshotOf(world), { dialect: "gemini", wireName: "BeforeTool", scope, group })).toMatchObject({
      kind: "refused",
      problems: [{ code: "SETTINGS_UNWRITABLE", place: { path: world.path(file) } }],
    });
    expect(world.read(file)).toBe(before);
  }
});

test("a home that is the project has no project file, and no scope is made up", () => {
  const world = machine();
  const where = { ...world.where, cwd: world.home };
  const snapshot = createSettings({ dialects: [gemini], where }).current();
  const wanted = { dialect: "gemini", wireName: "BeforeTool", group };
  expect(addGroup(snapshot, { ...wanted, scope: "project" })).toEqual({
    kind: "noScope",
    scope: "project",
    known: ["user", "system", "systemDefaults"],
  });
  expect(addGroup(snapshot, { ...wanted, scope: "extension" })).toMatchObject({ kind: "noScope" });
});
