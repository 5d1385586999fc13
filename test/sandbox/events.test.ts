import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { call, type NewDevice, newDevice, ok } from "./client.ts";

interface Stream {
  readonly reply: IncomingMessage;
  readonly text: () => string;
  readonly isClosed: () => boolean;
  /** Payloads of the events so far. */
  readonly events: () => { channel: string; timestamp: string; payload: unknown }[];
}

let sandbox: Sandbox;
let device: NewDevice;
const open: ClientRequest[] = [];

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  device = await newDevice(sandbox);
});
afterEach(() => {
  for (const request of open.splice(0)) request.destroy();
});
afterAll(() => sandbox.close());

function listen(query: string, at: Pick<Sandbox, "url"> = sandbox): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request = get(`${at.url}/events?${query}`, { agent: false }, (reply) => {
      let text = "";
      let closed = false;
      reply.setEncoding("utf8");
      reply.on("data", (chunk: string) => {
        text += chunk;
      });
      reply.on("error", () => {});
      reply.on("close", () => {
        closed = true;
      });
      const frames = () => text.split("\n\n").filter((frame) => frame.startsWith("data: "));
      resolve({
        reply,
        text: () => text,
        isClosed: () => closed,
        events: () => frames().map((frame) => JSON.parse(frame.slice(6))),
      });
    });
    request.on("error", reject);
    open.push(request);
  });
}

const streams = async (): Promise<number> =>
  (await ok<{ streams: number }>(sandbox, "GET", "/__sandbox/health")).streams;
const post = (rows: unknown, token = device.token) => ok(sandbox, "POST", "/data", { token, body: rows });
const channel = (id = device.device_id) => `device_data.${id}`;

