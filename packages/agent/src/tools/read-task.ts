/** The tool that turns the id of a task into everything that is known of it. */
import * as z from "zod";
import type { Task, TaskList } from "../tasks/index.ts";
import { defineTool } from "./define-tool.ts";
import { failed } from "./failed.ts";
import { idsOf } from "./task-line.ts";

/** One `Name: value` a line, the description last. */
export const readTaskTool = defineTool({
  kind: "readTask",
  effect: "read",
  describe: "Gives one task of the list of this session with all that is known of it, its description too.",
  args: z.object({ id: z.string().min(1).describe("The id of the task.") }),
  confirmation: ({ id }) => ({ type: "info", title: "Confirm Task", prompt: `Read the task ${id}` }),
  run: ({ id }, { tasks }) => {
    const task = tasks.get(id);
    if (!task) return failed("invalid_tool_params", tasks.missing(id));
    return { content: whole(task, tasks), display: `Read task ${id}: ${task.subject}` };
  },
});

function whole(task: Task, tasks: TaskList): string {
  const [first, after] = [tasks.waitsFor(task), tasks.holdsUp(task)];
  return [
    `Task ${task.id}: ${task.subject}`,
    `Status: ${task.status}`,
    ...(task.activeForm ? [`While in progress: ${task.activeForm}`] : []),
    ...(task.owner ? [`Owner: ${task.owner}`] : []),
    ...(first.length === 0 ? [] : [`Waits for: ${idsOf(first)}`]),
    ...(after.length === 0 ? [] : [`Holds up: ${idsOf(after)}`]),
    `Description: ${task.description}`,
  ].join("\n");
}
