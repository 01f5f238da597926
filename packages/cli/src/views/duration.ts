/** Turns milliseconds into what a person reads at a glance. */

/** `0.4 ms`, `12 ms`, `1.2 s`, `60 s`, `5 min`. */
export function duration(ms: number): string {
  if (ms < 9.95) return `${trimmed(ms, 1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${trimmed(ms / 1000, 1)} s`;
  return `${trimmed(ms / 60_000, 1)} min`;
}
const trimmed = (value: number, digits: number): string => value.toFixed(digits).replace(/\.0$/, "");
