/** Turns a line as the engine tells it into the line as it is kept: bounded, and without secrets. Identifiers, times and words of closed lists stay as they are. */
import type {
  EntryRecord,
  FiredRecord,
  JournalLine,
  JsonObject,
  PlanRecord,
  RegistryRecord,
  RunRecord,
  VerdictRecord,
} from "../protocol/index.ts";
import { clipStrings, clipText } from "./clip.ts";
import type { Redactor } from "./redact.ts";
import { snapshot } from "./snapshot.ts";

/** Copies what a host or a hook's owner may still change. Cheap: strings are shared, and large structures are cut. */
export function snapshotLine(line: JournalLine): JournalLine {
  if (line.kind === "fired") {
    const facts = line.facts && { facts: snapshot(line.facts) };
    return { ...line, ...facts, runs: line.runs.map(snapshotRun), outcome: snapshot(line.outcome) };
  }
  return line.kind === "late" ? { ...line, run: snapshotRun(line.run) } : line;
}
function snapshotRun(run: RunRecord): RunRecord {
  return {
    ...run,
    ...(typeof run.stdin === "object" ? { stdin: snapshot(run.stdin) } : {}),
    ...(run.output ? { output: snapshot(run.output) } : {}),
    opinion: snapshot(run.opinion),
  };
}

interface Keeper {
  readonly text: (text: string) => string;
  readonly json: (value: JsonObject) => JsonObject;
}
/** What is kept of a snapshot: texts and JSON are clipped first, never within a secret, then redacted. */
export function createKeeper(redactor: Redactor): (line: JournalLine) => JournalLine {
  const keeper: Keeper = {
    text: (text) => redactor.text(clipText(text, undefined, redactor.cut)),
    json: (value) => redactor.json(clipStrings(value, undefined, redactor.cut)),
  };
  return (line) => kept(line, keeper);
}

function kept(line: JournalLine, keeper: Keeper): JournalLine {
  switch (line.kind) {
    case "registry":
      return keptRegistry(line, keeper);
    case "plan":
      return keptPlan(line, keeper);
    case "fired":
      return keptFired(line, keeper);
    case "late":
      return { ...line, run: keptRun(line.run, keeper) };
    case "quiet":
      return line;
  }
}

function keptRegistry(line: RegistryRecord, { text, json }: Keeper): RegistryRecord {
  const entry = (one: EntryRecord): EntryRecord => ({
    ...one,
    name: text(one.name),
    ...mapped("command", one.command, text),
    ...mapped("matcher", one.matcher, text),
  });
  return {
    ...line,
    projectDir: text(line.projectDir),
    entries: line.entries.map(entry),
    problems: problems(line.problems, { text, json }),
  };
}

function keptPlan(line: PlanRecord, keeper: Keeper): PlanRecord {
  const why = Object.fromEntries(Object.entries(line.why).map(([index, reason]) => [index, keeper.text(reason)]));
  return { ...line, ...mapped("subject", line.subject, keeper.text), why, problems: problems(line.problems, keeper) };
}

function keptFired(line: FiredRecord, keeper: Keeper): FiredRecord {
  const { text, json } = keeper;
  return {
    ...line,
    cwd: text(line.cwd),
    ...mapped("facts", line.facts, json),
    runs: line.runs.map((run) => keptRun(run, keeper)),
    changed: Object.fromEntries(
      Object.entries(line.changed).map(([id, change]) => [id, { ...change, ...mapped("why", change.why, text) }]),
    ),
    verdict: keptVerdict(line.verdict, keeper),
    outcome: json(line.outcome),
    problems: problems(line.problems, keeper),
  };
}

function keptRun(run: RunRecord, keeper: Keeper): RunRecord {
  const { text, json } = keeper;
  return {
    ...run,
    ...mapped("message", run.message, text),
    ...mapped("cwd", run.cwd, text),
    ...mapped("stdin", run.stdin, (stdin) => (typeof stdin === "string" ? text(stdin) : json(stdin))),
    ...mapped("stdout", run.stdout, text),
    ...mapped("stderr", run.stderr, text),
    ...mapped("output", run.output, json),
    opinion: json(run.opinion),
    problems: problems(run.problems, keeper),
  };
}

function keptVerdict(verdict: VerdictRecord, { text }: Keeper): VerdictRecord {
  return {
    ...verdict,
    ...mapped("ruling", verdict.ruling, (ruling) => ({ ...ruling, ...mapped("reason", ruling.reason, text) })),
    steps: verdict.steps.map((step) => ({ ...step, did: text(step.did) })),
    messages: verdict.messages.map((message) => ({ ...message, text: text(message.text) })),
    contexts: verdict.contexts.map((context) => ({ ...context, text: text(context.text), framed: text(context.framed) })),
  };
}

type ProblemRecord = RunRecord["problems"][number];
function problems(list: readonly ProblemRecord[], { text }: Keeper): ProblemRecord[] {
  return list.map((one) => ({
    ...one,
    place: placed(one.place, text),
    ...mapped("hook", one.hook, text),
    what: text(one.what),
    ...mapped("expected", one.expected, text),
    ...mapped("found", one.found, text),
    now: text(one.now),
    ...mapped("todo", one.todo, text),
  }));
}
function placed(place: ProblemRecord["place"], text: (text: string) => string): ProblemRecord["place"] {
  return "path" in place ? { path: text(place.path) } : place;
}

function mapped<K extends string, V, R>(key: K, value: V | undefined, map: (value: V) => R): { readonly [P in K]?: R } {
  return value === undefined ? {} : ({ [key]: map(value) } as { readonly [P in K]?: R });
}
