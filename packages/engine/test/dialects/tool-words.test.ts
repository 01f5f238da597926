// Calls told from one vocabulary to another and back: what the other side has no word for is kept, and nothing is invented.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dialectById } from "../../src/dialects/index.ts";

import { type JsonObject, type ToolCall, type ToolWords, toNeutral, toWords, translator } from "../../src/protocol/index.ts";

const wordsOf = (id: string) => {
  const dialect = dialectById(id);
  if (!dialect) throw new Error(`There is no dialect ${id}.`);
  return dialect.tools;
};
const [gemini, qoder] = [wordsOf("gemini"), wordsOf("qoder-cn")];
const toQoder = translator(gemini, qoder);
const toGemini = translator(qoder, gemini);

describe("a call told to the other dialect", () => {
  it.each<[ToolCall, string, JsonObject]>([
    [{ name: "run_shell_command", input: { command: "ls", is_background: true } }, "Bash", { command: "ls", run_in_background: true }],
    [{ name: "read_file", input: { file_path: "a", start_line: 3, end_line: 7 } }, "Read", { file_path: "a", offset: 3, limit: 5 }],
    [{ name: "read_file", input: { file_path: "a", end_line: 7 } }, "Read", { file_path: "a", limit: 7 }],
    [{ name: "read_file", input: { file_path: "a", start_line: 3 } }, "Read", { file_path: "a", offset: 3 }],
    [{ name: "read_file", input: { file_path: "a", end_line: "x" } }, "Read", { file_path: "a", limit: "x" }],
    [{ name: "write_file", input: { file_path: "a", content: "c" } }, "Write", { file_path: "a", content: "c" }],
    [
      { name: "replace", input: { file_path: "a", old_string: "x", new_string: "y", allow_multiple: true, instruction: "why" } },
      "Edit",
      { file_path: "a", old_string: "x", new_string: "y", replace_all: true, instruction: "why" },
    ],
    [{ name: "glob", input: { pattern: "*.ts", dir_path: "src" } }, "Glob", { pattern: "*.ts", path: "src" }],
    [{ name: "search_file_content", input: { pattern: "x", include_pattern: "*.ts" } }, "Grep", { pattern: "x", glob: "*.ts" }],
    [{ name: "web_fetch", input: { prompt: "no address" } }, "WebFetch", { prompt: "no address" }],
    [
      { name: "web_fetch", input: { prompt: "see https://a.example" } },
      "WebFetch",
      { url: "https://a.example", prompt: "see https://a.example" },
    ],
    [{ name: "google_web_search", input: { query: "q" } }, "WebSearch", { query: "q" }],
    [{ name: "write_todos", input: { todos: [] } }, "write_todos", { todos: [] }],
    [{ name: "list_directory", input: { dir_path: "src" } }, "list_directory", { dir_path: "src" }],
    [{ name: "unheard_of", input: { x: 1 } }, "unheard_of", { x: 1 }],
    [{ name: "x", input: { y: 1 }, mcp: { server: "git", tool: "log" } }, "mcp__git__log", { y: 1 }],
  ])("%j is %s %j", (call, name, input) => {
    expect(toQoder.toolName(call)).toBe(name);
    expect(toQoder.toolInput(call)).toEqual(input);
    // Said back as it was told, nothing is different.
    expect(toQoder.hostInput(call, input)).toEqual(call.input);
  });

  it("is known by every name it has", () => {
    expect(toQoder.toolNames({ name: "write_todos" })).toEqual(["write_todos"]);
    const own = translator(qoder, qoder);
    expect(own.toolNames({ name: "TaskCreate" })).toEqual(["TaskCreate", "TodoWrite"]);
    expect(own.toolNames({ name: "TaskUpdate" })).toEqual(["TaskUpdate", "TodoWrite"]);
    expect(toGemini.toolNames({ name: "Grep" })).toEqual(["grep_search", "search_file_content"]);
  });
  it("names its main argument and what that is", () => {
    const main = (name: string, input: JsonObject) => toQoder.mainArgument({ name, input });
    expect(main("run_shell_command", { command: "ls" })).toEqual({ value: "ls", means: "command" });
    expect(main("read_file", { file_path: "a" })).toEqual({ value: "a", means: "path" });
    expect(main("web_fetch", { prompt: "see https://a.example" })).toEqual({ value: "https://a.example", means: "address" });
    expect(main("web_fetch", { prompt: "see HTTPS://A.example" })).toEqual({ value: "HTTPS://A.example", means: "address" });
    expect(main("run_shell_command", { command: 5 })).toBeUndefined();
    expect(main("ask_user", { questions: [] })).toBeUndefined();
  });
});

describe("a tool that the other product does not have", () => {
  it.each<[ToolCall]>([
    [{ name: "TaskCreate", input: { subject: "Write", description: "All of it", activeForm: "Writing" } }],
    [{ name: "TaskUpdate", input: { taskId: "1", status: "completed", addBlockedBy: ["2"], addBlocks: ["3"], owner: "scout" } }],
    [{ name: "TaskGet", input: { taskId: "1" } }],
    [{ name: "TaskList", input: {} }],
  ])("%j keeps its name and its arguments, there and back", (call) => {
    expect(toGemini.toolName(call)).toBe(call.name);
    expect(toGemini.toolNames(call)).toEqual([call.name]);
    expect(toGemini.toolInput(call)).toEqual(call.input);
    expect(toGemini.hostInput(call, { subject: "Other" })).toEqual({ subject: "Other" });
    expect(toGemini.hostPatch(call, { subject: "Other" })).toEqual({ subject: "Other" });
    expect(toGemini.hostToolName(call.name)).toBe(call.name);
  });
});

