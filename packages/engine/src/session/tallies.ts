/** Counts the firings in which nothing ran: one line for many, told when somebody asks for a flush. */
import { type EventName, type QuietRecord, RECORD_VERSION } from "../protocol/index.ts";

export interface Tallies {
  readonly count: (plan: string, event: EventName, session: string, at: number) => void;
  /** The lines since the last flush, and forgets them. */
  readonly flush: () => readonly QuietRecord[];
}
interface Tally {
  readonly plan: string;
  readonly event: EventName;
  readonly session: string;
  count: number;
  readonly first: number;
  last: number;
}

export function createTallies(): Tallies {
  const bySession = new Map<string, Map<string, Tally>>();
  return {
    count: (plan, event, session, at) => {
      const tallies = bySession.get(session) ?? new Map<string, Tally>();
      if (tallies.size === 0) bySession.set(session, tallies);
      const tally = tallies.get(plan);
      if (tally) {
        tally.count++;
        tally.last = at;
      } else tallies.set(plan, { plan, event, session, count: 1, first: at, last: at });
    },
    flush: () => {
      const lines = [...bySession.values()].flatMap((tallies) => [...tallies.values()].map(quietLine));
      bySession.clear();
      return lines;
    },
  };
}

export function quietLine({ plan, event, session, count, first, last }: Tally): QuietRecord {
  return { version: RECORD_VERSION, kind: "quiet", plan, event, session, count, firstAt: iso(first), lastAt: iso(last) };
}
const iso = (at: number): string => new Date(at).toISOString();
