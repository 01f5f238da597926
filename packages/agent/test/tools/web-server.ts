/** Real HTTP servers on loopback for the length of one test. */
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The address it listens at, without a slash at the end. */
export const webServer = (answer: RequestListener): Promise<string> => listening(createServer(answer));

/** A proxy that takes every name for the server at `target`, and tells whom it was asked for. */
export function proxyTo(target: string, asked: string[]): Promise<string> {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    const onward = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onTestFinished(() => void onward.destroy());
    for (const end of [socket, onward]) end.on("error", () => onward.destroy());
  });
  return listening(server);
}

async function listening(server: Server): Promise<string> {
  // A tunnel is no connection of the server's any more, and would keep it open.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
