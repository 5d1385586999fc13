import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type ManualClock, manualClock, type Sandbox } from "../../../src/sandbox/index.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { analysisOf, newAnalysis, until } from "../analyses/helpers.ts";
import { call, type NewDevice, newDevice, ok } from "../client.ts";

let sandbox: Sandbox;
let device: NewDevice;
let clock: ManualClock;
let problems: string[];

beforeEach(async () => {
  clock = manualClock(Date.parse("2026-03-10T08:00:00Z"));
  problems = [];
  sandbox = await createSandbox({ seed: "empty", clock, log: (text) => problems.push(text) });
  device = await newDevice(sandbox, { name: "Freezer", tags: [{ key: "kind", value: "freezer" }] });
});
afterEach(() => sandbox.close());

const profile = () => ({ token: sandbox.tokens.profile });
const send = (body: unknown, token = device.token) => ok(sandbox, "POST", "/data", { token, body });
const outbox = (kind: string) => sandbox.outbox().filter((message) => message.kind === kind);
const advance = (minutes: number) => ok(sandbox, "PUT", "/__sandbox/clock", { body: { advance: minutes * 60_000 } });

/** An email for each firing: its subject says which. */
const mail = (message = "$VALUE$") => ({ type: "email", to: "a@example.test", subject: "Fired", message });

async function newAction(members: Readonly<Record<string, unknown>>): Promise<string> {
  const body = { name: "Test", action: mail(), ...members };
  return (await ok<{ action: string }>(sandbox, "POST", "/action", { ...profile(), body })).action;
}

const info = (id: string) => ok<Record<string, unknown>>(sandbox, "GET", `/action/${id}`, profile());
const above = (value: string, more = {}) => ({
  device: device.device_id,
  variable: "temperature",
  is: ">",
  value,
  value_type: "number",
  ...more,
});

describe("the record of an action", () => {
  it("rests on an assumption only where its triggers or its lock do", async () => {
    const gapOf = async (method: string, path: string, body: object) =>
      (await call(sandbox, method, path, { ...profile(), body })).headers["x-sandbox-gap"];
    const post = (type: string, trigger: object) =>
      gapOf("POST", "/action", { name: "Test", action: mail(), type, trigger: [trigger] });
    expect(await post("condition", above("8"))).toBeUndefined();
    expect(await post("condition", above("8", { value_type: "*" }))).toBe("value_type *");
    expect(await post("schedule", { cron: "0 0 1 * *" })).toBeUndefined();
    expect(await post("schedule", { cron: "0 0 * * 1" })).toBeUndefined();
    expect(await post("schedule", { cron: "0 0 1 * 1" })).toBe("Cron with day and weekday");
    expect(
      await post("resource", { resource: "device", when: "create", tag_key: "a", tag_value: "b" }),
    ).toBeUndefined();
    expect(await post("resource", { resource: "device", when: "create" })).toBe("Resource trigger without tag");
    const id = await newAction({ type: "condition", trigger: [above("8")] });
    expect(await gapOf("PUT", `/action/${id}`, { name: "Other" })).toBeUndefined();
    expect(await gapOf("PUT", `/action/${id}`, { lock: true })).toBe("lock without unlock triggers; Lock of an action");
  });

  it("is created, read, listed, changed and deleted", async () => {
    const id = await newAction({
      name: "Too warm",
      type: "condition",
      trigger: [above("8")],
      tags: [{ key: "a", value: "b" }],
    });
    expect(await info(id)).toMatchObject({
      id,
      name: "Too warm",
      type: "condition",
      active: true,
      lock: false,
      trigger: [above("8")],
      action: mail(),
      last_triggered: "never",
    });
    expect(await ok(sandbox, "GET", "/action", profile())).toEqual([
      { id, name: "Too warm", tags: [{ key: "a", value: "b" }] },
    ]);
    expect(await ok(sandbox, "PUT", `/action/${id}`, { ...profile(), body: { active: false } })).toBe(
      "Successfully Updated",
    );
    await send({ variable: "temperature", value: 9 });
    expect(outbox("email")).toEqual([]);
    expect(await ok(sandbox, "DELETE", `/action/${id}`, profile())).toBe("Successfully Removed");
    expect((await call(sandbox, "GET", `/action/${id}`, profile())).body.message).toBe("Action Not Found");
  });

  it("is refused with what is wrong", async () => {
    const refused = async (members: object) => {
      const body = { name: "Test", type: "condition", action: mail(), trigger: [], ...members };
      const { status, body: answer } = await call(sandbox, "POST", "/action", { ...profile(), body });
      return [status, answer.message, Object.keys(answer.field_errors ?? {})];
    };
    const fields = (...names: string[]) => [400, "Error on Body parameters", names];
    expect(await refused({ type: "nonsense" })).toEqual(fields("type"));
    expect(await refused({ action: { type: "script", script: [] } })).toEqual(fields("action.script"));
    expect(await refused({ action: { type: "post", url: "ftp://a" } })).toEqual(fields("action.url"));
    expect(await refused({ trigger: [{ ...above("8"), is: "~" }] })).toEqual(fields("trigger.0.is"));
    expect(await refused({ type: "condition_geofence", trigger: [{ is: "IN", value: {} }] })).toEqual(
      fields("trigger.0.value"),
    );
    expect(await refused({ trigger: [above("")] })).toEqual(fields("trigger.0.value"));
    expect(await refused({ trigger: [above("8", { second_value: "" })] })).toEqual(fields("trigger.0.second_value"));
    const { device: _, ...tagged } = above("8", { tag_key: "kind", tag_value: "freezer" });
    expect(await refused({ trigger: [{ ...tagged, unlock: true }] })).toEqual(fields("trigger.0.unlock"));
    expect(await refused({ type: "mqtt_topic", trigger: [{ topic: "t", device: device.device_id }] })).toEqual(
      fields("trigger.0.tag_key", "trigger.0.tag_value"),
    );
    expect(await refused({ trigger: Array(11).fill(above("8")) })).toEqual(fields("trigger"));
    expect(await refused({ type: "schedule", trigger: [{ cron: "every day" }] })).toEqual([
      400,
      "Invalid cron code",
      [],
    ]);
    expect(await refused({ type: "schedule", trigger: [{ cron: "0 0 * * *", timezone: "Mars" }] })).toEqual([
      400,
      "Invalid timezone",
      [],
    ]);
    expect(await refused({ type: "interval", trigger: [{ interval: "10 seconds" }] })).toEqual([
      400,
      "Invalid interval",
      [],
    ]);
  });
});

