import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import {
  type JsonObject,
  mainArgument,
  type ToolCall,
  type ToolWord,
  type ToolWords,
  toNeutral,
  toWords,
  translator,
} from "../../src/protocol/index.ts";
import { harbour } from "./harbour.ts";
import { gemini } from "./scripted.ts";

const here = gemini.tools;
const there = harbour.tools;
const t = translator(here, there);

describe("between one vocabulary and itself", () => {
  const same = translator(here, here);
  it("everything is what it was, the very same object", () => {
    const call: ToolCall = { name: "write_file", input: { file_path: "a", extra: 1 } };
    expect(same.toolName(call)).toBe("write_file");
    expect(same.toolInput(call)).toBe(call.input);
    expect(same.hostInput(call, call.input)).toBe(call.input);
    expect(same.hostPatch(call, call.input)).toBe(call.input);
    expect(same.hostToolName("anything")).toBe("anything");
  });
  it("an older name is known beside its canonical one", () => {
    expect(same.toolNames({ name: "search_file_content" })).toEqual(["grep_search", "search_file_content"]);
    expect(same.toolNames({ name: "unknown" })).toEqual(["unknown"]);
  });
});

describe("between two vocabularies", () => {
  it("names and arguments are told in the other's words, and come back", () => {
    const call: ToolCall = { name: "write_file", input: { file_path: "a", content: "x" } };
    expect([t.toolName(call), t.toolInput(call), t.hostToolName("Write")]).toEqual(["Write", { path: "a", text: "x" }, "write_file"]);
    expect(t.hostInput(call, { path: "b", text: "y" })).toEqual({ file_path: "b", content: "y" });
    expect(t.hostPatch(call, { text: "y" })).toEqual({ content: "y" });
  });
  it("a lens carries what no renaming can", () => {
    const call: ToolCall = { name: "read_file", input: { file_path: "a", start_line: 5, end_line: 9, extra: true } };
    expect(t.toolInput(call)).toEqual({ path: "a", offset: 5, limit: 5, extra: true });
    expect(t.hostInput(call, t.toolInput(call))).toEqual(call.input);
    expect(t.hostPatch(call, { limit: 1 })).toEqual({ end_line: 5 });
  });
  it("an argument the other has no word for is shown under its own name, and survives a whole replacement only if it could not be seen", () => {
    const call: ToolCall = { name: "run_shell_command", input: { command: "a", dir_path: "/p" } };
    expect(t.toolInput(call)).toEqual({ command: "a", dir_path: "/p" });
    expect(t.hostInput(call, { command: "b" })).toEqual({ command: "b", dir_path: "/p" });
  });
  it("an unknown tool keeps its name and its arguments, whatever they are called", () => {
    const call: ToolCall = { name: "my_tool", input: { file_path: "a", content: "x" } };
    expect([t.toolName(call), t.toolInput(call), t.hostInput(call, { z: 1 })]).toEqual(["my_tool", call.input, { z: 1 }]);
    expect(t.hostToolName("TheirTool")).toBe("TheirTool");
  });
  it("a known name of the other side used by the host for something else stays the host's", () => {
    expect(t.toolName({ name: "Write" })).toBe("Write");
    expect(t.toolNames({ name: "read_file" })).toEqual(["Read", "Open"]);
    expect(t.hostToolName("Open")).toBe("read_file");
  });
  it("an MCP tool is named after its origin, and its arguments are its own", () => {
    const call: ToolCall = { name: "write_file", input: { file_path: "a" }, mcp: { server: "fs", tool: "write_file" } };
    expect([t.toolName(call), t.toolInput(call), t.toolNames(call)]).toEqual([
      "mcp__fs__write_file",
      { file_path: "a" },
      ["mcp__fs__write_file"],
    ]);
    expect(t.mainArgument(call)).toBeUndefined();
  });
  it("the main argument is told with what it means", () => {
    expect(t.mainArgument({ name: "run_shell_command", input: { command: "ls" } })).toEqual({ value: "ls", means: "command" });
    expect(t.mainArgument({ name: "write_file", input: { file_path: "/a" } })).toEqual({ value: "/a", means: "path" });
    expect(t.mainArgument({ name: "write_file", input: { file_path: 7 } })).toBeUndefined();
    expect(t.mainArgument({ name: "unknown", input: { command: "ls" } })).toBeUndefined();
    expect(mainArgument(here, { name: "replace", input: { file_path: "a" } })).toBe("a");
    expect(mainArgument(here, { name: "constructor", input: { file_path: "a" } })).toBeUndefined();
  });
  it("a host may speak words of its own", () => {
    const own: ToolWords = {
      mcpName: (server, tool) => `${server}.${tool}`,
      tools: [{ kind: "shell", name: "sh", args: { cmd: "command" } }],
    };
    const mine = translator(own, here);
    expect(mine.toolName({ name: "sh" })).toBe("run_shell_command");
    expect(mine.toolInput({ name: "sh", input: { cmd: "ls" } })).toEqual({ command: "ls" });
    expect(mine.hostToolName("run_shell_command")).toBe("sh");
    expect(mine.hostToolName("read_file")).toBe("read_file");
  });
});

const values = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
/** Arguments of one tool: its own, in part, and others. */
const callOf = (words: ToolWords) =>
  fc.constantFrom(...words.tools.filter(({ lens }) => !lens)).chain((word) =>
    fc
      .tuple(
        Object.keys(word.args).length === 0
          ? fc.constant<JsonObject>({})
          : fc.dictionary(fc.constantFrom(...Object.keys(word.args)), values),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "extra")), values),
      )
      .map(([known, others]): ToolCall => {
        const spoken = new Set(words.tools.flatMap(({ args }) => Object.entries(args).flat()));
        return {
          name: word.name,
          input: Object.fromEntries([...Object.entries(known), ...Object.entries(others).filter(([key]) => !spoken.has(key))]),
        };
      }),
  );

describe("for every pair of vocabularies", () => {
  const all = [...DIALECTS.map((dialect) => [dialect.id, dialect.tools] as const), ["harbour", there] as const];
  const pairs = all.flatMap(([a, from]) => all.map(([b, to]) => [a, b, from, to] as const));
  it.each(pairs)("%s to %s and back changes no call and loses no key", (_a, _b, from, to) => {
    const there = translator(from, to);
    const hasLens = (call: ToolCall): boolean => to.tools.some(({ name, lens }) => lens !== undefined && name === there.toolName(call));
    fc.assert(
      fc.property(callOf(from), (call) => {
        fc.pre(!hasLens(call));
        const told = there.toolInput(call);
        expect(Object.keys(told)).toHaveLength(Object.keys(call.input).length);
        expect(sorted(there.hostInput(call, told))).toBe(sorted(call.input));
        expect(sorted(there.hostPatch(call, told))).toBe(sorted(call.input));
      }),
      { numRuns: 1_000 },
    );
  });
  it.each(all)("%s: neutral words and back", (_id, words) => {
    fc.assert(
      fc.property(callOf(words), (call) => {
        const [word] = words.tools.filter(({ name }) => name === call.name) as [ToolWord];
        expect(sorted(toWords(word, toNeutral(word, call.input)))).toBe(sorted(call.input));
      }),
      { numRuns: 1_000 },
    );
  });
});
const sorted = (object: JsonObject): string => JSON.stringify(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
