/** Turns a handler's definition into texts that stay the same wherever it stands and however it is laid out. */
import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../protocol/index.ts";

/** JSON with the keys of every object in order: equal for equal values. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(sorted(value));
}

/** Twelve hexadecimal digits that follow a definition through edits elsewhere in its file. Two copies of one definition have the same. */
export const keyOf = (dialect: string, written: JsonObject): string =>
  createHash("sha256")
    .update(canonicalJson([dialect, written]))
    .digest("hex")
    .slice(0, 12);

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const object: Record<string, Json> = Object.create(null);
  // In front of each key something no array index begins with: an object would list those first, in whatever order.
  for (const key of Object.keys(value).sort()) object[`.${key}`] = sorted(value[key] ?? null);
  return object;
}
