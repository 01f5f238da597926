import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject, Layer } from "../../src/protocol/index.ts";
import { problemText } from "../../src/protocol/index.ts";
import { readCarabinerSettings } from "../../src/settings/carabiner-settings.ts";
import { canonicalJson } from "../../src/settings/definition.ts";
import { readJsonText, readJsonValue } from "../../src/settings/json-text.ts";
import { buildRegistry } from "../../src/settings/registry.ts";
import { readSanitising } from "../../src/settings/sanitising.ts";
import { gemini, machine } from "./machine.ts";
import { other } from "./other-dialect.ts";

const awkward = fc.constantFrom(
  "__proto__",
  "constructor",
  "toString",
  "hooks",
  "matcher",
  "",
  "a.b",
  "a b",
  "*",
  "(",
  "$HOME",
  "\u0000",
  "\u001b[31m",
  "🪝",
);
const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const value = fc.oneof(anything, awkward);
const keyed = (keys: readonly string[], values: fc.Arbitrary<Json>) =>
  fc.dictionary(fc.oneof(fc.constantFrom(...keys), awkward), values, { maxKeys: 5, noNullPrototype: false });

const words = [...Object.keys(gemini.rows), ...Object.keys(other.rows), "FileChanged", "enabled", "disabled"];
const handler = fc.oneof(
  value,
  keyed(
    ["type", "command", "name", "timeout", "env", "args", "if", "once", "async", "onFailure", "persistent", "chunks", "budgetMs"],
    fc.oneof(value, fc.constantFrom<Json>("command", "./x.sh '", 5, "block", true)),
  ) as fc.Arbitrary<Json>,
);
const group = fc.oneof(
  value,
  keyed(
    ["matcher", "sequential", "hooks"],
    fc.oneof(value, fc.array(handler, { maxLength: 4 }) as fc.Arbitrary<Json>),
  ) as fc.Arbitrary<Json>,
);
const hooks = fc.oneof(value, keyed(words, fc.oneof(value, fc.array(group, { maxLength: 3 }) as fc.Arbitrary<Json>)) as fc.Arbitrary<Json>);
const settings = keyed(
  ["hooks", "hooksConfig", "carabiner", "security", "disableAllHooks"],
  fc.oneof(hooks, value, keyed(["enabled", "disabled", "environmentVariableRedaction", "journal", "trust"], value) as fc.Arbitrary<Json>),
);

