/** Turns the key `carabiner` of all layers into Carabiner's own settings, each with its default. */
import { isAbsolute, join } from "node:path";
import type { Whereabouts } from "../dialects/index.ts";
import { closest, isObject, type Json, type JsonObject, type Layer, type Problem, problem, type Scope, shown } from "../protocol/index.ts";
import { expandStrings } from "./expand.ts";
import { PROJECT_SCOPES } from "./layers.ts";
import { placeOf } from "./places.ts";

export type TrustPolicy = "warn" | "ask" | "require";

/** Source: design, "What we add to a handler". */
export interface CarabinerSettings {
  /** How often the afterAgent hooks of one turn may ask for another try. */
  readonly maxRetries: number;
  /** How long a chain of tail calls may become. */
  readonly maxTailCalls: number;
  /** How many hook processes run at the same time. */
  readonly maxParallel: number;
  /** What one run may print; a firing may print four times as much. */
  readonly maxStdoutBytes: number;
  /** Between TERM and KILL. */
  readonly killGraceMs: number;
  /** How long the pipes of an exited hook are read. */
  readonly drainMs: number;
  /** `undefined`: the host decides. Never from a project. */
  readonly trust: TrustPolicy | undefined;
  /** From the system layer only. */
  readonly projectHooks: "allow" | "forbid";
  /** In tokens; `undefined`: what the host knows of the model. */
  readonly contextWindow: number | undefined;
  readonly journal: {
    /** Absolute; `undefined`: the host's place. */
    readonly dir: string | undefined;
    readonly maxBytes: number;
    readonly maxDays: number;
    /** Are values that look like secrets taken out? */
    readonly redact: boolean;
  };
}
export interface OwnSettings {
  readonly settings: CarabinerSettings;
  /** The system file that says `projectHooks: "forbid"`. */
  readonly projectHooksForbiddenBy: string | undefined;
  readonly problems: readonly Problem[];
}

interface Setting {
  readonly fits: (value: Json) => boolean;
  readonly expected: string;
  /** Whose word counts. */
  readonly from: "all" | "notProject" | "systemOnly";
}
const atLeast =
  (least: number) =>
  (value: Json): boolean =>
    Number.isSafeInteger(value) && Number(value) >= least;
const oneOf =
  (...words: readonly string[]) =>
  (value: Json): boolean =>
    words.some((word) => word === value);
const COUNT = { fits: atLeast(0), expected: "a whole number from 0", from: "all" } as const;
const POSITIVE = { fits: atLeast(1), expected: "a whole number from 1", from: "all" } as const;

const SETTINGS: Readonly<Record<string, Setting>> = {
  maxRetries: COUNT,
  maxTailCalls: COUNT,
  maxParallel: POSITIVE,
  maxStdoutBytes: POSITIVE,
  killGraceMs: COUNT,
  drainMs: COUNT,
  trust: { fits: oneOf("warn", "ask", "require"), expected: '"warn", "ask" or "require"', from: "notProject" },
  projectHooks: { fits: oneOf("allow", "forbid"), expected: '"allow" or "forbid"', from: "systemOnly" },
  contextWindow: POSITIVE,
  "journal.dir": { fits: (value) => typeof value === "string" && value !== "", expected: "a directory", from: "all" },
  "journal.maxBytes": POSITIVE,
  "journal.maxDays": {
    fits: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
    expected: "a positive number of days",
    from: "all",
  },
  "journal.redact": { fits: (value) => typeof value === "boolean", expected: "true or false", from: "all" },
};
/** These are ours and no product's, so that one order serves all dialects. */
const STRENGTH: readonly Scope[] = ["system", "flag", "local", "project", "user", "systemDefaults"];

/**
 * The strongest layer whose value can be used counts, then the default. A value of the wrong shape: SETTINGS_BAD_SHAPE; a key that is none:
 * SETTING_UNKNOWN; a value that does not count from where it stands: SETTINGS_NOT_YOURS. A project's count in a trusted folder only.
 */
