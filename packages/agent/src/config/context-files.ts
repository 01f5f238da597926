/** Turns the context files of user and project into text for the system prompt, each under the name of its file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Profile, ProfilePlace } from "../profiles/index.ts";
import { upward } from "./env-files.ts";

export interface ContextFile {
  readonly file: string;
  readonly text: string;
}
/** What one file may add; the rest of a longer one is left out, and the text says so. */
const MAX_CONTEXT_CHARS = 100_000;

/** The user's own, then from the topmost folder down to the project. In a folder that is not trusted only the user's. */
export function contextFiles(profile: Profile, place: ProfilePlace, names: readonly string[], trusted: boolean): readonly ContextFile[] {
  const folders = [profile.userDir(place), ...(trusted ? upward(place.cwd).toReversed() : [])];
  const seen = new Set<string>();
  return folders.flatMap((folder) =>
    names
      .flatMap((name) => filesOf(folder, name))
      .flatMap((file) => {
        const text = seen.has(file) ? undefined : readText(file);
        seen.add(file);
        return text === undefined || text.trim() === "" ? [] : [{ file, text: cut(text) }];
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
