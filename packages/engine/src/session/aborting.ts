/** Turns what may end a firing early, the host's signal and the engine's end, into one signal, and waits no longer than that. */

const combined = new WeakMap<AbortSignal, WeakMap<AbortSignal, AbortSignal>>();

/** Aborts with the first of the two. Made once a pair: a host hands in one signal for many firings. */
export function either(signal: AbortSignal | undefined, ending: AbortSignal): AbortSignal {
  if (!signal || signal === ending) return ending;
  const known = combined.get(ending) ?? new WeakMap<AbortSignal, AbortSignal>();
  combined.set(ending, known);
  const both = known.get(signal) ?? AbortSignal.any([signal, ending]);
  known.set(signal, both);
  return both;
}

/** What the work comes to; `undefined` where the signal aborts before. Rejects as the work does. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
