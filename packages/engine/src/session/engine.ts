/** The engine a host creates: settings, functions registered in code, sessions, and everything they tell. Reads nothing until used. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { DIALECTS, type Dialect, dialectById, type Whereabouts } from "../dialects/index.ts";
import { registryRecord } from "../firing/index.ts";
import {
  type Entry,
  type EventName,
  type HookFunction,
  type Json,
  type Layer,
  type Problem,
  type Registry,
  type RegistryRecord,
  type Scope,
  type ToolWords,
  type Translator,
  translator,
} from "../protocol/index.ts";
import { createPool, type Environment, sanitise } from "../running/index.ts";
import {
  type Added,
  addGroup,
  createSettings,
  type Enablement,
  type NewGroup,
  presentDialects,
  type Snapshot,
  setAllEnabled,
  setEnabled,
  valueAt,
} from "../settings/index.ts";
import type { FolderTrust, Judged, Standing, TrustStore } from "../trust/index.ts";
import { conditionRefusal } from "./condition.ts";
import { createEmitter } from "./emitter.ts";
import {
  type EngineEvent,
  type EngineOptions,
  HooksError,
  type RegisteredHook,
  type RegisterOptions,
  type SessionOptions,
} from "./options.ts";
import { createPlans } from "./plans.ts";
import { registeredEntry } from "./registered.ts";
import { createSession, type Session, type SessionWorld } from "./session.ts";
import { createTallies } from "./tallies.ts";
import { createTrusting } from "./trusting.ts";
import type { Current } from "./world.ts";

export interface Engine {
  readonly session: (options?: SessionOptions) => Session;
  /** Canonical events, neutral words: the function sees the host's facts and says an Opinion. Returns its removal. */
  readonly register: <E extends EventName>(event: E, hook: RegisteredHook<E>, options?: RegisterOptions) => () => void;
  /** Every configured hook of every layer, in order, those that can never run included. */
  readonly hooks: () => readonly Entry[];
  /** What is wrong with the settings as they are now. */
  readonly problems: () => readonly Problem[];
  readonly subscribe: (listener: (event: EngineEvent) => void) => () => void;
  /** Switches hooks of that name on or off in the settings file that configures them, or in the one `scope` names. */
  readonly setEnabled: (name: string, on: boolean, options?: { readonly scope?: Scope }) => Enablement;
  readonly setAllEnabled: (on: boolean, options?: { readonly scope?: Scope }) => Enablement;
  /** Writes a new group of hooks into the settings file of its scope. */
  readonly addGroup: (group: NewGroup) => Added;
  /**
   * Gives what still runs half a second to end, then ends it as an abort would, and tells the last lines: a journal that is closed afterwards is complete.
   * Hooks that may outlive the host do. Sessions of a disposed engine fire nothing more.
   */
  readonly dispose: () => Promise<void>;

  // What hosts ask of the same settings.
  readonly dialects: readonly Dialect[];
  /** How this host names its tools. */
  readonly words: ToolWords;
  readonly projectDir: string;
  readonly stateDir: string;
  /** Is the project's folder trusted, and what decided; `trusted` is `undefined` where nobody has decided. */
  readonly folder: () => FolderTrust;
  /** What the user has seen, approved and decided. */
  readonly trust: TrustStore;
  /** The fingerprints of project hooks as they are now: for `trust.approve`. */
  readonly judged: (entries: readonly Entry[]) => readonly Judged[];
  /** The project's hooks in order, and how each stands to what the user has seen and approved. */
  readonly standings: () => readonly Standing[];
  /** Settings are looked at again at the next firing, whatever their files say. */
  readonly refresh: () => void;
  /** The single value that counts for a settings path, in the first dialect that has one. */
  readonly setting: (path: string) => Json | undefined;
  readonly layers: () => readonly Layer[];
  readonly snapshot: () => Snapshot;
}

/** How long `dispose` waits for what still runs. */
const DISPOSE_MS = 500;

