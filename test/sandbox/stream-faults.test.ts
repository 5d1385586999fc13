import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EventStream, openEventStream, type StreamItem } from "../../src/index.ts";
import { createSandbox, type FaultRule, type Sandbox } from "../../src/sandbox/index.ts";
import { holdTimers } from "../helpers/held-timers.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { call, type NewDevice, newDevice, ok } from "./client.ts";

type Payload = readonly { readonly value: number }[];

interface Listener {
  readonly items: StreamItem<Payload>[];
  readonly count: (type: StreamItem["type"]) => number;
  /** Values of the events so far. */
  readonly values: () => number[];
}

let sandbox: Sandbox;
let device: NewDevice;
const open: EventStream<Payload>[] = [];

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  device = await newDevice(sandbox);
});
afterEach(async () => {
  sandbox.faults.set([]);
  for (const stream of open.splice(0)) stream.close();
  while ((await ok<{ streams: number }>(sandbox, "GET", "/__sandbox/health")).streams > 0);
});
afterAll(() => sandbox.close());

/** The library's own stream on the data of the device, connected. */
async function listen(options: { readonly silenceMs?: number } = {}): Promise<Listener> {
  const stream = openEventStream<Payload>({
    token: sandbox.tokens.profile,
    region: { api: sandbox.url, sse: sandbox.eventsUrl },
    channels: { channel: "device_data", resource_id: device.device_id },
    reconnectMs: 1,
    ...options,
  });
  open.push(stream);
  const items: StreamItem<Payload>[] = [];
  const read = async (): Promise<void> => {
    for await (const item of stream) items.push(item);
  };
  void read();
  const count = (type: StreamItem["type"]) => items.filter((item) => item.type === type).length;
  await waitFor(() => count("open") > 0, "the stream to open");
  const values = () => items.flatMap((item) => (item.type === "message" ? item.payload.map(({ value }) => value) : []));
  return { items, count, values };
}

const post = (value: number) => ok(sandbox, "POST", "/data", { token: device.token, body: { variable: "n", value } });
async function postAll(...values: readonly number[]): Promise<void> {
  for (const value of values) await post(value);
}
const injected = () => sandbox.faults.list().map((rule) => rule.injected);

