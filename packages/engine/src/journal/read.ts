/** Turns a folder of journal files into stories: the newest files first, and no more of them than are asked for. */
import { type LateRecord, type Problem, problem, type QuietRecord, type Story } from "../protocol/index.ts";
import { type JournalFile, journalFiles } from "./folder.ts";
import { lateRuns, withLate } from "./late.ts";
import { type FileReader, readJournalFile } from "./read-file.ts";

export interface JournalQuery {
  /** Only so many, the latest. Default: all. */
  readonly last?: number;
  /** Only those of the session with this id. */
  readonly session?: string;
  /** Only the firing with this id. */
  readonly firing?: string;
}
export interface JournalReading {
  /** By the time at which they began, oldest first. A hook that was left has the status of its end where that is known. */
  readonly stories: readonly Story[];
  /** Counts of firings in which nothing ran: of the same sessions, and with `last` of the same time. None with `firing`. */
  readonly quiet: readonly QuietRecord[];
  /** Lines that could not be read, and are left out, among those that were looked at. */
  readonly problems: readonly Problem[];
}

/** A missing folder is an empty journal. Never throws: what cannot be read is a problem. */
export function readJournal(dir: string, { last = Number.POSITIVE_INFINITY, session, firing }: JournalQuery = {}): JournalReading {
  const problems: Problem[] = [];
  const report = (found: Problem): void => {
    problems.push(found);
  };
  const wanted = Math.min(last, firing === undefined ? Number.POSITIVE_INFINITY : 1);
  let quiet: readonly QuietRecord[] = [];
  let late: readonly LateRecord[] = [];
  let stories: readonly Story[] = [];
  for (const file of listed(dir, report)) {
    const oldest = stories[0];
    // A file holds nothing that began after it was last written to.
    if (stories.length >= wanted && (!oldest || file.writtenAt < Date.parse(oldest.fired.at))) break;
    const reader = readJournalFile(file.path, report);
    late = [...reader.late(), ...late];
    if (firing === undefined) quiet = [...reader.quiet(), ...quiet];
    stories = latest([...storiesOf(reader, wanted, session, firing), ...stories], wanted);
  }
  const ends = lateRuns(late);
  const since = wanted === Number.POSITIVE_INFINITY ? "" : (stories[0]?.fired.at ?? "");
  return {
    stories: stories.map((story) => withLate(story, ends)),
    quiet: quiet
      .filter((line) => line.lastAt >= since && (session === undefined || line.session === session))
      .sort((a, b) => compare(a.lastAt, b.lastAt)),
    problems,
  };
}

/** The last ones of a file, in the order in which they were written. */
function storiesOf(reader: FileReader, wanted: number, session: string | undefined, firing: string | undefined): readonly Story[] {
  const stories: Story[] = [];
  for (const raw of reader.fired.toReversed()) {
    if (stories.length >= wanted) break;
    if (firing !== undefined && raw.id !== undefined && raw.id !== firing) continue;
    const fired = reader.firedLine(raw);
    if (!fired || (firing !== undefined && fired.id !== firing) || (session !== undefined && fired.session !== session)) continue;
    const story = reader.story(raw, fired);
    if (story) stories.push(story);
  }
  return stories.reverse();
}

/** Sorting is stable: what began in the same millisecond stays in the order in which it was written. */
function latest(stories: Story[], wanted: number): readonly Story[] {
  const sorted = stories.sort((a, b) => compare(a.fired.at, b.fired.at));
  return wanted === Number.POSITIVE_INFINITY ? sorted : sorted.slice(Math.max(0, sorted.length - wanted));
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function listed(dir: string, report: (problem: Problem) => void): readonly JournalFile[] {
  try {
    return journalFiles(dir);
  } catch (error) {
    report(problem("JOURNAL_BAD_LINE", { path: dir }, { message: error instanceof Error ? error.message : String(error) }));
    return [];
  }
}