describe("a call by a name that several tools once shared", () => {
  it("means the first of them, and a present name counts before an older one", () => {
    const words: ToolWords = {
      mcpName: (server, tool) => `${server}.${tool}`,
      tools: [
        { kind: "createTask", name: "Add", aliases: ["Put"], args: { title: "subject" } },
        { kind: "updateTask", name: "Change", aliases: ["Put", "Add"], args: { which: "id" } },
      ],
    };
    const told = translator(words, qoder);
    expect(told.toolName({ name: "Put" })).toBe("TaskCreate");
    expect(told.toolInput({ name: "Add", input: { title: "x" } })).toEqual({ subject: "x" });
    expect(told.toolInput({ name: "Change", input: { which: "7" } })).toEqual({ taskId: "7" });
  });
});

it("any call told and said back unchanged is the call it was", () => {
  const line = fc.integer({ min: 1, max: 1000 });
  const call = fc.oneof(
    fc
      .record({ file_path: fc.string(), start_line: line, end_line: line, more: fc.jsonValue() }, { requiredKeys: ["file_path"] })
      .map((input) => ({ name: "read_file", input })),
    fc
      .record(
        { command: fc.string(), description: fc.string(), dir_path: fc.string(), is_background: fc.boolean() },
        { requiredKeys: ["command"] },
      )
      .map((input) => ({ name: "run_shell_command", input })),
    fc.record({ prompt: fc.webUrl() }).map((input) => ({ name: "web_fetch", input })),
  );
  fc.assert(
    fc.property(call, (one) => {
      const host = one as ToolCall;
      expect(toQoder.hostInput(host, toQoder.toolInput(host))).toEqual(host.input);
    }),
    { numRuns: 200 },
  );
});

describe("a change told back", () => {
  const read: ToolCall = { name: "Read", input: { file_path: "a", offset: 10, limit: 10 } };
  it("of one line number is a change of what the host calls it", () => {
    expect(toGemini.hostPatch(read, { end_line: 12 })).toEqual({ limit: 3 });
    expect(toGemini.hostPatch(read, { start_line: 12 })).toEqual({ offset: 12, limit: 8 });
    expect(toGemini.hostPatch(read, { file_path: "b" })).toEqual({ file_path: "b" });
    expect(toGemini.hostPatch(read, { end_line: 19 })).toEqual({});
  });
  it("of a call that is not known yet is renamed", () => {
    expect(toGemini.hostPatch({ name: "Read" }, { file_path: "b", start_line: 2, end_line: 3 })).toEqual({
      file_path: "b",
      offset: 2,
      limit: 2,
    });
  });
  it("of an address that the host keeps in its prompt is an argument of its own", () => {
    const call: ToolCall = { name: "web_fetch", input: { prompt: "see https://a.example" } };
    expect(toQoder.hostInput(call, { url: "https://b.example", prompt: "see" })).toEqual({ url: "https://b.example", prompt: "see" });
  });
});

describe("an argument that this vocabulary has no word for", () => {
  const word = (words: typeof gemini, name: string) => {
    const found = words.tools.find((one) => one.name === name);
    if (!found) throw new Error(`There is no tool ${name}.`);
    return found;
  };
  it.each<[typeof gemini, string, JsonObject, JsonObject]>([
    [gemini, "read_file", { file_path: "a", file: "b" }, { file: "a" }],
    [gemini, "read_file", { file: "b", file_path: "a" }, { file: "a" }],
    [gemini, "read_file", { file: "b" }, {}],
    [qoder, "Read", { file_path: "a", file: "b", endLine: 3, limit: 5 }, { file: "a", endLine: 5 }],
    [qoder, "Edit", { file_path: "a", old_string: "x", new_string: "y", new: "z", odd: 1 }, { file: "a", old: "x", new: "y", odd: 1 }],
  ])("never takes the place of one that it has: %# %s %j", (words, name, input, neutral) => {
    expect(toNeutral(word(words, name), input)).toEqual(neutral);
  });
  it("neither on the way back", () => {
    expect(toWords(word(gemini, "read_file"), { file: "a", file_path: "b" })).toEqual({ file_path: "a" });
    expect(toWords(word(qoder, "Read"), { file: "a", startLine: 2, offset: 9 })).toEqual({ file_path: "a", offset: 2 });
  });
  it("hides none that hooks of the other product read", () => {
    const call: ToolCall = { name: "grep_search", input: { pattern: "x", dir_path: "secrets", path: "src" } };
    expect(toQoder.toolInput(call)).toEqual({ pattern: "x", path: "secrets" });
    expect(toQoder.hostInput(call, { pattern: "y", path: "secrets" })).toEqual({ pattern: "y", dir_path: "secrets", path: "src" });
  });
  it("is told by its own name where only a host could know it", () => {
    const call: ToolCall = { name: "web_fetch", input: { prompt: "see https://a.example", url: "https://b.example" } };
    expect(toQoder.toolInput(call)).toEqual({ prompt: "see https://a.example", url: "https://b.example" });
  });
});
