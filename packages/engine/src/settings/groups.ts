/** Turns one layer's `hooks` into drafts, one a handler, with what its event and its group say; what is wrong above the handler is settled here. */
import type { AnyRow, Dialect } from "../dialects/index.ts";
import {
  type Barred,
  closest,
  isObject,
  type Json,
  type JsonObject,
  type Layer,
  type Problem,
  type ProblemCode,
  problem,
  shown,
} from "../protocol/index.ts";
import { checkMatcher } from "./check-matcher.ts";
import { expandText, type Variables } from "./expand.ts";
import type { JsonPath } from "./json-text.ts";
import { placeOf } from "./places.ts";

/** A handler as found, before anybody has looked inside. */
export interface Draft {
  readonly layer: Layer;
  readonly path: JsonPath;
  readonly wireName: string;
  /** Absent: the event is not one that is fired here, and `barred` says so. */
  readonly row: AnyRow | undefined;
  /** The group as written, without its handlers. */
  readonly group: JsonObject;
  readonly matcher: string | undefined;
  readonly sequential: boolean;
  readonly background: boolean;
  /** Drafts of one sequential group have the same. */
  readonly lane: string;
  readonly value: Json;
  readonly barred: Barred | undefined;
}
export interface Drafts {
  readonly drafts: readonly Draft[];
  readonly problems: readonly Problem[];
}

interface Reading {
  readonly dialect: Dialect;
  /** Every dialect whose words may have been meant. */
  readonly known: readonly Dialect[];
  readonly layer: Layer;
  readonly variables: Variables | undefined;
}
/** What an event says of every handler under it. */
type Event = Pick<Draft, "wireName" | "row" | "barred">;

/**
 * The handlers of a layer in file order. A group or event of the wrong shape is dropped with a problem (its handlers, where there are any, are barred
 * `broken`); a handler that stands where a group belongs is barred with a problem that shows the right shape; the rest of the file still counts.
 * Source: contracts/gemini.md, "Configuration".
 */
export function readGroups(reading: Reading): Drafts {
  const { dialect, layer } = reading;
  const { settings } = layer;
  if (settings === undefined) return NONE;
  const misplaced = Object.keys(settings).filter((key) => Object.hasOwn(dialect.rows, key) && Array.isArray(settings[key]));
  const problems = misplaced.map((key) =>
    shape(layer, [key], {
      expected: "events inside the key hooks",
      found: `${key} outside of it`,
      now: "Its hooks never run.",
      todo: `Move it: ${example(dialect)}`,
    }),
  );
  const hooks = Object.hasOwn(settings, "hooks") ? settings["hooks"] : undefined;
  if (hooks === undefined) return { drafts: [], problems };
  if (!isObject(hooks)) {
    const facts = {
      expected: "an object of events",
      found: shown(hooks),
      now: "No hooks are taken from this file.",
      todo: `Write ${example(dialect)}`,
    };
    return { drafts: [], problems: [...problems, shape(layer, ["hooks"], facts)] };
  }
  const events = Object.entries(hooks).filter(([name]) => !dialect.switches.notEvents.includes(name));
  return joined([{ drafts: [], problems }, ...events.map(([name, value]) => readEvent(reading, name, value))]);
}

/** The identifier a handler gives itself: its name, else its command. */
export function identifierOf(value: Json): string | undefined {
  if (!isObject(value)) return undefined;
  return ["name", "command"]
    .map((key) => (Object.hasOwn(value, key) ? value[key] : undefined))
    .find((text) => typeof text === "string" && text.trim() !== "") as string | undefined;
}

function readEvent(reading: Reading, wireName: string, value: Json): Drafts {
  const { dialect, layer } = reading;
  const path = ["hooks", wireName];
  const row = Object.hasOwn(dialect.rows, wireName) ? dialect.rows[wireName] : undefined;
  if (row === undefined) {
    const fired = !dialect.notFiredHere.includes(wireName);
    const barred: Barred = fired
      ? { status: "broken", why: `"${wireName}" is not an event` }
      : { status: "notFiredHere", why: `"${wireName}" is an event of the product that is not fired here` };
    const place = placeOf(layer, path);
    const problems = [
      fired ? problem("EVENT_UNKNOWN", place, meantBy(reading, wireName)) : problem("EVENT_NOT_FIRED", place, { name: wireName }),
    ];
    // Inside an event that nobody fires only the handlers are worth knowing.
    return {
      drafts: Array.isArray(value)
        ? value.flatMap((group: Json, g) => readGroup(reading, { wireName, row, barred }, group, [...path, g]).drafts)
        : [],
      problems,
    };
  }
  if (!Array.isArray(value)) {
    const facts = {
      expected: "a list of groups",
      found: shown(value),
      now: `No ${wireName} hooks are taken from this file.`,
      todo: `Write ${example(dialect, wireName)}`,
    };
    return { drafts: [], problems: [shape(layer, path, facts)] };
  }
  return joined(value.map((group: Json, g) => readGroup(reading, { wireName, row, barred: undefined }, group, [...path, g])));
}

