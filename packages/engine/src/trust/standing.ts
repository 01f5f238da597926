/** Turns a project hook and what the user decided about it before into how the two stand now. */
import type { Entry } from "../protocol/index.ts";
import type { Fingerprint } from "./fingerprint.ts";
import type { HookRecord, Judged } from "./store.ts";

interface Difference {
  readonly change: "new" | "changed";
  /** For people. */
  readonly why: string;
}
/** `approved` and `seen`: exactly as it is now. `changed`: it was one of them, and is something else now. `new`: nobody was shown it. */
export interface Standing extends Judged {
  readonly state: "approved" | "seen" | "changed" | "new";
  /** For people; `undefined` where nothing is new. */
  readonly why: string | undefined;
  /** ISO 8601: when it was approved or seen as it is; `undefined` where it was not. */
  readonly at: string | undefined;
}

/** `all`: the project's hooks as they are now. */
export function standings(all: readonly Judged[], records: ReadonlyMap<string, HookRecord>): readonly Standing[] {
  const keys = new Set(all.map(({ entry }) => entry.key));
  return all.map((judged): Standing => {
    const { entry, fingerprint } = judged;
    const record = records.get(entry.key);
    if (record?.digest === fingerprint.digest) return { ...judged, state: record.state, why: undefined, at: record.at };
    const { change, why } = difference(entry, fingerprint, record, records, keys);
    return { ...judged, state: change, why, at: undefined };
  });
}

/**
 * What is new or has changed about a hook that is not known as it is. `keys`: of the hooks that are there now; a record of another key with the same
 * event and name is this hook before it was edited.
 */
export function difference(
  entry: Entry,
  { scripts }: Fingerprint,
  record: HookRecord | undefined,
  records: ReadonlyMap<string, HookRecord>,
  keys: ReadonlySet<string>,
): Difference {
  const before =
    record ?? [...records].find(([key, { event, name }]) => !keys.has(key) && event === entry.wireName && name === entry.name)?.[1];
  if (before === undefined) return { change: "new", why: "it was never approved" };
  const since = before.state === "approved" ? "since it was approved" : "since it was last shown";
  if (record === undefined) return { change: "changed", why: `its definition changed ${since}` };
  const old = new Map(record.scripts.map(({ path, sha256 }) => [path, sha256]));
  const changed = scripts.filter(({ path, sha256 }) => old.get(path) !== sha256).map(({ path }) => path);
  const gone = [...old.keys()].filter((path) => !scripts.some((script) => script.path === path));
  const files = [...changed, ...gone];
  if (files.length === 0) return { change: "new", why: "it was shown and never approved" };
  return { change: "changed", why: `its script${files.length === 1 ? "" : "s"} ${files.join(", ")} changed ${since}` };
}
