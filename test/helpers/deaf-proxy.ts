import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

export interface DeafProxy {
  readonly url: string;
  close(): Promise<void>;
}

const isFilter = (name: string): boolean => /^(filter|serial)\b/.test(name);

/** A server between the program and a sandbox: a platform that ignores every filter. */
export async function deafProxy(target: string): Promise<DeafProxy> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", target);
    for (const name of [...url.searchParams.keys()]) if (isFilter(name)) url.searchParams.delete(name);
    const { host: _, ...headers } = request.headers;
    const forwarded = send(url, { method: request.method ?? "GET", headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
