import { expect, test } from "vitest";
import { problemText } from "../../src/protocol/index.ts";
import { buildRegistry } from "../../src/settings/registry.ts";
import { codes, gemini, hook, machine, on, PROJECT, SYSTEM, statuses, USER } from "./machine.ts";
import { other } from "./other-dialect.ts";

const load = (settings: unknown) => machine({ [PROJECT]: settings }).registry();

test("an entry says everything there is to say of a handler", () => {
  const world = machine({
    [PROJECT]: {
      hooks: {
        BeforeTool: [
          {
            matcher: "write_.*",
            sequential: true,
            hooks: [hook("true", { name: "guard", timeout: 500, description: "d", env: { A: "b" }, onFailure: "block", budgetMs: 20 })],
          },
        ],
      },
    },
  });
  const { entries, problems } = world.registry();
  expect(problems).toEqual([]);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toEqual({
    id: "gemini:project:BeforeTool[0].hooks[0]",
    key: expect.stringMatching(/^[0-9a-f]{12}$/),
    dialect: "gemini",
    wireName: "BeforeTool",
    scope: "project",
    place: { file: world.path(PROJECT), jsonPath: "hooks.BeforeTool[0].hooks[0]", line: 1, column: 74 },
    order: 0,
    lane: 0,
    same: '["gemini","guard","true"]',
    name: "guard",
    description: "d",
    matcher: "write_.*",
    run: { kind: "shell", command: "true", env: { A: "b" } },
    timeoutMs: 500,
    timeoutGiven: true,
    condition: undefined,
    once: false,
    background: false,
    onFailure: "block",
    budgetMs: 20,
    sequential: true,
    barred: undefined,
    written: {
      event: "BeforeTool",
      group: { matcher: "write_.*", sequential: true },
      handler: {
        type: "command",
        command: "true",
        name: "guard",
        timeout: 500,
        description: "d",
        env: { A: "b" },
        onFailure: "block",
        budgetMs: 20,
      },
    },
  });
  expect(Object.isFrozen(entries[0])).toBe(true);
});

test("all layers' hooks are entries, in order of precedence and then of the file, each with its layer", () => {
  const world = machine({
    [PROJECT]: { hooks: { AfterTool: [{ hooks: [hook("p1"), hook("p2")] }], BeforeTool: [{ hooks: [hook("p3")] }] } },
    [USER]: on("BeforeTool", [hook("u")]),
    [SYSTEM]: on("BeforeTool", [hook("s")]),
    "etc/system-defaults.json": on("BeforeTool", [hook("d")]),
    "home/.gemini/extensions/ext/hooks/hooks.json": on("BeforeTool", [hook("e")]),
    "project/.other/settings.json": on("PreToolUse", [hook("o")]),
    "flag.json": on("BeforeTool", [hook("f")]),
  });
  const { entries } = world.registry({ dialects: [gemini, other], files: [{ path: world.path("flag.json") }] });
  expect(entries.map(({ order, lane, id, name }) => [order, lane, id, name])).toEqual([
    [0, 0, "gemini:flag:BeforeTool[0].hooks[0]", "f"],
    [1, 1, "gemini:project:AfterTool[0].hooks[0]", "p1"],
    [2, 2, "gemini:project:AfterTool[0].hooks[1]", "p2"],
    [3, 3, "gemini:project:BeforeTool[0].hooks[0]", "p3"],
    [4, 4, "gemini:user:BeforeTool[0].hooks[0]", "u"],
    [5, 5, "gemini:system:BeforeTool[0].hooks[0]", "s"],
    [6, 6, "gemini:extension(ext):BeforeTool[0].hooks[0]", "e"],
    [7, 7, "gemini:systemDefaults:BeforeTool[0].hooks[0]", "d"],
    [8, 8, "other:project:PreToolUse[0].hooks[0]", "o"],
  ]);
});

test("several files of one scope are told apart in ids", () => {
  const world = machine({ "a.json": on("BeforeTool", [hook("a")]), "b.json": on("BeforeTool", [hook("b")]) });
  const [a, b] = [world.path("a.json"), world.path("b.json")];
  const ids = world.registry({ files: [{ path: a }, { path: b }, { path: a }] }).entries.map(({ id }) => id);
  expect(ids).toEqual([`gemini:flag(${a}):BeforeTool[0].hooks[0]`, `gemini:flag(${b}):BeforeTool[0].hooks[0]`]);
});

