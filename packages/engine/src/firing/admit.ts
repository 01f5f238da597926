/** Settles which candidates run: what a firing forbids now, then duplicates, never letting a project's copy replace a user's own. */
import type { Entry, Scope, Status } from "../protocol/index.ts";

export interface Refusal {
  readonly status: Extract<Status, "unapproved" | "conditionFalse" | "spent" | "duplicate">;
  readonly why: string;
  /** Of a duplicate: the id of the copy that runs in its place. */
  readonly by?: string;
}
export interface Admitted {
  readonly entries: readonly Entry[];
  readonly changed: ReadonlyMap<string, Refusal>;
}

/** Copies that no project may replace. Source: the Gemini contract, "Configuration". */
const OWN: ReadonlySet<Scope> = new Set<Scope>(["code", "flag", "user", "system", "systemDefaults"]);

/** `refused`: trust, `if` and `once` of this firing. Duplicates are looked for among what is left. */
export function admitted(candidates: readonly Entry[], refused: (entry: Entry) => Refusal | undefined): Admitted {
  const changed = new Map<string, Refusal>();
  const left = candidates.filter((entry) => {
    const refusal = refused(entry);
    if (refusal) changed.set(entry.id, refusal);
    return !refusal;
  });
  const kept = new Map<string, Entry>();
  for (const entry of left) {
    const rival = kept.get(entry.same);
    if (!rival || (!OWN.has(rival.scope) && OWN.has(entry.scope))) kept.set(entry.same, entry);
  }
  const entries = left.filter((entry) => {
    const winner = kept.get(entry.same);
    if (winner && winner !== entry)
      changed.set(entry.id, {
        status: "duplicate",
        why: `the same hook is configured at ${winner.id}, and runs from there`,
        by: winner.id,
      });
    return winner === entry;
  });
  return { entries, changed };
}

/** Entries of one sequential group run one after another, everybody else side by side. */
export function lanes(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const byLane = new Map<number, Entry[]>();
  for (const entry of entries) {
    const lane = byLane.get(entry.lane);
    if (lane) lane.push(entry);
    else byLane.set(entry.lane, [entry]);
  }
  return [...byLane.values()];
}
