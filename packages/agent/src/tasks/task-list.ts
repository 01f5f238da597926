/** Turns what agents do with tasks into the one list of their session, and every change into something to keep. */
import type { Task } from "./task.ts";

export type TaskDraft = Pick<Task, "subject" | "description" | "activeForm">;
/** What is absent or `undefined` stays as it is. `blocks` and `blockedBy` are ids of other tasks, and are added. */
export type TaskChange = { readonly [K in "status" | "subject" | "description" | "activeForm" | "owner"]?: Task[K] | undefined } & {
  readonly blocks?: readonly string[] | undefined;
  readonly blockedBy?: readonly string[] | undefined;
};
/** `freed`: the pending tasks that waited for this one and wait for nothing now. `problem`: one line, and nothing has changed. */
export type Updated =
  | { readonly ok: true; readonly task: Task; readonly freed: readonly Task[] }
  | { readonly ok: false; readonly problem: string };

/** Ids count from 1 and are never given twice, not even after a deletion. Deleted tasks are in no answer. */
export interface TaskList {
  /** In the order of their making. */
  readonly all: () => readonly Task[];
  readonly get: (id: string) => Task | undefined;
  /** Why there is no task of that id, and which there are: one line. */
  readonly missing: (id: string) => string;
  readonly create: (draft: TaskDraft) => Task;
  readonly update: (id: string, change: TaskChange) => Updated;
  /** The tasks that have to be completed before this one can begin. */
  readonly waitsFor: (task: Task) => readonly Task[];
  /** The tasks that are not completed and have this one before them; none once it is completed itself. */
  readonly holdsUp: (task: Task) => readonly Task[];
  /** For a session that begins anew: nothing is left, and ids count from 1 again. */
  readonly clear: () => void;
}

/** `start`: the tasks of a resumed session, deleted ones too. `kept` is told of every task that has changed, at once, as it is now. */
export function createTaskList(start: readonly Task[], kept: (task: Task) => void): TaskList {
  const tasks = new Map(start.map((task) => [task.id, task]));
  const get = (id: string): Task | undefined => {
    const task = tasks.get(id);
    return task?.status === "deleted" ? undefined : task;
  };
  const all = (): readonly Task[] => [...tasks.values()].filter(({ status }) => status !== "deleted");
  const put = (task: Task): Task => {
    tasks.set(task.id, task);
    kept(task);
    return task;
  };
  const missing = (id: string): string => {
    const why = tasks.has(id) ? `The task ${id} was deleted.` : `There is no task ${JSON.stringify(id)}.`;
    const there = all().map((task) => task.id);
    return `${why} ${there.length === 0 ? "The list is empty." : `There are: ${there.join(", ")}.`}`;
  };
  const waitsFor = ({ blockedBy }: Task): readonly Task[] =>
    blockedBy.flatMap((id) => get(id) ?? []).filter(({ status }) => status !== "completed");
  const holdsUp = ({ id, status }: Task): readonly Task[] =>
    status === "completed" ? [] : all().filter((other) => other.status !== "completed" && other.blockedBy.includes(id));
  return {
    all,
    get,
    missing,
    waitsFor,
    holdsUp,
    create: (draft) => {
      const last = Math.max(0, ...[...tasks.keys()].map(Number).filter(Number.isSafeInteger));
      return put({ id: String(last + 1), ...draft, status: "pending", blockedBy: [] });
    },
    update: (id, { blocks = [], blockedBy = [], ...change }) => {
      const before = get(id);
      const stranger = [id, ...blocks, ...blockedBy].find((one) => !get(one));
      if (!before || stranger !== undefined) return { ok: false, problem: missing(stranger ?? id) };
      const orders = [...blockedBy.map((first) => ({ first, then: id })), ...blocks.map((then) => ({ first: id, then }))];
      const ring = orders.find(({ first, then }) => reaches(first, then, get, orders));
      if (ring) return { ok: false, problem: `The task ${ring.then} cannot wait for ${ring.first}: it would wait for itself.` };
      const waiting = holdsUp(before);
      const task = put({
        ...before,
        status: change.status ?? before.status,
        subject: change.subject ?? before.subject,
        description: change.description ?? before.description,
        activeForm: change.activeForm ?? before.activeForm,
        owner: change.owner ?? before.owner,
        blockedBy: joint(before.blockedBy, blockedBy),
      });
      for (const other of new Set(blocks)) {
        const held = get(other);
        if (held) put({ ...held, blockedBy: joint(held.blockedBy, [id]) });
      }
      const freed = waiting.filter((one) => one.status === "pending" && waitsFor(get(one.id) ?? one).length === 0);
      return { ok: true, task, freed };
    },
    clear: () => tasks.clear(),
  };
}

interface Order {
  readonly first: string;
  readonly then: string;
}
/** Whether the one waits for the other, through however many, once these orders count too. */
function reaches(from: string, to: string, get: (id: string) => Task | undefined, orders: readonly Order[]): boolean {
  const seen = new Set<string>();
  const next = [from];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    next.push(...(get(id)?.blockedBy ?? []), ...orders.filter(({ then }) => then === id).map(({ first }) => first));
  }
  return false;
}

const joint = (ids: readonly string[], more: readonly string[]): string[] => [...new Set([...ids, ...more])];
