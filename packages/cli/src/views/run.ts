/** Tells one hook's run: how it was started, how it ended, what it printed, and how that was read. */
import { dialectById, isObject, type Json, type JsonObject, type RunRecord, type StoryEntry, statusClass } from "@carabiner/engine";
import { RULING_WORDS, rulingOf, SLOT_NAMES } from "./became.ts";
import { clippedLines, jsonLines, quoted } from "./block.ts";
import { duration } from "./duration.ts";
import { oneLine } from "./fit.ts";
import { LABEL_WIDTH, type Row } from "./labelled.ts";
import { homePath } from "./origin.ts";
import { problemBody } from "./problems.ts";

export interface RunContext {
  /** When and where the firing began. */
  readonly at: string;
  readonly cwd: string;
  readonly home: string;
  readonly columns: number;
  readonly indent: string;
  /** The firing is kept off the records: what was printed is not known. */
  readonly quiet: boolean;
  /** Failed hooks before this one from which the same variables were kept: the first one's name. */
  readonly sameWithheldAs: string | undefined;
  /** Puts names in the place of ids. */
  readonly named: (text: string) => string;
}

export function runRows(entry: StoryEntry, run: RunRecord, context: RunContext): readonly Row[] {
  const width = context.columns - context.indent.length - LABEL_WIDTH - 2;
  return [
    { label: "time", text: timing(entry, run, context.at) },
    ...processRow(run, context),
    { label: "ended", text: ending(entry, run) },
    ...(run.stdin === undefined ? [] : [{ label: "stdin", lines: jsonLines(run.stdin, width) }]),
    ...printed("stdout", run, context, width),
    ...printed("stderr", run, context, width),
    { label: "taken as", text: READ_AS[run.readAs] },
    ...saidRows(run.opinion, width),
    ...run.problems.map((one) => ({ label: one.level, text: context.named(problemBody(one)) })),
    ...withheldRow(entry, run, context),
  ];
}

/** How output was read, for people who do not know the words of the record. */
const READ_AS: Readonly<Record<RunRecord["readAs"], string>> = {
  object: "one JSON object: its fields count",
  text: "plain text, which is not one JSON object",
  otherJson: "JSON that is no object",
  nothing: "nothing said: it printed nothing on stdout",
  refusal: "exit code 2: stdout is not read",
  failure: "a failure: nothing it printed counts",
  notRead: "not read",
  opinion: "the answer of a function",
};

function timing({ timeoutMs }: StoryEntry, { startedAt, durationMs }: RunRecord, at: string): string {
  const after = Math.max(0, Date.parse(startedAt) - Date.parse(at));
  return `took ${duration(durationMs)} (limit ${duration(timeoutMs)}), began ${duration(after)} after the event`;
}

function processRow({ pid, cwd, shell }: RunRecord, context: RunContext): readonly Row[] {
  if (pid === undefined) return [];
  const where = cwd === undefined || cwd === context.cwd ? "" : ` in ${homePath(cwd, context.home)}`;
  return [{ label: "process", text: `${pid}${where}${shell === undefined ? "" : `, started as ${shell}`}` }];
}

function ending({ timeoutMs }: StoryEntry, run: RunRecord): string {
  switch (run.ended) {
    case "exited":
      return `by itself, with exit code ${run.exitCode ?? "unknown"}`;
    case "signalled":
      return `by ${run.signal ?? "a signal"}`;
    case "timedOut":
      return `by carabiner, after its timeout of ${duration(timeoutMs)}`;
    case "cancelled":
      return "by carabiner: the firing was aborted";
    case "left":
      return "not yet: the firing does not wait for it";
    case "notStarted":
      return `before it began: ${run.message ?? "it could not be started"}`;
    case "returned":
      return "by returning";
    case "threw":
      return `by throwing: ${run.message ?? ""}`;
  }
}

function printed(stream: "stdout" | "stderr", run: RunRecord, { quiet }: RunContext, width: number): readonly Row[] {
  const text = run[stream];
  const bytes = stream === "stdout" ? run.stdoutBytes : run.stderrBytes;
  if (bytes === 0) return [{ label: stream, text: "nothing" }];
  if (text === undefined)
    return [{ label: stream, text: `${size(bytes)}${quiet ? ", which the hook asked to keep off the records" : ""}` }];
  const cut = run.truncated.includes(stream) ? [`[${size(bytes)} in all: more than the limit, and cut off]`] : [];
  return [{ label: stream, lines: [...clippedLines(text, width - 2).map((line) => `| ${line}`.trimEnd()), ...cut] }];
}
const size = (bytes: number): string => (bytes === 1 ? "1 byte" : `${bytes} bytes`);

/** Each thing the answer holds; what is long or foreign stands behind a bar. */
function saidRows(opinion: JsonObject, width: number): readonly Row[] {
  return Object.entries(opinion).map(([slot, value]): Row => {
    const kind = slot === "ruling" ? rulingOf(opinion) : undefined;
    const name = kind === undefined ? (SLOT_NAMES[slot] ?? slot) : RULING_WORDS[kind];
    const told: Json | undefined = kind === undefined ? value : reasonIn(value);
    if (told === undefined || told === true) return { label: "says", text: name };
    if (slot === "input" && isObject(told))
      return {
        label: "says",
        lines: [
          `${name}${told["how"] === "whole" ? ", all of them" : ""}:`,
          ...quoted(jsonLines(told["value"] ?? told, width - 2).join("\n"), "", width),
        ],
      };
    return { label: "says", lines: [`${name}:`, ...quoted(jsonLines(told, width - 2).join("\n"), "", width)] };
  });
}
const reasonIn = (ruling: Json): Json | undefined => (isObject(ruling) ? ruling["reason"] : undefined);

/** A failed hook may have missed a variable: what was kept from it, and which setting hands it over. */
function withheldRow(
  { dialect: id, status }: StoryEntry,
  { withheldVariables = [] }: RunRecord,
  { sameWithheldAs }: RunContext,
): readonly Row[] {
  if (withheldVariables.length === 0 || statusClass(status) !== "failed") return [];
  if (sameWithheldAs !== undefined) return [{ label: "kept from it", text: `the same variables as from ${sameWithheldAs}` }];
  const setting = (id === undefined ? undefined : dialectById(id))?.sanitising.allowed;
  const how = setting === undefined ? "" : ` The setting ${setting} hands them over.`;
  return [{ label: "kept from it", text: `${withheldVariables.map(oneLine).join(", ")}: variables that look like secrets.${how}` }];
}
