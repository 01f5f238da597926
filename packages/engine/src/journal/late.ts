/** Turns a story in which a hook was left running, and the line that says how that ended, into a story that tells both. */
import type { LateRecord, RunRecord, Story } from "../protocol/index.ts";

/** Runs by firing, then by entry. */
export type LateRuns = ReadonlyMap<string, ReadonlyMap<string, RunRecord>>;

/** The same run may have been collected by two processes: it counts once. */
export function lateRuns(lines: Iterable<LateRecord>): LateRuns {
  const byFiring = new Map<string, Map<string, RunRecord>>();
  for (const { firing, run } of lines) {
    const runs = byFiring.get(firing) ?? new Map<string, RunRecord>();
    byFiring.set(firing, runs.set(run.entry, run));
  }
  return byFiring;
}

/** An entry that was left has the status and the run of its end, and a `why` that says so; `fired` stays what was known when the firing ended. */
export function withLate(story: Story, late: LateRuns): Story {
  const runs = late.get(story.fired.id);
  if (!runs) return story;
  const entries = story.entries.map((entry) => {
    const run = entry.status === "left" ? runs.get(entry.id) : undefined;
    if (!run) return entry;
    const why = `it was still running when the firing ended, and ended ${seconds(run.durationMs)} s after its start`;
    return { ...entry, status: run.status, why, run: { ...(entry.run?.stdin === undefined ? {} : { stdin: entry.run.stdin }), ...run } };
  });
  return { ...story, entries };
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
