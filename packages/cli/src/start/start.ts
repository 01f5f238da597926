/** Turns the built core into a run of the command line; what V8 compiled of it is kept, so that the next run need not compile it again. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { cacheFolders } from "./cache-folders.ts";
import { keepModules } from "./keep-modules.ts";
import { readKeptCode, writeKeptCode } from "./kept-code.ts";

/** What `core.cjs` exports: see `scripts/bundle-cli.mjs`. */
interface Core {
  readonly main: (argv: readonly string[], io: unknown) => Promise<number>;
  readonly processIo: () => unknown;
  readonly COMMANDS: readonly { readonly name: string }[];
}
type Wrapper = (
  exports: unknown,
  require: NodeJS.Require,
  module: { exports: unknown },
  file: string,
  folder: string,
  load: (what: string) => Promise<unknown>,
) => void;

/** Every command adds what it needs when it is called for the first time; after so many the file is as it is. */
const MAX_COMMANDS = 32;

/** Runs the words of the command line with the core at `file`, and sets the exit code. */
export async function start(argv: readonly string[], file: string): Promise<void> {
  // Its build wrote it so that every byte is a character, which is the fastest to read.
  const source = readFileSync(file, "latin1");
  const folders =
    process.env["NODE_DISABLE_COMPILE_CACHE"] === "1"
      ? []
      : cacheFolders({ platform: process.platform, env: process.env, home: homedir(), dist: dirname(file) });
  const build = /^\/\/ (\w+)/.exec(source)?.[1] ?? "unknown";
  const paths = folders.map((folder) => join(folder, `core-${build}-${process.version}-${process.arch}.cache`));
  let kept: ReturnType<typeof readKeptCode>;
  for (const path of paths) kept ??= readKeptCode(path);

  const script = new Script(`(function (exports, require, module, __filename, __dirname, __import) {${source}\n})`, {
    filename: file,
    cachedData: kept?.code,
  });
  const module: { exports: Partial<Core> } = { exports: {} };
  const wrapper = script.runInThisContext() as Wrapper;
  const load = (what: string): Promise<unknown> => {
    keepModules(folders);
    return import(what);
  };
  wrapper(module.exports, createRequire(file), module, file, dirname(file), load);
  const { main, processIo, COMMANDS } = module.exports;
  if (!main || !processIo || !COMMANDS) throw new Error(`${file} is not the core of carabiner: build it again.`);

  const before = script.cachedDataRejected === false ? (kept?.commands ?? []) : [];
  const command = commandOf(argv, COMMANDS);
  if (!before.includes(command) && before.length < MAX_COMMANDS)
    process.once("exit", () => {
      const code = script.createCachedData();
      paths.some((path) => writeKeptCode(path, { code, commands: [...before, command] }, Date.now()));
    });
  process.exitCode = await main(argv, processIo());
}

/** The command and, where it has some, its subcommand: never words of a prompt. */
function commandOf([first = "", second = ""]: readonly string[], commands: Core["COMMANDS"]): string {
  if (!commands.some(({ name }) => name === first)) return "";
  return /^[a-z]+$/.test(second) ? `${first} ${second}` : first;
}
