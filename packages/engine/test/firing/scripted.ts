// Turns a few words into entries and answers, and takes them through the real stages of a firing, without processes.
import { DIALECTS, type Dialect, type SessionWords } from "../../src/dialects/index.ts";
import { admitted, type Fired, fire, type HookCall, plan, subjectOf, subjectsOf, variantOf } from "../../src/firing/index.ts";
import {
  type Entry,
  type EventName,
  type Facts,
  type JsonObject,
  type Opinion,
  type Plan,
  type Registry,
  type Report,
  type Run,
  type ToolWords,
  translator,
} from "../../src/protocol/index.ts";
import { harbour } from "./harbour.ts";

export const gemini = DIALECTS.find((dialect) => dialect.id === "gemini") as Dialect;
/** Every dialect there is, and one made up. */
export const dialects: ReadonlyMap<string, Dialect> = new Map([...DIALECTS, harbour].map((dialect) => [dialect.id, dialect]));

/** What a hook answers: an object to print, or the parts of a run. `see` is told what it read. */
export interface Answer {
  readonly out?: unknown;
  readonly text?: string;
  readonly err?: string;
  readonly exit?: number;
  readonly run?: Partial<Run> & { readonly kind: Run["kind"] };
  readonly afterMs?: number;
}
export interface Scripted {
  readonly entry: Entry;
  readonly answer: Answer | ((stdin: JsonObject) => Answer);
}

let count = 0;
/** An entry of the project, alone in its lane, that runs a command; everything else as `more` says. */
export function entryOf(dialect: string | undefined, wireName: string, more: Partial<Entry> = {}): Entry {
  const order = count++;
  const name = more.name ?? `h${order}`;
  return {
    id: `${dialect ?? "code"}:${wireName}#${order}`,
    key: `k${order}`,
    dialect,
    wireName,
    scope: dialect === undefined ? "code" : "project",
    place: undefined,
    order,
    lane: order,
    same: `s${order}`,
    name,
    description: undefined,
    matcher: undefined,
    run: { kind: "shell", command: `cmd-${order}`, env: {} },
    timeoutMs: 60_000,
    timeoutGiven: false,
    condition: undefined,
    once: false,
    background: false,
    onFailure: "allow",
    budgetMs: undefined,
    sequential: false,
    barred: undefined,
    written: { event: wireName },
    ...more,
  };
}
export const hook = (wireName: string, answer: Scripted["answer"] = {}, more: Partial<Entry> = {}): Scripted => ({
  entry: entryOf("gemini", wireName, more),
  answer,
});
export const other = (wireName: string, answer: Scripted["answer"] = {}, more: Partial<Entry> = {}): Scripted => ({
  entry: entryOf("harbour", wireName, more),
  answer,
});
/** A function of the host that says this. */
export const coded = (event: EventName, said: unknown, more: Partial<Entry> = {}): Scripted => ({
  entry: entryOf(undefined, event, { run: { kind: "function", call: () => undefined }, ...more }),
  answer: { run: { kind: "returned", opinion: said as Opinion } },
});

export const WORDS: SessionWords = {
  id: "s1",
  cwd: "/p/sub",
  projectDir: "/p",
  transcriptPath: "/p/t.jsonl",
  plansDir: "/p/plans",
  permissionMode: "default",
  agent: undefined,
  firedAt: "2026-11-30T00:00:00.000Z",
};

const UNSEEN = {
  startedAt: 1,
  durationMs: 2,
  stdout: "",
  stderr: "",
  stdoutBytes: 0,
  stderrBytes: 0,
  truncated: [],
  escaped: false,
  problems: [],
};
export function runOf(answer: Answer): Run {
  if (answer.run) return { ...UNSEEN, ...answer.run } as Run;
  const stdout = answer.out === undefined ? (answer.text ?? "") : JSON.stringify(answer.out);
  const stderr = answer.err ?? "";
  return { ...UNSEEN, stdout, stderr, stdoutBytes: stdout.length, stderrBytes: stderr.length, kind: "exited", exitCode: answer.exit ?? 0 };
}

export const registryOf = (hooks: readonly Scripted[]): Registry => ({
  generation: 1,
  entries: hooks.map(({ entry }) => entry),
  problems: [],
});

export function planOf(event: EventName, facts: Facts[EventName], entries: readonly Entry[], host: ToolWords = gemini.tools): Plan {
  return plan(
    { generation: 1, entries, problems: [] },
    dialects,
    {
      event,
      variant: variantOf(event, facts),
      subject: subjectOf(event, facts),
      subjects: (dialect, row) => subjectsOf(row, event, facts, translator(host, dialect.tools)),
    },
    "p1",
    () => true,
  );
}

export interface Acted<E extends EventName> extends Fired<E> {
  readonly plan: Plan;
  /** What each hook read, in the order in which they started. */
  readonly saw: readonly JsonObject[];
  readonly late: readonly Promise<Report>[];
}

/** One firing of these hooks. */
export async function act<E extends EventName>(
  event: E,
  facts: Facts[E],
  hooks: readonly Scripted[],
  host: ToolWords = gemini.tools,
): Promise<Acted<E>> {
  const saw: JsonObject[] = [];
  const late: Promise<Report>[] = [];
  const made = planOf(
    event,
    facts,
    hooks.map(({ entry }) => entry),
    host,
  );
  const answerOf = async ({ entry, input }: HookCall): Promise<Run> => {
    const scripted = hooks.find((one) => one.entry === entry);
    if (!scripted) throw new Error(`no answer for ${entry.id}`);
    const stdin = input ? (JSON.parse(Buffer.from(input.bytes()).toString("utf8")) as JsonObject) : {};
    if (input) saw.push(stdin);
    const answer = typeof scripted.answer === "function" ? scripted.answer(stdin) : scripted.answer;
    if (answer.afterMs !== undefined) await new Promise((done) => setTimeout(done, answer.afterMs));
    return runOf(answer);
  };
  const fired = await fire(
    {
      dialects,
      translate: (dialect) => translator(host, dialect.tools),
      session: WORDS,
      maxStdoutBytes: 64 * 1024 * 1024,
      aborted: () => false,
      run: answerOf,
      reported: () => undefined,
      later: (report) => late.push(report),
    },
    event,
    facts,
    admitted(made.candidates, () => undefined).entries,
  );
  return { ...fired, plan: made, saw, late };
}

/** Codes of all problems of one firing, reports first. */
export const codes = ({ reports, verdict }: Fired<EventName>): string[] => [
  ...reports.flatMap((report) => report.problems.map((found) => found.code)),
  ...verdict.problems.map((found) => found.code),
];

export const shellCall = (input: JsonObject = { command: "rm -rf build", dir_path: "/p" }): Facts["beforeTool"] => ({
  tool: { name: "run_shell_command", input, callId: "c1" },
});
