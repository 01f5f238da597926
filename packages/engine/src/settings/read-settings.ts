/** Turns one settings file into a Layer: what it holds, or what is wrong with it. */
import { readFileSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { type DialectId, isObject, type Layer, type Problem, problem, type Scope, shown } from "../protocol/index.ts";
import { readJsonValue } from "./json-text.ts";
import { pathText, positionOf } from "./places.ts";

/** A file that is a layer of a dialect if it exists. */
export interface LayerFile {
  readonly dialect: DialectId;
  readonly scope: Scope;
  readonly path: string;
  readonly extension?: Layer["extension"];
}

/** No settings file is anywhere near this; what is, is something else. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads the file now. Never throws. Missing: `found` is false, and nothing is wrong. Unreadable, no regular file, not JSON, or no object:
 * `settings` is `undefined`, with SETTINGS_UNREADABLE, SETTINGS_BAD_JSON or SETTINGS_BAD_SHAPE. A key written twice: SETTINGS_DUPLICATE_KEY.
 * Comments, trailing commas and a BOM are allowed. Source: contracts/gemini.md, "Configuration".
 */
export function readSettings({ dialect, scope, path, extension }: LayerFile): Layer {
  const about = { dialect, scope, path, ...(extension === undefined ? {} : { extension }) };
  const read = readText(path);
  if (read.kind === "missing") return { ...about, found: false, settings: undefined, text: "", problems: [] };
  if (read.kind === "unreadable")
    return {
      ...about,
      found: true,
      settings: undefined,
      text: "",
      problems: [problem("SETTINGS_UNREADABLE", { path }, read)],
      ...(read.momentary ? { momentary: true } : {}),
    };
  const { text } = read;
  const json = readJsonValue(text);
  if (!json.ok) {
    const place = { file: path, jsonPath: "", ...positionOf(text, json.offset) };
    return { ...about, found: true, settings: undefined, text, problems: [problem("SETTINGS_BAD_JSON", place, json)] };
  }
  const problems: Problem[] = json.duplicates.map((duplicate) =>
    problem("SETTINGS_DUPLICATE_KEY", { file: path, jsonPath: pathText(duplicate) }, { key: String(duplicate.at(-1)) }),
  );
  if (isObject(json.value)) return { ...about, found: true, settings: json.value, text, problems };
  const wrong = { expected: "an object", found: shown(json.value), now: "Nothing is taken from this file; every other file still counts." };
  return { ...about, found: true, settings: undefined, text, problems: [problem("SETTINGS_BAD_SHAPE", { path }, wrong)] };
}

export type Text =
  | { readonly kind: "text"; readonly text: string; readonly bom: boolean }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly message: string /** Nothing is wrong with the file itself. */; readonly momentary?: true };

/** The text of a regular file without its BOM. Never throws, and never waits for a pipe or a device. */
export function readText(path: string): Text {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    // The usual way to say "no such file" in a variable that names one.
    if (stat === undefined || path === devNull) return { kind: "missing" };
    if (!stat.isFile()) return { kind: "unreadable", message: stat.isDirectory() ? "it is a directory" : "it is not a regular file" };
    if (stat.size > MAX_BYTES) return { kind: "unreadable", message: `it is larger than ${MAX_BYTES} bytes` };
    const bytes = readFileSync(path);
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
      return { kind: "unreadable", message: "it is UTF-16, and settings are read as UTF-8" };
    const text = bytes.toString("utf8");
    return text.startsWith("\uFEFF") ? { kind: "text", text: text.slice(1), bom: true } : { kind: "text", text, bom: false };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // ENOENT between the two calls, ENOTDIR where a parent is a file: there is no such file.
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "unreadable", message, ...(isShortage(error) ? { momentary: true } : {}) };
  }
}

/** Did the system have no descriptor or memory left? That says nothing about the file, and may be over the next moment. */
export function isShortage(error: unknown): boolean {
  return error instanceof Error && "code" in error && SHORTAGES.has(error.code);
}
const SHORTAGES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);
