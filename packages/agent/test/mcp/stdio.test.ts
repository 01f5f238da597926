/** MCP servers as child processes: their tools, their failures, and their end. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive } from "../alive.ts";
import { call, connected, pidsIn, stdio, stubborn, until, written } from "./fixture.ts";

let folder: string;
let close: (() => Promise<void>) | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-")));
});
afterEach(async () => {
  await close?.();
  close = undefined;
  rmSync(folder, { recursive: true, force: true });
});
const open = async (...args: Parameters<typeof connected>) => {
  const opened = await connected(...args);
  close = opened.mcp.close;
  return opened;
};

describe("the tools of a server", () => {
  it("come with their origin, description and schema", async () => {
    const server = stdio("mcp-server");
    const { mcp, problems } = await open({ fix: { ...server, cwd: folder, env: { KEY: "secret" } } });
    expect(problems).toEqual([]);
    expect(mcp.servers).toEqual([{ name: "fix", state: "connected", tools: 11 }]);
    expect(mcp.instructions).toEqual([{ server: "fix", text: "Use echo first." }]);
    const [echo] = mcp.tools;
    expect(echo).toMatchObject({
      origin: { server: "fix", tool: "echo", connection: { command: server.command, args: server.args, cwd: folder } },
      description: "Says it again",
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    });
    expect(JSON.stringify(echo?.origin)).not.toContain("secret");
  });

  it("give text, media, resources and structured content", async () => {
    const { mcp } = await open({ fix: stdio("mcp-server") });
    expect(await call(mcp, "echo", { text: "hi 👋" })).toEqual({ content: "echo: hi 👋", isError: false, display: "echo: hi 👋" });
    expect(await call(mcp, "picture")).toEqual({
      content: [{ text: "a dot" }, { inlineData: { mimeType: "image/png", data: "QUJDRA==" } }],
      isError: false,
      display: "a dot\n[image/png, 4 bytes]",
    });
    expect((await call(mcp, "everything")).content).toBe(
      "inside\nResource file:///a.bin: application/zip, 4 bytes, not shown\nResource b (the other): file:///b",
    );
    expect((await call(mcp, "structured")).content).toBe('{\n  "sum": 3\n}');
  });

  it("give as much as our own tools do, and say what is left out", async () => {
    const { mcp } = await open({ fix: stdio("mcp-server") });
    const { content } = await call(mcp, "huge");
    const left = 256 * 1024 - 200_000;
    expect(content).toBe(
      [
        "a".repeat(200_000),
        "[image/png, 12.0 MB, not shown: the limit is 10485760 bytes]",
        `${"ü".repeat(left / 2)}\n[cut: of 200000 bytes the first ${left} are shown]`,
        "\n[cut: of 4 bytes the first 0 are shown]",
      ].join("\n"),
    );
  });

  it("fail as results", async () => {
    const { mcp } = await open({ fix: stdio("mcp-server") });
    expect(await call(mcp, "fail")).toEqual({ content: "no such table", isError: true, display: "no such table" });
    expect(await call(mcp, "throw")).toMatchObject({ isError: true, content: "broken inside" });
    expect(await call(mcp, "echo", { text: 7 })).toMatchObject({ isError: true, content: expect.stringContaining("text") });
  });

  it("can be called side by side", async () => {
    const { mcp } = await open({ fix: stdio("mcp-server") });
    const answers = await Promise.all(["a", "b", "c"].map((text) => call(mcp, "echo", { text })));
    expect(answers.map(({ content }) => content)).toEqual(["echo: a", "echo: b", "echo: c"]);
  });

  it("are chosen by includeTools and excludeTools", async () => {
    const { mcp } = await open({ fix: { ...stdio("mcp-server"), includeTools: ["echo", "env", "fail(x)"], excludeTools: ["env"] } });
    expect(mcp.tools.map(({ origin }) => origin.tool)).toEqual(["echo", "fail"]);
  });

  it("are listed anew when the server says so", async () => {
    const changed: string[] = [];
    const { mcp } = await open({ fix: stdio("mcp-server") }, { onToolsChanged: (server) => changed.push(server) });
    const before = mcp.tools;
    await call(mcp, "grow");
    await until("the new list", () => changed.length > 0);
    expect(changed).toEqual(["fix"]);
    expect(before).toHaveLength(11);
    expect(mcp.tools).toHaveLength(12);
    expect((await call(mcp, "grown")).content).toBe("grown up");
  });

  it("of two servers are kept apart, also under one name", async () => {
    const { mcp } = await open({ a: stdio("mcp-server"), b: stdio("mcp-server") });
    expect(mcp.tools.filter(({ origin }) => origin.tool === "echo").map(({ origin }) => origin.server)).toEqual(["a", "b"]);
  });
});

it("a server gets the safe part of the environment, its own, and its folder", async () => {
  const env = { ...process.env, API_KEY: "private", LC_ALL: "C", LANG: "C.UTF-8", HOME: "/home/me" };
  const { mcp } = await open({ fix: { ...stdio("mcp-server"), env: { TOKEN: "given" } } }, { env, cwd: folder });
  const seen = JSON.parse(String((await call(mcp, "env")).content));
  expect(seen).toMatchObject({ TOKEN: "given", LC_ALL: "C", LANG: "C.UTF-8", HOME: "/home/me", PATH: process.env["PATH"], cwd: folder });
  expect(seen).not.toHaveProperty("API_KEY");
});

describe("a call", () => {
  it("ends at once when it is aborted, and the server is told", async () => {
    const file = join(folder, "cancelled");
    const { mcp } = await open({ fix: stdio("mcp-server") });
    const abort = new AbortController();
    const started = performance.now();
    setTimeout(() => abort.abort(), 50);
    expect(await call(mcp, "slow", { file }, abort.signal)).toMatchObject({
      isError: true,
      content: "The tool slow of the MCP server fix was cancelled.",
    });
    expect(performance.now() - started).toBeLessThan(8_000);
    await until("the server's word", () => written(file));
    expect((await call(mcp, "echo", { text: "still here" })).isError).toBe(false);
    expect((await call(mcp, "echo", { text: "x" }, AbortSignal.abort())).content).toBe(
      "The tool echo of the MCP server fix was cancelled.",
    );
  });

  it("ends at the server's time limit", async () => {
    const { mcp } = await open({ fix: { ...stdio("mcp-server"), timeout: 100 } });
    expect(await call(mcp, "slow")).toMatchObject({
      isError: true,
      content: "The tool slow of the MCP server fix gave no answer within 0.1 s.",
    });
  });

  it("that kills the server fails with its last words, and the next one starts it again", async () => {
    const { mcp, problems } = await open({ fix: stdio("mcp-server") });
    const [first, second] = await Promise.all([call(mcp, "crash"), call(mcp, "slow")]);
    expect(first).toMatchObject({
      isError: true,
      content: expect.stringMatching(
        /^The tool crash of the MCP server fix failed: the server ended \(exit code 7; it said: .*out of memory\)\.$/,
      ),
    });
    expect(second.isError).toBe(true);
    expect(problems.map(({ server, what, now }) => [server, what.slice(0, 42), now])).toEqual([
      ["fix", "The MCP server fix ended: exit code 7; it ", "The next call of one of its tools starts it again."],
    ]);
    const again = await Promise.all([call(mcp, "echo", { text: "1" }), call(mcp, "echo", { text: "2" })]);
    expect(again.map(({ content }) => content)).toEqual(["echo: 1", "echo: 2"]);
  });
});

describe("a server that does not start", () => {
  it("is a named problem, and the others work", async () => {
    const { mcp, problems } = await open({
      good: stdio("mcp-server"),
      missing: { command: join(folder, "no-such-program") },
      dying: { command: "sh", args: ["-c", "echo no config >&2; exit 3"] },
      wrong: { args: ["x"] },
    });
    expect(mcp.servers.map(({ name, state }) => `${name} ${state}`)).toEqual(["good connected", "missing failed", "dying failed"]);
    expect((await call(mcp, "echo", { text: "hi" })).content).toBe("echo: hi");
    const said = Object.fromEntries(problems.map(({ server, what }) => [server, what]));
    expect(said["missing"]).toContain("ENOENT");
    expect(said["dying"]).toContain("it ended before it was connected: exit code 3; it said: no config");
    expect(said["wrong"]).toContain("settings.json mcpServers.wrong: expected a command, a url or an httpUrl");
  });

  it("in time is ended with everything it started", async () => {
    const file = join(folder, "pids");
    const started = performance.now();
    const { mcp, problems } = await open(
      { hanging: stubborn(file), silly: { command: "sh", args: ["-c", "while :; do echo '{}'; sleep 0.05; done"] } },
      { startTimeoutMs: 500, graceMs: 100 },
    );
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(mcp.servers.map(({ name, state }) => `${name} ${state}`)).toEqual(["hanging failed", "silly failed"]);
    expect(problems.map(({ what }) => what.includes("it did not answer within 0.5 s"))).toEqual([true, true]);
    for (const pid of pidsIn(file)) await until(`the end of ${pid}`, () => !isAlive(pid), 1_000);
  });

  it("is given up when the session is", async () => {
    const file = join(folder, "pids");
    const abort = new AbortController();
    const opening = open({ hanging: stubborn(file) }, { signal: abort.signal });
    await until("the start", () => written(file));
    abort.abort();
    const { problems } = await opening;
    expect(problems[0]?.what).toContain("cancelled before it was connected");
    for (const pid of pidsIn(file)) await until(`the end of ${pid}`, () => !isAlive(pid), 1_000);
  });
});

describe("closing", () => {
  it("ends every server and what it started", async () => {
    const files = ["a", "b"].map((name) => join(folder, name));
    const { mcp } = await open(Object.fromEntries(files.map((file, i) => [`s${i}`, stdio("mcp-server", file, "child")])));
    const pids = files.flatMap(pidsIn);
    expect(pids.filter(isAlive)).toHaveLength(4);
    await mcp.close();
    expect(pids.filter(isAlive)).toEqual([]);
    expect((await call(mcp, "echo", { text: "x" })).content).toBe(
      "The tool echo of the MCP server s0 was not called: the session has ended.",
    );
  });
  it("may be asked for twice, and with nothing to close", async () => {
    const { mcp } = await open({ fix: stdio("mcp-server") });
    await Promise.all([mcp.close(), mcp.close()]);
    const none = await connected({});
    expect([none.mcp.tools, none.mcp.servers]).toEqual([[], []]);
    await none.mcp.close();
  });
  it("tells no problem", async () => {
    const { mcp, problems } = await open({ fix: stdio("mcp-server") });
    await mcp.close();
    expect(problems).toEqual([]);
  });
});

it("servers do not outlive an agent that just exits", async () => {
  const file = join(folder, "pids");
  const built = join(folder, "server-process.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../../src/mcp/server-process.ts", import.meta.url))],
    outfile: built,
    bundle: true,
    format: "esm",
    platform: "node",
  });
  const agent = `import { existsSync, readFileSync } from "node:fs";
    import { startServer } from ${JSON.stringify(built)};
    await startServer({ ...${JSON.stringify(stubborn(file))}, env: process.env, cwd: "/" });
    setInterval(() => existsSync(${JSON.stringify(file)}) && readFileSync(${JSON.stringify(file)}, "utf8") && process.exit(4), 10);`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", agent], { timeout: 10_000 });
  expect(run.status).toBe(4);
  for (const pid of pidsIn(file)) await until(`the end of ${pid}`, () => !isAlive(pid), 1_000);
});
