import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { place, run } from "./place.ts";

const numbered = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

describe("reading a file", () => {
  it("gives the text as it is when all of it fits", async () => {
    const { ctx, put } = place();
    put("a.txt", "one\ntwo\n");
    expect(await run("readFile", { file: "a.txt" }, ctx)).toEqual({ content: "one\ntwo\n", display: "Read a.txt (2 lines)" });
  });

  it("gives the lines of a range, first and last included, and says that the file goes on only if it was not asked to stop", async () => {
    const { ctx, put } = place();
    put("a.txt", numbered(10));
    expect((await run("readFile", { file: "a.txt", startLine: 3, endLine: 4 }, ctx)).content).toBe("line 3\nline 4");
    expect((await run("readFile", { file: "a.txt", startLine: 9 }, ctx)).content).toBe("line 9\nline 10");
  });

  it("says which lines of a long file are shown and where to go on", async () => {
    const { ctx, put } = place({ limits: { maxLines: 3 } });
    put("a.txt", numbered(10));
    expect((await run("readFile", { file: "a.txt", startLine: 2 }, ctx)).content).toBe(
      "[Lines 2 to 4 of 10. The file goes on: read it from line 5 for more.]\n\nline 2\nline 3\nline 4",
    );
  });

  it("stops at whole lines when the text is too large, with a notice", async () => {
    const { ctx, put } = place({ limits: { maxTextBytes: 20 } });
    put("a.txt", numbered(10));
    expect((await run("readFile", { file: "a.txt" }, ctx)).content).toBe(
      "[Lines 1 to 2 of 10. The file goes on: read it from line 3 for more.]\n\nline 1\nline 2",
    );
  });

  it("cuts a line without end and says how long it is", async () => {
    const { ctx, put } = place({ limits: { maxLineChars: 5 } });
    put("a.txt", "x".repeat(50));
    expect((await run("readFile", { file: "a.txt" }, ctx)).content).toBe("xxxxx... [line of 50 characters cut]");
  });

  it("says that a file is empty, or has no such line", async () => {
    const { ctx, put } = place();
    put("empty", "");
    put("two", "1\n2\n");
    expect((await run("readFile", { file: "empty" }, ctx)).content).toBe("(the file is empty)");
    expect((await run("readFile", { file: "two", startLine: 3 }, ctx)).content).toBe("(the file has 2 lines; there is no line 3)");
  });

  it("says of a file in another encoding that it is one", async () => {
    const { ctx, put } = place();
    put("latin.txt", Buffer.from("caf\xe9\n", "latin1"));
    expect((await run("readFile", { file: "latin.txt" }, ctx)).content).toBe(
      "[Not in UTF-8: what could not be read is shown as \uFFFD.]\n\ncaf\uFFFD\n",
    );
  });

  it("reads UTF-16 with its mark and UTF-8 with one, and never shows the mark", async () => {
    const { ctx, put } = place();
    put("16.txt", Buffer.from("\uFEFFgrüße", "utf16le"));
    put("8.txt", "\uFEFFgrüße");
    expect((await run("readFile", { file: "16.txt" }, ctx)).content).toBe("grüße");
    expect((await run("readFile", { file: "8.txt" }, ctx)).content).toBe("grüße");
  });

  it("gives a picture as a picture, whatever its name", async () => {
    const { ctx, put } = place();
    put("shot.txt", PNG);
    expect((await run("readFile", { file: "shot.txt" }, ctx)).content).toEqual([
      { text: "shot.txt (image/png):" },
      { inlineData: { mimeType: "image/png", data: PNG.toString("base64") } },
    ]);
  });

  it("refuses binary data, and says that it is", async () => {
    const { ctx, put } = place();
    put("a.bin", Buffer.from([1, 0, 2]));
    expect((await run("readFile", { file: "a.bin" }, ctx)).error).toMatchObject({
      type: "read_content_failure",
      message: expect.stringContaining("binary file of 3 bytes"),
    });
  });

  it("refuses what is too large, is a folder, does not exist, or would wait for ever", async () => {
    const { ctx, put, root } = place({ limits: { maxFileBytes: 10 } });
    put("large", "x".repeat(11));
    put("folder/in", "");
    execFileSync("mkfifo", [join(root, "pipe")]);
    const types = await Promise.all(
      ["large", "folder", "gone", "pipe"].map(async (file) => (await run("readFile", { file }, ctx)).error?.type),
    );
    expect(types).toEqual(["file_too_large", "target_is_directory", "file_not_found", "read_content_failure"]);
  });

  it("refuses what the product's ignore file hides, but not what git ignores", async () => {
    const { ctx, put } = place();
    put(".geminiignore", "secret*\n");
    put(".gitignore", "build.log\n");
    put("secret.env", "x");
    put("build.log", "done");
    expect((await run("readFile", { file: "secret.env" }, ctx)).error).toMatchObject({
      type: "permission_denied",
      message: expect.stringContaining(".geminiignore"),
    });
    expect((await run("readFile", { file: "build.log" }, ctx)).content).toBe("done");
  });

  it("follows the ignore files of another product when the context names them", async () => {
    const { ctx, put } = place({ ignoreFiles: [".otherignore"] });
    put(".otherignore", "a\n");
    put(".geminiignore", "b\n");
    put("a", "x");
    put("b", "x");
    expect((await run("readFile", { file: "a" }, ctx)).error?.type).toBe("permission_denied");
    expect((await run("readFile", { file: "b" }, ctx)).content).toBe("x");
  });

  it("reads through a link that stays inside", async () => {
    const { ctx, put, root } = place();
    symlinkSync(put("real.txt", "here"), join(root, "link.txt"));
    expect((await run("readFile", { file: "link.txt" }, ctx)).content).toBe("here");
  });

  it("is cancelled before it begins when the signal is aborted", async () => {
    const { ctx, put } = place({ signal: AbortSignal.abort() });
    put("a", "x");
    expect((await run("readFile", { file: "a" }, ctx)).error?.type).toBe("cancelled");
  });
});
