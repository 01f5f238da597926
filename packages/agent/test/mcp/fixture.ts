/** Real MCP servers for these tests, and what is left of them afterwards. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Json } from "@carabiner/engine";
import { type ConnectOptions, connectServers, type McpProblem, type McpTools, readServers } from "../../src/mcp/index.ts";

export const script = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url));
export const stdio = (name: string, ...args: string[]) => ({ command: process.execPath, args: [script(name), ...args] });

/** Never answers, ignores SIGTERM and the end of its input; writes its id and its child's to the file. */
export const stubborn = (file: string) => ({
  command: "sh",
  args: ["-c", 'trap "" TERM; sleep 60 & echo "$$ $!" > "$0"; while :; do sleep 1; done', file],
});

export interface Connected {
  readonly mcp: McpTools;
  readonly problems: McpProblem[];
}

/** Reads and connects `mcpServers` as they stand in settings. */
export async function connected(mcpServers: Json, options: Partial<ConnectOptions> = {}): Promise<Connected> {
  const { servers, problems: wrong } = readServers(mcpServers, "settings.json");
  const problems = [...wrong];
  const mcp = await connectServers(servers, {
    cwd: process.cwd(),
    env: process.env,
    signal: new AbortController().signal,
    onProblem: (problem) => problems.push(problem),
    startTimeoutMs: 10_000,
    graceMs: 200,
    ...options,
  });
  return { mcp, problems };
}

export const call = (mcp: McpTools, tool: string, input = {}, signal = new AbortController().signal) => {
  const found = mcp.tools.find(({ origin }) => origin.tool === tool);
  if (!found) throw new Error(`no tool ${tool} among ${mcp.tools.map(({ origin }) => origin.tool).join(", ")}`);
  return found.call(input, signal);
};

/** A server over HTTP as a process of its own. */
export async function served(name: string, ...args: string[]): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [script(name), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data", { signal: AbortSignal.timeout(10_000) });
  return { url: String(line).trim(), child };
}

export async function until(what: string, isSo: () => boolean, withinMs = 5_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(10);
  }
}

/** The ids that a fixture wrote to a file. */
export const pidsIn = (file: string): number[] =>
  readFileSync(file, "utf8")
    .split(" ")
    .filter((id) => id !== "")
    .map(Number);
export const written = (file: string): boolean => existsSync(file) && readFileSync(file, "utf8") !== "";
