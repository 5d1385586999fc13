import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { coverOf, isCovered } from "../../src/commands/device/bulk/dataset-parts.ts";
import { type DatasetStore, storeOf } from "../../src/commands/device/bulk/dataset-store.ts";
import type { DatasetFile } from "../../src/commands/device/bulk/dataset-types.ts";
import { parquetTable, partitionValue } from "../../src/commands/device/bulk/iceberg/schema.ts";
import { commitTable } from "../../src/commands/device/bulk/iceberg/table.ts";
import { tableFile } from "../../src/commands/device/bulk/iceberg/table-file.ts";
import type { CommandContext } from "../../src/commands/kit/context.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type IcebergTable, readIceberg } from "../helpers/iceberg.ts";
import { type S3Server, s3Server } from "../helpers/s3-server.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const FREEZER = "65a1000000000000000d0001";
const OTHER = "65a1000000000000000d0002";
let here: SandboxUnderTest;
let lake: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => {
  lake = join(temporaryFolder(), "lake");
});
afterEach(() => rmSync(lake, { recursive: true, force: true }));

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const days = (from: number, to: number): string[] => [
  "--from",
  `${day(from)}T00:00:00Z`,
  "--to",
  `${day(to)}T23:59:59Z`,
];

function exported(range: readonly string[], ...more: readonly string[]) {
  const args = ["device", "data", "export", FREEZER, ...range, "--split", "day", "--dataset", "--table", "iceberg"];
  return here.iot([...args, "--out", lake, "--yes", ...more]);
}

