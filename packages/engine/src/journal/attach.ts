/** Turns what an engine tells into a journal on disk, for as long as it is attached. */
import { join } from "node:path";
import { type JournalLine, type Problem, problemText } from "../protocol/index.ts";
import { collectLeft } from "./collect-left.ts";
import { createKeeper } from "./keep-line.ts";
import { createRedactor, noRedactor } from "./redact.ts";
import { retain } from "./retain.ts";
import { createWriter, type Writer } from "./writer.ts";

/** Anything that tells journal lines: an engine. */
export interface JournalSource {
  /** Where it keeps its state: hooks that outlive their host under `left`. */
  readonly stateDir?: string;
  subscribe(listener: (event: { readonly kind: string; readonly line?: JournalLine }) => void): () => void;
}

export interface JournalOptions {
  /** The folder: made if missing, for this user only. Several processes may share it. */
  readonly dir: string;
  /** What all files of the folder may take up together, in bytes: the oldest are removed. Default: 50,000,000. */
  readonly maxBytes?: number;
  /** Files last written to longer ago than this are removed. Default: 30. */
  readonly maxDays?: number;
  /** Default true: what looks like a secret is kept out. A list: what these regular expressions match, too. False: nothing is kept out. */
  readonly redact?: boolean | readonly string[];
  /** Where hooks that outlive their host are kept: those that have ended are recorded now. Default: `left` in the source's `stateDir`, else in `dir`. */
  readonly leftDir?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Told when the journal cannot be written (once, until it can be again) and of unusable `redact` patterns. Default: a warning of the process. */
  readonly onProblem?: (problem: Problem) => void;
}

export interface Journal {
  /** Everything told so far is on disk when this returns. */
  flush(): void;
  /** Stops listening and flushes. Resolves when old files have been removed, too; never rejects. */
  close(): Promise<void>;
  /** The file that is written to now. It is made with the first line, and followed by another when it has grown large. */
  readonly file: string;
}

const MAX_BYTES = 50_000_000;
const MAX_DAYS = 30;
/** A file is read as a whole, so it is followed by a new one at this size. */
const MAX_FILE_BYTES = 8_000_000;

/**
 * Writes every line the source tells to a file of this process: `journal-<UTC timestamp>-<pid>.jsonl`, one JSON object a line, each file readable alone.
 * Lines are written a moment later, at the latest when the process exits by itself or by `process.exit`. A string for options is the folder.
 * Throws RangeError for bounds that are no positive numbers; nothing else, and later nothing at all.
 */
export function attachJournal(source: JournalSource, options: JournalOptions | string): Journal {
  const {
    dir,
    redact = true,
    leftDir,
    now = Date.now,
    onProblem = warn,
    ...bounds
  } = typeof options === "string" ? { dir: options } : options;
  const maxBytes = positive("maxBytes", bounds.maxBytes ?? MAX_BYTES);
  const maxDays = positive("maxDays", bounds.maxDays ?? MAX_DAYS);
  const report = (problem: Problem): void => {
    try {
      onProblem(problem);
    } catch (error) {
      // The listener's fault is the host's: it must be seen, and must not keep lines from being written.
      queueMicrotask(() => {
        throw error;
      });
    }
  };
  const { redactor, problems } = redact === false ? { redactor: noRedactor, problems: [] } : createRedactor(redact === true ? [] : redact);
  for (const problem of problems) report(problem);

  const fileBytes = Math.min(MAX_FILE_BYTES, Math.ceil(maxBytes / 4));
  let retaining = Promise.resolve();
  const writer = createWriter({
    dir,
    fileBytes,
    now,
    keep: createKeeper(redactor),
    onProblem: report,
    onOpen: (keep) => {
      // Room is made for what this file may become.
      retaining = retaining.then(() => retain(dir, { maxBytes: maxBytes - fileBytes, maxDays, now: now(), keep }));
    },
  });
  collect(leftDir ?? join(source.stateDir ?? dir, "left"), writer);
  const unsubscribe = source.subscribe((event) => {
    if (event.kind === "line" && event.line) writer.push(event.line);
  });
  const stopWaiting = atExit(writer.flush);
  return {
    flush: () => {
      writer.flush();
    },
    close: () => {
      unsubscribe();
      stopWaiting();
      writer.close();
      return retaining;
    },
    get file() {
      return writer.file();
    },
  };
}

function collect(leftDir: string, writer: Writer): void {
  const { lines, forget } = collectLeft(leftDir);
  if (lines.length === 0) return;
  for (const line of lines) writer.push(line);
  if (writer.flush()) forget();
}

/** One listener for all journals of the process. */
const flushes = new Set<() => void>();
const flushAll = (): void => {
  for (const flush of flushes) flush();
};
function atExit(flush: () => void): () => void {
  if (flushes.size === 0) process.on("exit", flushAll);
  flushes.add(flush);
  return () => {
    flushes.delete(flush);
    if (flushes.size === 0) process.removeListener("exit", flushAll);
  };
}

function positive(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`attachJournal: ${name} must be a positive number, not ${value}.`);
  return value;
}
function warn(problem: Problem): void {
  process.emitWarning(problemText(problem), { type: "CarabinerWarning", code: problem.code });
}
