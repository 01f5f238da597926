/** A project and a home directory of a test's own, and the command line run in them. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { Io } from "../src/io.ts";
import { main } from "../src/main.ts";

export interface Place {
  readonly project: string;
  readonly home: string;
  /** Writes a file of the project; its directories are made. */
  readonly write: (path: string, text: string) => void;
  /** Writes an executable `sh` script of the project. */
  readonly script: (path: string, body: string) => void;
  readonly settings: (value: unknown) => void;
  readonly userSettings: (value: unknown) => void;
  readonly run: (argv: readonly string[], more?: Partial<Io>) => Promise<Done>;
  readonly env: Record<string, string | undefined>;
  readonly remove: () => void;
}
export interface Done {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function createPlace(): Place {
  const root = mkdtempSync(join(tmpdir(), "carabiner-fire-"));
  const [project, home] = [join(root, "project"), join(root, "home")];
  mkdirSync(project, { recursive: true });
  mkdirSync(home, { recursive: true });
  const at = (base: string) => (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  const write = at(project);
  const env = { PATH: process.env["PATH"], HOME: home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root, "system", "settings.json") };
  return {
    project,
    home,
    env,
    write,
    script: (path, body) => {
      write(path, `#!/bin/sh\n${body}\n`);
      chmodSync(join(project, path), 0o755);
    },
    settings: (value) => write(".gemini/settings.json", JSON.stringify(value, null, 2)),
    userSettings: (value) => at(home)(".gemini/settings.json", JSON.stringify(value, null, 2)),
    run: async (argv, more = {}) => {
      let [out, err] = ["", ""];
      const io: Io = {
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        cwd: project,
        home,
        env: { ...env },
        stdin: stdinOf(""),
        isTTY: { out: false, err: false, in: false },
        columns: 80,
        now: () => new Date(),
        onSignal: () => () => undefined,
        ...more,
      };
      const code = await main(argv, io);
      return { code, out, err };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A pipe that holds a text; of a stream no more is read than `for await` reads. */
export const stdinOf = (text: string): NodeJS.ReadStream => Readable.from([Buffer.from(text)]) as unknown as NodeJS.ReadStream;

/** Hooks of one event that share a matcher. */
export const hooks = (event: string, matcher: string | undefined, ...handlers: readonly object[]) => ({
  hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: handlers.map((one) => ({ type: "command", ...one })) }] },
});

/** Times and processes differ from run to run. */
export const steady = (text: string): string =>
  text.replace(/\b\d+(\.\d+)? (ms|s)\b(?! it)/g, "N ms").replace(/\b[0-9a-f]{6}-\d+\b/g, "ID");
