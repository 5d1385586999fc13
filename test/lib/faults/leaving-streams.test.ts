import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Device, openEventStream, Resources } from "../../../src/index.ts";
import { type SeenRequest, type SmallServer, sendJson, smallServer } from "../../helpers/small-server.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const pooling = { poolingRecordQty: 2, poolingTime: 1 };

let server: SmallServer;
/** Requests that were neither answered nor given up. */
let open = 0;
let answer: (request: SeenRequest, response: ServerResponse) => void;

beforeEach(async () => {
  open = 0;
  answer = (_request, response) => sendJson(response, 200, { status: true, result: page });
  server = await smallServer((request, response) => {
    open += 1;
    response.on("close", () => {
      open -= 1;
    });
    answer(request, response);
  });
});

afterEach(() => server.close());

const moment = "2026-01-01T00:00:00.000Z";
/** Always a full page, so that no stream ends by itself. */
const page = [1, 2].map((n) => ({
  id: `r${n}`,
  name: "n",
  variable: "level",
  value: n,
  time: moment,
  created_at: moment,
}));

const settings = () => ({ token, region: { api: server.url, sse: server.url } });
const device = () => new Device(settings());
const resources = () => new Resources(settings());

const streams: [string, () => AsyncGenerator<unknown>][] = [
  ["getDataStreaming", () => device().getDataStreaming({}, pooling)],
  ["getDataStreaming with neverStop", () => device().getDataStreaming({}, { ...pooling, neverStop: true })],
  [
    "getDataStreaming of several variables with neverStop",
    () => device().getDataStreaming({ variables: ["a", "b"] }, { ...pooling, neverStop: true }),
  ],
  ["getDeviceDataStreaming", () => resources().devices.getDeviceDataStreaming("d1", {}, pooling)],
  [
    "getDeviceDataStreaming with neverStop",
    () => resources().devices.getDeviceDataStreaming("d1", {}, { ...pooling, neverStop: true }),
  ],
  ["devices.listStreaming", () => resources().devices.listStreaming({}, pooling)],
  ["getEntityDataStreaming", () => resources().entities.getEntityDataStreaming("e1", {}, pooling)],
];

/** Those that yield one row at a time. */
const iterators: typeof streams = [
  ["devices.all", () => resources().devices.all({ amount: 2 })],
  ["devices.allDeviceData", () => resources().devices.allDeviceData("d1", {}, pooling)],
];

/** Nothing may follow: long enough for several of the waits above. */
async function expectSilence(): Promise<void> {
  // What was sent before the end may arrive after it.
  await pause(30);
  await waitFor(() => open === 0, "no open request");
  const count = server.seen.length;
  await pause(30);
  expect(server.seen).toHaveLength(count);
  expect(open).toBe(0);
}

describe.each(streams)("%s", (_name, start) => {
  it("sends nothing after break", async () => {
    let pages = 0;
    for await (const _ of start()) {
      pages += 1;
      if (pages === 2) break;
    }
    expect(server.seen).toHaveLength(2);
    await expectSilence();
  });

  it("sends nothing after return out of the loop", async () => {
    const firstPage = async (): Promise<unknown> => {
      for await (const rows of start()) return rows;
      return undefined;
    };
    expect(await firstPage()).toHaveLength(2);
    expect(server.seen).toHaveLength(1);
    await expectSilence();
  });

  it("sends nothing after an error in the loop", async () => {
    const failing = async (): Promise<void> => {
      for await (const _ of start()) throw new Error("of the program");
    };
    await expect(failing()).rejects.toThrow("of the program");
    expect(server.seen).toHaveLength(1);
    await expectSilence();
  });
});

describe.each([...streams, ...iterators])("%s", (_name, start) => {
  it("gives up the request that runs when it is left from outside", async () => {
    answer = () => undefined;
    const stream = start();
    const next = stream.next();
    await waitFor(() => open === 1, "the first request");
    await expect(stream.return(undefined)).resolves.toEqual({ done: true, value: undefined });
    await expect(next).resolves.toEqual({ done: true, value: undefined });
    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
    expect(server.seen).toHaveLength(1);
    await expectSilence();
  });
});

