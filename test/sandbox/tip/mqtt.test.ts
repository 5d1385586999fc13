import mqtt from "mqtt";
import { afterAll, beforeAll, expect, it } from "vitest";
import { authHash, deriveKey, sealEnvelope } from "../../../src/lib/tip/index.ts";
import {
  hostAndPort,
  parsedSerial,
  serial,
  subscriber,
  type TipSandbox,
  tipSandbox,
} from "../../helpers/tip-sandbox.ts";
import { ok } from "../client.ts";

let here: TipSandbox;
beforeAll(async () => {
  here = await tipSandbox();
});
afterAll(() => here.sandbox.close());

const refusal = (username: string, password: string, protocolVersion: 4 | 5): Promise<unknown> =>
  new Promise((resolve) => {
    const client = mqtt.connect({
      ...hostAndPort(here.tip.mqtt),
      username,
      password,
      protocolVersion,
      reconnectPeriod: 0,
    });
    client.once("error", (error) => {
      client.end(true);
      resolve("code" in error ? error.code : error);
    });
    client.once("connect", () => resolve("connected"));
  });

it("rejects a wrong hash, in MQTT 3.1.1 and 5", async () => {
  const { hash } = here.tip;
  expect(await refusal(hash.slice(0, 8), "00000000", 4)).toBe(5);
  expect(await refusal(hash.slice(0, 8), "00000000", 5)).toBe(0x87);
  expect(await refusal("", "", 4)).toBe(5);
});

it.each([3, 4, 5] as const)(
  "serves MQTT version %i with every quality of service",
  { tags: ["slow"] },
  async (version) => {
    const version3 =
      version === 3 ? ({ protocolId: "MQIsdp", protocolVersion: 3 } as const) : { protocolVersion: version };
    const { client, messages } = await subscriber(here, [`$tip/${serial}/ack`], version3);
    for (const qos of [0, 1, 2] as const)
      await client.publishAsync(`$tip/${serial}/push`, `[q${qos}:=${version}]`, { qos });
    await messages(3);
    await client.publishAsync(`$tip/${serial}/pull`, "q0,q1,q2");
    expect((await messages(4)).at(-1)).toMatch(/ack OK\|\[q0:=\d@\d+;q1:=\d@\d+;q2:=\d@\d+\]$/);
  },
);

it("lets devices of one authorization hear each other, and nobody else", async () => {
  const { sandbox } = here;
  const made = await ok<{ token: string }>(sandbox, "POST", "/serviceauth", {
    token: sandbox.tokens.profile,
    body: { name: "Other context", permission: "full" },
  });
  const hash = authHash(made.token);
  const credentials = { username: hash.slice(0, 8), password: hash.slice(8) };
  const sender = await subscriber(here, [], { clientId: "same" });
  const listener = await subscriber(here, ["$tip/#"]);
  // The same client id in another context is another client.
  const other = await subscriber(here, ["$tip/#", `$tip/${serial}/ack`], { ...credentials, clientId: "same" });
  await sender.client.publishAsync(`$tip/${serial}/push`, "[heard:=1]", { qos: 1 });
  expect((await listener.messages(2)).sort()).toEqual([`$tip/${serial}/ack OK|1`, `$tip/${serial}/push [heard:=1]`]);
  await other.client.publishAsync(`$tip/${serial}/push`, "[own:=1]", { qos: 1 });
  expect((await other.messages(2)).sort()).toEqual([`$tip/${serial}/ack OK|1`, `$tip/${serial}/push [own:=1]`]);
  expect(await listener.messages(2)).toHaveLength(2);
  expect(sender.client.connected).toBe(true);
});

it("does not open envelopes of another authorization than the connection's", async () => {
  const { tip } = here;
  const other = `at${"0".repeat(32)}`;
  const { client, payloads, messages } = await subscriber(here, [`$tips/${serial}/ack`]);
  const inner = `${serial}|[x:=1]`;
  const content = { method: "PUSH", counter: 1, serial, key: deriveKey(other, serial), inner } as const;
  await client.publishAsync(
    `$tips/${serial}/push`,
    Buffer.from(sealEnvelope({ ...content, authHash: authHash(other) })),
  );
  await messages(1);
  expect(payloads[0]?.toString()).toBe("ACK|ERR|auth_failed");
  const key = deriveKey(tip.authorization, serial);
  await client.publishAsync(`$tips/${serial}/push`, Buffer.from(sealEnvelope({ ...content, key, authHash: tip.hash })));
  await messages(2);
  expect(payloads[1]?.[0]).toBe(3);
});

it("keeps nothing, allows 5 subscriptions and topics of the protocol alone", async () => {
  const { client, messages } = await subscriber(here, [], {
    will: { topic: `$tip/${serial}/will`, payload: Buffer.from("x") },
  });
  const granted = async (topic: string): Promise<number | undefined> =>
    client.subscribeAsync(topic).then(
      ([grant]) => grant?.qos,
      () => 128,
    );
  expect(await granted("other/topic")).toBe(128);
  expect(await granted("#")).toBe(128);
  for (let n = 1; n <= 5; n += 1) expect(await granted(`$tip/s${n}/ack`)).toBe(0);
  expect(await granted("$tip/s6/ack")).toBe(128);
  await client.unsubscribeAsync("$tip/s1/ack");
  expect(await granted(`$tip/${serial}/#`)).toBe(0);
  await client.publishAsync("other/topic", "x", { qos: 1 });
  await client.publishAsync(`$tip/${serial}/push`, "[kept:=1]", { qos: 1, retain: true });
  await messages(2);
  const late = await subscriber(here, [`$tip/${serial}/#`]);
  await late.client.publishAsync(`$tip/${serial}/push`, "[late:=1]", { qos: 1 });
  expect(await late.messages(2)).not.toContain(`$tip/${serial}/push [kept:=1]`);
  await client.publishAsync(`$tip/${serial}/push`, "x".repeat(16_385), { qos: 1 });
  expect((await late.messages(3)).at(-1)).toBe(`$tip/${serial}/ack ERR|payload_too_large`);
});

it("reaches a parser, and a topic that is too long ends the connection", { tags: ["slow"] }, async () => {
  const { client, messages } = await subscriber(here, [`$tip/${parsedSerial}/ack`]);
  await client.publishAsync(`$tip/${parsedSerial}/push`, ">x010263", { qos: 1 });
  expect(await messages(1)).toEqual([`$tip/${parsedSerial}/ack OK|2`]);
  const closed = new Promise<void>((resolve) => {
    client.once("close", () => resolve());
  });
  client.publish(`$tip/${"s".repeat(130)}/push`, "x", { qos: 0 });
  await closed;
});
