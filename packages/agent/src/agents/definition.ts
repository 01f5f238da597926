/** Turns a Markdown file with front matter into the definition of a sub-agent, or into what is wrong with it. */
import { parse } from "yaml";
import * as z from "zod";

/** A kind of sub-agent. `tools` by the names the model knows; absent: all of the main agent's. `model` absent: the main agent's. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[] | undefined;
  readonly model: string | undefined;
  readonly maxTurns: number | undefined;
  /** What the sub-agent is told before its task. */
  readonly prompt: string;
  readonly file: string;
}
export type ReadDefinition = { readonly ok: true; readonly definition: AgentDefinition } | { readonly ok: false; readonly problem: string };

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
  name: z.string().regex(/^[A-Za-z0-9_-]+$/, "expected letters, digits, _ and -"),
  description: z.string().min(1),
  tools: names.optional(),
  model: z.string().optional(),
  max_turns: count.optional(),
  maxTurns: count.optional(),
});

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
  const { name, description, tools, model, max_turns: turns, maxTurns } = read.data;
  return {
    ok: true,
    definition: {
      name,
      description,
      tools,
      model: model === "inherit" ? undefined : model,
      maxTurns: turns ?? maxTurns,
      prompt: body.trim(),
      file,
    },
  };
}
