import { expect, test } from "vitest";
import { readCarabinerSettings } from "../../src/settings/carabiner-settings.ts";
import { readSanitising } from "../../src/settings/sanitising.ts";
import { scalarScopes, valueAt } from "../../src/settings/scalar.ts";
import { codes, gemini, machine, PROJECT, SYSTEM, USER } from "./machine.ts";
import { other } from "./other-dialect.ts";

const own = (files: Readonly<Record<string, unknown>>, trusted = true) => {
  const world = machine(Object.fromEntries(Object.entries(files).map(([name, carabiner]) => [name, { carabiner }])), { DIR: "/var/j" });
  return { world, ...readCarabinerSettings(world.layers(), world.where, trusted) };
};

const DEFAULTS = {
  maxRetries: 10,
  maxTailCalls: 10,
  maxParallel: 64,
  maxStdoutBytes: 67_108_864,
  killGraceMs: 1000,
  drainMs: 300,
  trust: undefined,
  projectHooks: "allow",
  contextWindow: undefined,
  journal: { dir: undefined, maxBytes: 50_000_000, maxDays: 30, redact: true },
};

test("without settings every value has its default", () => {
  expect(own({})).toMatchObject({ settings: DEFAULTS, problems: [], projectHooksForbiddenBy: undefined });
});

test("the strongest layer counts for each value alone", () => {
  const { settings, problems } = own({
    [SYSTEM]: { maxRetries: 1 },
    [PROJECT]: { maxRetries: 2, maxTailCalls: 0, journal: { maxDays: 1.5 } },
    [USER]: { maxRetries: 3, maxTailCalls: 3, trust: "require", contextWindow: 1000, journal: { dir: "~/j", maxDays: 9, redact: false } },
  });
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({
    maxRetries: 1,
    maxTailCalls: 0,
    trust: "require",
    contextWindow: 1000,
    journal: { maxDays: 1.5, redact: false },
  });
});

test("a journal directory is absolute: from home, from the environment, or from the project directory", () => {
  const dir = (text: string) => {
    const { settings, world } = own({ [USER]: { journal: { dir: text } } });
    return settings.journal.dir?.replace(world.root, "");
  };
  expect([dir("~/j"), dir("$DIR/k"), dir("j"), dir("/abs")]).toEqual(["/home/j", "/var/j/k", "/project/j", "/abs"]);
});

test.each<[string, unknown]>([
  ["maxRetries", -1],
  ["maxRetries", 1.5],
  ["maxTailCalls", "3"],
  ["maxParallel", 0],
  ["maxStdoutBytes", null],
  ["killGraceMs", true],
  ["drainMs", {}],
  ["trust", "yes"],
  ["projectHooks", true],
  ["contextWindow", 0],
  ["journal.dir", ""],
  ["journal.maxBytes", -5],
  ["journal.maxDays", 0],
  ["journal.redact", "no"],
])("%s: %j is told, and the next layer counts, or the default", (key, value) => {
  const nested = key.startsWith("journal.") ? { journal: { [key.slice(8)]: value } } : { [key]: value };
  const { settings, problems } = own({ [SYSTEM]: nested });
  expect(settings).toEqual(DEFAULTS);
  expect(problems).toMatchObject([{ code: "SETTINGS_BAD_SHAPE", place: { jsonPath: `carabiner.${key}` } }]);
  expect(own({ [SYSTEM]: { maxRetries: -1 }, [USER]: { maxRetries: 4 } }).settings.maxRetries).toBe(4);
});

test.each([5, "x", []])("a `carabiner` or `journal` that is %j is no object", (value) => {
  expect(own({ [USER]: value }).problems).toMatchObject([{ code: "SETTINGS_BAD_SHAPE", place: { jsonPath: "carabiner" } }]);
  expect(own({ [USER]: { journal: value } }).problems).toMatchObject([
    { code: "SETTINGS_BAD_SHAPE", place: { jsonPath: "carabiner.journal" } },
  ]);
});

test("a key that is no setting is told with the closest one", () => {
  const { problems } = own({ [USER]: { maxRetrys: 1, journal: { maxdays: 1 }, constructor: 1 } });
  expect(problems.map(({ code, todo }) => [code, todo])).toEqual([
    ["SETTING_UNKNOWN", 'Did you mean "maxRetries"?'],
    ["SETTING_UNKNOWN", 'Did you mean "maxDays"?'],
    ["SETTING_UNKNOWN", undefined],
  ]);
});

