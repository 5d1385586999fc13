import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changedSlots, type Slot } from "../../src/commands/device/bulk/late.ts";
import { Device, Resources } from "../../src/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Midnight of a day in the past, so that months and days are the same wherever the test runs. */
const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 100 * DAY_MS;
const at = (day: number, ms = 0): Date => new Date(startMs + day * DAY_MS + ms);

let here: SandboxUnderTest;
let resources: Resources;
let lake: string;
/** Of the fleet of a test. */
let site: string;
let fleet: { readonly id: string; readonly token: string }[];
let sites = 0;
beforeAll(async () => {
  here = await sandboxUnderTest({ seed: "empty" });
  const region = { api: here.env["IOT_API_URL"] ?? "", sse: here.env["IOT_EVENTS_URL"] ?? "" };
  resources = new Resources({ token: here.env["IOT_TOKEN"] ?? "", region });
});
afterAll(() => here.close());
afterEach(async () => {
  here.sandbox.faults.set([]);
  for (const { id } of fleet) await resources.devices.delete(id).catch(() => undefined);
  rmSync(lake, { recursive: true, force: true });
});

async function addDevice(): Promise<{ readonly id: string; readonly token: string }> {
  const { device_id: id, token } = await resources.devices.create({
    ...{ name: `Pump ${fleet.length}`, type: "mutable", tags: [{ key: "site", value: site }] },
    ...{ connector: "65a1000000000000000c0001", network: "65a1000000000000000e0001" },
  } as Parameters<Resources["devices"]["create"]>[0]);
  const device = { id, token };
  fleet.push(device);
  return device;
}

interface Sent {
  readonly time: Date;
  readonly value?: unknown;
  readonly variable?: string;
  readonly metadata?: object;
}

async function send(device: { readonly token: string } | undefined, ...records: readonly Sent[]): Promise<void> {
  const region = { api: here.env["IOT_API_URL"] ?? "", sse: here.env["IOT_EVENTS_URL"] ?? "" };
  const whole = records.map((record) => ({ variable: "pressure", value: 1, unit: "bar", ...record }));
  await new Device({ token: device?.token ?? "", region }).sendData(whole as Parameters<Device["sendData"]>[0]);
}

/** Devices with a record every 6 hours of three days, some of them texts and places. */
async function makeFleet(size: number): Promise<void> {
  lake = join(temporaryFolder(), "lake");
  sites += 1;
  site = `s${sites}`;
  fleet = [];
  for (let n = 0; n < size; n += 1) {
    const device = await addDevice();
    const records = Array.from({ length: 12 }, (_, count) => ({
      time: at(0, count * 6 * HOUR_MS),
      value: count % 3 === 0 ? '-said "stop", twice' : -n - count / 10,
      ...(count % 4 === 0 ? { metadata: { mark: `m${count}`, "=x": [1, 2] }, location: { lat: 1.5, lng: -n } } : {}),
    }));
    await send(device, ...records);
  }
}

const exportTo = (out: string, ...more: readonly string[]): string[] => [
  ...["device", "data", "export", "--tag", `site=${site}`, "--dataset", "--out", out, "--yes"],
  ...more,
];
const whole = (to: Date, ...more: readonly string[]): string[] => [
  ...["--from", at(0).toISOString(), "--to", to.toISOString(), "--split", "day", ...more],
];

async function exported(...flags: readonly string[]): Promise<void> {
  const { code, stderr } = await here.iot(exportTo(lake, ...flags));
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

async function updated(to: Date, ...flags: readonly string[]) {
  const result = await here.iot(exportTo(lake, "--since-last", "--to", to.toISOString(), ...flags));
  expect({ code: result.code, stderr: result.stderr }).toMatchObject({ code: 0 });
  return result;
}

/** All files of a dataset, with what they hold and when they were written. */
function stateOf(folder: string): Record<string, { readonly text: string; readonly mtimeMs: number }> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [
      path.slice(folder.length + 1),
      { text: readFileSync(path, "latin1"), mtimeMs: statSync(path).mtimeMs },
    ]),
  );
}
const textsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(Object.entries(stateOf(folder)).map(([name, { text }]) => [name, text]));

