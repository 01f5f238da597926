import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRipgrep } from "../../src/tools/search-ripgrep.ts";
import { place, run } from "./place.ts";

const ripgrep = findRipgrep(process.env);
const pathWithout = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => findRipgrep({ PATH: folder }) === undefined);
const ways = [
  { way: "our own search", PATH: pathWithout.join(delimiter), there: true },
  { way: "ripgrep", PATH: ripgrep === undefined ? "" : [dirname(ripgrep), ...pathWithout].join(delimiter), there: ripgrep !== undefined },
].filter(({ there }) => there);

describe.each(ways)("searching text with $way", ({ PATH }) => {
  const here = (limits = {}): ReturnType<typeof place> => place({ env: { PATH }, limits });

  it("gives each matching line under its file, in the order of names", async () => {
    const { ctx, put } = here();
    put("b.ts", "no\nNeedle two\n");
    put("a/x.ts", "needle one\nno\nneedle three\r\n");
    put("c.ts", "no");
    expect(await run("searchText", { pattern: "needle (one|two|three)" }, ctx)).toEqual({
      content:
        "3 matches for needle (one|two|three) in ., in 2 files:\nFile: a/x.ts\nL1: needle one\nL3: needle three\nFile: b.ts\nL2: Needle two",
      display: "Found 3 matches",
    });
  });

  it("shows the lines around, once each, with a mark where lines are left out", async () => {
    const { ctx, put } = here();
    put("a", "1\nx\n3\n4\n5\n6\nx\n8\nx\n");
    expect((await run("searchText", { pattern: "x", context: 1 }, ctx)).content).toBe(
      "3 matches for x in ., in 1 file:\nFile: a\nL1- 1\nL2: x\nL3- 3\n...\nL6- 6\nL7: x\nL8- 8\nL9: x",
    );
  });

  it("takes case and plain characters into account when told to", async () => {
    const { ctx, put } = here();
    put("a", "a.b\naxb\nA.B\n");
    expect((await run("searchText", { pattern: "a.b", literal: true, caseSensitive: true }, ctx)).content).toContain("1 match for");
    expect((await run("searchText", { pattern: "a.b", caseSensitive: true }, ctx)).content).toContain("2 matches for");
    expect((await run("searchText", { pattern: "(?i)a.b", caseSensitive: true }, ctx)).content).toContain("3 matches for");
  });

  it("keeps to the files that a glob names, by name at any depth or by path from the searched folder", async () => {
    const { ctx, put } = here();
    for (const file of ["top.ts", "sub/in.ts", "sub/in.js", "sub/src/deep.ts", "src/x.ts"]) put(file, "needle");
    const names = async (input: Readonly<Record<string, string>>): Promise<readonly string[]> =>
      String((await run("searchText", { pattern: "needle", namesOnly: true, ...input }, ctx)).content)
        .split("\n")
        .slice(1);
    expect(await names({ only: "*.{ts,tsx}" })).toEqual(["src/x.ts", "sub/in.ts", "sub/src/deep.ts", "top.ts"]);
    expect(await names({ only: "src/*.ts", directory: "sub" })).toEqual(["src/deep.ts"]);
    expect(await names({ only: "src/**" })).toEqual(["src/x.ts"]);
    expect(await names({ exclude: "*.ts" })).toEqual(["sub/in.js"]);
    expect(await names({ exclude: "sub" })).toEqual(["src/x.ts", "top.ts"]);
  });

  it("searches hidden files, and leaves out ignored, binary and linked ones, .git and node_modules", async () => {
    const { ctx, put, root } = here();
    for (const file of [".hidden/a", "node_modules/m", ".git/config", "out/b", "kept", "sub/by-nested", "sub/ok"]) put(file, "needle");
    put("binary", Buffer.from("needle\0needle\n"));
    put(".gitignore", "out/\n");
    put("sub/.gitignore", "by-nested\n");
    put(".geminiignore", "/kept\n");
    symlinkSync(join(root, "sub/ok"), join(root, "link"));
    expect((await run("searchText", { pattern: "needle", namesOnly: true }, ctx)).content).toBe(
      "2 matches for needle in ., in 2 files:\n.hidden/a\nsub/ok",
    );
  });

  it("counts the ignore files of a repository, and those above the searched folder", async () => {
    const { ctx, put, root } = here();
    mkdirSync(join(root, ".git/info"), { recursive: true });
    writeFileSync(join(root, ".git/info/exclude"), "excluded\n");
    put(".gitignore", "sub/above\n");
    for (const file of ["sub/above", "sub/excluded", "sub/free"]) put(file, "needle");
    expect((await run("searchText", { pattern: "needle", directory: "sub", namesOnly: true }, ctx)).content).toBe(
      "1 match for needle in sub, in 1 file:\nfree",
    );
  });

  it("searches an ignored folder when asked for by name", async () => {
    const { ctx, put } = here();
    put(".gitignore", "dist/\n");
    put("dist/a.js", "needle");
    expect((await run("searchText", { pattern: "needle", directory: "dist", namesOnly: true }, ctx)).content).toContain("a.js");
  });

  it("searches a single file, whatever its name begins with", async () => {
    const { ctx, put } = here();
    put("-v.txt", "needle\nno\n");
    expect((await run("searchText", { pattern: "needle", directory: "-v.txt" }, ctx)).content).toBe(
      "1 match for needle in -v.txt, in 1 file:\nFile: -v.txt\nL1: needle",
    );
  });

  it("ends at the number of matches asked for, and says that there are more", async () => {
    const { ctx, put } = here();
    put("a", "x\nx\nx\n");
    put("b", "x\n");
    expect((await run("searchText", { pattern: "x", maxMatches: 2 }, ctx)).content).toBe(
      "2 matches for x in ., in 1 file; the search was ended there, and there are more:\nFile: a\nL1: x\nL2: x",
    );
    expect((await run("searchText", { pattern: "x", maxMatches: 4 }, ctx)).content).toContain("4 matches for x in ., in 2 files:");
  });

  it("cuts long lines, and the whole at the limit of text", async () => {
    const { ctx, put } = here({ maxLineChars: 10, maxTextBytes: 80 });
    put("a", `needle${"y".repeat(100)}\n`.repeat(5));
    const content = String((await run("searchText", { pattern: "needle" }, ctx)).content);
    expect(content).toContain("L1: needleyyyy... [line of 106");
    expect(content).toContain("[cut at 80 bytes; narrow the pattern or the files]");
  });

  it("finds what only JavaScript's expressions can say", async () => {
    const { ctx, put } = here();
    put("a", "foobar\nfoobaz\n");
    expect((await run("searchText", { pattern: "foo(?!bar)" }, ctx)).content).toContain("L2: foobaz");
  });

  it("fails with the reason when the pattern is no expression, the folder is not there, or a pattern is missing", async () => {
    const { ctx } = here();
    expect((await run("searchText", { pattern: "(" }, ctx)).error).toMatchObject({
      type: "grep_execution_error",
      message: expect.stringContaining("no regular expression"),
    });
    expect((await run("searchText", { pattern: "x", directory: "gone" }, ctx)).error?.type).toBe("file_not_found");
    expect((await run("searchText", { pattern: "nothing" }, ctx)).content).toBe("No matches for nothing in ..");
  });

  it("reads text that is not in UTF-8", async () => {
    const { ctx, put } = here();
    put("latin1", Buffer.from("grüße needle\n", "latin1"));
    put("utf16", Buffer.from("\uFEFFneedle\n", "utf16le"));
    expect((await run("searchText", { pattern: "needle" }, ctx)).content).toContain("2 matches for needle");
  });
});

describe("our own search", () => {
  it("stops a pattern that backtracks without end", async () => {
    const { ctx, put } = place({ env: { PATH: "" } });
    put("a", `${"a".repeat(40)}!`);
    const before = performance.now();
    expect((await run("searchText", { pattern: "^(a+)+$" }, ctx)).error?.message).toContain("backtracks without end");
    expect(performance.now() - before).toBeLessThan(4_000);
  });

  it("ends at its time limit and says so", async () => {
    const { ctx, put } = place({ env: { PATH: "" }, limits: { searchTimeoutMs: 1 } });
    for (let i = 0; i < 300; i += 1) put(`f${i}`, "needle\n");
    expect((await run("searchText", { pattern: "needle", maxMatches: 1_000 }, ctx)).content).toContain(
      "[the search was ended after 1 ms; there may be more]",
    );
  });
});