describe("the triggers of an action", () => {
  const change = (id: string, body: object) => call(sandbox, "PUT", `/action/${id}`, { ...profile(), body });

  it("are replaced as a whole, and checked only against a type sent with them", async () => {
    const id = await newAction({ type: "condition", trigger: [above("8"), above("9")] });
    const trigger = [{ interval: "3 quarter" }, { interval: "2 week" }];
    expect((await change(id, { trigger })).status).toBe(200);
    expect(await info(id)).toMatchObject({ type: "condition", trigger });
    expect((await change(id, { type: "condition", trigger })).status).toBe(400);
    expect((await change(id, { trigger: [{ interval: "10 seconds" }] })).status).toBe(400);
    expect((await change(id, { trigger: [{ nothing: "known" }] })).status).toBe(400);
  });

  it("of an MQTT topic need a tag, and lose every other member", async () => {
    const topic = { topic: "plant/#", tag_key: "kind", tag_value: "freezer" };
    const id = await newAction({ type: "mqtt_topic", trigger: [{ ...topic, name: "Plant" }] });
    expect((await info(id))["trigger"]).toEqual([topic]);
    expect((await info(await newAction({ type: "mqtt_topic" })))["trigger"]).toEqual([]);
  });

  it("never fire when all of them are unlock rules", async () => {
    await newAction({ type: "condition", trigger: [above("8", { unlock: true })] });
    await send({ variable: "temperature", value: 9 });
    expect(outbox("email")).toEqual([]);
  });
});