/** Files that are not as they were, by their path behind the partition. */
function changedSince(before: ReturnType<typeof stateOf>): string[] {
  const now = stateOf(lake);
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => now[name]?.mtimeMs !== before[name]?.mtimeMs).sort();
}

interface Manifest {
  readonly to: string;
  readonly records: number;
  readonly until: Record<string, string>;
}
const manifest = (): Manifest => JSON.parse(readFileSync(join(lake, "_manifest.json"), "utf8")) as Manifest;
const day = (number: number): string => `day=${at(number).toISOString().slice(0, 10)}`;
const idsIn = (folder: string): string[] =>
  Object.entries(textsOf(folder))
    .filter(([name]) => name.endsWith(".ndjson"))
    .flatMap(([, text]) => text.trim().split("\n"))
    .map((line) => (JSON.parse(line) as { id: string }).id);

describe("device data export --since-last", () => {
  it("writes nothing when nothing is new, and says so", async () => {
    await makeFleet(3);
    await exported(...whole(at(3), "--parts", "2"));
    const before = stateOf(lake);
    const { stderr, stdout } = await updated(at(4), "--json");
    expect(stderr).toContain("Nothing is new");
    expect(JSON.parse(stdout)).toMatchObject({ files: 0, records: 0, bytes: 0 });
    expect(changedSince(before)).toEqual([]);
    expect(stateOf(lake)).toEqual(before);
  });

  it.each([
    ["ndjson", "2"],
    ["parquet", "2"],
    ["csv", "2"],
    ["ndjson", undefined],
  ])(
    "becomes what a new export is, and replaces only the parts with changes: %s, %s parts",
    {
      tags: ["slow"],
    },
    async (format, parts) => {
      await makeFleet(5);
      const flags = ["--format", format, "--csv-safe", ...(parts === undefined ? [] : ["--parts", parts])];
      await exported(...whole(at(2, 11 * HOUR_MS), ...flags));
      const before = stateOf(lake);
      await send(fleet[0], { time: at(0, HOUR_MS), value: "=late" });
      await send(fleet[1], { time: at(2, 20 * HOUR_MS), value: -7 }, { time: at(4, HOUR_MS), value: "-new" });
      await send(await addDevice(), { time: at(2, 3 * HOUR_MS) }, { time: at(5), metadata: { a: "b" } });
      await updated(at(6), "--csv-safe", "--verify");
      const other = join(temporaryFolder(), "fresh");
      const fresh = await here.iot(exportTo(other, ...whole(at(6), ...flags)));
      expect(fresh.code).toBe(0);
      expect(textsOf(lake)).toEqual(textsOf(other));
      const changed = changedSince(before).filter((name) => name !== "_manifest.json");
      expect(changed.some((name) => name.includes(day(0)))).toBe(true);
      expect(changed.filter((name) => name.includes(day(1)))).toEqual([]);
    },
  );

  it("finds a late record of any age, and reads only the device and period that have it", async () => {
    await makeFleet(4);
    await exported(...whole(at(3), "--parts", "1", "--format", "ndjson"));
    const before = stateOf(lake);
    await send(fleet[2], { time: at(0, 90_000), value: "late" });
    const sinceMs = Date.now();
    await updated(at(4));
    expect(changedSince(before)).toEqual(["_manifest.json", `site=${site}/${day(0)}/part-000.ndjson`]);
    const read = here.requestsSince(sinceMs).filter((line) => line.includes("/data") && line.includes("qty="));
    expect(read.filter((line) => !line.includes(fleet[2]?.id ?? "-"))).toEqual([]);
    expect(textsOf(lake)[`site=${site}/${day(0)}/part-000.ndjson`]).toContain('"late"');
    expect(new Set(idsIn(lake)).size).toBe(49);
    expect(idsIn(lake)).toHaveLength(49);
    const after = stateOf(lake);
    await updated(at(4));
    expect(stateOf(lake)).toEqual(after);
  });

  it("stays with the records of deleted devices, and says until when each device is complete", async () => {
    await makeFleet(3);
    await exported(...whole(at(2, 11 * HOUR_MS), "--parts", "1", "--format", "ndjson"));
    const { records } = manifest();
    const gone = fleet[1]?.id ?? "";
    await resources.devices.delete(gone);
    await send(fleet[0], { time: at(2, 13 * HOUR_MS) });
    await updated(at(3));
    expect(idsIn(lake)).toHaveLength(records + 4 + 1);
    const { to, until } = manifest();
    expect({ to, until }).toEqual({ to: at(3).toISOString(), until: { [gone]: at(2, 11 * HOUR_MS).toISOString() } });
    await send(fleet[2], { time: at(3, HOUR_MS) });
    await updated(at(4));
    expect(manifest().until).toEqual({ [gone]: at(2, 11 * HOUR_MS).toISOString() });
  });

  it("follows the platform within the lookback, and stays with what was deleted before", {
    tags: ["slow"],
  }, async () => {
    await makeFleet(2);
    await exported(...whole(at(2, 23 * HOUR_MS), "--parts", "1", "--format", "ndjson"));
    const { id = "" } = fleet[0] ?? {};
    const before = stateOf(lake);
    await resources.devices.deleteDeviceData(id, { start_date: at(0), end_date: at(0, 23 * HOUR_MS), qty: 100 });
    await updated(at(3));
    expect(changedSince(before)).toEqual([]);
    await resources.devices.deleteDeviceData(id, { start_date: at(2, 17 * HOUR_MS), end_date: at(3), qty: 100 });
    await updated(at(3));
    expect(changedSince(before)).toEqual([]);
    await updated(at(3), "--lookback", "12h");
    expect(changedSince(before)).toEqual(["_manifest.json", `site=${site}/${day(2)}/part-000.ndjson`]);
    expect(idsIn(lake)).toHaveLength(23);
  });

  it("removes a part that has become empty within the lookback", { tags: ["slow"] }, async () => {
    await makeFleet(1);
    await exported(...whole(at(3), "--format", "ndjson"));
    const { id = "" } = fleet[0] ?? {};
    await resources.devices.deleteDeviceData(id, { start_date: at(2), end_date: at(3), qty: 100 });
    await updated(at(4), "--lookback", "3d");
    expect(Object.keys(textsOf(lake)).filter((name) => name.includes(day(2)))).toEqual([]);
    expect(manifest().records).toBe(8);
  });

  it("leaves a device in the partition where it was when its tag changes", { tags: ["slow"] }, async () => {
    await makeFleet(2);
    const tagged = ["device", "data", "export", "--tag", "site", "--dataset", "--out", lake, "--yes"];
    const flags = ["--format", "ndjson", "--parts", "1"];
    expect((await here.iot([...tagged, ...whole(at(3), ...flags)])).code).toBe(0);
    const { id = "" } = fleet[0] ?? {};
    await resources.devices.edit(id, { tags: [{ key: "site", value: "elsewhere" }] });
    await send(fleet[0], { time: at(3, HOUR_MS) });
    expect((await here.iot([...tagged, "--since-last"])).code).toBe(0);
    expect(Object.keys(textsOf(lake)).filter((name) => name.startsWith("site=elsewhere"))).toEqual([]);
    expect(idsIn(lake)).toHaveLength(25);
  });

  it("has no split and no start, too", { tags: ["slow"] }, async () => {
    await makeFleet(3);
    const flags = ["--parts", "1", "--format", "ndjson"];
    await exported(...flags, "--to", at(1).toISOString());
    await send(fleet[0], { time: at(-50), value: "older than all" });
    await updated(at(5));
    const other = join(temporaryFolder(), "fresh");
    expect((await here.iot(exportTo(other, ...flags, "--to", at(5).toISOString()))).code).toBe(0);
    expect(textsOf(lake)).toEqual(textsOf(other));
    rmSync(lake, { recursive: true });
    await exported(...flags, "--split", "day", "--to", at(1).toISOString());
    await send(fleet[1], { time: at(-60), value: "older still" });
    await updated(at(5));
    rmSync(other, { recursive: true });
    const fresh = await here.iot(exportTo(other, ...flags, "--split", "day", "--to", at(5).toISOString()));
    expect(fresh.code).toBe(0);
    expect(textsOf(lake)).toEqual(textsOf(other));
  });

  it("is completed with --resume when a device could not be read, or by a new run", async () => {
    await makeFleet(4);
    await exported(...whole(at(2, 11 * HOUR_MS), "--format", "ndjson"));
    const bad = fleet[3]?.id ?? "";
    for (const device of fleet) await send(device, { time: at(3) });
    here.sandbox.faults.set([{ route: `GET /device/${bad}/data`, kind: "status", status: 400 }]);
    const update = exportTo(lake, "--since-last", "--to", at(4).toISOString());
    expect(await here.iot(update)).toMatchObject({ code: 8 });
    expect(Object.keys(textsOf(lake))).not.toContain("_manifest.json");
    here.sandbox.faults.set([]);
    expect((await here.iot([...update, "--resume"])).code).toBe(0);
    expect(Object.keys(textsOf(lake)).filter((name) => name.startsWith("_"))).toEqual(["_manifest.json"]);
    expect(idsIn(lake)).toHaveLength(4 * 12 + 4);
    const ended = textsOf(lake);
    // As an update that was killed between a part and the manifest leaves it.
    renameSync(join(lake, "_manifest.json"), join(lake, "_manifest.previous.json"));
    rmSync(join(lake, `site=${site}/device=${bad}/${day(0)}.ndjson`));
    await updated(at(4));
    expect(textsOf(lake)).toEqual(ended);
  });

  it("needs a dataset with the same flags", async () => {
    await makeFleet(1);
    const none = await here.iot(exportTo(lake, "--since-last"));
    expect(none).toMatchObject({ code: 6, stderr: expect.stringContaining("There is no dataset in") });
    await exported(...whole(at(3), "--format", "ndjson"));
    for (const [flags, what] of [
      [["--split", "month"], "--split"],
      [["--format", "csv"], "--format"],
      [["--variable", "x"], "--variable"],
      [["--from", at(1).toISOString()], "--from"],
      [["--fields", "time,value"], "--fields"],
    ] as const) {
      const other = await here.iot(exportTo(lake, "--since-last", ...flags));
      expect(other).toMatchObject({ code: 7, stderr: expect.stringContaining(`with another ${what}`) });
      expect(other.stderr).toContain(`Leave out ${what}, or export to another folder.`);
    }
    await updated(at(3), "--split", "day", "--format", "ndjson", "--from", at(0).toISOString());
    expect(await here.iot(exportTo(lake, "--lookback", "1h"))).toMatchObject({ code: 2 });
  });
});

