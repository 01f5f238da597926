/** Turns a text into the content of a file at once: whoever reads it sees the old text or the new one. */

import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { realPath } from "./real-path.ts";

export interface WriteModes {
  /** Of a file that did not exist; one that did keeps its own. */
  readonly file: number;
  /** Of directories that are made on the way. */
  readonly directory: number;
}

/**
 * Writes beside the target and renames over it; a link stays a link, and the file it leads to is replaced. Mode and owner stay, as far as this user may.
 * Throws the system's error, with nothing changed: also for a file that exists and may not be written.
 */
export function writeFileAtOnce(path: string, text: string, modes: WriteModes = { file: 0o666, directory: 0o777 }): void {
  const target = realPath(path);
  mkdirSync(dirname(target), { recursive: true, mode: modes.directory });
  const old = statSync(target, { throwIfNoEntry: false });
  if (old !== undefined) accessSync(target, constants.W_OK);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const file = openSync(temporary, "wx", old === undefined ? modes.file : 0o600);
    try {
      writeAll(file, Buffer.from(text));
      if (old !== undefined) keepOwner(file, old);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // ENOENT: it was never made, or it is the target already.
    }
    throw error;
  }
}

function writeAll(file: number, bytes: Buffer): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(file, bytes, at);
}

function keepOwner(file: number, { uid, gid, mode }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch {
    // EPERM: only root gives files away; then the file is this user's.
  }
  // After the owner: changing that clears bits of the mode.
  fchmodSync(file, mode & 0o7777);
}
