import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CancelledError, Device, InputError, Resources } from "../../../src/index.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { demoSandbox } from "../../helpers/demo-sandbox.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { collect } from "../../helpers/operations.ts";
import { sendJson, smallServer } from "../../helpers/small-server.ts";

type Rows = AsyncGenerator<object, void, undefined>;

/** The rows as a set that can be compared, whatever their order. */
const asSet = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

describe("iterators over lists of the demo account", () => {
  let sandbox: Sandbox;
  let resources: Resources;
  let deviceID: string;
  let networkID: string;

  beforeAll(async () => {
    sandbox = await demoSandbox();
    const region = { api: sandbox.url, sse: sandbox.eventsUrl };
    resources = new Resources({ token: sandbox.tokens.profile, region });
    deviceID = (await resources.devices.list({ amount: 1 }))[0]?.id ?? "";
    networkID = (await resources.integration.networks.list({ amount: 1 }))[0]?.id ?? "";
  });
  afterAll(() => sandbox.close());

  const one = { amount: 3 } as const;
  const many = { amount: 1000 } as const;
  const lists: readonly [
    name: string,
    all: (r: Resources) => Rows,
    list: (r: Resources) => Promise<readonly object[]>,
  ][] = [
    ["accessManagement", (r) => r.accessManagement.all(one), (r) => r.accessManagement.list(many)],
    ["actions", (r) => r.actions.all(one), (r) => r.actions.list(many)],
    ["analysis", (r) => r.analysis.all(one), (r) => r.analysis.list(many)],
    ["buckets", (r) => r.buckets.all(one), (r) => r.buckets.list(many)],
    ["connectors", (r) => r.integration.connectors.all(one), (r) => r.integration.connectors.list(many)],
    ["dashboards", (r) => r.dashboards.all(one), (r) => r.dashboards.list(many)],
    ["devices", (r) => r.devices.all(one), (r) => r.devices.list(many)],
    ["dictionaries", (r) => r.dictionaries.all(one), (r) => r.dictionaries.list(many)],
    ["entities", (r) => r.entities.all(one), (r) => r.entities.list(many)],
    ["files", (r) => r.files.all({ quantity: 2 }), async (r) => (await r.files.list()).files],
    ["networks", (r) => r.integration.networks.all(one), (r) => r.integration.networks.list(many)],
    ["notifications", (r) => r.notifications.all({ amount: 2 }), (r) => r.notifications.list(many)],
    ["payments", (r) => r.billing.allPayments({ amount: 2 }), (r) => r.billing.getPaymentHistory(many)],
    ["profiles", (r) => r.profiles.all(), (r) => r.profiles.list()],
    ["secrets", (r) => r.secrets.all(one), (r) => r.secrets.list(many)],
    ["sql", (r) => r.sql.all(one), (r) => r.sql.list(many)],
    ["tagocores", (r) => r.tagocores.all(one), (r) => r.tagocores.list(many)],
    ["run users", (r) => r.run.allUsers(one), (r) => r.run.listUsers(many)],
    ["authorizations", (r) => r.serviceAuthorization.allTokens(one), (r) => r.serviceAuthorization.tokenList(many)],
    ["device tokens", (r) => r.devices.allTokens(deviceID), (r) => r.devices.tokenList(deviceID)],
    [
      "network tokens",
      (r) => r.integration.networks.allTokens(networkID),
      (r) => r.integration.networks.tokenList(networkID),
    ],
    ["profile tokens", (r) => r.profiles.allTokens("current"), (r) => r.profiles.tokenList("current", many)],
  ];

  it.each(lists)("%s: yields the rows of the list, each once", async (_, all, list) => {
    const expected = await list(resources);
    const found = await collect(all(resources));
    expect(asSet(found)).toEqual(asSet(expected));
  });

  it("most of these lists hold rows, and several have more than one page", async () => {
    const counts = await Promise.all(lists.map(async ([, , list]) => (await list(resources)).length));
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(15);
    expect(counts.filter((count) => count > 3).length).toBeGreaterThan(5);
  });

  it("records of a device come one by one, as the stream gives them", async () => {
    const pages = await collect(resources.devices.getDeviceDataStreaming(deviceID, {}, { poolingTime: 0 }));
    const rows = await collect(resources.devices.allDeviceData(deviceID));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows).toEqual(pages.flat());
    const { token } = (await resources.devices.tokenList(deviceID))[0] ?? { token: "" };
    const device = new Device({ token, region: { api: sandbox.url, sse: sandbox.eventsUrl } });
    expect(asSet(await collect(device.allData()))).toEqual(asSet(rows));
  });

  it("rows of an entity come one by one", async () => {
    const counts: number[] = [];
    for await (const { id } of resources.entities.all()) {
      const rows = await collect(resources.entities.allEntityData(id));
      expect(asSet(rows)).toEqual(asSet(await resources.entities.getEntityData(id, { amount: 10_000 })));
      counts.push(rows.length);
    }
    expect(Math.max(...counts)).toBeGreaterThan(2);
  });
});

