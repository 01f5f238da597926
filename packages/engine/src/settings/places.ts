/** Turns a JSON path of a settings file into the line and column a person can open. Nothing is computed before somebody asks. */
import type { Node } from "jsonc-parser";
import type { Layer, Place } from "../protocol/index.ts";
import { type JsonPath, nodeAt, propertyOf, readJsonText } from "./json-text.ts";

/** What a layer's text is to places: kept as long as the layer is. */
interface Map {
  readonly tree: Node | undefined;
  readonly lineStarts: readonly number[];
}
const maps = new WeakMap<Layer, Map>();

/**
 * The place of a path in a layer's file: of the key, or of the list element; where the text has no such path, of its nearest parent.
 * Every hook has a place and few are ever looked at: line and column are looked for when somebody reads them.
 */
export function placeOf(layer: Layer, path: JsonPath): Place {
  const known = { file: layer.path, jsonPath: pathText(path) };
  if (layer.settings === undefined) return known;
  return {
    ...known,
    get line() {
      return positionIn(mapOf(layer), path).line;
    },
    get column() {
      return positionIn(mapOf(layer), path).column;
    },
  };
}

/** Line and column of an offset, both from 1, in UTF-16 units as editors count them. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  return positionAt(lineStarts(text), offset);
}

/** `hooks.BeforeTool[0].hooks[1].timeout`; keys that are no plain words stand in brackets and quotes. */
export function pathText(path: JsonPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

function mapOf(layer: Layer): Map {
  const known = maps.get(layer);
  if (known !== undefined) return known;
  const read = readJsonText(layer.text);
  const map = { tree: read.ok ? read.tree : undefined, lineStarts: lineStarts(layer.text) };
  maps.set(layer, map);
  return map;
}

function positionIn({ tree, lineStarts: starts }: Map, path: JsonPath) {
  return positionAt(starts, tree === undefined ? 0 : offsetOf(tree, path));
}

function offsetOf(tree: Node, path: JsonPath): number {
  for (let length = path.length; length > 0; length--) {
    const parent = nodeAt(tree, path.slice(0, length - 1));
    const step = path[length - 1];
    if (parent === undefined || step === undefined) continue;
    const node = typeof step === "string" ? propertyOf(parent, step) : nodeAt(parent, [step]);
    if (node !== undefined) return node.offset;
  }
  return tree.offset;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return starts;
}

function positionAt(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
