/** Turns any number of listeners on one AbortSignal into a single one: beyond ten, Node takes them for a leak and warns. */

interface Listening {
  readonly acts: Set<() => void>;
  readonly listener: () => void;
}

const bySignal = new WeakMap<AbortSignal, Listening>();

/** Calls `act` once, when the signal aborts. Returns what takes that back; with the last one the signal is let go. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const { acts, listener } = bySignal.get(signal) ?? listen(signal);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size > 0) return;
    bySignal.delete(signal);
    signal.removeEventListener("abort", listener);
  };
}

function listen(signal: AbortSignal): Listening {
  const acts = new Set<() => void>();
  const listening: Listening = {
    acts,
    listener: () => {
      for (const act of [...acts]) act();
    },
  };
  bySignal.set(signal, listening);
  signal.addEventListener("abort", listening.listener, { once: true });
  return listening;
}