async function expectExported(range: readonly string[], ...more: readonly string[]): Promise<void> {
  const { code, stderr } = await exported(range, ...more);
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

const contentOf = (name: string): Buffer | undefined =>
  existsSync(join(lake, name)) ? readFileSync(join(lake, name)) : undefined;
const table = (hasRows = true): Promise<IcebergTable> => readIceberg(`file://${lake}`, contentOf, hasRows);

const filesIn = (folder: string): string[] => readdirSync(join(lake, folder)).sort();

async function countAt(device: string, range: readonly string[]): Promise<number> {
  return here.json<number>(["device", "data", "count", device, ...range]);
}

interface Bound {
  readonly key: number;
  readonly value: Uint8Array;
}

describe("device data export --table iceberg", () => {
  it("makes a table that an independent reader reads with the platform's records", async () => {
    await expectExported(days(2, 1), OTHER);
    const { metadata, rows, files } = await table();
    const count = (await countAt(FREEZER, days(2, 1))) + (await countAt(OTHER, days(2, 1)));
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
    expect(new Set(rows.map(({ device }) => device))).toEqual(new Set([FREEZER, OTHER]));
    expect(rows.every(({ time }) => time instanceof Date && time.getTime() >= Date.parse(day(2)))).toBe(true);
    expect(files).toHaveLength(4);
    expect(metadata["format-version"]).toBe(2);
    expect(metadata.snapshots[0]?.summary).toMatchObject({
      operation: "append",
      "total-records": String(count),
      "added-data-files": "4",
    });
  });

  it("adds the parts of other periods, and replaces those of the same", async () => {
    await expectExported(days(3, 2));
    await expectExported(days(1, 1));
    const both = await table();
    expect(both.files).toHaveLength(3);
    expect(both.rows).toHaveLength(await countAt(FREEZER, days(3, 1)));
    const late = ["device", "data", "send", FREEZER, "temperature=1", "--time", `${day(2)}T00:00:01.000Z`];
    expect(await here.iot(late)).toMatchObject({ code: 0 });
    await expectExported(days(3, 2), "--again");
    const last = await table();
    expect(last.files).toHaveLength(3);
    expect(last.rows).toHaveLength(both.rows.length + 1);
    expect(last.metadata.snapshots.map(({ summary }) => summary["operation"])).toEqual([
      ...["append", "append", "overwrite"],
    ]);
    expect(last.metadata.snapshots.at(-1)?.summary).toMatchObject({
      "added-data-files": "1",
      "deleted-data-files": "1",
      "total-data-files": "3",
    });
  });

  it("changes nothing when the same is exported again", async () => {
    await expectExported(days(2, 1));
    const before = filesIn("metadata");
    await expectExported(days(2, 1), "--again");
    expect(filesIn("metadata")).toEqual(before);
  });

  it("is updated with --since-last: only the part of a late record is replaced, and the old one stays readable", async () => {
    await expectExported(days(3, 2));
    const before = await table();
    const late = ["device", "data", "send", FREEZER, "temperature=2", "--time", `${day(3)}T00:00:01.000Z`];
    expect(await here.iot(late)).toMatchObject({ code: 0 });
    const update = ["device", "data", "export", FREEZER, "--dataset", "--since-last", "--out", lake, "--yes"];
    const run = await here.iot([...update, "--to", `${day(2)}T23:59:59Z`, "--json"]);
    expect({ code: run.code, stderr: run.stderr, files: JSON.parse(run.stdout).files }).toMatchObject({
      code: 0,
      files: 1,
    });
    const after = await table();
    expect(after.rows).toHaveLength(before.rows.length + 1);
    const replaced = before.files.filter((file) => !after.files.includes(file));
    expect(replaced).toHaveLength(1);
    expect(existsSync(join(lake, replaced[0] ?? ""))).toBe(true);
    expect(after.metadata.snapshots.at(-1)?.summary).toMatchObject({
      operation: "overwrite",
      "deleted-data-files": "1",
    });
    const { files } = JSON.parse(readFileSync(join(lake, "_manifest.json"), "utf8")) as { files: { file: string }[] };
    expect(files.map(({ file }) => file).sort()).toEqual([...after.files].sort());
    const texts = ["_manifest.json", "metadata/version-hint.text"].map((name) =>
      readFileSync(join(lake, name), "utf8"),
    );
    expect(await here.iot([...update, "--to", `${day(2)}T23:59:59Z`])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Nothing is new"),
    });
    expect(texts).toEqual(
      ["_manifest.json", "metadata/version-hint.text"].map((name) => readFileSync(join(lake, name), "utf8")),
    );
  });

  it("is not mixed with a dataset that is no table", async () => {
    await expectExported(days(2, 2));
    const flat = [
      "device",
      "data",
      "export",
      FREEZER,
      ...days(1, 1),
      "--split",
      "day",
      "--dataset",
      "--out",
      lake,
      "--yes",
    ];
    expect(await here.iot(flat)).toMatchObject({ code: 7, stderr: expect.stringContaining("is a table") });
    rmSync(lake, { recursive: true });
    expect(await here.iot(flat)).toMatchObject({ code: 0 });
    expect(await exported(days(2, 2))).toMatchObject({ code: 7, stderr: expect.stringContaining("is not a table") });
  });

  it("has the tags that were asked for as columns, also in the files", async () => {
    const args = ["--tag", "device_type", "--split", "day", ...days(1, 1), "--out", lake, "--yes"];
    const run = await here.iot(["device", "data", "export", "--dataset", "--table", "iceberg", ...args]);
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    const { rows } = await table();
    expect(new Set(rows.map((row) => row["device_type"])).size).toBeGreaterThan(1);
    const own = rows.filter(({ device }) => device === FREEZER);
    expect(new Set(own.map((row) => row["device_type"]))).toEqual(new Set(["freezer"]));
  });

  it("says in each file which column is which, and in the table what each file holds", async () => {
    await expectExported(days(1, 1));
    const { metadata, rows, files, entries } = await table();
    const [file = ""] = files;
    const [entry] = entries as { partition: object; lower_bounds: Bound[]; upper_bounds: Bound[] }[];
    expect(entry?.partition).toEqual({ time_day: new Date(`${day(1)}T00:00:00Z`) });
    const bounds = [entry?.lower_bounds, entry?.upper_bounds].map((some) => some?.find(({ key }) => key === 3)?.value);
    const times = bounds.map((value) => Number(Buffer.from(value ?? []).readBigInt64LE() / 1000n));
    const own = rows.map(({ time }) => (time as Date).getTime());
    expect(times).toEqual([Math.min(...own), Math.max(...own)]);
    const devices = [entry?.lower_bounds, entry?.upper_bounds].map((some) => some?.find(({ key }) => key === 1)?.value);
    expect(devices.map((value) => Buffer.from(value ?? []).toString())).toEqual([FREEZER, FREEZER]);
    const parquet = await parquetMetadataAsync(await asyncBufferFromFile(join(lake, file)));
    const [schema] = metadata["schemas"] as {
      readonly fields: readonly { id: number; name: string; type: string }[];
    }[];
    const [, ...columns] = parquet.schema;
    expect(columns.map(({ name, field_id: id }) => ({ name, id }))).toEqual(
      schema?.fields.map(({ name, id }) => ({ name, id })),
    );
    const time = columns.find(({ name }) => name === "time");
    expect(time?.logical_type).toEqual({ type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" });
    expect(schema?.fields.find(({ name }) => name === "time")?.type).toBe("timestamptz");
    const properties = metadata["properties"] as Record<string, string>;
    expect(JSON.parse(properties["schema.name-mapping.default"] ?? "")).toContainEqual({
      "field-id": 3,
      names: ["time"],
    });
    expect(file).toMatch(new RegExp(`^device=${FREEZER}/day=${day(1)}\\.[0-9a-f]{16}\\.parquet$`));
    expect(JSON.parse(readFileSync(join(lake, "_manifest.json"), "utf8"))).toMatchObject({ files: [{ file }] });
  });

  it("is an empty table where there is nothing to export", async () => {
    await expectExported(["--from", "2001-01-01T00:00:00Z", "--to", "2001-01-02T00:00:00Z"]);
    const text = readFileSync(join(lake, "metadata", "v1.metadata.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ "current-snapshot-id": -1, snapshots: [] });
    await expectExported(days(1, 1));
    expect((await table()).rows).toHaveLength(await countAt(FREEZER, days(1, 1)));
  });

  it.each([
    ["other columns", days(1, 1), ["--fields", "time,value"], "made with other flags"],
    ["other variables", days(1, 1), ["--variable", "temperature"], "made with other flags"],
  ])("refuses to add to a table with %s", async (_, range, flags, said) => {
    await expectExported(days(2, 2));
    const before = filesIn("metadata");
    const result = await exported(range, ...flags);
    expect(result).toMatchObject({ code: 7, stderr: expect.stringContaining(said) });
    expect(filesIn("metadata")).toEqual(before);
  });

  it("refuses to add to a table that another program has changed, or that was moved", async () => {
    await expectExported(days(2, 2));
    const file = join(lake, "metadata", "v1.metadata.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"iot.job"', '"other.job"'));
    expect(await exported(days(1, 1))).toMatchObject({ code: 7, stderr: expect.stringContaining("Another program") });
    writeFileSync(file, text);
    const moved = `${lake}-2`;
    renameSync(lake, moved);
    const result = await exported(days(1, 1), "--out", moved);
    rmSync(moved, { recursive: true });
    expect(result).toMatchObject({ code: 7, stderr: expect.stringContaining(`It was made as file://${lake}`) });
  });

  it.each([
    [["--format", "csv"], 2, "A table cannot have the format csv"],
    [["--from", `${day(2)}T05:00:00Z`], 2, `--from ${day(2)}.`],
  ])("refuses %s", async (flags, code, said) => {
    expect(await exported(days(2, 1), ...flags)).toMatchObject({ code, stderr: expect.stringContaining(said) });
    expect(existsSync(join(lake, "metadata"))).toBe(false);
  });

  it("refuses a tag that is a column of records", async () => {
    const args = ["device", "data", "export", "--tag", "unit", "--last", "1h", "--dataset", "--table", "iceberg"];
    const result = await here.iot([...args, "--out", lake, "--yes"]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('The tag "unit" cannot be a column') });
  });
});

describe("device data export --table iceberg --out s3://", () => {
  let s3: S3Server;
  beforeEach(async () => {
    s3 = await s3Server("lake");
    for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
    return () => s3.close();
  });

  it("makes and changes a table there", async () => {
    const out = ["--out", "s3://lake/fleet"];
    await expectExported(days(2, 2), ...out);
    await expectExported(days(1, 1), ...out);
    const found = await readIceberg("s3://lake/fleet", (name) => s3.objects.get(`lake/fleet/${name}`)?.body);
    expect(found.rows).toHaveLength(await countAt(FREEZER, days(2, 1)));
    expect(found.metadata.snapshots).toHaveLength(2);
    const versions = s3.requests.filter(({ method, path }) => method === "PUT" && path.endsWith(".metadata.json"));
    expect(versions.map(({ headers }) => headers["if-none-match"])).toEqual(["*", "*"]);
  });
});

const form = { columns: ["device", "time"], tags: [], split: "month", parts: 2, selection: {}, fromMs: null } as const;

describe("the period and the tags in the path of a part", () => {
  it.each([
    ["site=plant/month=1970-01/part-001", "month", 0],
    ["site=plant/month=2026-11/part-001", "month", 682],
    ["device=65a1/day=2026-11-03", "day", 20_760],
    // A tag may have the name of a period.
    ["day=2020-01-01/device=65a1/day=2026-11-03", "day", 20_760],
  ] as const)("%s is %s %i", (path, split, value) => {
    expect(partitionValue(path, split)).toBe(value);
  });

  it("reads values as they were before they became a path", () => {
    const { constants } = parquetTable(
      { ...form, tags: ["site", "line", "area"] },
      "site=a%2Fb%20c/line=__HIVE_DEFAULT_PARTITION__/area=%C3%A4",
    );
    expect(constants).toEqual({ site: "a/b c", line: null, area: "ä" });
  });

  it("finds the parts that a job has read, by their period or all of them", () => {
    const covers = new Set([
      coverOf({ folder: "site=plant", part: "part-001" }, "month", Date.parse("2026-11-01")),
      coverOf({ folder: "site=plant/device=65a1" }, "month", undefined),
      coverOf({ folder: "device=65a2" }, null, undefined),
    ]);
    const parts = [
      ["site=plant/month=2026-11/part-001", true],
      ["site=plant/month=2026-10/part-001", false],
      ["site=plant/month=2026-11/part-002", false],
      ["site=plant/device=65a1/month=2024-01", true],
      ["site=other/device=65a1/month=2024-01", false],
      ["device=65a2/data", true],
    ] as const;
    expect(parts.map(([part]) => [part, isCovered(part, covers)])).toEqual(parts);
  });
});

const START_MS = Date.parse("2026-11-01T00:00:00Z");
const none: ReadonlySet<string> = new Set();

/** A table whose files hold a word. */
class Lake {
  readonly store: DatasetStore;
  readonly location: string;
  nowMs = START_MS;

  constructor(folder: string) {
    const clock = { now: () => this.nowMs };
    this.ctx = { cwd: "/", env: {}, clock } as unknown as CommandContext;
    this.store = storeOf(this.ctx, folder);
    this.location = this.store.location;
  }

  readonly ctx: CommandContext;

  /** A part with a content. */
  part(month: string, bucket: number, content: string): DatasetFile {
    const sha256 = createHash("sha256").update(content).digest("hex");
    const file = tableFile(`month=${month}/part-00${bucket}`, sha256);
    const path = join(lake, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const bounds = { time: [`${month}-01T00:00:00.000Z`, `${month}-02T00:00:00.000Z`], device: ["a", "b"] } as const;
    return { file, bytes: content.length, sha256, records: content.length, devices: {}, bounds };
  }

  commit(job: string, files: readonly DatasetFile[], covers: ReadonlySet<string> = none): Promise<void> {
    const parts = new Set(files.map(({ file }) => file.replace(/\.[0-9a-f]+\.parquet$/, "")));
    const commit = { job, location: this.location, form, files };
    return commitTable(this.ctx, this.store, { ...commit, covers: (part) => parts.has(part) || covers.has(part) });
  }

  /** What the data files hold. */
  async words(): Promise<string[]> {
    const { files } = await table(false);
    return files.map((file) => readFileSync(join(lake, file), "utf8")).sort();
  }
}

describe("a commit to a table", () => {
  let own: Lake;
  beforeEach(() => {
    mkdirSync(lake);
    own = new Lake(lake);
  });

  it("is made once, however often its job ends, and also after another job has replaced its files", async () => {
    const first = own.part("2026-10", 1, "old");
    await own.commit("job-1", [first]);
    await own.commit("job-2", [own.part("2026-10", 1, "new")]);
    const before = filesIn("metadata");
    await own.commit("job-1", [first]);
    expect(await own.words()).toEqual(["new"]);
    expect(filesIn("metadata")).toEqual(before);
  });

  it("removes the file of a part that has no records any more", async () => {
    await own.commit("job-1", [own.part("2026-10", 1, "one"), own.part("2026-10", 2, "two")]);
    await own.commit("job-2", [], new Set(["month=2026-10/part-001"]));
    expect(await own.words()).toEqual(["two"]);
    expect((await table(false)).metadata.snapshots.at(-1)?.summary["operation"]).toBe("delete");
  });

  it("loses nothing of jobs that end at the same time", async () => {
    const words = Array.from({ length: 8 }, (_, n) => `word ${n}`);
    await Promise.all(words.map((word, n) => new Lake(lake).commit(`job-${n}`, [own.part("2026-10", n, word)])));
    expect(await own.words()).toEqual(words);
    // Attempts that came second have left nothing.
    const { metadata } = await table(false);
    expect(metadata.snapshots).toHaveLength(8);
    expect(filesIn("metadata").filter((name) => name.endsWith(".avro"))).toHaveLength(16);
  });

  it("continues from a version that a killed job could not announce", async () => {
    await own.commit("job-1", [own.part("2026-10", 1, "one")]);
    await own.commit("job-2", [own.part("2026-10", 2, "two")]);
    writeFileSync(join(lake, "metadata", "version-hint.text"), "1");
    await own.commit("job-2", [own.part("2026-10", 2, "two")]);
    expect(readFileSync(join(lake, "metadata", "version-hint.text"), "utf8")).toBe("2");
    rmSync(join(lake, "metadata", "version-hint.text"));
    await own.commit("job-3", [own.part("2026-11", 1, "three")]);
    expect(await own.words()).toEqual(["one", "three", "two"]);
  });

  it("removes what only states of more than five days ago have", async () => {
    await own.commit("job-1", [own.part("2026-10", 1, "old"), own.part("2026-10", 2, "same")]);
    own.nowMs += 86_400_000;
    await own.commit("job-2", [own.part("2026-10", 1, "new")]);
    own.nowMs += 4.5 * 86_400_000;
    await own.commit("job-3", [own.part("2026-10", 1, "newest")]);
    const { metadata } = await table(false);
    expect(metadata.snapshots.map(({ summary }) => summary["iot.job"])).toEqual(["job-2", "job-3"]);
    const left = filesIn("month=2026-10").map((name) => readFileSync(join(lake, "month=2026-10", name), "utf8"));
    expect(left.sort()).toEqual(["new", "newest", "same"]);
    expect(filesIn("metadata").filter((name) => name.endsWith(".avro"))).toHaveLength(4);
  });
});
