/** Turns a failed request into how long to wait before the next one; the loop owns the retry, because hooks fire again for each. */
import { setTimeout as sleep } from "node:timers/promises";
import { abortedError, ModelError } from "./model-error.ts";

/** How stubborn to be. All times in milliseconds. */
export interface RetryPolicy {
  /** Requests in all, the first one included. Default 5. */
  readonly attempts?: number | undefined;
  /** The first wait, doubled for each further one. Default 1,000. */
  readonly baseMs?: number | undefined;
  /** The longest wait we choose ourselves. Default 30,000. */
  readonly capMs?: number | undefined;
  /** The longest wait a provider may ask for; beyond it the person should know rather than wait. Default 120,000. */
  readonly patienceMs?: number | undefined;
  /** A number in [0, 1). Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/**
 * Milliseconds to wait before the next request, or `undefined` when there should be none.
 * `attempt` is how many requests were made so far (1 after the first failure). A wait asked for by the provider is never cut short;
 * our own lie between half of the doubled base and all of it, so that many agents do not come back at once.
 */
export function retryDelay(error: unknown, attempt: number, policy: RetryPolicy = {}): number | undefined {
  const { attempts = 5, baseMs = 1_000, capMs = 30_000, patienceMs = 120_000, random = Math.random } = policy;
  if (!(error instanceof ModelError) || !error.retryable || attempt >= attempts) return undefined;
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs > patienceMs ? undefined : Math.round(error.retryAfterMs * (1 + random() / 10));
  }
  const longest = Math.min(capMs, baseMs * 2 ** (attempt - 1));
  return Math.round(longest * (0.5 + random() / 2));
}

/** Waits. Rejects with a `ModelError` of kind `aborted` as soon as the signal says so. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    throw abortedError(error);
  }
}
