/** Turns JSON text with comments and trailing commas into a value, and into the tree that knows where each part stands. */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Json, JsonObject } from "../protocol/index.ts";

export type JsonPath = readonly (string | number)[];

/** Deep enough for every settings file, and far from where the parsers of any program on the way give up. */
const MAX_DEPTH = 200;

export interface JsonValue {
  readonly ok: true;
  readonly value: Json;
  readonly duplicates: readonly JsonPath[];
}
export interface NoJson {
  readonly ok: false;
  readonly message: string;
  readonly offset: number;
}
export type JsonText = (JsonValue & { readonly tree: Node }) | NoJson;

/** The same without the tree, many times faster for plain JSON, in which nothing stands twice. */
export function readJsonValue(text: string): JsonValue | NoJson {
  return plainJson(text) ?? readJsonText(text);
}

/**
 * Reads the whole text. Comments and trailing commas are allowed; anything else that is not JSON fails with the first place where it is not.
 * Objects have no prototype, so `__proto__` is a key like any other; of equal keys the last counts, and all but the last are in `duplicates`.
 */
export function readJsonText(text: string): JsonText {
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser is recursive: nesting without end exhausts the stack.
    if (error instanceof RangeError) return { ok: false, message: TOO_DEEP, offset: 0 };
    throw error;
  }
  const [first] = errors;
  if (first !== undefined) return { ok: false, message: meaning(first, text), offset: first.offset };
  if (tree === undefined) return { ok: false, message: "it is empty", offset: 0 };
  const found: Found = { duplicates: [], tooDeep: undefined };
  const value = plainValue(tree, [], found);
  if (found.tooDeep !== undefined) return { ok: false, message: TOO_DEEP, offset: found.tooDeep };
  return { ok: true, tree, value, duplicates: found.duplicates };
}

/** The node at a path, and of a key the last, which is the one that counts; `undefined` where the text has nothing there. */
export function nodeAt(tree: Node, path: JsonPath): Node | undefined {
  let here: Node | undefined = tree;
  for (const step of path) {
    if (here === undefined) return undefined;
    here = typeof step === "number" ? elementOf(here, step) : propertyOf(here, step)?.children?.[1];
  }
  return here;
}

/** The property of an object node: its children are the key and the value. */
export function propertyOf(node: Node, key: string): Node | undefined {
  return node.type === "object" ? node.children?.findLast((property) => property.children?.[0]?.value === key) : undefined;
}

/** Where the comma after `offset` stands, if the next token is one. */
export function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === "," ? scanner.getTokenOffset() : undefined;
}

const TOO_DEEP = `it is nested more than ${MAX_DEPTH} levels deep`;
const elementOf = (node: Node, index: number): Node | undefined => (node.type === "array" ? node.children?.[index] : undefined);

/** `undefined` where only the slow way can tell what the text means, or what is wrong with it. */
function plainJson(text: string): JsonValue | undefined {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // Comments, trailing commas, or no JSON at all.
    return undefined;
  }
  // `JSON.parse` does not say that a key stands twice: then there are more colons than members.
  return withoutPrototypes(value, 0) === colonsIn(text) ? { ok: true, value, duplicates: [] } : undefined;
}

/** Takes every object's prototype, and counts the members of all; NaN: it is nested too deep. */
function withoutPrototypes(value: Json, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  const inside: readonly Json[] = Array.isArray(value) ? value : Object.values(value as JsonObject);
  if (depth >= MAX_DEPTH && inside.length > 0) return Number.NaN;
  let members = 0;
  if (!Array.isArray(value)) {
    Object.setPrototypeOf(value, null);
    members = inside.length;
  }
  for (const one of inside) members += withoutPrototypes(one, depth + 1);
  return members;
}

/** Outside of strings, in text that is known to be JSON. */
const colonsIn = (text: string): number =>
  text
    .replace(/\\./g, "")
    .replace(/"[^"]*"/g, "")
    .split(":").length - 1;

/** What is noticed on the way through a tree. */
interface Found {
  readonly duplicates: JsonPath[];
  /** The offset of the first node that nests too deep. */
  tooDeep: number | undefined;
}

/** `path` is that of the node; it is the same list all the way, longer inside and as it was afterwards. */
function plainValue(node: Node, path: (string | number)[], found: Found): Json {
  const children = node.children ?? [];
  if (path.length >= MAX_DEPTH && children[0] !== undefined) {
    found.tooDeep ??= children[0].offset;
    return null;
  }
  if (node.type === "array") return children.map((child, i) => valueAt(child, i, path, found));
  if (node.type !== "object") return node.value as null | boolean | number | string;
  const object: Record<string, Json> = Object.create(null);
  for (const { children: [key, value] = [] } of children) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (name in object) found.duplicates.push([...path, name]);
    object[name] = valueAt(value, name, path, found);
  }
  return object;
}

function valueAt(node: Node, step: string | number, path: (string | number)[], found: Found): Json {
  path.push(step);
  const value = plainValue(node, path, found);
  path.pop();
  return value;
}

const MEANINGS: Readonly<Record<string, string>> = {
  InvalidNumberFormat: "a number is not written as JSON writes numbers",
  PropertyNameExpected: "a key in double quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing after a key",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace } is missing",
  CloseBracketExpected: "a closing bracket ] is missing",
  EndOfFileExpected: "something stands after the end of the value",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a text is not closed",
  InvalidUnicode: "an escape with \\u needs four hexadecimal digits",
  InvalidEscapeCharacter: "a backslash is followed by a character that needs none",
  InvalidCharacter: "a control character stands in a text",
};

function meaning(error: ParseError, text: string): string {
  if (text.trim() === "") return "it is empty";
  const words = MEANINGS[printParseErrorCode(error.error)];
  if (words !== undefined) return words;
  const found = text.slice(error.offset, error.offset + Math.min(error.length, 20));
  return `${JSON.stringify(found)} is not JSON${found.startsWith("'") ? ": keys and texts stand in double quotes" : ""}`;
}
