import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Place, place, run } from "./place.ts";

const at = (file: string, secondsAgo: number): void => utimesSync(file, Date.now() / 1000 - secondsAgo, Date.now() / 1000 - secondsAgo);

/** The files that a search names, relative to the root. */
async function named(
  where: Place,
  input: { readonly pattern: string } & Readonly<Record<string, string | boolean>>,
): Promise<readonly string[]> {
  const { content } = await run("findFiles", input, where.ctx);
  return String(content)
    .split("\n")
    .filter((line) => line.startsWith(`${where.root}/`))
    .map((line) => line.slice(where.root.length + 1));
}

describe("finding files", () => {
  it("gives the newest first, hidden ones too, and says how many", async () => {
    const here = place();
    at(here.put("old.ts", ""), 100);
    at(here.put("src/new.ts", ""), 10);
    at(here.put(".hidden/mid.ts", ""), 50);
    here.put("other.js", "");
    const output = await run("findFiles", { pattern: "**/*.ts" }, here.ctx);
    expect(output.content).toBe(
      `3 files match **/*.ts in ${here.root}, newest first:\n${["src/new.ts", ".hidden/mid.ts", "old.ts"].map((file) => join(here.root, file)).join("\n")}`,
    );
  });

  it("reads braces, a leading dot, and an absolute pattern below the folder", async () => {
    const here = place();
    here.put("src/a.ts", "");
    here.put("src/b.md", "");
    expect((await named(here, { pattern: "./src/*.{ts,md}" })).toSorted()).toEqual(["src/a.ts", "src/b.md"]);
    expect(await named(here, { pattern: `${here.root}/src/*.ts` })).toEqual(["src/a.ts"]);
  });

  it("matches case only when told to", async () => {
    const here = place();
    here.put("README.md", "");
    expect(await named(here, { pattern: "readme.*" })).toEqual(["README.md"]);
    expect(await named(here, { pattern: "readme.*", caseSensitive: true })).toEqual([]);
  });

  it("leaves out what git ignores, in nested files too, unless told otherwise", async () => {
    const here = place();
    here.put(".gitignore", "*.log\nout/\n!keep.log\n");
    here.put("a.log", "");
    here.put("keep.log", "");
    here.put("out/deep/b.txt", "");
    here.put("sub/.gitignore", "!b.log\n/only-here.txt\n");
    here.put("sub/b.log", "");
    here.put("sub/only-here.txt", "");
    here.put("sub/deeper/only-here.txt", "");
    const all = await named(here, { pattern: "**/*.{log,txt}" });
    expect(all.toSorted()).toEqual(["keep.log", "sub/b.log", "sub/deeper/only-here.txt"]);
    expect(await named(here, { pattern: "a.log", respectGitIgnore: false })).toEqual(["a.log"]);
  });

  it("never brings back a file under an ignored folder", async () => {
    const here = place();
    here.put(".gitignore", "out/\n!out/wanted.txt\n");
    here.put("out/wanted.txt", "");
    expect(await named(here, { pattern: "**/*.txt" })).toEqual([]);
  });

  it("knows .git/info/exclude, and rules of the repository above the allowed folder", async () => {
    const { outside, ctx } = place();
    mkdirSync(join(outside, ".git/info"), { recursive: true });
    writeFileSync(join(outside, ".git/info/exclude"), "by-exclude\n");
    writeFileSync(join(outside, ".gitignore"), "/project/by-parent\n");
    for (const file of ["by-exclude", "by-parent", "free"]) writeFileSync(join(ctx.cwd, file), "");
    expect((await run("findFiles", { pattern: "*" }, ctx)).content).toBe(
      `1 files match * in ${ctx.cwd}, newest first:\n${join(ctx.cwd, "free")}`,
    );
  });

  it("searches an ignored folder when it is asked for by name, but not one that the person keeps back", async () => {
    const here = place();
    here.put(".gitignore", "dist/\n");
    here.put(".geminiignore", "kept/\n");
    here.put("dist/a.js", "");
    here.put("kept/b.js", "");
    expect(await named(here, { pattern: "*.js", directory: "dist" })).toEqual(["dist/a.js"]);
    expect((await run("findFiles", { pattern: "*.js", directory: "kept" }, here.ctx)).error?.type).toBe("permission_denied");
    expect(await named(here, { pattern: "**/*.js", respectGitIgnore: false })).toEqual(["dist/a.js"]);
  });

  it("stays out of .git and node_modules unless the pattern names them", async () => {
    const here = place();
    here.put("node_modules/x/index.js", "");
    here.put(".git/hook.js", "");
    here.put("index.js", "");
    expect(await named(here, { pattern: "**/*.js" })).toEqual(["index.js"]);
    expect(await named(here, { pattern: "node_modules/**/*.js" })).toEqual(["node_modules/x/index.js"]);
  });

  it("names a link to a file and follows none to a folder", async () => {
    const here = place();
    here.put("real/a.md", "");
    symlinkSync(here.root, join(here.root, "circle"));
    symlinkSync(join(here.root, "real/a.md"), join(here.root, "link.md"));
    symlinkSync(join(here.root, "nowhere"), join(here.root, "dead.md"));
    expect((await named(here, { pattern: "**/*.md" })).toSorted()).toEqual(["link.md", "real/a.md"]);
  });

  it("says how many it does not name", async () => {
    const here = place({ limits: { maxFiles: 2 } });
    for (const name of ["a", "b", "c", "d", "e"]) here.put(name, "");
    expect((await run("findFiles", { pattern: "*" }, here.ctx)).content).toContain("[3 more not shown; narrow the pattern]");
  });

  it("fails on a folder that is none", async () => {
    const here = place();
    here.put("file", "");
    expect((await run("findFiles", { pattern: "*", directory: "file" }, here.ctx)).error?.type).toBe("path_is_not_a_directory");
    expect((await run("findFiles", { pattern: "*", directory: "gone" }, here.ctx)).error?.type).toBe("file_not_found");
    expect((await run("findFiles", { pattern: "*.none" }, here.ctx)).content).toBe(`No files match *.none in ${here.root}.`);
  });
});

