/** Turns an edit of a settings file's text into the changed file. */
import type { Edited } from "./edit-list.ts";
import { readText } from "./read-settings.ts";
import { writeFileAtOnce } from "./write-file.ts";

/** Reads the file as it is now, a missing one as an empty object, and keeps its BOM. `"changed"`, `undefined` where nothing had to be, or what went wrong. */
export function rewritten(path: string, change: (text: string) => Edited): string | undefined {
  const read = readText(path);
  if (read.kind === "unreadable") return read.message;
  const before = read.kind === "missing" ? "{}\n" : read.text;
  const edited = change(before);
  if (!edited.ok) return edited.message;
  if (edited.text === before) return undefined;
  try {
    writeFileAtOnce(path, `${read.kind === "text" && read.bom ? "\uFEFF" : ""}${edited.text}`);
    return "changed";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
