/** Turns lines as they come into lines on disk, a moment later and in small portions, so that who tells them does not wait. */
import { join } from "node:path";
import { type JournalLine, type Problem, problem } from "../protocol/index.ts";
import { createDefinitions } from "./definitions.ts";
import { type OpenFile, openJournalFile } from "./file.ts";
import { journalFileName } from "./folder.ts";
import { snapshotLine } from "./keep-line.ts";

/** A line waits this long at most, if the process is not busy. */
const FLUSH_AFTER_MS = 50;
/** The event loop is held no longer than this, and the time of one line. */
const PORTION_MS = 5;

export interface WriterOptions {
  readonly dir: string;
  /** A file that has grown to this is followed by a new one. */
  readonly fileBytes: number;
  readonly now: () => number;
  /** What is kept of a line. */
  readonly keep: (line: JournalLine) => JournalLine;
  readonly onProblem: (problem: Problem) => void;
  /** Told the path of every new file. */
  readonly onOpen: (path: string) => void;
}
export interface Writer {
  readonly push: (line: JournalLine) => void;
  /** Everything pushed so far is on disk when this returns true, and some of it lost and reported when false. Never throws. */
  readonly flush: () => boolean;
  /** Flushes, and takes nothing any more. */
  readonly close: () => void;
  /** The file written to now; before the first line, the one that will most likely be made. */
  readonly file: () => string;
}

export function createWriter({ dir, fileBytes, now, keep, onProblem, onOpen }: WriterOptions): Writer {
  const begunAt = now();
  const definitions = createDefinitions();
  let queue: JournalLine[] = [];
  let timer: NodeJS.Timeout | undefined;
  let file: OpenFile | undefined;
  /** Ids of the registries and plans in the current file. */
  const written = new Set<string>();
  let opened = 0;
  let isBroken = false;
  let isClosed = false;

  const current = (): OpenFile => {
    if (file && (file.bytes() >= fileBytes || file.isGone())) {
      file.close();
      file = undefined;
    }
    if (!file) {
      written.clear();
      file = openJournalFile(dir, opened++ === 0 ? begunAt : now());
      onOpen(file.path);
    }
    return file;
  };

  /** Writes lines until the time is up, at least one. False: they are lost. */
  const portion = (): boolean => {
    const until = performance.now() + PORTION_MS;
    let taken = 0;
    try {
      const target = current();
      let text = "";
      for (const line of queue) {
        taken++;
        for (const needed of [...definitions.neededBy(line), line]) {
          if (needed.kind === "registry" || needed.kind === "plan") {
            if (written.has(needed.id)) continue;
            written.add(needed.id);
          }
          text += `${JSON.stringify(keep(needed))}\n`;
        }
        if (performance.now() >= until) break;
      }
      target.append(text);
      isBroken = false;
    } catch (error) {
      // What follows must not rely on what may not have been written.
      written.clear();
      taken = Math.max(taken, 1);
      if (!isBroken)
        onProblem(problem("JOURNAL_UNWRITABLE", { path: dir }, { message: error instanceof Error ? error.message : String(error) }));
      isBroken = true;
    }
    queue = queue.slice(taken);
    return !isBroken;
  };
  const onTimer = (): void => {
    timer = undefined;
    portion();
    if (queue.length > 0) wait(0);
  };
  const wait = (ms: number): void => {
    timer ??= setTimeout(onTimer, ms).unref();
  };
  const flush = (): boolean => {
    let isWhole = true;
    while (queue.length > 0) isWhole = portion() && isWhole;
    clearTimeout(timer);
    timer = undefined;
    return isWhole;
  };

  return {
    push: (line) => {
      if (isClosed) return;
      definitions.remember(line);
      queue.push(snapshotLine(line));
      wait(FLUSH_AFTER_MS);
    },
    flush,
    close: () => {
      if (isClosed) return;
      isClosed = true;
      flush();
      file?.close();
      file = undefined;
    },
    file: () => file?.path ?? join(dir, journalFileName(begunAt, process.pid, 1)),
  };
}
