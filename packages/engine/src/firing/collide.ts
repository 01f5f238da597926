/** Finds where hooks that did not see each other changed one thing differently, and turns each such pair into a Problem naming both. */
import {
  applied,
  type Change,
  type Entry,
  isObject,
  type Json,
  type JsonObject,
  type Problem,
  problem,
  type Report,
  sameJson,
} from "../protocol/index.ts";

/** Path -> what one lane sets there in the end, and which of its hooks. */
export type Laid = ReadonlyMap<string, { readonly entry: Entry; readonly value: Json }>;
/** Two hooks that disagree, and about what. The later one counts. */
export interface Disagreement {
  readonly earlier: Entry;
  readonly later: Entry;
  readonly keys: readonly string[];
}

/** Between every two lanes, in order. A path disagrees with itself under another value, and with a path that leads into it. */
export function disagreements(lanes: readonly Laid[]): readonly Disagreement[] {
  return lanes.flatMap((later, i) => lanes.slice(0, i).flatMap((earlier) => between(earlier, later)));
}
function between(earlier: Laid, later: Laid): readonly Disagreement[] {
  const pairs = new Map<string, { readonly earlier: Entry; readonly later: Entry; readonly keys: string[] }>();
  for (const [path, ours] of earlier)
    for (const [other, theirs] of later) {
      if (path === other ? sameJson(ours.value, theirs.value) : !inside(path, other) && !inside(other, path)) continue;
      const pair = `${ours.entry.id} ${theirs.entry.id}`;
      const found = pairs.get(pair) ?? { earlier: ours.entry, later: theirs.entry, keys: [] };
      found.keys.push(path.length < other.length ? path : other);
      pairs.set(pair, found);
    }
  return [...pairs.values()];
}
const inside = (path: string, other: string): boolean => other.startsWith(`${path}.`);

/** The values of an object that are no objects, by dotted path. */
export function leaves(object: JsonObject, above: string): readonly (readonly [string, Json])[] {
  return Object.entries(object).flatMap(([key, value]): readonly (readonly [string, Json])[] =>
    isObject(value) && Object.keys(value).length > 0 ? leaves(value, `${above}.${key}`) : [[`${above}.${key}`, value]],
  );
}

export const collisionsOf = (met: readonly Disagreement[]): readonly Problem[] =>
  met.map(({ earlier, later, keys }) => collision(earlier, later, keys.join(", ")));
function collision(earlier: Entry, { id, name }: Entry, keys: string): Problem {
  return problem("REWRITES_COLLIDE", { entry: id }, { other: earlier.id, keys }, name);
}

/** Inside one lane changes of the arguments compose. Two lanes did not see each other: where they changed the same thing otherwise, say so. */
export function inputCollisions(
  inputs: readonly { readonly report: Report; readonly change: Change }[],
  original: JsonObject,
): readonly Problem[] {
  return inputs.flatMap((later, i) =>
    inputs.slice(0, i).flatMap((earlier) => {
      if (later.report.entry.lane === earlier.report.entry.lane) return [];
      const replaced = later.change.how === "whole" && later.report.entry.dialect === earlier.report.entry.dialect;
      const [a, b] = [applied(original, earlier.change), applied(original, later.change)];
      const same = touched(earlier.change, original).filter(
        (key) => touched(later.change, original).includes(key) && !sameJson(own(a, key), own(b, key)),
      );
      if (replaced ? sameJson(a, b) : same.length === 0) return [];
      return [collision(earlier.report.entry, later.report.entry, replaced ? "the whole input" : same.join(", "))];
    }),
  );
}

/** What a change names; of a whole that repeats the rest, only what it sets otherwise or leaves out. */
function touched({ how, value }: Change, original: JsonObject): readonly string[] {
  if (how === "merge") return Object.keys(value);
  return [...new Set([...Object.keys(original), ...Object.keys(value)])].filter((key) => !sameJson(own(original, key), own(value, key)));
}
const own = (object: JsonObject, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);
