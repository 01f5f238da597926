// The built command as a child process in a project of its own, and the same command in this process where a process of its own shows nothing more.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Stage } from "../../agent/test/loop/stage.ts";
import type { Io } from "../src/io.ts";
import { main } from "../src/main.ts";

const BIN = fileURLToPath(new URL("../bin/carabiner.js", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in; default: a pipe that is closed at once. `null`: a pipe that stays open. */
  readonly stdin?: string | null;
  readonly cwd?: string;
  /** A file that stdout goes to. */
  readonly stdout?: string;
}

const variables = (on: Stage, env: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: on.home,
  GEMINI_CLI_SYSTEM_SETTINGS_PATH: on.path("system/settings.json"),
  ...env,
});

/** Starts `carabiner` with these arguments in the stage's project; it is ended with the test. */
export function start(on: Stage, args: readonly string[], { env, stdin = "", cwd = on.project, stdout: file }: Surroundings = {}) {
  const out = file === undefined ? "pipe" : openSync(file, "w");
  const child: ChildProcess = spawn(process.execPath, [BIN, ...args], { cwd, env: variables(on, env), stdio: ["pipe", out, "pipe"] });
  if (typeof out === "number") closeSync(out);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin?.on("error", () => undefined);
  if (stdin !== null) child.stdin?.end(stdin);
  const ended = new Promise<Ran>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}
export const carabiner = (on: Stage, args: readonly string[], around?: Surroundings): Promise<Ran> => start(on, args, around).ended;

/** The same without a process: everything it touches is handed in. */
export async function inProcess(
  on: Stage,
  args: readonly string[],
  { env, stdin = "", cwd = on.project }: Surroundings = {},
): Promise<Ran> {
  const said = { out: "", err: "" };
  const pipe = new PassThrough();
  if (stdin !== null) pipe.end(stdin);
  const io: Io = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    cwd,
    home: on.home,
    env: variables(on, env),
    stdin: pipe as unknown as NodeJS.ReadStream,
    isTTY: { out: false, err: false, in: false },
    columns: 80,
    now: () => new Date(),
    onSignal: () => () => undefined,
  };
  const code = await main(args, io);
  return { code, stdout: said.out, stderr: said.err };
}

/** Lines of a script for `--model script/FILE`. */
export const script = (on: Stage, ...turns: readonly object[]): readonly string[] => {
  on.write("turns.jsonl", turns.map((turn) => JSON.stringify(turn)).join("\n"));
  return ["--model", `script/${on.path("turns.jsonl")}`];
};
