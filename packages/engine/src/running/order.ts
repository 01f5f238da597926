/** The words of this room: what a caller asks of one process, and how it ended. */

/** A program and its arguments, ready to be executed without any further parsing, and the text that people are shown. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  /** The command as its author wrote it: for records and messages, never executed. */
  readonly shown: string;
}

/** Bytes that several runs share: each takes what it keeps. Once empty it grants 0 for ever. */
export interface OutputBudget {
  /** Asks for `bytes`; returns how many of them may be kept, 0 to `bytes`. */
  take(bytes: number): number;
}

/** One bounded process: what the engine asks. */
export interface ProcessOrder {
  readonly line: CommandLine;
  /** Must exist: the caller falls back. If it does not, the end is `notStarted` and its message says so. */
  readonly cwd: string;
  /** The complete environment: nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** Written once, then closed. N runs may share one Buffer: it is never copied or changed. */
  readonly stdin: Uint8Array;
  /** 0 to 2^31-1: more than that overflows a Node timer, so the caller caps it. */
  readonly timeoutMs: number;
  /** From TERM to KILL. Default of the settings: 1000. */
  readonly killGraceMs: number;
  /** How long output is still read after the process has exited, whoever holds the pipes. Default of the settings: 300. */
  readonly drainMs: number;
  /** What is kept of stdout. Default of the settings: 64 MiB. The pipe is read to its end in any case. */
  readonly maxStdoutBytes: number;
  /** What is kept of stderr: 1 MiB. */
  readonly maxStderrBytes: number;
  /** What all runs of one firing may keep of stdout together: 256 MiB. */
  readonly budget?: OutputBudget;
  /** Aborting ends the group as a timeout does; the end is `cancelled`. */
  readonly signal?: AbortSignal;
}

/**
 * How one process ended. `exitCode` exists only where the process itself exited: death by a signal is `signalled`, never code 0.
 * stdout and stderr are decoded as one UTF-8 stream each (bytes that are no UTF-8 become U+FFFD), a byte order mark included, in every kind of end.
 */
export type ProcessEnd = {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** From the start until this value was there, draining and killing included. */
  readonly durationMs: number;
  /** `undefined` when no process was started. */
  readonly pid: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** What was printed until the end, kept or not. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** More was printed than was kept. A character cut in two by the cap is left out. */
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  /** Something still held the pipes after the process group was gone: it moved out of the group and may still run. */
  readonly escaped: boolean;
  /** The system took all of stdin. False when the hook closed it, or ended, before that; it says nothing about what the hook read. */
  readonly readAllStdin: boolean;
} & ProcessFate;

/** What became of a process. `notStarted` has a message for people that names the program, the errno and what to look at. */
export type ProcessFate =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timedOut"; readonly afterMs: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "notStarted"; readonly message: string };
