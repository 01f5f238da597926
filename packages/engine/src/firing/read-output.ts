/** Reads one object a hook printed against a row of a dialect's table: fields to slots, and a note on every field that does not count. */
import type { AnyRow, Dialect, Reads, Speaker } from "../dialects/index.ts";
import {
  at,
  closest,
  isObject,
  type Json,
  type JsonObject,
  type Opinion,
  type Problem,
  type ProblemCode,
  type ProblemFacts,
  problem,
  type Ruling,
  type SlotName,
  type Slots,
  sameJson,
  shown,
  strength,
  type ToolCall,
} from "../protocol/index.ts";
import { denialOf, holdsBack } from "./ruling-words.ts";

export interface Asked {
  readonly dialect: Dialect;
  readonly row: AnyRow;
  readonly wireName: string;
  readonly say: Speaker;
  readonly tool: ToolCall | undefined;
  /** What this hook read on stdin. */
  readonly stdin: JsonObject;
  readonly entry: { readonly id: string; readonly name: string };
}

const SPECIFIC = "hookSpecificOutput";
type AnyReads = Reads<SlotName>;
type Said = { -readonly [K in keyof Opinion]: Opinion[K] };

export function readOutput(object: JsonObject, asked: Asked): { readonly opinion: Opinion; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const note = <C extends ProblemCode>(code: C, facts: ProblemFacts[C]): void => {
    problems.push(problem(code, { entry: asked.entry.id }, facts, asked.entry.name));
  };
  const said: Said = {};
  const specificCounts = specificsCount(object, asked, note);
  const understood = new Set<string>();
  for (const read of asked.row.reads as readonly AnyReads[]) {
    if (read.at.startsWith(`${SPECIFIC}.`) && !specificCounts) continue;
    if (at(object, read.at) === undefined || isIdle(read, object, understood, asked, note)) continue;
    if (readField(read, object, asked, said, note)) understood.add(read.at);
  }
  noteFields(object, asked, said, note);
  return { opinion: said, problems };
}

type Note = <C extends ProblemCode>(code: C, facts: ProblemFacts[C]) => void;

function specificsCount(object: JsonObject, { dialect, wireName }: Asked, note: Note): boolean {
  const specific = object[SPECIFIC];
  if (specific === undefined) return false;
  if (!isObject(specific)) {
    note("OUTPUT_BAD_VALUE", { path: SPECIFIC, expected: "an object", found: shown(specific) });
    return false;
  }
  if (dialect.specificOutputNamesEvent === "never") return true;
  const named = at(specific, "hookEventName");
  if (named === undefined) note("OUTPUT_EVENT_MISSING", { expected: wireName });
  else if (named !== wireName) note("OUTPUT_EVENT_WRONG", { found: shown(named), expected: wireName });
  return named === undefined || named === wireName;
}

/** A field that means nothing beside what else is there. */
function isIdle(read: AnyReads, object: JsonObject, understood: ReadonlySet<string>, { wireName }: Asked, note: Note): boolean {
  if (read.fills !== "ruling" && read.fills !== "input") return false;
  const { onlyWith } = read;
  const stronger = read.fills === "ruling" && read.yieldsTo !== undefined && understood.has(read.yieldsTo) ? read.yieldsTo : undefined;
  if (stronger !== undefined) note("OUTPUT_FIELD_IGNORED", { path: read.at, event: `${wireName} beside ${stronger}` });
  else if (onlyWith !== undefined && at(object, onlyWith.at) !== onlyWith.is)
    note("OUTPUT_FIELD_IGNORED", { path: read.at, event: `${wireName} without ${onlyWith.at} "${onlyWith.is}"` });
  else return false;
  return true;
}

