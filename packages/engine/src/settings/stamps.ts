/** Turns files into stamps that differ when a file does, for a few microseconds a file. */
import { type Stats, statSync } from "node:fs";

export interface Stamp {
  /** What the system says of the file; a text where it says that there is none, or nothing. */
  readonly seen: Stats | string;
  /** Could the file change once more and keep its stamp? Clocks of file systems tick slowly. */
  readonly fresh: boolean;
}

/** The stamp of whatever is at `path` now, links followed; missing and unreadable have stamps of their own. Never throws. */
export function stampOf(path: string): Stamp {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? MISSING : { seen: stat, fresh: isFresh(stat, Date.now()) };
  } catch (error) {
    // ENOTDIR, EACCES, ELOOP: a state like any other.
    return { seen: error instanceof Error && "code" in error ? String(error.code) : "unreadable", fresh: false };
  }
}

/** Is nothing known to have changed between the two? Asked for every settings file at every firing, so that no text is made of a stamp. */
export function isSameStamp(a: Stamp | undefined, { seen }: Stamp): boolean {
  if (typeof seen === "string" || a === undefined || typeof a.seen === "string") return a?.seen === seen;
  const { dev, ino, size, mode, mtimeMs, ctimeMs } = a.seen;
  return (
    mtimeMs === seen.mtimeMs && ctimeMs === seen.ctimeMs && size === seen.size && ino === seen.ino && dev === seen.dev && mode === seen.mode
  );
}

export const stampText = ({ dev, ino, size, mode, mtimeMs, ctimeMs }: Stats): string =>
  `${dev}:${ino}:${size}:${mode}:${mtimeMs}:${ctimeMs}`;

/** Changed so short ago that another change could fall on the same tick: 50 ms, or 2 s where only whole seconds are kept. */
export function isFresh({ mtimeMs, ctimeMs }: Pick<Stats, "mtimeMs" | "ctimeMs">, now: number): boolean {
  const newest = Math.max(mtimeMs, ctimeMs);
  return now - newest < (newest % 1000 === 0 ? 2000 : 50);
}

const MISSING: Stamp = { seen: "missing", fresh: false };
