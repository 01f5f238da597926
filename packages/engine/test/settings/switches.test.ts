import { expect, test } from "vitest";
import { problemText } from "../../src/protocol/index.ts";
import { codes, gemini, hook, machine, on, PROJECT, SYSTEM, statuses, USER } from "./machine.ts";
import { other } from "./other-dialect.ts";

const named = (event: string, name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...on(event, [hook("true", { name })]),
  ...more,
});
const disabled = (...names: readonly unknown[]) => ({ hooksConfig: { disabled: names } });

test("disabled names add up over the layers, and every layer's hooks can be named", () => {
  const world = machine({
    [PROJECT]: named("BeforeTool", "p", disabled("u")),
    [USER]: named("BeforeTool", "u", disabled("e")),
    "etc/system-defaults.json": named("BeforeTool", "d", disabled("p")),
    "home/.gemini/extensions/ext/hooks/hooks.json": { ...named("BeforeTool", "e"), ...disabled("d") },
  });
  const registry = world.registry();
  expect(statuses(registry)).toEqual({ p: "disabled", u: "disabled", e: "disabled", d: "runs" });
  expect(registry.entries[0]?.barred?.why).toBe(`hooksConfig.disabled in ${world.path("etc/system-defaults.json")}`);
  expect(registry.problems).toEqual([]);
});

test("a named hook is not switched off by its command, an unnamed one is, as written or as expanded", () => {
  const world = machine(
    { [PROJECT]: { ...on("BeforeTool", [hook("a", { name: "n" }), hook("echo $WHO"), hook("echo me")]), ...disabled("a", "echo $WHO") } },
    { WHO: "me" },
  );
  expect(statuses(world.registry())).toEqual({ n: "runs", "echo $WHO": "disabled", "echo me": "disabled" });
});

test("hooks that are switched off altogether are told once, with their number and the switch", () => {
  const world = machine({
    [PROJECT]: on("BeforeTool", [hook("a"), hook("b")]),
    [USER]: { ...named("AfterTool", "c"), hooksConfig: { enabled: false } },
  });
  const registry = world.registry();
  expect(statuses(registry)).toEqual({ a: "disabled", b: "disabled", c: "disabled" });
  expect(codes(registry.problems)).toEqual(["HOOKS_OFF"]);
  const text = problemText(registry.problems[0]!);
  expect(text).toContain("3 hooks are configured, and hooks are switched off by hooksConfig.enabled");
  expect(text).toContain(world.path(USER));
});

test("a switch with no hooks behind it is nothing to tell", () => {
  expect(machine({ [USER]: { hooksConfig: { enabled: false } } }).registry().problems).toEqual([]);
});

test("for a single switch the system counts first, then the named file, the project, the user", () => {
  const set = (enabled: boolean) => ({ hooksConfig: { enabled } });
  const world = machine({ [USER]: { ...named("BeforeTool", "u"), ...set(false) }, [PROJECT]: set(true) });
  expect(statuses(world.registry())).toEqual({ u: "runs" });
  const flag = world.write("flag.json", set(false));
  expect(statuses(world.registry({ files: [{ path: flag }] }))).toEqual({ u: "disabled" });
  world.write(SYSTEM, set(true));
  expect(statuses(world.registry({ files: [{ path: flag }] }))).toEqual({ u: "runs" });
});

test("nobody below the system switches its hooks off", () => {
  const world = machine({
    [SYSTEM]: named("BeforeTool", "s"),
    [USER]: { ...named("BeforeTool", "u"), ...disabled("s") },
    [PROJECT]: { hooksConfig: { enabled: false, disabled: ["s"] } },
    "etc/system-defaults.json": named("BeforeTool", "d"),
  });
  const registry = world.registry();
  expect(statuses(registry)).toEqual({ s: "runs", u: "disabled", d: "runs" });
  expect(codes(registry.problems)).toEqual(["HOOKS_OFF", "SETTINGS_NOT_YOURS"]);
  expect(registry.problems[1]).toMatchObject({ hook: "s", place: { file: world.path(PROJECT), jsonPath: "hooksConfig.disabled" } });
  world.write(SYSTEM, { ...named("BeforeTool", "s"), ...disabled("s") });
  expect(statuses(world.registry())).toMatchObject({ s: "disabled" });
});

test("defaults of the system are the user's to switch off, and no project's", () => {
  const world = machine({ "etc/system-defaults.json": named("BeforeTool", "d"), [PROJECT]: disabled("d") });
  expect(statuses(world.registry())).toEqual({ d: "runs" });
  world.write(USER, disabled("d"));
  expect(statuses(world.registry())).toEqual({ d: "disabled" });
});

