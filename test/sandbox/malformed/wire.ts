import { connect, type Socket } from "node:net";

/** An answer as it came over a connection. */
interface WireAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** How many bytes of `text` are one whole answer, and what it says; nothing while more has to come. */
function firstAnswer(data: Buffer): { readonly length: number; readonly answer: WireAnswer } | undefined {
  const end = data.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const headers = data.toString("latin1", 0, end);
  const status = Number(headers.slice(9, 12));
  const start = end + 4;
  const made = (length: number, body: string) => ({ length, answer: { status, headers, body } });
  if (status < 200 || status === 204 || status === 304) return made(start, "");
  const length = /^content-length: *(\d+)/im.exec(headers)?.[1];
  if (length !== undefined) {
    const stop = start + Number(length);
    return data.length < stop ? undefined : made(stop, data.toString("utf8", start, stop));
  }
  if (!/^transfer-encoding: *chunked/im.test(headers)) return undefined;
  const stop = data.indexOf("0\r\n\r\n", start);
  return stop < 0 ? undefined : made(stop + 5, data.toString("utf8", start, stop));
}

/** A connection on which requests are sent ahead of their answers. */
export interface Pipeline {
  /** Resolves with the answer; rejects when the connection ends before it. */
  send(request: Buffer): Promise<WireAnswer>;
  end(): void;
}

export function openPipeline(port: number): Pipeline {
  const waiting: { request: Buffer; resolve(answer: WireAnswer): void; reject(error: Error): void }[] = [];
  let socket: Socket | undefined;
  let received: Buffer = Buffer.alloc(0);

  const fail = (reason: string): void => {
    socket = undefined;
    received = Buffer.alloc(0);
    for (const each of waiting.splice(0)) each.reject(new Error(reason));
  };
  /** After a connection was lost: one request at a time, until all that wait are answered. */
  let isCareful = false;

  const read = (chunk: Buffer): void => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    for (let found = firstAnswer(received); found !== undefined; found = firstAnswer(received)) {
      received = received.subarray(found.length);
      if (found.answer.status < 200) continue;
      waiting.shift()?.resolve(found.answer);
      if (/^connection: *close/im.test(found.answer.headers)) sendAgain();
      else if (isCareful) writeWaiting();
    }
  };
  const writeWaiting = (): void => {
    isCareful = isCareful && waiting.length > 0;
    for (const { request } of isCareful ? waiting.slice(0, 1) : waiting) socket?.write(request);
  };
  /** What was sent behind a request that ended the connection was not read: it goes to a new one. */
  const sendAgain = (): void => {
    socket?.removeAllListeners("close").destroy();
    received = Buffer.alloc(0);
    socket = waiting.length === 0 ? undefined : open();
    writeWaiting();
  };
  const open = (): Socket => {
    const made = connect(port, "127.0.0.1");
    made.setNoDelay(true);
    made.on("data", read);
    made.on("error", (error: NodeJS.ErrnoException) => {
      if (made !== socket) return;
      // The server may close while what stands behind a refused body is still being written.
      if (isCareful || (error.code !== "EPIPE" && error.code !== "ECONNRESET")) return fail(error.message);
      isCareful = true;
      sendAgain();
    });
    made.on("close", () => {
      if (made === socket) fail("The connection was closed");
    });
    return made;
  };
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        socket ??= open();
        waiting.push({ request, resolve, reject });
        if (!isCareful) socket.write(request);
      }),
    end: () => socket?.destroy(),
  };
}

/** Sends bytes on a connection of their own, in pieces, and reads until the other side ends or `patienceMs` is over. */
export function sendAlone(port: number, pieces: readonly Buffer[], patienceMs: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    const next = (index: number): void => {
      const piece = pieces[index];
      if (piece === undefined || socket.destroyed) return;
      socket.write(piece, () => setImmediate(next, index + 1));
    };
    socket.on("connect", () => next(0));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
