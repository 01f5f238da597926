/** Stories for the tests of views, made from lines as the journal holds them. */
import {
  type EntryRecord,
  type FiredRecord,
  joined,
  type PlanRecord,
  RECORD_VERSION,
  type RegistryRecord,
  type RunRecord,
  type Status,
  type Story,
} from "@carabiner/engine";
import type { ViewOptions } from "../src/views/index.ts";

export const PLAIN: ViewOptions = { columns: 80, colour: false, home: "/home/ada", timeZone: "UTC" };
const AT = "2026-03-01T12:00:00.000Z";

/** A hook of the project's settings, and what became of it. */
export interface Hook {
  readonly entry?: Partial<EntryRecord>;
  readonly status: Status;
  readonly why?: string;
  readonly run?: Partial<RunRecord>;
}

export function entryOf(name: string, place: number, more: Partial<EntryRecord> = {}): EntryRecord {
  return {
    id: `gemini:project:BeforeTool[${place}].hooks[0]`,
    key: `key-${name}`,
    dialect: "gemini",
    wireName: "BeforeTool",
    scope: "project",
    name,
    command: `./${name}.sh`,
    matcher: "write_file",
    sequential: false,
    timeoutMs: 60_000,
    onFailure: "allow",
    place: { file: "/home/ada/work/.gemini/settings.json", jsonPath: `hooks.BeforeTool[${place}].hooks[0]`, line: 5 + place, column: 9 },
    ...more,
  };
}

export function runOf(entry: string, status: Status, more: Partial<RunRecord> = {}): RunRecord {
  return {
    entry,
    status,
    ended: "exited",
    exitCode: 0,
    startedAt: AT,
    durationMs: 3,
    pid: 4711,
    cwd: "/home/ada/work",
    shell: "bash",
    stdout: "",
    stderr: "",
    stdoutBytes: more.stdout?.length ?? 0,
    stderrBytes: more.stderr?.length ?? 0,
    truncated: [],
    escaped: false,
    readAs: "nothing",
    opinion: {},
    problems: [],
    ...more,
  };
}

/** Hooks in order, by name; `more` is laid over the firing's line. */
export function storyOf(
  hooks: Readonly<Record<string, Hook>>,
  more: Partial<FiredRecord> = {},
  moment: Partial<Pick<PlanRecord, "event" | "subject" | "variant">> = {},
): Story {
  const all = Object.entries(hooks).map(([name, hook], i) => ({ hook, entry: entryOf(name, i, hook.entry) }));
  const event = moment.event ?? "beforeTool";
  const registry: RegistryRecord = {
    version: RECORD_VERSION,
    kind: "registry",
    id: "a1b2c3.r1",
    at: AT,
    projectDir: "/home/ada/work",
    entries: all.map(({ entry }) => entry),
    problems: [],
  };
  const plan: PlanRecord = {
    version: RECORD_VERSION,
    kind: "plan",
    id: "a1b2c3.r1.1",
    registry: registry.id,
    event,
    subject: "write_file",
    ...moment,
    statuses: all.map(({ hook }) => hook.status),
    why: Object.fromEntries(all.flatMap(({ hook }, i) => (hook.why === undefined ? [] : [[String(i), hook.why]]))),
    problems: [],
  };
  const fired: FiredRecord = {
    version: RECORD_VERSION,
    kind: "fired",
    id: "a1b2c3-1",
    plan: plan.id,
    event,
    session: "session-1",
    at: AT,
    durationMs: 12,
    cwd: "/home/ada/work",
    facts: { tool: { name: "write_file", input: { file_path: "notes.txt" } } },
    quiet: false,
    runs: all.flatMap(({ hook, entry }) => (hook.run ? [runOf(entry.id, hook.status, hook.run)] : [])),
    changed: {},
    verdict: { because: [], overruled: [], withheld: false, steps: [], messages: [], contexts: [] },
    outcome: { action: "proceed" },
    problems: [],
    divergences: [],
    ...more,
  };
  const story = joined(registry, plan, fired);
  if (!story) throw new Error("These lines do not join.");
  return story;
}

/** The id of the hook at that place. */
export const idAt = (place: number): string => `gemini:project:BeforeTool[${place}].hooks[0]`;

