/** Says in a few words what became of one hook in a firing, and what it said. */
import { isObject, type Json, type JsonObject, type RulingKind, type Status, type StoryEntry, statusClass } from "@carabiner/engine";
import { duration } from "./duration.ts";
import type { Tone } from "./paint.ts";

export const NO_OPINION = "no opinion";

export interface Became {
  readonly words: string;
  readonly tone: Tone;
}

export function became(entry: StoryEntry, overruled: readonly string[]): Became {
  const { status, run } = entry;
  if (statusClass(status) === "skipped") return { words: STATUS_WORDS[status], tone: SKIP_TONES[status] ?? "muted" };
  const ruling = run && rulingOf(run.opinion);
  if (statusClass(status) === "failed") {
    const denies = ruling === undefined ? "" : "; it is set to block on failure";
    return { words: `${failure(entry)}${denies}`, tone: denies === "" ? "warning" : "bad" };
  }
  if (status === "left" || !run) return { words: STATUS_WORDS.left, tone: "warning" };
  const said = saidWords(run.opinion).join(", ");
  if (overruled.includes(entry.id)) return { words: `overruled: ${said}`, tone: "warning" };
  return { words: said === "" ? NO_OPINION : said, tone: ruling === undefined ? "none" : RULING_TONES[ruling] };
}

/** What a ruling of this kind asks for, as something a hook does. */
export const RULING_WORDS: Readonly<Record<RulingKind, string>> = {
  allow: "allows",
  ask: "wants the user asked",
  deny: "denies",
  endTurn: "stops the agent",
  endSession: "ends the session",
};
/** Slots of an opinion, as something a hook does. */
const SLOT_DOES: Readonly<Record<string, string>> = {
  message: "gives a message",
  context: "adds context",
  input: "changes the arguments",
  result: "replaces the result",
  request: "changes the request",
  response: "gives a response",
  toolLimit: "limits the tools",
  tailCall: "asks for another tool",
  clearContext: "clears the history",
  quiet: "keeps this out of the records",
};
/** Slots of an opinion, each as one thing. */
export const SLOT_NAMES: Readonly<Record<string, string>> = {
  ruling: "decision",
  message: "message",
  context: "added context",
  input: "change of the arguments",
  result: "new result",
  request: "change of the request",
  response: "response",
  toolLimit: "tool limit",
  tailCall: "next tool call",
  clearContext: "wish to clear the history",
  quiet: "wish to stay off the records",
  withhold: "denial",
};

export function rulingOf(opinion: JsonObject): RulingKind | undefined {
  const ruling: Json | undefined = opinion["ruling"];
  const kind = isObject(ruling) ? ruling["kind"] : undefined;
  return typeof kind === "string" && isRuling(kind) ? kind : undefined;
}
const isRuling = (kind: string): kind is RulingKind => Object.hasOwn(RULING_WORDS, kind);

/** Everything an opinion says, the decision first. None: no opinion. */
function saidWords(opinion: JsonObject): readonly string[] {
  const ruling = rulingOf(opinion);
  const slots = Object.keys(opinion).flatMap((slot) => (Object.hasOwn(SLOT_DOES, slot) ? (SLOT_DOES[slot] ?? []) : []));
  return ruling === undefined ? slots : [RULING_WORDS[ruling], ...slots];
}

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  disabled: "switched off",
  untrusted: "folder not trusted",
  unapproved: "not approved",
  unsupported: "type not run here",
  notFiredHere: "event not fired here",
  broken: "definition not usable",
  badMatcher: "matcher not usable",
  notMatched: "not matched",
  notThisVariant: "not for this case",
  conditionFalse: "condition not met",
  spent: "has run already",
  duplicate: "duplicate",
  ok: "ran",
  left: "still running",
  exitedOther: "failed",
  signalled: "failed",
  timedOut: "timed out",
  cancelled: "cancelled",
  notStarted: "could not be started",
  badOutput: "output not usable",
};
const SKIP_TONES: { readonly [S in Status]?: Tone } = {
  untrusted: "warning",
  unapproved: "warning",
  unsupported: "warning",
  notFiredHere: "warning",
  broken: "warning",
  badMatcher: "warning",
};
const RULING_TONES: Readonly<Record<RulingKind, Tone>> = { allow: "good", ask: "warning", deny: "bad", endTurn: "bad", endSession: "bad" };

/** Shells say so with their exit code. Source: POSIX, "Exit Status for Commands". */
const EXIT_WORDS: ReadonlyMap<number, string> = new Map([
  [2, "exit code 2, which refuses nothing here"],
  [126, "failed: not executable (exit code 126)"],
  [127, "failed: command not found (exit code 127)"],
]);
function failure({ status, run, timeoutMs }: StoryEntry): string {
  if (status === "timedOut") return `timed out after ${duration(timeoutMs)}`;
  if (status === "signalled") return `failed: ended by ${run?.signal ?? "a signal"}`;
  if (status !== "exitedOther") return STATUS_WORDS[status];
  if (run?.exitCode === undefined) return "failed: it threw";
  return EXIT_WORDS.get(run.exitCode) ?? `failed: exit code ${run.exitCode}`;
}
