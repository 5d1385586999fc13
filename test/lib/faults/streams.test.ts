import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import { SSE, type SsePlainEvent, type SseSource } from "../../../src/lib/realtime/sse.ts";
import { modes, recordingClock, token } from "../../helpers/fault-client.ts";
import {
  eventStream,
  type FaultServer,
  inTurn,
  ok,
  type Reaction,
  refuse,
  silence,
  startFaultServer,
  writeAll,
} from "../../helpers/fault-server.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import { waitFor } from "../../helpers/wait-for.ts";

describe.each(modes)("streams over $name", ({ name, options }) => {
  let server: FaultServer;
  const sources: SseSource[] = [];

  beforeEach(async () => {
    server = await startFaultServer(silence);
  });

  afterEach(async () => {
    for (const source of sources.splice(0)) source.close();
    await server.close();
  });

  interface Heard {
    readonly source: SseSource;
    readonly data: string[];
    readonly errors: SsePlainEvent[];
  }

  async function listen(reaction: Reaction, tuning: { reconnectMs?: number } = { reconnectMs: 5 }): Promise<Heard> {
    server.react(reaction);
    const region = { api: server.url, sse: `${server.url}/events` };
    const source = await SSE.openSSEListening({ channel: "ui" }, { token, region, ...options, ...tuning });
    sources.push(source);
    const heard: Heard = { source, data: [], errors: [] };
    source.addEventListener("message", (event) => heard.data.push(event.data));
    source.addEventListener("error", (event) => heard.errors.push(event));
    return heard;
  }

  it("SSE drop and resume", async () => {
    const delay = holdTimers(1_000);
    const dropping = eventStream(["id: 41\ndata: before\n\n"], "reset");
    const heard = await listen(inTurn(dropping, eventStream(["id: 42\ndata: after\n\n"])), {});
    await waitFor(() => delay.waiting === 1, "the delay after the drop");
    expect(server.requests).toHaveLength(1);
    delay.elapse();
    await waitFor(() => heard.data.length === 2, "the event after the drop");
    expect(heard.data).toEqual(["before", "after"]);
    expect(server.requests[1]?.headers["last-event-id"]).toBe("41");
  });

  it.each<[string, (string | Buffer)[], string[]]>([
    ["SSE comments and heartbeats", [": connected\n\n", ":\n", ": ping\n\n", "data: a\n\n", ": ping\n\n"], ["a"]],
    ["SSE CRLF", ["data: a\r\n\r\ndata: b\r\n\r\n"], ["a", "b"]],
    ["SSE CRLF split between packets", ["data: a\r", "\n\r", "\ndata: b\r", "\n\r", "\n"], ["a", "b"]],
    ["SSE CR only", ["data: a\r\rdata: b\r\r"], ["a", "b"]],
    ["SSE multi-line data", ["data: one\ndata: two\ndata:\n\n"], ["one\ntwo\n"]],
    ["SSE byte-order mark", ["\ufeffdata: a\n\n"], ["a"]],
    [
      "SSE UTF-8 split between packets",
      [...Buffer.from("data: Grüße 😀 €\n\n")].map((byte) => Buffer.of(byte)),
      ["Grüße 😀 €"],
    ],
  ])("%s", async (_row, pieces, expected) => {
    const heard = await listen(eventStream([...pieces, "data: end\n\n"]));
    await waitFor(() => heard.data.includes("end"), "the last event");
    expect(heard.data).toEqual([...expected, "end"]);
    expect(heard.errors).toEqual([]);
  });

  it("SSE event of 8 MiB", async () => {
    const text = "0123456789abcdé".repeat(Math.ceil((8 * 1024 * 1024) / 16));
    const heard = await listen(eventStream([`data: ${text}\n\n`, "data: end\n\n"]));
    await waitFor(() => heard.data.length === 2, "the large event");
    expect(heard.data[0] === text).toBe(true);
  });

  const slow = name === "http" ? {} : { tags: ["slow" as const] };
  it(
    "SSE event that outgrows the limit ends the stream with an error instead of filling the memory",
    slow,
    async () => {
      const block = Buffer.alloc(1024 * 1024, "x");
      const heard = await listen(async ({ socket }) => {
        await eventStream(["data: "])({ socket } as Parameters<Reaction>[0]);
        while (!socket.destroyed) await writeAll(socket, block);
      });
      await waitFor(() => heard.source.readyState === heard.source.CLOSED, "the stream to be given up");
      expect(heard.errors.at(-1)?.message).toMatch(/larger than 67108864 bytes/);
      expect(server.requests).toHaveLength(1);
    },
  );

  it("SSE retry field", async () => {
    const delay = holdTimers(200);
    const heard = await listen(
      inTurn(eventStream(["retry: 200\ndata: a\n\n"], "end"), eventStream(["data: b\n\n"])),
      {},
    );
    await waitFor(() => delay.waiting === 1, "the delay after the drop");
    expect(server.requests).toHaveLength(1);
    delay.elapse();
    await waitFor(() => heard.data.length === 2, "the event after the drop");
  });

  it("SSE 503 on connect, then OK", async () => {
    const busy = refuse(503, "Busy");
    const heard = await listen(inTurn(busy, busy, busy, eventStream(["data: a\n\n"])));
    await waitFor(() => heard.data.length === 1, "the event");
    expect(heard.errors.map(({ code }) => code)).toEqual([503, 503, 503]);
    expect(heard.source.readyState).toBe(heard.source.OPEN);
  });

  it("SSE 401 on connect", async () => {
    const heard = await listen(refuse(401, "Authorization Denied"));
    await waitFor(() => heard.source.readyState === heard.source.CLOSED, "the refusal");
    expect(heard.errors).toMatchObject([{ code: 401, message: "Authorization Denied" }]);
    // A stream that is not refused comes back many times while the refused one must stay away.
    const other = await startFaultServer(eventStream(["data: a\n\n"], "end"));
    try {
      const region = { api: other.url, sse: other.url };
      const alive = await SSE.openSSEListening({ channel: "ui" }, { token, region, ...options, reconnectMs: 5 });
      sources.push(alive);
      await waitFor(() => other.requests.length >= 5, "five connections");
    } finally {
      await other.close();
    }
    expect(server.requests).toHaveLength(1);
  });

  it("SSE close()", async () => {
    const heard = await listen(eventStream(["retry: 50\ndata: a\n\n"], "end"));
    await waitFor(() => heard.errors.length === 1, "the loss");
    heard.source.close();
    expect(heard.source.readyState).toBe(heard.source.CLOSED);
    const before = server.requests.length;
    await listen(eventStream(["data: b\n\n"], "end"), { reconnectMs: 60 });
    await waitFor(() => server.requests.length >= before + 3, "another stream to come back twice");
    expect(heard.data).toEqual(["a"]);
    expect(heard.errors).toHaveLength(1);
  });

  const client = (): Resources =>
    new Resources({ token, region: { api: server.url, sse: server.url }, clock: recordingClock(), ...options });

  it("streaming: first page once", async () => {
    const all = Array.from({ length: 250 }, (_, index) => ({ id: `device-${index}` }));
    server.react((exchange) => {
      const query = new URL(exchange.request.path, server.url).searchParams;
      const amount = Number(query.get("amount"));
      // The platform reads page 0 as page 1.
      const page = Number(query.get("page")) || 1;
      return ok(all.slice((page - 1) * amount, page * amount))(exchange);
    });
    const ids: string[] = [];
    for await (const page of client().devices.listStreaming({}, { poolingRecordQty: 100 })) {
      ids.push(...page.map(({ id }) => id));
    }
    expect(ids).toEqual(all.map(({ id }) => id));
    expect(server.requests).toHaveLength(3);
  });

  it("streaming: several variables", async () => {
    const variables = ["temperature", "humidity", "pressure"];
    const counts: Record<string, number> = { temperature: 120, humidity: 35, pressure: 7 };
    const record = (variable: string, index: number) => ({ id: `${variable}-${index}`, variable, value: index });
    server.react((exchange) => {
      const query = new URL(exchange.request.path, server.url).searchParams;
      const [qty, skip] = [Number(query.get("qty")), Number(query.get("skip"))];
      const asked = [...query].flatMap(([name, value]) => (name.startsWith("variables") ? [value] : []));
      // The platform applies qty and skip to each variable on its own.
      const rows = asked.flatMap((variable) =>
        Array.from({ length: counts[variable] ?? 0 }, (_, index) => record(variable, index)).slice(skip, skip + qty),
      );
      return ok(rows)(exchange);
    });
    const seen: string[] = [];
    const stream = client().devices.getDeviceDataStreaming("d1", { variables }, { poolingRecordQty: 60 });
    for await (const page of stream) seen.push(...page.map(({ id }) => id));
    const expected = variables.flatMap((variable) =>
      Array.from({ length: counts[variable] ?? 0 }, (_, index) => `${variable}-${index}`),
    );
    expect(seen.toSorted()).toEqual(expected.toSorted());
  });
});