function readGroup(reading: Reading, event: Event, group: Json, path: JsonPath): Drafts {
  const { dialect, layer, variables } = reading;
  const { wireName, row } = event;
  if (!isObject(group)) {
    const facts = {
      expected: "a group: an object with a list of hooks",
      found: shown(group),
      now: "It is dropped; the other groups count.",
      todo: `Write ${example(dialect, wireName)}`,
    };
    return { drafts: [], problems: [shape(layer, path, facts)] };
  }
  const { hooks, ...rest } = group;
  const plain = { ...event, layer, group: rest, matcher: undefined, sequential: false, background: false };
  if (hooks === undefined && (Object.hasOwn(group, "command") || Object.hasOwn(group, "type"))) {
    const facts = {
      expected: "a group with a list of hooks",
      found: "a hook without a group around it",
      now: "This hook never runs.",
      todo: `Write ${example(dialect, wireName)}`,
    };
    const barred: Barred = event.barred ?? { status: "broken", why: "it stands where a group with a list of hooks belongs" };
    const draft = { ...plain, group: {}, path, lane: laneOf(layer, path), value: group, barred };
    return { drafts: [draft], problems: [shape(layer, path, facts, identifierOf(group))] };
  }
  if (!Array.isArray(hooks)) {
    const now = "This group is dropped; the others count.";
    const facts = { expected: "a list of hooks", found: shown(hooks), now, todo: `Write ${example(dialect, wireName)}` };
    return { drafts: [], problems: [shape(layer, hooks === undefined ? path : [...path, "hooks"], facts)] };
  }
  const who = hooks.flatMap((value: Json) => identifierOf(value) ?? []).join(", ") || undefined;
  const problems = Object.keys(group)
    .filter((key) => !dialect.groupKeys.includes(key))
    .map((key) =>
      problem(
        "KEY_UNKNOWN",
        placeOf(layer, [...path, key]),
        { key, known: dialect.groupKeys, suggestion: closest(key, dialect.groupKeys) },
        who,
      ),
    );
  const flag = (key: string): boolean => {
    const value = Object.hasOwn(group, key) && dialect.groupKeys.includes(key) ? group[key] : undefined;
    if (value !== undefined && typeof value !== "boolean")
      problems.push(shape(layer, [...path, key], { expected: "true or false", found: shown(value), now: "It counts as false." }, who));
    return value === true;
  };
  const [sequential, background] = [flag("sequential"), flag("async")];
  const drafts = (said: Pick<Draft, "matcher" | "barred">) =>
    hooks.map((value: Json, h): Draft => {
      const own = [...path, "hooks", h];
      return { ...plain, ...said, sequential, background, path: own, lane: laneOf(layer, sequential ? path : own), value };
    });
  const matcher = Object.hasOwn(group, "matcher") ? group["matcher"] : undefined;
  if (matcher !== undefined && typeof matcher !== "string") {
    const now = "This group is dropped; the others count.";
    problems.push(
      shape(
        layer,
        [...path, "matcher"],
        { expected: "a text", found: shown(matcher), now, todo: 'Leave it out, or write "*", to match everything.' },
        who,
      ),
    );
    return {
      drafts: drafts({ matcher: undefined, barred: event.barred ?? { status: "broken", why: "its group's matcher is not a text" } }),
      problems,
    };
  }
  const text = matcher === undefined || variables === undefined ? matcher : expandText(matcher, variables);
  if (row === undefined) return { drafts: drafts({ matcher: text, barred: event.barred }), problems };
  const { finding, ...checked } = checkMatcher(text, row, wireName);
  if (finding !== undefined) problems.push(problem<ProblemCode>(finding.code, placeOf(layer, [...path, "matcher"]), finding.facts, who));
  return { drafts: drafts({ matcher: checked.matcher, barred: event.barred ?? checked.barred }), problems };
}

/** What an unknown event name may have meant: the same moment in another product's words, else the closest word of this one. */
function meantBy({ dialect, known }: Reading, name: string) {
  const words = Object.keys(dialect.rows);
  const moments = known.filter(({ id }) => id !== dialect.id).flatMap(({ rows }) => (Object.hasOwn(rows, name) ? [rows[name]] : []));
  const counterpart = words.find((word) => moments.some((moment) => moment !== undefined && sameMoment(moment, dialect.rows[word])));
  return { name, counterpart, suggestion: closest(name, [...words, ...dialect.notFiredHere]), known: words };
}

function sameMoment(a: AnyRow, b: AnyRow | undefined): boolean {
  if (a.on !== b?.on) return false;
  const [whenA, whenB]: (readonly string[] | undefined)[] = [a.when, b.when];
  return whenA === undefined || whenB === undefined || whenA.some((variant) => whenB.includes(variant));
}

const NONE: Drafts = { drafts: [], problems: [] };
const joined = (parts: readonly Drafts[]): Drafts => ({
  drafts: parts.flatMap(({ drafts }) => drafts),
  problems: parts.flatMap(({ problems }) => problems),
});
const laneOf = (layer: Layer, path: JsonPath): string => JSON.stringify([layer.dialect, layer.scope, layer.path, path]);

function shape(
  layer: Layer,
  path: JsonPath,
  facts: { expected: string; found: string; now: string; todo?: string },
  hook?: string,
): Problem {
  return problem("SETTINGS_BAD_SHAPE", placeOf(layer, path), facts, hook);
}

/** The right shape, to copy. */
function example({ rows }: Dialect, wireName = Object.keys(rows)[0] ?? ""): string {
  return JSON.stringify({ hooks: { [wireName]: [{ hooks: [{ type: "command", command: "./hook.sh" }] }] } });
}