describe("an action on device data", () => {
  it("fires once for each request that holds a match, with the facts of the row", async () => {
    const id = await newAction({
      type: "condition",
      trigger: [above("8"), above("20")],
      action: mail("$DEVICE.NAME$ $VARIABLE$=$VALUE$ $UNIT$"),
    });
    await send([
      { variable: "other", value: 99 },
      { variable: "Temperature", value: 30, unit: "C" },
      { variable: "temperature", value: 40 },
    ]);
    await send({ variable: "temperature", value: 8 });
    expect(outbox("email").map(({ message, to, action }) => ({ message, to, action }))).toEqual([
      { message: "Freezer temperature=30 C", to: "a@example.test", action: id },
    ]);
    expect((await info(id))["last_triggered"]).toBe("2026-03-10T08:00:00.000Z");
  });

  it("looks at devices by tag, and at no others", async () => {
    const { device: _, ...rest } = above("8");
    const tag = { tag_key: "kind", tag_value: "freezer" };
    await newAction({ type: "condition", trigger: [{ ...rest, ...tag, is: "*", value: "*", value_type: "*" }] });
    const other = await newDevice(sandbox, { tags: [{ key: "kind", value: "oven" }] });
    await send({ variable: "temperature", value: 200 }, other.token);
    expect(outbox("email")).toHaveLength(0);
    await send({ variable: "temperature", value: 9 });
    expect(outbox("email")).toHaveLength(1);
  });

  it("locks when it fired, and opens by its unlock rule only", async () => {
    const unlock = { ...above("5"), is: "<", unlock: true };
    const id = await newAction({ type: "condition", trigger: [above("8"), unlock] });
    const states: unknown[] = [];
    for (const value of [4, 9, 10, 6, 4, 9]) {
      await send({ variable: "temperature", value });
      states.push([value, outbox("email").length, (await info(id))["lock"]]);
    }
    expect(states).toEqual([
      [4, 0, false],
      [9, 1, true],
      [10, 1, true],
      [6, 1, true],
      [4, 1, false],
      [9, 2, true],
    ]);
    const setLock = (lock: boolean) => ok(sandbox, "PUT", `/action/${id}`, { ...profile(), body: { lock } });
    await setLock(false);
    await send({ variable: "temperature", value: 9 });
    expect(outbox("email")).toHaveLength(3);
    await setLock(false);
    await setLock(true);
    await send({ variable: "temperature", value: 9 });
    expect(outbox("email")).toHaveLength(3);
  });

  it("fires when it opens, too, if it is asked to", async () => {
    const unlock = { ...above("5"), is: "<", unlock: true };
    await newAction({
      type: "condition",
      trigger: [above("8"), unlock],
      trigger_when_unlock: true,
      action: mail("$ACTION.STATE$ $VALUE$"),
    });
    for (const value of [9, 9, 4, 4]) await send({ variable: "temperature", value });
    expect(outbox("email").map(({ message }) => message)).toEqual(["locked 9", "unlocked 4"]);
  });

  it("knows when a place is inside or outside an area", async () => {
    const fence = { device: device.device_id, variable: "position", value: { center: [13.4, 52.5], radius: 5 } };
    await newAction({
      type: "condition_geofence",
      trigger: [
        { ...fence, is: "OUT" },
        { ...fence, is: "IN", unlock: true },
      ],
      action: mail("$LOCATION$"),
    });
    const go = (lng: number, lat: number) => send({ variable: "position", value: "x", location: { lat, lng } });
    await go(13.4, 52.5);
    await go(14, 52.5);
    await go(14.1, 52.5);
    await go(13.41, 52.5);
    await go(15, 52.5);
    expect(outbox("email").map(({ message }) => message)).toEqual(["52.5,14", "52.5,15"]);
  });

  it("does not stay when the request is refused", async () => {
    const id = await newAction({ type: "condition", trigger: [above("8"), { ...above("5"), is: "<", unlock: true }] });
    const body = [{ variable: "temperature", value: 9 }, { value: 1 }];
    expect((await call(sandbox, "POST", "/data", { token: device.token, body })).status).toBe(400);
    expect(outbox("email")).toEqual([]);
    expect(await info(id)).toMatchObject({ lock: false, last_triggered: "never" });
  });

  it("hands the rows and what happened to its analyses", async () => {
    const source = "console.log(process.env.T_ANALYSIS_DATA); console.log(process.env.T_ANALYSIS_ENV)";
    const analysis = await newAnalysis(sandbox, { variables: [{ key: "own", value: 1 }] }, source);
    const id = await newAction({
      type: "condition",
      trigger: [above("8")],
      action: { type: "script", script: [analysis.id] },
    });
    await send([
      { variable: "temperature", value: 9 },
      { variable: "compressor", value: true },
    ]);
    const { console: lines } = await until(
      () => analysisOf(sandbox, analysis.id),
      (record) => record.console.some((line) => line.startsWith("Analysis ended")),
      "the run",
    );
    expect(JSON.parse(lines[1] ?? "")).toMatchObject([
      { variable: "temperature", value: 9, device: device.device_id },
      { variable: "compressor", value: true },
    ]);
    expect(JSON.parse(lines[2] ?? "")).toEqual([
      { key: "own", value: 1 },
      { key: "_action_id", value: id },
      { key: "_action_type", value: "condition" },
      { key: "_action_state", value: "" },
      { key: "_device_id", value: device.device_id },
    ]);
  });
});

