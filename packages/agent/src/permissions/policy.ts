/** What a decision is made of: the call, the mode, the rules, and the decision itself. */
import type { JsonObject, McpOrigin, ToolKind } from "@carabiner/engine";
import type { Effect } from "../tools/index.ts";

/** How freely the agent may act. `parseMode` knows the products' spellings. */
export type Mode = "default" | "autoEdit" | "plan" | "dontAsk" | "auto" | "yolo";

/** A call as rules see it. `effect` is not looked at when `mcp` is there: nobody knows what a foreign tool does. */
export interface PolicyCall {
  /** In the host's words. */
  readonly name: string;
  readonly kind?: ToolKind | undefined;
  readonly effect: Effect;
  readonly input: JsonObject;
  /** The value of the tool's main argument, if it has one: the command, the path, the address. */
  readonly main?: string | undefined;
  /** What a path in `main` leads to, absolute, where a link stands in it. */
  readonly leadsTo?: string | undefined;
  /** Paths and path patterns that the call reads, where its main argument is none. */
  readonly reads?: readonly string[] | undefined;
  readonly mcp?: McpOrigin | undefined;
}

/** Where a rule was written. `session` is an answer given in this session, `grant` one saved for this project, `flag` the command line. */
export interface RuleSource {
  readonly file: string;
  readonly jsonPath: string;
  readonly scope: "system" | "user" | "project" | "local" | "extension" | "flag" | "session" | "grant";
}

/**
 * What the rule says of the tool's main argument. `prefix` ends at the end of a word; `glob` is a path pattern for tools that take a
 * path, elsewhere `*` stands for any text; `exact` is the whole argument.
 */
export interface ArgumentTest {
  readonly pattern: string;
  readonly kind: "prefix" | "glob" | "exact";
  /** A path as ignore files have them: `/` is the folder that the rule's file is for, `//` the disk's root, a name is meant in any folder. */
  readonly rooted?: true;
}

/** One rule, whichever product's settings it was written in. Without `argument` it concerns every call of the tool. */
export interface Rule {
  readonly effect: "allow" | "ask" | "deny";
  /**
   * `text` as written (`*` stands for any text), `kinds` the tools of ours that it names, by their names, older names or patterns,
   * `covered` those that its argument speaks of as well.
   */
  readonly tool: { readonly text: string; readonly kinds: readonly ToolKind[]; readonly covered?: readonly ToolKind[] };
  readonly argument?: ArgumentTest;
  readonly source: RuleSource;
}

/**
 * `because` is one sentence for people and models that names the rule with its file, or the mode. `wouldAsk` marks a denial that stands only
 * because nobody can be asked: a hook's allow lifts it.
 */
export interface Decision {
  readonly answer: "allow" | "ask" | "deny";
  readonly because: string;
  readonly rule?: Rule;
  readonly wouldAsk?: true;
}

/** How a rule is named in a sentence. */
export function ruleName(rule: Rule): string {
  const { tool, argument, source } = rule;
  const text = argument ? `${tool.text}(${argument.pattern}${argument.kind === "prefix" ? ":*" : ""})` : tool.text;
  if (source.scope === "session") return `the answer given earlier in this session (${text})`;
  if (source.scope === "grant") return `the saved answer for this project (${text}, in ${source.file})`;
  return `the rule ${text} (${source.file}, ${source.jsonPath})`;
}
