/** Turns a rule and a call into whether the rule speaks of the call. */
import { isAbsolute, relative, resolve } from "node:path";
import { guardsShell, type Json, type ToolKind, wildcard } from "@carabiner/engine";
import picomatch from "picomatch";
import type { ArgumentTest, PolicyCall, Rule } from "./policy.ts";

/** Where relative paths and `~` in calls and rules start. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** Whether the rule names this tool, whatever its argument. A deny or ask rule reads an MCP pattern generously, an allow rule strictly. */
export function namesTool(rule: Rule, call: PolicyCall): boolean {
  const { text, kinds } = rule.tool;
  if (text === "*") return true;
  if (call.mcp) return namesMcpTool(text, call, rule.effect === "allow");
  return (call.kind !== undefined && kinds.includes(call.kind)) || wildcard(text, call.name);
}

/** Deny and ask rules: the tool, and the argument if the rule has one. Every text of the input counts where the tool has no main argument. */
export function guards(rule: Rule, call: PolicyCall, place: Place): boolean {
  if (!namesTool(rule, call)) return false;
  const test = rule.argument;
  if (!test) return true;
  const values = call.main === undefined ? texts(call.input) : [call.main];
  return values.some((value) =>
    call.effect === "execute" && !call.mcp ? guardsShell(test, value) : saysOf(test, value, call.kind, place),
  );
}

/** Allow rules, except for shell commands: those are allowed part by part. */
export function allows(rule: Rule, call: PolicyCall, place: Place): boolean {
  if (!namesTool(rule, call)) return false;
  return !rule.argument || (call.main !== undefined && saysOf(rule.argument, call.main, call.kind, place));
}

/**
 * `mcp__server__tool` and `mcp_server_tool`, the name the model uses, `mcp__server` for all of a server, and `*` at the end. In an allow
 * rule the `*` may only stand behind a whole server name, so that `mcp_git_*` does not let in a server called `git_evil`.
 */
function namesMcpTool(text: string, call: PolicyCall, strict: boolean): boolean {
  if (!call.mcp) return false;
  const { server, tool } = call.mcp;
  const names = [`mcp__${server}__${tool}`, `mcp_${server}_${tool}`, `${server}__${tool}`, call.name];
  if (names.includes(text) || text === `mcp__${server}` || text === "mcp__*" || text === "mcp_*") return true;
  if (!text.includes("*")) return false;
  const prefixes = [`mcp__${server}__`, `mcp_${server}_`];
  return strict
    ? prefixes.some((prefix) => text.startsWith(prefix) && wildcard(text.slice(prefix.length), tool))
    : names.some((name) => wildcard(text, name));
}

const PATH_KINDS: ReadonlySet<ToolKind> = new Set(["readFile", "writeFile", "editFile", "listDirectory"]);

function saysOf(test: ArgumentTest, value: string, kind: ToolKind | undefined, place: Place): boolean {
  if (kind !== undefined && PATH_KINDS.has(kind)) return saysOfPath(test, value, place);
  if (test.kind === "exact") return test.pattern === value;
  if (test.kind === "glob") return wildcard(test.pattern, value);
  // `https://example.com` is no prefix of `https://example.com.evil.org` or of `https://example.com@evil.org`.
  return value.startsWith(test.pattern) && (/[\s/]$/.test(test.pattern) || !/^[\w.@:-]/.test(value.slice(test.pattern.length)));
}

/** Compared without `..`, absolute and relative to the working directory. A pattern without a slash means that name in any folder. */
function saysOfPath(test: ArgumentTest, value: string, place: Place): boolean {
  const path = resolve(place.cwd, expanded(value, place));
  const step = relative(place.cwd, path);
  const pattern = expanded(test.pattern, place).replace(/^\.\//, "");
  const isInside = step !== "" && !step.startsWith("..") && !isAbsolute(step);
  const forms = isInside ? [path, step] : [path];
  if (test.kind === "exact") return path === resolve(place.cwd, pattern);
  const globs = test.kind === "prefix" ? [pattern, `${pattern.replace(/\/$/, "")}/**`] : [pattern];
  const options = { dot: true, basename: test.kind === "glob" && !pattern.includes("/") };
  return forms.some((form) => globs.some((glob) => picomatch.isMatch(form, glob, options)));
}

const expanded = (path: string, place: Place): string => (path === "~" || path.startsWith("~/") ? place.home + path.slice(1) : path);

function texts(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner: Json) => texts(inner));
}