describe("the event stream", () => {
  it("starts at once, with the reconnect time and a comment", async () => {
    const stream = await listen(`channels=${channel()}&token=${sandbox.tokens.profile}`);
    expect(stream.reply.statusCode).toBe(200);
    expect(stream.reply.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
    });
    await waitFor(() => stream.text() === "retry: 1000\n: connected\n\n", "the first frame");
  });

  it("is silent about what a reset fills the sandbox with", async () => {
    const other = await createSandbox({ seed: "empty" });
    try {
      const { profile: token } = other.tokens;
      const stream = await listen(`channels=ui&token=${token}`, other);
      other.reset();
      const { device_id: id } = await newDevice(other);
      await waitFor(() => stream.events().length > 0, "the change after the reset");
      expect(stream.events()[0]?.payload).toEqual({ resource: "device", id, when: "create" });
    } finally {
      await other.close();
    }
  });

  it("brings the rows just stored, to profile and device tokens, under either parameter name", async () => {
    const all = await Promise.all([
      listen(`channels=${channel()}&token=${sandbox.tokens.profile}`),
      listen(`channel=${channel()}&token=${device.token}`),
      listen(`channels[0]=ui&channels[1]=${channel()}&token=${sandbox.tokens.read}`),
    ]);
    await post([
      { variable: "a", value: 1 },
      { variable: "b", value: "ü" },
    ]);
    for (const stream of all) {
      await waitFor(() => stream.events().length === 1, "one event");
      const [event] = stream.events();
      expect(event?.channel).toBe(channel());
      expect(Number.isNaN(Date.parse(event?.timestamp ?? ""))).toBe(false);
      expect(event?.payload).toMatchObject([
        { variable: "a", value: 1, device: device.device_id },
        { variable: "b", value: "ü" },
      ]);
    }
  });

  it("brings events in the order of the writes, and none of a refused write", async () => {
    const stream = await listen(`channels=${channel()}&token=${sandbox.tokens.profile}`);
    for (let value = 0; value < 20; value += 1) await post({ variable: "n", value });
    expect((await call(sandbox, "POST", "/data", { token: device.token, body: { value: 1 } })).status).toBe(400);
    await post({ variable: "end", value: 1 });
    await waitFor(() => stream.events().length >= 21, "all events");
    const values = stream.events().flatMap(({ payload }) => payload as { variable: string; value: number }[]);
    expect(values.map(({ value }) => value)).toEqual([...Array(20).keys(), 1]);
  });

  it("says nothing of other devices", async () => {
    const other = await newDevice(sandbox);
    const stream = await listen(`channels=${channel(other.device_id)}&token=${sandbox.tokens.profile}`);
    await post({ variable: "a", value: 1 });
    await post({ variable: "mine", value: 1 }, other.token);
    await waitFor(() => stream.events().length > 0, "the own event");
    expect(stream.events()).toHaveLength(1);
    expect(stream.events()[0]?.payload).toMatchObject([{ variable: "mine" }]);
  });

  it("is refused with the envelope", async () => {
    const refusal = async (query: string) => {
      const answer = await call(sandbox, "GET", `/events?${query}`);
      return [answer.status, answer.body.message];
    };
    const { profile, analysis, expired } = sandbox.tokens;
    const denied = [401, "Authorization Denied"];
    expect(await refusal(`channels=${channel()}`)).toEqual(denied);
    expect(await refusal(`channels=${channel()}&token=wrong`)).toEqual(denied);
    expect(await refusal(`channels=${channel()}&token=${expired}`)).toEqual(denied);
    expect(await refusal(`channels=${channel()}&token=${analysis}`)).toEqual(denied);
    expect(await refusal(`channels=${channel("65a1000000000000000d9999")}&token=${device.token}`)).toEqual(denied);
    expect(await refusal(`channels=analysis_trigger&token=${profile}`)).toEqual(denied);
    expect(await refusal(`channels=${channel()}&token=${SEED_TOKENS.empty}`)).toEqual([404, "Device Not Found"]);
    expect((await refusal(`channels=nonsense&token=${profile}`))[0]).toBe(400);
    expect((await refusal(`channels=constructor&token=${profile}`))[0]).toBe(400);
    expect((await refusal(`channels=device_data&token=${profile}`))[0]).toBe(400);
    expect((await refusal(`channels=device_data.x&token=${profile}`))[0]).toBe(400);
    expect((await refusal(`channels=ui.${device.device_id}&token=${profile}`))[0]).toBe(400);
    expect((await refusal(`token=${profile}`))[0]).toBe(400);
  });

  it("forgets a listener that went away", async () => {
    const before = await streams();
    await listen(`channels=${channel()}&token=${sandbox.tokens.profile}`);
    expect(await streams()).toBe(before + 1);
    for (const request of open.splice(0)) request.destroy();
    await waitFor(async () => (await streams()) === before, "the listener to be forgotten");
  });

  it("cuts off a listener that does not read, and serves the others on", { tags: ["slow"] }, async () => {
    const slow = await listen(`channels=${channel()}&token=${sandbox.tokens.profile}`);
    slow.reply.pause();
    const quick = await listen(`channels=${channel()}&token=${sandbox.tokens.profile}`);
    const rows = Array.from({ length: 20 }, (_, index) => ({ variable: `v${index}`, value: "x".repeat(6_000) }));
    let cut = false;
    for (let round = 0; round < 400 && !cut; round += 1) {
      await post(rows);
      cut = (await streams()) < 2;
    }
    expect(cut).toBe(true);
    const seen = quick.events().length;
    await post({ variable: "after", value: 1 });
    await waitFor(() => quick.events().length > seen, "the next event");
  });

  it("ends when the sandbox is closed, which does not wait for it", async () => {
    const other = await createSandbox({ seed: "empty" });
    const stream = await listen(`channels=ui&token=${other.tokens.profile}`, other);
    await other.close();
    await waitFor(stream.isClosed, "the end of the stream");
  });

  it("is refused to the thousand and first listener, and open again once one has left", {
    tags: ["slow"],
  }, async () => {
    // Streams of the tests above may still be leaving.
    await waitFor(async () => (await streams()) === 0, "the streams to end");
    const query = `channels=ui&token=${sandbox.tokens.profile}`;
    const many = await Promise.all(Array.from({ length: 1_000 }, () => listen(query)));
    expect(await streams()).toBe(1_000);
    const refused = await call(sandbox, "GET", `/events?${query}`);
    expect([refused.status, refused.body.message]).toEqual([503, "Too many open event streams (limit 1000)"]);
    many[0]?.reply.destroy();
    let status: number | undefined;
    while (status !== 200) status = (await listen(query)).reply.statusCode;
  });
});
