import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bucketOf, bucketsFor, partPath } from "../../src/commands/device/bulk/dataset-parts.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
let lake: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
afterEach(() => {
  here.sandbox.faults.set([]);
  rmSync(lake, { recursive: true, force: true });
});

const range = ["--last", "6h"];
const exportArgs = (...more: readonly string[]): string[] => [
  ...["device", "data", "export", "--tag", "site=plant", "--dataset", "--out", lake, "--yes"],
  ...more,
];

interface Manifest {
  readonly version: number;
  readonly parts: number;
  readonly records: number;
  readonly files: readonly {
    readonly file: string;
    readonly records: number;
    readonly devices: Record<string, number>;
  }[];
}
const manifest = (): Manifest => JSON.parse(readFileSync(join(lake, "_manifest.json"), "utf8")) as Manifest;
const files = (): string[] =>
  readdirSync(lake, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(lake.length + 1))
    .sort();

describe("device data export --dataset --parts", () => {
  it("writes parts of many devices, sorted by device and time, with the column that names the device", async () => {
    lake = temporaryFolder();
    const args = exportArgs(...range, "--parts", "2", "--format", "ndjson", "--fields", "time,variable,value");
    const { code, stderr } = await here.iot([...args, "--verify"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { files: listed, parts, records } = manifest();
    expect({ parts, version: manifest().version }).toEqual({ parts: 2, version: 2 });
    expect(files()).toEqual(["_manifest.json", ...listed.map(({ file }) => file)]);
    let all = 0;
    for (const { file, records: count, devices } of listed) {
      expect(file).toMatch(/^site=plant\/part-00[01]\.ndjson$/);
      const rows = readFileSync(join(lake, file), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { device: string; time: string });
      const keys = rows.map(({ device, time }) => `${device} ${time}`);
      expect(keys).toEqual([...keys].sort());
      expect(rows).toHaveLength(count);
      for (const [device, own] of Object.entries(devices)) {
        expect(rows.filter((row) => row.device === device)).toHaveLength(own);
        expect(bucketOf(device, 2)).toBe(file.slice(-"part-000.ndjson".length, -".ndjson".length));
      }
      all += count;
    }
    expect(all).toBe(records);
    expect(listed).toHaveLength(2);
  });

  it("has a folder for each period, and the order of time where variables are named", { tags: ["slow"] }, async () => {
    lake = temporaryFolder();
    const named = ["--variable", "temperature", "--variable", "humidity", "--variable", "door"];
    const { code } = await here.iot(
      exportArgs("--last", "30h", ...named, "--parts", "1", "--split", "day", "--format", "csv"),
    );
    expect(code).toBe(0);
    const listed = manifest().files;
    expect(listed.length).toBeGreaterThan(1);
    for (const { file } of listed) {
      expect(file).toMatch(/^site=plant\/day=\d{4}-\d\d-\d\d\/part-000\.csv$/);
      const rows = readFileSync(join(lake, file), "utf8").trim().split("\r\n").slice(1);
      const keys = rows.map((row) => row.split(",")).map(([device, , time]) => `${device} ${time}`);
      expect(keys).toEqual([...keys].sort());
    }
  });

  it("writes row groups whose statistics name devices and times", async () => {
    lake = temporaryFolder();
    expect((await here.iot(exportArgs(...range, "--parts", "1"))).code).toBe(0);
    const [part] = manifest().files;
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(join(lake, part?.file ?? "")));
    const ids = Object.keys(part?.devices ?? {}).sort();
    const statistics = (name: string) => {
      const chunks = metadata.row_groups.flatMap(({ columns }) => columns.map(({ meta_data: data }) => data));
      return chunks.find((data) => data?.path_in_schema[0] === name)?.statistics;
    };
    expect(statistics("device")).toMatchObject({ min_value: ids[0], max_value: ids.at(-1) });
    const { min_value: first, max_value: last } = statistics("time") ?? {};
    expect([first instanceof Date, last instanceof Date]).toEqual([true, true]);
    expect(Number(last) - Number(first)).toBeGreaterThan(3_600_000);
  });

  it("stays with the number of parts that a dataset has", async () => {
    lake = temporaryFolder();
    expect((await here.iot(exportArgs(...range, "--parts", "3", "--format", "ndjson"))).code).toBe(0);
    const before = files();
    expect((await here.iot(exportArgs(...range, "--format", "ndjson", "--again"))).code).toBe(0);
    expect(files()).toEqual(before);
    const other = await here.iot(exportArgs(...range, "--format", "ndjson", "--parts", "4", "--again"));
    expect(other).toMatchObject({ code: 7, stderr: expect.stringContaining("has 3 parts of each partition") });
  });

  it("compares the counts of each device with --verify", async () => {
    lake = temporaryFolder();
    const report = join(temporaryFolder(), "report.csv");
    const verified = ["--verify", "--report", report];
    const { code } = await here.iot(exportArgs(...range, "--parts", "1", "--format", "ndjson", ...verified));
    expect(code).toBe(0);
    const [head, row] = readFileSync(report, "utf8").split(/\r?\n/);
    expect(head).toContain("records,counted,there,part,devices,differing");
    expect(row).toMatch(/,done,,(\d+),\1,\1,site=plant\/part-000,\d+,,/);
  });

  it("needs a dataset", async () => {
    lake = temporaryFolder();
    const args = ["device", "data", "export", "--tag", "device_type", ...range, "--out", join(lake, "a.csv")];
    expect(await here.iot([...args, "--parts", "4"])).toMatchObject({ code: 2 });
  });
});

describe("the parts of a dataset", () => {
  it("have many devices where those of one would be small", () => {
    const year = { devices: 100_000, largest: 100_000, records: 1e9, periods: 12 };
    expect(bucketsFor(year, "parquet")).toBe(17);
    expect(bucketsFor({ ...year, periods: 1 }, "parquet")).toBe(196);
    expect(bucketsFor({ ...year, records: 0 }, "parquet")).toBe(6);
    expect(bucketsFor({ devices: 20_000, largest: 20_000, records: 100_000, periods: 1 }, "parquet")).toBe(64);
    expect(bucketsFor({ devices: 600, largest: 60, records: 6_000, periods: 1 }, "ndjson")).toBe(2);
  });

  it("have one device where there are few, or where it has much", () => {
    expect(bucketsFor({ devices: 500, largest: 500, records: 5_000, periods: 12 }, "parquet")).toBeNull();
    expect(bucketsFor({ devices: 5_000, largest: 5_000, records: 5e9, periods: 1 }, "parquet")).toBeNull();
  });

  it("are named as Hive does, by partition, period and bucket", () => {
    const ms = Date.parse("2026-11-03T10:00:00Z");
    expect(partPath({ folder: "site=a", part: "part-003" }, "month", ms)).toBe("site=a/month=2026-11/part-003");
    expect(partPath({ folder: "", part: "part-003" }, null, undefined)).toBe("part-003");
    expect(partPath({ folder: "site=a/device=1" }, "day", ms)).toBe("site=a/device=1/day=2026-11-03");
    expect(partPath({ folder: "device=1" }, null, undefined)).toBe("device=1/data");
  });

  it("share the devices about equally, the same in every run", () => {
    const ids = Array.from({ length: 4_000 }, (_, n) => `65a30000000000000000${n.toString(16).padStart(4, "0")}`);
    const sizes = new Map<string, number>();
    for (const id of ids) sizes.set(bucketOf(id, 16), (sizes.get(bucketOf(id, 16)) ?? 0) + 1);
    expect(sizes.size).toBe(16);
    for (const size of sizes.values()) expect(Math.abs(size - 250)).toBeLessThan(80);
    expect(bucketOf("65a1000000000000000d0001", 64)).toMatchInlineSnapshot(`"part-053"`);
  });
});
