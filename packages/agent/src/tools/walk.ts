/** Turns a folder into the files below it, without what is ignored. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import type { Ignored } from "./ignored.ts";

/** `path` is absolute; `relative` is from the top of the walk, with `/`; `isLink`: the entry itself is a symbolic link. */
export interface Found {
  readonly path: string;
  readonly relative: string;
  readonly isLink: boolean;
}

/** What a walk leaves out, and when it ends. */
export interface WalkOptions {
  readonly ignored: Ignored;
  /** Folder names that are never entered. */
  readonly skip: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Called for a folder that cannot be read; the walk goes on. */
  readonly onUnreadable: (relative: string) => void;
}

/** What nobody means who searches a project. A pattern that names one of them lifts the rule: see `skippedFolders`. */
const NEVER_MEANT = [".git", "node_modules"] as const;

/** The folders to leave out, unless the person's own words (a pattern, a folder) name them. */
export function skippedFolders(...words: readonly string[]): ReadonlySet<string> {
  return new Set(NEVER_MEANT.filter((name) => !words.some((word) => word.split(/[/\\]/).includes(name))));
}

/**
 * Files and links in the order of their names, folder by folder, hidden ones too. Links are reported and never followed; devices, pipes
 * and sockets are left out. Ends early, without an error, when the signal is aborted.
 */
export async function* walk(top: string, options: WalkOptions, prefix = ""): AsyncGenerator<Found> {
  const entries = await readdir(top, { withFileTypes: true }).catch((): readonly Dirent[] => {
    options.onUnreadable(prefix === "" ? "." : prefix.slice(0, -1));
    return [];
  });
  for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (options.signal.aborted) return;
    const path = join(top, entry.name);
    if (entry.isDirectory()) {
      if (!options.skip.has(entry.name) && !options.ignored(path, true)) yield* walk(path, options, `${prefix}${entry.name}/`);
    } else if ((entry.isFile() || entry.isSymbolicLink()) && !options.ignored(path, false)) {
      yield { path, relative: prefix + entry.name, isLink: entry.isSymbolicLink() };
    }
  }
}

/** The pattern as the walk spells its paths: an absolute one means a place in the folder if it begins with the folder's path. */
export const relativePattern = (pattern: string, folder: string): string =>
  isAbsolute(pattern) && pattern.startsWith(folder + sep) ? pattern.slice(folder.length + 1) : pattern.replace(/^\.\//, "");
