import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { place, run, tool } from "./place.ts";

describe("writing a file", () => {
  it("creates it with the folders above it and shows it as a new file", async () => {
    const { ctx, root } = place();
    const output = await run("writeFile", { file: "a/b/c.txt", content: "hello\n" }, ctx);
    expect(readFileSync(join(root, "a/b/c.txt"), "utf8")).toBe("hello\n");
    expect(output).toEqual({
      content: "Created a/b/c.txt (6 bytes).",
      display: {
        fileDiff: expect.stringContaining("+hello"),
        fileName: "c.txt",
        filePath: join(root, "a/b/c.txt"),
        originalContent: "",
        newContent: "hello\n",
        isNewFile: true,
        diffStat: { model_added_lines: 1, model_removed_lines: 0, model_added_chars: 6, model_removed_chars: 0 },
      },
    });
  });

  it("replaces what was there, keeps its mode, and shows both", async () => {
    const { ctx, put } = place();
    const file = put("run.sh", "one\ntwo\n", 0o755);
    const output = await run("writeFile", { file: "run.sh", content: "one\n2\n" }, ctx);
    expect(statSync(file).mode & 0o777).toBe(0o755);
    expect(output.display).toMatchObject({
      originalContent: "one\ntwo\n",
      isNewFile: false,
      diffStat: { model_added_lines: 1, model_removed_lines: 1 },
    });
  });

  it("fails on a folder, below a file, and on what the person keeps back", async () => {
    const { ctx, put, root } = place();
    mkdirSync(join(root, "folder"));
    put("file", "x");
    put(".geminiignore", "kept\n");
    const types = await Promise.all(
      ["folder", "file/below", "kept"].map(async (file) => (await run("writeFile", { file, content: "" }, ctx)).error?.type),
    );
    expect(types).toEqual(["target_is_directory", "path_is_not_a_directory", "permission_denied"]);
  });

  it("asks a person with the diff, and changes nothing by asking", async () => {
    const { ctx, put, root } = place();
    const file = put("a.txt", "old\n");
    expect(await tool("writeFile").confirmation({ file: "a.txt", content: "new\n" }, ctx)).toEqual({
      type: "edit",
      title: "Confirm Write: a.txt",
      fileName: "a.txt",
      filePath: join(root, "a.txt"),
      fileDiff: expect.stringMatching(/-old\n\+new\n/),
      originalContent: "old\n",
      newContent: "new\n",
    });
    expect(readFileSync(file, "utf8")).toBe("old\n");
  });

  it("tells the person beforehand that a write cannot succeed", async () => {
    const { ctx } = place();
    expect(await tool("writeFile").confirmation({ file: "/etc/x", content: "" }, ctx)).toMatchObject({
      type: "info",
      prompt: expect.stringContaining("cannot succeed"),
    });
  });

  it("shows a diff of two large, wholly different texts in bounded time", async () => {
    const { ctx, put } = place();
    const lines = (seed: number): string => Array.from({ length: 30_000 }, (_, i) => `${(i * seed) % 7919} ${i * seed}`).join("\n");
    put("large", lines(31));
    const before = performance.now();
    const output = await run("writeFile", { file: "large", content: lines(37) }, ctx);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(output.display).toMatchObject({ fileDiff: expect.stringMatching(/^--- large\tCurrent\n\+\+\+ large\tProposed\n@@ /m) });
  });
});
