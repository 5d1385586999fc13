import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Device, Resources } from "../../src/index.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { type ClusterPlace, clusterPlace, type ProgramProcess } from "./place.ts";

const DEVICES = 40;
const listeners: ProgramProcess[] = [];
let place: ClusterPlace;
let senders: Device[];
beforeAll(async () => {
  place = await clusterPlace(DEVICES);
  const { env } = place.here;
  const region = { api: env["IOT_API_URL"] ?? "", sse: env["IOT_EVENTS_URL"] ?? "" };
  const resources = new Resources({ token: env["IOT_TOKEN"] ?? "", region });
  const tokens = await Promise.all(place.devices.map((id) => resources.devices.tokenList(id)));
  senders = tokens.map(([first]) => new Device({ token: first?.token ?? "", region }));
});
afterEach(() => Promise.all(listeners.splice(0).map((one) => one.end("SIGKILL"))));
afterAll(() => place?.close());

async function listen(group: string, ...more: readonly string[]): Promise<ProgramProcess> {
  const shared = ["--tag", "site=plant", "--queue", place.redis.url, "--group", group];
  const listener = await place.start(["device", "watch", ...shared, ...more]);
  listeners.push(listener);
  return listener;
}

/** What a listener last said of its part. */
function partOf(listener: ProgramProcess): { devices: number; listeners: number } {
  const [, devices = "0", others = "0"] =
    [...listener.said().matchAll(/Listening to (\d+) of 40 devices; (\d+) /g)].at(-1) ?? [];
  return { devices: Number(devices), listeners: Number(others) };
}

/** Waits until these share all devices. */
async function sharing(...those: readonly ProgramProcess[]): Promise<void> {
  const isShared = (): boolean => {
    const parts = those.map(partOf);
    const total = parts.reduce((sum, { devices }) => sum + devices, 0);
    return total === DEVICES && parts.every((part) => part.listeners === those.length && part.devices > 0);
  };
  await waitFor(isShared, `${those.length} listeners with all devices`).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${those.map((one) => one.said()).join("\n")}`);
  });
}

/** What a listener has left in Redis to the others: up to when it has printed everything, and the ids after that. */
interface Left {
  readonly untilMs: number;
  readonly ids: readonly string[];
}

async function leftByListeners(): Promise<Left[]> {
  const redis = place.redis.client();
  const values = await redis.mget(...(await redis.keys("iot-stream:*")));
  redis.disconnect();
  return values
    .map((text) => JSON.parse(text ?? "null") as Partial<Left> | null)
    .flatMap((value) => (value?.ids === undefined ? [] : [{ untilMs: value.untilMs ?? 0, ids: value.ids }]));
}

interface Printed {
  readonly id: string;
  readonly time: string;
  readonly device: string;
  readonly variable: string;
  readonly value: number;
}

const recordsOf = (listener: ProgramProcess): Printed[] =>
  listener
    .printed()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Printed);

const printedBy = (those: readonly ProgramProcess[]): number[] =>
  those.flatMap((one) => recordsOf(one).map(({ value }) => value)).sort((a, b) => a - b);

let nextNumber = 0;

/** Sends 100 records a second with a number each, to one device after the other. */
function steadySends() {
  const first = nextNumber;
  const sent: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const sender = senders[sent.length % DEVICES];
    if (sender === undefined) return;
    sent.push(sender.sendData({ variable: "steady", value: nextNumber }));
    nextNumber += 1;
  }, 10);
  return {
    /** The numbers of all that the platform took. */
    async stop(): Promise<number[]> {
      clearInterval(timer);
      await Promise.all(sent);
      return sent.map((_, at) => first + at);
    },
  };
}

const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1_000));

describe("listeners of a group", () => {
  it("share the devices, and hand them over when one comes and one goes, each record once", async () => {
    const [first, second] = await Promise.all([listen("plan"), listen("plan")]);
    await sharing(first, second);
    const sends = steadySends();
    await waitFor(() => printedBy([first, second]).length >= 2 * DEVICES, "the first records");
    const heard = [first, second].flatMap((one) => [...new Set(recordsOf(one).map(({ device }) => device))]);
    expect(heard.sort()).toEqual([...place.devices].sort());

    const third = await listen("plan");
    await sharing(first, second, third);
    expect(await first.end("SIGTERM")).toBe(143);
    await sharing(second, third);
    const sent = await sends.stop();
    const all = [first, second, third];
    await waitFor(() => printedBy(all).length >= sent.length, "all records").catch(() => undefined);
    expect(printedBy(all)).toEqual(sent);
    expect(partOf(third).devices).toBeGreaterThan(0);
  });

  it("lose nothing when one is killed; what it printed last may come again", async () => {
    const [first, second] = await Promise.all([listen("kill"), listen("kill")]);
    await sharing(first, second);
    const sends = steadySends();
    /** What the second one last said in Redis that it has printed. */
    const known = async () => {
      const ids = new Set(recordsOf(second).map(({ id }) => id));
      return (await leftByListeners()).find((state) => state.ids.some((id) => ids.has(id)));
    };
    await waitFor(async () => (await known()) !== undefined, "a heartbeat after the first records");
    await second.end("SIGKILL");
    const last = await known();
    await sharing(first);
    const sent = await sends.stop();
    await waitFor(() => new Set(printedBy([first, second])).size >= sent.length, "all records").catch(() => undefined);
    const printed = printedBy([first, second]);
    expect([...new Set(printed)]).toEqual(sent);
    const twice = new Set(printed.filter((value, at) => value === printed[at - 1]));
    const again = recordsOf(second).filter(({ value }) => twice.has(value));
    expect(again).toHaveLength(twice.size);
    expect(again.filter(({ id }) => last?.ids.includes(id))).toEqual([]);
    expect(again.filter(({ time }) => Date.parse(time) < (last?.untilMs ?? 0))).toEqual([]);
  });

  it("go on with their devices while Redis is away, even when it comes back empty", async () => {
    const [first, second] = await Promise.all([listen("away"), listen("away")]);
    await sharing(first, second);
    const parts = [partOf(first), partOf(second)];
    const sends = steadySends();
    await place.redis.kill();
    await seconds(5);
    await place.redis.start();
    for (const one of [first, second]) {
      await waitFor(() => /Connected to the queue .* again/.test(one.said()), "the queue");
      expect(one.said()).toContain("Lost the connection to the queue");
    }
    await seconds(1);
    const sent = await sends.stop();
    await waitFor(() => printedBy([first, second]).length >= sent.length, "all records").catch(() => undefined);
    expect(printedBy([first, second])).toEqual(sent);
    expect([partOf(first), partOf(second)]).toEqual(parts);
  });
});
