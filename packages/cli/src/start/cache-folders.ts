/** Turns the system and its environment into the folders where compiled code may be kept, best first. */
import { posix, win32 } from "node:path";

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder of the bundle. */
  readonly dist: string;
}

/**
 * Beside the bundle, which whoever installed it may write to; else where this user's caches are. Never a folder that everybody may write to:
 * what is read from it is run.
 */
export function cacheFolders({ platform, env, home, dist }: Surroundings): readonly string[] {
  const paths = platform === "win32" ? win32 : posix;
  const given = platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"];
  const usual = { win32: ["AppData", "Local"], darwin: ["Library", "Caches"] }[platform as string] ?? [".cache"];
  const own = given !== undefined && paths.isAbsolute(given) ? given : paths.join(home, ...usual);
  return [paths.join(dist, "cache"), paths.join(own, "carabiner")];
}
