import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SSE, type SseEvent, type SseMessageEvent, SseSource } from "../../../src/lib/realtime/sse.ts";
import {
  eventStream,
  type FaultServer,
  inTurn,
  refuse,
  silence,
  startFaultServer,
} from "../../helpers/fault-server.ts";
import { transports } from "../../helpers/transports.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const token = "a1b2c3d4-secret-token";

describe.each(transports)("SSE over $name", ({ transport }) => {
  let server: FaultServer;
  const sources: SseSource[] = [];

  beforeEach(async () => {
    server = await startFaultServer(silence);
  });

  afterEach(async () => {
    for (const source of sources.splice(0)) source.close();
    await server.close();
  });

  async function listen(): Promise<SseSource> {
    const region = { api: server.url, sse: `${server.url}/events` };
    const source = await SSE.openSSEListening(
      { channel: "analysis_trigger" },
      { token, region, transport, reconnectMs: 10 },
    );
    sources.push(source);
    return source;
  }

  it("has the properties of an EventSource, and resolves before it is open", async () => {
    server.react(eventStream(["data: a\n\n"]));
    const source = await listen();
    expect(source).toBeInstanceOf(SseSource);
    expect(source.url).toBe(`${server.url}/events?channels=analysis_trigger&token=${token}`);
    expect(source.readyState).toBe(source.CONNECTING);
    expect([SseSource.CONNECTING, SseSource.OPEN, SseSource.CLOSED]).toEqual([0, 1, 2]);
    await waitFor(() => source.readyState === source.OPEN, "the source to open");
    source.close();
    expect(source.readyState).toBe(source.CLOSED);
  });

  it("passes every event to the on-property and the listeners, and custom events to theirs", async () => {
    server.react(eventStream(["id: 4\ndata: one\n\nevent: note\ndata: two\n\ndata: three\n\n"]));
    const source = await listen();
    const seen: string[] = [];
    source.onopen = (event) => seen.push(`onopen ${event.type}`);
    source.onmessage = (event) => seen.push(`onmessage ${event.data} ${event.lastEventId}`);
    source.addEventListener("open", () => seen.push("open"));
    source.addEventListener("message", { handleEvent: (event) => seen.push(`message ${event.data} ${event.origin}`) });
    source.addEventListener("note", (event) => seen.push(`${event.type} ${event.data}`));
    await waitFor(() => seen.length >= 7, "all events");
    expect(seen).toEqual([
      "onopen open",
      "open",
      "onmessage one 4",
      `message one ${server.url}`,
      "note two",
      "onmessage three 4",
      `message three ${server.url}`,
    ]);
  });

  it("calls a listener once however often it is added, a once-listener once, a removed one not again", async () => {
    server.react(eventStream(["data: 1\n\ndata: 2\n\ndata: 3\n\n"]));
    const source = await listen();
    const seen: string[] = [];
    const twice = (event: SseMessageEvent): void => {
      seen.push(`twice ${event.data}`);
    };
    const leaving = (event: SseMessageEvent): void => {
      seen.push(`leaving ${event.data}`);
      if (event.data === "2") source.removeEventListener("message", leaving);
    };
    source.addEventListener("message", twice);
    source.addEventListener("message", twice);
    source.addEventListener("message", leaving);
    source.addEventListener("message", (event) => seen.push(`once ${event.data}`), { once: true });
    await waitFor(() => seen.includes("twice 3"), "the last event");
    expect(seen).toEqual(["twice 1", "leaving 1", "once 1", "twice 2", "leaving 2", "twice 3"]);
  });

  it("delivers no event after close(), not even those already received", async () => {
    const sockets: Socket[] = [];
    server.react((exchange) => {
      sockets.push(exchange.socket);
      return eventStream(["data: 1\n\ndata: 2\n\n"])(exchange);
    });
    const source = await listen();
    const seen: string[] = [];
    source.onmessage = (event) => {
      seen.push(event.data);
      source.close();
    };
    await waitFor(() => seen.length > 0, "the first event");
    await waitFor(() => sockets.every((socket) => socket.destroyed), "the connection to be closed");
    expect(seen).toEqual(["1"]);
    expect(server.requests).toHaveLength(1);
  });

  it("reports a loss as an error event while reconnecting, and a rejection as a final one", async () => {
    server.react(inTurn(eventStream(["data: 1\n\n"], "end"), refuse(401, `No access for ${token}`)));
    const source = await listen();
    const seen: [number, SseEvent][] = [];
    source.addEventListener("error", (event) => seen.push([source.readyState, event]));
    await waitFor(() => seen.length === 2, "both errors");
    expect(seen[0]).toMatchObject([0, { type: "error", message: "The server ended the event stream" }]);
    expect(seen[1]).toMatchObject([2, { type: "error", code: 401, message: "No access for [token]" }]);
    expect(JSON.stringify(seen)).not.toContain(token);
    expect(server.requests).toHaveLength(2);
  });

  it("continues with the next listener and event when a listener throws, and reports the error", async () => {
    server.react(eventStream(["data: 1\n\ndata: 2\n\n"]));
    const source = await listen();
    const seen: string[] = [];
    const uncaught: unknown[] = [];
    const listeners = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", (error) => uncaught.push(error));
    try {
      source.addEventListener("message", () => {
        throw new Error("listener failed");
      });
      source.addEventListener("message", (event) => seen.push(event.data));
      await waitFor(() => seen.length === 2 && uncaught.length === 2, "both events and both errors");
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const listener of listeners) process.on("uncaughtException", listener);
    }
    expect(seen).toEqual(["1", "2"]);
    expect(uncaught).toMatchObject([{ message: "listener failed" }, { message: "listener failed" }]);
  });
});

describe("SSE", () => {
  it("names the channels", () => {
    expect(SSE.channels).toContain("analysis_trigger");
  });

  it("removes space around the token", async () => {
    const region = { api: "http://127.0.0.1:1", sse: "http://127.0.0.1:1" };
    const source = await SSE.openSSEListening({ channel: "ui" }, { token: ` ${token}\n`, region });
    source.close();
    expect(new URL(source.url).searchParams.get("token")).toBe(token);
  });

  it.each([
    ["without a token", { channel: "ui" }, { region: "us-e1" }, "Token is required for SSE connection"],
    [
      "without an event address",
      { channel: "ui" },
      { token, region: { api: "http://127.0.0.1:1" } },
      "Invalid region configuration: missing SSE endpoint",
    ],
    ["for an unknown channel", { channel: "radio" }, { token, region: "us-e1" }, "Invalid channel radio"],
  ])("rejects %s and sends nothing", async (_name, channel, options, message) => {
    const open = SSE.openSSEListening as (channel: unknown, options: unknown) => Promise<unknown>;
    await expect(open(channel, options)).rejects.toThrow(message);
  });
});
