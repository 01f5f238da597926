/** The record: journal lines as a schema, a version and types. What differs between firings is written per firing, what does not is written once. */
import * as z from "zod/mini";
import type { EventName } from "./events.ts";
import type { JsonObject } from "./json.ts";
import { PROBLEM_CODES } from "./problems.ts";
import { STATUSES, type Status } from "./status.ts";

/** Raised when a reader of older lines could misread a newer one. */
export const RECORD_VERSION = 1;

/** The schemas of every line and of its parts. Building them takes longer than all else at start: who only writes lines never does. */
function schemas() {
  const version = z.literal(RECORD_VERSION);
  // Read-only JSON, which is what the stages hand over; zod's own type for it can be written to.
  const object = z.record(z.string(), z.json()) as unknown as z.ZodMiniType<JsonObject>;
  const status = z.enum(STATUSES);
  const place = z.object({ file: z.string(), jsonPath: z.string(), line: z.optional(z.number()), column: z.optional(z.number()) });
  const problem = z.object({
    code: z.enum(PROBLEM_CODES),
    level: z.enum(["error", "warning", "note"]),
    place: z.union([place, z.object({ entry: z.string() }), z.object({ path: z.string() })]),
    hook: z.optional(z.string()),
    what: z.string(),
    expected: z.optional(z.string()),
    found: z.optional(z.string()),
    now: z.string(),
    todo: z.optional(z.string()),
  });

  const entry = z.object({
    id: z.string(),
    key: z.string(),
    dialect: z.optional(z.string()),
    wireName: z.string(),
    scope: z.enum(["code", "flag", "local", "project", "user", "system", "extension", "systemDefaults"]),
    name: z.string(),
    command: z.optional(z.string()),
    matcher: z.optional(z.string()),
    sequential: z.boolean(),
    timeoutMs: z.number(),
    onFailure: z.enum(["allow", "block"]),
    place: z.optional(place),
  });
  /** Once a registry generation: the entries in order. A plan's statuses are positions in this list. */
  const registry = z.object({
    version,
    kind: z.literal("registry"),
    id: z.string(),
    at: z.string(),
    projectDir: z.string(),
    entries: z.array(entry),
    problems: z.array(problem),
  });

  /** Once a (registry, event, variant, subject): every entry's status and why, before anything of this plan runs. */
  const plan = z.object({
    version,
    kind: z.literal("plan"),
    id: z.string(),
    registry: z.string(),
    event: z.string(),
    variant: z.optional(z.string()),
    subject: z.optional(z.string()),
    statuses: z.array(status),
    why: z.record(z.string(), z.string()),
    problems: z.array(problem),
  });

  const run = z.object({
    entry: z.string(),
    status,
    /** How the process or function ended. */
    ended: z.enum(["exited", "signalled", "timedOut", "cancelled", "left", "notStarted", "returned", "threw"]),
    exitCode: z.optional(z.number()),
    signal: z.optional(z.string()),
    message: z.optional(z.string()),
    /** ISO 8601; milliseconds for durations. */
    startedAt: z.string(),
    durationMs: z.number(),
    pid: z.optional(z.number()),
    cwd: z.optional(z.string()),
    shell: z.optional(z.string()),
    /** The object the hook read on stdin, where it differs from the firing's. */
    stdin: z.optional(z.union([object, z.string()])),
    stdout: z.optional(z.string()),
    stderr: z.optional(z.string()),
    stdoutBytes: z.number(),
    stderrBytes: z.number(),
    truncated: z.array(z.enum(["stdout", "stderr"])),
    escaped: z.boolean(),
    withheldVariables: z.optional(z.array(z.string())),
    readAs: z.enum(["object", "text", "otherJson", "nothing", "refusal", "failure", "notRead", "opinion"]),
    output: z.optional(object),
    opinion: object,
    problems: z.array(problem),
  });

  const verdict = z.object({
    ruling: z.optional(z.object({ kind: z.enum(["allow", "ask", "deny", "endTurn", "endSession"]), reason: z.optional(z.string()) })),
    because: z.array(z.string()),
    overruled: z.array(z.string()),
    withheld: z.boolean(),
    steps: z.array(z.object({ entry: z.string(), what: z.string(), did: z.string() })),
    messages: z.array(z.object({ text: z.string(), entry: z.string(), level: z.enum(["info", "warning"]) })),
    contexts: z.array(z.object({ text: z.string(), framed: z.string(), lasts: z.enum(["turn", "history"]), entry: z.string() })),
  });

  /** One firing in which something ran. Statuses of the others stand in its plan, `changed` holds those this firing decided itself. */
  const fired = z.object({
    version,
    kind: z.literal("fired"),
    id: z.string(),
    plan: z.string(),
    event: z.string(),
    session: z.string(),
    agent: z.optional(z.object({ id: z.string(), type: z.string() })),
    at: z.string(),
    durationMs: z.number(),
    cwd: z.string(),
    /** Absent where a hook asked to keep it out of logs (`quiet`). */
    facts: z.optional(object),
    quiet: z.boolean(),
    runs: z.array(run),
    changed: z.record(z.string(), z.object({ status, why: z.optional(z.string()) })),
    verdict,
    outcome: object,
    problems: z.array(problem),
    /** `<dialect>:<id>` of every divergence that this record shows. */
    divergences: z.array(z.string()),
  });

  /** Firings of one plan in which nothing ran: the plan holds every status; only the count grows. */
  const quiet = z.object({
    version,
    kind: z.literal("quiet"),
    plan: z.string(),
    event: z.string(),
    session: z.string(),
    count: z.number(),
    firstAt: z.string(),
    lastAt: z.string(),
  });

  /** A run that the firing did not wait for, when it ends. Joins its firing by id; the earlier line is never edited. */
  const late = z.object({ version, kind: z.literal("late"), firing: z.string(), run });

  return { entry, run, verdict, lines: z.discriminatedUnion("kind", [registry, plan, fired, quiet, late]) };
}

export const journalLineSchema = z.lazy(() => schemas().lines);

type Schemas = ReturnType<typeof schemas>;
export type EntryRecord = z.infer<Schemas["entry"]>;
export type RunRecord = z.infer<Schemas["run"]>;
export type VerdictRecord = z.infer<Schemas["verdict"]>;
export type JournalLine = z.infer<Schemas["lines"]>;
export type RegistryRecord = Extract<JournalLine, { kind: "registry" }>;
export type PlanRecord = Extract<JournalLine, { kind: "plan" }>;
export type FiredRecord = Extract<JournalLine, { kind: "fired" }>;
export type QuietRecord = Extract<JournalLine, { kind: "quiet" }>;
export type LateRecord = Extract<JournalLine, { kind: "late" }>;
export type FiringRecord = FiredRecord | QuietRecord;

export interface StoryEntry extends EntryRecord {
  readonly status: Status;
  readonly why: string | undefined;
  readonly run: RunRecord | undefined;
}
/** A firing joined with its plan and registry: one value that explains, tests and statistics are views of. */
export interface Story {
  readonly event: EventName;
  readonly variant: string | undefined;
  readonly subject: string | undefined;
  readonly projectDir: string;
  /** Every configured entry, in order. */
  readonly entries: readonly StoryEntry[];
  /** Those that ran, in order. */
  readonly ran: readonly (StoryEntry & { readonly run: RunRecord })[];
  readonly fired: FiredRecord;
}

/** The published JSON Schema of a journal line. Open: a later version may add keys. */
export const journalJsonSchema = (): object => z.toJSONSchema(schemas().lines, { io: "input" });
