/** Bounds how deeply foreign JSON may nest: beyond that, everything that walks or writes it would overflow the stack. */
import { isObject, type Json, type JsonObject } from "../protocol/index.ts";

/** Real hooks stay in single digits; writing JSON overflows the stack at some thousands. */
export const MAX_DEPTH = 500;

/** Is the value JSON that nests no deeper than `MAX_DEPTH`? Members that are `undefined` are taken as absent. Circles are too deep. */
export function isPlainJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((one) => isPlainJson(one, depth + 1));
  return Object.values(value).every((one) => one === undefined || isPlainJson(one, depth + 1));
}

/** An object as `JSON.parse` made it from this text, without the fields, at most two levels down, that nest too deep; `dropped` are their paths. */
export function shallow(object: JsonObject, text: string): { readonly object: JsonObject; readonly dropped: readonly string[] } {
  if (!opensMany(text)) return { object, dropped: [] };
  const dropped: string[] = [];
  const kept = pruned(object, dropped, "", 2);
  return { object: kept, dropped };
}
function pruned(object: JsonObject, dropped: string[], at: string, levels: number): JsonObject {
  const entries = Object.entries(object).flatMap(([key, value]): [string, Json][] => {
    if (isPlainJson(value)) return [[key, value]];
    if (levels > 1 && isObject(value)) return [[key, pruned(value, dropped, `${at}${key}.`, levels - 1)]];
    dropped.push(`${at}${key}`);
    return [];
  });
  return Object.fromEntries(entries);
}

/** Asked of a text because that is cheap: one with fewer brackets than that cannot be too deep. */
function opensMany(text: string): boolean {
  let open = 0;
  for (let i = 0; i < text.length && open <= MAX_DEPTH; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) open++;
  }
  return open > MAX_DEPTH;
}
