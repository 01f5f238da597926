import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { place, run, tool } from "./place.ts";

describe("editing a file", () => {
  it("replaces the one passage and nothing else, with dollar signs as they are", async () => {
    const { ctx, put } = place();
    const file = put("a.txt", "one\ntwo\nthree\n");
    const output = await run("editFile", { file: "a.txt", old: "two", new: "$& $1" }, ctx);
    expect(readFileSync(file, "utf8")).toBe("one\n$& $1\nthree\n");
    expect(output).toMatchObject({
      content: "Replaced 1 passage in a.txt.",
      display: { originalContent: "one\ntwo\nthree\n", isNewFile: false },
    });
  });

  it("fails when the passage is not there, and points at one that differs in white space only", async () => {
    const { ctx, put } = place();
    put("a.ts", "if (x) {\n\treturn 1;\n}\n");
    expect((await run("editFile", { file: "a.ts", old: "nothing", new: "" }, ctx)).error).toMatchObject({
      type: "edit_no_occurrence_found",
      message:
        "a.ts: the old text does not occur in the file. Read the file again and copy the passage exactly, with its white space. Nothing was changed.",
    });
    expect((await run("editFile", { file: "a.ts", old: "  return 1;\n}", new: "" }, ctx)).error?.message).toContain(
      "Line 2 begins a passage that differs only in white space",
    );
  });

  it("fails when the passage is there several times, with the lines, and changes nothing", async () => {
    const { ctx, put } = place();
    const file = put("a.txt", "x\ny\nx\n");
    expect((await run("editFile", { file: "a.txt", old: "x", new: "z" }, ctx)).error).toMatchObject({
      type: "edit_expected_occurrence_mismatch",
      message: expect.stringContaining("2 times (lines 1, 3), expected once"),
    });
    put("b.txt", "x x\nx\n");
    expect((await run("editFile", { file: "b.txt", old: "x", new: "z" }, ctx)).error?.message).toContain(
      "3 times (lines 1, 2), expected once",
    );
    expect(readFileSync(file, "utf8")).toBe("x\ny\nx\n");
  });

  it("replaces every occurrence when asked to", async () => {
    const { ctx, put } = place();
    const file = put("a.txt", "x\ny\nx\n");
    expect((await run("editFile", { file: "a.txt", old: "x", new: "z", all: true }, ctx)).content).toBe("Replaced 2 passages in a.txt.");
    expect(readFileSync(file, "utf8")).toBe("z\ny\nz\n");
  });

  it("fails when there is nothing to change", async () => {
    const { ctx, put } = place();
    put("a.txt", "x");
    expect((await run("editFile", { file: "a.txt", old: "x", new: "x" }, ctx)).error?.type).toBe("edit_no_change");
  });

  it("keeps CRLF, in the new lines too", async () => {
    const { ctx, put } = place();
    const file = put("a.txt", "one\r\ntwo\r\nthree\r\n");
    await run("editFile", { file: "a.txt", old: "one\ntwo", new: "1\n2\n2b" }, ctx);
    expect(readFileSync(file, "utf8")).toBe("1\r\n2\r\n2b\r\nthree\r\n");
  });

  it("leaves the other lines of a file with mixed line endings as they are", async () => {
    const { ctx, put } = place();
    const file = put("a.txt", "one\r\ntwo\r\nthree\nfour\n");
    await run("editFile", { file: "a.txt", old: "one\ntwo", new: "1\n2" }, ctx);
    await run("editFile", { file: "a.txt", old: "three\nfour", new: "3\n4" }, ctx);
    expect(readFileSync(file, "utf8")).toBe("1\r\n2\r\n3\n4\n");
  });

  it("keeps a byte order mark and UTF-16", async () => {
    const { ctx, put } = place();
    const [utf8, utf16] = [put("8", "\uFEFFold"), put("16", Buffer.from("\uFEFFold", "utf16le"))];
    await run("editFile", { file: "8", old: "old", new: "new" }, ctx);
    await run("editFile", { file: "16", old: "old", new: "new" }, ctx);
    expect(readFileSync(utf8, "utf8")).toBe("\uFEFFnew");
    expect(readFileSync(utf16, "utf16le")).toBe("\uFEFFnew");
  });

  it("refuses a file that writing back would damage", async () => {
    const { ctx, put } = place();
    put("latin1", Buffer.from("grüße old", "latin1"));
    put("binary", Buffer.from([0, 1]));
    expect((await run("editFile", { file: "latin1", old: "old", new: "new" }, ctx)).error?.message).toContain("not in UTF-8");
    expect((await run("editFile", { file: "binary", old: "old", new: "new" }, ctx)).error?.type).toBe("read_content_failure");
  });

  it("creates a file from an empty passage, and fills an empty one, but never overwrites", async () => {
    const { ctx, put, root } = place();
    put("empty", "");
    put("full", "x");
    expect((await run("editFile", { file: "new/a.txt", old: "", new: "hello" }, ctx)).display).toMatchObject({ isNewFile: true });
    expect(readFileSync(join(root, "new/a.txt"), "utf8")).toBe("hello");
    expect((await run("editFile", { file: "empty", old: "", new: "hello" }, ctx)).error).toBeUndefined();
    expect((await run("editFile", { file: "full", old: "", new: "hello" }, ctx)).error?.type).toBe("attempt_to_create_existing_file");
    expect((await run("editFile", { file: "gone", old: "x", new: "y" }, ctx)).error?.type).toBe("file_not_found");
  });

  it("asks a person with the result of the edit", async () => {
    const { ctx, put } = place();
    put("a.txt", "x\n");
    expect(await tool("editFile").confirmation({ file: "a.txt", old: "x", new: "y" }, ctx)).toMatchObject({
      type: "edit",
      title: "Confirm Edit: a.txt",
      newContent: "y\n",
    });
    expect(await tool("editFile").confirmation({ file: "a.txt", old: "q", new: "y" }, ctx)).toMatchObject({
      type: "info",
      prompt: expect.stringContaining("does not occur"),
    });
  });
});
