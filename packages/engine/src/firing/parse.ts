/** Turns how a hook's run ended and what it printed into a Report in neutral words. */
import type { AnyRow } from "../dialects/index.ts";
import {
  type Entry,
  isObject,
  type Json,
  type JsonObject,
  type Opinion,
  type Problem,
  type ProblemCode,
  type ProblemFacts,
  problem,
  type ReadAs,
  type Report,
  type Run,
  type Status,
  shown,
  tail,
} from "../protocol/index.ts";
import { isPlainJson, MAX_DEPTH, shallow } from "./depth.ts";
import { type Asked, readOutput, standardReason } from "./read-output.ts";
import { rulingIn } from "./ruling-in-text.ts";

type Exited = Extract<Run, { readonly kind: "exited" }>;
type Answer = Pick<Report, "status" | "readAs" | "output" | "opinion">;
type Note = <C extends ProblemCode>(code: C, facts: ProblemFacts[C]) => void;

/** Never throws: whatever a hook does is a value. */
export function parse(entry: Entry, run: Run, asked: Asked, maxStdoutBytes: number): Report {
  const problems: Problem[] = [...run.problems];
  const note: Note = (code, facts) => problems.push(problem(code, { entry: entry.id }, facts, entry.name));
  if (run.escaped) note("HOOK_ESCAPED", {});
  if (run.truncated.includes("stderr")) note("OUTPUT_TRUNCATED", { stream: "stderr", bytes: run.stderrBytes, max: run.stderr.length });
  const answer = answered(entry, run, asked, maxStdoutBytes, note, problems);
  return {
    entry,
    run,
    problems,
    contextLasts: asked.row.contextLasts ?? "turn",
    frame: asked.dialect.frame,
    quietHidesMessage: asked.dialect.quietHides === "message",
    ...answer,
  };
}

function answered(entry: Entry, run: Run, asked: Asked, maxStdoutBytes: number, note: Note, problems: Problem[]): Answer {
  const before = problems.length;
  const failed = (status: Status, readAs: ReadAs = "failure"): Answer => {
    const opinion = failure(entry, asked.row, status, note);
    // What went wrong is told in general words, which say that the action goes on: here it does not. What was told before is no failure.
    if (opinion.ruling) problems.push(...problems.splice(before).map((found) => ({ ...found, now: DENIED })));
    return { status, readAs, output: undefined, opinion };
  };
  switch (run.kind) {
    case "returned":
      return { status: "ok", readAs: "opinion", output: undefined, opinion: run.opinion ?? {} };
    case "threw":
      note("HOOK_THREW", { message: run.message });
      return failed("exitedOther");
    case "signalled":
      note("HOOK_SIGNALLED", { signal: run.signal, stderr: tail(run.stderr) });
      return failed("signalled");
    case "timedOut":
      note("HOOK_TIMED_OUT", { afterMs: run.afterMs });
      return failed("timedOut");
    case "notStarted":
      note("HOOK_NOT_STARTED", { message: run.message });
      return failed("notStarted");
    case "cancelled":
      return { status: "cancelled", readAs: "notRead", output: undefined, opinion: {} };
    case "left":
      return { status: "left", readAs: "notRead", output: undefined, opinion: {} };
    case "exited":
      break;
  }
  if (run.exitCode === 2) return refused(entry, run, asked, note);
  if (run.exitCode !== 0) {
    noteExit(run, asked, note);
    return failed("exitedOther");
  }
  if (run.truncated.includes("stdout")) {
    note("OUTPUT_TRUNCATED", { stream: "stdout", bytes: run.stdoutBytes, max: maxStdoutBytes });
    return failed("badOutput", "notRead");
  }
  const printed = printedBy(run.stdout, asked.dialect.decodesTwice);
  if (printed.as === "nothing") noteLost("stderr", run.stderr, asked.row, note);
  if (printed.as === "nothing") return { status: "ok", readAs: "nothing", output: undefined, opinion: {} };
  if (printed.as === "object") {
    for (const path of printed.dropped) note("OUTPUT_BAD_VALUE", { path, expected: NOT_DEEP, found: "something deeper" });
    const read = readOutput(printed.object, asked);
    problems.push(...read.problems);
    return { status: "ok", readAs: "object", output: printed.object, opinion: read.opinion };
  }
  if (printed.as === "otherJson" && asked.dialect.otherJson === "noOpinion") {
    note("OUTPUT_NOT_OBJECT", { found: isPlainJson(printed.value) ? shown(printed.value) : "deeply nested JSON" });
    noteLost("stdout", printed.text, asked.row, note);
    return failed("badOutput", "otherJson");
  }
  return plainText(entry, printed.text, asked.row, note, failed);
}

const DENIED = "The action is denied, because the hook is set to block on failure.";

