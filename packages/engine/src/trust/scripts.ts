/** Turns an entry into the script files its fingerprint covers. */
import type { Entry } from "../protocol/index.ts";
import { type MentionWorld, mentions } from "../settings/index.ts";

export interface ScriptFile {
  /** Absolute. */
  readonly path: string;
  /** Is it something the command runs, so that its absence is worth remembering? Else it is covered only while there is such a file. */
  readonly run: boolean;
}

/**
 * The files that command and arguments name: programs with a path, what an interpreter is given, and every other word that may be a file; not programs
 * found in PATH, and not what a script loads itself. It depends on the entry only, not on what exists. Source: design, "Trust".
 */
export function scriptsOf(entry: Entry, world: MentionWorld): readonly ScriptFile[] {
  return mentions(entry.run, world).map(({ path, role }) => ({ path, run: role !== "argument" }));
}
