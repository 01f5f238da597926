/** Turns the context files of user and project into text for the system prompt, each under the name of its file. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Profile, ProfilePlace } from "../profiles/index.ts";
import { upward } from "./env-files.ts";
import { withImports } from "./imports.ts";

export interface ContextFile {
  readonly file: string;
  readonly text: string;
}
/** What one file may add; the rest of a longer one is left out, and the text says so. */
const MAX_CONTEXT_CHARS = 100_000;

/**
 * The user's own, then from the topmost folder down to the project, each with what it imports from its own folder, the project or the user's folder.
 * In a folder that is not trusted only the user's. `notice` hears of imports that cannot be followed.
 */
export function contextFiles(
  profile: Profile,
  place: ProfilePlace,
  names: readonly string[],
  trusted: boolean,
  notice: (text: string) => void,
): readonly ContextFile[] {
  const folders = [profile.userDir(place), ...(trusted ? upward(place.cwd).toReversed() : [])];
  const seen = new Set<string>();
  return folders.flatMap((folder) =>
    names
      .flatMap((name) => filesOf(folder, name))
      .flatMap((file) => {
        const text = seen.has(file) ? undefined : readText(file);
        seen.add(file);
        if (text === undefined || text.trim() === "") return [];
        const reach = { folders: [dirname(file), profile.userDir(place), ...(trusted ? [place.cwd] : [])], notice };
        return [{ file, text: cut(withImports(text, file, reach)) }];
      }),
  );
}

/** `rules/*.md` stands for every Markdown file of that folder, by name. */
function filesOf(folder: string, name: string): readonly string[] {
  if (!name.endsWith("/*.md")) return [join(folder, name)];
  const inside = join(folder, name.slice(0, -"/*.md".length));
  try {
    return readdirSync(inside)
      .filter((found) => found.endsWith(".md"))
      .sort()
      .map((found) => join(inside, found));
  } catch {
    return []; // ENOENT: most projects have no such folder
  }
}

function cut(text: string): string {
  return text.length <= MAX_CONTEXT_CHARS
    ? text
    : `${text.slice(0, MAX_CONTEXT_CHARS)}\n[The file goes on for ${text.length - MAX_CONTEXT_CHARS} characters.]`;
}
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // not there, or not a file: then it says nothing
  }
}