test("entries of one sequential group share a lane, and nobody else does", () => {
  const { entries } = load({
    hooks: {
      BeforeTool: [
        { sequential: true, hooks: [hook("a"), hook("b")] },
        { hooks: [hook("c"), hook("d")] },
        { sequential: true, hooks: [hook("e")] },
      ],
      AfterTool: [{ sequential: true, hooks: [hook("f")] }],
    },
  });
  expect(entries.map(({ lane }) => lane)).toEqual([0, 0, 1, 2, 3, 4]);
});

test("a key follows its definition through edits elsewhere, and through another order of keys", () => {
  const keys = (settings: unknown) => load(settings).entries.map(({ key }) => key);
  const [key] = keys(on("BeforeTool", [{ type: "command", command: "a", name: "n" }]));
  expect(keys(on("BeforeTool", [hook("first"), { name: "n", command: "a", type: "command" }]))[1]).toBe(key);
  expect(keys(on("AfterTool", [hook("a", { name: "n" })]))[0]).not.toBe(key);
  expect(keys(on("BeforeTool", [hook("a", { name: "n" })], { matcher: "x" }))[0]).not.toBe(key);
  expect(keys(on("BeforeTool", [hook("a", { name: "n", timeout: 1000 })]))[0]).not.toBe(key);
});

test("one bad sibling costs nothing but itself", () => {
  const registry = load(on("BeforeTool", [null, { type: "command" }, hook("good"), "text", hook("x", { env: { A: 1 } })]));
  expect(registry.entries.map(({ name, barred }) => [name, barred?.status])).toEqual([
    ["gemini:project:BeforeTool[0].hooks[0]", "broken"],
    ["gemini:project:BeforeTool[0].hooks[1]", "broken"],
    ["good", undefined],
    ["gemini:project:BeforeTool[0].hooks[3]", "broken"],
    ["x", "broken"],
  ]);
  expect(codes(registry.problems)).toEqual(Array(4).fill("SETTINGS_BAD_SHAPE"));
});

test("a file that cannot be read leaves the others alone", () => {
  const world = machine({ [PROJECT]: "{ broken", [USER]: on("BeforeTool", [hook("good")]) });
  const registry = world.registry();
  expect(codes(registry.problems)).toEqual(["SETTINGS_BAD_JSON"]);
  expect(statuses(registry)).toEqual({ good: "runs" });
});

test("an unknown event drops itself only, and the closest word is suggested whatever its case", () => {
  const registry = load({
    hooks: { FutureEvent: [{ hooks: [hook("future")] }], beforetool: [{ hooks: [hook("case")] }], BeforeTool: [{ hooks: [hook("good")] }] },
  });
  expect(registry.problems.map(({ code, found, todo }) => [code, found, todo])).toEqual([
    ["EVENT_UNKNOWN", '"FutureEvent"', undefined],
    ["EVENT_UNKNOWN", '"beforetool"', 'Did you mean "BeforeTool"?'],
  ]);
  expect(statuses(registry)).toEqual({ future: "broken", case: "broken", good: "runs" });
});

test("another product's word for an event gets its counterpart", () => {
  const world = machine({
    [PROJECT]: { hooks: { PreToolUse: [], Stop: [], PermissionRequest: [] } },
    "project/.other/settings.json": { hooks: { BeforeTool: [] } },
  });
  const both = world
    .registry({ dialects: [gemini, other] })
    .problems.map(({ place, todo }) => ["jsonPath" in place && place.jsonPath, todo]);
  expect(both).toEqual([
    ["hooks.PreToolUse", 'In this product the same moment is called "BeforeTool".'],
    ["hooks.Stop", 'In this product the same moment is called "AfterAgent".'],
    ["hooks.PermissionRequest", undefined],
    ["hooks.BeforeTool", 'In this product the same moment is called "PreToolUse".'],
  ]);
});

test("a word of the product that is not fired here is its own status", () => {
  const world = machine({ "project/.other/settings.json": on("FileChanged", [hook("a")]) });
  const registry = world.registry({ dialects: [other] });
  expect(statuses(registry)).toEqual({ a: "notFiredHere" });
  expect(codes(registry.problems)).toEqual(["EVENT_NOT_FIRED"]);
});