export function readCarabinerSettings(layers: readonly Layer[], where: Whereabouts, trusted: boolean): OwnSettings {
  const problems: Problem[] = [];
  const found = new Map<string, { readonly value: Json; readonly layer: Layer }>();
  for (const layer of STRENGTH.flatMap((scope) => layers.filter((candidate) => candidate.scope === scope))) {
    const own = layer.settings !== undefined && Object.hasOwn(layer.settings, "carabiner") ? layer.settings["carabiner"] : undefined;
    if (own === undefined) continue;
    for (const { key, path, value } of settingsIn(own, layer, problems)) {
      const setting = SETTINGS[key];
      if (setting === undefined) continue;
      const place = placeOf(layer, path);
      const why = refusal(setting, layer.scope, trusted);
      if (why !== undefined) problems.push(problem("SETTINGS_NOT_YOURS", place, { key: `carabiner.${key}`, why }));
      else if (!setting.fits(value)) {
        const now = "It is ignored: the next layer counts, or the default.";
        problems.push(problem("SETTINGS_BAD_SHAPE", place, { expected: setting.expected, found: shown(value), now }));
      } else if (!found.has(key)) found.set(key, { value: expandStrings(value, where.env), layer });
    }
  }
  const number = (key: string, otherwise: number): number => {
    const value = found.get(key)?.value;
    return typeof value === "number" ? value : otherwise;
  };
  const forbidden = found.get("projectHooks");
  const trust = found.get("trust")?.value;
  const dir = found.get("journal.dir")?.value;
  const window = found.get("contextWindow")?.value;
  const settings: CarabinerSettings = {
    maxRetries: number("maxRetries", 10),
    maxTailCalls: number("maxTailCalls", 10),
    maxParallel: number("maxParallel", 64),
    maxStdoutBytes: number("maxStdoutBytes", 64 * 1024 * 1024),
    killGraceMs: number("killGraceMs", 1000),
    drainMs: number("drainMs", 300),
    trust: trust === "warn" || trust === "ask" || trust === "require" ? trust : undefined,
    projectHooks: forbidden?.value === "forbid" ? "forbid" : "allow",
    contextWindow: typeof window === "number" ? window : undefined,
    journal: {
      dir: typeof dir === "string" ? absolute(dir, where) : undefined,
      maxBytes: number("journal.maxBytes", 50_000_000),
      maxDays: number("journal.maxDays", 30),
      redact: found.get("journal.redact")?.value !== false,
    },
  };
  return { settings, projectHooksForbiddenBy: forbidden?.value === "forbid" ? forbidden.layer.path : undefined, problems };
}

function refusal({ from }: Setting, scope: Scope, trusted: boolean): string | undefined {
  if (from === "systemOnly" && scope !== "system") return "only the system's settings decide this";
  if (!PROJECT_SCOPES.has(scope)) return undefined;
  if (from === "notProject") return "a project does not decide how far it is trusted";
  return trusted ? undefined : "the folder is not trusted";
}

interface Found {
  readonly key: string;
  readonly path: readonly string[];
  readonly value: Json;
}

/** The known settings of one `carabiner` object; the unknown are told. */
function settingsIn(own: Json, layer: Layer, problems: Problem[], parent: readonly string[] = []): readonly Found[] {
  const path = ["carabiner", ...parent];
  if (!isObject(own)) {
    problems.push(problem("SETTINGS_BAD_SHAPE", placeOf(layer, path), { expected: "an object", found: shown(own), now: "It is ignored." }));
    return [];
  }
  const prefix = parent.map((step) => `${step}.`).join("");
  const known = [
    ...new Set(
      Object.keys(SETTINGS)
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length).replace(/\..*/, "")),
    ),
  ];
  return Object.entries(own satisfies JsonObject).flatMap(([key, value]): readonly Found[] => {
    const whole = `${prefix}${key}`;
    if (Object.hasOwn(SETTINGS, whole)) return [{ key: whole, path: [...path, key], value }];
    if (known.includes(key)) return settingsIn(value, layer, problems, [...parent, key]);
    problems.push(problem("SETTING_UNKNOWN", placeOf(layer, [...path, key]), { key, known, suggestion: closest(key, known) }));
    return [];
  });
}

function absolute(path: string, { home, cwd }: Whereabouts): string {
  const full = path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
  return isAbsolute(full) ? full : join(cwd, full);
}
