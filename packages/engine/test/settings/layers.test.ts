import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { layerFiles, readLayers } from "../../src/settings/layers.ts";
import { findLookalikes } from "../../src/settings/lookalikes.ts";
import { realPath } from "../../src/settings/real-path.ts";
import { gemini, hook, machine, on, PROJECT, SYSTEM, USER } from "./machine.ts";
import { other } from "./other-dialect.ts";

test("layers come highest first, extensions in the order of their names, named files before all", () => {
  const world = machine({
    [PROJECT]: {},
    [USER]: {},
    [SYSTEM]: {},
    "etc/system-defaults.json": {},
    "home/.gemini/extensions/b/hooks/hooks.json": {},
    "home/.gemini/extensions/a/hooks/hooks.json": {},
    "home/.gemini/extensions/none/gemini-extension.json": {},
    "flag.json": {},
  });
  expect(
    world.layers([gemini], [{ path: world.path("flag.json") }]).map(({ scope, path }) => [scope, path.slice(world.root.length + 1)]),
  ).toEqual([
    ["flag", "flag.json"],
    ["project", PROJECT],
    ["user", USER],
    ["system", SYSTEM],
    ["extension", "home/.gemini/extensions/a/hooks/hooks.json"],
    ["extension", "home/.gemini/extensions/b/hooks/hooks.json"],
    ["systemDefaults", "etc/system-defaults.json"],
  ]);
});

test("an extension's layer knows the extension's directory", () => {
  const world = machine({ "home/.gemini/extensions/a/hooks/hooks.json": {} });
  expect(world.layers().find(({ scope }) => scope === "extension")?.extension).toEqual({
    name: "a",
    path: world.path("home/.gemini/extensions/a"),
  });
});

test("a named file belongs to the first dialect, or to the one it names, and must exist", () => {
  const world = machine({ "one.json": {}, "two.json": {} });
  const files = [{ path: world.path("one.json") }, { path: world.path("two.json"), dialect: "other" }, { path: world.path("none.json") }];
  const flags = world.layers([gemini, other], files).filter(({ scope }) => scope === "flag");
  expect(flags.map(({ dialect, found }) => [dialect, found])).toEqual([
    ["gemini", true],
    ["gemini", false],
    ["other", true],
  ]);
  expect(flags[1]?.problems).toMatchObject([{ code: "SETTINGS_UNREADABLE", what: expect.stringContaining("no such file") }]);
});

test("in the home directory the file is the user layer only, also through a link", () => {
  const world = machine({ [USER]: on("BeforeTool", [hook("true")]) });
  const there = { ...world.where, cwd: world.home };
  expect(readLayers(layerFiles([gemini], there)).map(({ scope }) => scope)).not.toContain("project");
  symlinkSync(world.home, world.path("linked"));
  expect(readLayers(layerFiles([gemini], { ...world.where, cwd: world.path("linked") })).map(({ scope }) => scope)).not.toContain(
    "project",
  );
  expect(world.layers().map(({ scope }) => scope)).toContain("project");
});

test("GEMINI_CLI_HOME moves the user's files", () => {
  const world = machine({ "elsewhere/.gemini/settings.json": { a: 1 } });
  const moved = { ...world.where, env: { ...world.where.env, GEMINI_CLI_HOME: world.path("elsewhere") } };
  expect(readLayers(layerFiles([gemini], moved)).find(({ scope }) => scope === "user")?.settings).toEqual({ a: 1 });
});

test("a real path is followed also where its end does not exist yet", () => {
  const world = machine({ "project/x": "" });
  symlinkSync(world.project, world.path("link"));
  symlinkSync("project/later.json", world.path("dangling"));
  expect(realPath(world.path("link/a/b"))).toBe(world.path("project/a/b"));
  expect(realPath(world.path("dangling"))).toBe(world.path("project/later.json"));
  symlinkSync("round", world.path("round"));
  expect(realPath(world.path("round"))).toBe(world.path("round"));
});

test("hooks in a file that is not read are told, with their number and the file that is read", () => {
  const world = machine({
    "project/.gemini/hooks.json": on("BeforeTool", [hook("a"), hook("b")]),
    "project/.gemini/settings.local.json": { hooks: {}, model: "x" },
    "project/.gemini/hooks/hooks.json": { AfterTool: [{ hooks: [hook("c")] }] },
    "home/.gemini/hooks.json": "{ broken",
  });
  const problems = findLookalikes([gemini], world.where, layerFiles([gemini], world.where));
  expect(problems.map(({ now, todo }) => `${now} ${todo}`)).toEqual([
    "They never run. Move them to the file that is read.",
    "It never runs. Move it to the file that is read.",
  ]);
  expect(problems.map(({ code, place, what }) => [code, place, what])).toEqual([
    [
      "SETTINGS_LOOKALIKE",
      { path: world.path("project/.gemini/hooks.json") },
      "2 hooks stand in a file that is not read. Project hooks are read from .gemini/settings.json.",
    ],
    [
      "SETTINGS_LOOKALIKE",
      { path: world.path("project/.gemini/hooks/hooks.json") },
      "1 hook stands in a file that is not read. Project hooks are read from .gemini/settings.json.",
    ],
  ]);
});

test("in the home directory one lookalike is told once", () => {
  const world = machine({ "home/.gemini/hooks.json": on("BeforeTool", [hook("a")]) });
  const there = { ...world.where, cwd: world.home };
  expect(findLookalikes([gemini], there, layerFiles([gemini], there))).toHaveLength(1);
});
