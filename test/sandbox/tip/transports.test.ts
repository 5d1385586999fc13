import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TipClient, type TipClientOptions, type TipOver } from "../../../src/lib/tip/index.ts";
import {
  deviceId,
  hostAndPort,
  parsedSerial,
  serial,
  subscriber,
  type TipSandbox,
  tcp,
  tipSandbox,
  udpText,
} from "../../helpers/tip-sandbox.ts";
import { call, ok } from "../client.ts";

let here: TipSandbox;
let last = 0;
/** Rises over all tests, as the devices are the same. */
const sequence = { next: async () => rising() };

function rising(): number {
  last += 1;
  return last;
}

beforeAll(async () => {
  here = await tipSandbox();
});
afterAll(() => here.sandbox.close());

interface Row {
  readonly variable: string;
  readonly [field: string]: unknown;
}

const dataOf = (device: string, query: string): Promise<Row[]> =>
  ok<Row[]>(here.sandbox, "GET", `/device/${device}/data?${query}`, { token: here.sandbox.tokens.profile });

function clientOver(over: TipOver, more: Partial<TipClientOptions> = {}): TipClient {
  const { tip } = here;
  const address =
    over === "http" ? new URL(tip.http).host : over === "udp" && more.secure !== undefined ? tip.udps : tip[over];
  const counter = over === "http" && more.secure === undefined ? {} : { sequence };
  const { authorization } = tip;
  return new TipClient({ over, authorization, serial, retries: 0, ...hostAndPort(address), ...counter, ...more });
}

/** All ways a request can take. The others are repetitions of the first. */
const ways = (["udp", "tcp", "http", "mqtt"] as const).flatMap((over) =>
  [false, true].map((isSealed) => ({
    over,
    isSealed,
    tags: over === "udp" && !isSealed ? [] : (["slow"] as const satisfies string[]),
  })),
);

describe.each(ways)("over $over, in envelopes: $isSealed", ({ over, isSealed, tags }) => {
  const secure = isSealed ? { secure: true } : {};

  it("stores records as POST /data does, and reads them", { tags }, async () => {
    const client = clientOver(over, secure);
    const name = `way_${over}_${isSealed}`;
    const time = 1_754_000_000_000;
    const variables = [
      { variable: name, value: -18.25, unit: "°C", time, group: "run_9", metadata: { phase: "l1" } },
      { variable: `${name}_text`, value: "heating; up|\nnow", location: { lat: 48.21, lng: 16.37, alt: 171 } },
      { variable: `${name}_flag`, value: false },
      { variable: `${name}_place`, value: { lat: 1.5, lng: -2.5 } },
    ];
    expect(await client.push(variables, { metadata: { fw: "3.0.1" } })).toBe(4);
    const rows = await dataOf(deviceId, `query=last_item&variables=${name}&variables=${name}_text`);
    expect(rows.find(({ variable }) => variable === name)).toMatchObject({
      value: -18.25,
      unit: "°C",
      time: new Date(time).toISOString(),
      group: "run_9",
      metadata: { fw: "3.0.1", phase: "l1" },
    });
    expect(rows.find(({ variable }) => variable === `${name}_text`)).toMatchObject({
      value: "heating; up|\nnow",
      location: { type: "Point", coordinates: [16.37, 48.21, 171] },
    });
    const names = [`${name}_place`, `${name}_flag`, "unknown", name, name];
    expect(await client.pull(names)).toMatchObject([
      { variable: `${name}_place`, type: "location", value: { lat: 1.5, lng: -2.5 }, metadata: { fw: "3.0.1" } },
      { variable: `${name}_flag`, type: "boolean", value: false },
      { variable: name, type: "number", value: -18.25, unit: "°C", time, group: "run_9" },
    ]);
    await expect(client.pull(["unknown"])).rejects.toMatchObject({ code: "variable_not_found" });
    await client.close();
  });

  it("hands bytes to the payload parser", { tags: ["slow"] }, async () => {
    const client = clientOver(over, { ...secure, serial: parsedSerial });
    expect(await client.pushRaw(Uint8Array.of(0x01, 0x02, 0x63))).toBe(2);
    expect(await client.pull(["temperature", "battery"])).toMatchObject([{ value: 2.58, unit: "°C" }, { value: 99 }]);
    // Records are left as they are by this one.
    expect(await client.push([{ variable: "door", value: true }])).toBe(1);
    await client.close();
  });

  it("says what is wrong", { tags }, async () => {
    const client = clientOver(over, { ...secure, serial: "sensor-99" });
    await expect(client.push([{ variable: "x", value: 1 }])).rejects.toMatchObject({
      code: isSealed ? "auth_failed" : "device_not_found",
    });
    await client.close();
  });
});

