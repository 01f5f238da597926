/** MCP servers over HTTP: both transports, both protocol generations, and their failures. */
import type { ChildProcess } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { call, connected, served } from "./fixture.ts";

const children: ChildProcess[] = [];
let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
const start = async (...args: Parameters<typeof served>) => {
  const { url, child } = await served(...args);
  children.push(child);
  return url;
};
const open = async (...args: Parameters<typeof connected>) => {
  const opened = await connected(...args);
  close = opened.mcp.close;
  return opened;
};
const headers = { "X-Key": "secret" };

describe.each(["modern", "legacy"])("a server of the %s protocol over streamable HTTP", (generation) => {
  it("gives its tools, with the address as origin and without the headers", async () => {
    const url = await start("mcp-http", generation);
    const { mcp, problems } = await open({ sums: { httpUrl: url, headers } });
    expect(problems).toEqual([]);
    expect(mcp.tools[0]?.origin).toEqual({ server: "sums", tool: "add", connection: { url } });
    expect(await call(mcp, "add", { a: 1, b: 2 })).toEqual({ content: "3", isError: false, display: "3" });
  });
  it("is cancelled in the middle of a call", async () => {
    const { mcp } = await open({ sums: { httpUrl: await start("mcp-http", generation), headers } });
    expect(await call(mcp, "slow", {}, AbortSignal.timeout(100))).toMatchObject({
      isError: true,
      content: "The tool slow of the MCP server sums was cancelled.",
    });
  });
});

it("a plain url finds out which transport the server speaks", async () => {
  const { mcp, problems } = await open({ old: { url: await start("mcp-sse") }, current: { url: await start("mcp-http"), headers } });
  expect(problems).toEqual([]);
  expect((await call(mcp, "hello")).content).toBe("hello over SSE");
  expect((await call(mcp, "add", { a: 2, b: 2 })).content).toBe("4");
});

it("a server that is told to be of the older transport is asked that way", async () => {
  const { mcp } = await open({ old: { url: await start("mcp-sse"), type: "sse" } });
  expect((await call(mcp, "hello")).content).toBe("hello over SSE");
});

it("a session that the server forgot is begun again by the next call", async () => {
  const url = await start("mcp-http", "legacy");
  const { mcp } = await open({ sums: { httpUrl: url, headers } });
  await fetch(new URL("/forget", url));
  expect((await call(mcp, "add", { a: 1, b: 1 })).isError).toBe(true);
  expect((await call(mcp, "add", { a: 1, b: 1 })).content).toBe("2");
});

describe("a server that cannot be reached", () => {
  it("is a problem that says why", async () => {
    const url = await start("mcp-http");
    const { mcp, problems } = await open({
      locked: { url, headers: { "x-key": "wrong" } },
      gone: { httpUrl: "http://127.0.0.1:9/mcp" },
      odd: { url: "ftp://x" },
    });
    expect(mcp.tools).toEqual([]);
    const said = Object.fromEntries(problems.map(({ server, what }) => [server, what]));
    expect(said["locked"]).toContain("401");
    expect(said["gone"]).toMatch(/^The MCP server gone \(http:\/\/127\.0\.0\.1:9\/mcp\) could not be connected: (?!.*fetch failed)/);
    expect(said["odd"]).toContain("expected an address that begins with http:// or https://");
  });
  it("and goes away later makes its calls fail, in words", async () => {
    const url = await start("mcp-http");
    const { mcp } = await open({ sums: { httpUrl: url, headers } });
    const [child] = children;
    child?.kill("SIGKILL");
    expect(await call(mcp, "add", { a: 1, b: 1 })).toMatchObject({
      isError: true,
      content: expect.stringMatching(/^The tool add of the MCP server sums failed: (?!fetch failed)/),
    });
  });
});
