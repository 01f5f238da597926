/** The door of the room `tasks`: the list of tasks that a session keeps. */
export { TASK_STATUSES, type Task, taskSchema } from "./task.ts";
export { createTaskList, type TaskList } from "./task-list.ts";
