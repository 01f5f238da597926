/** JSON as data: the questions this room asks of values that came from elsewhere. */
import type { JsonObject } from "@carabiner/engine";

/** Whether a value that came out of `JSON.parse` is an object. */
export const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of JSON text, or the reason why it is none. */
export function parsed(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** The first complaint of a schema, with its place: `calls[0].name: expected string, found 5`. */
export function complaint(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const first = issues[0];
  if (!first) return "has an unexpected shape";
  const place = first.path.map((key, i) => (typeof key === "number" ? `[${key}]` : `${i === 0 ? "" : "."}${String(key)}`)).join("");
  return place === "" ? first.message : `${place}: ${first.message}`;
}
