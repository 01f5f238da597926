/** Examines the journal: where it is, whether it can be written, and how much it holds. */
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { homePath } from "../../views/index.ts";
import { journalOptions } from "../log-place.ts";
import { error, type Finding, note, ok } from "./finding.ts";
import type { Patient } from "./patient.ts";

const AREA = "Journal";

export function examineJournal({ engine, io }: Patient): readonly Finding[] {
  const { dir, maxBytes = 0 } = journalOptions(engine);
  const shown = homePath(dir, io.home);
  const why = whyUnwritable(dir);
  if (why !== undefined)
    return [
      error(
        AREA,
        `${shown} cannot be written: ${why}. Hooks run, and nothing of it is kept.`,
        "Make the folder writable, or set carabiner.journal.dir to another one.",
      ),
    ];
  const sizes = sizesIn(dir);
  if (sizes === undefined) return [note(AREA, `${shown}: nothing was written yet.`)];
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return [
    ok(AREA, `${shown}: ${sizes.length} file${sizes.length === 1 ? "" : "s"}, ${megabytes(bytes)} of at most ${megabytes(maxBytes)}`),
  ];
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(bytes < 950_000 ? 2 : 0)} MB`;

/** The folder is made when it is first needed: until then what counts is the first folder above it that exists. */
function whyUnwritable(dir: string): string | undefined {
  try {
    if (!statSync(dir).isDirectory()) return "it is not a folder";
    accessSync(dir, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" && dirname(dir) !== dir) return whyUnwritable(dirname(dir));
    if (code === "ENOTDIR") return "a file stands where a folder on its way should be";
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function sizesIn(dir: string): readonly number[] | undefined {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0);
  } catch {
    // ENOENT: not made yet; what else could be wrong was asked before.
    return undefined;
  }
}
