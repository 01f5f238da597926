/** Turns a moment and a process into the name of a journal file, and a folder into the journal files in it. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface JournalFile {
  readonly path: string;
  /** The process that writes, or wrote, it. */
  readonly pid: number;
  readonly bytes: number;
  /** When it was last written to, in milliseconds since 1970. */
  readonly writtenAt: number;
}

const NAME = /^journal-\d{8}T\d{9}Z-(\d+)(?:\.\d+)?\.jsonl$/;

/** `journal-<UTC timestamp>-<pid>.jsonl`; `serial` above 1 tells apart files of one process and one millisecond. */
export function journalFileName(at: number, pid: number, serial: number): string {
  const stamp = new Date(at).toISOString().replace(/[-:.]/g, "");
  return `journal-${stamp}-${pid}${serial > 1 ? `.${serial}` : ""}.jsonl`;
}

/** The process that a journal file's name tells; `undefined` for any other file. */
export function writerOf(name: string): number | undefined {
  const pid = NAME.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

export const newestFirst = (a: JournalFile, b: JournalFile): number => b.writtenAt - a.writtenAt || (a.path < b.path ? 1 : -1);

/** The journal's own files, last written first; whatever else is in the folder is not looked at. A missing folder has none. Throws as the file system does. */
export function journalFiles(dir: string): readonly JournalFile[] {
  return namesIn(dir)
    .flatMap((name) => fileOf(dir, name))
    .sort(newestFirst);
}

function fileOf(dir: string, name: string): readonly JournalFile[] {
  const pid = writerOf(name);
  if (pid === undefined) return [];
  const path = join(dir, name);
  // Another process may remove it between the listing and this look.
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? [{ path, pid, bytes: found.size, writtenAt: found.mtimeMs }] : [];
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
