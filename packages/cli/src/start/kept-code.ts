/** Turns what V8 compiled of one build into a file, and the file back; whatever is not exactly what was written counts as nothing. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface KeptCode {
  /** As V8 made it; V8 itself refuses what another version of it, or one with other flags, has made. */
  readonly code: Buffer;
  /** The commands that have run since: what they needed is in it. */
  readonly commands: readonly string[];
}

/** Files of builds and versions that nobody has used for so long are removed. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
/** V8 reads its data in place only where it begins at a multiple of this. */
const ALIGNMENT_BYTES = 8;
const NEW_LINE = 10;

/**
 * `undefined`: there is no such file, or it is not whole. V8 does not look at every byte, and a wrong one could end the process. So the file holds
 * the code twice, and only what is the same in both counts: comparing takes a tenth of a millisecond, any sum over it begins with loading
 * `node:zlib` or `node:crypto`, which takes longer than all else here. This is against accidents: whoever may write the file may run programs.
 */
export function readKeptCode(path: string): KeptCode | undefined {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf(NEW_LINE) + 1;
    const { size, commands } = JSON.parse(bytes.toString("utf8", 0, end)) as { readonly [key: string]: unknown };
    if (typeof size !== "number" || bytes.length !== end + 2 * size || !Array.isArray(commands)) return undefined;
    const code = bytes.subarray(end, end + size);
    if (!code.equals(bytes.subarray(end + size))) return undefined;
    return { code, commands: commands.filter((word) => typeof word === "string") };
  } catch {
    return undefined; // absent, unreadable, or no such file at all: a run without it is only slower
  }
}

/** Replaces the file in one step; the folder is made, and other files of it that are old are removed. False: it cannot be written there. */
export function writeKeptCode(path: string, { code, commands }: KeptCode, now: number): boolean {
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([header({ size: code.length, commands }), code, code]), { flag: "wx" });
    renameSync(temporary, path);
    removeOld(folder, now - MAX_AGE_MS);
    return true;
  } catch {
    discard(temporary);
    return false;
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // ENOTDIR, EACCES: it was never made.
  }
}

function header(says: object): Buffer {
  const text = JSON.stringify(says);
  const length = Buffer.byteLength(text) + 1;
  return Buffer.from(`${text}${" ".repeat(-length & (ALIGNMENT_BYTES - 1))}\n`);
}

function removeOld(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (/^core-.*\.(cache|tmp)$/.test(name) && statSync(path).mtimeMs < before) rmSync(path, { force: true });
  }
}
