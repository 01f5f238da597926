import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src/start/index.ts", import.meta.url));

/** A core as the build makes it: the first line names the build, and what is heavy is behind the function that imports. */
const core = `// 0123456789abcdef
exports.COMMANDS = [{ name: "list" }, { name: "heavy" }];
exports.processIo = () => ({ out: (text) => void process.stdout.write(text) });
exports.main = async ([first, ...rest], io) => {
  const add = (a, b) => a + b;
  if (first === "heavy") io.out((await __import("./heavy.js")).word);
  else if (first === "throw") throw new Error("from the core");
  else io.out([first, ...rest].reduce(add, ""));
  return first === "list" ? 0 : 7;
};
`;

let root: string;
let dist: string;
let home: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "carabiner-start-"));
  await build({
    entryPoints: [source],
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile: join(root, "start.cjs"),
    logLevel: "error",
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  const folder = mkdtempSync(join(root, "case-"));
  dist = join(folder, "dist");
  home = join(folder, "home");
  for (const path of [dist, home]) mkdirSync(path);
  copyFileSync(join(root, "start.cjs"), join(dist, "start.cjs"));
  writeFileSync(join(dist, "core.cjs"), core);
  writeFileSync(join(dist, "heavy.js"), 'export const word = "heavy";\n');
  writeFileSync(join(dist, "package.json"), '{ "type": "module" }');
});

function run(words: readonly string[], env: Record<string, string> = {}) {
  const script = `require(${JSON.stringify(join(dist, "start.cjs"))}).start(${JSON.stringify(words)}, ${JSON.stringify(join(dist, "core.cjs"))})`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...env },
    encoding: "utf8",
    timeout: 15_000,
  });
  return { status, stdout, stderr };
}
const kept = (folder = join(dist, "cache")): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".cache")) : [];
const keptFile = (): string => join(dist, "cache", kept()[0] ?? "none");
const commandsKept = (): unknown => JSON.parse(readFileSync(keptFile(), "latin1").split("\n", 1)[0] ?? "").commands;

it("runs the core, hands over its exit code, and keeps what was compiled under the name of the build and of Node", () => {
  expect(run(["list", "all"])).toEqual({ status: 0, stdout: "listall", stderr: "" });
  expect(kept()).toEqual([`core-0123456789abcdef-${process.version}-${process.arch}.cache`]);
  expect(run(["hello"]).status).toBe(7);
});

it("writes again only for a command that has not run before, and never keeps words of a prompt", () => {
  run(["list", "all"]);
  run(["what", "is", "this"]);
  expect(commandsKept()).toEqual(["list all", ""]);
  const before = readFileSync(keptFile());
  run(["list", "all"]);
  run(["another", "prompt"]);
  expect(readFileSync(keptFile()).equals(before)).toBe(true);
});

it("imports what is behind an import() with and without kept code", () => {
  for (let i = 0; i < 3; i++) expect(run(["heavy"])).toEqual({ status: 7, stdout: "heavy", stderr: "" });
});

it("does the same with kept code that is broken, of another build, or of another program, and replaces it", () => {
  run(["list"]);
  const whole = readFileSync(keptFile());
  const flipped = Buffer.from(whole);
  flipped.fill(0xff, whole.length - 300, whole.length - 100);
  for (const bytes of [flipped, whole.subarray(0, 200), Buffer.from("garbage")]) {
    writeFileSync(keptFile(), bytes);
    expect(run(["list"])).toEqual({ status: 0, stdout: "list", stderr: "" });
    expect(commandsKept()).toEqual(["list"]);
  }
  writeFileSync(join(dist, "core.cjs"), core.replace("0123456789abcdef", "fedcba9876543210").replace('"list" ? 0', '"list" ? 5'));
  expect(run(["list"]).status).toBe(5);
  expect(kept()).toHaveLength(2);
});

it("keeps nothing where Node is told to keep nothing", () => {
  expect(run(["list"], { NODE_DISABLE_COMPILE_CACHE: "1" }).status).toBe(0);
  expect(kept()).toEqual([]);
});

it("uses the user's folder where the bundle's cannot be written to, and runs without either", () => {
  // A file in the way keeps root out, too.
  writeFileSync(join(dist, "cache"), "");
  chmodSync(join(dist, "cache"), 0o444);
  expect(run(["list"]).status).toBe(0);
  expect(kept(join(home, ".cache", "carabiner"))).toHaveLength(1);
  writeFileSync(join(home, "file"), "");
  expect(run(["list"], { XDG_CACHE_HOME: join(home, "file") })).toEqual({ status: 0, stdout: "list", stderr: "" });
});

it("shows where in the core an error came from", () => {
  run(["list"]);
  const { status, stderr } = run(["throw"]);
  expect(status).toBe(1);
  expect(stderr).toContain("from the core");
  expect(stderr).toMatch(/core\.cjs:7:/);
});