describe("a cut", () => {
  it("closes an open stream after a number of events, and the library reconnects", { tags: ["slow"] }, async () => {
    const listener = await listen();
    sandbox.faults.set([{ kind: "cut", route: "GET /events", after: 3, count: 1 }]);
    await postAll(1, 2, 3);
    await waitFor(() => listener.count("gap") === 1, "the library to reconnect");
    await postAll(4, 5, 6, 7);
    await waitFor(() => listener.values().includes(7), "events of the new connection");
    expect(listener.values()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect([listener.count("open"), listener.count("retry"), injected()]).toEqual([2, 1, [1]]);
  });

  it("hits open streams at once, and those of another channel not at all", { tags: ["slow"] }, async () => {
    const listener = await listen();
    sandbox.faults.set([{ kind: "cut", channel: "ui" }]);
    await post(1);
    await waitFor(() => listener.values().length === 1, "the event");
    expect([listener.count("retry"), injected()]).toEqual([0, [0]]);
    sandbox.faults.set([{ kind: "cut", channel: "device_data", count: 1 }]);
    expect(injected()).toEqual([1]);
    await waitFor(() => listener.count("gap") === 1, "the library to reconnect");
  });

  it("comes after a time as well, also to a stream that opens later", { tags: ["slow"] }, async () => {
    sandbox.faults.set([{ kind: "cut", afterMs: 30, count: 1 }]);
    const listener = await listen();
    await waitFor(() => listener.count("gap") === 1, "the library to reconnect");
    expect(injected()).toEqual([1]);
  });
});

describe("a stall", () => {
  it("keeps the connection open and silent, until the library gives it up", async () => {
    const quiet = holdTimers(200);
    const listener = await listen({ silenceMs: 200 });
    sandbox.faults.set([{ kind: "stall", count: 1 }]);
    expect(injected()).toEqual([1]);
    await post(1);
    quiet.elapse();
    await waitFor(() => listener.count("retry") === 1, "the silence to be noticed");
    const retry = listener.items.findLast((item) => item.type === "retry");
    expect(retry?.type === "retry" ? retry.error.message : "").toContain("sent nothing for 200 ms");
    expect(listener.values()).toEqual([]);
  });

  it("of some time sends its events afterwards, in their order", async () => {
    const listener = await listen();
    sandbox.faults.set([{ kind: "stall", after: 1, forMs: 150 }]);
    const startedAt = performance.now();
    await postAll(1, 2, 3);
    await waitFor(() => listener.values().length === 3, "all events");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(145);
    expect([listener.values(), listener.count("retry")]).toEqual([[1, 2, 3], 0]);
  });

  it("without an end lasts until the rules change", async () => {
    const listener = await listen();
    sandbox.faults.set([{ kind: "stall" }]);
    const other = await listen();
    await postAll(1, 2);
    expect([listener.values(), other.values()]).toEqual([[], []]);
    sandbox.faults.set([]);
    await waitFor(() => listener.values().length === 2 && other.values().length === 2, "the held events");
    expect(listener.values()).toEqual([1, 2]);
  });
});

describe("events", () => {
  it("that are duplicated reach the reader twice, as many as the rule counts", async () => {
    const listener = await listen();
    sandbox.faults.set([{ kind: "duplicate", count: 2 }]);
    await postAll(1, 2, 3);
    await waitFor(() => listener.values().includes(3), "the last event");
    expect([listener.values(), injected()]).toEqual([[1, 1, 2, 2, 3], [2]]);
  });

  it("that are delayed keep their order", async () => {
    const listener = await listen();
    sandbox.faults.set([{ kind: "delay", delayMs: 100, jitterMs: 50, count: 1 }]);
    const startedAt = performance.now();
    await postAll(1, 2);
    await waitFor(() => listener.values().length === 2, "both events");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
    expect([listener.values(), injected()]).toEqual([[1, 2], [1]]);
  });

  it("are chosen by the seed: the same ones in every run", async () => {
    const rules: FaultRule[] = [{ kind: "duplicate", rate: 0.5 }];
    const values = Array.from({ length: 20 }, (_, index) => index);
    const run = async (): Promise<number[]> => {
      const listener = await listen();
      sandbox.faults.set(rules);
      await postAll(...values);
      const [total = 0] = injected();
      await waitFor(() => listener.values().length === values.length + total, "all events");
      return listener.values();
    };
    const first = await run();
    expect(first.length).toBeGreaterThan(values.length);
    expect(first.length).toBeLessThan(values.length * 2);
    sandbox.faults.set([]);
    for (const stream of open.splice(0)) stream.close();
    expect(await run()).toEqual(first);
  });
});

describe("rules of event streams", () => {
  it("are not injected into other requests, nor into the stream of the sandbox's own page", async () => {
    sandbox.faults.set([{ kind: "cut", route: "*" }, { kind: "duplicate" }]);
    expect((await call(sandbox, "GET", "/status")).status).toBe(200);
    expect(injected()).toEqual([0, 0]);
  });

  it("are set over the inspection route like all others", { tags: ["slow"] }, async () => {
    const listener = await listen();
    const rule: FaultRule = { kind: "cut", after: 1, count: 1 };
    await ok(sandbox, "PUT", "/__sandbox/faults", { body: [rule] });
    await post(1);
    await waitFor(() => listener.count("gap") === 1, "the library to reconnect");
    expect(await ok(sandbox, "GET", "/__sandbox/faults")).toEqual([{ ...rule, injected: 1 }]);
    const bad = { kind: "cut", route: "POST /data" };
    expect((await call(sandbox, "PUT", "/__sandbox/faults", { body: [bad] })).status).toBe(400);
  });
});
