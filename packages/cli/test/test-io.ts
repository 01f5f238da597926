/** A machine of its own for a command: a home, a project, an environment, and all that was printed. Removed after the test. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { Io } from "../src/io.ts";
import { main } from "../src/main.ts";

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
export interface TestMachine {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names inside the machine: `home/...`, `project/...`, `etc/...`. */
  path(name: string): string;
  /** Content that is no text is written as JSON. */
  write(name: string, content: unknown, mode?: number): string;
  read(name: string): string;
  run(argv: readonly string[], options?: RunOptions): Promise<Answer>;
}
export interface RunOptions {
  readonly columns?: number;
  /** What a person at a terminal types. Absent: nobody is there. */
  readonly types?: string;
  readonly tty?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Below the machine. Default: `project`. */
  readonly cwd?: string;
}

export function testMachine(files: Readonly<Record<string, unknown>> = {}): TestMachine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-cli-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = (name: string): string => join(root, name);
  for (const folder of ["home", "project", "etc"]) mkdirSync(path(folder));
  const write = (name: string, content: unknown, mode?: number): string => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content));
    if (mode !== undefined) chmodSync(path(name), mode);
    return path(name);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const env = { PATH: process.env["PATH"], HOME: path("home"), GEMINI_CLI_SYSTEM_SETTINGS_PATH: path("etc/settings.json") };
  return {
    home: path("home"),
    project: path("project"),
    env,
    path,
    write,
    read: (name) => readFileSync(path(name), "utf8"),
    run: async (argv, { columns = 80, types, tty = types !== undefined, env: more = {}, cwd = "project" } = {}) => {
      let [out, err] = ["", ""];
      const stdin = new PassThrough();
      stdin.end(types ?? "");
      const io: Io = {
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        cwd: path(cwd),
        home: path("home"),
        env: { ...env, ...more },
        // What commands do with it, every stream can.
        stdin: stdin as unknown as NodeJS.ReadStream,
        isTTY: { out: tty, err: tty, in: tty },
        columns,
        now: () => new Date("2026-01-02T03:04:05Z"),
        onSignal: () => () => undefined,
      };
      return { code: await main(argv, io), out, err };
    },
  };
}

export const hook = (command: string, more: Readonly<Record<string, unknown>> = {}) => ({ type: "command", command, ...more });
/** Settings with one group of hooks on one event. */
export const on = (event: string, hooks: unknown, group: Readonly<Record<string, unknown>> = {}) => ({
  hooks: { [event]: [{ ...group, hooks }] },
});

export const PROJECT = "project/.gemini/settings.json";
export const USER = "home/.gemini/settings.json";
export const SYSTEM = "etc/settings.json";
