/** Everything a command may touch of the outside, as one argument: tests hand in their own. */
import { homedir } from "node:os";

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
  // A reader that has had enough (`| head`) is no failure of ours; what is printed after that is lost, and nobody misses it.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    cwd: process.cwd(),
    home: homedir(),
    env: { ...process.env },
    stdin: process.stdin,
    isTTY: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true, in: process.stdin.isTTY === true },
    columns: process.stdout.columns ?? 80,
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