describe("the search for periods with other counts", () => {
  /** Slots of one record each, in a device that has these counts now. */
  async function search(now: readonly number[]) {
    const slots = now.map((_, n): Slot => ({ fromMs: n * 10, toMs: n * 10 + 9, known: 1 }));
    let requests = 0;
    const count = async ({ fromMs = 0, toMs }: Pick<Slot, "fromMs" | "toMs">): Promise<number> => {
      requests += 1;
      return now.slice(fromMs / 10, (toMs + 1) / 10).reduce((sum, records) => sum + records, 0);
    };
    const found = await changedSlots(count, slots, (there, known) => there > known);
    return { found: found.map(({ fromMs = 0 }) => fromMs / 10), requests };
  }
  const ones = (length: number, other: Readonly<Record<number, number>> = {}): number[] =>
    Array.from({ length }, (_, n) => other[n] ?? 1);

  it("takes one request where nothing changed, and few where little did", async () => {
    expect(await search(ones(365))).toEqual({ found: [], requests: 1 });
    const { found, requests } = await search(ones(365, { 17: 2 }));
    expect(found).toEqual([17]);
    expect(requests).toBeLessThan(12);
  });

  it("does not look at what was deleted after its time", async () => {
    const now = ones(365, { 300: 4 }).map((count, n) => (n < 200 ? 0 : count));
    const { found, requests } = await search(now);
    expect(found).toEqual([300]);
    expect(requests).toBeLessThan(20);
    expect((await search(now.map(() => 0))).requests).toBe(1);
  });
});
