import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCli } from "../helpers/cli.ts";
import { contentOf, variedRecords } from "../helpers/device-content.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface Device {
  readonly [member: string]: unknown;
}
interface Copied {
  readonly id: string;
  readonly name: string;
  readonly records: number;
  readonly left_out: number;
}

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

const iot = (args: readonly string[], stdin = "") => runHere(args, { env: here.env, stdin });
const device = async (name: string, ...flags: string[]): Promise<string> =>
  (await iot(["device", "create", "--name", name, ...flags, "-o", "id"])).stdout.trim();
const info = (id: string): Promise<Device> => here.json<Device>(["device", "get", id]);
const sent = (line: string): number => here.requests().filter((request) => request === line).length;
const send = async (id: string, records: readonly object[]): Promise<void> => {
  const { code, stderr } = await iot(["device", "data", "send", id, "--input", "-"], JSON.stringify(records));
  expect(code, stderr).toBe(0);
};
const copy = async (...args: string[]): Promise<Copied> => {
  const [row] = await here.json<Copied[]>(["device", "copy", ...args]);
  if (row === undefined) throw new Error("nothing was copied");
  return row;
};
const kept = ["type", "description", "active", "visible", "connector", "network", "tags", "payload_decoder"] as const;
const storage = ["chunk_period", "chunk_retention", "mutable_variable_regex"] as const;
const settings = (row: Device) => Object.fromEntries([...kept, ...storage].map((key) => [key, row[key] ?? null]));

describe("device copy", () => {
  it.each(["Freezer 1", "Weather station", "Truck 7"])("takes over every setting of %s, without data", async (name) => {
    const original = await here.json<Device>(["device", "get", `name:${name}`]);
    await iot(["device", "param", "set", `name:${name}`, "rate=5"]);
    const row = await copy(`name:${name}`, "--name", "%s, spare");
    expect(row.name).toBe(`${name}, spare`);
    expect(settings(await info(row.id))).toEqual(settings(original));
    const params = async (id: string) =>
      (await here.json<Device[]>(["device", "param", "list", id])).map(({ key, value, sent }) => ({
        key,
        value,
        sent,
      }));
    expect(await params(row.id)).toEqual(await params(String(original["id"])));
    expect(await contentOf(here.env, row.id)).toEqual([]);
  });

  it("copies an inactive device of another storage type with a serial number of its own", async () => {
    const id = await device("Idle", "--inactive", "--serial", "IDLE1", "--connector", "name:Plant meter");
    const flags = ["--type", "immutable", "--period", "week", "--retention", "4", "--serial", "IDLE2"];
    const made = await info((await copy(id, ...flags)).id);
    expect(made).toMatchObject({ name: "Idle (copy)", active: false, type: "immutable", chunk_period: "week" });
    expect((await here.json<Device[]>(["device", "list", "--serial", "IDLE2"])).map((row) => row["id"])).toEqual([
      made["id"],
    ]);
  });

  it.each([
    ["--type", "immutable"],
    ["--period", "day"],
    ["--type", "immutable", "--period", "day", "--retention", "32"],
    ["--resume"],
    ["--verify"],
  ])("rejects %s %s", async (...flags) => {
    const before = sent("POST /device");
    expect((await iot(["device", "copy", "name:Freezer 1", ...flags])).code).toBe(2);
    expect(sent("POST /device")).toBe(before);
  });

  it("prints its requests with --dry-run", async () => {
    const before = sent("POST /device");
    const { code, stdout } = await iot(["device", "copy", "name:Freezer 1", "--with-data", "--dry-run", "--json"]);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Device[]).map(({ method }) => method)).toEqual(["POST", "POST", "PUT"]);
    expect(sent("POST /device")).toBe(before);
  });
});

