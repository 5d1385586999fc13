import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CancelledError } from "../../../src/lib/core/errors.ts";
import { TransportError, type TransportRequest, type TransportStream } from "../../../src/lib/http/transport.ts";
import {
  answer,
  eventStream,
  type FaultServer,
  ok,
  redirectTo,
  resetBeforeHeaders,
  resetMidBody,
  silence,
  stall,
  startFaultServer,
  unusedPort,
  writeAll,
} from "../../helpers/fault-server.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import { transports } from "../../helpers/transports.ts";
import { waitFor } from "../../helpers/wait-for.ts";

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error("The call succeeded");
    },
    (error: unknown) => error,
  );
}

async function readAll(stream: TransportStream): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream.body) pieces.push(piece);
  return pieces;
}

describe.each(transports)("the transport port, $name", ({ name, transport }) => {
  let server: FaultServer;

  beforeEach(async () => {
    server = await startFaultServer(ok("done"));
  });

  afterEach(() => server.close());

  const request = (path: string, extra: Partial<TransportRequest> = {}): TransportRequest => ({
    method: "GET",
    url: `${server.url}${path}`,
    headers: { token: "t", accept: "application/json" },
    timeoutMs: 60_000,
    ...extra,
  });

  it("says which one it is", () => {
    expect(transport.name).toBe(name);
  });

  it("does not open a connection for each different timeout", async () => {
    for (let timeoutMs = 60_000; timeoutMs < 60_020; timeoutMs += 1) await transport.send(request("/", { timeoutMs }));
    expect(server.requests).toHaveLength(20);
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it.each(["GET", "POST", "PUT", "DELETE"] as const)("sends %s with address and headers as given", async (method) => {
    const path = "/device/a%2Fb?fields%5B0%5D=id&q=a%20b%26c";
    await transport.send(request(path, { method }));
    expect(server.requests[0]).toMatchObject({ method, path, body: "" });
    expect(server.requests[0]?.headers).toMatchObject({ token: "t", accept: "application/json" });
  });

  it.each([
    ["text", "plain ü", "plain ü"],
    ["bytes", new TextEncoder().encode("bytes ü"), "bytes ü"],
    ["empty text", "", ""],
  ])("sends a body of %s", async (_kind, body, expected) => {
    await transport.send(request("/data", { method: "POST", body, headers: { "content-type": "text/x-own" } }));
    expect(server.requests[0]?.body).toBe(expected);
    expect(server.requests[0]?.headers["content-type"]).toBe("text/x-own");
    expect(server.requests[0]?.headers["transfer-encoding"]).toBeUndefined();
  });

  it("sends a form as multipart with its boundary", async () => {
    const form = new FormData();
    form.set("filename", "readings ü.csv");
    form.set("file", new Blob(["a,b\n1,2\n"]), "readings.csv");
    await transport.send(request("/files", { method: "POST", body: form }));
    const { headers, body } = server.requests[0] ?? { headers: {} as Record<string, string>, body: "" };
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1] ?? "none";
    expect(body.split(`--${boundary}`)).toHaveLength(4);
    expect(body).toContain("readings ü.csv");
    expect(body).toContain("a,b\n1,2\n");
  });

  it("gives status, status text and headers by lower-case name, repeated ones joined", async () => {
    server.react(({ socket }) => {
      socket.write(
        "HTTP/1.1 207 Many Things\r\nX-One: a\r\nX-Two: b\r\nx-two: c\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nok",
      );
    });
    const reply = await transport.send(request("/"));
    expect(reply.status).toBe(207);
    expect(reply.statusText).toBe("Many Things");
    expect(reply.header("x-one")).toBe("a");
    expect(reply.header("x-two")).toBe("b, c");
    expect(reply.header("retry-after")).toBe("7");
    expect(reply.header("x-none")).toBeUndefined();
    expect(reply.text).toBe("ok");
  });

  it.each([400, 401, 404, 429, 500, 503])("does not judge status %i", async (status) => {
    server.react(answer({ status, body: "why" }));
    await expect(transport.send(request("/"))).resolves.toMatchObject({ status, text: "why" });
  });

  it("does not follow a redirect", async () => {
    server.react(redirectTo("/elsewhere", 307));
    const reply = await transport.send(request("/"));
    expect(reply.status).toBe(307);
    expect(reply.header("location")).toBe("/elsewhere");
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("undoes %s", async (encoding, compress) => {
    const text = "Grüße 😀 ".repeat(50_000);
    server.react(answer({ headers: { "Content-Encoding": encoding }, body: compress(text) }));
    const reply = await transport.send(request("/"));
    expect(reply.text === text).toBe(true);
  });

  it("reads a chunked body, cut inside a character, and skips a byte-order mark", async () => {
    const bytes = Buffer.from("\ufeffé😀");
    server.react(async ({ socket }) => {
      await writeAll(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (const byte of bytes)
        await writeAll(socket, Buffer.concat([Buffer.from("1\r\n"), Buffer.of(byte), Buffer.from("\r\n")]));
      await writeAll(socket, "0\r\n\r\n");
    });
    await expect(transport.send(request("/"))).resolves.toMatchObject({ text: "é😀" });
  });

  it("reads a body that ends with the connection", async () => {
    server.react(async ({ socket }) => {
      await writeAll(socket, "HTTP/1.0 200 OK\r\n\r\nuntil the end");
      socket.end();
    });
    await expect(transport.send(request("/"))).resolves.toMatchObject({ text: "until the end" });
  });

  it("passes over an informational answer before the real one", async () => {
    server.react(({ socket }) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nreal");
    });
    await expect(transport.send(request("/"))).resolves.toMatchObject({ status: 200, text: "real" });
  });

  it("keeps connections for the next requests", async () => {
    for (let call = 0; call < 20; call += 1) await transport.send(request(`/${call}`));
    // A pool may open a second one for a request that comes in the very moment the first is answered.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it("says that nothing listens, and that the request cannot have arrived", async () => {
    const url = `http://127.0.0.1:${await unusedPort()}/`;
    const error = await errorOf(transport.send(request("/", { url })));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: "NETWORK_ERROR", reason: "ECONNREFUSED", maybeSent: false });
  });

  it.each([
    ["before the headers", resetBeforeHeaders],
    ["in the middle of the body", resetMidBody],
  ])("says that the connection was lost %s, and that the request may have arrived", async (_where, reaction) => {
    server.react(reaction);
    const error = await errorOf(transport.send(request("/", { method: "POST", body: "x" })));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: "NETWORK_ERROR", maybeSent: true });
  });

  it("takes an answer that is no HTTP for a lost connection", async () => {
    server.react(async ({ socket }) => {
      await writeAll(socket, "220 mail.example ready\r\n\r\n");
    });
    expect(await errorOf(transport.send(request("/")))).toMatchObject({
      name: "TransportError",
      code: "NETWORK_ERROR",
    });
  });

  it.each([
    ["no headers come", silence],
    ["the body stops", stall],
  ])("ends at the deadline when %s", async (_when, reaction) => {
    server.react(reaction);
    const error = await errorOf(transport.send(request("/", { timeoutMs: 50 })));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: "TIMEOUT", maybeSent: true });
  });

  it.each([
    ["before the headers", silence],
    ["in the body", stall],
  ])("ends with CancelledError when the signal comes %s", async (_when, reaction) => {
    server.react(reaction);
    const controller = new AbortController();
    const call = errorOf(transport.send(request("/", { signal: controller.signal })));
    await waitFor(() => server.requests.length === 1, "the request");
    const reason = new Error("changed my mind");
    controller.abort(reason);
    const error = await call;
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toMatchObject({ cause: reason });
  });

  it("ends with CancelledError when the signal comes while the first request to an address is being prepared", async () => {
    server.react(silence);
    const start = [
      (signal: AbortSignal) => transport.send(request("/", { signal, timeoutMs: 0 })),
      (signal: AbortSignal) => transport.stream(request("/", { signal, timeoutMs: 0 })),
    ];
    for (const call of start) {
      const controller = new AbortController();
      const ending = errorOf(call(controller.signal));
      controller.abort();
      // Without a deadline, a call that went out in spite of the signal would never end.
      expect(await ending).toBeInstanceOf(CancelledError);
    }
  });

  it("sends nothing when the signal was aborted before", async () => {
    expect(await errorOf(transport.send(request("/", { signal: AbortSignal.abort() })))).toBeInstanceOf(CancelledError);
    expect(server.requests).toHaveLength(0);
  });

  it("leaves no listener behind on a signal that serves many calls", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await transport.send(request("/1", { signal }));
    server.react(resetBeforeHeaders);
    await errorOf(transport.send(request("/2", { signal })));
    server.react(eventStream(["a"], "end"));
    await readAll(await transport.stream(request("/3", { signal })));
    server.react(eventStream(["a"]));
    const unread = await transport.stream(request("/4", { signal }));
    unread.cancel();
    expect(listeners).toBe(0);
  });

  it("gives a stream at its headers, and its text as it comes", async () => {
    let goOn: (() => void) | undefined;
    server.react(async ({ socket }) => {
      await writeAll(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      for (const byte of Buffer.from("é😀 end")) await writeAll(socket, Buffer.of(byte));
      socket.end();
    });
    const stream = await transport.stream(request("/events"));
    expect(stream.status).toBe(200);
    expect(stream.header("content-type")).toBe("text/event-stream");
    await waitFor(() => goOn !== undefined, "the server to wait");
    goOn?.();
    const pieces = await readAll(stream);
    expect(pieces.join("")).toBe("é😀 end");
    for (const piece of pieces) expect(piece).not.toContain("\ufffd");
  });

  it("marks a character of a stream that never becomes whole where it stands", async () => {
    server.react(async ({ socket }) => {
      await writeAll(socket, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
      for (const part of [Buffer.of(0x61, 0xc3), Buffer.from("bc"), Buffer.of(0xc3)]) {
        await writeAll(socket, part);
        // Parts that arrive together would be one chunk.
        await delay(30);
      }
      socket.end();
    });
    expect((await readAll(await transport.stream(request("/events")))).join("")).toBe("a\ufffdbc\ufffd");
  });

  it("gives every byte of a stream as one character, when asked to", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    server.react(async ({ socket }) => {
      await writeAll(socket, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
      for (const byte of bytes) await writeAll(socket, Buffer.of(byte));
      socket.end();
    });
    const stream = await transport.stream({ ...request("/bytes"), bytesAsText: true });
    expect(Buffer.from((await readAll(stream)).join(""), "latin1").equals(bytes)).toBe(true);
  });

  it("applies the deadline of a stream to its headers only", async () => {
    server.react(silence);
    expect(await errorOf(transport.stream(request("/", { timeoutMs: 50 })))).toMatchObject({ code: "TIMEOUT" });
    let answered: Socket | undefined;
    server.react(({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
      answered = socket;
    });
    const deadline = holdTimers(60);
    const stream = await transport.stream(request("/", { timeoutMs: 60 }));
    deadline.elapse();
    answered?.end("late");
    expect((await readAll(stream)).join("")).toBe("late");
  });

  it("closes the connection of a stream whose loop is left or that is cancelled", async () => {
    for (const leave of ["break", "cancel"]) {
      const sockets: unknown[] = [];
      server.react((exchange) => {
        sockets.push(exchange.socket);
        return eventStream(["a"])(exchange);
      });
      const stream = await transport.stream(request("/"));
      for await (const piece of stream.body) {
        expect(piece).toBe("a");
        if (leave === "break") break;
        stream.cancel();
      }
      await waitFor(
        () => sockets.every((socket) => (socket as { destroyed: boolean }).destroyed),
        "the connection to close",
      );
    }
  });

  it("throws CancelledError into the loop over a stream when the signal comes", async () => {
    server.react(eventStream(["a"]));
    const controller = new AbortController();
    const stream = await transport.stream(request("/", { signal: controller.signal }));
    const reading = errorOf(
      (async () => {
        for await (const _piece of stream.body) controller.abort(new Error("enough"));
      })(),
    );
    expect(await reading).toBeInstanceOf(CancelledError);
  });

  it("throws a TransportError into the loop over a stream whose connection is lost", async () => {
    let answered: Socket | undefined;
    server.react(({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
      answered = socket;
    });
    const stream = await transport.stream(request("/"));
    answered?.resetAndDestroy();
    expect(await errorOf(readAll(stream))).toMatchObject({ name: "TransportError", code: "NETWORK_ERROR" });
  });

  it("leaves requests free to go while many streams are open", async () => {
    server.react((exchange) => (exchange.request.path === "/events" ? eventStream(["a"]) : ok("done"))(exchange));
    const streams = await Promise.all(Array.from({ length: 100 }, () => transport.stream(request("/events"))));
    try {
      await expect(transport.send(request("/info"))).resolves.toMatchObject({ status: 200 });
    } finally {
      for (const stream of streams) stream.cancel();
    }
  });

  it("does not cut 200 requests at once short", async () => {
    server.react((exchange) => ok(exchange.request.path)(exchange));
    const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => transport.send(request(`/${index}`))));
    expect(replies.map(({ text }) => (JSON.parse(text) as { result: string }).result)).toEqual(
      replies.map((_, index) => `/${index}`),
    );
  });
});
