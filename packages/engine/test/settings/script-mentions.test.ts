import { mkdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { problemText } from "../../src/protocol/index.ts";
import { mentions } from "../../src/settings/script-mentions.ts";
import { readShellText } from "../../src/settings/shell-words.ts";
import { hook, machine, on, PROJECT } from "./machine.ts";
import { other } from "./other-dialect.ts";

const world = { projectDir: "/p", home: "/h", variables: { DIR: "/p", SPACE: "/a b" } };
const shell = (command: string) => mentions({ kind: "shell", command, env: {} }, world).map(({ path, role }) => `${role} ${path}`);

test.each<[string, readonly string[]]>([
  ["./x.sh", ["program /p/x.sh"]],
  ["$DIR/x.sh --flag", ["program /p/x.sh", "argument /p/--flag"]],
  ['"${DIR}/x.sh"', ["program /p/x.sh"]],
  ["~/x.sh", ["program /h/x.sh"]],
  ["$SPACE/x.sh", ["program /a b/x.sh"]],
  ["'./a b.sh'", ["program /p/a b.sh"]],
  ["./a\\ b.sh", ["program /p/a b.sh"]],
  ["node a.js", ["script /p/a.js"]],
  ["node --require ./r.js a.js", ["argument /p/--require", "argument /p/r.js", "script /p/a.js"]],
  ["node -e 'x'", ["argument /p/-e", "argument /p/x"]],
  ["python3 -m mod", ["argument /p/-m", "argument /p/mod"]],
  ["/usr/bin/env python3 hooks/a.py", ["argument /usr/bin/env", "script /p/hooks/a.py"]],
  ["X=1 timeout 5 bash a.sh", ["argument /p/X=1", "argument /p/1", "argument /p/timeout", "argument /p/5", "script /p/a.sh"]],
  ["bash -c './x.sh && node y.js'", ["argument /p/-c", "argument /p/x.sh && node y.js", "program /p/x.sh", "script /p/y.js"]],
  [
    "cd sub && ./x.sh; . ./lib.sh | sh z.sh",
    [
      "argument /p/sub",
      "program /p/sub/x.sh",
      "argument /p/x.sh",
      "script /p/sub/lib.sh",
      "argument /p/lib.sh",
      "script /p/sub/z.sh",
      "argument /p/z.sh",
    ],
  ],
  [
    "cd -P -- /o && cd in && node a.js",
    ["argument /p/-P", "argument /p/--", "argument /o", "argument /o/in", "argument /p/in", "script /o/in/a.js", "argument /p/a.js"],
  ],
  ["cd $UNKNOWN && ./x.sh && /o/y.sh", ["argument /p/x.sh", "program /o/y.sh"]],
  [
    "bash -c 'cd sub; ./x.sh'",
    ["argument /p/-c", "argument /p/cd sub; ./x.sh", "argument /p/sub", "program /p/sub/x.sh", "argument /p/x.sh"],
  ],
  ["cd && ./x.sh; cd - ; ./y.sh", ["program /h/x.sh", "argument /p/x.sh", "argument /h/-", "argument /p/-", "argument /p/y.sh"]],
  ['"$HOME/x.sh" && ${PWD}/y.sh', ["program /h/x.sh", "program /p/y.sh"]],
  ["if true; then ./x.sh; fi", ["program /p/x.sh"]],
  ['echo "$(./inner.sh)" `./old.sh`', ["program /p/inner.sh", "program /p/old.sh"]],
  ["$UNKNOWN/x.sh *.js ~other/x", []],
  ["cat <in.txt >out.txt 2>&1", ["argument /p/in.txt"]],
  ["tool --config=c.json # ./not.sh", ["argument /p/--config=c.json", "argument /p/c.json"]],
  ["sh <<'E'\n./not-read.sh\nE\n./x.sh", ["program /p/x.sh"]],
  ["bun run x.ts", ["argument /p/run", "script /p/x.ts"]],
])("%j names %j", (command, expected) => {
  expect(shell(command)).toEqual(expected);
});

test("in the exec form every argument is a word, and only ${NAME} of a known variable is filled in", () => {
  const run = { kind: "exec", file: "node", args: ["${DIR}/a b.js", "$DIR/*", ""], env: {} } as const;
  expect(mentions(run, world).map(({ path, role }) => `${role} ${path}`)).toEqual(["script /p/a b.js", "argument /p/$DIR/*"]);
});

test("any text is read to its end", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."ab $({['\"`\\)}];&|<>#~\n=-/0".split(""), "<<E", "${a}", "$(", "case", " in ") }),
      (text) => {
        const { commands, references } = readShellText(text, { a: "/v" }, "/h");
        for (const { words } of commands) for (const word of words) expect(typeof word.text).toBe("string");
        for (const { from, to, name } of references) expect(text.slice(from, to)).toBe(`\${${name}}`);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a script that is missing or not executable is told at load, and never bars the hook", () => {
  const { registry } = loaded({ "project/no-x.sh": "#!/bin/sh\n", "project/lib.js": "" }, [
    hook("./missing.sh"),
    hook("$GEMINI_PROJECT_DIR/no-x.sh"),
    hook("node lib.js"),
    hook("python3 gone.py"),
    hook("sh guard"),
    hook("cat ./data.txt"),
    hook("${UNKNOWN}/x.sh"),
    hook("no-such-program"),
  ]);
  expect(registry.problems.map(({ code, hook: name }) => [code, name])).toEqual([
    ["SCRIPT_MISSING", "./missing.sh"],
    ["SCRIPT_NOT_EXECUTABLE", "$GEMINI_PROJECT_DIR/no-x.sh"],
    ["SCRIPT_MISSING", "python3 gone.py"],
  ]);
  expect(problemText(registry.problems[0]!)).toContain("./missing.sh");
  expect(registry.entries.every(({ barred }) => barred === undefined)).toBe(true);
});

