import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inside, isWithin } from "../../src/tools/inside.ts";
import { place, run } from "./place.ts";

describe("a path outside the allowed folders", () => {
  it("is refused with the folders that are allowed and how to allow another", async () => {
    const { ctx, root } = place();
    const found = await inside("../home/x", ctx);
    expect(found).toMatchObject({ ok: false, output: { error: { type: "path_not_in_workspace" } } });
    expect(!found.ok && found.output.error.message).toContain(root);
    expect(!found.ok && found.output.error.message).toContain("--include-directories");
  });

  it("is refused when a folder only begins with the name of an allowed one", async () => {
    const { ctx, root } = place();
    mkdirSync(`${root}-other`);
    expect((await inside(`${root}-other/x`, ctx)).ok).toBe(false);
    expect(isWithin("/a/..b", "/a")).toBe(true);
  });

  it("is refused through a link, for a file that does not exist yet too", async () => {
    const { ctx, root, home } = place();
    symlinkSync(home, join(root, "out"));
    expect((await inside("out/new/file", ctx)).ok).toBe(false);
    expect((await run("writeFile", { file: "out/x", content: "" }, ctx)).error?.type).toBe("path_not_in_workspace");
    expect(existsSync(join(home, "x"))).toBe(false);
  });

  it("is refused through a link to nowhere, which a write would create", async () => {
    const { ctx, root, home } = place();
    symlinkSync(join(home, "planted"), join(root, "note.txt"));
    expect((await run("writeFile", { file: "note.txt", content: "x" }, ctx)).error?.type).toBe("path_not_in_workspace");
    expect(existsSync(join(home, "planted"))).toBe(false);
  });

  it("is refused through a relative link inside a linked folder, which leads elsewhere than it reads", async () => {
    const { ctx, root, outside } = place();
    mkdirSync(join(root, "deep", "er"), { recursive: true });
    symlinkSync(join(root, "deep", "er"), join(root, "short"));
    symlinkSync("../../../loose", join(root, "deep", "er", "link"));
    expect((await run("writeFile", { file: "short/link", content: "x" }, ctx)).error?.type).toBe("path_not_in_workspace");
    expect(existsSync(join(outside, "loose"))).toBe(false);
  });

  it("is refused when it is a circle of links, or holds a zero byte", async () => {
    const { ctx, root } = place();
    symlinkSync("b", join(root, "a"));
    symlinkSync("a", join(root, "b"));
    expect(await inside("a", ctx)).toMatchObject({ ok: false, output: { error: { message: expect.stringContaining("circle") } } });
    expect(await inside("a\0b", ctx)).toMatchObject({ ok: false, output: { error: { type: "invalid_tool_params" } } });
  });

  it("is refused to every tool that takes a path", async () => {
    const { ctx, home } = place();
    writeFileSync(join(home, "x"), "secret");
    const outputs = await Promise.all([
      run("readFile", { file: join(home, "x") }, ctx),
      run("editFile", { file: join(home, "x"), old: "secret", new: "" }, ctx),
      run("listDirectory", { directory: home }, ctx),
      run("findFiles", { directory: home, pattern: "*" }, ctx),
      run("searchText", { directory: home, pattern: "s" }, ctx),
      run("shell", { directory: home, command: "cat x" }, ctx),
    ]);
    expect(outputs.map((output) => output.error?.type)).toEqual(Array.from({ length: 6 }, () => "path_not_in_workspace"));
    expect(readFileSync(join(home, "x"), "utf8")).toBe("secret");
  });
});

describe("a path inside", () => {
  it("may be in any of several folders, and a root may itself be a link", async () => {
    const { ctx, root, home, outside } = place();
    symlinkSync(home, join(outside, "alias"));
    const wider = { ...ctx, roots: [root, join(outside, "alias")] };
    expect(await inside(join(home, "x"), wider)).toMatchObject({ ok: true, path: join(home, "x") });
    expect(await inside("a/../b", wider)).toMatchObject({ ok: true, path: join(root, "b"), shown: "b" });
  });
});
