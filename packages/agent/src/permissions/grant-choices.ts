/** Turns a call that needs a yes into what a person could allow beyond this once. */
import { type ShellPart, shellParts } from "@carabiner/engine";
import type { ArgumentTest, PolicyCall, Rule } from "./policy.ts";

/** What one yes may cover: a rule without effect and source. */
export type Grant = Pick<Rule, "tool" | "argument">;

/** `label` completes the sentence "Allow ...". All `grants` of a choice belong together: a compound command needs one for each part. */
export interface GrantChoice {
  readonly label: string;
  readonly grants: readonly Grant[];
}

/**
 * From narrow to wide. A shell command: by the first words of each part (`git push`), or the exact command where a prefix would allow
 * too much (interpreters, carriers such as sudo, redirections, text that is not complete). An MCP tool: the tool, then its server.
 */
export function grantChoices(call: PolicyCall): readonly GrantChoice[] {
  if (call.mcp) {
    const { server, tool } = call.mcp;
    return [
      { label: `the tool ${tool} of the MCP server ${server}`, grants: [{ tool: { text: `mcp__${server}__${tool}`, kinds: [] } }] },
      { label: `every tool of the MCP server ${server}`, grants: [{ tool: { text: `mcp__${server}`, kinds: [] } }] },
    ];
  }
  const tool = { text: call.name, kinds: call.kind === undefined ? [] : [call.kind] };
  if (call.effect !== "execute" || call.main === undefined) return [{ label: `every call of ${call.name}`, grants: [{ tool }] }];
  const prefixes = prefixesOf(call.main);
  if (!prefixes) return [{ label: "exactly this command", grants: [{ tool, argument: { kind: "exact", pattern: call.main.trim() } }] }];
  return [
    {
      label: `commands that begin with ${prefixes.map((prefix) => `"${prefix}"`).join(", ")}`,
      grants: prefixes.map((pattern): Grant => ({ tool, argument: { kind: "prefix", pattern } satisfies ArgumentTest })),
    },
  ];
}

/** Commands whose arguments are programs, or that are too sharp for a prefix. */
const EXACT_ONLY =
  /^(sh|bash|dash|zsh|ksh|fish|eval|exec|source|\.|sudo|doas|env|command|builtin|xargs|find|nohup|nice|ionice|timeout|stdbuf|setsid|time|ssh|rm|dd|mkfs.*|chmod|chown|curl|wget|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|sed|npx|pnpx|bunx|uvx|tsx)$/;
/** Commands whose second word says what they do. */
const WITH_SUBCOMMAND =
  /^(git|npm|pnpm|yarn|cargo|go|docker|podman|kubectl|helm|gh|glab|make|apt|apt-get|brew|pip|pip3|uv|poetry|systemctl|terraform|aws|gcloud|az|dotnet|mvn|gradle|bundle|rails|composer)$/;

function prefixesOf(command: string): readonly string[] | undefined {
  const { complete, parts } = shellParts(command);
  if (!complete || parts.length === 0) return undefined;
  const prefixes = new Set<string>();
  for (const part of parts) {
    const prefix = prefixOf(part);
    if (prefix === undefined) return undefined;
    prefixes.add(prefix);
  }
  return [...prefixes];
}

function prefixOf(part: ShellPart): string | undefined {
  const [name = "", second] = part.words;
  if (part.writes || part.assignments.length > 0 || part.outer || EXACT_ONLY.test(name.replace(/^.*\//, ""))) return undefined;
  if (!/^[\w./+-]+$/.test(name)) return undefined;
  if (!WITH_SUBCOMMAND.test(name)) return name;
  return second !== undefined && /^[a-z][\w:-]*$/.test(second) ? `${name} ${second}` : undefined;
}
