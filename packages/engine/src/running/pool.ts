/** Turns any number of tasks into at most N at a time, started in the order they were handed in. */

/** Runs tasks: each call waits for a free place, starts its task, and settles as the task does. */
export interface Pool {
  run<T>(task: () => Promise<T>): Promise<T>;
}

/**
 * A pool of `maxParallel` places; less than 1, or no number, counts as 1. First in, first out: a waiting task gets the place of the
 * first that settles. A place is freed whether its task resolves, rejects or throws.
 */
export function createPool(maxParallel: number): Pool {
  const places = Math.max(1, Math.floor(maxParallel) || 1);
  const waiting: (() => void)[] = [];
  let busy = 0;

  const free = (): void => {
    const next = waiting.shift();
    // The place goes straight to the next in line: were it given back first, a newcomer could overtake.
    if (next !== undefined) next();
    else busy -= 1;
  };

  return {
    async run(task) {
      if (busy < places) busy += 1;
      else {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
      try {
        return await task();
      } finally {
        free();
      }
    },
  };
}
