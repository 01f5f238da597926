/** Turns one settings file's content into permission rules, and into problems for what in it is no rule. */
import type { Json, JsonObject, ToolWords } from "@carabiner/engine";
import type { Rule, RuleSource } from "./policy.ts";
import { type RuleSyntax, readEntry } from "./rule-syntax.ts";

/** A rule that cannot be read, or that names nothing. `now` says what happens with it. */
export interface RuleProblem {
  readonly file: string;
  readonly jsonPath: string;
  readonly what: string;
  readonly now: string;
}

export interface ReadRules {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
}

/** Which file it is, and how its product writes rules and names tools. */
export interface RuleFile {
  readonly file: string;
  readonly scope: RuleSource["scope"];
  readonly syntax: RuleSyntax;
  readonly words: ToolWords;
}

/** Every list of the syntax that is there, in the syntax's order. A bad entry costs only itself. */
export function readRules(settings: JsonObject, from: RuleFile): ReadRules {
  const rules: Rule[] = [];
  const problems: RuleProblem[] = [];
  for (const above of new Set(from.syntax.lists.map(({ path }) => path.split(".").slice(0, -1).join(".")))) {
    const found = above === "" ? undefined : valueAt(settings, above);
    if (found === undefined || isObject(found)) continue;
    problems.push({
      file: from.file,
      jsonPath: above,
      what: `expected an object, found ${kindOf(found)}.`,
      now: "No rule is taken from it.",
    });
  }
  for (const { path, effect } of from.syntax.lists) {
    const list = valueAt(settings, path);
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      problems.push({
        file: from.file,
        jsonPath: path,
        what: `expected a list of tool names, found ${kindOf(list)}.`,
        now: "No rule is taken from it.",
      });
      continue;
    }
    list.forEach((entry: Json, i) => {
      const jsonPath = `${path}[${i}]`;
      const read =
        typeof entry === "string" ? readEntry(entry, from.syntax, from.words) : { ok: false as const, problem: "expected a text" };
      if (!read.ok) {
        problems.push({
          file: from.file,
          jsonPath,
          what: `${read.problem}, found ${JSON.stringify(entry)}.`,
          now: `This ${effect} rule does not count.`,
        });
        return;
      }
      const { tool, argument, known } = read;
      if (!known)
        problems.push({
          file: from.file,
          jsonPath,
          what: `no tool is called ${JSON.stringify(tool.text)}.`,
          now: "The rule is kept for a tool of exactly that name.",
        });
      rules.push({ effect, tool, ...(argument && { argument }), source: { file: from.file, jsonPath, scope: from.scope } });
    });
  }
  return { rules, problems };
}

/** The list beside which no other tool may be used; `rules` is `undefined` where the file has none that can be read. An empty list allows nothing. */
export function readOnlyThese(
  settings: JsonObject,
  from: RuleFile,
): { readonly rules: readonly Rule[] | undefined; readonly problems: readonly RuleProblem[] } {
  const path = from.syntax.only.find((one) => valueAt(settings, one) !== undefined);
  if (path === undefined) return { rules: undefined, problems: [] };
  const { rules, problems } = readRules(settings, { ...from, syntax: { ...from.syntax, lists: [{ path, effect: "allow" }] } });
  return { rules: Array.isArray(valueAt(settings, path)) ? rules : undefined, problems };
}

/** Rules given on the command line (`--allowed-tools`), one entry each. */
export function flagRules(
  entries: readonly string[],
  effect: Rule["effect"],
  flag: string,
  from: Pick<RuleFile, "syntax" | "words">,
): ReadRules {
  const lists = [{ path: flag, effect }];
  return readRules({ [flag]: entries }, { ...from, file: "command line", scope: "flag", syntax: { ...from.syntax, lists } });
}

/** One allow rule for each server with `trust: true`. Source: Gemini CLI configuration reference, `mcpServers.<name>.trust`. */
export function trustRules(settings: JsonObject, from: Pick<RuleFile, "file" | "scope">): readonly Rule[] {
  const servers = valueAt(settings, "mcpServers");
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([name, server]) =>
    isObject(server) && Object.hasOwn(server, "trust") && server["trust"] === true
      ? [{ effect: "allow" as const, tool: { text: `mcp__${name}`, kinds: [] }, source: { ...from, jsonPath: `mcpServers.${name}.trust` } }]
      : [],
  );
}

function valueAt(settings: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(settings, path)) return settings[path];
  let here: Json | undefined = settings;
  for (const key of path.split(".")) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);
const kindOf = (value: Json): string => (value === null ? "null" : isObject(value) ? "an object" : `a ${typeof value}`);