describe("device copy --with-data", () => {
  it("copies every record as it is, without its parser changing it or its actions firing", {
    tags: ["slow"],
  }, async () => {
    const id = await device("Odd", "--tag", "copied=odd");
    const records = variedRecords(Date.now(), 2_400);
    await send(id, records);
    const action = await here.json<Device>([
      ..."action create --name Alarm --device-tag copied=odd --condition temperature>0 --notify --subject a --message b".split(
        " ",
      ),
    ]);
    const parser = Buffer.from("payload = payload.map((each) => ({ ...each, value: 999 }));").toString("base64");
    expect((await iot(["api", "PUT", `/device/${id}`, "--field", `payload_decoder=${parser}`])).code).toBe(0);
    const row = await copy(id, "--with-data", "--verify", "--name", "Odd twin");
    expect(row).toMatchObject({ records: 2_400, left_out: 0 });
    expect(await contentOf(here.env, row.id)).toEqual(await contentOf(here.env, id));
    expect(await info(row.id)).toMatchObject({ name: "Odd twin", payload_decoder: parser, tags: [{ key: "copied" }] });
    const { last_triggered: fired } = await here.json<Device>(["action", "get", String(action["id"])]);
    expect(fired ?? "never").toBe("never");
    expect(readdirSync(join(String(here.env["IOT_CONFIG_DIR"]), "state", "device-copies"))).toEqual([]);
  });

  it("leaves out what the new storage does not take, and says so first", async () => {
    const id = await device("Long ago");
    const recent = variedRecords(Date.now(), 20);
    await send(id, [...variedRecords(Date.now() - 40 * 86_400_000, 30), ...recent]);
    const flags = ["--with-data", "--type", "immutable", "--period", "day", "--retention", "7", "--verify", "--json"];
    const { code, stdout, stderr } = await iot(["device", "copy", id, ...flags]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("30 records will be left out");
    expect(JSON.parse(stdout)).toMatchObject([{ records: 20, left_out: 30, type: "immutable" }]);
  });

  it("asks before it reads and writes more than 10,000 records", async () => {
    const { code, stderr } = await iot(["device", "copy", "name:Vibration logger", "--with-data", "--no-input"]);
    expect({ code, asks: stderr.includes("Add --yes") }, stderr).toEqual({ code: 2, asks: true });
  });

  it("ends with 11 when the connector's parser drops records", { tags: ["slow"] }, async () => {
    const connector = (await here.json<Device[]>(["connector", "list"])).find(({ name }) => name === "Plant meter");
    const id = await device("Dropped", "--connector", "name:Plant meter");
    await send(id, variedRecords(Date.now(), 9));
    const parser = Buffer.from('payload = payload.filter((each) => each.variable !== "state");').toString("base64");
    const path = `/integration/connector/${String(connector?.["id"])}`;
    expect((await iot(["api", "PUT", path, "--field", `payload_decoder=${parser}`])).code).toBe(0);
    const { code, stderr } = await iot(["device", "copy", id, "--with-data"]);
    expect({ code, says: stderr.includes("has 6 records in the range; 9 were sent") }, stderr).toEqual({
      code: 11,
      says: true,
    });
  });

  async function killedAt(route: string, amount: number): Promise<void> {
    const name = `Killed ${route}`;
    const id = await device(name);
    await send(id, variedRecords(Date.now(), 2_300));
    here.sandbox.faults.set([{ route, kind: "latency", delayMs: 60 }]);
    const args = ["device", "copy", id, "--with-data", "--concurrency", "1"];
    const before = sent(route);
    const child = await startCli(args, { env: here.env });
    const ended = new Promise((done) => child.once("close", (__, signal) => done(signal)));
    await waitFor(() => sent(route) >= before + amount || child.exitCode !== null, route);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    here.sandbox.faults.set([]);
    expect(await iot(args)).toMatchObject({ code: 2, stderr: expect.stringContaining("--resume continues it") });
    const row = await copy(id, "--with-data", "--resume", "--verify");
    expect(row).toMatchObject({ name: `${name} (copy)`, records: 2_300 });
    expect(await contentOf(here.env, row.id)).toEqual(await contentOf(here.env, id));
    const found = await here.json<Device[]>(["device", "list", "--name", `${name}*`, "--fields", "id,name"]);
    expect(found.map((each) => each["name"]).sort()).toEqual([name, `${name} (copy)`]);
  }

  it("is finished with --resume after a kill while it is made: one device, each record once", { tags: ["slow"] }, () =>
    killedAt("POST /device", 1),
  );

  it("is finished with --resume after a kill between its records", { tags: ["slow"] }, () => killedAt("POST /data", 2));

  it("copies into another environment, with network and connector of the same name", async () => {
    const there = await sandboxUnderTest({ seed: "empty" });
    try {
      const addresses = ["--api-url", there.sandbox.url, "--events-url", there.sandbox.eventsUrl];
      expect((await iot(["env", "add", "there", ...addresses])).code).toBe(0);
      const login = ["auth", "login", "--with-token", "--env", "there"];
      expect((await iot(login, there.sandbox.tokens.profile)).code).toBe(0);
      const row = await copy("name:Truck 7", "--with-data", "--verify", "--to-env", "there");
      expect(row.name).toBe("Truck 7");
      const original = await here.json<Device>(["device", "get", "name:Truck 7"]);
      expect(settings(await there.json<Device>(["device", "get", row.id]))).toEqual(settings(original));
      expect(await contentOf(there.env, row.id)).toEqual(await contentOf(here.env, String(original["id"])));
    } finally {
      await there.close();
    }
  });
});