/** False: the value could not be used. */
function readField(read: AnyReads, object: JsonObject, asked: Asked, said: Said, note: Note): boolean {
  const value = at(object, read.at);
  if (value === undefined) return false;
  const bad = (expected: string): false => {
    note("OUTPUT_BAD_VALUE", { path: read.at, expected, found: shown(value) });
    return false;
  };
  switch (read.fills) {
    case "ruling":
      return readRuling(read, object, asked, said, note);
    case "input":
      if (!isObject(value) || !asked.tool) return bad("an object");
      said.input =
        read.how === "merge"
          ? { how: "merge", value: asked.say.hostPatch(asked.tool, value) }
          : { how: "whole", value: asked.say.hostInput(asked.tool, value) };
      return true;
    case "message":
    case "context":
      if (typeof value !== "string") return bad("a text");
      if (value !== "") said[read.fills] = value;
      return true;
    case "clearContext":
    case "quiet":
      if (typeof value !== "boolean") return bad("true or false");
      if (value) said[read.fills] = true;
      return true;
    case "result":
      if (!sameJson(value, at(asked.stdin, read.shown))) said.result = value;
      return true;
    default: {
      const decoded = read.as(value, { hostToolName: asked.say.hostToolName, hostPatch: asked.say.hostPatch, shown: asked.stdin });
      if (decoded === undefined) return bad(read.expected);
      Object.assign(said, { [read.fills]: decoded } satisfies { [S in SlotName]?: Slots[S] });
      return true;
    }
  }
}

function readRuling(read: Extract<AnyReads, { fills: "ruling" }>, object: JsonObject, { entry }: Asked, said: Said, note: Note): boolean {
  const value = at(object, read.at);
  const kind = typeof value === read.expected && Object.hasOwn(read.values, String(value)) ? read.values[String(value)] : undefined;
  if (kind === undefined) {
    const expected = read.expected === "boolean" ? "true or false" : `one of ${Object.keys(read.values).join(", ")}`;
    note("OUTPUT_BAD_VALUE", { path: read.at, expected, found: shown(value) });
    return false;
  }
  if (kind === "none") return true;
  const reason = reasonOf(read.reason, object, note);
  const ruling: Ruling = { kind, reason: reason ?? standardReason(kind, entry.name) };
  if (kind === "deny" && reason === undefined) note("REASON_MISSING", { used: ruling.reason ?? "" });
  const before = said.ruling;
  if (strength(ruling) > strength(before)) said.ruling = ruling;
  // A denial beside a stop still withholds what it denies. Source: the Gemini contract, "Several hooks on one firing".
  if ((kind === "deny" && strength(before) > strength(ruling)) || (before?.kind === "deny" && strength(ruling) > strength(before)))
    said.withhold = true;
  return true;
}

function reasonOf(paths: readonly string[], object: JsonObject, note: Note): string | undefined {
  for (const path of paths) {
    const value = at(object, path);
    if (typeof value === "string" && value.trim() !== "") return value;
    if (value !== undefined && typeof value !== "string") note("OUTPUT_BAD_VALUE", { path, expected: "a text", found: shown(value) });
  }
  return undefined;
}

/** What stands in for a reason that was not given. An `ask` needs none. */
export function standardReason(kind: Ruling["kind"], name: string): string | undefined {
  if (kind === "deny") return `The hook "${name}" denied this without giving a reason.`;
  return kind === "endTurn" || kind === "endSession" ? `The hook "${name}" stopped the agent without giving a reason.` : undefined;
}

/** A hook that prints data for somebody else need not drown what is worth reading. */
const MAX_NOTED = 20;
const MAX_PATH = 80;

