/** Turns a list of files into a machine of its own: a home, a project, a system directory and an environment, removed after the test. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Dialect, dialectById, type Whereabouts } from "../../src/dialects/index.ts";
import type { Entry, Layer, Problem, ProblemCode, Registry } from "../../src/protocol/index.ts";
import { layerFiles, type NamedFile, readLayers } from "../../src/settings/layers.ts";
import { buildRegistry } from "../../src/settings/registry.ts";

const found = dialectById("gemini");
if (found === undefined) throw new Error("there is no such dialect");
export const gemini: Dialect = found;

export interface Machine {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly where: Whereabouts;
  /** Names inside the machine: `home/...`, `project/...`, `etc/...`. */
  path(name: string): string;
  write(name: string, content: unknown, mode?: number): string;
  read(name: string): string;
  layers(dialects?: readonly Dialect[], files?: readonly NamedFile[]): readonly Layer[];
  registry(options?: {
    readonly dialects?: readonly Dialect[];
    readonly trusted?: boolean;
    readonly forbiddenBy?: string;
    readonly files?: readonly NamedFile[];
  }): Registry;
}

/** Content that is no text is written as JSON. */
export function machine(files: Readonly<Record<string, unknown>> = {}, env: Readonly<Record<string, string>> = {}): Machine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-settings-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = (name: string): string => join(root, name);
  for (const directory of ["home", "project", "etc"]) mkdirSync(path(directory));
  const where: Whereabouts = {
    home: path("home"),
    cwd: path("project"),
    env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: path("etc/settings.json"), ...env },
    platform: "linux",
  };
  const write = (name: string, content: unknown, mode?: number): string => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content));
    if (mode !== undefined) chmodSync(path(name), mode);
    return path(name);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const layers = (dialects: readonly Dialect[] = [gemini], named: readonly NamedFile[] = []): readonly Layer[] =>
    readLayers(layerFiles(dialects, where, named));
  return {
    root,
    home: where.home,
    project: where.cwd,
    where,
    path,
    write,
    read: (name) => readFileSync(path(name), "utf8"),
    layers,
    registry: ({ dialects = [gemini], trusted = true, forbiddenBy, files: named = [] } = {}) =>
      buildRegistry({ generation: 1, dialects, where, layers: layers(dialects, named), trusted, projectHooksForbiddenBy: forbiddenBy }),
  };
}

export const PROJECT = "project/.gemini/settings.json";
export const USER = "home/.gemini/settings.json";
export const SYSTEM = "etc/settings.json";

/** A handler that exists everywhere: no script is looked for. */
export const hook = (command: string, more: Readonly<Record<string, unknown>> = {}) => ({ type: "command", command, ...more });
/** Settings with one group of hooks on one event. */
export const on = (event: string, hooks: unknown, group: Readonly<Record<string, unknown>> = {}) => ({
  hooks: { [event]: [{ ...group, hooks }] },
});

export const codes = (problems: readonly Problem[]): readonly ProblemCode[] => problems.map(({ code }) => code);
export const statuses = ({ entries }: { readonly entries: readonly Entry[] }): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.map(({ name, barred }) => [name, barred?.status ?? "runs"]));
