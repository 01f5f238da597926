/** Turns a folder with too many or too old journal files into one within its bounds: the oldest go first. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isOpenHere } from "./file.ts";
import { type JournalFile, newestFirst, writerOf } from "./folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A file of another process that was written to so lately is taken for one that is still in use. */
const IN_USE_MS = 5 * 60 * 1000;

export interface Bounds {
  readonly maxBytes: number;
  readonly maxDays: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The file for which room is made: it stays, even if it has been closed by now. */
  readonly keep: string;
}

/** Removes whole files, never one in use. Never rejects: what cannot be looked at or removed stays, and is tried again when the next file is opened. */
export async function retain(dir: string, { maxBytes, maxDays, now, keep }: Bounds): Promise<void> {
  const files = await listed(dir);
  let total = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of files.toReversed()) {
    const tooOld = file.writtenAt < now - maxDays * DAY_MS;
    if ((tooOld || total > maxBytes) && file.path !== keep && !isInUse(file, now) && (await removed(file))) total -= file.bytes;
  }
}

function isInUse({ path, pid, writtenAt }: JournalFile, now: number): boolean {
  return pid === process.pid ? isOpenHere(path) : writtenAt > now - IN_USE_MS;
}

/** Without blocking: there may be thousands of small files. */
async function listed(dir: string): Promise<readonly JournalFile[]> {
  const names = await readdir(dir).catch(() => []);
  const files = await Promise.all(names.map((name) => fileOf(dir, name)));
  return files.filter((file) => file !== undefined).sort(newestFirst);
}
async function fileOf(dir: string, name: string): Promise<JournalFile | undefined> {
  const pid = writerOf(name);
  if (pid === undefined) return undefined;
  const path = join(dir, name);
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { path, pid, bytes: found.size, writtenAt: found.mtimeMs } : undefined;
}
function removed({ path }: JournalFile): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  );
}
