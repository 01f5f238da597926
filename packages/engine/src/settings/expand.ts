/** Turns strings of settings that name variables into their texts, never inside what a shell will parse. */
import { isObject, type Json } from "../protocol/index.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * `$NAME`, `${NAME}` and `${NAME:-default}` from `variables`; the default counts where NAME is not set (an empty value is set), and what is
 * not set and has no default stays as written. Values are not expanded again. Source: the study of Gemini CLI, 1.7, stage A.
 */
export function expandText(text: string, variables: Variables): string {
  if (!text.includes("$")) return text;
  return text.replace(
    /\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})/g,
    (whole, bare: string | undefined, braced: string | undefined, otherwise: string | undefined) =>
      own(variables, bare ?? braced ?? "") ?? otherwise ?? whole,
  );
}

/** Every string of a value, keys excepted, through `change`. */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapStrings(item, change));
  if (!isObject(value)) return value;
  const mapped: Record<string, Json> = Object.create(null);
  for (const [key, item] of Object.entries(value)) mapped[key] = mapStrings(item, change);
  return mapped;
}

export const expandStrings = (value: Json, variables: Variables): Json => mapStrings(value, (text) => expandText(text, variables));

const own = (variables: Variables, name: string): string | undefined => (Object.hasOwn(variables, name) ? variables[name] : undefined);