describe("listing a folder", () => {
  it("names folders first, then files with their size, and counts what is left out", async () => {
    const here = place();
    here.put("b.txt", "12345");
    here.put("a/in", "");
    here.put("x.log", "");
    here.put("y.tmp", "");
    here.put(".gitignore", "*.log\n");
    symlinkSync("b.txt", join(here.root, "l"));
    expect((await run("listDirectory", { ignore: ["*.tmp"] }, here.ctx)).content).toBe(
      `In ${here.root}:\n[folder] a\n.gitignore (6 bytes)\nb.txt (5 bytes)\nl (link)\n[2 left out as ignored]`,
    );
  });

  it("fails on a file and on what is not there", async () => {
    const here = place();
    here.put("file", "");
    expect((await run("listDirectory", { directory: "file" }, here.ctx)).error?.type).toBe("path_is_not_a_directory");
    expect((await run("listDirectory", { directory: "gone" }, here.ctx)).error?.type).toBe("file_not_found");
  });

  it("says so when there is nothing", async () => {
    const here = place();
    expect((await run("listDirectory", {}, here.ctx)).content).toBe(`In ${here.root}:\n(nothing to show)`);
  });
});

describe("reading many files", () => {
  it("gives each text under its path, in order, and says what is not shown", async () => {
    const here = place();
    here.put("src/a.ts", "A\n");
    here.put("src/deep/b.ts", "B\n");
    here.put("src/c.bin", Buffer.from([0, 1]));
    here.put("src/d.test.ts", "D\n");
    const output = await run("readManyFiles", { include: ["src"], exclude: ["**/*.test.ts"] }, here.ctx);
    expect(output.content).toEqual([
      { text: "--- src/a.ts ---\nA\n\n" },
      { text: "--- src/deep/b.ts ---\nB\n\n" },
      { text: expect.stringMatching(/^\[not shown\]\nsrc\/c\.bin: a binary file/) },
    ]);
  });

  it("stays in the named folder when not recursive", async () => {
    const here = place();
    here.put("src/a.ts", "A");
    here.put("src/deep/b.ts", "B");
    expect((await run("readManyFiles", { include: ["src"], recursive: false }, here.ctx)).content).toEqual([
      { text: "--- src/a.ts ---\nA\n" },
    ]);
  });

  it("takes a single file, and an absolute pattern below the working directory", async () => {
    const here = place();
    const file = here.put("src/a.ts", "A");
    here.put("b.ts", "B");
    expect((await run("readManyFiles", { include: [file] }, here.ctx)).content).toEqual([{ text: "--- src/a.ts ---\nA\n" }]);
    expect((await run("readManyFiles", { include: ["./b.ts", "src/"] }, here.ctx)).content).toHaveLength(2);
  });

  it("shows pictures only when a pattern names their kind", async () => {
    const here = place();
    here.put("a.png", Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1"));
    here.put("b.txt", "B");
    expect(JSON.stringify((await run("readManyFiles", { include: ["*"] }, here.ctx)).content)).toContain(
      "shown only when a pattern names its kind",
    );
    expect(JSON.stringify((await run("readManyFiles", { include: ["*.png"] }, here.ctx)).content)).toContain("inlineData");
  });

  it("stops at its limit and says so", async () => {
    const here = place({ limits: { maxTextBytes: 5 } });
    here.put("a", "123");
    here.put("b", "456");
    here.put("c", "789");
    const text = JSON.stringify((await run("readManyFiles", { include: ["*"] }, here.ctx)).content);
    expect(text).toContain("45\\n[cut here: the limit of one call is reached]");
    expect(text).toContain("1 more files: the limit of one call is reached");
  });

  it("fails when there is nothing to read", async () => {
    const here = place();
    expect((await run("readManyFiles", { include: ["*.none"] }, here.ctx)).error?.type).toBe("file_not_found");
  });
});
