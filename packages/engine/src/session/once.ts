/** Turns hooks that run once a session into one success each, also where several firings want them at the same time. */
import type { Entry } from "../protocol/index.ts";
import { untilAborted } from "./aborting.ts";

/** The `once` hooks of one session and its sub-agents. Source: the study of Qoder CN, section 6.1: spent by the first success. */
export interface OnceHooks {
  readonly isSpent: (entry: Entry) => boolean;
  /**
   * `undefined`: no other firing has any of these at work, and what is taken before anything else is awaited is the caller's. Else resolves when
   * those that are at work have ended, or when `signal` aborts: look again then, for they may be spent, or somebody else's.
   */
  readonly busy: (entries: readonly Entry[], signal: AbortSignal) => Promise<unknown> | undefined;
  /** From here on other firings wait for these, those of them that run once. */
  readonly take: (entries: readonly Entry[]) => OnceClaim;
}
export interface OnceClaim {
  /** The hook's run is over. */
  readonly done: (entry: Entry, succeeded: boolean) => void;
  /** Gives back whatever is not done. */
  readonly release: () => void;
}

interface Work {
  readonly over: Promise<void>;
  readonly end: () => void;
}

export function createOnceHooks(): OnceHooks {
  const spent = new Set<string>();
  const atWork = new Map<string, Work>();
  return {
    isSpent: ({ once, key }) => once && spent.has(key),
    busy(entries, signal) {
      if (signal.aborted) return undefined;
      const others = entries.flatMap(({ once, key }) => (once ? (atWork.get(key)?.over ?? []) : []));
      return others.length === 0 ? undefined : untilAborted(Promise.all(others), signal);
    },
    take(entries) {
      const mine = new Map<string, Work>();
      for (const { once, key } of entries) {
        // After an abort somebody else may still be at it: its end is not ours to tell.
        if (!once || atWork.has(key)) continue;
        const work = begun();
        mine.set(key, work);
        atWork.set(key, work);
      }
      const end = (key: string): void => {
        const work = mine.get(key);
        if (work && atWork.get(key) === work) atWork.delete(key);
        work?.end();
      };
      return {
        done({ once, key }, succeeded) {
          if (once && succeeded) spent.add(key);
          end(key);
        },
        release() {
          for (const key of mine.keys()) end(key);
        },
      };
    },
  };
}

function begun(): Work {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}