describe("an iterator over a list", () => {
  let sandbox: Sandbox;
  let devices: Resources["devices"];

  beforeAll(async () => {
    sandbox = await createSandbox({ seed: "empty", ephemeral: true });
    devices = new Resources({
      token: sandbox.tokens.profile,
      region: { api: sandbox.url, sse: sandbox.eventsUrl },
    }).devices;
  });
  beforeEach(async () => {
    for (const { id } of await devices.list({ amount: 1000 })) await devices.delete(id);
    for (const name of ["Zulu", "Alpha", "Mike", "Bravo", "Tango"]) await devices.create({ name, type: "mutable" });
  });
  afterAll(() => sandbox.close());

  /** Requests of the list since a count of the log. */
  const requests = (from: number) =>
    sandbox
      .requestLog()
      .slice(from)
      .map(({ url }) => new URL(url, "http://x").searchParams)
      .map((query) => `${query.get("page")} ${query.get("amount")} ${query.get("orderBy")}`);

  it("reads the oldest first in pages of 1000, and the order it is told", async () => {
    const from = sandbox.requestLog().length;
    const names = (await collect(devices.all())).map(({ name }) => name);
    expect(names).toEqual(["Zulu", "Alpha", "Mike", "Bravo", "Tango"]);
    const sorted = (await collect(devices.all({ orderBy: ["name", "asc"], amount: 2 }))).map(({ name }) => name);
    expect(sorted).toEqual(["Alpha", "Bravo", "Mike", "Tango", "Zulu"]);
    expect(requests(from)).toEqual(["1 1000 created_at,asc", "1 2 name,asc", "2 2 name,asc", "3 2 name,asc"]);
  });

  it("reads nothing before it is asked, no page ahead, and none after the loop is left", async () => {
    const from = sandbox.requestLog().length;
    const rows = devices.all({ amount: 2 });
    expect(requests(from)).toEqual([]);
    const seen: string[] = [];
    for await (const { name } of rows) {
      seen.push(name);
      if (seen.length === 2) expect(requests(from)).toHaveLength(1);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(["Zulu", "Alpha", "Mike"]);
    expect(requests(from)).toHaveLength(2);
    expect(await rows.next()).toEqual({ done: true, value: undefined });
    expect(requests(from)).toHaveLength(2);
  });

  it("starts at the page of the query and filters as the list does", async () => {
    expect((await collect(devices.all({ amount: 2, page: 2 }))).map(({ name }) => name)).toEqual([
      "Mike",
      "Bravo",
      "Tango",
    ]);
    expect((await collect(devices.all({ filter: { name: "*o" } }))).map(({ name }) => name)).toEqual([
      "Bravo",
      "Tango",
    ]);
  });

  it("yields what is created while reading, and goes on after a row was deleted", async () => {
    const seen: string[] = [];
    for await (const { id, name } of devices.all({ amount: 2 })) {
      if (name === "Zulu") await devices.create({ name: "Late", type: "mutable" });
      if (name === "Bravo") await devices.delete(id);
      seen.push(name);
    }
    // One row was deleted from the pages already read, so one of the later rows moved into them.
    expect(seen.slice(0, 4)).toEqual(["Zulu", "Alpha", "Mike", "Bravo"]);
    expect(seen).toContain("Late");
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("is aborted by its signal with CancelledError, also between two rows", async () => {
    const abort = new AbortController();
    const rows = devices.all({ amount: 2 }, { signal: abort.signal });
    await rows.next();
    await rows.next();
    abort.abort();
    expect(await failureOf(rows.next())).toBeInstanceOf(CancelledError);
  });

  it.each([-1, 1.5, 10_001, "20"])("rejects the amount %s before it asks", async (amount) => {
    const from = sandbox.requestLog().length;
    const rows = devices.all({ amount: amount as number });
    expect(await failureOf(rows.next())).toBeInstanceOf(InputError);
    expect(requests(from)).toEqual([]);
  });

  it("ends where a server ignores the page size and sends all rows", async () => {
    const server = await smallServer((_request, response) =>
      sendJson(response, 200, { status: true, result: [1, 2, 3].map((n) => ({ id: `d${n}` })) }),
    );
    const there = new Resources({ token: sandbox.tokens.profile, region: { api: server.url, sse: server.url } });
    expect(await collect(there.devices.all({ amount: 2 }))).toHaveLength(3);
    expect(server.seen).toHaveLength(1);
    await server.close();
  });
});
