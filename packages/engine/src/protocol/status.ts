/** The closed list of what can become of a configured entry in a firing: promise 1 of the product, as a type. */

/** `skipped`: it did not run; `ran`: its process or function was called for; `failed`: it ran, and its output did not count. */
const STATUS_CLASS = {
  disabled: "skipped",
  untrusted: "skipped",
  unapproved: "skipped",
  unsupported: "skipped",
  notFiredHere: "skipped",
  broken: "skipped",
  badMatcher: "skipped",
  notMatched: "skipped",
  notThisVariant: "skipped",
  conditionFalse: "skipped",
  spent: "skipped",
  duplicate: "skipped",
  ok: "ran",
  left: "ran",
  exitedOther: "failed",
  signalled: "failed",
  timedOut: "failed",
  cancelled: "failed",
  notStarted: "failed",
  badOutput: "failed",
} as const satisfies Record<string, "skipped" | "ran" | "failed">;

export type Status = keyof typeof STATUS_CLASS;
export const STATUSES = Object.keys(STATUS_CLASS) as readonly Status[];
export const statusClass = (status: Status): "skipped" | "ran" | "failed" => STATUS_CLASS[status];

/** One sentence a status, for people who have never seen the list. */
export const STATUS_MEANING: Readonly<Record<Status, string>> = {
  disabled: "switched off in settings",
  untrusted: "the folder it comes from is not trusted",
  unapproved: "its definition or script has not been approved",
  unsupported: "its type is known but not run here",
  notFiredHere: "its event is a word of the product that is not fired here",
  broken: "its definition could not be used",
  badMatcher: "its matcher could not be used",
  notMatched: "its event or matcher does not fit this firing",
  notThisVariant: "its event tells this case apart and does not fire for it",
  conditionFalse: "its `if` condition is false for this call",
  spent: "it runs once a session and has run",
  duplicate: "the same hook is configured elsewhere and ran from there",
  ok: "ran, and its answer counted",
  left: "still running when the firing ended; it may finish on its own",
  exitedOther: "failed: it exited with a code that is neither 0 nor 2, or refused where nothing can be refused",
  signalled: "failed: a signal ended it",
  timedOut: "failed: it did not finish within its timeout",
  cancelled: "failed: the firing was aborted while it ran",
  notStarted: "failed: its process could not be started",
  badOutput: "failed: its output could not be used",
};
