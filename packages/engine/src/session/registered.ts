/** Turns a function of the host into an entry like any other. */
import type { Entry, EventName, HookFunction } from "../protocol/index.ts";
import type { RegisterOptions } from "./options.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
let count = 0;

export function registeredEntry(event: EventName, call: HookFunction, options: RegisterOptions, lane: number): Entry {
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
    order: lane,
    lane,
    same: id,
    name,
    description: undefined,
    matcher: options.matcher,
    run: { kind: "function", call },
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
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
