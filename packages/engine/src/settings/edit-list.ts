/** Turns JSON text into the same text with an element more or fewer in one list: comments, layout, commas and line endings stay as they are. */
import type { Node } from "jsonc-parser";
import { isObject, type Json, sameJson } from "../protocol/index.ts";
import { commaAfter, nodeAt, readJsonText } from "./json-text.ts";

export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** Puts names at the end of the list at `path`, whose objects and list are made where they are missing; names that are there already stay once. */
export function addToList(text: string, path: readonly string[], names: readonly string[]): Edited {
  return edit(
    text,
    path,
    (before) => [...before, ...names.filter((name, i) => !before.includes(name) && names.indexOf(name) === i)],
    (current, missing) => missing.reduce<string>((now, name) => withElement(now, path, name), current),
  );
}

/** Puts one element at the end of the list at `path`, whether or not an equal one is there; objects and list are made where they are missing. */
export function addElement(text: string, path: readonly string[], element: Json): Edited {
  return edit(
    text,
    path,
    (before) => [...before, element],
    (current) => withElement(current, path, element),
  );
}

/** Takes out every element that `gone` says yes to. A missing list stays missing. */
export function removeFromList(text: string, path: readonly string[], gone: (name: string) => boolean): Edited {
  const stays = (element: Json): boolean => typeof element !== "string" || !gone(element);
  return edit(
    text,
    path,
    (before) => before.filter(stays),
    (current) => {
      let now = current;
      for (;;) {
        const list = listAt(now, path);
        const position = list?.children?.findIndex(({ type, value }) => type === "string" && gone(String(value))) ?? -1;
        if (list === undefined || position === -1) return now;
        now = withoutElement(now, list, position);
      }
    },
  );
}

/** Checks before that the text can be edited, and afterwards that nothing but the list is different. */
function edit(
  text: string,
  path: readonly string[],
  wanted: (before: readonly Json[]) => readonly Json[],
  change: (text: string, missing: readonly Json[]) => string,
): Edited {
  const before = readJsonText(text);
  if (!before.ok) return { ok: false, message: `it is not valid JSON: ${before.message}` };
  for (let length = 0; length < path.length; length++) {
    const node = nodeAt(before.tree, path.slice(0, length));
    if (node !== undefined && node.type !== "object")
      return { ok: false, message: `${path.slice(0, length).join(".") || "its root"} is not an object` };
  }
  const list = nodeAt(before.tree, path);
  if (list !== undefined && list.type !== "array") return { ok: false, message: `${path.join(".")} is not a list` };
  const elements = elementsAt(before.value, path);
  const after = wanted(elements);
  if (sameJson(elements, after)) return { ok: true, text };
  const edited = change(text, after.slice(elements.length));
  const read = readJsonText(edited);
  if (!read.ok || !sameJson(put(read.value, path, null), put(before.value, path, null)) || !sameJson(elementsAt(read.value, path), after))
    return { ok: false, message: "its layout could not be kept" };
  return { ok: true, text: edited };
}

function listAt(text: string, path: readonly string[]): Node | undefined {
  const read = readJsonText(text);
  const node = read.ok ? nodeAt(read.tree, path) : undefined;
  return node?.type === "array" ? node : undefined;
}
function elementsAt(value: Json, path: readonly string[]): readonly Json[] {
  const list = path.reduce<Json | undefined>((here, key) => (isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined), value);
  return Array.isArray(list) ? list : [];
}

/** The value with `value` at `path`. */
function put(object: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = typeof object === "object" && object !== null && !Array.isArray(object) ? object : {};
  const own = Object.hasOwn(inner, key) ? Object.entries(inner).find(([name]) => name === key)?.[1] : undefined;
  return Object.fromEntries([...Object.entries(inner).filter(([name]) => name !== key), [key, put(own ?? {}, rest, value)]]);
}

function withElement(text: string, path: readonly string[], element: Json): string {
  const read = readJsonText(text);
  if (!read.ok) return text;
  for (let length = path.length; length >= 0; length--) {
    const node = nodeAt(read.tree, path.slice(0, length));
    if (node === undefined) continue;
    const missing = path.slice(length + 1).reduceRight<Json>((value, key) => ({ [key]: value }), [element]);
    const key = path[length];
    return key === undefined ? inserted(text, node, undefined, element) : inserted(text, node, key, missing);
  }
  return text;
}

/** Puts one property or element behind the last, where the last one ends and whatever comment follows it. */
function inserted(text: string, node: Node, key: string | undefined, value: Json): string {
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const from = last === undefined ? node.offset + 1 : last.offset + last.length;
  const comma = last === undefined ? undefined : commaAfter(text, from);
  const end = text.slice(0, close).trimEnd().length;
  const inside = text.slice(node.offset, close);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(text, node.offset);
  const unit = unitOf(text);
  const opened = /[\r\n]/.test(inside);
  const trailing = comma === undefined ? "" : ",";
  const separator = last === undefined || comma !== undefined ? "" : ",";
  if (!opened && (last !== undefined || key === undefined)) {
    const item = `${key === undefined ? "" : `${JSON.stringify(key)}: `}${JSON.stringify(value)}`;
    const space = text.charAt(end - 1) === "[" || text.charAt(end - 1) === "{" ? "" : " ";
    return text.slice(0, from) + separator + text.slice(from, end) + space + item + trailing + text.slice(end);
  }
  const indent = last !== undefined && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit;
  const shown = JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
  const item = `${eol}${indent}${key === undefined ? "" : `${JSON.stringify(key)}: `}${shown}${trailing}`;
  const closing = opened ? "" : eol + outer;
  return text.slice(0, from) + separator + text.slice(from, end) + item + closing + text.slice(end);
}

/** Takes out one element and the comma that belongs to it; with it its line, if it has one of its own. */
function withoutElement(text: string, list: Node, position: number): string {
  const child = list.children?.[position];
  if (child === undefined) return text;
  let from = child.offset;
  let to = child.offset + child.length;
  const comma = commaAfter(text, to);
  const before = position === 0 ? undefined : list.children?.[position - 1];
  const other = comma === undefined && before !== undefined ? commaAfter(text, before.offset + before.length) : undefined;
  // A comment between the element and its comma stays, so that the comma is taken out alone.
  const apart = comma !== undefined && text.slice(to, comma).trim() !== "" ? comma : undefined;
  if (comma !== undefined && apart === undefined) to = comma + 1;
  const rest = /^[ \t]*(\r\n|\n|\r)/.exec(text.slice(to));
  if (rest !== null && startsLine(text, from) && text.slice(list.offset, from).match(/[\r\n]/)) {
    from -= indentAt(text, from).length;
    to += rest[0].length;
  } else if (comma !== undefined) to += /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  else from -= /[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0;
  const cut = apart === undefined ? text.slice(to) : text.slice(to, apart) + text.slice(apart + 1);
  if (other === undefined) return text.slice(0, from) + cut;
  return text.slice(0, other) + text.slice(other + 1, Math.max(from, other + 1)) + cut;
}

const lineStart = (text: string, offset: number): number =>
  Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
const startsLine = (text: string, offset: number): boolean => text.slice(lineStart(text, offset), offset).trim() === "";
const unitOf = (text: string): string => /[\r\n]([ \t]+)"/.exec(text)?.[1] ?? "  ";