/** Two hooks that disagree: the denial wins. */
export const denied = (): Story =>
  storyOf(
    {
      guard: {
        status: "ok",
        run: {
          exitCode: 2,
          stderr: "Not this file.\n",
          readAs: "refusal",
          opinion: { ruling: { kind: "deny", reason: "Not this file." } },
        },
      },
      asker: {
        status: "ok",
        run: { stdout: '{"decision":"ask"}', readAs: "object", output: { decision: "ask" }, opinion: { ruling: { kind: "ask" } } },
      },
    },
    {
      verdict: {
        ruling: { kind: "deny", reason: "Not this file." },
        because: [idAt(0)],
        overruled: [idAt(1)],
        withheld: true,
        steps: [
          { entry: idAt(0), what: "ruling", did: "says deny, and nothing said is stronger" },
          { entry: idAt(1), what: "ruling", did: "says ask, and is overruled by something stronger" },
        ],
        messages: [],
        contexts: [],
      },
      outcome: { action: "block", reason: "Not this file." },
      divergences: ["gemini:D26"],
    },
  );

/** A hook that was not called, one that failed and from which variables were kept, and one that printed a lot, in a sub-agent. */
export const mixed = (): Story =>
  storyOf(
    {
      format: { status: "notMatched", why: 'its matcher "replace" does not fit "write_file"', entry: { matcher: "replace" } },
      twice: { status: "duplicate", why: `the same hook is configured at ${idAt(3)}, and runs from there` },
      upload: {
        status: "exitedOther",
        run: {
          exitCode: 127,
          stderr: "bash: line 1: \u001b[31m./upload.sh\u001b[0m: No such file or directory",
          readAs: "failure",
          withheldVariables: ["DEPLOY_TOKEN"],
          problems: [
            {
              code: "HOOK_NOT_FOUND",
              level: "warning",
              place: { entry: idAt(2) },
              what: "The hook's command was not found by bash (exit code 127).",
              now: "The action goes on as if the hook had said nothing.",
              todo: "Check the path and the PATH variable.",
            },
          ],
        },
      },
      counter: {
        status: "ok",
        run: {
          stdout: Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join("\n"),
          stdoutBytes: 280,
          readAs: "text",
          opinion: { message: "40 lines", input: { how: "merge", value: { content: "x" } } },
        },
      },
      later: {
        status: "notMatched",
        why: "it is for AfterTool",
        entry: { id: "gemini:user:AfterTool[0].hooks[0]", wireName: "AfterTool" },
      },
    },
    {
      agent: { id: "agent-7", type: "reviewer" },
      cwd: "/home/ada/work/sub",
      facts: { tool: { name: "write_file", input: { file_path: "a".repeat(70), content: "one\ntwo" } } },
      verdict: {
        because: [],
        overruled: [],
        withheld: false,
        steps: [
          { entry: idAt(3), what: "message", did: "counts" },
          { entry: idAt(3), what: "input", did: "is applied" },
        ],
        messages: [
          { text: "The hook's command was not found.", entry: idAt(2), level: "warning" },
          { text: "40 lines", entry: idAt(3), level: "info" },
        ],
        contexts: [],
      },
      outcome: { action: "proceed", input: { content: "x" } },
      problems: [
        {
          code: "REWRITES_COLLIDE",
          level: "warning",
          place: { entry: idAt(3) },
          what: `This hook and ${idAt(2)} both changed content.`,
          now: "The later one in configured order counts.",
        },
      ],
      divergences: ["gemini:D21", "gemini:D7", "elsewhere:X1"],
    },
  );

/** A hook that asked to keep the firing off the records. */
export const quiet = (): Story =>
  storyOf(
    {
      secret: {
        status: "ok",
        run: {
          readAs: "object",
          stdout: undefined,
          stderr: undefined,
          stdoutBytes: 64,
          opinion: { ruling: { kind: "deny" }, quiet: true },
        },
      },
    },
    {
      quiet: true,
      facts: undefined,
      verdict: {
        ruling: { kind: "deny" },
        because: [idAt(0)],
        overruled: [],
        withheld: true,
        steps: [{ entry: idAt(0), what: "quiet", did: "counts" }],
        messages: [],
        contexts: [],
      },
      outcome: { action: "block" },
    },
  );