describe("what an action does", () => {
  const fires = (action: object) => newAction({ type: "condition", trigger: [above("8")], action });
  const hot = () => send({ variable: "temperature", value: 9 });

  it("lands in the outbox, whatever the service, without the values of secrets", async () => {
    const secret = "65a10000000000000005ec01";
    await fires({ type: "sms", to: "5550100", message: "$VALUE$ is hot" });
    await fires({
      type: "sms-twilio",
      to: "+1",
      from: "+2",
      message: "m",
      twilio_sid: secret,
      twilio_token: "hidden value",
    });
    await fires({
      type: "whatsapp-twilio",
      to: "+1",
      from: "+2",
      content_sid: secret,
      twilio_sid: secret,
      twilio_token: secret,
    });
    await fires({
      type: "email-sendgrid",
      to: "a@b.test",
      from: "c@d.test",
      subject: "s",
      message: "m",
      sendgrid_api_key: secret,
    });
    await fires({
      type: "email-smtp",
      to: "a@b.test",
      from: "c@d.test",
      subject: "s",
      message: "m",
      smtp_secret: secret,
    });
    await fires({ type: "queue-sqs", sqs_secret: secret });
    await fires({ type: "mqtt", bucket: device.device_id, topic: "alarm/$DEVICE$", payload: "$VALUE$" });
    await fires({
      type: "post",
      url: "https://hooks.example.test/x?at=$VALUE$",
      headers: { "X-Key": "$VARIABLE$" },
    });
    await hot();
    expect(sandbox.outbox().map(({ kind }) => kind)).toEqual([
      ...["sms", "sms-twilio", "whatsapp-twilio", "email-sendgrid", "email-smtp", "queue-sqs", "mqtt", "http"],
    ]);
    expect(outbox("sms")[0]).toMatchObject({ to: "+15550100", message: "9 is hot" });
    expect(outbox("sms-twilio")[0]).toMatchObject({ twilio_sid: secret, twilio_token: "(not kept)" });
    expect(outbox("queue-sqs")[0]).toMatchObject({ data: [{ variable: "temperature", value: 9 }] });
    expect(outbox("mqtt")[0]).toMatchObject({ topic: `alarm/${device.device_id}`, payload: "9" });
    expect(outbox("http")[0]).toMatchObject({
      method: "POST",
      url: "https://hooks.example.test/x?at=9",
      headers: { "X-Key": "temperature" },
    });
    expect(JSON.stringify(sandbox.outbox())).not.toContain("hidden value");
    expect(problems).toEqual([]);
  });

  it("makes a notification of the profile, and pushes it to registered phones", async () => {
    await ok(sandbox, "POST", "/notification/push/register", {
      ...profile(),
      body: { device_token: "phone", platform: "ios" },
    });
    await fires({ type: "notification", subject: "Freezer", message: `$VALUE$ ${"x".repeat(200)}` });
    await hot();
    expect(await ok(sandbox, "GET", "/notification/", profile())).toMatchObject([{ title: "Freezer", read: false }]);
    expect(outbox("push")).toMatchObject([{ to: "phone", title: "Freezer", message: `9 ${"x".repeat(138)}` }]);
  });

  it("may be a device's data that came over MQTT", async () => {
    const target = await newDevice(sandbox);
    await newAction({
      type: "mqtt_topic",
      trigger: [{ tag_key: "kind", tag_value: "freezer", topic: "plant/+/raw" }],
      action: { type: "tagoio", device: target.device_id },
    });
    const publish = (topic: string, message: unknown) =>
      ok(sandbox, "POST", "/analysis/services/mqtt/publish", {
        token: sandbox.tokens.analysis,
        body: { topic, message, device: device.device_id },
      });
    await publish("plant/7/raw", "0aff");
    await publish("plant/7/other", "no");
    await publish("plant/8/raw", JSON.stringify([{ variable: "level", value: 3 }]));
    const rows = await ok(sandbox, "GET", "/data?ordination=ascending", { token: target.token });
    expect(rows).toMatchObject([
      { variable: "payload", value: "0aff", metadata: { topic: "plant/7/raw" } },
      { variable: "level", value: 3 },
    ]);
  });
});

