// What definitions of sub-agents may say, in either product's words, and what is told of those that cannot be used.
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenOptions } from "../../src/config/index.ts";
import { type Served, type Stage, served, stage } from "../loop/stage.ts";

const define = (on: Stage, file: string, front: string, body = "You only look."): string => on.write(file, `---\n${front}\n---\n${body}\n`);
const NAMED = "name: scout\ndescription: Looks around.\n";

/** A session whose sub-agent is asked once, and what its model was offered. */
async function offered(on: Stage, dialects: readonly string[], name = "scout", options: Partial<OpenOptions> = {}) {
  const input = dialects[0] === "qoder-cn" ? { description: "d", prompt: "go", subagent_type: name } : { agent_name: name, prompt: "go" };
  const tool = dialects[0] === "qoder-cn" ? "Agent" : "delegate_to_agent";
  const run = await served(on, "openai", [{ calls: [{ id: "1", name: tool, input }] }, { text: "looked" }, { text: "ok" }], {
    ...options,
    flags: { dialects, ...options.flags },
  });
  await run.ask("go");
  return { run, names: toolsIn(run, 1) };
}
const toolsIn = (run: Served, n: number): readonly string[] =>
  (run.server.requests[n]?.body.tools ?? []).map(({ function: { name } }: { function: { name: string } }) => name).sort();

describe("the tools of a sub-agent", () => {
  it.each<[written: string, dialects: string[], expected: string[]]>([
    ["tools: Read, Grep", ["qoder-cn"], ["Grep", "Read"]],
    ["tools: [Read, Grep]", ["gemini", "qoder-cn"], ["grep_search", "read_file"]],
    ["tools: [read_file, search_file_content]", ["qoder-cn", "gemini"], ["Grep", "Read"]],
    ["tools: [Read, Write, Edit]\ndisallowedTools: Write", ["qoder-cn"], ["Edit", "Read"]],
    ["tools: [Read, Agent(Explore)]", ["qoder-cn"], ["Read"]],
  ])("%j with %j are %j", async (written, dialects, expected) => {
    const on = stage();
    define(on, "my project/.qoder/agents/a.md", NAMED + written);
    define(on, "my project/.gemini/agents/a.md", NAMED.replace("scout", "other"));
    const { run, names } = await offered(on, dialects);
    expect(names).toEqual(expected);
    expect(run.told().filter((text) => text.includes("agents/a.md"))).toEqual([]);
  });

  it("may be all, and all but some", async () => {
    const on = stage();
    define(on, "my project/.qoder/agents/a.md", `${NAMED}tools: "*"\ndisallowedTools: [Bash, Web*]`);
    const { run, names } = await offered(on, ["qoder-cn"]);
    expect(names).toEqual(toolsIn(run, 0).filter((name) => !/^(Agent|Bash|Web.*)$/.test(name)));
    expect(names).toContain("Read");
  });

  it("that no product has are told", async () => {
    const on = stage();
    const file = define(on, "my project/.qoder/agents/a.md", `${NAMED}tools: [Read, read, "Bash(git:*)", mcp__docs__search]`);
    const { run, names } = await offered(on, ["qoder-cn"]);
    expect(names).toEqual(["Read"]);
    expect(run.told()).toContain(`${file}: no tool is called "read", "Bash(git:*)". The sub-agent works without it.`);
  });

  it("that only the other product has are told", async () => {
    const on = stage();
    const file = define(on, "my project/.qoder/agents/a.md", `${NAMED}tools: [Read, TaskCreate, TaskList, WebSearch]`);
    const { run, names } = await offered(on, ["gemini", "qoder-cn"]);
    expect(names).toEqual(["read_file"]);
    expect(run.told()).toContain(`${file}: this session has no TaskCreate, TaskList, WebSearch. The sub-agent works without it.`);
  });

  it("of two tools that share an older name are both", async () => {
    const on = stage();
    define(on, "my project/.qoder/agents/a.md", `${NAMED}tools: TodoWrite`);
    expect((await offered(on, ["qoder-cn"])).names).toEqual(["TaskCreate", "TaskUpdate"]);
  });

  it("of a server are named one by one, by server, or all", async () => {
    const config = {
      mcpServers: { docs: { command: process.execPath, args: [new URL("../fixtures/mcp-server.mjs", import.meta.url).pathname] } },
    };
    const listed = async (tools: string) => {
      const on = stage();
      on.hooks([], config, "qoder-cn");
      define(on, "my project/.qoder/agents/a.md", `${NAMED}tools: ${tools}`);
      return (await offered(on, ["qoder-cn"])).names;
    };
    const all = await listed("mcp__docs__*");
    expect(all.length).toBeGreaterThan(1);
    expect(all.every((name) => name.startsWith("mcp__docs__"))).toBe(true);
    expect(await listed("mcp__docs")).toEqual(all);
    expect(await listed(`[Read, ${all[0]}]`)).toEqual(["Read", all[0]]);
    expect(await listed("mcp__other__*")).toEqual([]);
  });
});

