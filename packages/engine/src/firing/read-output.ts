/** Reads one object a hook printed against a row of a dialect's table: fields to slots, and a note on every field that does not count. */
import type { AnyRow, Dialect, Reads, Speaker } from "../dialects/index.ts";
import {
  at,
  closest,
  isObject,
  type JsonObject,
  type Opinion,
  type Problem,
  type ProblemCode,
  type ProblemFacts,
  problem,
  type Ruling,
  type SlotName,
  type Slots,
  shown,
  strength,
  type ToolCall,
} from "../protocol/index.ts";

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
  for (const read of asked.row.reads as readonly AnyReads[]) {
    if (read.at.startsWith(`${SPECIFIC}.`) && !specificCounts) continue;
    if (at(object, read.at) !== undefined) readField(read, object, asked, said, note);
  }
  noteFields(object, asked, note);
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

function readField(read: AnyReads, object: JsonObject, asked: Asked, said: Said, note: Note): void {
  const value = at(object, read.at);
  if (value === undefined) return;
  const bad = (expected: string): void => note("OUTPUT_BAD_VALUE", { path: read.at, expected, found: shown(value) });
  switch (read.fills) {
    case "ruling":
      if (read.unlessPresent === undefined || at(object, read.unlessPresent) === undefined) readRuling(read, object, asked, said, note);
      return;
    case "input":
      if (!isObject(value) || !asked.tool) {
        bad("an object");
        return;
      }
      said.input =
        read.how === "merge"
          ? { how: "merge", value: asked.say.hostPatch(asked.tool, value) }
          : { how: "whole", value: asked.say.hostInput(asked.tool, value) };
      return;
    case "message":
    case "context":
      if (typeof value !== "string") {
        bad("a text");
        return;
      }
      if (value !== "") said[read.fills] = value;
      return;
    case "clearContext":
    case "quiet":
      if (typeof value !== "boolean") {
        bad("true or false");
        return;
      }
      if (value) said[read.fills] = true;
      return;
    case "result":
      said.result = value;
      return;
    default: {
      const decoded = read.as(value, { hostToolName: asked.say.hostToolName, hostPatch: asked.say.hostPatch, shown: asked.stdin });
      if (decoded === undefined) {
        bad(read.expected);
        return;
      }
      Object.assign(said, { [read.fills]: decoded } satisfies { [S in SlotName]?: Slots[S] });
    }
  }
}

function readRuling(read: Extract<AnyReads, { fills: "ruling" }>, object: JsonObject, { entry }: Asked, said: Said, note: Note): void {
  const value = at(object, read.at);
  const kind = typeof value === read.expected && Object.hasOwn(read.values, String(value)) ? read.values[String(value)] : undefined;
  if (kind === undefined) {
    const expected = read.expected === "boolean" ? "true or false" : `one of ${Object.keys(read.values).join(", ")}`;
    note("OUTPUT_BAD_VALUE", { path: read.at, expected, found: shown(value) });
    return;
  }
  if (kind === "none") return;
  const reason = reasonOf(read.reason, object, note);
  const ruling: Ruling = { kind, reason: reason ?? standardReason(kind, entry.name) };
  if (kind === "deny" && reason === undefined) note("REASON_MISSING", { used: ruling.reason ?? "" });
  const before = said.ruling;
  if (strength(ruling) > strength(before)) said.ruling = ruling;
  // A denial beside a stop still withholds what it denies. Source: the Gemini contract, "Several hooks on one firing".
  if ((kind === "deny" && strength(before) > strength(ruling)) || (before?.kind === "deny" && strength(ruling) > strength(before)))
    said.withhold = true;
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

/** Every field that is present and does not count is named: unknown, known elsewhere, or in the wrong place. */
function noteFields(object: JsonObject, { dialect, row, wireName }: Asked, note: Note): void {
  const here = pathsOf([row]);
  const anywhere = pathsOf(Object.values(dialect.rows));
  const look = (path: string, twin: string): void => {
    if (here.has(path)) return;
    if (here.has(twin)) note("OUTPUT_FIELD_MISPLACED", { path, belongs: twin });
    else if (anywhere.has(path)) note("OUTPUT_FIELD_IGNORED", { path, event: wireName });
    else if (anywhere.has(twin)) note("OUTPUT_FIELD_MISPLACED", { path, belongs: twin });
    else note("OUTPUT_FIELD_UNKNOWN", { path, suggestion: closest(path, [...here]) });
  };
  for (const key of Object.keys(object)) if (key !== SPECIFIC) look(key, `${SPECIFIC}.${key}`);
  const specific = object[SPECIFIC];
  if (isObject(specific)) for (const key of Object.keys(specific)) if (key !== "hookEventName") look(`${SPECIFIC}.${key}`, key);
}

const knownPaths = new WeakMap<AnyRow, ReadonlySet<string>>();
function pathsOf(rows: readonly AnyRow[]): ReadonlySet<string> {
  const [only] = rows;
  if (rows.length !== 1 || !only) return new Set(rows.flatMap((row) => [...pathsOf([row])]));
  const known = knownPaths.get(only);
  if (known) return known;
  const paths = new Set<string>(rowPaths(only));
  knownPaths.set(only, paths);
  return paths;
}
/** Paths a row reads, reasons included, down to the field that `hookSpecificOutput` holds directly. */
function rowPaths(row: AnyRow): string[] {
  const paths = (row.reads as readonly AnyReads[]).flatMap((read) => [read.at, ...(read.fills === "ruling" ? read.reason : [])]);
  return paths.map((path) =>
    path
      .split(".")
      .slice(0, path.startsWith(`${SPECIFIC}.`) ? 2 : 1)
      .join("."),
  );
}
