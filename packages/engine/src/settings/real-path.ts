/** Turns a path into the one that is left when every link in it is followed. */
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

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
