/** An HTTP proxy on loopback: tunnels (CONNECT) and plain forwarding. */
import { createServer, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";

export interface ProxyServer {
  readonly url: string;
  /** `CONNECT 127.0.0.1:1234` or `GET http://...`, in order. */
  readonly seen: string[];
  /** Values of Proxy-Authorization, in order. */
  readonly credentials: (string | undefined)[];
  close(): Promise<void>;
}

export async function startProxy(): Promise<ProxyServer> {
  const seen: string[] = [];
  const credentials: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  };
  const note = (incoming: IncomingMessage): void => {
    seen.push(`${incoming.method} ${incoming.url}`);
    credentials.push(incoming.headers["proxy-authorization"]);
  };

  const server = createServer((incoming, outgoing) => {
    note(incoming);
    const { method, headers } = incoming;
    const forward = request(incoming.url ?? "", { method, headers, agent: false }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    forward.on("error", () => outgoing.destroy());
    incoming.pipe(forward);
  });
  server.on("connection", keep);
  server.on("connect", (incoming, client: Socket, head) => {
    note(incoming);
    const [host = "", port = ""] = (incoming.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    keep(upstream);
    upstream.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    credentials,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