test("any JSON value as settings gives a registry and problems people can read, and never an exception", () => {
  const { where } = machine();
  fc.assert(
    fc.property(settings, settings, fc.boolean(), (project, user, trusted) => {
      const layers = [gemini, other].flatMap((dialect) => [
        layer(dialect.id, "project", project),
        layer(dialect.id, "user", user),
        layer(dialect.id, "extension", project),
      ]);
      const registry = buildRegistry({ generation: 1, dialects: [gemini, other], where, layers, trusted });
      const own = readCarabinerSettings(layers, where, trusted);
      const policy = readSanitising({ dialect: gemini, layers, trusted });
      for (const problem of [...registry.problems, ...own.problems, ...policy.problems])
        expect(problemText(problem).length).toBeGreaterThan(20);
      expect(new Set(registry.entries.map(({ id }) => id)).size).toBe(registry.entries.length);
      expect(registry.entries.map(({ order }) => order)).toEqual(registry.entries.map((_, i) => i));
      expect(registry.entries.every(({ timeoutMs }) => timeoutMs > 0)).toBe(true);
      const running = registry.entries.filter(({ barred }) => barred === undefined);
      expect(running.every(({ run }) => run.kind !== "shell" || run.command.trim() !== "")).toBe(true);
      expect(trusted || running.every(({ scope }) => scope !== "project")).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test("no key of any settings reaches an object's prototype", () => {
  const { where } = machine();
  const text =
    '{"hooks": {"__proto__": [{"hooks": [{"type": "command", "command": "x", "env": {"__proto__": "v"}, "__proto__": {"timeout": 5}}]}], "constructor": [], "toString": 5}, "carabiner": {"__proto__": {"maxRetries": 1}}}';
  const { entries, problems } = buildRegistry({
    generation: 1,
    dialects: [gemini],
    where,
    layers: [layer("gemini", "user", text)],
    trusted: true,
  });
  expect(problems.map(({ code }) => code)).toEqual(["EVENT_UNKNOWN", "EVENT_UNKNOWN", "EVENT_UNKNOWN"]);
  expect(entries.map(({ id, timeoutMs }) => [id, timeoutMs])).toEqual([["gemini:user:__proto__[0].hooks[0]", 60_000]]);
  expect(entries[0]?.run.kind === "shell" && Object.entries(entries[0].run.env)).toEqual([["__proto__", "v"]]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("any text is JSON or is not, and never an exception", () => {
  const token = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"',
    "1",
    "-",
    "1e999",
    "true",
    "//",
    "\n",
    "/*",
    "*/",
    " ",
    "\\u12",
    "\uFEFF",
    "'",
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 20 }), (tokens) => {
      const read = readJsonText(tokens.join(""));
      expect(read.ok ? read.tree.type : read.message).not.toBe("");
    }),
    { numRuns: 2000 },
  );
});

function layer(dialect: string, scope: Layer["scope"], content: string | Record<string, Json>): Layer {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const read = readJsonText(text);
  const about = {
    dialect,
    scope,
    path: `/${dialect}/${scope}.json`,
    found: true,
    text,
    problems: [],
    ...(scope === "extension" ? { extension: { name: "my ext", path: "/e/my ext" } } : {}),
  };
  return { ...about, settings: read.ok ? (read.value as JsonObject) : undefined };
}

test("the quick reading of JSON comes to what the thorough one comes to, keys that stand twice included", () => {
  const key = fc.constantFrom('"a"', '"a:b"', '"\\"{:"', '"__proto__"', '"1"', '"\\\\"');
  const { text } = fc.letrec<{ text: string; object: string; list: string }>((tie) => ({
    text: fc.oneof({ maxDepth: 4 }, fc.constantFrom("1", "null", '"x:y"', '"\\\\\\""', "-0"), tie("object"), tie("list")),
    object: fc
      .array(fc.tuple(key, tie("text")), { maxLength: 4 })
      .map((members) => `{${members.map((one) => one.join(" : ")).join(",\n")}}`),
    list: fc.array(tie("text"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
  }));
  fc.assert(
    fc.property(text, (json) => {
      const thorough = readJsonText(json);
      if (!thorough.ok) throw new Error(`${json} is JSON`);
      const { value, duplicates } = thorough;
      const quick = readJsonValue(json);
      expect(quick).toMatchObject({ ok: true, duplicates });
      const read = quick.ok ? quick.value : undefined;
      expect(JSON.stringify(read)).toBe(JSON.stringify(value));
      const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
      expect(isObject && Object.getPrototypeOf(read) !== null).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("the text of a definition is the same for equal values, whatever the order of their keys, and different for different ones", () => {
  fc.assert(
    fc.property(anything, anything, (a, b) => {
      expect(canonicalJson(a)).toBe(canonicalJson(turned(a)));
      expect(canonicalJson(a) === canonicalJson(b)).toBe(JSON.stringify(dotted(a)) === JSON.stringify(dotted(b)));
      expect(canonicalJson(a)).toBe(JSON.stringify(dotted(a)));
    }),
  );
});

/** Equal, with the keys the other way round. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, Json] => [key, turned(one)])
      .reverse(),
  );
}
/** With sorted keys, none of which is an array index. */
function dotted(value: Json): Json {
  if (Array.isArray(value)) return value.map(dotted);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key): [string, Json] => [`.${key}`, dotted((value as JsonObject)[key] ?? null)]));
}
