// Permission rules at work in a session: on either product's tools, behind links, after hooks have changed a call, and who is asked.
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import type { OpenOptions } from "../../src/config/index.ts";
import { type Served, type Stage, says, served, stage } from "../loop/stage.ts";

type Calls = readonly { readonly id: string; readonly name: string; readonly input: JsonObject }[];
const GEMINI_TOOLS = ["gemini", "qoder-cn"];
const open = (on: Stage, calls: Calls, options: Partial<OpenOptions> = {}): Promise<Served> =>
  served(on, "openai", [{ calls }, { text: "ok" }], { ...options, flags: { dialects: ["qoder-cn"], ...options.flags } });
const results = (run: Served): string[] =>
  run.server.requests[1]?.body.messages
    .filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: string }) => content);
const call = (name: string, input: JsonObject, id = "call_1") => ({ id, name, input });
const output = (event: string, fields: object): string => says({ hookSpecificOutput: { hookEventName: event, ...fields } });

describe("a deny rule of Qoder CN's settings", () => {
  it("guards the tools of a session in the other product's words", async () => {
    const on = stage();
    on.write("my project/keys/a.pem", "a secret");
    on.write("my project/src/a.ts", "source");
    on.hooks([], { permissions: { deny: ["Read(*.pem)", "Edit(//etc/**)", "WebFetch(domain:example.com)", "Bash(rm:*)"] } }, "qoder-cn");
    const run = await open(
      on,
      [
        call("read_many_files", { include: ["**/*"] }, "1"),
        call("read_many_files", { include: ["src/*.ts"] }, "2"),
        call("grep_search", { pattern: ".", dir_path: "keys/a.pem" }, "3"),
        call("write_file", { file_path: "/etc/carabiner", content: "" }, "4"),
        call("web_fetch", { prompt: "Read HTTPS://www.example.com/ for me." }, "5"),
        call("run_shell_command", { command: "true && rm a" }, "6"),
      ],
      { flags: { dialects: GEMINI_TOOLS } },
    );
    await run.ask("go");
    const [many, source, search, write, web, shell] = results(run);
    expect(many).toContain("Denied by the rule Read(*.pem)");
    expect(source).toContain("source");
    expect(search).toContain("Denied by the rule Read(*.pem)");
    expect(write).toContain("Denied by the rule Edit(//etc/**)");
    expect(web).toContain("Denied by the rule WebFetch(domain:example.com)");
    expect(shell).toContain("Denied by the rule Bash(rm:*)");
  });

  it.each([
    ["qoder-cn", "Read", { file_path: "a.txt", file: ".env" }],
    ["gemini", "read_file", { file_path: "a.txt", file: ".env" }],
  ])("and hooks look at the file that is read, whatever else a call in %s's words holds", async (dialect, tool, input) => {
    const on = stage();
    on.write("my project/a.txt", "for everybody");
    on.write("my project/.env", "a secret");
    on.hooks([{ on: "PreToolUse" }], { permissions: { deny: ["Read(.env)"] } }, "qoder-cn");
    const run = await open(on, [call(tool, input)], { flags: { dialects: [dialect, dialect === "gemini" ? "qoder-cn" : "gemini"] } });
    await run.ask("go");
    expect(on.seen("PreToolUse")).toMatchObject([{ tool_input: { file_path: "a.txt" } }]);
    expect(results(run)).toEqual([expect.stringContaining("for everybody")]);
  });

  it("looks at the address that is fetched: the model has no argument that it was not told of", async () => {
    const on = stage();
    on.hooks([{ on: "PreToolUse" }], { permissions: { deny: ["WebFetch(domain:good.example)"] } }, "qoder-cn");
    const asked = { prompt: "see https://good.example/", url: "https://evil.example/" };
    const run = await open(on, [call("web_fetch", asked, "1")], { flags: { dialects: GEMINI_TOOLS } });
    await run.ask("go");
    expect(results(run)).toEqual([expect.stringContaining("Denied by the rule WebFetch(domain:good.example)")]);
    expect(on.seen("PreToolUse")).toMatchObject([{ tool_input: { url: "https://good.example/", prompt: asked.prompt } }]);
  });

  it("looks at the address that a hook has put in", async () => {
    const on = stage();
    const updatedInput = { prompt: "see https://good.example/", url: "https://evil.example/" };
    on.hooks(
      [{ on: "PreToolUse", does: output("PreToolUse", { updatedInput }) }],
      { permissions: { deny: ["WebFetch(domain:evil.example)"] } },
      "qoder-cn",
    );
    const run = await open(on, [call("web_fetch", { prompt: "see https://good.example/" })], { flags: { dialects: GEMINI_TOOLS } });
    await run.ask("go");
    expect(results(run)).toEqual([expect.stringContaining("Denied by the rule WebFetch(domain:evil.example)")]);
  });

  it("is not passed by a link", async () => {
    const on = stage();
    mkdirSync(on.path("my project/secrets"));
    symlinkSync("secrets", on.path("my project/notes"));
    on.hooks([], { permissions: { deny: ["Write(secrets/**)"] } }, "qoder-cn");
    const run = await open(on, [call("Write", { file_path: "notes/new/key", content: "x" })]);
    await run.ask("go");
    expect(results(run)).toEqual([expect.stringContaining("Denied by the rule Write(secrets/**)")]);
    expect(existsSync(on.path("my project/secrets/new"))).toBe(false);
  });

  it.each([
    ["PreToolUse", { permissionDecision: "allow", updatedInput: { command: "rm -rf src" } }, "yolo"],
    ["PermissionRequest", { decision: { behavior: "allow", updatedInput: { command: "rm -rf src" } } }, "default"],
  ] as const)("stands against what a hook on %s makes of the call", async (event, fields, mode) => {
    const on = stage();
    on.write("my project/src/a.ts", "source");
    on.hooks([{ on: event, does: output(event, fields) }], { permissions: { deny: ["Bash(rm:*)"] } }, "qoder-cn");
    const run = await open(on, [call("Bash", { command: "touch new" })], { flags: { mode } });
    await run.ask("go");
    expect(on.order()).toEqual([event]);
    expect(results(run)).toEqual([expect.stringContaining("Denied by the rule Bash(rm:*)")]);
    expect(on.read("my project/src/a.ts")).toBe("source");
  });
});

