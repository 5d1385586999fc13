import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server on this machine that can be closed. */
export interface Gate {
  readonly port: number;
  /** Resets the connections whose last words are these, and all that come after. */
  close(lastWords: RegExp): void;
  /** Connections reset since then. */
  refused(): number;
  end(): void;
}

export async function gateTo(port: number): Promise<Gate> {
  const open = new Map<Socket, string>();
  let isClosed = false;
  let refused = 0;
  const server = createServer((socket) => {
    if (isClosed) {
      refused += 1;
      socket.resetAndDestroy();
      return;
    }
    const inner = connect(port, "127.0.0.1");
    open.set(socket, "");
    socket.on("data", (chunk) => open.set(socket, String(chunk)));
    socket.on("error", () => inner.destroy()).on("close", () => open.delete(socket));
    inner.on("error", () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    close(lastWords) {
      isClosed = true;
      for (const [socket, words] of open) if (lastWords.test(words)) socket.resetAndDestroy();
    },
    refused: () => refused,
    end() {
      server.close();
      for (const socket of open.keys()) socket.destroy();
    },
  };
}