describe("an action that posts", () => {
  let server: Server;
  let url: string;
  let statuses: number[];
  const seen: { retries: unknown; key: unknown; body: unknown }[] = [];

  beforeAll(async () => {
    server = createServer((incoming: IncomingMessage, outgoing) => {
      let text = "";
      incoming.on("data", (chunk) => {
        text += String(chunk);
      });
      incoming.on("end", () => {
        const { "tagoio-retries": retries, "x-key": key } = incoming.headers;
        seen.push({ retries, key, body: JSON.parse(text) });
        outgoing.writeHead(statuses.shift() ?? 204).end();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  beforeEach(() => {
    seen.length = 0;
    statuses = [];
  });
  afterAll(() => {
    server.close();
  });

  it("to this machine really does, and tries again until it is answered with 20x", async () => {
    statuses = [500, 302, 201];
    await newAction({
      type: "condition",
      trigger: [above("8")],
      action: { type: "post", url, headers: { "x-key": "secret" } },
    });
    await send({ variable: "temperature", value: 9 });
    await waitFor(() => seen.length === 3, "three tries");
    expect(seen.map(({ retries }) => retries)).toEqual(["0", "1", "2"]);
    expect(seen[2]).toMatchObject({
      key: "secret",
      body: [{ variable: "temperature", value: 9, device: device.device_id }],
    });
    expect(sandbox.outbox()).toEqual([]);
  });

  it("leaves its rows on the fallback device after ten failures", { tags: ["slow"] }, async () => {
    statuses = Array(20).fill(503);
    const spare = await newDevice(sandbox);
    await newAction({
      type: "condition",
      trigger: [above("8")],
      action: { type: "post", url, http_post_fallback_enabled: true, fallback_token: spare.token },
    });
    await send({ variable: "temperature", value: 9, metadata: { a: 1 } });
    const rows = await until(
      () => ok<unknown[]>(sandbox, "GET", "/data", { token: spare.token }),
      (list) => list.length > 0,
      "the rows",
    );
    expect(seen).toHaveLength(10);
    expect(rows).toMatchObject([
      { variable: "temperature", value: 9, metadata: { a: 1, _http_url: url, _http_attempts: 10 } },
    ]);
  });
});

describe("an action by time", () => {
  it("fires at its intervals, as often as the clock passes them", async () => {
    await newAction({ type: "interval", trigger: [{ interval: "5 minutes" }] });
    await advance(4);
    expect(outbox("email")).toHaveLength(0);
    await advance(1);
    expect(outbox("email")).toHaveLength(1);
    await advance(16);
    expect(outbox("email")).toHaveLength(4);
  });

  it("fires by the calendar of its timezone", async () => {
    await newAction({ type: "schedule", trigger: [{ cron: "30 9 * * 1-5", timezone: "Europe/Lisbon" }] });
    await advance(89);
    expect(outbox("email")).toHaveLength(0);
    await advance(1);
    expect(outbox("email")).toHaveLength(1);
    // From Tuesday to the Tuesday after, with a weekend between.
    await advance(7 * 24 * 60);
    expect(outbox("email")).toHaveLength(6);
  });

  it("is as new after an edit, and silent when it is inactive", async () => {
    const id = await newAction({ type: "interval", trigger: [{ interval: "10 minutes" }] });
    await advance(9);
    await ok(sandbox, "PUT", `/action/${id}`, { ...profile(), body: { trigger: [{ interval: "2 minutes" }] } });
    await advance(1);
    expect(outbox("email")).toHaveLength(0);
    await advance(1);
    expect(outbox("email")).toHaveLength(1);
    await ok(sandbox, "PUT", `/action/${id}`, { ...profile(), body: { active: false } });
    await advance(60);
    expect(outbox("email")).toHaveLength(1);
  });

  it("sees a clock that the test itself moves, and one that runs fast", { tags: ["slow"] }, async () => {
    await newAction({ type: "interval", trigger: [{ interval: "1 minute" }] });
    clock.advance(60_000);
    await waitFor(() => outbox("email").length === 1, "the firing");
    const fast = await createSandbox({ seed: "empty", clock: "x6000" });
    const body = { name: "Fast", type: "interval", trigger: [{ interval: "1 minute" }], action: mail() };
    await ok(fast, "POST", "/action", { token: fast.tokens.profile, body });
    await waitFor(() => fast.outbox().length >= 3, "three firings");
    await fast.close();
  });

  it("runs no analysis, whatever its interval", async () => {
    const { id } = await newAnalysis(sandbox, { run_on: "external", interval: "1 hour" });
    await advance(120);
    expect(await analysisOf(sandbox, id)).toMatchObject({ console: [], last_run: "never" });
  });
});

describe("an action on resources", () => {
  it("fires when one with its tag is created, changed or deleted", async () => {
    const trigger = (when: string) => ({ resource: "device", when, tag_key: "kind", tag_value: "freezer" });
    await newAction({ type: "resource", trigger: [trigger("create"), trigger("delete")] });
    await newAction({
      type: "resource",
      trigger: [trigger("update")],
      action: { type: "sms", to: "+1", message: "changed" },
    });
    const other = await newDevice(sandbox, { tags: [{ key: "kind", value: "oven" }] });
    const made = await newDevice(sandbox, { tags: [{ key: "kind", value: "freezer" }] });
    expect(outbox("email")).toHaveLength(1);
    for (const { device_id } of [other, made]) {
      await ok(sandbox, "PUT", `/device/${device_id}`, { ...profile(), body: { name: "New name" } });
    }
    expect(outbox("sms")).toHaveLength(1);
    for (const { device_id } of [other, made]) await ok(sandbox, "DELETE", `/device/${device_id}`, profile());
    expect(outbox("email")).toHaveLength(2);
  });

  it("fires when a limit is used up to its share, once until it no longer is", async () => {
    const limited = await createSandbox({ seed: "empty", plan: "free", clock });
    const token = limited.tokens.profile;
    const trigger = [{ service_or_resource: "device", condition: ">", condition_value: 50 }];
    await ok(limited, "POST", "/action", {
      token,
      body: { name: "Full", type: "usage_alert", trigger, action: mail("full") },
    });
    for (let n = 0; n < 2; n += 1) await newDevice(limited);
    const third = await newDevice(limited);
    // What is used is looked at with each fourth look at the clock.
    const look = () => ok(limited, "PUT", "/__sandbox/clock", { body: { advance: 1 } });
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect(limited.outbox()).toHaveLength(1);
    await newDevice(limited);
    await ok(limited, "DELETE", `/device/${third.device_id}`, { token });
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect(limited.outbox()).toHaveLength(1);
    await limited.close();
  });
});

describe("actions that fire each other", () => {
  const isReported = () => problems.some((text) => text.includes("fires itself"));

  it("are stopped when one stores the data that fires it", async () => {
    const target = { type: "tagoio", device: device.device_id };
    const trigger = [{ topic: "#", tag_key: "kind", tag_value: "freezer" }];
    await newAction({ type: "mqtt_topic", trigger, action: target });
    await newAction({
      type: "condition",
      trigger: [{ device: device.device_id, variable: "payload", is: "*", value_type: "*" }],
      action: { type: "mqtt", bucket: device.device_id, topic: "again", payload: "x" },
    });
    await send({ variable: "payload", value: 1 });
    expect(isReported()).toBe(true);
    expect(outbox("mqtt").length).toBeLessThan(50);
    await send({ variable: "other", value: 1 });
  });

  it("are stopped when one posts to the sandbox what fires it", { tags: ["slow"] }, async () => {
    await newAction({
      type: "condition",
      trigger: [above("8")],
      action: { type: "post", url: `${sandbox.url}/data`, headers: { token: device.token } },
    });
    await send({ variable: "temperature", value: 9 });
    await waitFor(isReported, "the end of the loop");
  });
});
