/** Turns a draft into an entry: what to run, how long, and on which terms; a value that cannot be used bars this handler alone. */
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import {
  type Barred,
  type Condition,
  closest,
  type Entry,
  EVENTS,
  isObject,
  type Json,
  type JsonObject,
  type Problem,
  type ProblemCode,
  type ProblemFacts,
  problem,
  type Runner,
  shown,
} from "../protocol/index.ts";
import { readCondition } from "./condition.ts";
import { expandStrings } from "./expand.ts";
import { type ExtensionPlaces, extensionCommand, fillExtensionStrings } from "./extension-strings.ts";
import { type Draft, identifierOf } from "./groups.ts";
import { KEYS, OUR_KEYS } from "./handler-keys.ts";
import type { JsonPath } from "./json-text.ts";
import { placeOf } from "./places.ts";
import { readTimeout } from "./timeout.ts";

/** An entry without its position among the others, and without its key. */
export type Unplaced = Omit<Entry, "order" | "lane" | "key">;

interface Reading {
  readonly dialect: Dialect;
  readonly where: Whereabouts;
  /** The first part of the id, which tells this layer from the others. */
  readonly source: string;
}

/**
 * Total: whatever the draft holds, there is an entry, barred with the reason where it cannot run. Problems of handlers that no event can reach are not told.
 * Source: contracts/gemini.md and contracts/qoder-cn.md, "Configuration".
 */
export function readHandler(
  draft: Draft,
  { dialect, where, source }: Reading,
): { readonly entry: Unplaced; readonly problems: readonly Problem[] } {
  const { layer, path, wireName, row } = draft;
  const raw = isObject(draft.value) ? draft.value : NOTHING;
  const id = `${source}:${idOf(path)}`;
  const { values, run } = filled(raw, draft, dialect, where);
  const name = identifierOf(values) ?? id;
  const written = { event: wireName, group: draft.group, handler: draft.value };
  const problems: Problem[] = [];
  const tell = <C extends ProblemCode>(code: C, key: string | undefined, facts: ProblemFacts[C]): void => {
    problems.push(problem(code, placeOf(layer, key === undefined ? path : [...path, key]), facts, name));
  };
  let barred: Barred | undefined = draft.barred;
  const bar = (status: Barred["status"], why: string): void => {
    barred ??= { status, why };
  };
  const broken = (key: string | undefined, expected: string, found: Json | undefined): void => {
    tell("SETTINGS_BAD_SHAPE", key, { expected, found: shown(found), now: "This hook never runs; the others count." });
    bar("broken", key === undefined ? `it is not ${expected}` : `its ${key} is not ${expected}`);
  };

  const own = (key: string): Json | undefined => (Object.hasOwn(raw, key) ? raw[key] : undefined);
  const type = own("type");
  if (!isObject(draft.value)) broken(undefined, "an object with a type and a command", draft.value);
  else if (typeof type !== "string") broken("type", '"command"', type);
  else if (!Object.hasOwn(dialect.handlerTypes, type) || dialect.handlerTypes[type] !== "run") {
    tell("TYPE_UNSUPPORTED", "type", { type });
    bar("unsupported", `hooks of type "${type}" are not run here`);
  } else checkKeys(raw, dialect, where.platform, broken, tell);

  const { timeoutMs, given, finding } = readTimeout(own("timeout"), dialect.timeout);
  if (finding !== undefined) tell<ProblemCode>(finding.code, "timeout", finding.facts);
  const counts = (key: string): boolean => dialect.handlerKeys.includes(key);

  let condition: Condition | undefined;
  const text = counts("if") && dialect.conditions !== "none" ? values["if"] : undefined;
  if (typeof text === "string") {
    const parsed = row !== undefined && EVENTS[row.on].tool === undefined ? `${wireName} has no tool call to look at` : readCondition(text);
    if (typeof parsed === "string") {
      tell("CONDITION_BAD", "if", { condition: text, message: parsed });
      bar("broken", `its condition cannot be used: ${parsed}`);
    } else condition = parsed;
  }
  let onFailure: Entry["onFailure"] = own("onFailure") === "block" ? "block" : "allow";
  if (onFailure === "block" && row !== undefined && !row.failClosed) {
    const why = row.exit2 === "deny" ? "a denial there means that the agent goes on" : "nothing can be denied there";
    tell("FAILURE_POLICY_UNUSABLE", "onFailure", { event: wireName, why });
    onFailure = "allow";
  }
  const budget = own("budgetMs");
  // As filled in: the same words in two extensions name two programs. A name that is empty is none. Source: the study of Gemini CLI, CFG-27 and PLN-7.
  const same = dialect.sameHook.map((key) => (values[key] === undefined || values[key] === "" ? null : values[key]));
  const entry: Unplaced = {
    id,
    dialect: dialect.id,
    wireName,
    scope: layer.scope,
    place: placeOf(layer, path),
    same: JSON.stringify(isObject(draft.value) ? [dialect.id, ...same] : [dialect.id, id]),
    name,
    description: textOf(values[dialect.describes]),
    matcher: draft.matcher,
    run,
    timeoutMs,
    timeoutGiven: given,
    condition,
    once: counts("once") && own("once") === true,
    background: draft.background || (counts("async") && own("async") === true),
    onFailure,
    budgetMs: typeof budget === "number" && budget > 0 ? budget : undefined,
    sequential: draft.sequential,
    barred,
    written,
  };
  return { entry, problems: row === undefined ? [] : problems };
}

