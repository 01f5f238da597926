/** Turns what was given on the command line into the facts of an event; what is not given comes from the dialect's example. */
import { isDeepStrictEqual } from "node:util";
import { closest, type EventName, type Facts, type Json, type JsonObject, type McpOrigin } from "@carabiner/engine";
import type { EventChoice } from "./fire-event.ts";
import { counterpartOf } from "./tool-words.ts";

export interface GivenFacts {
  readonly tool: string | undefined;
  /** `server/tool`. */
  readonly mcp: string | undefined;
  /** Fields of stdin, or the arguments of a tool alone. */
  readonly input: JsonObject | undefined;
}
export interface EventFacts {
  readonly facts: Facts[EventName];
  /** The fields of stdin that were given, in the dialect's words. */
  readonly fields: JsonObject;
  /** What was given and does not count, for people. */
  readonly notes: readonly string[];
}
export type MadeFacts = ({ readonly ok: true } & EventFacts) | { readonly ok: false; readonly problem: string };

export function makeFacts(choice: EventChoice, given: GivenFacts): MadeFacts {
  const { dialect, wireName, row } = choice;
  const bad = (problem: string): MadeFacts => ({ ok: false, problem });
  const flag = given.tool !== undefined ? "--tool" : given.mcp !== undefined ? "--mcp" : undefined;
  if (flag !== undefined && !takesTool(choice)) return bad(`${flag}: ${wireName} is not about a tool.`);
  const mcp = given.mcp === undefined ? undefined : originOf(given.mcp);
  if (given.mcp !== undefined && !mcp)
    return bad(`--mcp ${JSON.stringify(given.mcp)}: expected SERVER/TOOL, as in --mcp github/create_issue.`);
  if (mcp && given.tool !== undefined) return bad("--mcp and --tool both name the tool: give one of them.");
  const name = mcp ? dialect.tools.mcpName(mcp.server, mcp.tool) : given.tool;
  const spread = spreadInput(choice, given.input ?? {}, given.input !== undefined);
  const said = spread["tool_name"];
  if (name !== undefined && said !== undefined && said !== name)
    return bad(`${flag} says ${JSON.stringify(name)} and tool_name in --input says ${JSON.stringify(said)}: give one of them.`);

  const fields: JsonObject = name === undefined ? spread : { ...spread, tool_name: name };
  // The table keeps a row's facts and its example together; here only the pair as a whole is known to fit.
  const factsOf = row.facts as (fields: JsonObject, example: Facts[EventName]) => Facts[EventName];
  const facts = factsOf(fields, row.example);
  return { ok: true, facts: mcp ? withOrigin(facts, mcp) : facts, fields, notes: notesOn(choice, fields) };
}

/** Of the given fields those that hooks do not read as they were given: the value is no value of this field. */
export function notPassedOn({ fields }: EventFacts, stdin: JsonObject): readonly string[] {
  return Object.keys(fields).flatMap((key) => {
    if (SET_HERE.includes(key) || !Object.hasOwn(stdin, key) || isDeepStrictEqual(plainJson(fields[key]), plainJson(stdin[key]))) return [];
    return [`--input: ${key} is not passed on as it was given: hooks read ${JSON.stringify(stdin[key])}.`];
  });
}

const takesTool = ({ row }: EventChoice): boolean => Object.hasOwn(row.stdin, "tool_name");
const knownKeys = ({ dialect, row }: EventChoice): readonly string[] => [...Object.keys(dialect.stdin), ...Object.keys(row.stdin)];

/** At an event about a tool, an object without any field of stdin is the tool's arguments. */
function spreadInput(choice: EventChoice, input: JsonObject, isGiven: boolean): JsonObject {
  const known = knownKeys(choice);
  return isGiven && takesTool(choice) && !Object.keys(input).some((key) => known.includes(key)) ? { tool_input: input } : input;
}

/** A server's name may hold a slash, a tool's does not. */
function originOf(text: string): McpOrigin | undefined {
  const slash = text.lastIndexOf("/");
  return slash > 0 && slash < text.length - 1 ? { server: text.slice(0, slash), tool: text.slice(slash + 1) } : undefined;
}
function withOrigin(facts: Facts[EventName], mcp: McpOrigin): Facts[EventName] {
  return "tool" in facts && facts.tool ? { ...facts, tool: { ...facts.tool, mcp } } : facts;
}

/** Set for every firing anew; giving them, as a recorded event does, is no mistake. */
const SET_HERE: readonly string[] = ["timestamp", "hook_event_name"];

function notesOn(choice: EventChoice, fields: JsonObject): readonly string[] {
  const { wireName } = choice;
  const known = knownKeys(choice);
  const unknown = Object.keys(fields)
    .filter((key) => !known.includes(key) && !SET_HERE.includes(key))
    .map((key) => {
      const meant = closest(key, known);
      return `--input: ${JSON.stringify(key)} is not a field of ${wireName}, and hooks do not read it.${meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`}`;
    });
  const named = fields["hook_event_name"];
  const other =
    named === undefined || named === wireName ? [] : [`--input: hook_event_name says ${JSON.stringify(named)}; fired is ${wireName}.`];
  return [...other, ...unknown, ...toolNote(choice, fields["tool_name"])];
}

/** Tools may have any name; one that is another product's, or nearly a known one, is probably a slip. */
function toolNote({ dialect }: EventChoice, name: Json | undefined): readonly string[] {
  if (typeof name !== "string") return [];
  const names = dialect.tools.tools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
  if (names.includes(name)) return [];
  const foreign = counterpartOf(name, dialect);
  const meant = foreign?.name ?? closest(name, names);
  const whose = foreign === undefined ? "" : `, which is a word of ${foreign.owner.title}`;
  return meant === undefined
    ? []
    : [`${dialect.title} has no tool ${JSON.stringify(name)}${whose}. Did you mean ${JSON.stringify(meant)}? It is fired as it stands.`];
}

const plainJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
