/** Turns long text and large JSON into what the journal keeps of it, with marks that say how much was left out. */
import type { JsonObject } from "../protocol/index.ts";
import { mapStrings } from "./map-strings.ts";
import { MAX_STRUCTURE_BYTES, SHORT_STRING_BYTES, snapshot } from "./snapshot.ts";

const MARK_BYTES = 64;
/** What is kept of one text: 64 KiB of its head, 64 KiB of its tail, and the mark between them. */
export const MAX_TEXT_BYTES = 2 * 64 * 1024 + MARK_BYTES;
/** What is kept of one JSON value, in bytes before escaping: 256 KiB. */
export const MAX_JSON_BYTES = 256 * 1024;

/** May move the end of the head back and the start of the tail on (both are indices), so that a cut falls where the caller likes. */
export type Cut = (text: string, head: number, tail: number) => readonly [head: number, tail: number];
const anywhere: Cut = (_text, head, tail) => [head, tail];

/** At most `maxBytes` (128 or more) of UTF-8: the text itself, or equal shares of head and tail around a mark. Characters are not cut in two. */
export function clipText(text: string, maxBytes: number = MAX_TEXT_BYTES, cut: Cut = anywhere): string {
  if (text.length * 3 <= maxBytes) return text;
  if (text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes) return text;
  const share = Math.floor((maxBytes - MARK_BYTES) / 2);
  const [head, tail] = cut(text, headOf(text, share), tailOf(text, share));
  return `${text.slice(0, head)}\n[... ${Buffer.byteLength(text.slice(head, tail))} bytes left out ...]\n${text.slice(tail)}`;
}

/**
 * A copy of at most `maxBytes`. Its structure is kept up to half of that; then the longest strings give way, each around a mark of its own, and the others
 * stay whole. Never throws, never changes its argument; the clip of a clip is equal to it.
 */
export function clipJson(value: object, maxBytes: number = MAX_JSON_BYTES, cut: Cut = anywhere): JsonObject {
  return clipStrings(snapshot(value, Math.min(MAX_STRUCTURE_BYTES, maxBytes / 2)), maxBytes, cut);
}

/** The second half of `clipJson`, for what is a snapshot already. */
export function clipStrings(value: JsonObject, maxBytes: number = MAX_JSON_BYTES, cut: Cut = anywhere): JsonObject {
  const lengths: number[] = [];
  let structure = 0;
  const all = mapStrings(
    value,
    (text) => {
      const bytes = text.length > maxBytes ? maxBytes : Buffer.byteLength(text);
      if (bytes > SHORT_STRING_BYTES) lengths.push(bytes);
      structure += Math.min(bytes, SHORT_STRING_BYTES);
      return text;
    },
    (key) => {
      structure += Buffer.byteLength(key);
      return key;
    },
  );
  const limit = fairLimit(lengths, Math.max(0, maxBytes - structure));
  return limit === undefined ? all : mapStrings(all, (text) => clipText(text, limit, cut));
}

/** The largest length that all may have and still fit together; `undefined` when they fit as they are. */
function fairLimit(lengths: readonly number[], maxBytes: number): number | undefined {
  let left = maxBytes;
  const sorted = lengths.map((length) => length - SHORT_STRING_BYTES).sort((a, b) => a - b);
  for (const [i, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - i));
    if (length > share) return Math.max(2 * MARK_BYTES, share + SHORT_STRING_BYTES);
    left -= length;
  }
  return undefined;
}

const encoder = new TextEncoder();
function headOf(text: string, maxBytes: number): number {
  const start = text.slice(0, maxBytes);
  const read = Buffer.byteLength(start) === maxBytes ? maxBytes : encoder.encodeInto(start, new Uint8Array(maxBytes)).read;
  return isHighSurrogate(text, read - 1) ? read - 1 : read;
}

function tailOf(text: string, maxBytes: number): number {
  const start = Math.max(0, text.length - maxBytes);
  const end = text.slice(start);
  const tail = start + charactersOf(end, Math.max(0, Buffer.byteLength(end) - maxBytes));
  return isHighSurrogate(text, tail - 1) ? tail + 1 : tail;
}

/** How many of the first characters have `bytes` bytes or more. */
function charactersOf(text: string, bytes: number): number {
  if (bytes === 0) return 0;
  const { read, written } = encoder.encodeInto(text, new Uint8Array(bytes));
  if (written === bytes) return read;
  return read + (isHighSurrogate(text, read) ? 2 : 1);
}

/** The first half of a pair at `at`, so that a cut after it would halve a character. */
function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  return code >= 0xd800 && code <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
}