/** Every field that is present and does not count is named, up to a limit: unknown, known elsewhere, or in the wrong place. */
function noteFields(object: JsonObject, { dialect, row, wireName, stdin }: Asked, { ruling }: Said, note: Note): void {
  const here = pathsOf([row]);
  const event = `${dialect.title}'s ${wireName}`;
  const inside = strayKeys(object, row, stdin);
  const stray = [...strayFields(object, "", here), ...inside.keys()];
  if (stray.length === 0) return;
  const anywhere = pathsOf(Object.values(dialect.rows));
  // Who writes for several products may say it in the words of each.
  const write = ruling === undefined ? denialOf(row) : undefined;
  for (const one of stray.slice(0, MAX_NOTED)) {
    const { path, key, value } = one;
    const twin = path.startsWith(`${SPECIFIC}.`) ? path.slice(SPECIFIC.length + 1) : `${SPECIFIC}.${path}`;
    if (path.length > MAX_PATH) note("OUTPUT_FIELD_UNKNOWN", { path: `${path.slice(0, MAX_PATH)}...`, event, suggestion: undefined });
    else if (inside.has(one)) note("OUTPUT_FIELD_UNKNOWN", { path, event, suggestion: inside.get(one) });
    // A dot inside a key is no step: nothing reads such a field, whatever its name looks like.
    else if (key.includes(".")) note("OUTPUT_FIELD_UNKNOWN", { path, event, suggestion: undefined });
    else if (here.holders.has(path)) note("OUTPUT_BAD_VALUE", { path, expected: "an object", found: shown(value) });
    else if (has(here, twin)) note("OUTPUT_FIELD_MISPLACED", { path, belongs: twin });
    else if (has(anywhere, path)) note("OUTPUT_FIELD_IGNORED", { path, event: wireName });
    else if (has(anywhere, twin)) note("OUTPUT_FIELD_MISPLACED", { path, belongs: twin });
    else if (write !== undefined && holdsBack(key, value)) note("OUTPUT_RULING_UNREAD", { path, found: shown(value), event, write });
    else note("OUTPUT_FIELD_UNKNOWN", { path, event, suggestion: closest(path, here.fields) });
  }
  const more = stray.length - MAX_NOTED;
  if (more > 0) note("OUTPUT_FIELD_UNKNOWN", { path: `${more} more field${more === 1 ? "" : "s"}`, event, suggestion: undefined });
}

interface Stray {
  readonly path: string;
  readonly key: string;
  readonly value: Json | undefined;
}
/** The fields nothing reads, objects that hold fields looked into. */
function strayFields(inside: JsonObject, above: string, here: Paths): Stray[] {
  return Object.entries(inside).flatMap(([key, value]): Stray[] => {
    const path = above + key;
    if (key.includes(".")) return [{ path, key, value }];
    if (path === NAMES_EVENT || here.fields.includes(path)) return [];
    if (path !== SPECIFIC && !here.holders.has(path)) return [{ path, key, value }];
    if (isObject(value)) return strayFields(value, `${path}.`, here);
    // The common holder has been judged already.
    return path === SPECIFIC ? [] : [{ path, key, value }];
  });
}

/** The keys inside a decoded field that nothing reads, and what may have been meant. What the hook was shown there, and printed back, is no mistake. */
function strayKeys(object: JsonObject, row: AnyRow, stdin: JsonObject): ReadonlyMap<Stray, string | undefined> {
  const found = new Map<Stray, string | undefined>();
  for (const read of row.reads as readonly AnyReads[]) {
    const keys = "keys" in read ? read.keys : undefined;
    const value = keys && at(object, read.at);
    const shown = at(stdin, read.at.slice(SPECIFIC.length + 1));
    if (!keys || !isObject(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (keys.includes(key) || (isObject(shown) && sameJson(shown[key], inner))) continue;
      const meant = closest(key, keys);
      found.set({ path: `${read.at}.${key}`, key, value: inner }, meant && `${read.at}.${meant}`);
    }
  }
  return found;
}

const NAMES_EVENT = `${SPECIFIC}.hookEventName`;
/** The fields of some rows, and the objects that hold fields. */
interface Paths {
  readonly fields: readonly string[];
  readonly holders: ReadonlySet<string>;
}
const has = ({ fields, holders }: Paths, path: string): boolean => fields.includes(path) || holders.has(path);

const knownPaths = new WeakMap<AnyRow, Paths>();
function pathsOf(rows: readonly AnyRow[]): Paths {
  const [only] = rows;
  if (rows.length !== 1 || !only) {
    const all = rows.map((row) => pathsOf([row]));
    return { fields: all.flatMap(({ fields }) => fields), holders: new Set(all.flatMap(({ holders }) => [...holders])) };
  }
  const known = knownPaths.get(only);
  if (known) return known;
  const fields = (only.reads as readonly AnyReads[]).flatMap((read) => [read.at, ...(read.fills === "ruling" ? read.reason : [])]);
  const steps = fields.map((path) => path.split("."));
  const holders = new Set(steps.flatMap((path) => path.slice(1).map((_, i) => path.slice(0, i + 1).join("."))));
  const paths = { fields: [...new Set(fields)], holders };
  knownPaths.set(only, paths);
  return paths;
}
