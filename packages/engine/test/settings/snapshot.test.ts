import { appendFileSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSettings, type SettingsOptions } from "../../src/settings/index.ts";
import { codes, gemini, hook, type Machine, machine, on, PROJECT, SYSTEM, statuses, USER } from "./machine.ts";
import { other } from "./other-dialect.ts";

const settingsOf = (world: Machine, more: Partial<SettingsOptions> = {}) =>
  createSettings({ dialects: [gemini], where: world.where, ...more });
const names = (settings: ReturnType<typeof createSettings>) => settings.current().registry.entries.map(({ name }) => name);

test("a snapshot holds everything of the settings, and every problem in them", () => {
  const world = machine({
    [PROJECT]: {
      ...on("BeforeTool", [hook("a")]),
      carabiner: { maxRetrys: 1 },
      security: { environmentVariableRedaction: { allowed: 5 } },
    },
    [USER]: { hooksConfig: { notifications: false }, carabiner: { maxRetries: 3 } },
    "project/.gemini/hooks.json": on("BeforeTool", [hook("lost")]),
  });
  const snapshot = settingsOf(world).current();
  expect(snapshot.registry.generation).toBe(1);
  expect(statuses(snapshot.registry)).toEqual({ a: "runs" });
  expect(codes(snapshot.registry.problems).toSorted()).toEqual(["SETTINGS_BAD_SHAPE", "SETTINGS_LOOKALIKE", "SETTING_UNKNOWN"]);
  expect(snapshot).toMatchObject({ carabiner: { maxRetries: 3 }, trusted: true, notifications: false });
  expect(snapshot.sanitising.get("gemini")).toEqual({ enabled: true, allowed: [], blocked: [] });
});

test("nothing is read before it is asked for, and one turn of the event loop looks once", async () => {
  const world = machine();
  const settings = settingsOf(world);
  world.write(PROJECT, on("BeforeTool", [hook("a")]));
  const first = settings.current();
  expect(names(settings)).toEqual(["a"]);
  world.write(PROJECT, on("BeforeTool", [hook("b")]));
  await Promise.resolve();
  expect(settings.current()).toBe(first);
  await nextTurn();
  expect(names(settings)).toEqual(["b"]);
  expect(settings.current().registry.generation).toBe(2);
});

test("the same snapshot is given until something in the files is different", async () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("a")]) });
  const settings = settingsOf(world);
  const first = settings.current();
  const text = world.read(PROJECT);
  for (const touch of [
    () => undefined,
    () => world.write(PROJECT, text),
    () => utimesSync(world.path(PROJECT), 1, 1),
    () => world.write("project/unrelated", ""),
  ]) {
    touch();
    await nextTurn();
    expect(settings.current()).toBe(first);
  }
});

test("an edit of the same size right after the last look is seen", async () => {
  const world = machine();
  const settings = settingsOf(world);
  for (const command of ["a", "b", "c", "d", "e", "f"]) {
    const file = world.write(PROJECT, on("BeforeTool", [hook(command)]));
    // As some programs do, and as a coarse clock does to everybody.
    utimesSync(file, 1_000_000, 1_000_000);
    await nextTurn();
    expect(names(settings)).toEqual([command]);
  }
});

test("files that appear, vanish, are replaced or linked are changes", async () => {
  const world = machine({ "project/.gemini/x": "" });
  const settings = settingsOf(world);
  expect(names(settings)).toEqual([]);
  const steps: readonly (readonly [() => void, readonly string[]])[] = [
    [() => world.write(PROJECT, on("BeforeTool", [hook("a")])), ["a"]],
    [() => renameSync(world.write("project/new.json", on("BeforeTool", [hook("b")])), world.path(PROJECT)), ["b"]],
    [() => unlinkSync(world.path(PROJECT)), []],
    [() => symlinkSync(world.write("target.json", on("BeforeTool", [hook("c")])), world.path(PROJECT)), ["c"]],
    [() => world.write("target.json", on("BeforeTool", [hook("changed behind the link")])), ["changed behind the link"]],
    [() => world.write("home/.gemini/extensions/e/hooks/hooks.json", on("BeforeTool", [hook("e")])), ["changed behind the link", "e"]],
    [() => world.write("home/.gemini/extensions/f/gemini-extension.json", {}), ["changed behind the link", "e"]],
    [() => world.write("home/.gemini/extensions/f/hooks/hooks.json", on("BeforeTool", [hook("f")])), ["changed behind the link", "e", "f"]],
    [() => rmSync(world.path("home/.gemini"), { recursive: true }), ["changed behind the link"]],
    [() => rmSync(world.path("project/.gemini"), { recursive: true }), []],
  ];
  for (const [step, expected] of steps) {
    step();
    await nextTurn();
    expect(names(settings)).toEqual(expected);
  }
});

