/** Everything a command may touch of the outside, as one argument: tests hand in their own. */
import { fstatSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { isatty } from "node:tty";

export interface Io {
  /** Data: the answer, or one JSON document. */
  readonly out: (text: string) => void;
  /** For people: everything else. */
  readonly err: (text: string) => void;
  readonly cwd: string;
  readonly home: string;
  readonly env: Record<string, string | undefined>;
  readonly stdin: NodeJS.ReadStream;
  /** Is somebody looking at stdout, at stderr, typing at stdin? */
  readonly isTTY: { readonly out: boolean; readonly err: boolean; readonly in: boolean };
  readonly columns: number;
  readonly now: () => Date;
  /** Called with the name of a signal that asks the program to end; returns its removal. */
  readonly onSignal: (listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void) => () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** 128 and the signal's number, as shells report it. */
export const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export function processIo(): Io {
  return {
    out: writer(
      1,
      () => process.stdout,
      (why) => process.stderr.write(`carabiner: stdout cannot be written (${why}); what is said from here on is lost.\n`),
    ),
    err: writer(2, () => process.stderr),
    cwd: process.cwd(),
    home: homedir(),
    env: { ...process.env },
    // Node makes a stream of it when it is looked at, and most commands read nothing.
    get stdin() {
      return process.stdin;
    },
    isTTY: {
      get out() {
        return isTerminal(1);
      },
      get err() {
        return isTerminal(2);
      },
      get in() {
        return isTerminal(0);
      },
    },
    get columns() {
      return (isTerminal(1) ? process.stdout.columns : undefined) ?? 80;
    },
    now: () => new Date(),
    onSignal: (listener) => {
      const removals = SIGNALS.map((signal) => {
        const heard = (): void => listener(signal);
        process.on(signal, heard);
        return () => process.off(signal, heard);
      });
      return () => {
        for (const remove of removals) remove();
      };
    },
  };
}

/** What is no device of characters is no terminal: that is known without loading `node:tty`, which brings all of Node's streams. */
function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && isatty(fd);
  } catch {
    return false; // EBADF: somebody closed it
  }
}

/** A file or a pipe is written to directly: Node takes milliseconds to make a stream, and that is left to terminals and to writes that do not succeed at once. */
function writer(fd: number, stream: () => NodeJS.WriteStream, onBroken?: (why: string) => void): (text: string) => void {
  let known: NodeJS.WriteStream | undefined;
  let broken = false;
  return (text) => {
    if (broken) return;
    const rest = known === undefined && !isTerminal(fd) ? writtenDirectly(fd, text) : text;
    if (rest.length === 0) return;
    known ??= stream().on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has had enough (`| head`) is no failure of ours; what is printed after that is lost, and nobody misses it.
      if (error.code === "EPIPE" || broken) return;
      broken = true;
      // A full disk: what runs is brought to its end in good order all the same, and the exit code says that the answer is not whole.
      process.once("exit", () => {
        process.exitCode ||= 1;
      });
      onBroken?.(error.code ?? error.message);
    });
    known.write(rest);
  };
}

/** What could not be written: EAGAIN, where the stream can wait; and whatever it is that the stream will say as well. */
function writtenDirectly(fd: number, text: string): Uint8Array {
  let rest: Uint8Array = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
  } catch {
    return rest;
  }
  return rest;
}
