/** Turns a server's process into the transport that the MCP client speaks through: one JSON-RPC message a line. */
import { serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { messageLines } from "./message-lines.ts";
import { type ServerCommand, type ServerProcess, startServer } from "./server-process.ts";

export interface StdioTransport extends Transport {
  /** How the process ended, once it has, and what it said. */
  readonly ending: () => string | undefined;
  /** `; it said: ...`, of stderr and of stdout; `""` when it said nothing but messages. */
  readonly said: () => string;
}

/**
 * The SDK's own stdio transport starts the server in our process group and ends only the server: this one owns a group.
 * Lines that are no messages are skipped; without end, they and a line above 64 MiB end the server. `ending` says so.
 */
export function stdioTransport(command: ServerCommand, graceMs: number): StdioTransport {
  let server: ServerProcess | undefined;
  let flood: string | undefined;
  const lines = messageLines();
  const said = (): string => {
    const [stderr, noise] = [server?.said() ?? "", lines.noise()];
    return `${stderr === "" ? "" : `; it said: ${stderr}`}${noise === undefined ? "" : `; on stdout it said: ${noise}`}`;
  };
  const transport: StdioTransport = {
    said,
    ending: () => {
      const how = flood ?? server?.ending();
      return how === undefined ? undefined : `${how}${said()}`;
    },
    start: async () => {
      server = await startServer(command);
      server.child.stdout?.on("data", (chunk: Buffer) => receive(chunk));
      server.ended.then(
        () => transport.onclose?.(),
        () => undefined,
      );
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        const stdin = server?.child.stdin;
        if (!stdin?.writable) return reject(new Error("The server is not running."));
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => server?.end(graceMs),
  };
  function receive(chunk: Buffer): void {
    if (flood !== undefined) return;
    const read = lines.read(chunk);
    for (const message of read.messages) transport.onmessage?.(message);
    if (read.flood === undefined) return;
    flood = read.flood;
    void server?.end(0);
  }
  return transport;
}
