/** Turns answers a person gave ("for this session", "always for this project") into rules, and keeps the lasting ones on disk. */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import type { Grant } from "./grant-choices.ts";
import type { Rule } from "./policy.ts";

/** The grants file cannot be read or written. The session's answers count all the same. */
export interface GrantProblem {
  readonly file: string;
  readonly what: string;
  readonly now: string;
}

export interface Grants {
  /** Allow rules: those of this session (scope `session`), then the saved ones (scope `grant`). */
  readonly rules: () => readonly Rule[];
  /** Takes the answer in. `session` ends with the process; `project` counts in this session and is saved. Returns what went wrong with saving. */
  readonly give: (grants: readonly Grant[], span: "session" | "project") => GrantProblem | undefined;
  /** What was wrong with the file when it was opened. */
  readonly problem: GrantProblem | undefined;
}

const argument = z.strictObject({ pattern: z.string(), kind: z.enum(["prefix", "glob", "exact"]) });
const kinds = [
  "shell",
  "readFile",
  "writeFile",
  "editFile",
  "listDirectory",
  "findFiles",
  "searchText",
  "readManyFiles",
  "fetchUrl",
  "searchWeb",
  "writeTodos",
  "createTask",
  "updateTask",
  "readTask",
  "listTasks",
  "saveMemory",
  "askUser",
  "spawnAgent",
] as const;
const grant = z.strictObject({
  tool: z.strictObject({ text: z.string(), kinds: z.array(z.enum(kinds)) }),
  argument: z.optional(argument),
  at: z.string(),
});
const schema = z.strictObject({ version: z.literal(1), projects: z.record(z.string(), z.array(grant)) });
type Saved = z.infer<typeof grant>;

/** `file` is `<CARABINER_HOME>/grants.json`; `project` the folder, whose real path is the key. `now` is the clock. Never throws. */
export function openGrants({ file, project, now = () => new Date() }: { file: string; project: string; now?: () => Date }): Grants {
  const key = realOf(project);
  const opened = load(file);
  let saved: readonly Saved[] = opened.ok ? (opened.projects.get(key) ?? []) : [];
  const session: Grant[] = [];
  const save = (grants: readonly Grant[]): GrantProblem | undefined => {
    // Read again: another session may have added to the file meanwhile.
    const current = load(file);
    if (!current.ok) return current.problem;
    const before = current.projects.get(key) ?? [];
    const at = now().toISOString();
    const added = grants.filter((one) => !before.some((other) => same(one, other)));
    saved = [
      ...before,
      ...added.map(
        ({ tool, argument }): Saved => ({ tool: { text: tool.text, kinds: [...tool.kinds] }, ...(argument && { argument }), at }),
      ),
    ];
    return store(file, new Map(current.projects).set(key, saved));
  };
  return {
    problem: opened.ok ? undefined : opened.problem,
    rules: () => [
      ...session.map(
        (one, i): Rule => ({ ...one, effect: "allow", source: { file: "this session", jsonPath: `[${i}]`, scope: "session" } }),
      ),
      ...saved.map(
        ({ tool, argument }, i): Rule => ({
          tool,
          ...(argument && { argument }),
          effect: "allow",
          source: { file, jsonPath: `projects[${JSON.stringify(key)}][${i}]`, scope: "grant" },
        }),
      ),
    ],
    give: (grants, span) => {
      session.push(...grants.filter((one) => !session.some((other) => same(one, other))));
      return span === "project" ? save(grants) : undefined;
    },
  };
}

type Loaded =
  | { readonly ok: true; readonly projects: ReadonlyMap<string, readonly Saved[]> }
  | { readonly ok: false; readonly problem: GrantProblem };

function load(file: string): Loaded {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { ok: true, projects: new Map() };
    return {
      ok: false,
      problem: {
        file,
        what: `The file of saved answers cannot be read (${codeOf(error)}).`,
        now: "No saved answer counts, and none is saved.",
      },
    };
  }
  const parsed = schema.safeParse(parsedJson(text));
  if (parsed.success) return { ok: true, projects: new Map(Object.entries(parsed.data.projects)) };
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  return {
    ok: false,
    problem: {
      file,
      what: `The file of saved answers is not what this version writes${where}: ${issue?.message ?? "unknown"}.`,
      now: "No saved answer counts, and the file is left as it is; remove it to begin anew.",
    },
  };
}

function store(file: string, projects: ReadonlyMap<string, readonly Saved[]>): GrantProblem | undefined {
  const draft = `${file}.${process.pid}.new`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify({ version: 1, projects: Object.fromEntries(projects) }, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
    return undefined;
  } catch (error) {
    rmSync(draft, { force: true });
    return { file, what: `The answer cannot be saved (${codeOf(error)}).`, now: "It counts in this session only." };
  }
}

const same = (a: Grant, b: Pick<Saved, "tool" | "argument"> | Grant): boolean =>
  a.tool.text === b.tool.text && a.argument?.pattern === b.argument?.pattern && a.argument?.kind === b.argument?.kind;
const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : String(error));

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the schema says so.
    return undefined;
  }
}

/** A folder that is gone keeps its name. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EACCES") throw error;
    return resolve(folder);
  }
}
