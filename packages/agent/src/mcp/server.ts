/** Turns the `mcpServers` of a settings file into servers to connect to, and into problems for what in it is none. */
import type { Json, JsonObject } from "@carabiner/engine";
import * as z from "zod";

/** How a server is reached. `http.style` is the product's hint which of the two HTTP transports the address speaks. */
export type McpReach =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly type: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly style: "streamable" | "sse" | "either";
    };

/** One server of the settings. */
export interface McpServer {
  readonly name: string;
  readonly reach: McpReach;
  /** What hooks may know of it: of command, args, cwd, url, tcp those that exist. Source: gemini-observed 5.1. */
  readonly connection: JsonObject;
  /** For one call, in milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number;
  /** Only these tools, if given. */
  readonly includeTools?: readonly string[];
  /** Never these. */
  readonly excludeTools: readonly string[];
}

/** What is wrong with one server. The others work. */
export interface McpProblem {
  readonly server: string;
  readonly what: string;
  readonly now: string;
  readonly todo?: string;
}

const texts = z.record(z.string(), z.string());
const schema = z.object({
  command: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  env: z.optional(texts),
  cwd: z.optional(z.string()),
  url: z.optional(z.string()),
  httpUrl: z.optional(z.string()),
  type: z.optional(z.string()),
  tcp: z.optional(z.string()),
  headers: z.optional(texts),
  timeout: z.optional(z.number().check(z.positive())),
  includeTools: z.optional(z.array(z.string())),
  excludeTools: z.optional(z.array(z.string())),
});

export interface ReadServers {
  readonly servers: readonly McpServer[];
  readonly problems: readonly McpProblem[];
}

/**
 * `mcpServers` as it stands in the settings, `$NAME` expanded already; `file` is for the messages. A bad server costs only itself.
 * Of several ways to reach a server `httpUrl` counts, then `url`, then `command`. Source: Gemini CLI MCP page, transport precedence.
 */
export function readServers(mcpServers: Json | undefined, file: string): ReadServers {
  if (mcpServers === undefined) return { servers: [], problems: [] };
  const bad = (server: string, what: string, todo?: string): McpProblem => ({
    server,
    what,
    now: "This server is not started.",
    ...(todo !== undefined && { todo }),
  });
  if (!isObject(mcpServers))
    return {
      servers: [],
      problems: [bad("mcpServers", `${file} mcpServers: expected an object of servers, found ${JSON.stringify(mcpServers)}.`)],
    };
  const servers: McpServer[] = [];
  const problems: McpProblem[] = [];
  for (const [name, value] of Object.entries(mcpServers)) {
    const where = `${file} mcpServers.${name}`;
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      problems.push(bad(name, `${[where, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "not a server"}.`));
      continue;
    }
    const reach = reachOf(parsed.data);
    if (typeof reach === "string") {
      problems.push(bad(name, `${where}: ${reach}.`, "Give it a command, or the url of a server that speaks MCP over HTTP."));
      continue;
    }
    const { timeout, includeTools, excludeTools } = parsed.data;
    servers.push({
      name,
      reach,
      connection: connectionOf(parsed.data),
      ...(timeout !== undefined && { timeoutMs: timeout }),
      ...(includeTools && { includeTools }),
      excludeTools: excludeTools ?? [],
    });
  }
  return { servers, problems };
}

type Settings = z.infer<typeof schema>;

function reachOf(settings: Settings): McpReach | string {
  const address = settings.httpUrl ?? settings.url;
  if (address !== undefined) {
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
      return `expected an address that begins with http:// or https://, found ${JSON.stringify(address)}`;
    const style =
      settings.httpUrl !== undefined || settings.type === "http" || settings.type === "streamable-http"
        ? "streamable"
        : settings.type === "sse"
          ? "sse"
          : "either";
    return { type: "http", url: address, headers: settings.headers ?? {}, style };
  }
  if (settings.command !== undefined && settings.command.trim() !== "") {
    const { command, args = [], env = {}, cwd } = settings;
    return { type: "stdio", command, args, env, ...(cwd !== undefined && { cwd }) };
  }
  return settings.tcp === undefined ? "expected a command, a url or an httpUrl, found none of them" : "servers over tcp are not supported";
}

function connectionOf({ command, args, cwd, url, httpUrl, tcp }: Settings): JsonObject {
  const address = httpUrl ?? url;
  return {
    ...(command !== undefined && { command }),
    ...(args && { args }),
    ...(cwd !== undefined && { cwd }),
    ...(address !== undefined && { url: address }),
    ...(tcp !== undefined && { tcp }),
  };
}

const isObject = (value: Json): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);