describe("the name of a sub-agent", () => {
  it.each(["代码审查", "Code Reviewer", "../../../escaped", "constructor"])("may be %j", async (name) => {
    const on = stage();
    define(on, "my project/.qoder/agents/a.md", `name: "${name}"\ndescription: Looks.`);
    on.hooks([{ on: "SubagentStart", matcher: name.replaceAll(".", "\\.") }, { on: "SubagentStop" }], {}, "qoder-cn");
    const { run } = await offered(on, ["qoder-cn"], name);
    expect(on.seen("SubagentStart")).toMatchObject([{ agent_type: name }]);
    const [stopped] = on.seen("SubagentStop");
    expect(stopped?.["agent_id"]).toMatch(/^[\p{L}\p{N}_-]+-[0-9a-f]{8}$/u);
    const own = run.agent.transcriptPath().replace(/\.jsonl$/, "");
    expect(readdirSync(own)).toEqual([`${String(stopped?.["agent_id"])}.jsonl`]);
    expect(readdirSync(dirname(own))).toHaveLength(2);
  });

  it("that two files have is the first one's, and that is told unless a project stands before its user", async () => {
    const on = stage();
    const first = define(on, "my project/.qoder/agents/a.md", NAMED, "The first.");
    const second = define(on, "my project/.qoder/agents/b.md", NAMED, "The second.");
    define(on, "home/.qoder-cn/agents/c.md", NAMED, "The user's.");
    const other = define(on, "my project/.gemini/agents/d.md", NAMED, "The other product's.");
    const { run } = await offered(on, ["qoder-cn", "gemini"]);
    expect(run.sent(1)).toContain("The first.");
    const taken = (file: string) => `${file}: "scout" is the name of the sub-agent in ${first} already. This sub-agent is not available.`;
    expect(run.told().filter((text) => text.includes("sub-agent"))).toEqual([taken(second), taken(other)]);
  });
});

describe("a definition that cannot be used", () => {
  it.each([
    ["no front matter", "Just text.", "expected front matter between two lines of ---, with name and description"],
    ["bad YAML", "---\nname: [\n---\n", "the front matter is not YAML"],
    ["no name", "---\ndescription: d\n---\n", "name: "],
    ["an empty name", '---\nname: " "\ndescription: d\n---\n', "name: expected a text in one line"],
    ["a name in two lines", '---\nname: "a\\nb"\ndescription: d\n---\n', "name: expected a text in one line"],
    ["a list", "---\n- a\n---\n", "front matter: "],
    ["a limit of none", `---\n${NAMED}maxTurns: 0\n---\n`, "maxTurns: "],
  ])("for %s costs only itself, and is told", async (_, text, problem) => {
    const on = stage();
    const file = on.write("my project/.qoder/agents/bad.md", text);
    define(on, "home/.qoder-cn/agents/good.md", NAMED);
    const { run, names } = await offered(on, ["qoder-cn"]);
    expect(names.length).toBeGreaterThan(0);
    expect(run.told().filter((one) => one.startsWith(`${file}: ${problem}`))).toHaveLength(1);
  });

  it("because its file cannot be read costs only itself; a link is a file", async () => {
    const on = stage();
    const kept = define(on, "elsewhere/scout.md", NAMED);
    mkdirSync(on.path("my project/.qoder/agents"), { recursive: true });
    symlinkSync(kept, on.path("my project/.qoder/agents/scout.md"));
    symlinkSync(on.path("nowhere.md"), on.path("my project/.qoder/agents/gone.md"));
    on.write("home/.qoder-cn/agents", "no folder");
    const { run } = await offered(on, ["qoder-cn"]);
    expect(run.sent(2)).toContain("looked");
    expect(run.told()).toContain(
      `${on.path("my project/.qoder/agents/gone.md")}: it cannot be read (ENOENT). This sub-agent is not available.`,
    );
    expect(run.told()).toContain(
      `${on.path("home/.qoder-cn/agents")}: the folder cannot be read (ENOTDIR). This sub-agent is not available.`,
    );
  });
});

it("what a definition asks for and is not built is told", async () => {
  const on = stage();
  const file = define(on, "my project/.qoder/agents/a.md", `${NAMED}permissionMode: plan\ncolor: cyan\nhooks: {}\nmodel: auto`);
  const { run } = await offered(on, ["qoder-cn"]);
  expect(run.told()).toContain(`${file}: permissionMode, hooks: not available in this version. The sub-agent works without it.`);
  expect(run.sent(2)).toContain("looked");
});

it("that there is no key for a definition's model is what the parent's model reads", async () => {
  const on = stage();
  define(on, "my project/.qoder/agents/a.md", `${NAMED}model: google/gemini-3.5-flash`);
  const run = await served(
    on,
    "openai",
    [{ calls: [{ id: "1", name: "Agent", input: { description: "d", prompt: "go", subagent_type: "scout" } }] }, { text: "ok" }],
    { flags: { dialects: ["qoder-cn"] } },
  );
  expect(await run.ask("go")).toMatchObject({ ended: "answered", answer: "ok" });
  expect(run.sent(1)).toContain("The sub-agent scout ended without an answer: No key for google/gemini-3.5-flash");
});

it("a limit that is used up says where it stands", async () => {
  const on = stage();
  const file = define(on, "my project/.qoder/agents/a.md", `${NAMED}maxTurns: 1`);
  const calls = [{ id: "1", name: "Agent", input: { description: "d", prompt: "go", subagent_type: "scout" } }];
  const run = await served(on, "openai", [{ calls }, { calls: [{ id: "2", name: "Bash", input: { command: "true" } }] }, { text: "ok" }], {
    flags: { dialects: ["qoder-cn"] },
  });
  await run.ask("go");
  expect(run.sent(2)).toContain("The sub-agent scout used up its 1 turn without a final answer.");
  expect(run.sent(2)).toContain(file);
});
