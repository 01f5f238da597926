import { chmodSync, mkdirSync, symlinkSync, unlinkSync, utimesSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Entry } from "../../src/protocol/index.ts";
import { worldOf } from "../../src/settings/index.ts";
import { createFingerprints, scriptsOf } from "../../src/trust/index.ts";
import { gemini, hook, type Machine, machine, on, PROJECT } from "../settings/machine.ts";

const loaded = (world: Machine, hooks: readonly unknown[], group: Readonly<Record<string, unknown>> = {}): readonly Entry[] => {
  world.write(PROJECT, on("BeforeTool", hooks, group));
  return world.registry().entries;
};
const first = (world: Machine, handler: unknown, group: Readonly<Record<string, unknown>> = {}): Entry =>
  loaded(world, [handler], group)[0]!;
const printsOf = (world: Machine) => createFingerprints([gemini], world.where);

test("everything in the definition is covered: event, group keys and every key of the handler", () => {
  const world = machine();
  const digest = (handler: Record<string, unknown>, group: Record<string, unknown> = {}) =>
    printsOf(world).of(first(world, { type: "command", command: "true", ...handler }, group)).digest;
  const all = [
    digest({}),
    digest({ name: "n" }),
    digest({ timeout: 1000 }),
    digest({ env: { A: "b" } }),
    digest({ description: "d" }),
    digest({ onFailure: "block" }),
    digest({}, { matcher: "x" }),
    digest({}, { sequential: true }),
    digest({ command: "true " }),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(digest({})).toBe(all[0]);
});

test("names that could be read two ways are two definitions", () => {
  const world = machine();
  const [a, b] = loaded(world, [hook("c", { name: "a:b" }), hook("b:c", { name: "a" })]).map((entry) => printsOf(world).of(entry).digest);
  expect(a).not.toBe(b);
});

test.each([
  ["$GEMINI_PROJECT_DIR/.gemini/hooks/x.sh", ".gemini/hooks/x.sh"],
  ['"${CLAUDE_PROJECT_DIR}/x.sh" --flag', "x.sh"],
  ["./a b.sh", "a"],
  ["'./a b.sh'", "a b.sh"],
  ["cd / && bash x.sh", "x.sh"],
  ["cd hooks && ./x.sh", "hooks/x.sh"],
  ['cd "$GEMINI_PROJECT_DIR"/hooks; node x.js', "hooks/x.js"],
  ['sh "$PWD/x.sh"', "x.sh"],
  ["echo hi | python3 -u x.py", "x.py"],
  ["bash -c 'exec ./x.sh'", "x.sh"],
  ["tool --config=conf.json", "conf.json"],
  ["cat < in.txt", "in.txt"],
])("the content of what %j names is covered", (command, script) => {
  const world = machine({ [`project/${script}`]: "one" });
  const entry = first(world, hook(command));
  const prints = printsOf(world);
  const before = prints.of(entry);
  expect(before.scripts).toContainEqual({ path: world.path(`project/${script}`), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  world.write(`project/${script}`, "two");
  const after = prints.of(entry);
  expect(after.digest).not.toBe(before.digest);
  expect(after.definition).toBe(before.definition);
  world.write(`project/${script}`, "one");
  expect(prints.of(entry).digest).toBe(before.digest);
});

test("scripts of the home directory and of other places are covered, programs found in PATH are not", () => {
  const world = machine({ "home/bin/x.sh": "x", "elsewhere/y.sh": "y", "project/node": "a file that happens to be called so" });
  const entry = first(world, hook(`~/bin/x.sh; node ${world.path("elsewhere/y.sh")}; node`));
  expect(
    printsOf(world)
      .of(entry)
      .scripts.map(({ path }) => path),
  ).toEqual([world.path("home/bin/x.sh"), world.path("elsewhere/y.sh")]);
});

test("a script that is missing is remembered as missing, and a word that is no file is nothing", () => {
  const world = machine();
  const entry = first(world, hook("./x.sh later.txt"));
  const prints = printsOf(world);
  const before = prints.of(entry);
  expect(before.scripts).toEqual([{ path: world.path("project/x.sh"), sha256: "missing" }]);
  world.write("project/x.sh", "here now");
  const there = prints.of(entry);
  expect(there.digest).not.toBe(before.digest);
  world.write("project/later.txt", "");
  expect(prints.of(entry).digest).not.toBe(there.digest);
  unlinkSync(world.path("project/later.txt"));
  unlinkSync(world.path("project/x.sh"));
  expect(prints.of(entry).digest).toBe(before.digest);
});

test("a link to a script is the script, and directories have no content", () => {
  const world = machine({ "elsewhere/real.sh": "one" });
  symlinkSync(world.path("elsewhere/real.sh"), world.path("project/x.sh"));
  mkdirSync(world.path("project/dir"));
  const entry = first(world, hook("./x.sh ./dir"));
  const prints = printsOf(world);
  const before = prints.of(entry);
  expect(before.scripts.map(({ path }) => path)).toEqual([world.path("project/x.sh")]);
  world.write("elsewhere/real.sh", "two");
  expect(prints.of(entry).digest).not.toBe(before.digest);
});

test("what has not changed is the same object, and a change that keeps size and time is seen", async () => {
  const world = machine({ "project/x.sh": "one" });
  const entry = first(world, hook("./x.sh"));
  const prints = printsOf(world);
  const before = prints.of(entry);
  // Long enough ago that the content is remembered by its stamp.
  await sleep(80);
  expect(prints.of(entry)).toBe(before);
  expect(prints.of(entry)).toBe(before);
  world.write("project/x.sh", "two");
  utimesSync(world.path("project/x.sh"), 1, 1);
  expect(prints.of(entry).digest).not.toBe(before.digest);
});

test("a large program is hashed whole", () => {
  const content = "x".repeat(3 * 1024 * 1024);
  const world = machine({ "project/big": `${content}1` });
  const entry = first(world, hook("./big"));
  const before = printsOf(world).of(entry).digest;
  world.write("project/big", `${content}2`);
  expect(printsOf(world).of(entry).digest).not.toBe(before);
});

test.skipIf(process.getuid?.() === 0)("a script that cannot be read has a print of its own", () => {
  const world = machine({ "project/x.sh": "x" });
  chmodSync(world.path("project/x.sh"), 0o100);
  expect(printsOf(world).of(first(world, hook("./x.sh"))).scripts[0]?.sha256).toBe("unreadable");
});

test("the files of an entry depend on its words only, not on what exists", () => {
  const world = machine();
  const entry = first(world, hook("sh x.sh later"));
  expect(scriptsOf(entry, worldOf(gemini, world.where))).toEqual([
    { path: world.path("project/x.sh"), run: true },
    { path: world.path("project/later"), run: false },
  ]);
});
