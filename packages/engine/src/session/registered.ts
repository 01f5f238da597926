/** Turns a function of the host into an entry like any other. */
import { type Entry, EVENT_NAMES, type EventName, type HookFunction } from "../protocol/index.ts";
import { HooksError, type RegisterOptions } from "./options.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
/** A timer that is asked to wait longer fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
let count = 0;

/** Throws `HooksError` for an event there is not, a matcher that does not compile and a timeout that is not positive. */
export function registeredEntry(event: EventName, call: HookFunction, options: RegisterOptions): Entry {
  check(event, call, options);
  const number = ++count;
  const name = options.name ?? (call.name || `function ${number}`);
  const id = `code:${event}#${number}`;
  return {
    id,
    key: id,
    dialect: undefined,
    wireName: event,
    scope: "code",
    place: undefined,
    order: number,
    lane: number,
    same: id,
    name,
    description: undefined,
    matcher: options.matcher,
    run: { kind: "function", call },
    timeoutMs: Math.min(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS),
    timeoutGiven: options.timeoutMs !== undefined,
    condition: undefined,
    once: false,
    background: false,
    onFailure: options.onFailure ?? "allow",
    budgetMs: undefined,
    sequential: false,
    barred: undefined,
    written: { event, name },
  };
}

function check(event: EventName, call: HookFunction, { matcher, timeoutMs }: RegisterOptions): void {
  if (!EVENT_NAMES.includes(event))
    throw new HooksError("UNKNOWN_EVENT", `"${String(event)}" is not an event. The events are: ${EVENT_NAMES.join(", ")}.`);
  if (typeof call !== "function") throw new HooksError("BAD_OPTION", `A hook on ${event} is a function, not ${typeof call}.`);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new HooksError("BAD_OPTION", `timeoutMs is a positive number of milliseconds, not ${String(timeoutMs)}.`);
  if (matcher === undefined) return;
  try {
    new RegExp(matcher);
  } catch (error) {
    throw new HooksError("BAD_OPTION", `The matcher ${JSON.stringify(matcher)} is not a regular expression: ${String(error)}.`);
  }
}
