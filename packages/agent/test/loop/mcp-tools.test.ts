// Tools of MCP servers through the loop: their names in hooks, what hooks know of the server, rules, and results.
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Reply } from "../servers/model-server.ts";
import { says, served, stage } from "./stage.ts";

const script = fileURLToPath(new URL("../fixtures/mcp-server.mjs", import.meta.url));
const server = { command: process.execPath, args: [script] };

describe("a tool of an MCP server", () => {
  it("is matched by its name, shown with its server, and gives its result to the model", async () => {
    const on = stage();
    on.hooks(
      [
        { on: "BeforeTool", matcher: "mcp_fix_.*" },
        { on: "AfterTool", does: says({ hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "heard" } }) },
      ],
      {
        mcpServers: { fix: server },
      },
    );
    const run = await served(on, "gemini", [{ calls: [{ name: "mcp_fix_echo", input: { text: "hi" } }] }, { text: "ok" }]);
    await run.ask("go");
    expect(run.sent(0)).toContain('"mcp_fix_echo"');
    expect(on.seen("BeforeTool")).toMatchObject([
      {
        tool_name: "mcp_fix_echo",
        tool_input: { text: "hi" },
        mcp_context: { server_name: "fix", tool_name: "echo", command: process.execPath, args: [script] },
      },
    ]);
    expect(Object.keys(on.seen("BeforeTool")[0] ?? {}).slice(-3)).toEqual(["tool_name", "tool_input", "mcp_context"]);
    expect(Object.keys(on.seen("AfterTool")[0] ?? {}).slice(-4)).toEqual(["tool_name", "tool_input", "tool_response", "mcp_context"]);
    expect(run.sent(1)).toContain("echo: hi");
    expect(run.sent(1)).toContain("<hook_context>heard</hook_context>");
  });

  it("is asked about by default, and not when the user trusts its server; servers of all layers count", async () => {
    const on = stage();
    on.hooks([], { mcpServers: { mine: { ...server, trust: true } } });
    on.write("my project/.gemini/settings.json", JSON.stringify({ mcpServers: { theirs: { ...server, trust: true } } }));
    const run = await served(
      on,
      "gemini",
      [{ calls: ["mine", "theirs"].map((name) => ({ name: `mcp_${name}_echo`, input: { text: name } })) }, { text: "ok" }],
      { flags: { mode: "default" } },
    );
    await run.ask("go");
    expect(run.sent(1)).toContain("echo: mine");
    expect(run.sent(1)).not.toContain("echo: theirs");
    expect(run.sent(1)).toContain("confirmation");
  });

  it("is of no server that the settings exclude, or leave out of those allowed, which is not even started", async () => {
    const on = stage();
    const noting = (name: string) => ({
      command: "sh",
      args: ["-c", `echo ${name} >> '${on.path("started")}'; exec '${process.execPath}' '${script}'`],
    });
    on.hooks([], {
      mcpServers: { a: noting("a"), b: noting("b"), c: noting("c") },
      mcp: { allowed: ["a", "b"], excluded: ["b"] },
    });
    const run = await served(on, "gemini", [{ text: "ok" }]);
    await run.ask("go");
    expect(run.sent(0)).toContain('"mcp_a_echo"');
    expect(run.sent(0)).not.toMatch(/"mcp_[bc]_/);
    expect(on.read("started")).toBe("a\n");
  });

  it("of a server that a project redefines is not trusted for the user's sake", async () => {
    const on = stage();
    on.hooks([], { mcpServers: { fix: { ...server, trust: true } } });
    on.write("my project/.gemini/settings.json", JSON.stringify({ mcpServers: { fix: { ...server, trust: true } } }));
    const run = await served(on, "gemini", [{ calls: [{ name: "mcp_fix_echo", input: { text: "hi" } }] }, { text: "ok" }], {
      flags: { mode: "default" },
    });
    await run.ask("go");
    expect(run.sent(1)).not.toContain("echo: hi");
  });

  it("has the other product's name for its hooks, and both products' hooks guard it", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeTool", matcher: "^mcp_fix_echo$" }], { mcpServers: { fix: server } });
    on.hooks([{ on: "PreToolUse", matcher: "mcp__fix__echo", does: 'echo "not this" >&2; exit 2' }], {}, "qoder-cn");
    const run = await served(on, "gemini", [{ calls: [{ name: "mcp_fix_echo", input: { text: "hi" } }] }, { text: "ok" }], {
      flags: { dialects: ["gemini", "qoder-cn"] },
    });
    await run.ask("go");
    expect(on.seen("BeforeTool")).toMatchObject([{ tool_name: "mcp_fix_echo" }]);
    expect(on.seen("PreToolUse")).toMatchObject([{ tool_name: "mcp__fix__echo" }]);
    expect(run.sent(1)).toContain("not this");
  });

  it("that its server adds in the middle of a turn is offered with the next request, and can be called", async () => {
    const on = stage();
    on.hooks([], { mcpServers: { fix: server } });
    const replies: Reply[] = [];
    // Looks again and again until the tool is offered: how soon the list comes is the server's affair.
    replies.shift = () => {
      const asked = run.sent(run.server.requests.length - 1);
      if (run.server.requests.length === 1) return { calls: [{ name: "mcp_fix_grow", input: {} }] };
      if (asked.includes("grown up")) return { text: "ok" };
      if (asked.includes('"mcp_fix_grown"')) return { calls: [{ name: "mcp_fix_grown", input: {} }] };
      return { calls: [{ name: "run_shell_command", input: { command: "sleep 0.1" } }] };
    };
    const run = await served(on, "gemini", replies, { flags: { maxTurns: 200 } });
    expect(await run.ask("go")).toMatchObject({ answer: "ok" });
    expect(run.sent(0)).not.toContain("mcp_fix_grown");
    expect(run.sent(run.server.requests.length - 1)).toContain("grown up");
  });
});
