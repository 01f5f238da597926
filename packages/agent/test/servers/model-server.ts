/** Turns a queue of neutral replies into a model service on loopback that speaks a provider's own streaming format. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropicWire } from "./anthropic-wire.ts";
import { geminiWire } from "./gemini-wire.ts";
import { openaiWire } from "./openai-wire.ts";
import type { Answer, Reply, SeenRequest, Wire } from "./reply.ts";

export type WireFormat = "gemini" | "openai" | "anthropic";
export type { Answer, Refusal, Reply, SeenRequest } from "./reply.ts";

const wires: Readonly<Record<WireFormat, Wire>> = { gemini: geminiWire, openai: openaiWire, anthropic: anthropicWire };

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** Every request so far, refused ones included. */
  readonly requests: readonly SeenRequest[];
  /** Ends the server and every connection to it. */
  readonly close: () => Promise<void>;
}

/**
 * Replies are taken from the array one a request, so a test may push more while it runs. A request the real service would refuse gets its 400 and takes no
 * reply; one too many gets a 500 that says so.
 */
export async function startModelServer(format: WireFormat, replies: Reply[]): Promise<ModelServer> {
  const wire = wires[format];
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    serve(wire, replies, requests, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  wire: Wire,
  replies: Reply[],
  requests: SeenRequest[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = "";
  request.setEncoding("utf8");
  for await (const piece of request) text += piece;
  const path = request.url ?? "";
  const refuse = (status: number, message: string): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(wire.error(status, message)));
  };
  if (request.method !== "POST" || !wire.path.test(path)) return refuse(404, `${request.method} ${path} is not served here`);
  const seen: SeenRequest = { path, headers: request.headers, body: JSON.parse(text), left: false };
  requests.push(seen);
  response.on("close", () => {
    seen.left = !response.writableFinished;
  });
  const objection = wire.objection(seen);
  if (objection) return refuse(400, objection);
  const reply = replies.shift();
  if (!reply) return refuse(500, "no reply is left on this test server");
  if (!("status" in reply)) return stream(wire, reply, seen, response, requests.length);
  const body = reply.body ?? wire.error(reply.status, `status ${reply.status}`);
  response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function stream(wire: Wire, answer: Answer, seen: SeenRequest, response: ServerResponse, turn: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of wire.events(answer, seen, turn)) {
    if (answer.delayMs) await sleep(answer.delayMs);
    if (response.destroyed) return;
    response.write(`${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  if (answer.then === "hold") return;
  if (answer.then === "cut") {
    // The client must have read what was written before the connection breaks.
    await sleep(50);
    response.destroy();
    return;
  }
  response.end();
}
