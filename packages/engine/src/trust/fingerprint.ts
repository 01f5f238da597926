/** Turns an entry into its fingerprint: what it is defined as, and what is in the scripts it names. */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import type { Entry } from "../protocol/index.ts";
import { canonicalJson, isFresh, stampText, worldOf } from "../settings/index.ts";
import { type ScriptFile, scriptsOf } from "./scripts.ts";

/** `sha256` in hexadecimal, `"missing"` for a script that is not there, `"unreadable"` for one that cannot be read. */
export interface ScriptPrint {
  readonly path: string;
  readonly sha256: string;
}
export interface Fingerprint {
  /** Over definition and scripts: equal only if everything is. */
  readonly digest: string;
  /** Over event, group keys and every key of the handler as written. */
  readonly definition: string;
  readonly scripts: readonly ScriptPrint[];
}
export interface Fingerprints {
  /** As the files are now. A file that has not changed is not read again: a few stats. Synchronous; never throws for what is on disk. */
  of(entry: Entry): Fingerprint;
}

/** Source: design, "Trust"; contracts/gemini.md, "Trust and management". */
export function createFingerprints(dialects: readonly Dialect[], where: Pick<Whereabouts, "cwd" | "home">): Fingerprints {
  const plans = new WeakMap<Entry, { readonly definition: string; readonly files: readonly ScriptFile[] }>();
  const last = new WeakMap<Entry, Fingerprint>();
  const contents = new Map<string, { readonly stamp: string; readonly sha256: string }>();

  const planOf = (entry: Entry) => {
    const known = plans.get(entry);
    if (known !== undefined) return known;
    const dialect = dialects.find(({ id }) => id === entry.dialect);
    const files = dialect === undefined ? [] : scriptsOf(entry, worldOf(dialect, where));
    const made = { definition: sha256(canonicalJson([entry.dialect ?? "", entry.written])), files };
    plans.set(entry, made);
    return made;
  };
  const contentOf = (path: string): string | undefined => {
    const stat = lookAt(path);
    if (stat === undefined || typeof stat === "string") return stat;
    // A directory or a device is nothing whose content can be pinned.
    if (!stat.isFile()) return undefined;
    const stamp = stampText(stat);
    const known = contents.get(path);
    if (known?.stamp === stamp) return known.sha256;
    const hash = hashOf(path);
    // Written so short ago that another write could go unnoticed, or unreadable for a reason that may pass: read again next time.
    if (hash === UNREADABLE || isFresh(stat, Date.now())) contents.delete(path);
    else contents.set(path, { stamp, sha256: hash });
    return hash;
  };

  return {
    of(entry) {
      const { definition, files } = planOf(entry);
      const scripts = files.flatMap(({ path, run }): readonly ScriptPrint[] => {
        const content = contentOf(path) ?? (run ? "missing" : undefined);
        return content === undefined ? [] : [{ path, sha256: content }];
      });
      const before = last.get(entry);
      if (before !== undefined && sameScripts(before.scripts, scripts)) return before;
      const print = {
        digest: sha256(canonicalJson([definition, scripts.map(({ path, sha256: content }) => [path, content])])),
        definition,
        scripts,
      };
      last.set(entry, print);
      return print;
    },
  };
}

const UNREADABLE = "unreadable";
const CHUNK_BYTES = 1024 * 1024;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const sameScripts = (a: readonly ScriptPrint[], b: readonly ScriptPrint[]): boolean =>
  a.length === b.length && a.every(({ path, sha256: content }, i) => path === b[i]?.path && content === b[i]?.sha256);

function lookAt(path: string): Stats | typeof UNREADABLE | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A word that is no path at all (ENAMETOOLONG, ENOTDIR, ELOOP) names no file.
    return error instanceof Error && "code" in error && error.code === "EACCES" ? UNREADABLE : undefined;
  }
}

/** In pieces: a program that is named by its path may be large. */
function hashOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const hash = createHash("sha256");
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, fstatSync(file).size)));
      for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) hash.update(buffer.subarray(0, read));
      return hash.digest("hex");
    } finally {
      closeSync(file);
    }
  } catch {
    // EACCES; ENOENT, gone since it was looked at; EMFILE, nothing left to open it with.
    return UNREADABLE;
  }
}