/** Throws `HooksError` for options that cannot be meant; never for what is in a settings file: see `problems()`. */
export function createEngine(options: EngineOptions): Engine {
  const where: Whereabouts = {
    home: options.home ?? homedir(),
    cwd: resolve(options.cwd),
    env: options.env ?? process.env,
    platform: options.platform ?? process.platform,
  };
  const stateDir = options.stateDir ?? (where.env.CARABINER_HOME || join(where.home, ".carabiner"));
  const dialects = dialectsOf(options, where);
  const words = wordsOf(options.tools, dialects);
  const now = options.now ?? Date.now;
  // It tells engines apart that write to one journal: nothing depends on nobody guessing it.
  const tag = Math.floor(Math.random() * 0x1000000)
    .toString(16)
    .padStart(6, "0");
  const emitter = createEmitter();
  const tallies = createTallies((line) => emitter.emit({ kind: "line", line }));
  const registered: Entry[] = [];
  const pending = new Set<Promise<void>>();
  const ending = new AbortController();
  const translate = remembered(words);
  const trusting = createTrusting({ options, dialects, where, stateDir, emit: emitter.emit });
  const settings = createSettings({
    dialects,
    where,
    folderTrusted: trusting.folder,
    alsoWatch: trusting.watched,
    files: (options.settingsFiles ?? []).flatMap((path) =>
      dialects.slice(0, 1).map((dialect) => ({ dialect: dialect.id, path: resolve(where.cwd, path) })),
    ),
  });
  let current: { readonly made: Current; readonly from: Snapshot; readonly version: number } | undefined;
  let version = 0;
  let registries = 0;
  let firings = 0;
  let disposed: Promise<void> | undefined;

  const make = (snapshot: Snapshot): Current => {
    const registry: Registry = { ...snapshot.registry, entries: inOrder(registered, snapshot.registry.entries) };
    const id = `${tag}.r${++registries}`;
    const byId = new Map(dialects.map((dialect) => [dialect.id, dialect]));
    const at = now();
    let line: RegistryRecord | undefined;
    const { maxStdoutBytes, killGraceMs, drainMs, maxRetries, maxTailCalls, maxParallel } = snapshot.carabiner;
    return {
      get line() {
        line ??= registryRecord(registry, id, where.cwd, at);
        return line;
      },
      told: false,
      registry,
      dialects: byId,
      translate,
      plans: createPlans({ registry, registryId: id, dialects: byId, translate, mayRunNow: trusting.needsNoLook }),
      limits: { maxStdoutBytes, killGraceMs, drainMs, maxRetries, maxTailCalls },
      running: {
        platform: where.platform,
        pool: createPool(options.maxParallel ?? maxParallel),
        leftDir: join(stateDir, "left"),
        leaveAfterMs: options.leaveAfterMs,
        limits: () => ({ maxStdoutBytes, killGraceMs, drainMs }),
        environment: sanitised(where, snapshot),
      },
      gate: (candidates, wouldRun) => trusting.gate(snapshot, candidates, wouldRun),
      condition: (entry, event, facts, cwd) =>
        conditionRefusal(entry, byId, translate, event, facts, { projectDir: where.cwd, cwd, home: where.home }),
    };
  };
  const world: SessionWorld = {
    projectDir: where.cwd,
    recordsEvery: options.record === "every",
    now,
    tallies,
    emit: emitter.emit,
    heard: emitter.heard,
    ending: ending.signal,
    nextFiringId: () => `${tag}-${++firings}`,
    current: (midStream) => {
      if (disposed) throw new HooksError("DISPOSED", "This engine has been disposed of.");
      if (current && midStream) return current.made;
      const snapshot = settings.current();
      if (current?.from !== snapshot || current.version !== version) {
        const same = current?.from === snapshot;
        current = { made: make(snapshot), from: snapshot, version };
        // A function that comes or goes makes the settings' problems no newer.
        if (!same) for (const found of snapshot.registry.problems) emitter.emit({ kind: "problem", problem: found });
      }
      return current.made;
    },
    tellRegistry: (told) => {
      if (told.told) return;
      told.told = true;
      emitter.emit({ kind: "line", line: told.line });
    },
    later: (work) => {
      pending.add(work);
      void work.finally(() => pending.delete(work));
    },
  };
  const changed = (enablement: Enablement): Enablement => {
    settings.refresh();
    return enablement;
  };

  return {
    dialects,
    words,
    projectDir: where.cwd,
    stateDir,
    session: (sessionOptions = {}) => createSession(world, sessionOptions),
    register: (event, hook, registerOptions = {}) => {
      const entry = registeredEntry(event, hook as HookFunction, registerOptions);
      registered.push(entry);
      version++;
      return () => {
        const at = registered.indexOf(entry);
        if (at < 0) return;
        registered.splice(at, 1);
        version++;
      };
    },
    hooks: () => world.current(false).registry.entries,
    problems: () => [...settings.current().registry.problems, ...trusting.store.load().problems],
    subscribe: (listener) => {
      const unsubscribe = emitter.subscribe(listener);
      // A listener that comes later needs the lines that later firings refer to.
      if (current?.made.told) for (const line of [current.made.line, ...current.made.plans.told()]) listener({ kind: "line", line });
      return unsubscribe;
    },
    setEnabled: (name, on, how = {}) => changed(setEnabled(settings.current(), name, on, how)),
    setAllEnabled: (on, how = {}) => changed(setAllEnabled(settings.current(), on, how)),
    addGroup: (group) => {
      const added = addGroup(settings.current(), group);
      settings.refresh();
      return added;
    },
    folder: () => {
      settings.current();
      return trusting.decided();
    },
    trust: trusting.store,
    judged: trusting.judged,
    standings: () => trusting.standings(settings.current().registry.entries),
    refresh: () => settings.refresh(),
    setting: (path) => settingOf(settings.current(), path),
    layers: () => settings.current().layers,
    snapshot: () => settings.current(),
    dispose: () => {
      disposed ??= (async () => {
        const bound = setTimeout(() => ending.abort(), DISPOSE_MS);
        while (pending.size > 0) await Promise.allSettled(pending);
        clearTimeout(bound);
        ending.abort();
        tallies.flush();
      })();
      return disposed;
    },
  };
}

