/** The tool that turns a plan into a list that model and person both see. */
import * as z from "zod";
import { defineTool } from "./define-tool.ts";

const status = z.enum(["pending", "in_progress", "completed", "cancelled"]);

/** Displays `{todos}`. Keeps nothing itself: the list lives in the conversation. */
export const writeTodosTool = defineTool({
  kind: "writeTodos",
  effect: "plan",
  describe:
    "Sets the list of steps for the task at hand: the whole list each time. Use it for work of several steps; keep one step in progress while working on it, and mark it completed as soon as it is done.",
  args: z.object({
    todos: z
      .array(z.object({ description: z.string().min(1).describe("The step."), status: status.describe("Where it stands.") }))
      .describe("The complete list, in order. It replaces the one before; empty clears it."),
  }),
  also: ({ todos }, say) => {
    const underWay = todos.filter((todo) => todo.status === "in_progress").length;
    return underWay > 1 ? `${say("todos")}: expected at most one step in progress, got ${underWay}. The list is as it was.` : undefined;
  },
  confirmation: ({ todos }) => ({ type: "info", title: "Confirm Plan", prompt: listed(todos) }),
  run: ({ todos }) => ({
    content: todos.length === 0 ? "The list of steps is empty now." : `The list of steps is now:\n${listed(todos)}`,
    display: { todos },
  }),
});

const listed = (todos: readonly { readonly description: string; readonly status: string }[]): string =>
  todos.map((todo, i) => `${i + 1}. [${todo.status}] ${todo.description}`).join("\n");