test("a script behind a cd is looked for where it will be, and one behind a subshell's where it may be", () => {
  const world = machine({ "project/sub/x.sh": "x", "project/y.sh": "y" });
  for (const command of ["cd sub && sh x.sh", "(cd sub && sh x.sh); sh y.sh"]) {
    world.write(PROJECT, on("BeforeTool", [hook(command)]));
    expect(world.registry().problems).toEqual([]);
  }
  world.write(PROJECT, on("BeforeTool", [hook("cd sub && sh z.sh")]));
  expect(world.registry().problems).toMatchObject([{ code: "SCRIPT_MISSING" }]);
});

test("an executable script, a directory and a switched-off hook give no problem", () => {
  const { registry, world: there } = loaded({}, [hook("./x.sh")]);
  expect(registry.problems).toHaveLength(1);
  there.write("project/x.sh", "", 0o755);
  expect(there.registry().problems).toEqual([]);
  mkdirSync(there.path("project/dir"));
  there.write(PROJECT, { ...on("BeforeTool", [hook("./dir"), hook("./gone.sh")]), hooksConfig: { disabled: ["./gone.sh"] } });
  expect(there.registry().problems).toEqual([]);
});

test("the exec form of another dialect is checked by its own variables", () => {
  const there = machine({
    "project/.other/settings.json": on("PreToolUse", [
      hook("${OTHER_PROJECT_DIR}/gone", { args: [] }),
      hook("node", { args: ["${OTHER_PROJECT_DIR}/a.js"] }),
    ]),
    "project/a.js": "",
  });
  expect(there.registry({ dialects: [other] }).problems).toMatchObject([{ code: "SCRIPT_MISSING", hook: "${OTHER_PROJECT_DIR}/gone" }]);
});

function loaded(files: Readonly<Record<string, unknown>>, hooks: readonly unknown[]) {
  const there = machine({ ...files, [PROJECT]: on("BeforeTool", hooks) });
  return { world: there, registry: there.registry() };
}
