/** Turns the user's decisions into the trust store on disk, and back: which folders are trusted, which project hooks were seen or approved. */
import { constants, copyFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Whereabouts } from "../dialects/index.ts";
import { commandOf, type Entry, type Problem, problem } from "../protocol/index.ts";
import { readJsonValue, readText, realPath, writeFileAtOnce } from "../settings/index.ts";
import type { Fingerprint } from "./fingerprint.ts";

/** Made when a store is read: most runs of the command line find none. */
const schema = () => {
  const script = z.object({ path: z.string(), sha256: z.string() });
  const hookRecord = z.object({
    digest: z.string(),
    definition: z.string(),
    scripts: z.array(script),
    /** `seen`: its command was shown before it ran. `approved`: the user said yes to exactly this. */
    state: z.enum(["seen", "approved"]),
    event: z.string(),
    name: z.string(),
    command: z.string(),
    /** ISO 8601. */
    at: z.string(),
  });
  return z.object({
    version: z.literal(1),
    folders: z.record(z.string(), z.object({ trusted: z.boolean(), at: z.string() })),
    hooks: z.record(z.string(), z.record(z.string(), hookRecord)),
  });
};
let stored: ReturnType<typeof schema> | undefined;
type Stored = z.infer<ReturnType<typeof schema>>;

export type FolderRecord = Stored["folders"][string];
export type HookRecord = Stored["hooks"][string][string];
/** By real path of the folder; hooks by the key of their entry. */
export interface TrustData {
  readonly folders: ReadonlyMap<string, FolderRecord>;
  readonly hooks: ReadonlyMap<string, ReadonlyMap<string, HookRecord>>;
}
export interface Judged {
  readonly entry: Entry;
  readonly fingerprint: Fingerprint;
}
export interface TrustStore {
  /** `<state directory>/trust.json`. */
  readonly path: string;
  /** What stands in the file now, and what this process could not write. A file that cannot be read counts as empty, with TRUST_STORE_BAD. */
  load(): { readonly data: TrustData; readonly problems: readonly Problem[] };
  /** `undefined`: nobody decided. */
  folder(path: string): boolean | undefined;
  decideFolder(path: string, trusted: boolean): readonly Problem[];
  /** Takes the decision back. */
  forgetFolder(path: string): readonly Problem[];
  /** The user's act: these entries, exactly as they are. */
  approve(projectDir: string, hooks: readonly Judged[]): readonly Problem[];
  /** Remembers that the commands were shown. Never takes an approval of the same fingerprint away. */
  seen(projectDir: string, hooks: readonly Judged[]): readonly Problem[];
  /** Takes back approvals and what was seen: of these entries' keys, or of the whole project. */
  revoke(projectDir: string, keys?: readonly string[]): readonly Problem[];
  /** What is known of a project's hooks. */
  hooksOf(projectDir: string): ReadonlyMap<string, HookRecord>;
}

/** Where Carabiner keeps what it remembers: `CARABINER_HOME`, else `<home>/.carabiner`. Source: design, "What we add to a handler". */
export const stateDir = ({ env, home }: Pick<Whereabouts, "env" | "home">): string => env["CARABINER_HOME"] || join(home, ".carabiner");

/**
 * Every writing reads the file first and changes its own records only, then replaces the file at once: programs that write at the same time may lose
 * the earlier of two answers to the same question, never the file. What cannot be written counts until this process ends (TRUST_STORE_UNWRITABLE).
 * The directory is made with mode 0700, the file with 0600. Reads nothing until asked.
 */
