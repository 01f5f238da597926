/** The tool that turns a piece of work into a task of the session's list. */
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { oneLine } from "./task-line.ts";

/** Answers with the task's id. Everything in the list outlives what the conversation forgets. */
export const createTaskTool = defineTool({
  kind: "createTask",
  effect: "plan",
  describe:
    "Adds one task to the list of this session, as pending. Use the list for work of several steps: one task a step, each marked in progress when you begin it and completed as soon as it is done. The list is kept for the whole session, also when the conversation is shortened or resumed.",
  args: z.object({
    subject: oneLine.min(1).describe("The task in a few words, as an order: Run the tests."),
    description: z.string().describe("What is to be done, and how one knows that it is done."),
    activeForm: oneLine.optional().describe("What people are shown while it is in progress: Running the tests. Default: the subject."),
  }),
  confirmation: ({ subject }) => ({ type: "info", title: "Confirm Task", prompt: `Add the task: ${subject}` }),
  run: (draft, { tasks }) => {
    const { id, subject } = tasks.create(draft);
    const text = `Added task ${id}: ${subject}`;
    return { content: text, display: text };
  },
});
