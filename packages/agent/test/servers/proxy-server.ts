/** A forward proxy on loopback: tunnels (CONNECT) and plain requests with an absolute address, and remembers whom it was asked for. */
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ProxyServer {
  readonly url: string;
  /** `host:port` of every request that came through. */
  readonly targets: readonly string[];
  readonly close: () => Promise<void>;
}

export async function startProxy(): Promise<ProxyServer> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "");
    targets.push(url.host);
    const onward = send(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", (request, socket: Socket, head) => {
    targets.push(request.url ?? "");
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.write(head);
      target.pipe(socket);
      socket.pipe(target);
    });
    for (const end of [socket, target]) {
      sockets.add(end);
      end.on("error", () => [socket, target].map((both) => both.destroy()));
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}
