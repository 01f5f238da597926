/** Turns the folder of extensions into the extensions there are: where each one's files stand, and what switches it off in this project. */
import { existsSync, readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import { at, type JsonObject, type Layer, type Problem, problem } from "../protocol/index.ts";
import { isShortage, readSettings } from "./read-settings.ts";
import { realPath } from "./real-path.ts";

export interface Extensions {
  /** In the order of their folders' names. */
  readonly found: readonly NonNullable<Layer["extension"]>[];
  /** Every file that was looked at, whether it exists or not. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
  /** Something could not be looked at because the system had nothing left for that just then: extensions may be missing. */
  readonly momentary: boolean;
}

/**
 * Reads the files now; never throws. A file about extensions that cannot be read: its problem, and it says nothing. A link that leads nowhere:
 * SETTINGS_UNREADABLE. `parent` is the folder of extensions. Source: Gemini CLI extensions reference; the study of the binary, CFG-26 and CFG-29.
 */
export function extensionsIn({ id, extensions: rules }: Dialect, parent: string, { cwd, ...where }: Whereabouts): Extensions {
  const listed = foldersIn(parent);
  const { folders } = listed;
  let { momentary } = listed;
  if (rules === undefined) return { found: folders.map((path) => ({ name: basename(path), path })), files: [], problems: [], momentary };
  const files: string[] = [];
  const problems: Problem[] = [];
  const read = (path: string): JsonObject => {
    const layer = readSettings({ dialect: id, scope: "user", path });
    files.push(path);
    problems.push(...layer.problems);
    momentary ||= layer.momentary === true;
    return layer.settings ?? NOTHING;
  };
  const store = rules.enablement.file({ cwd, ...where });
  const stored = folders.length === 0 ? NOTHING : read(store);
  const folder = realPath(cwd);
  const found = folders.map((own) => {
    const note = `${own}/${rules.installed}`;
    const link = rules.link(read(note));
    const path = link === undefined ? own : resolve(own, link);
    if (link !== undefined && !existsSync(path))
      problems.push(problem("SETTINGS_UNREADABLE", { path: note }, { message: `it is a link to ${path}, and nothing is there` }));
    const given = at(read(`${path}/${rules.manifest}`), rules.named);
    const name = typeof given === "string" && given !== "" ? given : basename(own);
    return { name: basename(own), path, ...(rules.enablement.isOff(stored, name, folder) ? { offBy: store } : {}) };
  });
  return { found, files, problems, momentary };
}

const NOTHING: JsonObject = {};

function foldersIn(parent: string): { readonly folders: readonly string[]; readonly momentary: boolean } {
  let names: string[];
  try {
    names = readdirSync(parent, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [] : [entry.name]));
  } catch (error) {
    // ENOENT, ENOTDIR, EACCES: no extensions.
    return { folders: [], momentary: isShortage(error) };
  }
  // Node promises no order; sorted, the order of hooks is the same on every machine.
  return { folders: names.sort().map((name) => `${parent}/${name}`), momentary: false };
}
