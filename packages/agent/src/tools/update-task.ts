/** The tool that turns a task of the session's list into what has become of it. */
import * as z from "zod";
import { TASK_STATUSES } from "../tasks/index.ts";
import { defineTool } from "./define-tool.ts";
import { failed } from "./failed.ts";
import { idsOf, oneLine, taskLine } from "./task-line.ts";

const ids = z.array(z.string().min(1));

/** Answers with the task as it is now and the tasks that may begin because of it. An error changes nothing. */
export const updateTaskTool = defineTool({
  kind: "updateTask",
  effect: "plan",
  describe:
    "Changes one task of the list of this session: its status, its texts, who does it, or which tasks come before and after it. Mark a task completed only when all of it is done and works; delete one that is not needed any more.",
  args: z.object({
    id: z.string().min(1).describe("The id of the task."),
    status: z.enum(TASK_STATUSES).optional().describe("Where it stands. deleted takes it off the list for good."),
    subject: oneLine.min(1).optional().describe("New words for the task."),
    description: z.string().optional().describe("A new description."),
    activeForm: oneLine.optional().describe("What people are shown while it is in progress."),
    owner: oneLine.optional().describe("The name of the agent that does it. Empty: nobody in particular."),
    blocks: ids.optional().describe("Ids of tasks that can only begin when this one is completed; added to those known."),
    blockedBy: ids.optional().describe("Ids of tasks that have to be completed before this one can begin; added to those known."),
  }),
  also: ({ id, ...change }, say) =>
    Object.values(change).some((value) => value !== undefined)
      ? undefined
      : `${say("status")}: expected something to change about the task ${id}, such as this. Nothing was done.`,
  confirmation: ({ id, ...change }) => ({
    type: "info",
    title: "Confirm Task",
    prompt: `Change the task ${id}: ${JSON.stringify(change)}`,
  }),
  run: ({ id, ...change }, { tasks }) => {
    const updated = tasks.update(id, change);
    if (!updated.ok) return failed("invalid_tool_params", `${updated.problem} Nothing was changed.`);
    const { task, freed } = updated;
    const told = task.status === "deleted" ? `Deleted task ${id}: ${task.subject}` : `Changed task ${id}:\n${taskLine(task, tasks)}`;
    return {
      content: freed.length === 0 ? told : `${told}\nNothing is in the way any more of: ${idsOf(freed)}`,
      display: task.status === "in_progress" ? task.activeForm || task.subject : `${task.subject}: ${task.status}`,
    };
  },
});
