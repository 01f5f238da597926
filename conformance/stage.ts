/** Turns one case into files on disk: settings by layer, hook programs, and the places that `{{...}}` stands for. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Dialect } from "../packages/engine/src/dialects/index.ts";
import { type Acts, actPath, writeAct } from "./act.ts";
import type { Case, Layers, Settings } from "./cases.ts";

export interface Stage {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly cwd: string;
  readonly state: string;
  readonly acts: Acts;
  readonly env: Readonly<Record<string, string>>;
  /** Replaces `{{name}}` in every string of a JSON value, keys included. */
  readonly filled: <T>(value: T) => T;
  /** Writes one of the case's further files anew, by its path below the case's directory. */
  readonly write: (path: string, content: string) => void;
  readonly writeSettings: (layers: Layers) => void;
  readonly remove: () => void;
}

export function stageOf(one: Case, dialect: Dialect): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-case-")));
  const project = join(root, one.folder ?? "project");
  const places = { root, project, home: join(root, "home"), cwd: one.cwd === undefined ? project : join(root, one.cwd) };
  const acts: Acts = { programs: join(root, "acts"), notes: join(root, "notes") };
  const hooks = Object.entries(one.hooks ?? {});
  const names = new Map([...Object.entries(places), ...hooks.map(([hook]) => [hook, actPath(acts, hook)] as const)]);
  const filled = filler(names);
  for (const dir of [project, places.home]) mkdirSync(dir, { recursive: true });
  const writeFile = (path: string, content: string): void => write(join(root, filled(path)), filled(content));
  for (const [path, content] of Object.entries(one.files ?? {})) writeFile(path, content);
  for (const [hook, act] of hooks) writeAct(acts, hook, filled(act), Object.keys(one.expect.environment?.[hook] ?? {}));
  const surroundings = {
    PATH: process.env["PATH"] ?? "",
    HOME: places.home,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root, "system", "settings.json"),
  };
  let writes = 0;
  const written = new Set<string>();
  return {
    ...places,
    state: join(root, "state"),
    acts,
    env: { ...surroundings, ...filled(one.env ?? {}) },
    filled,
    write: writeFile,
    writeSettings(layers) {
      writes += 1;
      for (const [path, settings] of files(dialect, { cwd: project, home: places.home, env: surroundings }, layers)) {
        if (settings === undefined) {
          // Files that a case puts there by its own `files` stay.
          if (written.delete(path)) rmSync(path);
          continue;
        }
        written.add(path);
        write(path, typeof settings === "string" ? filled(settings) : JSON.stringify(filled(settings)));
        // Two writes within one tick of the file system's clock must still look different.
        utimesSync(path, writes, writes);
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A case's settings, or the short form of them: every hook in the project layer on the event, each in a group of its own. */
export function layersOf(one: Case): Layers {
  if (one.settings) return one.settings;
  const groups = Object.keys(one.hooks ?? {}).map((hook) => ({
    hooks: [{ name: hook, type: "command", command: `{{${hook}}}`, ...one.handler }],
  }));
  return { project: { hooks: { [one.event]: groups }, ...(one.carabiner ? { carabiner: one.carabiner } : {}) } };
}

/** Where the dialect's table says its settings are. */
function files(
  { id, layers: specs }: Dialect,
  where: { readonly cwd: string; readonly home: string; readonly env: Readonly<Record<string, string>> },
  { extensions = {}, ...layers }: Layers,
): readonly (readonly [string, Settings | undefined])[] {
  const here = { ...where, platform: process.platform };
  const unknown = Object.keys(layers).filter((scope) => !specs.some((spec) => spec.scope === scope));
  if (unknown.length > 0) throw new Error(`${id} has no layer ${unknown.join(", ")}.`);
  return specs.flatMap(({ scope, file }): readonly (readonly [string, Settings | undefined])[] => {
    const path = file(here);
    if (scope === "extension") return Object.entries(extensions).map(([name, hooks]) => [path.replace("*", name), hooks] as const);
    return scope === "flag" ? [] : [[path, layers[scope]]];
  });
}

/** A flip may lose the folder of a path: what is left of it must not be written beside our sources. */
function write(path: string, content: string): void {
  if (!isAbsolute(path)) throw new Error(`A case must not write ${path}.`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function filler(names: ReadonlyMap<string, string>): <T>(value: T) => T {
  const text = (one: string): string => one.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => names.get(name) ?? whole);
  const fill = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), fill(inner)]));
  };
  return <T>(value: T): T => fill(value) as T;
}
