/** Turns the MCP servers of the settings into one set of tools: connected side by side, each for itself, ended together. */
import { proxyFetch } from "../models/index.ts";
import type { Connection, McpTool } from "./connection.ts";
import type { McpProblem, McpServer } from "./server.ts";
import { whyOf } from "./why.ts";

/** `fetch` is for HTTP servers; the default honours the proxy variables of `env`. Neither callback may throw. */
export interface ConnectOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends what is still connecting. Servers that are connected live until `close`. */
  readonly signal: AbortSignal;
  readonly onProblem: (problem: McpProblem) => void;
  /** A server changed its list of tools: `tools` is a new list. */
  readonly onToolsChanged?: (server: string) => void;
  /** For one server from its start to its list of tools. Default: 30 s. */
  readonly startTimeoutMs?: number;
  /** Between closing a server's stdin, SIGTERM and SIGKILL. Default: 500 ms. */
  readonly graceMs?: number;
  readonly fetch?: typeof fetch;
}

/** What became of one server. `tools` is how many it offers now. */
export interface McpServerState {
  readonly name: string;
  readonly state: "connected" | "failed";
  readonly tools: number;
  readonly problem?: McpProblem;
}

export interface McpTools {
  /** In the order of the servers, then of their lists; two servers may have tools of one name. A new list after every change. */
  readonly tools: readonly McpTool[];
  readonly servers: readonly McpServerState[];
  /** What connected servers say about their use. */
  readonly instructions: readonly { readonly server: string; readonly text: string }[];
  /** Ends every server with everything it started. Resolves when nothing is left running. */
  readonly close: () => Promise<void>;
}

/** Never rejects: a server that cannot be connected is a problem, and the others work. Nothing is loaded when there are no servers. */
export async function connectServers(servers: readonly McpServer[], options: ConnectOptions): Promise<McpTools> {
  const { startTimeoutMs = 30_000, graceMs = 500, onToolsChanged, fetch = proxyFetch(options.env) } = options;
  const outcomes =
    servers.length === 0
      ? []
      : await import("./connection.ts").then(({ connect }) =>
          Promise.all(
            servers.map(async (server): Promise<Connection | McpProblem> => {
              try {
                return await connect(server, { ...options, fetch, startTimeoutMs, graceMs, onTools: () => onToolsChanged?.(server.name) });
              } catch (error) {
                const problem = problemOf(server, error);
                options.onProblem(problem);
                return problem;
              }
            }),
          ),
        );
  const connections = outcomes.filter((outcome) => "close" in outcome);
  return {
    get tools() {
      return connections.flatMap((connection) => connection.tools());
    },
    get servers() {
      return outcomes.map(
        (outcome): McpServerState =>
          "close" in outcome
            ? { name: outcome.server.name, state: "connected", tools: outcome.tools().length }
            : { name: outcome.server, state: "failed", tools: 0, problem: outcome },
      );
    },
    instructions: connections.flatMap(({ server, instructions }) => (instructions ? [{ server: server.name, text: instructions }] : [])),
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

function problemOf(server: McpServer, error: unknown): McpProblem {
  const { reach } = server;
  const text = whyOf(error);
  const where = reach.type === "stdio" ? [reach.command, ...reach.args].join(" ") : reach.url;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return {
    server: server.name,
    what: `The MCP server ${server.name} (${where}) could not be connected: ${text}.`,
    now: "Its tools are missing in this session.",
    ...(code === "ENOENT" && { todo: "Check that the command and the folder in its settings exist." }),
  };
}