function dialectsOf({ dialects: ids }: EngineOptions, where: Whereabouts): readonly Dialect[] {
  if (ids && ids.length > 0) {
    return ids.map((id) => {
      const dialect = dialectById(id);
      if (!dialect)
        throw new HooksError(
          "UNKNOWN_DIALECT",
          `There is no dialect "${id}". The dialects are: ${DIALECTS.map((known) => known.id).join(", ")}.`,
        );
      return dialect;
    });
  }
  const present = presentDialects(DIALECTS, where);
  return present.length > 0 ? present : DIALECTS.slice(0, 1);
}

function wordsOf(tools: EngineOptions["tools"], dialects: readonly Dialect[]): ToolWords {
  if (typeof tools === "object") return tools;
  const dialect = tools === undefined ? dialects[0] : dialectById(tools);
  if (!dialect) throw new HooksError("UNKNOWN_DIALECT", `There is no dialect "${String(tools)}" whose tool words this host could use.`);
  return dialect.tools;
}

function remembered(words: ToolWords): (dialect: Dialect) => Translator {
  const known = new Map<string, Translator>();
  return (dialect) => {
    const before = known.get(dialect.id);
    if (before) return before;
    const made = translator(words, dialect.tools);
    known.set(dialect.id, made);
    return made;
  };
}

/** Looking through the host's variables takes tens of microseconds: it is done once a generation of settings. */
function sanitised(where: Whereabouts, snapshot: Snapshot): (dialect: Dialect) => Environment {
  const known = new Map<string, Environment>();
  return (dialect) => {
    const before = known.get(dialect.id);
    if (before) return before;
    const policy = snapshot.sanitising.get(dialect.id) ?? { enabled: true, allowed: [], blocked: [] };
    const made = sanitise(where.env, { ...policy, strict: dialect.sanitising.strict(where.env) });
    known.set(dialect.id, made);
    return made;
  };
}

function settingOf({ dialects, layers, trusted, where }: Snapshot, path: string): Json | undefined {
  for (const dialect of dialects) {
    const found = valueAt({ dialect, layers, trusted, variables: where.env }, path);
    if (found) return found.value;
  }
  return undefined;
}

/** Functions of the host come first; places and lanes are counted over all. */
function inOrder(registered: readonly Entry[], configured: readonly Entry[]): readonly Entry[] {
  if (registered.length === 0) return configured;
  const lanes = new Map<string, number>();
  return [...registered, ...configured].map((entry, order) => {
    const lane = `${entry.dialect ?? "code"}:${entry.lane}`;
    if (!lanes.has(lane)) lanes.set(lane, lanes.size);
    return { ...entry, order, lane: lanes.get(lane) ?? order };
  });
}
