/** The tool that turns the session's list of tasks into one line a task. */
import * as z from "zod";
import { cutAt } from "./cut-text.ts";
import { defineTool } from "./define-tool.ts";
import { taskLine } from "./task-line.ts";

/** In the order of their making, without their descriptions. An empty list is an answer, not an error. */
export const listTasksTool = defineTool({
  kind: "listTasks",
  effect: "read",
  describe: "Lists the tasks of this session, one a line: id, status, subject, what it waits for and who does it.",
  args: z.object({}),
  confirmation: () => ({ type: "info", title: "Confirm Task", prompt: "List the tasks" }),
  run: (_, { tasks, limits }) => {
    const all = tasks.all();
    if (all.length === 0) return { content: "The list has no tasks.", display: "No tasks" };
    const done = all.filter(({ status }) => status === "completed").length;
    const head = `${all.length} ${all.length === 1 ? "task" : "tasks"}, ${done} completed:`;
    const text = [head, ...all.map((task) => taskLine(task, tasks))].join("\n");
    const cut = cutAt(text, limits.maxTextBytes);
    return { content: cut === undefined ? text : `${cut}\n[cut at ${limits.maxTextBytes} bytes]`, display: text };
  },
});
