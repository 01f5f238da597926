/** Turns a tour's folder into a stage: a fresh folder with a copy of the project, a home directory, and a command that works there. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fileError } from "../views/index.ts";
import { readTour, type Tour } from "./demo-tour.ts";

/** Everything of one run, below one folder that is kept. */
export interface Stage {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly journalDir: string;
  readonly script: string;
  /** What the agent and its hooks see of the environment: nothing of the user's settings. */
  readonly env: Record<string, string | undefined>;
}
type Outcome<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly why: string };

/** The tour that comes with this package. */
export const OWN_TOUR: string = fileURLToPath(new URL("../../tour/", import.meta.url));
const COMMAND: string = fileURLToPath(new URL("../../bin/carabiner.js", import.meta.url));
const PROJECT = "kite-shop";

/** `folder`: absolute. A folder without a tour in it is not one. */
export function openTour(folder: string): Outcome<{ readonly tour: Tour }> {
  const path = join(folder, "tour", "tour.json");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { ok: false, why: `${folder} is no tour: ${path} cannot be read (${fileError(error)}). carabiner demo --copy DIR makes one.` };
  }
  const read = readTour(text);
  return read.ok ? { ok: true, tour: read.tour } : { ok: false, why: `${path}: ${read.why}.` };
}

/** A new folder below the system's one for temporary files; the tour's own folder is only read. */
export function setStage(tourFolder: string, env: Readonly<Record<string, string | undefined>>): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-demo-")));
  const project = join(folder, tourFolder === OWN_TOUR ? PROJECT : basename(resolve(tourFolder)));
  const home = join(folder, "home");
  cpSync(tourFolder, project, { recursive: true });
  const ownHome = join(project, "tour", "home");
  mkdirSync(home);
  if (existsSync(ownHome)) cpSync(ownHome, home, { recursive: true });
  rmSync(ownHome, { recursive: true, force: true });
  const stateDir = join(home, ".carabiner");
  const own = {
    HOME: home,
    CARABINER_HOME: stateDir,
    // The settings of this machine's administrator are not part of the tour.
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, "system-settings.json"),
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  };
  writeCommand(folder, project, own);
  const kept = Object.fromEntries(
    ["LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "SHELL"].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  const path = [dirname(process.execPath), env["PATH"] ?? "/usr/bin:/bin"].join(delimiter);
  return {
    folder,
    project,
    home,
    journalDir: join(stateDir, "journal"),
    script: join("tour", "script.jsonl"),
    env: { ...kept, PATH: path, ...own },
  };
}

/** Copies the tour of this package into a folder that is new or empty. */
export function copyTour(target: string): Outcome<{ readonly files: number }> {
  const found = existsSync(target) ? statSync(target) : undefined;
  if (found && !found.isDirectory())
    return { ok: false, why: `${target} is a file: expected a folder that is new or empty. Nothing was copied.` };
  if (found && readdirSync(target).length > 0)
    return { ok: false, why: `${target} is not empty: expected a folder that is new or empty. Nothing was copied.` };
  try {
    cpSync(OWN_TOUR, target, { recursive: true });
  } catch (error) {
    return { ok: false, why: `${target} cannot be written (${fileError(error)}).` };
  }
  return { ok: true, files: readdirSync(target, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length };
}

/** `./carabiner` in the stage's folder: this very program, with the stage's project, home and settings. */
function writeCommand(folder: string, project: string, variables: Readonly<Record<string, string>>): void {
  const lines = [
    "#!/bin/sh",
    "# carabiner as this tour saw it: in its project, with its home directory, and with none of your own settings.",
    `cd ${quoted(project)} || exit 1`,
    "unset GEMINI_CLI_HOME GEMINI_CLI_SYSTEM_DEFAULTS_PATH QODERCN_CONFIG_DIR",
    `export ${Object.entries(variables)
      .map(([name, value]) => `${name}=${quoted(value)}`)
      .join(" ")}`,
    `exec ${quoted(process.execPath)} ${quoted(COMMAND)} "$@"`,
  ];
  const path = join(folder, "carabiner");
  writeFileSync(path, `${lines.join("\n")}\n`);
  chmodSync(path, 0o755);
}
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
