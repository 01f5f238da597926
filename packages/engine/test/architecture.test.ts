import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";
import { describe, expect, it } from "vitest";
import { DIALECTS } from "../src/dialects/index.ts";
import { PROBLEM_CODES } from "../src/protocol/index.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const sources = readdirSync(join(repository, "packages")).flatMap((wing) => filesUnder(join(repository, "packages", wing, "src")));
const texts: ReadonlyMap<string, string> = new Map<string, string>(
  sources.map((path) => [relative(repository, path).split(sep).join("/"), readFileSync(path, "utf8")]),
);

/** Where a product's words may stand: the tables of the engine, and the agent's tables of what only the agent needs. */
const TABLES = /^packages\/(engine\/src\/dialects|agent\/src\/profiles)\//;
/** Texts that are spelled like a product's word, stand elsewhere, and are no branch on a product: where, and what they are there. */
const ALLOWED: readonly { readonly word: string; readonly where: RegExp; readonly why: string }[] = [
  { word: "glob", where: /^packages\/(agent\/src\/permissions|engine\/src\/firing)\//, why: "a kind of pattern" },
  { word: "Edit", where: /^packages\/agent\/src\/tools\//, why: "a verb in the title of a question" },
  { word: "Write", where: /^packages\/agent\/src\/tools\//, why: "a verb in the title of a question" },
  { word: "ask_user", where: /^packages\/agent\/src\/tools\//, why: "a kind of confirmation, as notifications tell it" },
  { word: "Agent", where: /^packages\/cli\/src\/commands\/doctor\//, why: "a heading" },
];
const isAllowed = (path: string, word: string): boolean => ALLOWED.some((one) => one.word === word && one.where.test(path));

const wireNames = new Set(DIALECTS.flatMap(({ rows, notFiredHere }) => [...Object.keys(rows), ...notFiredHere]));
const toolNames = new Set(DIALECTS.flatMap(({ tools }) => tools.tools.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])])));
const ids = new Set(DIALECTS.map(({ id }) => id));

describe("a product's words stand in its tables", () => {
  it("and every source file was read", () => {
    expect(texts.size).toBeGreaterThan(100);
    const literals = [...texts]
      .filter(([path]) => TABLES.test(path))
      .flatMap(([path, text]) => wordsOf(path, text).map(({ word }) => word));
    for (const word of [...wireNames, ...toolNames, ...ids]) expect(literals).toContain(word);
  });
  it("and nowhere else: no event of a product, no tool's name, no dialect's id", () => {
    const found: readonly string[] = [...texts]
      .filter(([path]) => !TABLES.test(path))
      .flatMap(([path, text]) =>
        wordsOf(path, text)
          .filter(({ word, isKey }) => wireNames.has(word) || (!isKey && (toolNames.has(word) || ids.has(word))))
          .filter(({ word }) => !isAllowed(path, word))
          .map(({ word }) => `${path}: ${word}`),
      );
    expect(found).toEqual([]);
  });
  it.each(ALLOWED)("and the exception for $word is still needed: $why", ({ word, where }) => {
    const users = [...texts].filter(([path, text]) => where.test(path) && wordsOf(path, text).some((found) => found.word === word));
    expect(users).not.toEqual([]);
  });
});

describe("every row of every dialect", () => {
  it.each(DIALECTS.flatMap(({ id, rows }) => Object.entries(rows).map(([wire, row]) => [id, wire, row] as const)))(
    "%s %s names the document it was taken from",
    (_id, _wire, row) => {
      expect(row.source).toMatch(/[a-z]+\.[a-z]+\/\S+|"[^"]+"/);
    },
  );
});

describe("every problem", () => {
  const code = [...texts].filter(([path]) => path !== "packages/engine/src/protocol/problems.ts");
  it("is found by somebody", () => {
    const used = new Set(code.flatMap(([path, text]) => wordsOf(path, text).map(({ word }) => word)));
    expect(PROBLEM_CODES.filter((one) => !used.has(one))).toEqual([]);
  });
});

interface Word {
  readonly word: string;
  /** `{ BeforeTool: ... }` or `rows.BeforeTool`: a name, which a method of texts such as `replace` is as well. */
  readonly isKey: boolean;
}
/** All texts of a source file, in literals, templates, types and keys; import paths are none. */
function wordsOf(path: string, text: string): readonly Word[] {
  const found: Word[] = [];
  visit(parseSync(text, { syntax: "typescript", tsx: path.endsWith("x"), target: "es2022" }), found);
  return found;
}
function visit(node: unknown, found: Word[]): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, found);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { type, value, cooked } = node as { readonly type?: unknown; readonly value?: unknown; readonly cooked?: unknown };
  if (type === "StringLiteral" && typeof value === "string") found.push({ word: value, isKey: false });
  if (type === "TemplateElement" && typeof cooked === "string") found.push({ word: cooked, isKey: false });
  for (const [key, child] of Object.entries(node)) {
    if (key === "source") continue;
    if ((key === "key" || key === "property") && isIdentifier(child)) found.push({ word: child.value, isKey: true });
    visit(child, found);
  }
}
const isIdentifier = (node: unknown): node is { readonly value: string } =>
  typeof node === "object" && node !== null && (node as { readonly type?: unknown }).type === "Identifier";

/** All sources under a folder; none where there is no such folder. */
function filesUnder(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
