/** Turns a server of the settings into one live connection, whichever transport and protocol version it speaks. */
import {
  Client,
  ProtocolError,
  SdkError,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import type { McpServer } from "./server.ts";
import { stdioEnv } from "./stdio-env.ts";
import { type StdioTransport, stdioTransport } from "./stdio-transport.ts";

/** What connecting needs to know of the world. */
export interface LinkOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  /** For the start, the handshake and the first list of tools together. */
  readonly startTimeoutMs: number;
  readonly graceMs: number;
  readonly signal: AbortSignal;
  readonly onTools: (tools: readonly Tool[]) => void;
  /** The connection ended though nobody closed it. */
  readonly onLost: (how: string) => void;
}

export interface Link {
  readonly client: Client;
  readonly tools: readonly Tool[];
  readonly isLost: () => boolean;
  /** How the server's process ended, once it has. */
  readonly ending: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** One way to try. The next is tried when `next` says that the failure speaks for it. */
interface Attempt {
  readonly transport: () => Transport | StdioTransport;
  readonly mode: "legacy" | "auto";
  readonly next: (error: unknown) => boolean;
}

/** Rejects with an Error whose message says what went wrong; nothing is left running then. */
export async function openLink(server: McpServer, options: LinkOptions): Promise<Link> {
  const patience = AbortSignal.timeout(options.startTimeoutMs);
  const signal = AbortSignal.any([options.signal, patience]);
  const heard = { said: "" };
  let failure: unknown;
  for (const attempt of attempts(server, options)) {
    if (failure !== undefined && signal.aborted) break;
    try {
      return await tryOnce(attempt, options, signal, heard);
    } catch (error) {
      failure = error;
      if (!attempt.next(error)) break;
    }
  }
  if (options.signal.aborted) throw new Error("cancelled before it was connected");
  if (patience.aborted) throw new Error(`it did not answer within ${options.startTimeoutMs / 1000} s${heard.said}`, { cause: failure });
  throw failure instanceof Error ? failure : new Error(String(failure));
}

/** What the server said by the time it failed is left in `heard`. */
async function tryOnce(
  { transport: build, mode }: Attempt,
  options: LinkOptions,
  signal: AbortSignal,
  heard: { said: string },
): Promise<Link> {
  const transport = build();
  const ending = (): string | undefined => ("ending" in transport ? transport.ending() : undefined);
  let isOpen = false;
  let isClosing = false;
  const client = new Client(
    { name: "carabiner", version: "0.1.0" },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { debounceMs: 20, onChanged: (_, tools) => tools && isOpen && options.onTools(tools) } },
    },
  );
  const close = async (): Promise<void> => {
    isClosing = true;
    // The client closes its transport only after a handshake.
    await Promise.allSettled([client.close(), transport.close()]);
  };
  client.onclose = () => {
    if (isOpen && !isClosing) options.onLost(ending() ?? "the connection was closed");
    isOpen = false;
  };
  try {
    const bounds = { signal, timeout: options.startTimeoutMs };
    // A server that neither answers nor reads holds the SDK's promise: the signal must win by itself.
    await orAbort(client.connect(transport, bounds), signal);
    const { tools } = await orAbort(client.listTools(undefined, bounds), signal);
    isOpen = true;
    return { client, tools, isLost: () => !isOpen, ending, close };
  } catch (error) {
    await close();
    if ("said" in transport) heard.said = transport.said();
    const how = ending();
    if (how === undefined || signal.aborted || error instanceof ProtocolError) throw error;
    throw new Error(`it ended before it was connected: ${how}`, { cause: error });
  }
}

function attempts({ reach, name }: McpServer, options: LinkOptions): readonly Attempt[] {
  const never = () => false;
  if (reach.type === "stdio") {
    const command = { command: reach.command, args: reach.args, env: stdioEnv(options.env, reach.env), cwd: reach.cwd ?? options.cwd };
    const transport = () => stdioTransport(command, options.graceMs);
    // Servers of today want `initialize` first and may die of anything else; one that refuses it may speak the next version.
    return [
      { transport, mode: "legacy", next: (error) => error instanceof ProtocolError },
      { transport, mode: "auto", next: never },
    ];
  }
  const url = new URL(reach.url);
  const settings = {
    requestInit: { headers: { ...reach.headers, "user-agent": `carabiner (${name.replace(/[^\x20-\x7e]/g, "?")})` } },
    fetch: options.fetch,
  };
  const streamable: Attempt = { transport: () => new StreamableHTTPClientTransport(url, settings), mode: "auto", next: isOtherTransport };
  const sse: Attempt = {
    transport: () => new SSEClientTransport(url, settings),
    mode: "legacy",
    next: (error) => error instanceof SseError,
  };
  return { streamable: [streamable], sse: [sse, streamable], either: [streamable, sse] }[reach.style];
}

/** An answer such as 404 or 405 to a POST is what a server of the older transport gives. A refusal (401, 403) is one in any transport. */
const isOtherTransport = (error: unknown): boolean =>
  error instanceof SdkHttpError
    ? error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 403
    : error instanceof SdkError && error.cause instanceof SdkHttpError && isOtherTransport(error.cause);

async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
