/** The tool by which the model hands a task to a sub-agent. */
import * as z from "zod";
import { defineTool, type Tool, type ToolOutput } from "../tools/index.ts";
import type { AgentDefinition } from "./definition.ts";

export type Spawn = (definition: AgentDefinition, prompt: string, signal: AbortSignal) => Promise<ToolOutput>;

/** Its own tools ask for what they need: handing over a task needs no question of its own. */
export function spawnTool(definitions: readonly AgentDefinition[], spawn: Spawn): Tool {
  const listed = definitions.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
  return defineTool({
    kind: "spawnAgent",
    effect: "plan",
    describe: `Hands a task to a sub-agent with its own conversation, and returns what it answers. It knows nothing of this conversation: tell it everything it needs. Several may work at the same time. The sub-agents are:\n${listed}`,
    args: z.object({
      type: z.string().describe("Which sub-agent."),
      prompt: z.string().min(1).describe("The whole task, with all it needs to know."),
      description: z.string().optional().describe("The task in a few words, for people."),
    }),
    also: ({ type }, say) =>
      definitions.some(({ name }) => name === type)
        ? undefined
        : `${say("type")}: there is no sub-agent ${JSON.stringify(type)}. There are: ${definitions.map(({ name }) => name).join(", ")}.`,
    confirmation: ({ type, prompt }) => ({ type: "info", title: `Confirm Sub-agent ${type}`, prompt }),
    run: ({ type, prompt }, { signal }) => {
      const definition = definitions.find(({ name }) => name === type);
      if (!definition) throw new Error(`There is no sub-agent ${type}.`);
      return spawn(definition, prompt, signal);
    },
  });
}
