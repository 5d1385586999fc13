import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, CancelledError, RequestError } from "../../../src/lib/core/errors.ts";
import { type EventStream, openEventStream, type StreamItem } from "../../../src/lib/realtime/event-stream.ts";
import { StreamMessage } from "../../../src/lib/realtime/stream-message.ts";
import {
  answer,
  eventStream,
  type FaultServer,
  html,
  inTurn,
  redirectTo,
  refuse,
  silence,
  startFaultServer,
  unusedPort,
  writeAll,
} from "../../helpers/fault-server.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import { transports } from "../../helpers/transports.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const token = "a1b2c3d4-secret-token";
const envelope = (n: number): string =>
  `id: ${n}\ndata: {"channel":"device_data.d1","timestamp":"2026-01-01T00:00:00.000Z","payload":[{"value":${n}}]}\n\n`;

let server: FaultServer;
const open: EventStream[] = [];

beforeEach(async () => {
  server = await startFaultServer(silence);
});

afterEach(async () => {
  for (const stream of open.splice(0)) stream.close();
  await server.close();
});

async function take(stream: EventStream, count: number): Promise<StreamItem[]> {
  const items: StreamItem[] = [];
  const iterator = stream[Symbol.asyncIterator]();
  while (items.length < count) {
    const next = await iterator.next();
    if (next.done) break;
    items.push(next.value);
  }
  return items;
}

const messages = (items: readonly StreamItem[]): StreamMessage[] =>
  items.filter((item): item is StreamMessage => item instanceof StreamMessage);

