import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { pathBelow } from "../../src/commands/kit/jobs/path-below.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

const FREEZER = "65a1000000000000000d0001";
const OTHER = "65a1000000000000000d0002";
let here: SandboxUnderTest;
let folder: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
afterEach(() => {
  here.sandbox.faults.set([]);
  rmSync(folder, { recursive: true, force: true });
});

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** Runs an export of yesterday and the day before to a dataset. */
async function exported(...more: readonly string[]) {
  folder = folder && existsSync(folder) ? folder : temporaryFolder();
  const range = ["--from", `${day(2)}T00:00:00Z`, "--to", `${day(1)}T23:59:59Z`];
  const args = ["device", "data", "export", FREEZER, ...range, "--dataset", "--out", join(folder, "lake"), "--yes"];
  return here.iot([...args, ...more]);
}

interface Manifest {
  readonly records: number;
  readonly files: readonly { readonly file: string; readonly records: number; readonly sha256: string }[];
}

const manifest = (): Manifest => JSON.parse(readFileSync(join(folder, "lake", "_manifest.json"), "utf8")) as Manifest;

describe("device data export --dataset in one process", () => {
  it("writes a file for each device and day, and a manifest with the platform's count", async () => {
    const { code, stdout, stderr } = await exported("--split", "day", "--format", "ndjson", "--verify", "--json");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { files, records } = manifest();
    expect(files.map(({ file }) => file)).toEqual([2, 1].map((ago) => `device=${FREEZER}/day=${day(ago)}.ndjson`));
    const lines = files.map(
      ({ file }) =>
        readFileSync(join(folder, "lake", file), "utf8")
          .trim()
          .split("\n").length,
    );
    expect(files.map((file) => file.records)).toEqual(lines);
    expect(JSON.parse(stdout)).toMatchObject({ files: 2, records, different: 0 });
    expect(records).toBeGreaterThan(100);
    expect(existsSync(join(folder, "lake", "_temporary"))).toBe(false);
  });

  it("names the folder by the tag asked for, by its value where only the key was given", async () => {
    folder = temporaryFolder();
    const args = ["device", "data", "export", "--tag", "device_type", "--last", "1h", "--dataset", "--yes"];
    const { code, stderr } = await here.iot([...args, "--format", "csv", "--out", folder]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { files } = JSON.parse(readFileSync(join(folder, "_manifest.json"), "utf8")) as Manifest;
    expect(files.map(({ file }) => file)).toContain(`device_type=freezer/device=${FREEZER}/data.csv`);
  });

  it("reports items that fail with 8 and without a manifest, and does the rest with --resume", async () => {
    const flags = [OTHER, "--split", "day", "--format", "ndjson"];
    await exported(...flags);
    const whole = manifest();
    here.sandbox.faults.set([{ route: `GET /device/${OTHER}/data`, kind: "status", status: 400 }]);
    const report = join(folder, "report.csv");
    const { code, stderr } = await exported(...flags, "--again", "--report", report);
    expect({ code, stderr }).toMatchObject({ code: 8, stderr: expect.stringContaining("2 of 4 items failed") });
    expect(existsSync(join(folder, "lake", "_manifest.json"))).toBe(false);
    expect(readFileSync(report, "utf8").match(/,failed,.*400/g)).toHaveLength(2);
    here.sandbox.faults.set([]);
    const startMs = Date.now();
    expect((await exported(...flags, "--resume")).code).toBe(0);
    const asked = here.requestsSince(startMs).filter((request) => request.includes("/data"));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((request) => request.includes(FREEZER))).toEqual([]);
    expect(manifest()).toEqual(whole);
    const again = await exported(...flags, "--resume");
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing to do") });
  });

  it("stops at a failure that the next item would meet as well, and can be resumed", { tags: ["slow"] }, async () => {
    folder = temporaryFolder();
    const flags = [OTHER, "--split", "day", "--format", "ndjson", "--concurrency", "1"];
    here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "latency", delayMs: 60 }]);
    const run = exported(...flags, "--retries", "0");
    const first = join(folder, "lake", `device=${FREEZER}`, `day=${day(2)}.ndjson`);
    await waitFor(() => existsSync(first), "the first file");
    here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "status", status: 503 }]);
    const { code, stderr } = await run;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("--resume to continue") });
    here.sandbox.faults.set([]);
    expect((await exported(...flags, "--resume")).code).toBe(0);
    expect(manifest().files.map(({ file }) => file)).toContain(`device=${FREEZER}/day=${day(2)}.ndjson`);
  });

  it("asks before it overwrites a dataset", async () => {
    await exported();
    const args = ["device", "data", "export", FREEZER, "--last", "1h", "--dataset", "--out", join(folder, "lake")];
    expect(await here.iot(args)).toMatchObject({ code: 2, stderr: expect.stringContaining("Overwrite the dataset") });
  });

  it.each([
    [["--detach"], "--detach needs a queue"],
    [["--max-records", "5"], "--max-records and --dataset cannot"],
    [["--format", "json"], "cannot have the format json"],
  ])("refuses %s", async (flags, said) => {
    expect(await exported(...flags)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  });

  it("refuses the flags of a dataset elsewhere", async () => {
    const args = ["device", "data", "export", FREEZER, "--last", "1h", "--out", join(temporaryFolder(), "a.csv")];
    expect(await here.iot([...args, "--report", "b.csv"])).toMatchObject({ code: 2 });
    expect(await here.iot([...args, "--detach"])).toMatchObject({ code: 2 });
  });
});

describe("a path of an item", () => {
  it.each(["../a", "a/../../b", "/etc/passwd", "a\\..\\..\\b", "", ".", "a\0b"])("%j stays in the folder", (path) => {
    expect(() => pathBelow("/data/lake", path)).toThrow(/leads out of the folder/);
  });

  it("is found below it", () => {
    expect(pathBelow("/data/lake", "site=plant/device=1/data.csv")).toBe("/data/lake/site=plant/device=1/data.csv");
    expect(pathBelow("/", "a")).toBe("/a");
  });
});