describe("a stream that never stops and finds nothing", () => {
  it("can be left while it waits", async () => {
    answer = (_request, response) => sendJson(response, 200, { status: true, result: [] });
    const stream = device().getDataStreaming({}, { ...pooling, neverStop: true });
    const next = stream.next();
    await waitFor(() => server.seen.length >= 3, "several empty pages");
    await stream.return(undefined);
    await expect(next).resolves.toEqual({ done: true, value: undefined });
    await expectSilence();
  });
});

describe("an answer of the wrong kind", () => {
  it.each(["count", "time"] as const)("ends a stream by %s with an ApiError after one request", async (window) => {
    for (const result of [7, "many", { rows: [] }, null]) {
      server.seen.length = 0;
      answer = (_request, response) => sendJson(response, 200, { status: true, result });
      const read = async (): Promise<void> => {
        for await (const _ of device().getDataStreaming({}, { poolingTime: 0, window })) throw new Error("a page");
      };
      await expect(read()).rejects.toMatchObject({ name: "ApiError", code: "INVALID_REPLY" });
      expect(server.seen).toHaveLength(1);
    }
  });
});

describe("sending in batches", () => {
  const rows = Array.from({ length: 10 }, (_, n) => ({ variable: "level", value: n }));
  const accept = (response: ServerResponse): void => sendJson(response, 200, { status: true, result: "2 Data Added" });

  it("sends nothing after a refusal, and says how many records were accepted", async () => {
    answer = (_request, response) =>
      server.seen.length === 3 ? sendJson(response, 400, { status: false, message: "Full" }) : accept(response);
    for (const send of [
      () => device().sendDataStreaming(rows, pooling),
      () => resources().devices.sendDeviceDataStreaming("d1", rows, pooling),
    ]) {
      server.seen.length = 0;
      await expect(send()).rejects.toMatchObject({ name: "ApiError", message: "Full", accepted: 4 });
      expect(server.seen).toHaveLength(3);
      await expectSilence();
    }
  });

  it("can go on with the records that were not accepted", async () => {
    const stored: unknown[] = [];
    answer = ({ body }, response) => {
      if (server.seen.length === 3) return sendJson(response, 400, { status: false, message: "Full" });
      stored.push(...(JSON.parse(body) as { value: number }[]).map(({ value }) => value));
      accept(response);
    };
    const error = await device()
      .sendDataStreaming(rows, pooling)
      .catch((caught: { accepted?: number }) => caught);
    const accepted = typeof error === "object" ? error.accepted : undefined;
    await device().sendDataStreaming(rows.slice(accepted), pooling);
    expect(stored).toEqual(rows.map(({ value }) => value));
  });

  it("that is cancelled says how many records were accepted, and sends nothing more", async () => {
    const abort = new AbortController();
    answer = (_request, response) => {
      if (server.seen.length === 2) abort.abort();
      else accept(response);
    };
    const sending = device().sendDataStreaming(rows, { ...pooling, signal: abort.signal });
    await expect(sending).rejects.toMatchObject({ name: "CancelledError", accepted: 2 });
    await expectSilence();
  });
});

describe("an event stream", () => {
  const events = () => openEventStream({ ...settings(), channels: { channel: "ui" }, reconnectMs: 1 });
  const sayOne = (_request: SeenRequest, response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"channel":"ui"}\n\n');
  };

  it("closes its connection after break, and opens no other", async () => {
    answer = sayOne;
    for await (const { type } of events()) if (type === "message") break;
    await expectSilence();
    expect(server.seen).toHaveLength(1);
  });

  it("closes its connection after an error in the loop", async () => {
    answer = sayOne;
    const failing = async (): Promise<void> => {
      for await (const { type } of events()) if (type === "message") throw new Error("of the program");
    };
    await expect(failing()).rejects.toThrow("of the program");
    await expectSilence();
  });

  it("stops connecting again after break", async () => {
    answer = (_request, response) => response.destroy();
    for await (const item of events()) if (item.type === "retry" && item.failures === 2) break;
    await expectSilence();
  });
});
