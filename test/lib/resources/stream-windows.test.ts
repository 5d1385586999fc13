import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Device, type DeviceData, InputError, Resources } from "../../../src/index.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { ok as answerOk, type Reaction, silence, startFaultServer } from "../../helpers/fault-server.ts";
import { collect } from "../../helpers/operations.ts";
import { newDevice } from "../../sandbox/client.ts";

const start = Date.parse("2026-01-01T00:00:00.000Z");
const at = (n: number) => new Date(start + n * 1000);
const fast = { poolingTime: 0, window: "time" } as const;

describe("streams with a window by time, on the sandbox", () => {
  let sandbox: Sandbox;
  let region: { api: string; sse: string };

  beforeAll(async () => {
    sandbox = await createSandbox({ seed: "empty", ephemeral: true });
    region = { api: sandbox.url, sse: sandbox.eventsUrl };
  });
  afterAll(() => sandbox.close());

  async function filled(count: number, variables: readonly string[] = ["level"]) {
    const { device_id, token } = await newDevice(sandbox, { type: "mutable" });
    const device = new Device({ token, region });
    const rows = variables.flatMap((variable) =>
      // Three records share each moment.
      Array.from({ length: count }, (_, i) => ({ variable, value: i, time: at(Math.floor(i / 3)) })),
    );
    await device.sendDataStreaming(rows, { poolingTime: 0 });
    return { id: device_id, device };
  }

  const valuesOf = (rows: readonly DeviceData[]) => rows.map(({ value }) => Number(value)).sort((a, b) => a - b);

  it.each([1, 2, 7, 1000])("device data comes once in pages of %i", async (poolingRecordQty) => {
    const { device } = await filled(30);
    const pages = await collect(device.getDataStreaming({ variables: "level" }, { ...fast, poolingRecordQty }));
    expect(valuesOf(pages.flat())).toEqual(Array.from({ length: 30 }, (_, i) => i));
  });

  it.each(["count", "time"] as const)("a variable that is named twice comes once, by %s", async (window) => {
    const { device } = await filled(6, ["a", "b"]);
    const options = { poolingTime: 0, window };
    const pages = await collect(device.getDataStreaming({ variables: ["a", "b", "a"] }, options));
    const rows = pages.flat();
    expect(new Set(rows.map(({ id }) => id)).size).toBe(12);
    expect(rows).toHaveLength(12);
  });

  it("records deleted and inserted while reading neither double nor hide others", async () => {
    const { device } = await filled(60);
    const given: DeviceData[] = [];
    let round = 0;
    for await (const page of device.getDataStreaming({}, { ...fast, poolingRecordQty: 7 })) {
      given.push(...page);
      round += 1;
      if (round > 5) continue;
      // Earlier records go and come, which moves every record counted from the start.
      await device.deleteData({ ids: page.slice(0, 3).map(({ id }) => id), qty: 3 });
      await device.sendData([
        { variable: "level", value: -round, time: at(-round) },
        { variable: "level", value: 1000 + round, time: at(500 + round) },
      ]);
    }
    expect(new Set(given.map(({ id }) => id)).size).toBe(given.length);
    expect(valuesOf(given)).toEqual([...Array.from({ length: 60 }, (_, i) => i), 1001, 1002, 1003, 1004, 1005]);
  });

  it("several variables are read one after the other, by way of the account too", async () => {
    const { id } = await filled(20, ["a", "b", "c"]);
    const { devices } = new Resources({ token: sandbox.tokens.profile, region });
    const pages = await collect(
      devices.getDeviceDataStreaming(id, { variables: ["a", "b", "c"] }, { ...fast, poolingRecordQty: 6 }),
    );
    expect(pages.flat()).toHaveLength(60);
    expect(pages.every((page) => new Set(page.map(({ variable }) => variable)).size === 1)).toBe(true);
  });

  it("devices created and deleted while reading neither double nor hide others", async () => {
    const { devices } = new Resources({ token: sandbox.tokens.profile, region });
    const filter = { name: "Window *" };
    const made: string[] = [];
    const make = async (name: string) => made.push((await devices.create({ name, type: "mutable" })).device_id);
    for (let i = 0; i < 20; i += 1) await make(`Window ${i}`);
    const given: string[] = [];
    for await (const page of devices.listStreaming({ filter, fields: ["name"] }, { ...fast, poolingRecordQty: 3 })) {
      given.push(...page.map(({ id }) => id));
      if (given.length > 12) continue;
      const [first = ""] = page.map(({ id }) => id);
      await devices.delete(first);
      await make("Window of the time of reading");
    }
    expect(given).toHaveLength(made.length);
    expect(new Set(given)).toEqual(new Set(made));
  });

  it("an order of one's own is refused", async () => {
    const { devices } = new Resources({ token: sandbox.tokens.profile, region });
    const read = devices.listStreaming({ orderBy: ["name", "asc"] }, fast).next();
    expect(await failureOf(read)).toBeInstanceOf(InputError);
  });
});

describe("entity rows with a window by time", () => {
  const rowsOf = (from: string | null, amount: number) => {
    const all = Array.from({ length: 10 }, (_, i) => ({
      id: `r${i}`,
      created_at: at(Math.floor(i / 2)).toISOString(),
    }));
    return all.filter(({ created_at }) => from === null || created_at >= from).slice(0, amount);
  };
  const table: Reaction = (exchange) => {
    const query = new URLSearchParams(exchange.request.path.split("?")[1]);
    return answerOk(rowsOf(query.get("filter[created_at][start]"), Number(query.get("amount"))))(exchange);
  };

  it("go on from the last moment, inside the index and filter that were named", async () => {
    const server = await startFaultServer(table);
    try {
      const { entities } = new Resources({ token: "t", region: { api: server.url, sse: "" } });
      const query = { index: "by_site", filter: { site: "north" } };
      const pages = await collect(entities.getEntityDataStreaming("e1", query, { ...fast, poolingRecordQty: 4 }));
      expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, i) => `r${i}`));
      for (const { path } of server.requests) {
        for (const part of ["/entity/e1/data?", "order_by=asc", "index=by_site", "filter[site]=north"])
          expect(decodeURIComponent(path)).toContain(part);
      }
    } finally {
      await server.close();
    }
  });

  it.each([{}, { index: "by_site", order_by: "desc" as const }])("need an index, upwards, not %j", async (query) => {
    const server = await startFaultServer(silence);
    try {
      const { entities } = new Resources({ token: "t", region: { api: server.url, sse: "" } });
      expect(await failureOf(entities.getEntityDataStreaming("e1", query, fast).next())).toBeInstanceOf(InputError);
      expect(server.requests).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
