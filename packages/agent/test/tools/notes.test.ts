import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { place, run, tool } from "./place.ts";

describe("saving a memory", () => {
  it("makes the file, then adds one line a fact", async () => {
    const { ctx, home } = place();
    const file = join(home, ".gemini", "GEMINI.md");
    expect(await run("saveMemory", { fact: "Prefers tabs." }, ctx)).toMatchObject({
      content: "Remembered: Prefers tabs.",
      display: { filePath: file, isNewFile: true },
    });
    await run("saveMemory", { fact: "- Uses\n# fish " }, ctx);
    expect(readFileSync(file, "utf8")).toBe("## Gemini Added Memories\n- Prefers tabs.\n- Uses # fish\n");
    expect(readdirSync(join(home, ".gemini"))).toEqual(["GEMINI.md"]);
  });

  it("adds to its own section and leaves the rest of the file as it is", async () => {
    const { ctx, home } = place();
    mkdirSync(join(home, ".gemini"));
    const file = join(home, ".gemini", "GEMINI.md");
    writeFileSync(file, "# Mine\n\nText.\n\n## Gemini Added Memories\n- One.\n\n## Other\nMore.\n", { mode: 0o600 });
    await run("saveMemory", { fact: "Two." }, ctx);
    expect(readFileSync(file, "utf8")).toBe("# Mine\n\nText.\n\n## Gemini Added Memories\n- One.\n- Two.\n\n## Other\nMore.\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("keeps two facts that are saved at once", async () => {
    const { ctx, home } = place();
    await Promise.all(["One.", "Two.", "Three."].map((fact) => run("saveMemory", { fact }, ctx)));
    expect(readFileSync(join(home, ".gemini", "GEMINI.md"), "utf8")).toBe("## Gemini Added Memories\n- One.\n- Two.\n- Three.\n");
  });

  it("writes to the file and heading of another product, through a link", async () => {
    const { home, outside, ctx } = place();
    writeFileSync(join(outside, "dotfiles.md"), "Hello.\n");
    symlinkSync(join(outside, "dotfiles.md"), join(home, "MEMORY.md"));
    await run("saveMemory", { fact: "One." }, { ...ctx, memory: { file: join(home, "MEMORY.md"), heading: "Remembered" } });
    expect(readFileSync(join(outside, "dotfiles.md"), "utf8")).toBe("Hello.\n\n## Remembered\n- One.\n");
    expect(lstatSync(join(home, "MEMORY.md")).isSymbolicLink()).toBe(true);
  });

  it("fails with the reason, and leaves nothing behind, when the file cannot be written", async () => {
    const { ctx, home } = place();
    writeFileSync(join(home, ".gemini"), "a file where the folder should be");
    expect((await run("saveMemory", { fact: "One." }, ctx)).error?.type).toBe("path_is_not_a_directory");
    expect(readdirSync(home)).toEqual([".gemini"]);
  });

  it("asks a person with the diff and changes nothing by asking", async () => {
    const { ctx, home } = place();
    expect(await tool("saveMemory").confirmation({ fact: "One." }, ctx)).toMatchObject({
      type: "edit",
      title: "Confirm Memory Save: GEMINI.md",
      newContent: expect.stringContaining("- One."),
    });
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("the list of steps", () => {
  it("is repeated to the model and shown to people", async () => {
    const { ctx } = place();
    const todos = [
      { description: "Look", status: "completed" },
      { description: "Leap", status: "in_progress" },
    ];
    expect(await run("writeTodos", { todos }, ctx)).toEqual({
      content: "The list of steps is now:\n1. [completed] Look\n2. [in_progress] Leap",
      display: { todos },
    });
    expect((await run("writeTodos", { todos: [] }, ctx)).content).toBe("The list of steps is empty now.");
  });

  it("is refused with two steps in progress or a status that nobody knows", () => {
    const step = { description: "x", status: "in_progress" };
    expect(tool("writeTodos").check({ todos: [step, step] })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("at most one step in progress, got 2"),
    });
    expect(tool("writeTodos").check({ todos: [{ description: "x", status: "later" }] })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^todos\.0\.status: /),
    });
  });
});

describe("asking a person", () => {
  const questions = [
    { question: "Which one?", header: "Pick", options: [{ label: "A", description: "first" }, { label: "B" }] },
    { question: "Why?", placeholder: "because" },
  ];

  it("gives the answers to the model, with the kind of each question settled", async () => {
    const asked: unknown[] = [];
    const { ctx } = place({
      askUser: (all) => {
        asked.push(...all);
        return Promise.resolve({ 0: "A" });
      },
    });
    expect(await run("askUser", { questions }, ctx)).toEqual({ content: '{"answers":{"0":"A"}}', display: "Pick: A\nWhy?: (no answer)" });
    expect(asked).toEqual([
      {
        question: "Which one?",
        header: "Pick",
        type: "choice",
        options: [
          { label: "A", description: "first" },
          { label: "B", description: "" },
        ],
        multiSelect: false,
      },
      { question: "Why?", header: "", type: "text", options: [], multiSelect: false, placeholder: "because" },
    ]);
  });

  it("tells the model when the person dismissed the questions", async () => {
    const { ctx } = place({ askUser: () => Promise.resolve(undefined) });
    expect((await run("askUser", { questions }, ctx)).content).toBe("The person dismissed the questions without an answer.");
  });

  it("fails at once when there is no person", async () => {
    const { ctx } = place();
    expect((await run("askUser", { questions }, ctx)).error).toMatchObject({
      type: "no_user",
      message: expect.stringContaining("headless"),
    });
  });

  it("is refused for a choice with nothing to choose from", () => {
    expect(tool("askUser").check({ questions: [{ question: "Which?", type: "choice", options: [{ label: "A" }] }] })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^questions\.0\.options: .*got 1/),
    });
  });
});
