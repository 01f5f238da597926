import { mkdirSync, readdirSync, rmdirSync, statSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { createFingerprints, createTrustStore, type Judged, stateDir } from "../../src/trust/index.ts";
import { codes, gemini, hook, type Machine, machine, on, PROJECT } from "../settings/machine.ts";

const NOW = new Date("2026-01-02T03:04:05.678Z");
const storeOf = (world: Machine) => createTrustStore(world.where, () => NOW);
function judged(world: Machine, ...commands: readonly string[]): readonly Judged[] {
  world.write(
    PROJECT,
    on(
      "BeforeTool",
      commands.map((command) => hook(command)),
    ),
  );
  const prints = createFingerprints([gemini], world.where);
  return world.registry().entries.map((entry) => ({ entry, fingerprint: prints.of(entry) }));
}

test("state is under CARABINER_HOME, else under the home directory", () => {
  const { where } = machine();
  expect(stateDir(where)).toBe(`${where.home}/.carabiner`);
  expect(stateDir({ ...where, env: { CARABINER_HOME: "/state" } })).toBe("/state");
});

test("decisions about folders are kept by real path, in a directory and a file that are the user's alone", () => {
  const world = machine();
  symlinkSync(world.project, world.path("link"));
  const store = storeOf(world);
  expect(store.folder(world.project)).toBeUndefined();
  expect(store.decideFolder(world.path("link"), true)).toEqual([]);
  expect([store.folder(world.project), storeOf(world).folder(world.path("link"))]).toEqual([true, true]);
  expect([statSync(store.path).mode & 0o777, statSync(stateDir(world.where)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(JSON.parse(world.read("home/.carabiner/trust.json"))).toEqual({
    version: 1,
    folders: { [world.project]: { trusted: true, at: NOW.toISOString() } },
    hooks: {},
  });
  store.decideFolder(world.project, false);
  expect(store.folder(world.project)).toBe(false);
  store.forgetFolder(world.project);
  expect(store.folder(world.project)).toBeUndefined();
});

test("approved and seen are two things, by project and by key, with what was shown", () => {
  const world = machine({ "project/x.sh": "x" });
  const [a, b] = judged(world, "./x.sh", "true");
  const store = storeOf(world);
  store.approve(world.project, [a!]);
  store.seen(world.project, [a!, b!]);
  const records = storeOf(world).hooksOf(world.project);
  expect(records.get(a!.entry.key)).toEqual({
    digest: a!.fingerprint.digest,
    definition: a!.fingerprint.definition,
    scripts: [{ path: world.path("project/x.sh"), sha256: expect.any(String) }],
    state: "approved",
    event: "BeforeTool",
    name: "./x.sh",
    command: "./x.sh",
    at: NOW.toISOString(),
  });
  expect(records.get(b!.entry.key)?.state).toBe("seen");
  expect(store.hooksOf(world.home).size).toBe(0);
});

test("an approval is of one fingerprint: seen with another, it is gone", () => {
  const world = machine({ "project/x.sh": "one" });
  const [before] = judged(world, "./x.sh");
  const store = storeOf(world);
  store.approve(world.project, [before!]);
  world.write("project/x.sh", "two");
  const [after] = judged(world, "./x.sh");
  store.seen(world.project, [after!]);
  expect(store.hooksOf(world.project).get(after!.entry.key)).toMatchObject({ state: "seen", digest: after!.fingerprint.digest });
});

test("revoking takes back some hooks of a project, or all", () => {
  const world = machine();
  const [a, b, c] = judged(world, "a", "b", "c");
  const store = storeOf(world);
  store.approve(world.project, [a!, b!, c!]);
  store.revoke(world.project, [a!.entry.key]);
  expect([...store.hooksOf(world.project).keys()]).toEqual([b!.entry.key, c!.entry.key]);
  store.revoke(world.project);
  expect(JSON.parse(world.read("home/.carabiner/trust.json"))).toMatchObject({ hooks: {} });
});

test("two programs that write one after another keep each other's records", () => {
  const world = machine();
  const [one, two] = [storeOf(world), storeOf(world)];
  one.decideFolder(world.project, true);
  two.decideFolder(world.home, false);
  one.approve(world.project, judged(world, "a"));
  const { data, problems } = two.load();
  expect([data.folders.size, data.hooks.size, problems]).toEqual([2, 1, []]);
});

test.each([
  ["{ broken", "not valid JSON"],
  ["[]", "another shape at its root"],
  ['{"version": 2, "folders": {}, "hooks": {}}', "another shape at version"],
  ['{"version": 1, "folders": {"/": {"trusted": "yes", "at": ""}}, "hooks": {}}', "another shape at folders"],
])("a store that is %j counts as empty, is told, and is kept when it is replaced", (text, message) => {
  const world = machine({ "home/.carabiner/trust.json": text });
  const store = storeOf(world);
  expect(store.folder(world.project)).toBeUndefined();
  expect(store.load().problems).toMatchObject([
    { code: "TRUST_STORE_BAD", place: { path: store.path }, what: expect.stringContaining(message) },
  ]);
  expect(world.read("home/.carabiner/trust.json")).toBe(text);
  expect(store.decideFolder(world.project, true)).toEqual([]);
  expect(store.folder(world.project)).toBe(true);
  expect(world.read("home/.carabiner/trust.json.20260102030405678.bad")).toBe(text);
});

test("what cannot be written is told and counts until the program ends", () => {
  const world = machine({ "home/.carabiner": "a file where the directory belongs" });
  const store = storeOf(world);
  expect(codes(store.decideFolder(world.project, true))).toEqual(["TRUST_STORE_UNWRITABLE"]);
  expect(codes(store.approve(world.project, judged(world, "a")))).toEqual(["TRUST_STORE_UNWRITABLE"]);
  expect([store.folder(world.project), store.hooksOf(world.project).size]).toEqual([true, 1]);
  expect(storeOf(world).folder(world.project)).toBeUndefined();
});

test("what could not be written is written with the next decision that can be", () => {
  const world = machine();
  mkdirSync(world.path("home/.carabiner/trust.json"), { recursive: true });
  const store = storeOf(world);
  expect(codes(store.decideFolder(world.project, true))).toEqual(["TRUST_STORE_UNWRITABLE"]);
  rmdirSync(store.path);
  expect(store.decideFolder(world.home, false)).toEqual([]);
  const { folders } = storeOf(world).load().data;
  expect([folders.get(world.project)?.trusted, folders.get(world.home)?.trusted]).toEqual([true, false]);
  expect(readdirSync(stateDir(world.where))).toEqual(["trust.json"]);
});

test("__proto__ as a path or key is data", () => {
  const text = '{"version": 1, "folders": {"__proto__": {"trusted": true, "at": ""}}, "hooks": {"__proto__": {}}}';
  const world = machine({ "home/.carabiner/trust.json": text });
  expect([storeOf(world).folder(world.project), Object.hasOwn(Object.prototype, "trusted")]).toEqual([undefined, false]);
});
