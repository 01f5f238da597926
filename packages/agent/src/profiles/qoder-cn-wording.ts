/**
 * How Qoder CN CLI tells a model of its tools where our own words would describe another product's. Source: contracts/qoder-cn.md, "Tools";
 * for the questions of AskUserQuestion code.claude.com/docs/en/agent-sdk/user-input, whose shape this product follows.
 */
import type { ToolWording } from "../tools/index.ts";

const text = (description: string) => ({ type: "string", minLength: 1, description });

export const qoderCnWording: Readonly<Record<string, ToolWording>> = {
  Read: {
    args: {
      offset: { type: "integer", minimum: 1, description: "The first line to read, counted from 1." },
      limit: { type: "integer", minimum: 1, description: "How many lines to read." },
    },
  },
  // No argument of theirs says what these two do by themselves.
  Glob: {
    args: {
      pattern: text(
        "Glob pattern, matched against paths relative to the folder that is searched. Upper and lower case are the same; files that git ignores are left out.",
      ),
    },
  },
  Grep: { args: { pattern: text("Regular expression to look for in each line. Upper and lower case are the same.") } },
  // Hooks look at the address: it has to be there.
  WebFetch: {
    args: { url: text("The URL to fetch."), prompt: text("What to find out on the page.") },
    required: ["url", "prompt"],
  },
  Agent: { required: ["description", "prompt", "subagent_type"] },
  AskUserQuestion: {
    args: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 4,
        description: "The questions, shown together.",
        items: {
          type: "object",
          properties: {
            question: text("The question, complete and ending with a question mark."),
            header: text("A very short label for it."),
            options: {
              type: "array",
              minItems: 2,
              maxItems: 4,
              description: "The answers to choose from. The person can always write something else.",
              items: {
                type: "object",
                properties: { label: text("The answer in a few words."), description: text("What choosing it means.") },
                required: ["label", "description"],
              },
            },
            multiSelect: { type: "boolean", description: "Whether several options may be chosen." },
          },
          required: ["question", "header", "options", "multiSelect"],
        },
      },
    },
  },
};
