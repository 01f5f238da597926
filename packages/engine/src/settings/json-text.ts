/** Turns JSON text with comments and trailing commas into a value and the tree that knows where each part stands. */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Json } from "../protocol/index.ts";

export type JsonPath = readonly (string | number)[];

/** Deep enough for every settings file, and far from where the parsers of any program on the way give up. */
const MAX_DEPTH = 200;

export type JsonText =
  | { readonly ok: true; readonly tree: Node; readonly value: Json; readonly duplicates: readonly JsonPath[] }
  | { readonly ok: false; readonly message: string; readonly offset: number };

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
  const tooDeep = deepest(tree, 0);
  if (tooDeep !== undefined) return { ok: false, message: TOO_DEEP, offset: tooDeep.offset };
  const duplicates: JsonPath[] = [];
  return { ok: true, tree, value: plainValue(tree, [], duplicates), duplicates };
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

function deepest(node: Node, depth: number): Node | undefined {
  if (depth > MAX_DEPTH) return node;
  for (const child of node.children ?? []) {
    const found = deepest(child, depth + (node.type === "property" ? 0 : 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function plainValue(node: Node, path: JsonPath, duplicates: JsonPath[]): Json {
  if (node.type === "array") return (node.children ?? []).map((child, i) => plainValue(child, [...path, i], duplicates));
  if (node.type !== "object") return node.value as null | boolean | number | string;
  const object: Record<string, Json> = Object.create(null);
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (Object.hasOwn(object, name)) duplicates.push([...path, name]);
    object[name] = plainValue(value, [...path, name], duplicates);
  }
  return object;
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
