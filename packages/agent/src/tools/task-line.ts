/** Turns a task into the line by which models and people know it, and a text of any shape into one that fits in such a line. */
import * as z from "zod";
import type { Task, TaskList } from "../tasks/index.ts";

/** A line break in one of these texts could pass for another task. */
export const oneLine = z.string().overwrite((text) => text.replace(/\s+/g, " ").trim());

/** `2. [pending] Write the tests (waits for 1; owner: scout)`: without brackets where there is nothing to say. */
export function taskLine(task: Task, tasks: TaskList): string {
  const { id, subject, status, owner } = task;
  const first = tasks.waitsFor(task);
  const notes = [
    ...(status === "completed" || first.length === 0 ? [] : [`waits for ${idsOf(first)}`]),
    ...(owner ? [`owner: ${owner}`] : []),
  ];
  return `${id}. [${status}] ${subject}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

export const idsOf = (tasks: readonly Task[]): string => tasks.map(({ id }) => id).join(", ");
