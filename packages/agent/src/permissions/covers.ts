/** Turns a rule and a call into whether the rule speaks of the call. */
import { guardsShell, type Json, wildcard } from "@carabiner/engine";
import type { PolicyCall, Rule } from "./policy.ts";
import { saysOfAddress } from "./says-of-address.ts";
import { mayReach, PATH_KINDS, type Place, saysOfPath } from "./says-of-path.ts";
import { saysOfText } from "./says-of-text.ts";

/** Whether the rule names this tool, whatever its argument. A deny or ask rule reads an MCP pattern generously, an allow rule strictly. */
export function namesTool(rule: Rule, call: PolicyCall): boolean {
  const { text, kinds, covered = [] } = rule.tool;
  if (text === "*") return true;
  if (call.mcp) return namesMcpTool(text, call, rule.effect === "allow");
  return (call.kind !== undefined && [...kinds, ...covered].includes(call.kind)) || wildcard(text, call.name);
}

/** Deny and ask rules: the tool, and the argument if the rule has one. Every text of the input counts where the tool has no main argument. */
export function guards(rule: Rule, call: PolicyCall, place: Place): boolean {
  if (!namesTool(rule, call)) return false;
  const test = rule.argument;
  if (!test) return true;
  if (reachesByPath(rule, call)) return (call.reads ?? []).some((path) => mayReach(test, rule, path, place));
  const values = call.main === undefined ? texts(call.input) : [call.main, ...(call.leadsTo === undefined ? [] : [call.leadsTo])];
  return values.some((value) => (call.effect === "execute" && !call.mcp ? guardsShell(test, value) : saysOf(rule, value, call, place)));
}

/** Allow rules, except for shell commands: those are allowed part by part. A path behind a link must be allowed as well. */
export function allows(rule: Rule, call: PolicyCall, place: Place): boolean {
  if (!namesTool(rule, call)) return false;
  if (!rule.argument) return true;
  if (reachesByPath(rule, call) || call.main === undefined) return false;
  return [call.main, ...(call.leadsTo === undefined ? [] : [call.leadsTo])].every((value) => saysOf(rule, value, call, place));
}

/** A tool that is covered, and whose main argument is no path: what it reads is compared. */
const reachesByPath = ({ tool }: Rule, { kind }: PolicyCall): boolean =>
  kind !== undefined && tool.covered?.includes(kind) === true && !PATH_KINDS.has(kind);

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

function saysOf(rule: Rule, value: string, { kind }: PolicyCall, place: Place): boolean {
  const { argument } = rule;
  if (!argument) return true;
  if (kind !== undefined && PATH_KINDS.has(kind)) return saysOfPath(argument, rule, value, place);
  return kind === "fetchUrl" ? saysOfAddress(argument, rule, value) : saysOfText(argument, value);
}

function texts(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner: Json) => texts(inner));
}
