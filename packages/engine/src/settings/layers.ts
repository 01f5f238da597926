/** Turns dialects and whereabouts into the layers of settings, highest precedence first. */
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import { type DialectId, type Layer, problem, type Scope } from "../protocol/index.ts";
import { type Extensions, extensionsIn } from "./extensions.ts";
import { type LayerFile, readSettings } from "./read-settings.ts";
import { realPath } from "./real-path.ts";

/** A file named by the user for this session (`--settings FILE`). Without a dialect it belongs to the first one. */
export interface NamedFile {
  readonly path: string;
  readonly dialect?: DialectId;
}

/** The layers of one dialect whose switches and single values count in an untrusted folder are all but these. */
export const PROJECT_SCOPES: ReadonlySet<Scope> = new Set<Scope>(["project", "local"]);

export interface FoundLayers {
  readonly files: readonly LayerFile[];
  /** What is said of extensions beside their hooks: the files that say it, each of which may change the layers, and what is wrong with them. */
  readonly extensions: Omit<Extensions, "found">;
}

/** The files alone, where what is said of extensions does not matter. */
export const layerFiles = (dialects: readonly Dialect[], where: Whereabouts, named?: readonly NamedFile[]): readonly LayerFile[] =>
  findLayers(dialects, where, named).files;

/**
 * Every file that is, or would be, a layer: in order of dialects, then of precedence; files named by the user come first in their dialect.
 * A project file that is really the user file is left out: it is the user layer only. Source: contracts/gemini.md, "Configuration".
 */
export function findLayers(dialects: readonly Dialect[], where: Whereabouts, named: readonly NamedFile[] = []): FoundLayers {
  const extensions: Extensions[] = [];
  const found = dialects.flatMap((dialect, i) => {
    const mine = named.filter((file) => (file.dialect === undefined ? i === 0 : file.dialect === dialect.id));
    const flags = [...new Set(mine.map(({ path }) => path))].map((path): LayerFile => ({ dialect: dialect.id, scope: "flag", path }));
    const files = dialect.layers.flatMap((spec): readonly LayerFile[] => {
      const { scope } = spec;
      const path = spec.file(where);
      if (!path.includes("*")) return [{ dialect: dialect.id, scope, path }];
      const { parent, rest } = split(path);
      const here = extensionsIn(dialect, parent, where);
      extensions.push(here);
      return here.found.map((extension) => ({ dialect: dialect.id, scope, path: extension.path + rest, extension }));
    });
    const users = new Set(files.filter(({ scope }) => scope === "user").map(({ path }) => realPath(path)));
    return [...flags, ...files.filter(({ scope, path }) => !PROJECT_SCOPES.has(scope) || !users.has(realPath(path)))];
  });
  return {
    files: found,
    extensions: {
      files: extensions.flatMap(({ files }) => files),
      problems: extensions.flatMap(({ problems }) => problems),
      momentary: extensions.some(({ momentary }) => momentary),
    },
  };
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

function split(pattern: string): { readonly parent: string; readonly rest: string } {
  const star = pattern.indexOf("*");
  return { parent: pattern.slice(0, star).replace(/[/\\]+$/, ""), rest: pattern.slice(star + 1) };
}
