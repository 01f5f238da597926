/** Bounds how deeply foreign JSON may nest: beyond that, everything that walks or writes it would overflow the stack. */
import type { Json } from "../protocol/index.ts";

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

/** The same question of what `JSON.parse` has made, which is cheaper to answer: a text with fewer brackets than that cannot be too deep. */
export const isTooDeep = (value: Json, text: string): boolean => opensMany(text) && !isPlainJson(value);

function opensMany(text: string): boolean {
  let open = 0;
  for (let i = 0; i < text.length && open <= MAX_DEPTH; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) open++;
  }
  return open > MAX_DEPTH;
}
