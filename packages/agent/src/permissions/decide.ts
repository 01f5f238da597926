/** Turns a call, the mode and the rules into an answer: allow, ask or deny, with the reason. No I/O. */
import { homedir } from "node:os";
import { isWholeCommand, shellParts } from "@carabiner/engine";
import { allowsPart } from "./allows-part.ts";
import { allows, guards, namesTool } from "./covers.ts";
import { MODE_WORDS, modeAnswer, neverAsks } from "./modes.ts";
import { type Decision, type Mode, type PolicyCall, type Rule, ruleName } from "./policy.ts";
import type { Place } from "./says-of-path.ts";

/** `interactive`: somebody can be asked. `cwd` and `home` are where relative paths and `~` in calls and rules start (default: the process's). */
export interface DecideInput {
  readonly call: PolicyCall;
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  /** No other tool of our own may be used than these allow; absent: all may. */
  readonly only?: readonly Rule[] | undefined;
  readonly interactive: boolean;
  readonly cwd?: string;
  readonly home?: string;
}

/**
 * In this order: a deny rule, in every mode; what the list of the only tools leaves out; what the mode forbids (plan); an answer given in this session; an ask rule (not in yolo);
 * an allow rule; the mode. Within one effect the first rule in the list is the one named.
 * A shell command is denied or asked about if any part of it is, and allowed by rules only if every part is.
 */
export function decide({ call, mode, rules, only, interactive, ...where }: DecideInput): Decision {
  const place = { cwd: where.cwd ?? process.cwd(), home: where.home ?? homedir() };
  const canAsk = interactive && !neverAsks(mode);
  const of = (effect: Rule["effect"]) => rules.filter((rule) => rule.effect === effect);
  const question = (because: string, rule?: Rule): Decision =>
    canAsk
      ? { answer: "ask", because, ...(rule && { rule }) }
      : { answer: "deny", because: `${because} ${unasked(mode, call)}`, ...(rule && { rule }), wouldAsk: true };

  const denied = of("deny").find((rule) => guards(rule, call, place));
  if (denied) return { answer: "deny", because: `Denied by ${ruleName(denied)}.`, rule: denied };

  if (only && !call.mcp && !allowing(only, call, place)) return { answer: "deny", because: confined(call, only) };

  const answer = modeAnswer(mode, call);
  if (answer === "deny") return { answer, because: forbidden(mode, call) };

  const given = allowing(
    of("allow").filter((rule) => rule.source.scope === "session"),
    call,
    place,
  );
  if (given) return { answer: "allow", because: allowedBy(given), rule: given[0] };

  const asked = mode === "yolo" ? undefined : of("ask").find((rule) => guards(rule, call, place));
  if (asked) return question(`${what(call)} needs a yes because of ${ruleName(asked)}.`, asked);

  const allowed = allowing(of("allow"), call, place);
  if (allowed) return { answer: "allow", because: allowedBy(allowed), rule: allowed[0] };

  if (answer === "allow") return { answer, because: `The permission mode ${MODE_WORDS[mode]} allows ${EFFECTS[column(call)]}.` };
  return question(`${what(call)} needs a yes in the permission mode ${MODE_WORDS[mode]}.`);
}

type Some<T> = readonly [T, ...T[]];

/** The rules that together allow the whole call, or `undefined`. */
function allowing(rules: readonly Rule[], call: PolicyCall, place: Place): Some<Rule> | undefined {
  const command = call.effect === "execute" && !call.mcp ? call.main : undefined;
  if (command === undefined) {
    const rule = rules.find((one) => allows(one, call, place));
    return rule && [rule];
  }
  const named = rules.filter((rule) => namesTool(rule, call));
  const whole = named.find((rule) => !rule.argument || isWholeCommand(rule.argument, command));
  if (whole) return [whole];
  const { complete, parts } = shellParts(command);
  if (!complete) return undefined;
  const found = new Set<Rule>();
  for (const part of parts) {
    const rule = named.find((one) => one.argument && allowsPart(one.argument, part));
    if (!rule) return undefined;
    found.add(rule);
  }
  const [first, ...rest] = found;
  return first && [first, ...rest];
}

const confined = (call: PolicyCall, [first]: readonly Rule[]): string =>
  first === undefined
    ? `The settings leave no tool to be used, nor ${call.name}.`
    : `${what(call)} is not used like this: ${first.source.jsonPath.replace(/\[\d+\]$/, "")} in ${first.source.file} lists all that may be.`;
const allowedBy = (rules: Some<Rule>): string => `Allowed by ${rules.map(ruleName).join(" and ")}.`;

const EFFECTS = {
  read: "reading",
  plan: "planning",
  ask: "questions",
  edit: "changes to files",
  execute: "shell commands",
  network: "requests to the network",
  memory: "changes to the memory",
  mcp: "tools of MCP servers",
} as const;
const column = (call: PolicyCall): keyof typeof EFFECTS => (call.mcp ? "mcp" : call.effect);

const what = (call: PolicyCall): string =>
  call.mcp ? `The tool ${call.mcp.tool} of the MCP server ${call.mcp.server}` : `The tool ${call.name}`;

const forbidden = (mode: Mode, call: PolicyCall): string =>
  `The permission mode ${MODE_WORDS[mode]} does not allow ${EFFECTS[column(call)]}. Make a plan first; a person can leave this mode (--approval-mode default).`;

function unasked(mode: Mode, call: PolicyCall): string {
  const why = neverAsks(mode) ? "This mode asks nobody, so it is denied." : "Nobody can be asked in this run, so it is denied.";
  const looser = call.effect === "edit" && !call.mcp ? "--approval-mode auto_edit or yolo" : "--approval-mode yolo";
  return `${why} To allow it, start with ${looser}, or add an allow rule for the tool to the settings (tools.allowed or permissions.allow).`;
}
