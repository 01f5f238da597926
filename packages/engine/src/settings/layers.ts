/** Turns dialects and whereabouts into the layers of settings, highest precedence first. */
import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import { type DialectId, type Layer, problem, type Scope } from "../protocol/index.ts";
import { type LayerFile, readSettings } from "./read-settings.ts";

/** A file named by the user for this session (`--settings FILE`). Without a dialect it belongs to the first one. */
export interface NamedFile {
  readonly path: string;
  readonly dialect?: DialectId;
}

/** The layers of one dialect whose switches and single values count in an untrusted folder are all but these. */
export const PROJECT_SCOPES: ReadonlySet<Scope> = new Set<Scope>(["project", "local"]);

/**
 * Every file that is, or would be, a layer: in order of dialects, then of precedence; files named by the user come first in their dialect.
 * A project file that is really the user file is left out: it is the user layer only. Source: contracts/gemini.md, "Configuration".
 */
export function layerFiles(dialects: readonly Dialect[], where: Whereabouts, named: readonly NamedFile[] = []): readonly LayerFile[] {
  return dialects.flatMap((dialect, i) => {
    const mine = named.filter((file) => (file.dialect === undefined ? i === 0 : file.dialect === dialect.id));
    const flags = [...new Set(mine.map(({ path }) => path))].map((path): LayerFile => ({ dialect: dialect.id, scope: "flag", path }));
    const files = dialect.layers.flatMap((spec): readonly LayerFile[] => {
      const { scope } = spec;
      const path = spec.file(where);
      if (!path.includes("*")) return [{ dialect: dialect.id, scope, path }];
      return directoriesFor(path).map((found) => ({ dialect: dialect.id, scope, ...found }));
    });
    const users = new Set(files.filter(({ scope }) => scope === "user").map(({ path }) => realPath(path)));
    return [...flags, ...files.filter(({ scope, path }) => !PROJECT_SCOPES.has(scope) || !users.has(realPath(path)))];
  });
}

/** Directories in whose listing layers are looked for: one that appears there is a new layer. */
export function listedDirectories(dialects: readonly Dialect[], where: Whereabouts): readonly string[] {
  return dialects
    .flatMap(({ layers }) => layers.map(({ file }) => file(where)).filter((path) => path.includes("*")))
    .map((path) => split(path).parent);
}

/** Reads the files now. A missing extension file is no layer; a missing settings file is one that was not found; a named file must exist. */
export function readLayers(files: readonly LayerFile[]): readonly Layer[] {
  return files.map(readSettings).flatMap((layer): readonly Layer[] => {
    if (layer.found) return [layer];
    if (layer.extension !== undefined) return [];
    if (layer.scope !== "flag") return [layer];
    return [{ ...layer, problems: [problem("SETTINGS_UNREADABLE", { path: layer.path }, { message: "there is no such file" })] }];
  });
}

/** The name of the extension a layer belongs to: its directory's. */
export const extensionName = (layer: Layer): string | undefined =>
  layer.extension === undefined ? undefined : basename(layer.extension.path);

/** The path with every link followed, also where its last parts do not exist yet. */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    // Missing, or not to be entered (ENOENT, ENOTDIR, EACCES, ELOOP): as far as it can be followed.
    const parent = dirname(path);
    if (parent === path) return path;
    const here = join(realPath(parent, links), basename(path));
    const target = links < MAX_LINKS ? linkAt(here) : undefined;
    return target === undefined ? here : realPath(resolve(dirname(here), target), links + 1);
  }
}

const MAX_LINKS = 40;

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // EINVAL, ENOENT and their kin: it is no link.
    return undefined;
  }
}

function directoriesFor(pattern: string): readonly { readonly path: string; readonly extension: { readonly path: string } }[] {
  const { parent, rest } = split(pattern);
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    // ENOENT, ENOTDIR, EACCES: no extensions.
    return [];
  }
  // Node promises no order; sorted, the order of hooks is the same on every machine.
  return names.sort().map((name) => ({ path: `${parent}/${name}${rest}`, extension: { path: `${parent}/${name}` } }));
}

function split(pattern: string): { readonly parent: string; readonly rest: string } {
  const star = pattern.indexOf("*");
  return { parent: pattern.slice(0, star).replace(/[/\\]+$/, ""), rest: pattern.slice(star + 1) };
}
