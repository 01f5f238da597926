import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { createTaskList, type Task } from "../../src/tasks/index.ts";
import { type Place, place, run, tool } from "./place.ts";

/** A place whose list of tasks has these subjects. */
async function listed(...subjects: readonly string[]): Promise<Place> {
  const on = place();
  for (const subject of subjects) await run("createTask", { subject, description: `${subject}, all of it.` }, on.ctx);
  return on;
}
const update = async (on: Place, input: JsonObject) => run("updateTask", input, on.ctx);
const list = async (on: Place) => (await run("listTasks", {}, on.ctx)).content;

describe("the list of tasks", () => {
  it("is filled one task at a time, and each is known by its id", async () => {
    const on = await listed("Read");
    expect(await run("createTask", { subject: "Write", description: "", activeForm: "Writing" }, on.ctx)).toEqual({
      content: "Added task 2: Write",
      display: "Added task 2: Write",
    });
    expect(await run("listTasks", {}, on.ctx)).toEqual({
      content: "2 tasks, 0 completed:\n1. [pending] Read\n2. [pending] Write",
      display: "2 tasks, 0 completed:\n1. [pending] Read\n2. [pending] Write",
    });
  });

  it("that is empty is an answer", async () => {
    expect(await run("listTasks", {}, place().ctx)).toEqual({ content: "The list has no tasks.", display: "No tasks" });
  });

  it("says what waits for what, and what may begin once it does not wait any more", async () => {
    const on = await listed("Read", "Write", "Check");
    expect((await update(on, { id: "2", blockedBy: ["1"], blocks: ["3"] })).content).toBe(
      "Changed task 2:\n2. [pending] Write (waits for 1)",
    );
    await update(on, { id: "3", blockedBy: ["1", "2"], owner: "scout" });
    expect(await list(on)).toBe(
      "3 tasks, 0 completed:\n1. [pending] Read\n2. [pending] Write (waits for 1)\n3. [pending] Check (waits for 2, 1; owner: scout)",
    );
    expect((await update(on, { id: "1", status: "completed" })).content).toBe(
      "Changed task 1:\n1. [completed] Read\nNothing is in the way any more of: 2",
    );
    expect((await update(on, { id: "2", status: "completed" })).content).toMatch(/any more of: 3$/);
    expect((await update(on, { id: "2", status: "completed" })).content, "nothing new").toBe("Changed task 2:\n2. [completed] Write");
    expect(await list(on)).toBe("3 tasks, 2 completed:\n1. [completed] Read\n2. [completed] Write\n3. [pending] Check (owner: scout)");
  });

  it("loses a deleted task, whose id is not given again, and nothing waits for it", async () => {
    const on = await listed("Read", "Write");
    await update(on, { id: "1", blockedBy: ["2"] });
    expect(await update(on, { id: "2", status: "deleted" })).toEqual({
      content: "Deleted task 2: Write\nNothing is in the way any more of: 1",
      display: "Write: deleted",
    });
    expect((await run("createTask", { subject: "Check", description: "" }, on.ctx)).content).toBe("Added task 3: Check");
    expect(await list(on)).toBe("2 tasks, 0 completed:\n1. [pending] Read\n3. [pending] Check");
    expect((await update(on, { id: "2", status: "pending" })).error).toEqual({
      type: "invalid_tool_params",
      message: "The task 2 was deleted. There are: 1, 3. Nothing was changed.",
    });
  });

  it("is cut where it is longer than what a model may be given at once", async () => {
    const on = await listed("Read", "Write");
    const short = { ...on.ctx, limits: { ...on.ctx.limits, maxTextBytes: 40 } };
    expect((await run("listTasks", {}, short)).content).toBe("2 tasks, 0 completed:\n1. [pending] Read\n\n[cut at 40 bytes]");
  });
});