/** Exit 2: the event's denial, with stderr as the reason; stdout is not read. Source: both contracts, "Exit codes". */
function refused(entry: Entry, run: Exited, { row, wireName }: Asked, note: Note): Answer {
  const given = run.stderr.trim();
  const answer = { readAs: "refusal", output: undefined } as const;
  if (row.exit2 === "ignored") {
    note("EXIT_2_IGNORED", { event: wireName, stderr: tail(run.stderr) });
    return { ...answer, status: "exitedOther", opinion: {} };
  }
  if (row.exit2 === "context") {
    const context = given === "" ? `The hook "${entry.name}" exited with code 2 without saying why.` : given;
    return { ...answer, status: "ok", opinion: { context } };
  }
  const reason = given === "" ? (standardReason("deny", entry.name) ?? "") : given;
  if (given === "") note("REASON_MISSING", { used: reason });
  return { ...answer, status: "ok", opinion: { ruling: { kind: "deny", reason } } };
}

function noteExit(run: Exited, asked: Asked, note: Note): void {
  const { exitCode } = run;
  const stderr = tail(run.stderr);
  const shell = run.shell ?? "the shell";
  const printed = printedBy(run.stdout, asked.dialect.decodesTwice);
  const ruled = printed.as === "object" && readOutput(printed.object, asked).opinion.ruling !== undefined;
  // Most programs say no with 1.
  const refusesWith = exitCode === 1 && asked.row.exit2 === "deny" && !ruled ? 2 : undefined;
  if (exitCode === 127) note("HOOK_NOT_FOUND", { stderr, shell });
  else if (exitCode === 126) note("HOOK_NOT_EXECUTABLE", { stderr, shell });
  else note("HOOK_EXITED", { exitCode, stderr, refusesWith });
  if (ruled) note("OUTPUT_EXIT_1_DENIAL", { exitCode });
}

/** A ruling that nobody reads is no ruling; who wrote it is told so. Nothing is decided by it. */
function noteLost(stream: "stdout" | "stderr", text: string, row: AnyRow, note: Note): void {
  const found = rulingIn(text, row);
  if (found !== undefined) note("OUTPUT_RULING_LOST", { stream, found });
}

function plainText(entry: Entry, text: string, row: AnyRow, note: Note, failed: (status: Status, readAs?: ReadAs) => Answer): Answer {
  const meantJson = text.startsWith("{") || (text.endsWith("}") && /\n[ \t]*\{/.test(text));
  const hint = meantJson
    ? "It looks like JSON with something before, after or wrong in it: stdout must hold one JSON object and nothing else. Send logging to stderr."
    : undefined;
  const now = {
    message: "The action is allowed, and the text is shown to the user.",
    context: "The text is added to the conversation.",
    noted: "It is recorded, and decides nothing.",
  }[row.plainText];
  // Text for the conversation may be about hooks.
  if (row.plainText !== "context" || meantJson) {
    note("OUTPUT_NOT_JSON", { found: shown(text, 120), now, hint });
    noteLost("stdout", text, row, note);
  }
  if (entry.onFailure === "block" && row.plainText !== "context") return failed("badOutput", "text");
  const opinion: Opinion = row.plainText === "message" ? { message: text } : row.plainText === "context" ? { context: text } : {};
  return { status: meantJson ? "badOutput" : "ok", readAs: "text", output: undefined, opinion };
}

/** A hook that failed says nothing, unless it is set to block on failure where a denial is possible. */
function failure(entry: Entry, row: AnyRow, status: Status, note: Note): Opinion {
  if (entry.onFailure !== "block" || !row.failClosed) return {};
  note("HOOK_FAILED_CLOSED", { status });
  return { ruling: { kind: "deny", reason: `The hook "${entry.name}" failed (${status}) and is set to block on failure.` } };
}

const NOT_DEEP = `JSON that nests at most ${MAX_DEPTH} deep`;
type Printed =
  | { readonly as: "nothing" }
  | { readonly as: "object"; readonly object: JsonObject; readonly dropped: readonly string[] }
  | { readonly as: "otherJson"; readonly value: Json; readonly text: string }
  | { readonly as: "text"; readonly text: string };
function printedBy(stdout: string, decodesTwice: boolean): Printed {
  const text = stdout.replace(/^\uFEFF/, "").trim();
  if (text === "") return { as: "nothing" };
  const value = decoded(text);
  const inner = typeof value === "string" && decodesTwice ? (decoded(value) ?? value) : value;
  if (inner === undefined) return { as: "text", text };
  return isObject(inner)
    ? { as: "object", ...shallow(inner, typeof value === "string" ? value : text) }
    : { as: "otherJson", value: inner, text };
}
function decoded(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // not JSON: it is text, and its row says what that means
  }
}
