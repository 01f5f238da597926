/** Turns a value that its owner may change later into a bounded copy of its structure: plain JSON, strings whole. */
import type { Json, JsonObject } from "../protocol/index.ts";

/** Deeper than this, a list or an object becomes `"[...]"`. */
const MAX_DEPTH = 64;
/** What a copied structure may weigh: names, brackets and scalars in bytes of JSON, of every string at most `SHORT_STRING_BYTES`. */
export const MAX_STRUCTURE_BYTES = 128 * 1024;
/** Up to here a string belongs to the structure: no other string is clipped to less. */
export const SHORT_STRING_BYTES = 64;
const CONTAINER_BYTES = 8;
const LEFT_OUT_BYTES = 80;
/** Stands for a list or an object of which nothing is left; weighs no more than an empty one. */
const ELIDED = "[...]";

/**
 * A copy as JSON.stringify would see it, except that it never throws: what cannot be read is a string that says so, a bigint is its digits.
 * A structure of more than `maxBytes` loses its deepest parts first, then its later ones, and says how many there were. What says that it is
 * something else than an object (a date) gives an empty one. The copy of a copy is equal to it.
 */
export function snapshot(value: object, maxBytes: number = MAX_STRUCTURE_BYTES): JsonObject {
  return copied(value, maxBytes, false) ?? copied(value, maxBytes - LEFT_OUT_BYTES, true) ?? {};
}

interface Pending {
  readonly source: object;
  readonly target: Json[] | { [key: string]: Json };
  readonly depth: number;
}

/** Level by level, so that what is near the top is kept. Without `cutting`: `undefined` as soon as something does not fit. */
function copied(value: object, maxBytes: number, cutting: boolean): JsonObject | undefined {
  const root = emptyObject();
  const queue: Pending[] = [{ source: value, target: root, depth: 0 }];
  let left = maxBytes;
  const admitted = (raw: unknown, depth: number): Json | undefined => {
    const plain = asJson(raw);
    if (typeof plain !== "object" || plain === null) {
      left -= weightOf(plain);
      return plain;
    }
    left -= CONTAINER_BYTES;
    if (depth > MAX_DEPTH) return cutting ? ELIDED : undefined;
    const target = Array.isArray(plain) ? [] : emptyObject();
    queue.push({ source: plain, target, depth });
    return target;
  };
  for (const [i, { source, target, depth }] of queue.entries()) {
    const keys = Array.isArray(target) ? undefined : keysOf(source);
    const count = keys ? keys.length : lengthOf(source);
    for (let at = 0; at < count; at++) {
      const key = keys?.[at];
      const raw = propertyOf(source, key ?? at);
      if (key !== undefined && !isJsonLike(raw)) continue;
      const queued = queue.length;
      left -= key === undefined ? 0 : Buffer.byteLength(key) + 3;
      const child = admitted(raw, depth + 1);
      if (child === undefined || left < 0) {
        if (!cutting) return undefined;
        put(target, ELIDED, `[... ${count - at} more left out ...]`);
        markUnvisited(queue.slice(0, i + 1), queue.slice(i + 1, queued));
        return root;
      }
      put(target, key, child);
    }
  }
  return root;
}

function put(target: Pending["target"], key: string | undefined, child: Json): void {
  if (Array.isArray(target)) target.push(child);
  else if (key !== undefined) target[key] = child;
}

/** What was admitted and never looked into is empty for want of space, not because it was: it becomes the mark. */
function markUnvisited(visited: readonly Pending[], others: readonly Pending[]): void {
  const unvisited = new Set<unknown>(others.filter(({ source }) => keysOf(source).length > 0).map(({ target }) => target));
  for (const { target } of visited) {
    if (Array.isArray(target)) for (const [i, child] of target.entries()) target[i] = unvisited.has(child) ? ELIDED : child;
    else for (const key of Object.keys(target)) if (unvisited.has(target[key])) target[key] = ELIDED;
  }
}

const isJsonLike = (raw: unknown): boolean => raw !== undefined && typeof raw !== "function" && typeof raw !== "symbol";
type Scalar = null | boolean | number | string;
function asJson(raw: unknown): Scalar | object {
  if (typeof raw === "object" && raw !== null) {
    const own = withToJson(raw);
    return own === raw ? raw : typeof own === "object" && own !== null ? own : asJson(own);
  }
  if (typeof raw === "string" || typeof raw === "boolean") return raw;
  if (typeof raw === "number") return Number.isFinite(raw) ? raw : null;
  return typeof raw === "bigint" ? raw.toString() : null;
}
/** Dates and their like say themselves what they are as JSON. */
function withToJson(value: object): unknown {
  try {
    return "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value;
  } catch {
    return UNREADABLE;
  }
}
const UNREADABLE = "[unreadable]";
function propertyOf(source: object, key: string | number): unknown {
  try {
    return Reflect.get(source, key);
  } catch {
    return UNREADABLE;
  }
}
function keysOf(source: object): readonly string[] {
  try {
    return Object.keys(source);
  } catch {
    return [];
  }
}
function lengthOf(source: object): number {
  const length = propertyOf(source, "length");
  return typeof length === "number" ? length : 0;
}
function weightOf(scalar: Scalar): number {
  if (typeof scalar !== "string") return CONTAINER_BYTES;
  return 2 + (scalar.length > SHORT_STRING_BYTES ? SHORT_STRING_BYTES : Math.min(SHORT_STRING_BYTES, Buffer.byteLength(scalar)));
}
/** Without a prototype, so that a key called `__proto__` is a key. */
function emptyObject(): { [key: string]: Json } {
  return Object.create(null);
}
