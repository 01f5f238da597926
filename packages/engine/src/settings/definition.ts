/** Turns a handler's definition into texts that stay the same wherever it stands and however it is laid out. */
import { hash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../protocol/index.ts";

/** JSON with the keys of every object in order, a dot in front of each: equal for equal values. */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let text = "";
  if (isObject(value)) {
    for (const key of Object.keys(value).sort())
      text += `${text === "" ? "{" : ","}${JSON.stringify(`.${key}`)}:${canonicalJson(value[key] ?? null)}`;
    return text === "" ? "{}" : `${text}}`;
  }
  for (const item of value) text += `${text === "" ? "[" : ","}${canonicalJson(item)}`;
  return text === "" ? "[]" : `${text}]`;
}

/** Twelve hexadecimal digits that follow a definition through edits elsewhere in its file. Two copies of one definition have the same. */
export const keyOf = (dialect: string, written: JsonObject): string => hash("sha256", canonicalJson([dialect, written])).slice(0, 12);
