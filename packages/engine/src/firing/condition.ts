/** Turns an `if` and a call into whether the hook is for this call. In doubt it is: hooks guard, and a guard that stays away is worse than one that looks in vain. */
import { relative, resolve } from "node:path";
import type { MatcherSyntax } from "../dialects/index.ts";
import type { Condition, Json, ToolCall, Translator } from "../protocol/index.ts";
import { addressForms, isOfHost } from "./address.ts";
import { globFits } from "./glob.ts";
import { matches } from "./match.ts";
import { guardsShell, type ShellPattern } from "./shell-pattern.ts";
import { wildcard } from "./wildcard.ts";

/** Where relative paths start: those of patterns at the project, those of calls where the call happens. */
export interface ConditionPlace {
  readonly projectDir: string;
  readonly cwd: string;
  readonly home: string;
}

/**
 * `undefined`: it holds; else why not. The tool is compared as matchers are, all its names counting. The pattern is looked for in the main
 * argument: of a shell's text in every command that would run, of a path relative to the project, absolute, and by its last name where
 * the pattern has no slash, of addresses one by one (`domain:` names a host), of any other text as a whole, `*` standing for anything. A trailing `:*` makes it a beginning that ends at a
 * word. A tool without a main argument is asked for any text of its input. Source: the study of Qoder CN, section 4, `if`.
 */
export function whyNot(
  condition: Condition,
  as: MatcherSyntax,
  call: ToolCall,
  words: Translator,
  place: ConditionPlace,
): string | undefined {
  const named = matches(as, condition.tool, words.toolNames(call));
  if (named === "tooSlow") return `its pattern took too long on ${words.toolName(call)}`;
  if (named !== true) return `the tool is ${words.toolName(call)}`;
  const { pattern } = condition;
  if (pattern === undefined) return undefined;
  const test = testOf(pattern);
  const main = words.mainArgument(call);
  if (main === undefined)
    return textsOf(words.toolInput(call)).some((text) => fitsText(test, text)) ? undefined : "no text of the input fits";
  const fits = { command: fitsCommand, path: fitsPath, address: fitsAddress, text: fitsText }[main.means];
  return fits(test, main.value, place) ? undefined : `${JSON.stringify(main.value)} does not fit`;
}

function testOf(text: string): ShellPattern {
  const pattern = text.trim();
  if (pattern.endsWith(":*") && pattern !== "domain:*") return { kind: "prefix", pattern: pattern.slice(0, -2) };
  return { kind: pattern.includes("*") ? "glob" : "exact", pattern };
}

/** A pattern that itself holds several commands is compared with the whole text as well. */
function fitsCommand(test: ShellPattern, command: string): boolean {
  if (test.kind === "prefix" && test.pattern === "") return true;
  return guardsShell(test, command) || (test.kind === "glob" && /[;&|\n]/.test(test.pattern) && wildcard(test.pattern, command.trim()));
}

function fitsPath(test: ShellPattern, value: string, { projectDir, cwd, home }: ConditionPlace): boolean {
  const atHome = (path: string): string => (path === "~" || path.startsWith("~/") ? home + path.slice(1) : path);
  const slashed = (path: string): string => path.replaceAll("\\", "/");
  const path = resolve(cwd, atHome(value));
  const step = relative(projectDir, path);
  const forms = [path, step, `/${step}`].map(slashed);
  const pattern = atHome(test.pattern).replace(/^\.\//, "").replace(/^\/\//, "/");
  if (test.kind === "prefix") {
    const folder = pattern.replace(/\/$/, "");
    return forms.some((form) => globFits(`${folder}/**`, form));
  }
  const lastName = pattern.includes("/") ? undefined : slashed(path).split("/").at(-1);
  return forms.some((form) => globFits(pattern, form)) || (lastName !== undefined && globFits(pattern, lastName));
}

/** A host of another product may keep several addresses in one text. */
function fitsAddress(test: ShellPattern, value: string): boolean {
  const domain = /^domain:(.*)$/i.exec(test.pattern)?.[1]?.trim();
  return addressForms(value).some((address) => (domain === undefined ? fitsText(test, address) : isOfHost(domain, address)));
}

/** A beginning ends at a word: `https://example.com` is none of `https://example.com.evil.org`. */
function fitsText({ kind, pattern }: ShellPattern, value: string): boolean {
  if (kind !== "prefix") return wildcard(pattern, value);
  return value.startsWith(pattern) && (pattern === "" || /[\s/]$/.test(pattern) || !/^[\w.@:-]/.test(value.slice(pattern.length)));
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap((inner: Json) => textsOf(inner)) : [];
}
