/** Turns text into appended bytes of one journal file, made new for this process and readable by this user only. */
import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { journalFileName } from "./folder.ts";

export interface OpenFile {
  readonly path: string;
  readonly bytes: () => number;
  /** Throws as the file system does. What was written of a text by then is closed off as a line of its own by the next one. */
  readonly append: (text: string) => void;
  /** Has somebody removed it? What is appended then is lost. */
  readonly isGone: () => boolean;
  readonly close: () => void;
}

/** Paths that this process writes to. */
const open = new Set<string>();
export const isOpenHere = (path: string): boolean => open.has(path);

/** Makes the folder (0700) where it is missing, and a new file (0600) in it. Throws as the file system does. */
export function openJournalFile(dir: string, at: number): OpenFile {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { path, fd } = openNew(dir, at);
  open.add(path);
  let bytes = 0;
  let torn = false;
  return {
    path,
    bytes: () => bytes,
    append: (text) => {
      const all = Buffer.from(torn ? `\n${text}` : text);
      let written = 0;
      try {
        while (written < all.length) written += writeSync(fd, all, written);
        torn = false;
      } catch (error) {
        torn = torn || written > 0;
        throw error;
      } finally {
        bytes += written;
      }
    },
    isGone: () => fstatSync(fd).nlink === 0,
    close: () => {
      open.delete(path);
      closeSync(fd);
    },
  };
}

function openNew(dir: string, at: number): { readonly path: string; readonly fd: number } {
  for (let serial = 1; ; serial++) {
    const path = join(dir, journalFileName(at, process.pid, serial));
    try {
      return { path, fd: openSync(path, "ax", 0o600) };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