describe.each(transports)("openEventStream over $name", ({ transport }) => {
  function listen(options: Partial<Parameters<typeof openEventStream>[0]> = {}): EventStream {
    const stream = openEventStream({
      channels: { channel: "device_data", resource_id: "d1" },
      token,
      region: { api: server.url, sse: server.url },
      transport,
      reconnectMs: 10,
      ...options,
    });
    open.push(stream);
    return stream;
  }

  /** Waits for the connection of a stream; the answer tells later whether it is gone. */
  async function streamSocket(stream: EventStream): Promise<() => boolean> {
    await waitFor(() => stream.state === "open", "the stream to open");
    const sockets = [...server.openSockets];
    return () => sockets.every((socket) => !server.openSockets.has(socket));
  }

  it("sends the token in the query only, and returns the content of the platform's envelope", async () => {
    server.react(eventStream([": connected\n\n", envelope(1)]));
    const stream = listen();
    const [opened, message] = await take(stream, 2);
    expect(opened).toEqual({ type: "open" });
    expect(message).toMatchObject({ type: "message", id: "1", channel: "device_data.d1", payload: [{ value: 1 }] });
    expect(stream.state).toBe("open");
    const [request] = server.requests;
    expect(request?.path).toBe(`/events?channels=device_data.d1&token=${token}`);
    expect(request?.headers["token"]).toBeUndefined();
    expect(request?.headers["accept"]).toBe("text/event-stream");
    expect(request?.headers["last-event-id"]).toBeUndefined();
  });

  it("reconnects after a loss, sends the last event id, and reports the gap", async () => {
    server.react(inTurn(eventStream([envelope(1), envelope(2)], "reset"), eventStream([envelope(3)])));
    const items = await take(listen(), 7);
    expect(items.map((item) => item.type)).toEqual(["open", "message", "message", "retry", "open", "gap", "message"]);
    expect(items[3]).toMatchObject({ delayMs: 10, failures: 1 });
    expect(items[5]).toMatchObject({ lastEventId: "2" });
    expect(server.requests[1]?.headers["last-event-id"]).toBe("2");
  });

  it("reconnects when the server closes the stream, without an id when there was none", async () => {
    server.react(inTurn(eventStream(["data: a\n\n"], "end"), eventStream(["data: b\n\n"])));
    const items = await take(listen(), 6);
    expect(messages(items).map((item) => item.data)).toEqual(["a", "b"]);
    expect(server.requests[1]?.headers["last-event-id"]).toBeUndefined();
  });

  it("sends a non-ASCII event id as UTF-8, and none that a header cannot hold", async () => {
    server.react(
      inTurn(
        eventStream(["id: ü-1\ndata: a\n\n"], "end"),
        eventStream(["id: a\u0001b\ndata: b\n\n"], "end"),
        eventStream(["data: c\n\n"]),
      ),
    );
    await take(listen(), 10);
    expect(server.requests[1]?.headers["last-event-id"]).toBe(Buffer.from("ü-1").toString("latin1"));
    expect(server.requests[2]?.headers["last-event-id"]).toBeUndefined();
  });

  it("increases the delay while connecting keeps failing", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    server.react(inTurn(refuse(503, "Busy"), refuse(503, "Busy"), refuse(503, "Busy"), eventStream([envelope(1)])));
    const items = await take(listen({ reconnectMs: 20, maxReconnectMs: 60 }), 5);
    expect(items.map((item) => item.type)).toEqual(["retry", "retry", "retry", "open", "message"]);
    const delays = items.flatMap((item) => (item.type === "retry" ? [item.delayMs] : []));
    // Doubled, up to the maximum, and three quarters of that.
    expect(delays).toEqual([20, 30, 45]);
  });

  it("increases the delay when connections close quickly, even when each delivered an event", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    server.react(eventStream([envelope(1)], "end"));
    const items = await take(listen({ reconnectMs: 10 }), 15);
    const retries = items.flatMap((item) => (item.type === "retry" ? [[item.delayMs, item.failures]] : []));
    expect(retries).toEqual([
      [10, 1],
      [15, 1],
      [30, 1],
      [60, 1],
    ]);
  });

  it("keeps retrying while the server is unreachable, and reports it without the token", async () => {
    const port = await unusedPort();
    const items = await take(
      listen({ region: { api: server.url, sse: `http://127.0.0.1:${port}` }, reconnectMs: 1 }),
      3,
    );
    for (const item of items) {
      expect(item.type).toBe("retry");
      const error = item.type === "retry" ? item.error : undefined;
      expect(error).toBeInstanceOf(RequestError);
      expect(error).toMatchObject({ code: "NETWORK_ERROR", status: -1, url: `http://127.0.0.1:${port}/events` });
      expect(`${error?.message} ${error?.stack} ${JSON.stringify(error)}`).not.toContain(token);
    }
  });

  it.each([401, 403, 404, 400])(
    "gives up at once when it is refused with %i, and says why without the token",
    async (status) => {
      server.react(refuse(status, `Authorization denied for ${token}`));
      const failure = await take(listen(), 1).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ApiError);
      expect(failure).toMatchObject({
        status,
        message: "Authorization denied for [token]",
        url: `${server.url}/events`,
      });
      expect(JSON.stringify(failure)).not.toContain(token);
      expect(server.requests).toHaveLength(1);
    },
  );

  it("waits for the Retry-After of a 429 response", async () => {
    server.react(inTurn(refuse(429, "Slow down", { "Retry-After": "1" }), eventStream([envelope(1)])));
    const stream = listen();
    const [retry] = await take(stream, 1);
    expect(retry).toMatchObject({ type: "retry", delayMs: 1000 });
    stream.close();
  });

  it.each([
    ["HTML", html(200), 200],
    ["nothing (204)", answer({ status: 204 }), 204],
  ])("gives up when %s comes in place of a stream", async (_name, reaction, status) => {
    server.react(reaction);
    await expect(take(listen(), 1)).rejects.toMatchObject({ status, code: "INVALID_REPLY" });
    expect(server.requests).toHaveLength(1);
  });

  it("follows a redirect within the origin", async () => {
    server.react(inTurn(redirectTo("/events?moved=1", 307), eventStream([envelope(1)])));
    expect(messages(await take(listen(), 2))).toHaveLength(1);
    expect(server.requests[1]?.path).toBe("/events?moved=1");
  });

  it("does not follow a redirect to another origin", async () => {
    const other = await startFaultServer(eventStream([envelope(1)]));
    try {
      server.react(redirectTo(`${other.url}/events?token=${token}`));
      const failure = await take(listen(), 1).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApiError);
      expect(String(failure)).toContain(other.url);
      expect(String(failure)).not.toContain(token);
      expect(other.requests).toHaveLength(0);
    } finally {
      await other.close();
    }
  });

  it("stops a redirect loop", async () => {
    server.react(redirectTo("/events"));
    await expect(take(listen(), 1)).rejects.toThrow("redirected more than 20 times");
    expect(server.requests).toHaveLength(21);
  });

  it("reconnects when the server sends nothing", async () => {
    server.react(inTurn(eventStream([envelope(1)]), eventStream([envelope(2)])));
    const quiet = holdTimers(250);
    const stream = listen({ silenceMs: 250 });
    const items = await take(stream, 2);
    quiet.elapse();
    items.push(...(await take(stream, 4)));
    expect(items.map((item) => item.type)).toEqual(["open", "message", "retry", "open", "gap", "message"]);
    expect(items[2]).toMatchObject({ error: { code: "TIMEOUT", message: "The event stream sent nothing for 250 ms" } });
  });

  it("reconnects when the server never responds", async () => {
    server.react(inTurn(silence, eventStream([envelope(1)])));
    const deadline = holdTimers(250);
    const stream = listen({ silenceMs: 250 });
    await waitFor(() => server.requests.length === 1, "the first request");
    deadline.elapse();
    const items = await take(stream, 3);
    expect(items.map((item) => item.type)).toEqual(["retry", "open", "message"]);
    expect(items[0]).toMatchObject({ error: { code: "TIMEOUT" } });
  });

  it("pauses reading while items are not consumed, and loses nothing", async () => {
    const count = 40_000;
    let written = 0;
    server.react(async ({ socket }) => {
      await writeAll(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
      const pad = "x".repeat(400);
      for (let n = 0; n < count && !socket.destroyed; n += 100) {
        let block = "";
        for (let i = n; i < n + 100; i += 1) block += `id: ${i}\ndata: ${pad}\n\n`;
        await writeAll(socket, block);
        written = n + 100;
      }
    });
    const stream = listen();
    await take(stream, 10);
    let before = -1;
    // The server can write no more once the buffers on the way are full.
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written).toBeLessThan(count);
    const rest = await take(stream, count - 9);
    expect(rest).toHaveLength(count - 9);
    expect(stream.lastEventId).toBe(String(count - 1));
  });

  it("does not treat its own pause as silence of the server", async () => {
    const block = Array.from({ length: 2_000 }, (_, n) => `id: ${n}\ndata: x\n\n`).join("");
    server.react(eventStream([block, "data: end\n\n"]));
    const quiet = holdTimers(250);
    const stream = listen({ silenceMs: 250 });
    await take(stream, 1);
    // Reading stops when this many events came and nobody takes them.
    await waitFor(() => Number(stream.lastEventId) > 1_024, "the pause");
    quiet.elapse();
    const items = await take(stream, 2_001);
    expect(items.every((item) => item.type === "message")).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  it("ends the loop and the connection at close(), and delivers nothing more", async () => {
    server.react(eventStream([envelope(1) + envelope(2) + envelope(3)]));
    const stream = listen();
    const isGone = await streamSocket(stream);
    const seen: string[] = [];
    for await (const item of stream) {
      if (item.type !== "message") continue;
      seen.push(item.id);
      stream.close();
    }
    expect(seen).toEqual(["1"]);
    expect(stream.state).toBe("closed");
    await waitFor(isGone, "the connection to be closed");
    expect(server.requests).toHaveLength(1);
  });

  it("closes the connection when the loop is left", async () => {
    server.react(eventStream([envelope(1)]));
    const stream = listen();
    const isGone = await streamSocket(stream);
    for await (const item of stream) if (item.type === "message") break;
    expect(stream.state).toBe("closed");
    await waitFor(isGone, "the connection to be closed");
  });

  it("ends with CancelledError when the signal is aborted, while open and while waiting to connect", async () => {
    for (const reaction of [eventStream([envelope(1)]), refuse(503, "Busy")]) {
      server.react(reaction);
      server.reset();
      const controller = new AbortController();
      const stream = listen({ signal: controller.signal, reconnectMs: 60_000 });
      await take(stream, 1);
      controller.abort(new Error("enough"));
      await expect(take(stream, 5)).rejects.toBeInstanceOf(CancelledError);
      expect(stream.state).toBe("closed");
      expect(server.requests).toHaveLength(1);
    }
  });

  it("does not connect when the signal was aborted before", async () => {
    await expect(take(listen({ signal: AbortSignal.abort() }), 1)).rejects.toBeInstanceOf(CancelledError);
    expect(server.requests).toHaveLength(0);
  });

  it("leaves the properties of an event undefined when its data is not the platform's envelope", async () => {
    server.react(eventStream(["event: note\ndata: plain text\n\n", "data: 7\n\n"]));
    const [first, second] = messages(await take(listen(), 3));
    expect(first).toMatchObject({ event: "note", data: "plain text" });
    expect(first?.payload).toBeUndefined();
    expect(second?.channel).toBeUndefined();
  });
});

describe("openEventStream", () => {
  const region = { api: "http://127.0.0.1:1", sse: "http://127.0.0.1:1" };

  it.each([
    ["no token", { token: "", region }, "Token is required for SSE connection"],
    ["a region without event address", { token, region: { api: "http://127.0.0.1:1" } }, "missing SSE endpoint"],
    ["an unknown region", { token, region: "mars" }, "Invalid region mars"],
  ])("refuses %s", (_name, options, message) => {
    const bad = { channels: { channel: "ui" }, ...options } as unknown as Parameters<typeof openEventStream>[0];
    expect(() => openEventStream(bad)).toThrow(message);
  });
});
