/** What a task is, in memory and in a transcript. */
import * as z from "zod";

const status = z.enum(["pending", "in_progress", "completed", "deleted"]);

/** `blockedBy` are the ids of tasks that come before this one, whatever has become of them. Of a deleted task only the id still counts. */
export const taskSchema = z.object({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  activeForm: z.string().optional(),
  status,
  owner: z.string().optional(),
  blockedBy: z.array(z.string()),
});
export type Task = Readonly<z.infer<typeof taskSchema>>;
export type TaskStatus = z.infer<typeof status>;
export const TASK_STATUSES: readonly TaskStatus[] = status.options;