describe("one task", () => {
  it("is told whole, its description last", async () => {
    const on = await listed("Read", "Write", "Check");
    await update(on, {
      id: "2",
      blockedBy: ["1"],
      blocks: ["3"],
      owner: "scout",
      activeForm: "Writing",
      description: "Line one.\nLine two.",
    });
    expect((await run("readTask", { id: "2" }, on.ctx)).content).toBe(
      [
        "Task 2: Write",
        "Status: pending",
        "While in progress: Writing",
        "Owner: scout",
        "Waits for: 1",
        "Holds up: 3",
        "Description: Line one.\nLine two.",
      ].join("\n"),
    );
    expect((await run("readTask", { id: "1" }, on.ctx)).content).toBe(
      "Task 1: Read\nStatus: pending\nHolds up: 2\nDescription: Read, all of it.",
    );
  });

  it("shows people its active form while it is in progress, or else its subject", async () => {
    const on = await listed("Read");
    expect((await update(on, { id: "1", status: "in_progress" })).display).toBe("Read");
    expect((await update(on, { id: "1", activeForm: "Reading" })).display).toBe("Reading");
    expect((await update(on, { id: "1", status: "completed" })).display).toBe("Read: completed");
  });

  it("has texts of one line, so that none passes for another task", async () => {
    const on = await listed(" Read\n2. [completed] Sign ");
    await update(on, { id: "1", owner: "a\nb" });
    expect(await list(on)).toBe("1 task, 0 completed:\n1. [pending] Read 2. [completed] Sign (owner: a b)");
  });

  it("that is not there is an error that names those there are, and nothing is changed", async () => {
    const on = await listed("Read");
    expect(await run("readTask", { id: "7" }, on.ctx)).toMatchObject({
      content: 'There is no task "7". There are: 1.',
      error: { type: "invalid_tool_params" },
    });
    expect((await update(on, { id: "1", status: "completed", blockedBy: ["7"] })).error?.message).toBe(
      'There is no task "7". There are: 1. Nothing was changed.',
    );
    expect(await list(on)).toBe("1 task, 0 completed:\n1. [pending] Read");
    expect((await run("readTask", { id: "1" }, place().ctx)).content).toBe('There is no task "1". The list is empty.');
  });

  it("may not wait for itself, not through others either", async () => {
    const on = await listed("Read", "Write", "Check");
    expect((await update(on, { id: "1", blocks: ["1"] })).error?.message).toBe(
      "The task 1 cannot wait for 1: it would wait for itself. Nothing was changed.",
    );
    await update(on, { id: "2", blockedBy: ["1"] });
    await update(on, { id: "3", blockedBy: ["2"] });
    expect((await update(on, { id: "1", blockedBy: ["3"] })).error?.message).toMatch(/^The task 1 cannot wait for 3: /);
    expect((await update(on, { id: "3", blocks: ["2"], status: "completed" })).error, "at one go with others").toBeDefined();
    expect((await update(on, { id: "1", blockedBy: ["2"], blocks: ["2"] })).error).toBeDefined();
    expect(await list(on)).toBe(
      "3 tasks, 0 completed:\n1. [pending] Read\n2. [pending] Write (waits for 1)\n3. [pending] Check (waits for 2)",
    );
  });

  it("is refused without a subject, with a status that nobody knows, and for a change of nothing", () => {
    expect(tool("createTask").check({ subject: " \n", description: "x" })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^subject: /),
    });
    expect(tool("updateTask").check({ id: "1", status: "cancelled" })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^status: /),
    });
    expect(tool("updateTask").check({ id: "1" }, (name) => (name === "status" ? "state" : name))).toEqual({
      ok: false,
      problem: "state: expected something to change about the task 1, such as this. Nothing was done.",
    });
  });
});

describe("what is kept of the list", () => {
  it("is every change as it happens, and told again it is the same list", () => {
    const kept: Task[] = [];
    const tasks = createTaskList([], (task) => kept.push(task));
    tasks.create({ subject: "Read", description: "" });
    tasks.create({ subject: "Write", description: "" });
    tasks.update("1", { blocks: ["2"], status: "in_progress" });
    tasks.create({ subject: "Check", description: "" });
    tasks.update("3", { status: "deleted" });
    tasks.update("1", { blockedBy: ["2"] });
    expect(kept.map(({ id, status, blockedBy }) => [id, status, ...blockedBy])).toEqual([
      ["1", "pending"],
      ["2", "pending"],
      ["1", "in_progress"],
      ["2", "pending", "1"],
      ["3", "pending"],
      ["3", "deleted"],
    ]);
    const again = createTaskList(kept, () => undefined);
    expect(again.all()).toEqual(tasks.all());
    expect(again.create({ subject: "Ship", description: "" }).id).toBe("4");
    again.clear();
    expect([again.all(), again.create({ subject: "Anew", description: "" }).id]).toEqual([[], "1"]);
  });
});