describe("a project behind a link", () => {
  it("has its files where rules expect them", async () => {
    const on = stage();
    mkdirSync(on.path("real"));
    symlinkSync(on.path("real"), on.path("linked"));
    on.hooks([], { permissions: { allow: ["Edit(src/**)"] } }, "qoder-cn");
    const run = await open(on, [call("Write", { file_path: "src/a.ts", content: "x" })], {
      cwd: on.path("linked"),
      flags: { mode: "default" },
    });
    await run.ask("go");
    expect(on.read("real/src/a.ts")).toBe("x");
  });
});

describe("with a person who can be asked", () => {
  const asksOf = () => {
    const asked: string[] = [];
    return { asked, confirm: (async ({ name }) => asked.push(name) > 0) satisfies OpenOptions["confirm"] };
  };
  it.each([
    ["dontAsk", {}, []],
    ["auto", { permissions: { ask: ["Bash(touch:*)"] } }, []],
    ["default", {}, ["Bash"]],
    ["autoEdit", {}, ["Bash"]],
    ["yolo", { permissions: { ask: ["Bash(touch:*)"] } }, []],
  ] as const)("the mode %s keeps its word", async (mode, settings, expected) => {
    const on = stage();
    const { asked, confirm } = asksOf();
    on.hooks([{ on: "PermissionRequest" }, { on: "Notification" }], settings, "qoder-cn");
    const run = await open(on, [call("Bash", { command: "touch a.txt" })], { confirm, flags: { mode } });
    await run.ask("go");
    expect(asked).toEqual(expected);
    const silent = mode === "dontAsk" || mode === "auto";
    expect(existsSync(on.path("my project/a.txt"))).toBe(!silent);
    expect(on.seen("Notification").filter(({ notification_type: type }) => type === "permission")).toHaveLength(expected.length);
    expect(results(run)[0]?.includes("This mode asks nobody")).toBe(silent);
  });

  it.each(["dontAsk", "auto"] as const)("the mode %s denies what a hook wants asked, and takes a hook's yes", async (mode) => {
    const on = stage();
    const { asked, confirm } = asksOf();
    const ask = output("PreToolUse", { permissionDecision: "ask", permissionDecisionReason: "is that so" });
    const allow = output("PermissionRequest", { decision: { behavior: "allow" } });
    on.hooks(
      [
        { on: "PreToolUse", does: ask },
        { on: "PermissionRequest", matcher: "Write", does: allow },
      ],
      {},
      "qoder-cn",
    );
    const run = await open(on, [call("Bash", { command: "touch a" }, "1"), call("Write", { file_path: "b", content: "" }, "2")], {
      confirm,
      flags: { mode },
    });
    await run.ask("go");
    expect(asked).toEqual([]);
    expect(results(run)[0]).toContain("is that so");
    expect([existsSync(on.path("my project/a")), existsSync(on.path("my project/b"))]).toEqual([false, true]);
  });
});
