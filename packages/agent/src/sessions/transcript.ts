/** Turns what happens in a session into lines of its transcript, each complete on disk before the next thing happens. */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Message } from "../models/index.ts";
import type { Task } from "../tasks/index.ts";
import { lineOf, type SessionEvent } from "./event.ts";

/** The transcript cannot be written or read as it should. `now` says what that means. */
export interface TranscriptProblem {
  readonly path: string;
  readonly what: string;
  readonly now: string;
}

/** `now` is the clock. `onProblem` hears of a write that failed later on, once until a write succeeds again. */
export interface TranscriptOptions {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly model: string;
  readonly now?: () => Date;
  readonly onProblem?: (problem: TranscriptProblem) => void;
}

/**
 * Contract: no method throws; what cannot be written now is kept and written with the next line that can. After `close` nothing is written.
 */
export interface Transcript {
  /** `""` when the file could not be opened: hooks are told so. Source: gemini-observed 2.1, `transcript_path`. */
  readonly path: string;
  readonly appendMessage: (message: Message) => void;
  /** A task as it has become. */
  readonly keepTask: (task: Task) => void;
  readonly clear: (newId: string) => void;
  /** The messages before `keptFrom` of the history gave way to the summary. */
  readonly compress: (summary: string, keptFrom: number) => void;
  /** Tries what is still unwritten once more. */
  readonly close: () => void;
}

export interface OpenedTranscript {
  readonly transcript: Transcript;
  /** Why there is no file; the session goes on in memory. */
  readonly problem?: TranscriptProblem;
}

/**
 * Begins a transcript, or goes on with the one at `path` (a resumed session): then no `session` line is written, and a last line that a
 * crash cut off is closed, so that it spoils nothing after it. The file is 0600, folders that are made for it 0700.
 */
export function openTranscript({ path, id, cwd, model, now = () => new Date(), onProblem }: TranscriptOptions): OpenedTranscript {
  const opened = open(path);
  if (typeof opened === "string") {
    const nothing = (): void => undefined;
    return {
      transcript: { path: "", appendMessage: nothing, keepTask: nothing, clear: nothing, compress: nothing, close: nothing },
      problem: {
        path,
        what: `The transcript cannot be written (${opened}).`,
        now: "The session is kept in memory only: it cannot be resumed, and hooks get no transcript path.",
      },
    };
  }
  let file: number | undefined = opened.file;
  let unwritten: Buffer = opened.isCut ? Buffer.from("\n") : Buffer.alloc(0);
  let failing = false;
  const flush = (): void => {
    if (file === undefined) return;
    try {
      while (unwritten.length > 0) unwritten = unwritten.subarray(writeSync(file, unwritten));
      failing = false;
    } catch (error) {
      if (!failing)
        onProblem?.({
          path,
          what: `The transcript cannot be written (${codeOf(error)}).`,
          now: "It is tried again with every message; until then a crash loses them.",
        });
      failing = true;
    }
  };
  const append = (event: SessionEvent): void => {
    unwritten = Buffer.concat([unwritten, Buffer.from(lineOf(event))]);
    flush();
  };
  const at = (): string => now().toISOString();
  if (opened.isNew) append({ type: "session", version: 1, id, cwd, startedAt: at(), model });
  return {
    transcript: {
      path,
      appendMessage: (message) => append({ type: "message", at: at(), message }),
      keepTask: (task) => append({ type: "task", at: at(), task }),
      clear: (newId) => append({ type: "clear", at: at(), newId }),
      compress: (summary, keptFrom) => append({ type: "compression", at: at(), summary, keptFrom }),
      close: () => {
        flush();
        if (file !== undefined) closeSync(file);
        file = undefined;
      },
    },
  };
}

/** An open file, or the code of the error. */
function open(path: string): { readonly file: number; readonly isNew: boolean; readonly isCut: boolean } | string {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, "a+", 0o600);
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    if (size > 0) readSync(file, last, 0, 1, size - 1);
    return { file, isNew: size === 0, isCut: size > 0 && last.toString() !== "\n" };
  } catch (error) {
    return codeOf(error);
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : String(error));
