/** Turns an entry whose script is missing or not executable into a problem at load, instead of a failure at the first firing. */
import { type Stats, statSync } from "node:fs";
import { type Entry, type Problem, problem } from "../protocol/index.ts";
import { type MentionWorld, mentions } from "./script-mentions.ts";

/**
 * SCRIPT_MISSING and SCRIPT_NOT_EXECUTABLE. Only a path counts (it has a `/`, or an interpreter is given it and it ends like a file):
 * a bare name may be found in PATH. Nothing is looked at on Windows, where the words of a command are PowerShell's. A hook is never barred for this.
 */
export function checkScripts(entry: Entry, world: MentionWorld, platform: NodeJS.Platform): readonly Problem[] {
  if (platform === "win32" || entry.place === undefined) return [];
  const place = entry.place;
  const named = mentions(entry.run, world);
  return named.flatMap(({ path, text, role }) => {
    if (role === "argument" || (!text.includes("/") && !/\.\w{1,5}$/.test(text))) return [];
    const stat = look(path);
    if (stat === "unknown") return [];
    // The same word may begin in more than one directory.
    if (stat === undefined && named.some((other) => other.text === text && other.path !== path && look(other.path) !== undefined))
      return [];
    if (stat === undefined) return [problem("SCRIPT_MISSING", place, { path: text }, entry.name)];
    if (role !== "program" || !stat.isFile() || (stat.mode & 0o111) !== 0) return [];
    return [problem("SCRIPT_NOT_EXECUTABLE", place, { path: text }, entry.name)];
  });
}

function look(path: string): Stats | "unknown" | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // ENOTDIR, EACCES, ENAMETOOLONG: nobody can say from here.
    return "unknown";
  }
}
