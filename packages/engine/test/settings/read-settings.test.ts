import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { expect, test } from "vitest";
import { problemText } from "../../src/protocol/index.ts";
import { placeOf } from "../../src/settings/places.ts";
import { readSettings } from "../../src/settings/read-settings.ts";
import { machine } from "./machine.ts";

const read = (path: string) => readSettings({ dialect: "gemini", scope: "user", path });

test("comments, trailing commas and a BOM are no mistakes", () => {
  const path = machine().write("a.json", '\uFEFF// one\n{ /* two */ "x": [1, 2,], }\r\n');
  const layer = read(path);
  expect(layer.problems).toEqual([]);
  expect(layer.settings).toEqual({ x: [1, 2] });
  expect(layer.text.startsWith("//")).toBe(true);
});

test("a missing file is not found, and nothing is wrong with that", () => {
  const world = machine();
  for (const name of ["nowhere.json", "no/directory/x.json"])
    expect(read(world.path(name))).toMatchObject({ found: false, settings: undefined, problems: [] });
  world.write("file", "x");
  expect(read(world.path("file/below.json"))).toMatchObject({ found: false, problems: [] });
  expect(read(devNull)).toMatchObject({ found: false, problems: [] });
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "a comma is missing"],
  ['{\r\n  "a": tru\r\n}', 2, 8, '"tru" is not JSON'],
  ["{ 'a': 1 }", 1, 3, "keys and texts stand in double quotes"],
  ["{ 5: 1 }", 1, 3, "a key in double quotes is missing"],
  ["{", 1, 2, "a closing brace } is missing"],
  ["", 1, 1, "it is empty"],
  ["  \n", 2, 1, "it is empty"],
  ["{} {}", 1, 4, "something stands after the end of the value"],
  ['{"a": "b', 1, 7, "a text is not closed"],
])("%j is not JSON, and the message says where", (text, line, column, message) => {
  const path = machine().write("a.json", text);
  const layer = read(path);
  expect(layer).toMatchObject({ found: true, settings: undefined });
  expect(layer.problems).toHaveLength(1);
  expect(layer.problems[0]).toMatchObject({ code: "SETTINGS_BAD_JSON", place: { file: path } });
  const told = problemText(layer.problems[0]!);
  expect(told).toContain(message);
  expect(told).toContain(`:${line}:${column}`);
});

test.each(["null", "[]", '"text"', "5"])("a root that is %s gives a problem and no settings", (text) => {
  const layer = read(machine().write("a.json", text));
  expect(layer).toMatchObject({
    found: true,
    settings: undefined,
    problems: [{ code: "SETTINGS_BAD_SHAPE", expected: "an object", found: text }],
  });
});

test("a directory, a pipe and UTF-16 are unreadable, and nobody waits for them", () => {
  const world = machine();
  mkdirSync(world.path("dir.json"));
  execFileSync("mkfifo", [world.path("pipe.json")]);
  writeFileSync(world.path("wide.json"), Buffer.from("\uFEFF{}", "utf16le"));
  expect(read(world.path("dir.json")).problems).toMatchObject([
    { code: "SETTINGS_UNREADABLE", what: expect.stringContaining("directory") },
  ]);
  expect(read(world.path("pipe.json")).problems).toMatchObject([
    { code: "SETTINGS_UNREADABLE", what: expect.stringContaining("regular file") },
  ]);
  expect(read(world.path("wide.json")).problems).toMatchObject([{ code: "SETTINGS_UNREADABLE", what: expect.stringContaining("UTF-16") }]);
});

test("a loop of links is unreadable, not an exception", () => {
  const world = machine();
  symlinkSync("loop.json", world.path("loop.json"));
  expect(read(world.path("loop.json")).problems).toMatchObject([{ code: "SETTINGS_UNREADABLE" }]);
});

test("nesting without end is a problem, not an exhausted stack", () => {
  const world = machine();
  for (const depth of [300, 100_000]) {
    const layer = read(world.write("deep.json", `{"a": ${"[".repeat(depth)}${"]".repeat(depth)}}`));
    expect(layer.problems).toMatchObject([{ code: "SETTINGS_BAD_JSON", what: expect.stringContaining("200 levels") }]);
  }
  expect(read(world.write("deep.json", `{"a": ${"[".repeat(150)}${"]".repeat(150)}}`)).problems).toEqual([]);
});

test("a key that stands twice is told, and the last one counts", () => {
  const layer = read(machine().write("a.json", '{"hooks": {"BeforeTool": [1], "BeforeTool": [2]}}'));
  expect(layer.settings).toEqual({ hooks: { BeforeTool: [2] } });
  expect(layer.problems).toMatchObject([{ code: "SETTINGS_DUPLICATE_KEY", place: { jsonPath: "hooks.BeforeTool" } }]);
  expect(placeOf(layer, ["hooks", "BeforeTool"])).toMatchObject({ line: 1, column: 31 });
});

test("__proto__ and constructor are keys like any other", () => {
  const layer = read(machine().write("a.json", '{"__proto__": {"polluted": true}, "constructor": 1}'));
  expect(Object.keys(layer.settings ?? {})).toEqual(["__proto__", "constructor"]);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  expect(placeOf(layer, ["__proto__", "polluted"])).toMatchObject({ jsonPath: "__proto__.polluted", line: 1, column: 16 });
});

test("a place is that of the key, else of the nearest parent that is there", () => {
  const layer = read(machine().write("a.json", '{\n  "hooks": {\n    "A b": [\n      {}\n    ]\n  }\n}'));
  expect(placeOf(layer, ["hooks", "A b", 0])).toEqual({ file: layer.path, jsonPath: 'hooks["A b"][0]', line: 4, column: 7 });
  expect(placeOf(layer, ["hooks", "A b", 0, "hooks", 3])).toMatchObject({ jsonPath: 'hooks["A b"][0].hooks[3]', line: 4, column: 7 });
  expect(placeOf(layer, ["nothing"])).toMatchObject({ line: 1, column: 1 });
});