/** `POST /tip/cmd`, as programs with a service authorization send it. */
const command = (body: object) =>
  call(here.sandbox, "POST", "/tip/cmd", { token: here.tip.authorization, body: { serial, ...body } });

describe("commands", () => {
  it("wait for a PING over UDP or a HEAD, the oldest first, and are then gone", async () => {
    for (const [protocol, body] of [
      ["udp", "first"],
      ["http", "second käse"],
    ])
      expect(await command({ protocol, body })).toMatchObject({ status: 200 });
    const { hash, http, udp } = here.tip;
    expect(await udpText(udp, `PING|!${rising()}|${hash}|${serial}`)).toEqual([`ACK|!${last}|CMD|first`]);
    const head = { headers: { authorization: `TagoTiP ${hash}` } };
    const target = { url: http };
    const answer = await call(target, "HEAD", `/v1/tip/${serial}`, head);
    expect(answer.status).toBe(200);
    expect(Buffer.from(String(answer.headers["x-tagotip-cmd"]), "latin1").toString()).toBe("second käse");
    expect(await call(target, "HEAD", `/v1/tip/${serial}`, head)).toMatchObject({ status: 204, text: "" });
    expect(await udpText(udp, `PING|${hash}|${serial}`)).toEqual(["ACK|PONG"]);
  });

  it("reach open connections over TCP at once, and the next one otherwise", async () => {
    const { hash, tcp: address } = here.tip;
    await command({ protocol: "tcp", body: "before" });
    const line = tcp(address);
    line.socket.write(`PING|${hash}|${serial}\n`);
    expect(await line.lines(2)).toEqual(["ACK|PONG", "ACK|CMD|before"]);
    await command({ protocol: "tcp", body: "now" });
    expect(await line.lines(3)).toEqual(["ACK|PONG", "ACK|CMD|before", "ACK|CMD|now"]);
    line.socket.end();
    await line.closed();
    await command({ protocol: "tcp", body: "a" });
    await command({ protocol: "tcp", body: "b" });
    const next = tcp(address);
    next.socket.write(`PING|${hash}|${serial}\n`);
    expect(await next.lines(3)).toEqual(["ACK|PONG", "ACK|CMD|a", "ACK|CMD|b"]);
  });

  it("are encrypted on connections with envelopes", { tags: ["slow"] }, async () => {
    const client = clientOver("tcp", { secure: true });
    const received: string[] = [];
    const stop = new AbortController();
    const listening = (async () => {
      for await (const one of client.commands({ signal: stop.signal })) {
        received.push(one);
        if (received.length === 2) stop.abort();
      }
    })();
    await command({ protocol: "tcp", body: "one" });
    await command({ protocol: "tcp", body: "two" });
    await listening;
    expect(received).toEqual(["one", "two"]);
    await client.close();
  });

  it("go to those who have subscribed over MQTT, in plain text and in envelopes", async () => {
    const plain = await subscriber(here, [`$tip/${serial}/ack`]);
    const sealed = clientOver("mqtt", { secure: true });
    await sealed.ping();
    await command({ protocol: "mqtt", body: "valve=open" });
    expect(await plain.messages(1)).toEqual([`$tip/${serial}/ack CMD|valve=open`]);
    await expect.poll(() => sealed.ping()).toEqual({ command: "valve=open" });
    await sealed.close();
  });

  it("are in the outbox, and are rejected if the protocol cannot carry them", async () => {
    expect(await command({ protocol: "udp", body: "a|b" })).toMatchObject({ status: 400 });
    expect(await command({ protocol: "udp", body: "a\nACK|OK" })).toMatchObject({ status: 400 });
    expect(await command({ protocol: "udp", body: "" })).toMatchObject({ status: 400 });
    expect(await command({ protocol: "coap", body: "a" })).toMatchObject({ status: 400 });
    expect(await command({ serial: "sensor-99", protocol: "udp", body: "a" })).toMatchObject({ status: 404 });
    const kept = here.sandbox.outbox({ kind: "tagotip" });
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every(({ body }) => typeof body === "string" && !body.includes("|"))).toBe(true);
    expect(
      (await call(here.sandbox, "POST", "/tip/cmd", { token: here.sandbox.tokens.profile, body: {} })).status,
    ).toBe(401);
  });
});

