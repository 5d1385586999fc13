import { afterEach, describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import { createRandom } from "../../../src/lib/core/random.ts";
import { toDataDevice } from "../../../src/sandbox/data/device.ts";
import { parseDataQuery } from "../../../src/sandbox/data/query.ts";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { createNextRows } from "../../../src/sandbox/seeds/history.ts";
import { loadSeed } from "../../../src/sandbox/seeds/index.ts";
import { startSending } from "../../../src/sandbox/seeds/live.ts";
import type { Series } from "../../../src/schema/seed/history.ts";
import { demoSandbox } from "../../helpers/demo-sandbox.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { NOW_MS, seededApp } from "./seeded-app.ts";

const FREEZER = "65a1000000000000000d0001";
const NONE = "000000000000000000000000";

let sandbox: Sandbox | undefined;
afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
});

async function start(options: Parameters<typeof demoSandbox>[0]): Promise<Resources> {
  sandbox = await demoSandbox(options);
  return new Resources({ token: sandbox.tokens.profile, region: { api: sandbox.url, sse: sandbox.eventsUrl } });
}

async function untilMore(devices: Resources["devices"], id: string, than: number): Promise<number> {
  for (;;) {
    const count = await devices.amount(id);
    if (count > than) return count;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("devices of a sandbox with a rate", () => {
  it("go on at the pace of their history: a minute changes little, and as much time as a sample takes leads to the next", () => {
    const [series] = loadSeed("demo")
      .layers.flatMap((layer) => layer.of("devices"))
      .flatMap(({ record: { id, history = [] } }) => (id === FREEZER ? history : []))
      .flatMap((part) => ("variables" in part ? [part] : []));
    if (series === undefined) throw new Error("The freezer has no history");
    const nextRows = createNextRows(series, createRandom(1, "test"), NOW_MS);
    const valueAt = (ms: number): number =>
      Number(nextRows(NOW_MS + ms).find(({ variable }) => variable === "temperature")?.value);
    const minutes = Array.from({ length: 16 }, (_, minute) => valueAt(minute * 60_000));
    const [first = 0, last = 0] = [minutes[0], minutes.at(-1)];
    for (const [minute, value] of minutes.entries())
      expect(Math.abs(value - (first + ((last - first) * minute) / 15))).toBeLessThanOrEqual(0.051);
    const quarters = Array.from({ length: 96 }, (_, n) => valueAt((n + 1) * 900_000));
    expect(new Set(quarters).size).toBeGreaterThan(10);
  });

  it("are where the clock is after it has moved over several samples, and take no number between those of a cycle", () => {
    const variable = { variable: "energy", digits: 1, value: [100, { step: 2, factor: 1 }] };
    const state = { variable: "state", digits: 1, value: [{ cycle: [0, 4], every: 60_000 }] };
    const series = { every: 60_000, samples: 10, until: 0, gaps: [], before: [], variables: [variable, state] };
    const nextRows = createNextRows(series as unknown as Series, createRandom(1, "test"), 0);
    const at = (minutes: number) => nextRows(minutes * 60_000).map(({ value }) => value);
    expect(at(0.5)).toEqual([121, 0]);
    expect(at(7.5)).toEqual([135, 4]);
    expect(at(8.25)).toEqual([136.5, 0]);
  });

  it("send samples of their series with the present time, all variables in one group", async () => {
    const { devices } = await start({ rate: 50 });
    const before = await devices.amount(FREEZER);
    const startMs = Date.now();
    await untilMore(devices, FREEZER, before + 8);
    const rows = await devices.getDeviceData(FREEZER, { qty: 4 });
    expect(rows.map(({ variable }) => variable).sort()).toEqual([
      "compressor",
      "compressor",
      "temperature",
      "temperature",
    ]);
    expect(new Set(rows.map(({ group }) => group)).size).toBe(2);
    for (const { time, variable, value, unit } of rows) {
      expect(time.getTime()).toBeGreaterThan(startMs - 1_000);
      if (variable === "temperature") expect([typeof value, unit]).toEqual(["number", "°C"]);
    }
    const { last_input } = await devices.info(FREEZER);
    expect(last_input?.getTime()).toBeGreaterThan(startMs - 1_000);
  });

  it("send nothing while they are not active, or once they were deleted", { tags: ["slow"] }, async () => {
    const { devices } = await start({ rate: 50 });
    await devices.edit(FREEZER, { active: false });
    const quiet = await devices.amount(FREEZER);
    const others = await devices.list({ fields: ["id", "name", "active"], amount: 50 });
    const station = others.find(({ name }) => name === "Weather station")?.id ?? NONE;
    const count = await devices.amount(station);
    await devices.delete(others.find(({ name }) => name === "Truck 7")?.id ?? NONE);
    await untilMore(devices, station, count + 12);
    expect(await devices.amount(FREEZER)).toBe(quiet);
  });

  it("lose their oldest records when their mutable storage is full, and go on", { tags: ["slow"] }, async () => {
    const { app, close } = seededApp();
    try {
      const device = toDataDevice(app.collection("device").get(FREEZER) ?? { id: FREEZER });
      const old = { variable: "old", group: "1", value: 1 };
      const free = 50_000 - app.data.amount(FREEZER);
      app.data.writeHistory(
        device,
        Array.from({ length: free }, (_, i) => ({ ...old, timeMs: i })),
      );
      const count = (variable: string): unknown =>
        app.data.read(device, parseDataQuery({ query: "count", variables: [variable] }, NOW_MS));
      const before = count("temperature");
      startSending(app, loadSeed("demo"), 7, 100);
      await waitFor(() => count("temperature") !== before, "a new record");
      expect(count("old")).toBe(free - 5_000);
    } finally {
      app.signals.emit("closing", {});
      await close();
    }
  });

  it("go on after a reset", { tags: ["slow"] }, async () => {
    const { devices } = await start({ rate: 50 });
    sandbox?.reset();
    await untilMore(devices, FREEZER, await devices.amount(FREEZER));
  });

  it("send nothing without a rate", async () => {
    const still = await start({});
    const count = await still.devices.amount(FREEZER);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await still.devices.amount(FREEZER)).toBe(count);
  });
});
