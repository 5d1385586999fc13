import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selfSignedCertificate } from "../../src/sandbox/http/certificate.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { documents } from "../helpers/documents.ts";
import { plainLine } from "../helpers/leaves.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { type SmallServer, smallServer } from "../helpers/small-server.ts";
import { kafkaEngine, MOST_BYTES, mqttEngine, natsEngine, type TestEngine } from "./engines.ts";

let here: SandboxUnderTest;
const engines: TestEngine[] = [];
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  await here.close();
});

async function opened(engine: Promise<TestEngine>): Promise<TestEngine> {
  engines.push(await engine);
  return engine;
}

/** A device with these values, and their ids. */
async function stored(...values: readonly unknown[]): Promise<{ readonly device: string; readonly ids: string[] }> {
  const device = (await here.iot(["device", "create", "--name", "To an engine", "-o", "id"])).stdout.trim();
  for (const value of values) await here.iot(["device", "data", "send", device, `note=${value}`]);
  const records = await here.json<{ id: string }[]>(["device", "data", "list", device, "--sort", "time:asc"]);
  return { device, ids: records.map(({ id }) => id) };
}

const deliver = (device: string, to: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  here.iot(["stream", `device_data:${device}`, "--to", to, "--since", "-1h", ...args], { cwd: temporaryFolder(), env });

const makers = { NATS: natsEngine, MQTT: mqttEngine, Kafka: kafkaEngine };

describe("iot stream --to an engine", () => {
  it.each([
    ["NATS", natsEngine],
    ["MQTT", mqttEngine],
  ] as const)("speaks TLS with %s by the authority of --ca-file, and with no other", async (_, make) => {
    const certificate = selfSignedCertificate();
    const engine = await opened(make({ certificate }));
    const { device, ids } = await stored("one");
    const own = join(temporaryFolder(), "own.pem");
    writeFileSync(own, certificate.cert);
    const other = await deliver(device, engine.to, ["--count", "1", "--for", "10s"]);
    expect([other.code, other.stderr]).toEqual([10, expect.stringMatching(/certificate/)]);
    const { code, stderr } = await deliver(device, engine.to, ["--count", "1", "--ca-file", own]);
    expect(code, stderr).toBe(0);
    await expect.poll(() => engine.received()).toEqual(ids);
  });

  it.each(Object.entries(makers))("gives %s each record with its id", async (_, make) => {
    const engine = await opened(make());
    const { device, ids } = await stored("one", "two", "three");
    const { code, stderr } = await deliver(device, engine.to, ["--count", "3"]);
    expect(code, stderr).toBe(0);
    await expect.poll(async () => (await engine.received()).toSorted()).toEqual(ids.toSorted());
  });

  it.each([
    ["NATS", natsEngine],
    ["MQTT", () => mqttEngine({ lines: [`max_packet_size ${MOST_BYTES}`] })],
  ] as const)("writes what is too large for %s to the dead-letter file", async (_, make) => {
    const engine = await opened(make());
    const { device, ids } = await stored("one", "x".repeat(MOST_BYTES), "three");
    const file = join(temporaryFolder(), "dead.ndjson");
    const { code, stderr } = await deliver(device, engine.to, ["--count", "3", "--dead-letter", file]);
    expect(code, stderr).toBe(0);
    expect((JSON.parse(readFileSync(file, "utf8")) as { id: string }).id).toBe(ids[1]);
    await expect.poll(async () => (await engine.received()).toSorted()).toEqual([ids[0], ids[2]].toSorted());
  });

  it("logs in to NATS, and says when that rejects the password", async () => {
    const engine = await opened(natsEngine({ login: { user: "me", password: "right-word" } }));
    const { device, ids } = await stored("one");
    const login = (password: string) => ({ IOT_SINK_USER: "me", IOT_SINK_PASSWORD: password });
    const wrong = await deliver(device, engine.to, ["--count", "1"], login("wrong-word"));
    expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining("rejects the records")]);
    expect((await deliver(device, engine.to, ["--count", "1"], login("right-word"))).code).toBe(0);
    expect(await engine.received()).toEqual(ids);
  });

  it("says when no stream of JetStream stores the subject", async () => {
    const engine = await opened(natsEngine());
    const { code, stderr } = await deliver((await stored()).device, engine.to.replace("devices.", "others."), []);
    expect([code, stderr]).toEqual([6, expect.stringContaining("no stream of JetStream with the subject others.data")]);
  });
});

const [page] = documents("docs").filter(({ path }) => path === "docs/streams-out.md");
const lines = page?.commands.map(({ text }) => text).filter((text) => text.startsWith("iot ")) ?? [];

describe("docs/streams-out.md", () => {
  let https: SmallServer;
  beforeAll(async () => {
    https = await smallServer((_, response) => response.writeHead(204).end());
  });
  afterAll(() => https.close());

  it.each(lines)("runs %s", async (line) => {
    const given = plainLine(line)?.words ?? [];
    const engine = given.find((word) => word.includes("://")) ?? "";
    const makers = { nats: natsEngine, mqtt: mqttEngine, kafka: kafkaEngine };
    const [, make] = Object.entries(makers).find(([name]) => engine.startsWith(name)) ?? [];
    const address = make === undefined ? `${https.url}/records` : (await opened(make())).to;
    const words = given.map((word) => (word === engine ? address : word));
    const { code, stderr } = await here.iot([...words, "--for", "1s"], { cwd: temporaryFolder() });
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });
});
