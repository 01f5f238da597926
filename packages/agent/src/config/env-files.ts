/** Turns the first environment file found into variables, never over one that is set. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "dotenv";
import type { Profile, ProfilePlace } from "../profiles/index.ts";

/** A file that was loaded, and the names it added. */
export interface LoadedEnvFile {
  readonly file: string;
  readonly added: readonly string[];
}

/**
 * The first of the profile's files from the project upward, then in the user's home. Variables go into `env`, where they are not set yet (an empty one is set).
 * `undefined`: there is none. An unreadable file is passed over as if it were not there. In a folder that is not trusted only the home counts.
 */
export function loadEnvFile(
  profile: Profile,
  place: ProfilePlace,
  env: Record<string, string | undefined>,
  trusted = true,
): LoadedEnvFile | undefined {
  const home = place.env.GEMINI_CLI_HOME || place.home;
  for (const directory of [...(trusted ? upward(place.cwd) : []), home]) {
    for (const name of profile.envFiles) {
      const file = join(directory, name);
      const text = readText(file);
      if (text === undefined) continue;
      const added = Object.entries(parse(text)).filter(([key]) => env[key] === undefined);
      for (const [key, value] of added) env[key] = value;
      return { file, added: added.map(([key]) => key) };
    }
  }
  return undefined;
}

/** The folder, its parent, and so on to the root. */
export function upward(from: string): readonly string[] {
  const parent = dirname(from);
  return parent === from ? [from] : [from, ...upward(parent)];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // ENOENT mostly; a folder of that name, or a file of somebody else's, is no environment file either
  }
}
