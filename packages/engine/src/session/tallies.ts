/** Counts the firings in which nothing ran: one line for many, told when somebody asks for it, or when there are many to tell. */
import { type EventName, type QuietRecord, RECORD_VERSION } from "../protocol/index.ts";

export interface Tallies {
  readonly count: (plan: string, event: EventName, session: string, at: number) => void;
  /** Tells the lines since the last flush, and forgets them. */
  readonly flush: () => void;
}
interface Tally {
  readonly plan: string;
  readonly event: EventName;
  readonly session: string;
  count: number;
  readonly first: number;
  last: number;
}

/** Models invent tool names, and hosts live long: beyond this many tallies they are told and forgotten. */
const MAX_TALLIES = 4_096;

export function createTallies(tell: (line: QuietRecord) => void): Tallies {
  const bySession = new Map<string, Map<string, Tally>>();
  let size = 0;
  const flush = (): void => {
    const all = [...bySession.values()].flatMap((tallies) => [...tallies.values()]);
    bySession.clear();
    size = 0;
    for (const tally of all) tell(quietLine(tally));
  };
  return {
    count: (plan, event, session, at) => {
      const tallies = bySession.get(session) ?? new Map<string, Tally>();
      if (tallies.size === 0) bySession.set(session, tallies);
      const tally = tallies.get(plan);
      if (tally) {
        tally.count++;
        tally.last = at;
      } else {
        tallies.set(plan, { plan, event, session, count: 1, first: at, last: at });
        if (++size >= MAX_TALLIES) flush();
      }
    },
    flush,
  };
}

export function quietLine({ plan, event, session, count, first, last }: Tally): QuietRecord {
  return { version: RECORD_VERSION, kind: "quiet", plan, event, session, count, firstAt: iso(first), lastAt: iso(last) };
}
const iso = (at: number): string => new Date(at).toISOString();
