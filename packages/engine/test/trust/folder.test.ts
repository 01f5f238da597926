import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import type { Dialect, Whereabouts } from "../../src/dialects/index.ts";
import { createSettings, type UntrustedView } from "../../src/settings/index.ts";
import { createTrustStore, folderTrust } from "../../src/trust/index.ts";
import { gemini, hook, type Machine, machine, on, PROJECT, SYSTEM, USER } from "../settings/machine.ts";
import { other } from "../settings/other-dialect.ts";

const WITH_PROJECT = { [PROJECT]: on("BeforeTool", [hook("p")]) };

function viewOf(world: Machine, where: Whereabouts = world.where, dialects: readonly Dialect[] = [gemini]): UntrustedView {
  let seen: UntrustedView | undefined;
  createSettings({
    dialects,
    where,
    folderTrusted: (view) => {
      seen = view;
      return { trusted: false, by: "test" };
    },
  }).current();
  if (seen === undefined) throw new Error("nobody was asked");
  return seen;
}
const ask = (
  world: Machine,
  more: {
    readonly host?: boolean;
    readonly env?: Record<string, string>;
    readonly dialects?: readonly Dialect[];
    readonly projectFiles?: readonly string[];
  } = {},
) => {
  const where = { ...world.where, env: { ...world.where.env, ...more.env } };
  const store = createTrustStore(where);
  return folderTrust({
    host: more.host,
    view: viewOf(world, where, more.dialects),
    store,
    ...(more.projectFiles ? { projectFiles: more.projectFiles } : {}),
  });
};
const off = { security: { folderTrust: { enabled: false } } };
const onAgain = { security: { folderTrust: { enabled: true } } };
const rules = (world: Machine, stored: Record<string, string>) => world.write("home/.gemini/trustedFolders.json", stored);

test("undecided is neither trusted nor not", () => {
  expect(ask(machine(WITH_PROJECT))).toEqual({ trusted: undefined, by: "nobody" });
});

test("the first that decides: host, variable, switch, the product's store, ours", () => {
  const world = machine({ ...WITH_PROJECT, [USER]: off });
  rules(world, { [world.project]: "DO_NOT_TRUST" });
  createTrustStore(world.where).decideFolder(world.project, true);
  const env = { GEMINI_CLI_TRUST_WORKSPACE: "false" };
  expect(ask(world, { host: true, env })).toEqual({ trusted: true, by: "the host" });
  expect(ask(world, { env })).toEqual({ trusted: false, by: "GEMINI_CLI_TRUST_WORKSPACE=false" });
  expect(ask(world)).toEqual({ trusted: true, by: `security.folderTrust.enabled in ${world.path(USER)}` });
  world.write(USER, {});
  expect(ask(world)).toEqual({ trusted: false, by: world.path("home/.gemini/trustedFolders.json") });
  rules(world, {});
  expect(ask(world)).toEqual({ trusted: true, by: world.path("home/.carabiner/trust.json") });
});

test.each(["", "1", "TRUE"])("the variable decides nothing as %j", (value) => {
  expect(ask(machine(WITH_PROJECT), { env: { GEMINI_CLI_TRUST_WORKSPACE: value } }).trusted).toBeUndefined();
});

test("the project's own file never switches folder trust off, and the administrator's word beats the user's", () => {
  const world = machine({ [PROJECT]: off });
  expect(ask(world).trusted).toBeUndefined();
  world.write(USER, off);
  world.write(SYSTEM, onAgain);
  expect(ask(world).trusted).toBeUndefined();
  world.write(SYSTEM, off);
  world.write(USER, onAgain);
  expect(ask(world).trusted).toBe(true);
});

test("the product's store is read by its rules, with links followed, and with comments in it", () => {
  const world = machine(WITH_PROJECT);
  symlinkSync(world.root, world.path("link"));
  rules(world, { [world.path("link/project")]: "TRUST_FOLDER" });
  expect(ask(world).trusted).toBe(true);
  rules(world, { [world.root]: "TRUST_FOLDER", [world.project]: "DO_NOT_TRUST" });
  expect(ask(world).trusted).toBe(false);
  rules(world, { [`${world.project}x`]: "TRUST_FOLDER" });
  expect(ask(world).trusted).toBeUndefined();
  world.write("home/.gemini/trustedFolders.json", `// mine\n{ ${JSON.stringify(world.project)}: "TRUST_FOLDER", }`);
  expect(ask(world).trusted).toBe(true);
  world.write("home/.gemini/trustedFolders.json", "{ broken");
  expect(ask(world).trusted).toBeUndefined();
});

test("a path that is trusted as given and not as followed is not trusted", () => {
  const world = machine(WITH_PROJECT);
  symlinkSync(world.project, world.path("link"));
  rules(world, { [world.path("link")]: "TRUST_FOLDER", [world.project]: "DO_NOT_TRUST" });
  const there = { ...world.where, cwd: world.path("link") };
  expect(folderTrust({ view: viewOf(world, there), store: createTrustStore(there) }).trusted).toBe(false);
});

test("a folder with nothing that needs trust needs no decision", () => {
  const world = machine();
  expect(ask(world)).toEqual({ trusted: true, by: "nothing in the folder needs trust" });
  const env = world.write("project/.env", "");
  expect(ask(world, { projectFiles: [env] }).trusted).toBeUndefined();
  expect(ask(world, { projectFiles: [world.path("project/CONTEXT.md")] }).trusted).toBe(true);
  createTrustStore(world.where).decideFolder(world.project, false);
  expect(ask(world).trusted).toBe(false);
});

test("a project file that cannot be read needs a decision, too", () => {
  expect(ask(machine({ [PROJECT]: "{ broken" })).trusted).toBeUndefined();
});

test("a dialect without any means of its own leaves the decision to our store", () => {
  const world = machine({ "project/.other/settings.json": {} });
  expect(ask(world, { dialects: [other], env: { GEMINI_CLI_TRUST_WORKSPACE: "true" } }).trusted).toBeUndefined();
  createTrustStore(world.where).decideFolder(world.project, true);
  expect(ask(world, { dialects: [other] }).trusted).toBe(true);
});
