/** Turns a server into its tools for as long as the session lasts: keeps the connection, its list of tools, and starts it again when it is lost. */
import type { JsonObject, McpOrigin } from "@carabiner/engine";
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, type Tool } from "@modelcontextprotocol/client";
import { type Link, type LinkOptions, openLink } from "./link.ts";
import { failedResult, type McpResult, resultOf } from "./result.ts";
import type { McpProblem, McpServer } from "./server.ts";
import { whyOf } from "./why.ts";

/** One tool of one server. Its name for the model is built from `origin`, by the words of whoever presents it. */
export interface McpTool {
  readonly origin: McpOrigin;
  readonly description: string;
  /** A JSON Schema of an object, as the server gave it. */
  readonly inputSchema: JsonObject;
  /** Contract: never rejects. A lost server is started again first; a failure, the time limit and an abort are results with `isError`. */
  readonly call: (input: JsonObject, signal: AbortSignal) => Promise<McpResult>;
}

export interface Connection {
  readonly server: McpServer;
  /** The newest list. */
  readonly tools: () => readonly McpTool[];
  /** What the server says about its use, if anything. */
  readonly instructions: string | undefined;
  readonly close: () => Promise<void>;
}

export interface ConnectionOptions extends Omit<LinkOptions, "onTools" | "onLost"> {
  readonly onProblem: (problem: McpProblem) => void;
  /** The server changed its list of tools. */
  readonly onTools: () => void;
}

const CALL_TIMEOUT_MS = 600_000;

/** Rejects with an Error that says why when the server cannot be connected. */
export async function connect(server: McpServer, options: ConnectionOptions): Promise<Connection> {
  const ended = new AbortController();
  let tools: readonly McpTool[] = [];
  const open = (signal: AbortSignal): Promise<Link> =>
    openLink(server, {
      ...options,
      signal,
      onTools: (list) => {
        tools = toolsOf(list);
        options.onTools();
      },
      onLost: (how) =>
        options.onProblem({
          server: server.name,
          what: `The MCP server ${server.name} ended: ${how}.`,
          now: "The next call of one of its tools starts it again.",
        }),
    });
  let link: Link | undefined = await open(options.signal);
  let opening: Promise<Link> | undefined;

  /** Calls that find the server lost share one start. */
  async function alive(): Promise<Link> {
    if (link && !link.isLost()) return link;
    const lost = link;
    link = undefined;
    opening ??= (async () => {
      await lost?.close();
      const fresh = await open(ended.signal);
      tools = toolsOf(fresh.tools);
      link = fresh;
      return fresh;
    })().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function call(tool: string, input: JsonObject, signal: AbortSignal): Promise<McpResult> {
    const what = `The tool ${tool} of the MCP server ${server.name}`;
    if (ended.signal.aborted) return failedResult(`${what} was not called: the session has ended.`);
    if (signal.aborted) return failedResult(`${what} was cancelled.`);
    let used: Link;
    try {
      used = await alive();
    } catch (error) {
      return failedResult(`${what} was not called: the server could not be started again, ${messageOf(error)}.`);
    }
    const timeoutMs = server.timeoutMs ?? CALL_TIMEOUT_MS;
    try {
      // Without a listener for progress the SDK asks for none, and progress could not prolong the wait.
      const bounds = { signal, timeout: timeoutMs, resetTimeoutOnProgress: true, onprogress: () => undefined };
      return resultOf(await used.client.callTool({ name: tool, arguments: { ...input } }, bounds));
    } catch (error) {
      if (signal.aborted) return failedResult(`${what} was cancelled.`);
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
        return failedResult(`${what} gave no answer within ${timeoutMs / 1000} s.`);
      // 404: the server has forgotten the session; the next call begins a new one.
      if (error instanceof SdkHttpError && error.status === 404 && link === used) await dropped(used);
      const how = used.ending();
      if (how !== undefined) return failedResult(`${what} failed: the server ended (${how}).`);
      return failedResult(`${what} failed: ${messageOf(error)}.`);
    }
  }

  async function dropped(lost: Link): Promise<void> {
    link = undefined;
    await lost.close();
  }

  const toolsOf = (list: readonly Tool[]): readonly McpTool[] =>
    list
      .filter(({ name }) => isWanted(server, name))
      .map(({ name, description, title, inputSchema }) => ({
        origin: { server: server.name, tool: name, connection: server.connection },
        description: description ?? title ?? "",
        inputSchema: isObject(inputSchema) ? inputSchema : { type: "object" },
        call: (input, signal) => call(name, input, signal),
      }));
  tools = toolsOf(link.tools);

  return {
    server,
    tools: () => tools,
    instructions: link.client.getInstructions(),
    close: async () => {
      ended.abort();
      const last = await (opening ?? Promise.resolve(link)).catch(() => undefined);
      await (last ?? link)?.close();
      link = undefined;
    },
  };
}

/** `excludeTools` wins. An entry may carry arguments in brackets, as Gemini CLI allows; the name before them counts. */
function isWanted({ includeTools, excludeTools }: McpServer, tool: string): boolean {
  const names = (list: readonly string[]): boolean => list.some((entry) => entry.replace(/\(.*$/s, "").trim() === tool);
  return !names(excludeTools) && (includeTools === undefined || names(includeTools));
}

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

const messageOf = (error: unknown): string => {
  const text = whyOf(error);
  return error instanceof ProtocolError ? text.replace(/^MCP error -?\d+: /, "") : text;
};
