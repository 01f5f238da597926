/** `carabiner log`: lists the firings in the journal, newest last. */
import { type EventName, plain, problemText, type Story } from "@carabiner/engine";
import { type JournalReading, readJournal } from "@carabiner/engine/journal";
import type { CommandModule } from "../command.ts";
import type { Io } from "../io.ts";
import { homePath, logView, quietView, storyJson, viewOptions } from "../views/index.ts";
import { emptyJournal } from "./explain.ts";
import { readEvent } from "./fire-event.ts";
import { journalDir } from "./log-place.ts";

interface LogWords {
  readonly last?: string;
  readonly session?: string;
  readonly event?: string;
  readonly json?: boolean;
}

/** As many as fit on a screen. */
const DEFAULT_LAST = 20;

const HELP = `
A line for each firing: when, its id, the event, what it was about, and what
came of it. Events at which no hook was called are only counted.
To see all of one: carabiner explain ID

Examples:
  carabiner log
  carabiner log --event BeforeTool --last 5
  carabiner log --json | jq -r 'select(.outcome.action == "block") | .id'

Exit codes:
  0    listed
  1    nothing to list, or an option that cannot be used`;

export const log: CommandModule = {
  define: (command, io, done) => {
    command
      .option("--last <n>", `only so many; by default ${DEFAULT_LAST}, with --json all`)
      .option("--event <name>", "only this event, in any product's words")
      .option("--session <id>", "only this session")
      .option("--json", "print JSON Lines: one object a firing")
      .addHelpText("after", HELP)
      .action((words: LogWords) => done(runLog(words, io)));
  },
};

function runLog(words: LogWords, io: Io): number {
  const last = words.last === undefined ? (words.json ? Number.POSITIVE_INFINITY : DEFAULT_LAST) : Number(words.last);
  if (!(last > 0) || (Number.isFinite(last) && !Number.isInteger(last)))
    return refuse(io, `--last ${JSON.stringify(words.last)}: expected a whole number from 1.`);
  const event = words.event === undefined ? undefined : readEvent(words.event, []);
  if (event && !event.ok) return refuse(io, event.problem);
  const dir = journalDir(io);
  const query = words.session === undefined ? {} : { session: words.session };
  // Which event a line is about is known when it has been joined.
  const reading = readJournal(dir, event ? query : { ...query, last });
  const { stories, quiet, problems } = event ? only(reading, event.row.on, event.row.when?.[0], last) : reading;
  for (const problem of problems.slice(0, MAX_PROBLEMS)) io.err(`[WARNING] ${plain(problemText(problem))}\n`);
  if (problems.length > MAX_PROBLEMS) io.err(`[WARNING] ${problems.length - MAX_PROBLEMS} more lines of the journal cannot be read.\n`);

  const options = viewOptions(io);
  // What another program reads is not cut to a width that nobody sees.
  const columns = io.isTTY.out ? io.columns : Number.POSITIVE_INFINITY;
  if (words.json) for (const story of stories) io.out(`${JSON.stringify(storyJson(story))}\n`);
  else io.out(logView(stories, { ...options, columns }));
  if (!words.json) io.err(quietView(quiet, options));
  if (stories.length > 0 || quiet.length > 0) return 0;
  const filtered = words.session !== undefined || words.event !== undefined;
  return refuse(
    io,
    filtered
      ? `No firing in the journal (${homePath(dir, io.home)}) is of that ${words.event === undefined ? "session" : "event"}.`
      : emptyJournal(homePath(dir, io.home)).trimEnd(),
  );
}
const MAX_PROBLEMS = 3;

function only({ stories, quiet, problems }: JournalReading, event: EventName, variant: string | undefined, last: number): JournalReading {
  const isMeant = (story: Story): boolean => story.event === event && (variant === undefined || story.variant === variant);
  return { stories: stories.filter(isMeant).slice(-last), quiet: quiet.filter((line) => line.event === event), problems };
}

function refuse(io: Io, message: string): number {
  io.err(`${message}\n`);
  return 1;
}