function checkKeys(
  handler: JsonObject,
  { handlerKeys }: Dialect,
  platform: NodeJS.Platform,
  broken: (key: string, expected: string, found: Json | undefined) => void,
  tell: <C extends ProblemCode>(code: C, key: string, facts: ProblemFacts[C]) => void,
): void {
  const known = [...handlerKeys, ...OUR_KEYS];
  if (!Object.hasOwn(handler, "command")) broken("command", KEYS["command"]?.expected ?? "", undefined);
  for (const [key, value] of Object.entries(handler)) {
    if (!known.includes(key)) {
      tell("KEY_UNKNOWN", key, { key, known, suggestion: closest(key, known) });
      continue;
    }
    const rule = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (rule === undefined) continue;
    if (!rule.usable(value, platform)) broken(key, rule.expected, value);
    else if (rule.notBuilt !== undefined && value !== rule.notBuilt.unless)
      tell("KEY_NOT_BUILT", key, { key, instead: rule.notBuilt.instead });
  }
}

/** The handler's strings with variables filled in, and what it runs: a shell's text is left to the shell. */
function filled(
  raw: JsonObject,
  { layer }: Draft,
  dialect: Dialect,
  where: Whereabouts,
): { readonly values: JsonObject; readonly run: Runner } {
  const places: ExtensionPlaces | undefined =
    layer.extension !== undefined && dialect.expands.extension
      ? { extensionPath: layer.extension.path, workspacePath: where.cwd }
      : undefined;
  const fill = (value: Json): Json => {
    if (places !== undefined) return fillExtensionStrings(value, places, where.platform);
    return layer.extension === undefined && dialect.expands.settingsStrings ? expandStrings(value, where.env) : value;
  };
  const values: Record<string, Json> = Object.create(null);
  for (const [key, value] of Object.entries(raw)) values[key] = key === "command" && places === undefined ? value : fill(value);
  const env = textsOf(values["env"]);
  const command = textOf(raw["command"]) ?? "";
  const args = dialect.handlerKeys.includes("args") ? values["args"] : undefined;
  if (Array.isArray(args)) {
    const file = places === undefined ? command : fillExtensionStrings(command, places, where.platform);
    return {
      values,
      run: { kind: "exec", file: textOf(file) ?? "", args: args.filter((argument: Json) => typeof argument === "string"), env },
    };
  }
  if (places === undefined) return { values, run: { kind: "shell", command, env } };
  const found = extensionCommand(command, places, where.platform);
  return { values, run: { kind: "shell", command: found.command, env: { ...env, ...found.env } } };
}

const NOTHING: JsonObject = {};
const textOf = (value: Json | undefined): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

function textsOf(value: Json | undefined): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null);
  if (isObject(value)) for (const [name, text] of Object.entries(value)) if (typeof text === "string") texts[name] = text;
  return texts;
}

/** `BeforeTool[0].hooks[1]`: whatever the event is called, one line. */
function idOf(path: JsonPath): string {
  const [, event = "", ...rest] = path;
  return `${event}${rest.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("")}`;
}
