/** Turns what a person typed for a firing into its story: its id, the beginning of it, or `last`. */
import type { Problem, Story } from "../protocol/index.ts";
import { listed, readJournal } from "./read.ts";
import { readJournalFile } from "./read-file.ts";

export interface FoundFiring {
  /** `undefined`: there is none, or there are several `candidates`. */
  readonly story: Story | undefined;
  /** Where the beginning of an id fits several firings: their ids, newest first. Else empty. */
  readonly candidates: readonly string[];
  readonly problems: readonly Problem[];
}

/** An id that is given in full is never ambiguous. Never throws. */
export function findFiring(dir: string, wanted: string): FoundFiring {
  if (wanted === "last") return found(readJournal(dir, { last: 1 }));
  const problems: Problem[] = [];
  const ids = new Set<string>();
  for (const file of listed(dir, (problem) => problems.push(problem))) {
    const reader = readJournalFile(file.path, (problem) => problems.push(problem));
    for (const raw of reader.fired.toReversed()) {
      const id = raw.id ?? reader.firedLine(raw)?.id;
      if (id === wanted) return found(readJournal(dir, { firing: id }));
      if (id?.startsWith(wanted)) ids.add(id);
    }
  }
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return found(readJournal(dir, { firing: only }));
  return { story: undefined, candidates: [...ids], problems };
}

function found({ stories, problems }: { readonly stories: readonly Story[]; readonly problems: readonly Problem[] }): FoundFiring {
  return { story: stories[0], candidates: [], problems };
}
