import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type AnyRow, DIALECTS, type Dialect, type JsonObject } from "@carabiner/engine";
import { expect, onTestFinished, test } from "vitest";
import { EXTENSIONS, type Example, kindOf, type Language, shellOf, writeStarter } from "../src/commands/starters/index.ts";
import { testMachine } from "./test-io.ts";

const EVENTS = DIALECTS.flatMap((dialect) => Object.entries(dialect.rows).map(([wireName, row]) => ({ dialect, wireName, row })));

/** With the tool whose guard it is, both kinds of guard. */
function starters({ dialect, wireName, row }: { dialect: Dialect; wireName: string; row: AnyRow }, lang: Language) {
  const order = { dialect, wireName, row, name: "it", settingsDir: ".gemini" };
  const tools =
    "tool" in row.example ? [shellOf(dialect.tools), dialect.tools.tools.find(({ kind }) => kind === "writeFile")?.name] : [undefined];
  return tools.map((tool) => writeStarter(order, kindOf(order, tool === shellOf(dialect.tools)), lang, { tool }));
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const runnable = (["sh", "python", "node"] as const).filter((lang) => lang !== "python" || hasPython);

test.each(runnable)("every first script in %s runs for its event, and does what it says", { timeout: 120_000 }, async (lang) => {
  const machine = testMachine({ "project/.gemini/settings.json": {}, "project/.qoder/settings.json": {} });
  for (const { dialect, wireName } of EVENTS) {
    const { code, out, err } = await machine.run(["hooks", "add", wireName, "--lang", lang, "--dialect", dialect.id]);
    expect({ wireName, code, err }).toEqual({ wireName, code: 0, err: "" });
    expect(`${wireName}: ${out}`).not.toMatch(/failed|could not|not usable|problem/i);
  }
  const blocked = await machine.run(["hooks", "list", "--json"]);
  expect(JSON.parse(blocked.out)).toMatchObject({ problems: [] });
});

test("first scripts for node and for TypeScript hold no type error", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "carabiner-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = resolve(import.meta.dirname, "../../..");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // A file of one base name beside another would be taken for its output.
  for (const lang of ["node", "ts"]) mkdirSync(join(folder, "src", lang), { recursive: true });
  for (const event of EVENTS)
    for (const lang of ["node", "ts"] as const)
      for (const [i, { text }] of starters(event, lang).entries())
        writeFileSync(join(folder, "src", lang, `${event.dialect.id}-${event.wireName}-${i}.${EXTENSIONS[lang]}`), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    allowJs: true,
    module: "nodenext",
    target: "es2023",
    types: ["node"],
    erasableSyntaxOnly: true,
    skipLibCheck: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  const { stdout, status } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});

test.each([
  ["rm -rf /", 2],
  ["rm -fr ~/x", 2],
  ['cd /tmp && rm  -r -f "$HOME/x"', 2],
  ["echo a\nrm -rf /etc", 2],
  ["sudo rm --recursive -f '/var'", 2],
  ["rm -rf build /opt", 2],
  ["rm -rf ./build", 0],
  ["rm /tmp/file", 0],
  ["rm -rf build && ls /", 0],
  ["charm -rf /", 0],
  ["git rm -r --cached src", 0],
])("the guards in all languages say of %j the same: exit %i", (command, code) => {
  const guard = EVENTS.find(({ wireName }) => wireName === "BeforeTool");
  if (!guard) throw new Error("Gemini CLI has BeforeTool");
  const folder = mkdtempSync(join(tmpdir(), "carabiner-guard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const input = JSON.stringify({ tool_name: "run_shell_command", tool_input: { command } });
  for (const lang of runnable) {
    const [starter] = starters(guard, lang);
    const file = join(folder, `guard.${EXTENSIONS[lang]}`);
    writeFileSync(file, starter?.text ?? "");
    const program = { sh: "/bin/sh", python: "python3", node: process.execPath }[lang];
    const { status, stderr } = spawnSync(program, [file], { input, encoding: "utf8" });
    expect({ lang, status, reason: stderr.includes("not allowed here") }).toEqual({ lang, status: code, reason: code === 2 });
  }
});

test("each starter has an example, and every example's fields are read by its event", () => {
  for (const event of EVENTS)
    for (const { examples, does } of starters(event, "sh")) {
      expect(does).toMatch(/^[A-Z].*\.$/);
      expect(examples.length).toBeGreaterThan(0);
      for (const { fields } of examples as readonly Example[])
        for (const key of Object.keys(fields satisfies JsonObject)) expect(Object.keys(event.row.stdin)).toContain(key);
    }
});
