/** JSON as data: the value types, and the few questions asked of foreign objects without ever touching a prototype. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A value, or the promise to build it if somebody reads it: nothing is translated before a hook is known to run. */
export type Lazy<T extends object> = T | (() => T);
export const read = <T extends object>(lazy: Lazy<T>): T => (typeof lazy === "function" ? lazy() : lazy);

export const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** The own value at a dotted path, or `undefined`: keys such as `__proto__` are keys like any other. */
export function at(object: JsonObject, path: string): Json | undefined {
  let here: Json | undefined = object;
  for (const key of path.split(".")) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

/** `over` laid over `under`: objects key by key and as deep as both are objects, every other value whole. */
export function merged(under: JsonObject, over: JsonObject): JsonObject {
  const entries = Object.entries(over).map(([key, value]): [string, Json] => {
    const before = Object.hasOwn(under, key) ? under[key] : undefined;
    return [key, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...under, ...Object.fromEntries(entries) };
}

/** Equality of JSON values; the order of an object's keys does not count. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, i) => sameJson(value, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}

/** How a value looks in a message: short JSON, one line, at most `max` characters. */
export function shown(value: unknown, max = 60): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length <= max ? text : `${text.slice(0, max - 3)}...`;
}
