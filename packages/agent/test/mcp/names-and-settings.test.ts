/** The pure parts: names for models, servers from settings, the environment of a server. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelName, modelNames, readServers } from "../../src/mcp/index.ts";
import { stdioEnv } from "../../src/mcp/stdio-env.ts";

const none: ReadonlySet<string> = new Set();

describe("a name for the model", () => {
  it.each([
    ["mcp_git_push", "mcp_git_push"],
    ["mcp__my server__do.it/now", "mcp__my_server__do_it_now"],
    ["9lives", "_9lives"],
    ["", "_"],
    ["mcp_数据_查询", "mcp______"],
  ])("%j becomes %j", (name, expected) => {
    expect(modelName(name, none)).toBe(expected);
  });
  it("is cut to 63 characters with its own hash, so that long names stay apart", () => {
    const [a, b] = ["a", "b"].map((end) => modelName(`mcp_${"x".repeat(80)}${end}`, none));
    expect(a).toHaveLength(63);
    expect(a).not.toBe(b);
  });
  it("is valid and never taken, whatever the name", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ maxLength: 100 }), fc.constantFrom("a b", "a.b", "a_b")), { maxLength: 20 }), (names) => {
        const used = new Set<string>();
        for (const name of names) {
          const made = modelName(name, used);
          expect(made).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/);
          expect(used.has(made)).toBe(false);
          used.add(made);
        }
      }),
    );
  });
  it("leads back to its tool, and leaves the agent's own names alone", () => {
    const tools = [
      { origin: { server: "a_b", tool: "c" } },
      { origin: { server: "a", tool: "b_c" } },
      { origin: { server: "x", tool: "y" } },
    ];
    const names = modelNames(tools, (server, tool) => (server === "x" ? "read_file" : `mcp_${server}_${tool}`), new Set(["read_file"]));
    expect([...names.values()]).toEqual(tools);
    expect([...names.keys()]).toEqual([
      "mcp_a_b_c",
      expect.stringMatching(/^mcp_a_b_c_[0-9a-f]{6}$/),
      expect.stringMatching(/^read_file_[0-9a-f]{6}$/),
    ]);
  });
});

describe("servers in settings", () => {
  it("are read with what hooks may know of them", () => {
    const { servers, problems } = readServers(
      {
        local: { command: "node", args: ["s.js"], env: { K: "v" }, cwd: "/w", timeout: 5_000, trust: true, includeTools: ["a"] },
        web: { httpUrl: "https://a.example/mcp", url: "https://b.example", command: "x", headers: { Authorization: "t" } },
        old: { url: "http://c.example/sse" },
      },
      "settings.json",
    );
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      {
        name: "local",
        reach: { type: "stdio", command: "node", args: ["s.js"], env: { K: "v" }, cwd: "/w" },
        connection: { command: "node", args: ["s.js"], cwd: "/w" },
        timeoutMs: 5_000,
        includeTools: ["a"],
        excludeTools: [],
      },
      {
        name: "web",
        reach: { type: "http", url: "https://a.example/mcp", headers: { Authorization: "t" }, style: "streamable" },
        connection: { command: "x", url: "https://a.example/mcp" },
        excludeTools: [],
      },
      {
        name: "old",
        reach: { type: "http", url: "http://c.example/sse", headers: {}, style: "either" },
        connection: { url: "http://c.example/sse" },
        excludeTools: [],
      },
    ]);
  });
  it("that are none are problems with their place, and the others count", () => {
    const { servers, problems } = readServers(
      JSON.parse(
        '{"a": 7, "b": {"command": "x", "args": [1]}, "c": {"tcp": "h:1"}, "d": {"command": " "}, "e": {"command": "x", "timeout": -1}, "__proto__": {"command": "y"}, "ok": {"command": "x"}}',
      ),
      "s.json",
    );
    expect(servers.map(({ name }) => name)).toEqual(["__proto__", "ok"]);
    expect(problems.map(({ server, what }) => `${server}: ${what.split(": ")[0]}`)).toEqual([
      "a: s.json mcpServers.a",
      "b: s.json mcpServers.b.args.0",
      "c: s.json mcpServers.c",
      "d: s.json mcpServers.d",
      "e: s.json mcpServers.e.timeout",
    ]);
    expect(readServers([], "s.json").problems).toHaveLength(1);
    expect(readServers(undefined, "s.json")).toEqual({ servers: [], problems: [] });
  });
});

describe("the environment of a server", () => {
  it("has what programs need, and the server's own on top", () => {
    expect(
      stdioEnv(
        { PATH: "/bin", HOME: "/h", LC_CTYPE: "C", GEMINI_API_KEY: "k", SHELL: "() { :; }", TERM: undefined },
        { HOME: "/other", K: "v" },
        "linux",
      ),
    ).toEqual({ PATH: "/bin", HOME: "/other", LC_CTYPE: "C", K: "v" });
  });
  it("on Windows does not look at capitals", () => {
    expect(stdioEnv({ Path: "C:\\", SystemRoot: "C:\\Windows", HOME: "x", Secret: "s" }, {}, "win32")).toEqual({
      Path: "C:\\",
      SystemRoot: "C:\\Windows",
    });
  });
});