test("in an untrusted folder nothing of the project counts, and its hooks say why", () => {
  const world = machine({
    [PROJECT]: { ...on("BeforeTool", [hook("p"), hook("q"), null]), hooksConfig: { enabled: false, disabled: ["u"] } },
    [USER]: named("BeforeTool", "u"),
  });
  const registry = world.registry({ trusted: false });
  expect(registry.entries.map(({ name, barred }) => [name, barred?.status])).toEqual([
    ["p", "untrusted"],
    ["q", "untrusted"],
    ["gemini:project:BeforeTool[0].hooks[2]", "untrusted"],
    ["u", undefined],
  ]);
  expect(registry.problems.filter(({ code }) => code === "FOLDER_UNTRUSTED")).toMatchObject([
    { place: { path: world.project }, what: expect.stringContaining("3 project hooks are off") },
  ]);
  expect(registry.problems.filter(({ code }) => code === "SETTINGS_NOT_YOURS").map(({ what }) => what)).toEqual([
    "hooksConfig.enabled does not count in this file: the folder is not trusted.",
    "hooksConfig.disabled does not count in this file: the folder is not trusted.",
  ]);
});

test("local settings are a project's, too", () => {
  const world = machine({
    "project/.other/settings.local.json": { ...named("PreToolUse", "l"), disableAllHooks: true },
    "home/.other/settings.json": named("PreToolUse", "u"),
  });
  expect(statuses(world.registry({ dialects: [other], trusted: false }))).toEqual({ l: "untrusted", u: "runs" });
  expect(statuses(world.registry({ dialects: [other] }))).toEqual({ l: "disabled", u: "disabled" });
});

test("the administrator can forbid project hooks", () => {
  const world = machine({ [PROJECT]: named("BeforeTool", "p"), [USER]: named("BeforeTool", "u"), [SYSTEM]: {} });
  const registry = world.registry({ forbiddenBy: world.path(SYSTEM) });
  expect(statuses(registry)).toEqual({ p: "untrusted", u: "runs" });
  expect(codes(registry.problems)).toEqual(["PROJECT_HOOKS_FORBIDDEN"]);
  expect(registry.entries[0]?.barred?.why).toContain("forbids project hooks");
});

test("the old places of switches are honoured and told, and are no events", () => {
  const world = machine({ [USER]: { hooks: { disabled: ["u"], notifications: true, BeforeTool: [{ hooks: [hook("u"), hook("v")] }] } } });
  const registry = world.registry();
  expect(statuses(registry)).toEqual({ u: "disabled", v: "runs" });
  expect(registry.problems).toMatchObject([
    { code: "SETTINGS_LEGACY", what: expect.stringContaining("hooks.disabled"), todo: "Write hooksConfig.disabled instead." },
  ]);
  world.write(USER, { hooks: { enabled: false, BeforeTool: [{ hooks: [hook("u")] }] } });
  expect(codes(world.registry().problems)).toEqual(["SETTINGS_LEGACY", "HOOKS_OFF"]);
  world.write(USER, { hooks: { enabled: false, BeforeTool: [{ hooks: [hook("u")] }] }, hooksConfig: { enabled: true } });
  expect(statuses(world.registry())).toEqual({ u: "runs" });
});

test.each([
  ["hooksConfig.enabled", { hooksConfig: { enabled: "false" } }],
  ["hooksConfig.notifications", { hooksConfig: { notifications: 1 } }],
  ["hooksConfig.disabled", { hooksConfig: { disabled: "u" } }],
  ["hooks.enabled", { hooks: { enabled: [] } }],
])("%s of the wrong shape is passed over with a problem", (jsonPath, settings) => {
  const world = machine({ [SYSTEM]: settings, [USER]: named("BeforeTool", "u") });
  const registry = world.registry();
  expect(statuses(registry)).toEqual({ u: "runs" });
  expect(registry.problems).toMatchObject([{ code: "SETTINGS_BAD_SHAPE", place: { jsonPath } }]);
});

test("of a list with other things in it the names count", () => {
  const registry = machine({ [USER]: { ...named("BeforeTool", "u"), ...disabled(5, "u", null) } }).registry();
  expect(statuses(registry)).toEqual({ u: "disabled" });
  expect(codes(registry.problems)).toEqual(["SETTINGS_BAD_SHAPE"]);
});

test("switches of one dialect are nobody else's", () => {
  const world = machine({ [USER]: { hooksConfig: { enabled: false } }, "home/.other/settings.json": named("PreToolUse", "o") });
  expect(statuses(world.registry({ dialects: [gemini, other] }))).toEqual({ o: "runs" });
});