describe("HTTP", () => {
  const send = (method: string, path: string, raw?: string, authorization = `TagoTiP ${here.tip.hash}`) =>
    call({ url: here.tip.http }, method, path, { headers: { authorization }, ...(raw !== undefined && { raw }) });

  it("answers with the bare count, values, or code", async () => {
    expect(await send("POST", `/v1/tip/${serial}`, "[over_http:=1;b=x]")).toMatchObject({ status: 200, text: "2" });
    const read = await send("GET", `/v1/tip/${serial}?variables=over_http,nothing`);
    expect(read).toMatchObject({ status: 200, text: expect.stringMatching(/^\[over_http:=1@\d+\]$/) });
    const cases = [
      [400, "invalid_payload", await send("POST", `/v1/tip/${serial}`, "[over_http:=]")],
      [400, "invalid_payload", await send("GET", `/v1/tip/${serial}`)],
      [400, "invalid_payload", await send("GET", `/v1/tip/${serial}?variables=!1%7Ca`)],
      [401, "invalid_token", await send("POST", `/v1/tip/${serial}`, "[a:=1]", "TagoTiP 0000000000000000")],
      [401, "invalid_token", await send("POST", `/v1/tip/${serial}`, "[a:=1]", "TagoTiP x")],
      [404, "device_not_found", await send("POST", "/v1/tip/sensor-99", "[a:=1]")],
      [404, "variable_not_found", await send("GET", `/v1/tip/${serial}?variables=nothing`)],
      [405, "invalid_method", await send("PUT", `/v1/tip/${serial}`, "[a:=1]")],
      [413, "payload_too_large", await send("POST", `/v1/tip/${serial}`, "x".repeat(16_386))],
    ] as const;
    for (const [status, text, answer] of cases) expect([answer.status, answer.text]).toEqual([status, text]);
    expect((await send("PUT", `/v1/tip/${serial}`, "")).headers["allow"]).toBe("GET, HEAD, POST");
    expect(await send("HEAD", "/v1/tip/sensor-99")).toMatchObject({ status: 404, text: "" });
    expect(await send("POST", "/v1/tips", "PUSH|x")).toMatchObject({
      status: 400,
      text: "ACK|ERR|unsupported_version",
    });
    expect(await send("POST", "/v1/tips", "\u0000".repeat(17_000))).toMatchObject({
      status: 413,
      text: "ACK|ERR|envelope_too_large",
    });
  });
});

describe("what happens besides", () => {
  it("is in the request log and the live inspector, without token and key", async () => {
    const { sandbox, tip } = here;
    const token = sandbox.tokens.profile;
    const controller = new AbortController();
    const stream = await fetch(`${sandbox.eventsUrl}?channel=device_inspector.${deviceId}`, {
      headers: { token },
      signal: controller.signal,
    });
    await udpText(tip.udp, `PUSH|${tip.hash}|${serial}|[seen:=1]`, `PUSH|${tip.hash}|${serial}|[seen:=]`);
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of stream.body ?? []) {
      text += decoder.decode(chunk);
      if (text.includes("ERR invalid_payload")) break;
    }
    controller.abort();
    expect(text).toContain("[PUSH] TagoTiP over UDP");
    expect(text).toContain("[seen:=1]");
    expect(text).not.toContain(tip.authorization);
    const [entry] = sandbox.requestLog().slice(-2);
    expect(entry).toMatchObject({ method: "PUSH", url: `tip:udp/${serial}`, status: 200, token: "service" });
    const { result } = (await call(sandbox, "GET", `/__sandbox/requests/${entry?.n}`)).body;
    expect(JSON.stringify(result)).toContain("[seen:=1]");
    expect(JSON.stringify(result)).not.toContain(tip.hash);
  });

  it("notes the use of the authorization and the last input of the device", async () => {
    const { sandbox, tip } = here;
    const token = sandbox.tokens.profile;
    await udpText(tip.udp, `PUSH|${tip.hash}|${serial}|[seen:=2]`);
    const list = await ok<{ name: string; last_authorization: string | null }[]>(
      sandbox,
      "GET",
      "/serviceauth?fields[]=name&fields[]=last_authorization",
      {
        token,
      },
    );
    expect(list.find(({ name }) => name === "TagoTiP")?.last_authorization).toMatch(/^\d{4}-/);
    const [row] = await ok<{ last_authorization: string }[]>(
      sandbox,
      "GET",
      `/device/token/${deviceId}?fields[]=last_authorization`,
      { token },
    );
    expect(row?.last_authorization).toBe(tip.authorization);
  });

  it("can be injected: delays, codes, lost responses", async () => {
    const { sandbox, tip } = here;
    sandbox.faults.set([{ route: "TIP PUSH udp", kind: "status", status: 429, count: 1 }]);
    const push = `PUSH|${tip.hash}|${serial}|[fault:=1]`;
    expect(await udpText(tip.udp, `PING|${tip.hash}|${serial}`, push, push)).toEqual([
      "ACK|PONG",
      "ACK|ERR|rate_limited",
      "ACK|OK|1",
    ]);
    sandbox.faults.set([{ route: "TIP * tcp", kind: "drop", count: 1 }]);
    const line = tcp(tip.tcp);
    line.socket.write(`${push}\n`);
    await line.closed();
    expect(line.received().length).toBe(0);
    sandbox.faults.set([]);
  });
});