test("a project never says how far it is trusted, and only the system forbids project hooks", () => {
  const { settings, problems } = own({ [PROJECT]: { trust: "warn", projectHooks: "forbid" }, [USER]: { projectHooks: "forbid" } });
  expect(settings).toEqual(DEFAULTS);
  expect(codes(problems)).toEqual(["SETTINGS_NOT_YOURS", "SETTINGS_NOT_YOURS", "SETTINGS_NOT_YOURS"]);
  const { projectHooksForbiddenBy, settings: forbidden, world } = own({ [SYSTEM]: { projectHooks: "forbid" } });
  expect([forbidden.projectHooks, projectHooksForbiddenBy]).toEqual(["forbid", world.path(SYSTEM)]);
});

test("in an untrusted folder a project sets nothing", () => {
  const { settings, problems } = own({ [PROJECT]: { maxRetries: 99, journal: { dir: "/tmp/x" } } }, false);
  expect(settings).toEqual(DEFAULTS);
  expect(codes(problems)).toEqual(["SETTINGS_NOT_YOURS", "SETTINGS_NOT_YOURS"]);
});

test("either product's files hold them", () => {
  const world = machine({ "home/.other/settings.json": { carabiner: { maxRetries: 5 } }, [USER]: {} });
  expect(readCarabinerSettings(world.layers([gemini, other]), world.where, true).settings.maxRetries).toBe(5);
});

const redaction = (settings: unknown) => ({ security: { environmentVariableRedaction: settings } });
const sanitising = (files: Readonly<Record<string, unknown>>, trusted = true) => {
  const world = machine(Object.fromEntries(Object.entries(files).map(([name, settings]) => [name, redaction(settings)])));
  return readSanitising({ dialect: gemini, layers: world.layers(), trusted, variables: world.where.env });
};

test("the environment is sanitised by default", () => {
  expect(sanitising({})).toEqual({ sanitising: { enabled: true, allowed: [], blocked: [] }, problems: [] });
});

test("lists of variables add up, and the strongest switch counts", () => {
  expect(
    sanitising({
      [SYSTEM]: { enabled: true, blocked: ["A"] },
      [PROJECT]: { enabled: false, allowed: ["B"] },
      [USER]: { enabled: false, allowed: ["B", "C"], blocked: ["D"] },
    }).sanitising,
  ).toEqual({
    enabled: true,
    allowed: ["B", "C"],
    blocked: ["A", "D"],
  });
});

test("an untrusted project hands on no variable and switches nothing off", () => {
  const { sanitising: found, problems } = sanitising({ [PROJECT]: { enabled: false, allowed: ["X"], blocked: ["PATH"] } }, false);
  expect(found).toEqual({ enabled: true, allowed: [], blocked: [] });
  expect(codes(problems)).toEqual(["SETTINGS_NOT_YOURS", "SETTINGS_NOT_YOURS", "SETTINGS_NOT_YOURS"]);
});

test("a list or switch of the wrong shape is told and ignored", () => {
  const { sanitising: found, problems } = sanitising({ [USER]: { enabled: "no", allowed: "X", blocked: [5] } });
  expect(found).toEqual({ enabled: true, allowed: [], blocked: [] });
  expect(codes(problems)).toEqual(["SETTINGS_BAD_SHAPE", "SETTINGS_BAD_SHAPE", "SETTINGS_BAD_SHAPE"]);
});

test("a single value is the strongest layer's, expanded where the dialect does, and never an extension's", () => {
  expect(scalarScopes(gemini)).toEqual(["system", "flag", "project", "user", "systemDefaults"]);
  expect(scalarScopes(other)).toEqual(["flag", "local", "project", "user"]);
  const world = machine({
    [PROJECT]: { model: { name: "p" } },
    [USER]: { model: { name: "u", dir: "${HOMELY}" }, servers: { a: { command: "$HOMELY/b" } } },
    "home/.gemini/extensions/e/hooks/hooks.json": { hooks: {}, only: 1 },
  });
  const view = { dialect: gemini, layers: world.layers(), variables: { HOMELY: "/h" } };
  const at = (path: string, trusted = true) => valueAt({ ...view, trusted }, path)?.value;
  expect([at("model.name"), at("model.name", false), at("model.dir"), at("servers.a.command"), at("only"), at("__proto__.x")]).toEqual([
    "p",
    "u",
    "/h",
    "/h/b",
    undefined,
    undefined,
  ]);
  expect(valueAt({ ...view, trusted: true }, "model.name")?.layer.scope).toBe("project");
});