export function createTrustStore(where: Pick<Whereabouts, "env" | "home">, now: () => Date = () => new Date()): TrustStore {
  const path = join(stateDir(where), "trust.json");
  /** What could not be written, in order: applied again over whatever the file says. */
  let unwritten: ((data: Draft) => void)[] = [];

  const load = (): { readonly data: Draft; readonly problems: readonly Problem[] } => {
    const { data, message } = readStore(path);
    for (const change of unwritten) change(data);
    return { data, problems: message === undefined ? [] : [problem("TRUST_STORE_BAD", { path }, { message })] };
  };
  const change = (by: (data: Draft) => void): readonly Problem[] => {
    const { data, message, momentary } = readStore(path);
    for (const earlier of unwritten) earlier(data);
    by(data);
    try {
      if (momentary) throw new Error(`what stands in it could not be read: ${message}`);
      if (message !== undefined) keepBad(path, now());
      writeFileAtOnce(path, storeText(data), { file: 0o600, directory: 0o700 });
      unwritten = [];
      return [];
    } catch (error) {
      unwritten = [...unwritten, by];
      return [problem("TRUST_STORE_UNWRITABLE", { path }, { message: error instanceof Error ? error.message : String(error) })];
    }
  };
  const record = (projectDir: string, hooks: readonly Judged[], state: HookRecord["state"]): readonly Problem[] => {
    const project = realPath(projectDir);
    const at = now().toISOString();
    return change(({ hooks: all }) => {
      const own = all.get(project) ?? new Map<string, HookRecord>();
      for (const { entry, fingerprint } of hooks) {
        const before = own.get(entry.key);
        if (state === "seen" && before?.digest === fingerprint.digest) continue;
        own.set(entry.key, { ...recordOf(entry, fingerprint), state, at });
      }
      all.set(project, own);
    });
  };

  return {
    path,
    load,
    folder: (folder) => load().data.folders.get(realPath(folder))?.trusted,
    decideFolder: (folder, trusted) => change(({ folders }) => void folders.set(realPath(folder), { trusted, at: now().toISOString() })),
    forgetFolder: (folder) => change(({ folders }) => void folders.delete(realPath(folder))),
    approve: (projectDir, hooks) => record(projectDir, hooks, "approved"),
    seen: (projectDir, hooks) => record(projectDir, hooks, "seen"),
    revoke: (projectDir, keys) =>
      change(({ hooks }) => {
        const project = realPath(projectDir);
        if (keys === undefined) hooks.delete(project);
        else for (const key of keys) hooks.get(project)?.delete(key);
      }),
    hooksOf: (projectDir) => load().data.hooks.get(realPath(projectDir)) ?? new Map<string, HookRecord>(),
  };
}

interface Draft {
  readonly folders: Map<string, FolderRecord>;
  readonly hooks: Map<string, Map<string, HookRecord>>;
}

function recordOf(entry: Entry, { digest, definition, scripts }: Fingerprint): Omit<HookRecord, "state" | "at"> {
  return { digest, definition, scripts: [...scripts], event: entry.wireName, name: entry.name, command: commandOf(entry) ?? "" };
}

interface StoreRead {
  readonly data: Draft;
  readonly message: string | undefined;
  /** What stands in the file is not known, and may be all right. */
  readonly momentary?: true;
}

function readStore(path: string): StoreRead {
  const empty = (message: string | undefined): StoreRead => ({ data: { folders: new Map(), hooks: new Map() }, message });
  const read = readText(path);
  if (read.kind === "missing") return empty(undefined);
  if (read.kind === "unreadable") return { ...empty(read.message), ...(read.momentary ? { momentary: true } : {}) };
  const json = readJsonValue(read.text);
  if (!json.ok) return empty(`it is not valid JSON: ${json.message}`);
  stored ??= schema();
  const parsed = z.safeParse(stored, json.value);
  if (!parsed.success) return empty(`it has another shape at ${parsed.error.issues[0]?.path.join(".") || "its root"}`);
  const { folders, hooks } = parsed.data;
  return {
    data: {
      folders: new Map(Object.entries(folders)),
      hooks: new Map(Object.entries(hooks).map(([project, records]) => [project, new Map(Object.entries(records))])),
    },
    message: undefined,
  };
}

function storeText({ folders, hooks }: Draft): string {
  const projects = [...hooks].filter(([, records]) => records.size > 0).map(([project, records]) => [project, Object.fromEntries(records)]);
  return `${JSON.stringify({ version: 1, folders: Object.fromEntries(folders), hooks: Object.fromEntries(projects) }, null, 2)}\n`;
}

/** A file that nobody could read is somebody's decisions all the same. */
function keepBad(path: string, at: Date): void {
  copyFileSync(path, `${path}.${at.toISOString().replace(/\D/g, "")}.bad`, constants.COPYFILE_EXCL);
}
