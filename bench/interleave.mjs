// Turns named actions into their times, measured one after another in every round, so that whatever else the machine does hits all of them alike.

/** `{ name: [ms, ...] }`, sorted. The order changes from round to round; `warmup` rounds do not count. */
export async function interleave(actions, { rounds, warmup = 3 }) {
  const names = Object.keys(actions);
  const times = new Map(names.map((name) => [name, []]));
  for (let round = -warmup; round < rounds; round++) {
    const order = names.map((_, i) => names[(i + round + names.length * warmup) % names.length]);
    for (const name of order) {
      const began = performance.now();
      const took = await actions[name]();
      const ms = typeof took === "number" ? took : performance.now() - began;
      if (round >= 0) times.get(name).push(ms);
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [name, list.sort((a, b) => a - b)]));
}

export const min = (sorted) => sorted[0];
export const median = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;

/** `ours` over `other`, on min and on median. */
export const ratio = (ours, other) => ({ min: min(ours) / min(other), median: median(ours) / median(other) });
