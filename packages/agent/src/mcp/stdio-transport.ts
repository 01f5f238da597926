/** Turns a server's process into the transport that the MCP client speaks through: one JSON-RPC message a line. */
import { ReadBuffer, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { type ServerCommand, type ServerProcess, startServer } from "./server-process.ts";

/** Images come as base64 in one line. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface StdioTransport extends Transport {
  /** How the process ended, once it has. */
  readonly ending: () => string | undefined;
}

/**
 * The SDK's own stdio transport starts the server in our process group and ends only the server: this one owns a group.
 * Lines that are no JSON are skipped, as the SDK does; a line above 64 MiB ends the connection.
 */
export function stdioTransport(command: ServerCommand, graceMs: number): StdioTransport {
  let server: ServerProcess | undefined;
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
  const transport: StdioTransport = {
    ending: () => server?.ending(),
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
    close: async () => {
      await server?.end(graceMs);
      buffer.clear();
    },
  };
  function receive(chunk: Buffer): void {
    try {
      buffer.append(chunk);
    } catch (error) {
      transport.onerror?.(asError(error));
      void server?.end(0);
      return;
    }
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        transport.onmessage?.(message);
      } catch (error) {
        // JSON, but no JSON-RPC: the line is consumed already.
        transport.onerror?.(asError(error));
      }
    }
  }
  return transport;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