test.each<[string, unknown, string, RegExp]>([
  ["hooks as a list", { hooks: [hook("a")] }, "hooks", /Write \{"hooks":\{.*"command"/],
  ["hooks as a text", { hooks: "a" }, "hooks", /an object of events/],
  ["an event that is an object", { hooks: { BeforeTool: { hooks: [hook("a")] } } }, "hooks.BeforeTool", /a list of groups/],
  ["a flat entry", { hooks: { BeforeTool: [hook("a")] } }, "hooks.BeforeTool[0]", /a hook without a group around it/],
  ["a group that is a text", { hooks: { BeforeTool: ["a"] } }, "hooks.BeforeTool[0]", /a group/],
  ["a group without hooks", { hooks: { BeforeTool: [{ matcher: "x" }] } }, "hooks.BeforeTool[0]", /a list of hooks/],
  ["a group whose hooks are no list", { hooks: { BeforeTool: [{ hooks: hook("a") }] } }, "hooks.BeforeTool[0].hooks", /a list of hooks/],
  ["a matcher that is no text", on("BeforeTool", [hook("a")], { matcher: 5 }), "hooks.BeforeTool[0].matcher", /a text/],
  ["an event outside of hooks", { BeforeTool: [{ hooks: [hook("a")] }] }, "BeforeTool", /inside the key hooks/],
])("%s is dropped with a problem that shows the right shape", (_, settings, jsonPath, message) => {
  const registry = load(settings);
  expect(codes(registry.problems)).toEqual(["SETTINGS_BAD_SHAPE"]);
  expect(registry.problems[0]?.place).toMatchObject({ jsonPath });
  expect(problemText(registry.problems[0]!)).toMatch(message);
  expect(registry.entries.every(({ barred }) => barred?.status === "broken")).toBe(true);
});

test("a dropped group leaves its hooks in the registry, broken, and the other groups alone", () => {
  const registry = load({ hooks: { BeforeTool: [{ matcher: null, hooks: [hook("lost")] }, hook("flat"), { hooks: [hook("good")] }] } });
  expect(statuses(registry)).toEqual({ lost: "broken", flat: "broken", good: "runs" });
});

test("a bad `sequential` counts as false and costs nothing else", () => {
  const registry = load(on("BeforeTool", [hook("a"), hook("b")], { sequential: "true" }));
  expect(codes(registry.problems)).toEqual(["SETTINGS_BAD_SHAPE"]);
  expect(registry.entries.map(({ sequential, lane, barred }) => [sequential, lane, barred])).toEqual([
    [false, 0, undefined],
    [false, 1, undefined],
  ]);
});

test("unknown keys of groups and handlers are told with the closest known one, and the hook runs", () => {
  const registry = load(on("BeforeTool", [hook("a", { timout: 5, if: "x", __proto: 1 })], { Matcher: "x", toString: 1 }));
  expect(
    registry.problems.map(({ code, place, todo, hook: name }) => [
      code,
      "jsonPath" in place && place.jsonPath.replace("hooks.BeforeTool[0].", ""),
      todo,
      name,
    ]),
  ).toEqual([
    ["KEY_UNKNOWN", "Matcher", 'Did you mean "matcher"?', "a"],
    ["KEY_UNKNOWN", "toString", undefined, "a"],
    ["KEY_UNKNOWN", "hooks[0].timout", 'Did you mean "timeout"?', "a"],
    ["KEY_UNKNOWN", "hooks[0].if", undefined, "a"],
    ["KEY_UNKNOWN", "hooks[0].__proto", undefined, "a"],
  ]);
  expect(statuses(registry)).toEqual({ a: "runs" });
});

test("keys that are announced and not there yet say what happens instead", () => {
  const registry = load(
    on("AfterModel", [hook("a", { persistent: true, chunks: "end" }), hook("b", { persistent: false, chunks: "each" })]),
  );
  expect(registry.problems.map(({ code, now, hook: name }) => [code, now, name])).toEqual([
    ["KEY_NOT_BUILT", "Each event starts a fresh process.", "a"],
    ["KEY_NOT_BUILT", "The hook is called for each chunk.", "a"],
  ]);
  expect(statuses(registry)).toEqual({ a: "runs", b: "runs" });
});

test.each<[string, Record<string, unknown>]>([
  ["type", { type: 5 }],
  ["command", { command: "  " }],
  ["command", { command: ["ls"] }],
  ["command", { command: "a\0b" }],
  ["name", { name: 5 }],
  ["description", { description: {} }],
  ["env", { env: [] }],
  ["env", { env: { A: 5 } }],
  ["env", { env: { "A=B": "c" } }],
  ["onFailure", { onFailure: "blok" }],
  ["budgetMs", { budgetMs: 0 }],
  ["persistent", { persistent: "yes" }],
  ["chunks", { chunks: "all" }],
])("a bad %s breaks its own handler: %j", (key, change) => {
  const registry = load(on("BeforeTool", [{ ...hook("a"), ...change }, hook("good")]));
  expect(registry.entries.map(({ barred }) => barred?.status)).toEqual(["broken", undefined]);
  expect(registry.problems).toMatchObject([{ code: "SETTINGS_BAD_SHAPE", place: { jsonPath: `hooks.BeforeTool[0].hooks[0].${key}` } }]);
});

test("a type that is not run here is unsupported, known or not, and its own keys are nobody's business", () => {
  const registry = load(on("BeforeTool", [{ type: "http", url: "x" }, { type: "plugin", name: "p" }, hook("good")]));
  expect(registry.entries.map(({ barred }) => barred?.status)).toEqual(["unsupported", "unsupported", undefined]);
  expect(codes(registry.problems)).toEqual(["TYPE_UNSUPPORTED", "TYPE_UNSUPPORTED"]);
});

test("onFailure means something only where a failure can deny", () => {
  const world = machine({
    [PROJECT]: {
      hooks: {
        Notification: [{ hooks: [hook("a", { onFailure: "block" })] }],
        BeforeTool: [{ hooks: [hook("b", { onFailure: "block" })] }],
      },
    },
    "project/.other/settings.json": on("Stop", [hook("c", { onFailure: "block" })]),
  });
  const registry = world.registry({ dialects: [gemini, other] });
  expect(registry.entries.map(({ name, onFailure }) => [name, onFailure])).toEqual([
    ["a", "allow"],
    ["b", "block"],
    ["c", "allow"],
  ]);
  expect(registry.problems.map(({ code, what }) => [code, what])).toEqual([
    ["FAILURE_POLICY_UNUSABLE", 'onFailure "block" means nothing on Notification: nothing can be denied there.'],
    ["FAILURE_POLICY_UNUSABLE", 'onFailure "block" means nothing on Stop: a denial there means that the agent goes on.'],
  ]);
});

test("an identifier is the name, else the command, also where the name is empty", () => {
  expect(load(on("BeforeTool", [hook("a", { name: "n" }), hook("b"), hook("c", { name: "" })])).entries.map(({ name }) => name)).toEqual([
    "n",
    "b",
    "c",
  ]);
});

test("the same hook is the same by the keys its dialect names", () => {
  const world = machine({
    [PROJECT]: on("BeforeTool", [hook("a", { name: "n" }), hook("a", { name: "m" }), hook("a", { name: "n", timeout: 1000 }), hook("a")]),
    "project/.other/settings.json": on("PreToolUse", [hook("a", { name: "n" }), hook("a", { name: "m" }), hook("a", { args: [] })]),
  });
  const sames = world.registry({ dialects: [gemini, other] }).entries.map(({ same }) => same);
  expect(sames.map((same) => sames.indexOf(same))).toEqual([0, 1, 0, 3, 4, 4, 6]);
});

test("settings strings are expanded, but never inside command, and never in the definition as written", () => {
  const world = machine(
    {
      [PROJECT]: on("BeforeTool", [hook("echo $WHO", { name: "$WHO", description: "${NOBODY:-x}", env: { A: "${WHO}" } })], {
        matcher: "^${WHO}$",
      }),
    },
    { WHO: "me" },
  );
  expect(world.registry().entries[0]).toMatchObject({
    name: "me",
    description: "x",
    matcher: "^me$",
    run: { command: "echo $WHO", env: { A: "me" } },
    written: { group: { matcher: "^${WHO}$" }, handler: { name: "$WHO" } },
  });
});

test("an extension names its own places, and nothing of the environment", () => {
  const world = machine(
    {
      "home/.gemini/extensions/my ext/hooks/hooks.json": on("SessionStart", [
        hook("echo ${extensionPath} $HOME", { env: { P: "${workspacePath}/$WHO" } }),
      ]),
    },
    { WHO: "me" },
  );
  const path = world.path("home/.gemini/extensions/my ext");
  expect(world.registry().entries[0]).toMatchObject({
    name: `echo ${path} $HOME`,
    run: { command: 'echo "${CARABINER_EXTENSION_PATH}" $HOME', env: { P: `${world.project}/$WHO`, CARABINER_EXTENSION_PATH: path } },
  });
});

test("a dialect that expands nothing leaves everything as written", () => {
  const world = machine(
    { "project/.other/settings.json": on("PreToolUse", [hook("a", { name: "$WHO", env: { A: "$WHO" } })]) },
    { WHO: "me" },
  );
  expect(world.registry({ dialects: [other] }).entries[0]).toMatchObject({ name: "$WHO", run: { env: { A: "$WHO" } } });
});

test("args make the exec form, where the dialect has it", () => {
  const world = machine({
    "project/.other/settings.json": on("PreToolUse", [hook("node", { args: ["-v", "a b"] }), hook("x", { args: ["a", 5] })]),
    [PROJECT]: on("BeforeTool", [hook("x", { args: [] })]),
  });
  const { entries } = world.registry({ dialects: [other, gemini] });
  expect(entries.map(({ run, barred }) => [run, barred?.status])).toEqual([
    [{ kind: "exec", file: "node", args: ["-v", "a b"], env: {} }, undefined],
    [{ kind: "exec", file: "x", args: ["a"], env: {} }, "broken"],
    [{ kind: "shell", command: "x", env: {} }, undefined],
  ]);
});

test("once and async count where the dialect has them, async on the group too", () => {
  const flags = { once: true, async: true };
  const world = machine({
    "project/.other/settings.json": { hooks: { PreToolUse: [{ hooks: [hook("a", flags)] }, { async: true, hooks: [hook("b")] }] } },
    [PROJECT]: on("BeforeTool", [hook("c", flags)], { async: true }),
  });
  const { entries, problems } = world.registry({ dialects: [other, gemini] });
  expect(entries.map(({ name, once, background }) => [name, once, background])).toEqual([
    ["a", true, true],
    ["b", false, true],
    ["c", false, false],
  ]);
  expect(codes(problems)).toEqual(["KEY_UNKNOWN", "KEY_UNKNOWN", "KEY_UNKNOWN"]);
});

test.each<[unknown, unknown]>([
  ["Bash", { tool: "Bash", pattern: undefined }],
  ["Bash(git push:*)", { tool: "Bash", pattern: "git push:*" }],
  [" Write|Edit ( a(b)c ) ", { tool: "Write|Edit", pattern: " a(b)c " }],
  ["mcp__.*", { tool: "mcp__.*", pattern: undefined }],
])("the condition %j is read as %j", (text, expected) => {
  const world = machine({ "project/.other/settings.json": on("PreToolUse", [hook("a", { if: text })]) });
  const { entries, problems } = world.registry({ dialects: [other] });
  expect([entries[0]?.condition, problems]).toEqual([expected, []]);
});

test.each([
  ["", "it is empty"],
  ["Bash()", "the parentheses are empty"],
  ["Bash(a", "the parentheses are not those of Tool(pattern)"],
  ["(a)", "the parentheses are not those of Tool(pattern)"],
])("the condition %j breaks its hook: %s", (text, message) => {
  const world = machine({ "project/.other/settings.json": on("PreToolUse", [hook("a", { if: text })]) });
  const { entries, problems } = world.registry({ dialects: [other] });
  expect(entries[0]).toMatchObject({ condition: undefined, barred: { status: "broken" } });
  expect(problems).toMatchObject([{ code: "CONDITION_BAD", what: expect.stringContaining(message) }]);
});

test("a condition on an event without a tool call can never be true", () => {
  const world = machine({ "project/.other/settings.json": on("Stop", [hook("a", { if: "Bash" })]) });
  const { entries, problems } = world.registry({ dialects: [other] });
  expect(entries[0]?.barred?.status).toBe("broken");
  expect(problems).toMatchObject([{ code: "CONDITION_BAD", what: expect.stringContaining("no tool call") }]);
});

test("a registry with nothing in it is whole", () => {
  const world = machine();
  expect(buildRegistry({ generation: 7, dialects: [gemini], where: world.where, layers: [], trusted: true })).toEqual({
    generation: 7,
    entries: [],
    problems: [],
  });
});

test("however many hooks there are, switches are looked up once, and places when they are read", () => {
  const looks = (hooks: number): number => {
    const world = machine({
      [PROJECT]: { hooks: { BeforeTool: Array.from({ length: hooks }, (_, i) => ({ hooks: [hook(`true ${i}`)] })) } },
      [USER]: { hooksConfig: { enabled: true, disabled: ["nobody"] } },
    });
    let count = 0;
    const layers = world.layers().map((layer) => ({
      ...layer,
      get settings() {
        count++;
        return layer.settings;
      },
      get text() {
        count++;
        return layer.text;
      },
    }));
    const { entries } = buildRegistry({ generation: 1, dialects: [gemini], where: world.where, layers, trusted: true });
    expect(entries).toHaveLength(hooks);
    const before = count;
    expect(entries.at(-1)?.place?.line).toBe(1);
    expect(count).toBeGreaterThan(before);
    return before;
  };
  // Whether a file has settings at all is asked for each place.
  expect(looks(300) - looks(10)).toBe(290);
});