test("an extension that is switched off, named otherwise, or linked elsewhere is a change", async () => {
  const folder = "home/.gemini/extensions";
  const world = machine({
    [`${folder}/e/hooks/hooks.json`]: on("BeforeTool", [hook("e")]),
    "dev/hooks/hooks.json": on("BeforeTool", [hook("d")]),
  });
  const settings = settingsOf(world);
  const off = (name: string) => world.write(`${folder}/extension-enablement.json`, { [name]: { overrides: [`!${world.project}/*`] } });
  const steps: readonly (readonly [() => void, Readonly<Record<string, string>>])[] = [
    [() => off("e"), { e: "disabled" }],
    [() => off("f"), { e: "runs" }],
    [() => world.write(`${folder}/e/gemini-extension.json`, { name: "f" }), { e: "disabled" }],
    [() => world.write(`${folder}/e/.gemini-extension-install.json`, { type: "link", source: world.path("dev") }), { d: "runs" }],
  ];
  for (const [step, expected] of steps) {
    step();
    await nextTurn();
    expect(statuses(settings.current().registry)).toEqual(expected);
  }
});

test("a file that becomes broken gives a problem, and heals", async () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("a")]) });
  const settings = settingsOf(world);
  const whole = readFileSync(world.path(PROJECT), "utf8");
  settings.current();
  writeFileSync(world.path(PROJECT), whole.slice(0, 20));
  await nextTurn();
  expect([names(settings), codes(settings.current().registry.problems)]).toEqual([[], ["SETTINGS_BAD_JSON"]]);
  appendFileSync(world.path(PROJECT), whole.slice(20));
  await nextTurn();
  expect([names(settings), settings.current().registry.problems]).toEqual([["a"], []]);
});

test("quiet settings are not read again", async () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("a")]) });
  const settings = settingsOf(world, { folderTrusted: () => ({ trusted: ++asked > 0, by: "test" }) });
  let asked = 0;
  settings.current();
  // Until the newest change is old enough that its stamp can be relied on.
  await sleep(80);
  settings.current();
  await nextTurn();
  const before = asked;
  for (let i = 0; i < 3; i++) {
    settings.current();
    await nextTurn();
  }
  expect(asked).toBe(before);
});

test("who decides about the folder sees every layer but the project's, and is asked again when told", async () => {
  const world = machine({
    [PROJECT]: { ...on("BeforeTool", [hook("p")]), hooksConfig: { disabled: ["u"] } },
    [USER]: on("BeforeTool", [hook("u")]),
    [SYSTEM]: {},
  });
  let trusted = false;
  const settings = settingsOf(world, {
    folderTrusted: (view) => {
      expect(view.layers.map(({ scope }) => scope)).toEqual(["user", "system", "systemDefaults"]);
      expect(view.projectLayers.map(({ scope }) => scope)).toEqual(["project"]);
      return { trusted, by: "me" };
    },
  });
  expect(statuses(settings.current().registry)).toEqual({ p: "untrusted", u: "runs" });
  expect(settings.current()).toMatchObject({ trusted: false, folder: { by: "me" } });
  trusted = true;
  settings.refresh();
  expect(statuses(settings.current().registry)).toEqual({ p: "runs", u: "disabled" });
  expect(settings.current().registry.generation).toBe(2);
});

test("a file that the decision depends on is watched with the others", async () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]), store: "no" });
  const settings = settingsOf(world, {
    alsoWatch: [world.path("store")],
    folderTrusted: () => ({ trusted: world.read("store") === "yes", by: "store" }),
  });
  expect(settings.current().trusted).toBe(false);
  world.write("store", "yes");
  await nextTurn();
  expect(settings.current().trusted).toBe(true);
});

test("the system's word against project hooks is in the snapshot", () => {
  const world = machine({ [PROJECT]: on("BeforeTool", [hook("p")]), [SYSTEM]: { carabiner: { projectHooks: "forbid" } } });
  const { registry } = settingsOf(world).current();
  expect([statuses(registry), codes(registry.problems)]).toEqual([{ p: "untrusted" }, ["PROJECT_HOOKS_FORBIDDEN"]]);
});

test("several dialects and named files are one snapshot", () => {
  const world = machine({
    [PROJECT]: on("BeforeTool", [hook("a")]),
    "project/.other/settings.json": on("PreToolUse", [hook("b")]),
    "f.json": on("BeforeTool", [hook("c")]),
  });
  expect(names(settingsOf(world, { dialects: [gemini, other], files: [{ path: world.path("f.json") }] }))).toEqual(["c", "a", "b"]);
});

test("a project that stops being the home directory gets its own layer back", async () => {
  const world = machine({ [USER]: on("BeforeTool", [hook("u")]) });
  symlinkSync(world.path("home/.gemini"), world.path("project/.gemini"));
  const settings = settingsOf(world);
  expect(settings.current().registry.entries.map(({ scope }) => scope)).toEqual(["user"]);
  unlinkSync(world.path("project/.gemini"));
  world.write(PROJECT, on("BeforeTool", [hook("p")]));
  await nextTurn();
  expect(settings.current().registry.entries.map(({ scope }) => scope)).toEqual(["project", "user"]);
});
