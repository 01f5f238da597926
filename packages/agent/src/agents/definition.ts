/** Turns a Markdown file with front matter into the definition of a sub-agent, or into what is wrong with it. */
import { parse } from "yaml";
import * as z from "zod";

/** A kind of sub-agent. `tools` in either product's words; absent: all of the main agent's. `model` absent: the main agent's. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[] | undefined;
  readonly disallowedTools: readonly string[];
  readonly model: string | undefined;
  readonly maxTurns: number | undefined;
  /** What the sub-agent is told before its task. */
  readonly prompt: string;
  readonly file: string;
}
/** `notBuilt` are keys of the products that mean something there and nothing here yet. */
export type ReadDefinition =
  | { readonly ok: true; readonly definition: AgentDefinition; readonly notBuilt: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const names = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ),
]);
const count = z.int().check(z.positive());
const schema = z.object({
  name: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]+$/u, "expected a text in one line"),
  description: z.string().min(1),
  tools: names.optional(),
  disallowedTools: names.optional(),
  model: z.string().optional(),
  max_turns: count.optional(),
  maxTurns: count.optional(),
});

/** Source: docs.qoder.com/cli/subagent, front matter; Gemini CLI, sub-agents. */
const NOT_BUILT = [
  ...["hooks", "permissionMode", "isolation", "mcpServers", "mcp_servers", "background", "skills", "memory"],
  ...["timeoutMins", "timeout_mins", "temperature", "effort"],
];
/** Words for "as the main agent": which model it is is chosen once. */
const MAIN_MODEL: ReadonlySet<string> = new Set(["inherit", "auto"]);

/** Unknown keys are passed over: products have keys of their own. */
export function readDefinition(text: string, file: string): ReadDefinition {
  const found = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  if (!found) return { ok: false, problem: "expected front matter between two lines of ---, with name and description" };
  const [, front = "", body = ""] = found;
  let written: unknown;
  try {
    written = parse(front);
  } catch (error) {
    return {
      ok: false,
      problem: `the front matter is not YAML: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`,
    };
  }
  const read = schema.safeParse(written);
  if (!read.success) {
    const issue = read.error.issues[0];
    return { ok: false, problem: `${issue?.path.join(".") || "front matter"}: ${issue?.message ?? "not usable"}` };
  }
  const { name, description, tools, disallowedTools = [], model, max_turns: turns, maxTurns } = read.data;
  const keys = typeof written === "object" && written !== null ? Object.keys(written) : [];
  return {
    ok: true,
    notBuilt: keys.filter((key) => NOT_BUILT.includes(key)),
    definition: {
      name,
      description,
      tools,
      disallowedTools,
      model: model !== undefined && MAIN_MODEL.has(model) ? undefined : model,
      maxTurns: turns ?? maxTurns,
      prompt: body.trim(),
      file,
    },
  };
}
