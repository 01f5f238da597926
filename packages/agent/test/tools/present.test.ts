import { describe, expect, it } from "vitest";
import { argName, presentTool, TOOLS, toNeutral, toolByName, toolNotFound } from "../../src/tools/index.ts";
import { tool } from "./place.ts";
import { counting, renaming } from "./words.ts";

describe("a tool in a product's words", () => {
  it("is presented with the product's argument names and without the arguments that it has no word for", () => {
    const shown = presentTool(tool("shell"), renaming);
    expect(shown?.name).toBe("run_shell_command");
    expect(shown?.parameters).toMatchObject({ type: "object", required: ["command"] });
    expect(Object.keys(Object(shown?.parameters["properties"]))).toEqual(["command", "description", "dir_path", "is_background"]);
  });

  it("keeps the neutral name of a required argument without a word, since no call could succeed without it", () => {
    expect(presentTool(tool("askUser"), renaming)?.parameters).toMatchObject({
      required: ["questions"],
      properties: { questions: { type: "array" } },
    });
  });

  it("is not presented by a vocabulary that has no word for it", () => {
    expect(presentTool(tool("shell"), counting)).toBeUndefined();
  });

  it("says what a product's own counting means when renaming would lie", () => {
    const limit = { type: "integer", description: "How many lines to read." };
    expect(presentTool(tool("readFile"), counting, { args: { limit } })?.parameters["properties"]).toMatchObject({
      limit,
      offset: { minimum: 1 },
    });
  });

  it("has a description for every argument, and a schema without bounds that only a machine would set", () => {
    for (const { kind, args } of TOOLS) {
      for (const [name, arg] of Object.entries(args)) expect(arg.describe, `${kind}.${name}`).toMatch(/\.$|\)\.$/);
      expect(JSON.stringify(args)).not.toContain(String(Number.MAX_SAFE_INTEGER));
      expect(JSON.stringify(args)).not.toContain("$schema");
    }
  });
});

describe("a call in a product's words", () => {
  it("becomes neutral by renaming, by an older name too, and keeps arguments that nobody knows", () => {
    expect(toNeutral(renaming, "search_file_content", { pattern: "x", dir_path: "src", odd: 1 })).toEqual({
      pattern: "x",
      directory: "src",
      odd: 1,
    });
  });

  it("becomes neutral through the lens where there is one", () => {
    expect(toNeutral(counting, "Read", { file_path: "a", offset: 5, limit: 2 })).toEqual({ file: "a", startLine: 5, endLine: 6 });
  });

  it("is left alone when the tool is unknown", () => {
    const input = { a: 1 };
    expect(toNeutral(renaming, "nobody", input)).toBe(input);
  });

  it("treats names from an object's prototype as data", () => {
    expect(toNeutral(renaming, "read_file", JSON.parse('{"constructor": 1, "__proto__": {"file": "x"}}'))).toHaveProperty("constructor", 1);
    expect(toolByName(renaming, "constructor")).toBeUndefined();
  });

  it("finds its tool by name and alias, and none for a kind that the agent does not have", () => {
    expect(toolByName(renaming, "search_file_content")?.tool.kind).toBe("searchText");
    expect(toolByName(renaming, "google_web_search")).toBeUndefined();
  });

  it("is told the names that are near when there is no such tool", () => {
    expect(toolNotFound("list_dir", ["read_file", "list_directory", "write_file", "glob"])).toBe(
      'Tool "list_dir" not found. Did you mean one of: "list_directory", "read_file", "write_file"?',
    );
    expect(toolNotFound("x", [])).toBe('Tool "x" not found. There are no tools in this session.');
  });
});

describe("an argument that is wrong", () => {
  const say = argName(renaming.tools.find((w) => w.name === "read_file") ?? { kind: "readFile", name: "", args: {} });

  it("is named as the model knows it, with what was given instead", () => {
    expect(tool("readFile").check({ startLine: 1 }, say)).toEqual({
      ok: false,
      problem: "file_path: this argument is required. The call had only start_line; nothing was done. Call again with it.",
    });
  });

  it("is told what was expected", () => {
    const checked = tool("readFile").check({ file: "a", endLine: "7" }, say);
    expect(checked).toMatchObject({
      ok: false,
      problem: expect.stringContaining("end_line: Invalid input: expected number, received string"),
    });
  });

  it("is refused in relation to another one", () => {
    expect(tool("readFile").check({ file: "a", startLine: 5, endLine: 2 }, say)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^end_line: .*\(5\).*2/),
    });
  });

  it("is absent when it is null, and gone when nobody knows it", () => {
    expect(tool("readFile").check({ file: "a", endLine: null, odd: 1 })).toEqual({ ok: true, value: { file: "a" } });
  });

  it("is a misuse when it reaches run unchecked", async () => {
    await expect(tool("readFile").run({}, Object.create(null))).rejects.toThrow(TypeError);
  });
});
