import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "./duckdb.mjs";
import { type ClusterPlace, clusterPlace, exportTo, filesOf, RECORDS } from "./place.ts";

const DEVICES = 24;
let place: ClusterPlace;
beforeAll(async () => {
  place = await clusterPlace(DEVICES);
});
afterAll(() => place?.close());

interface Manifest {
  readonly records: number;
  readonly bytes: number;
  readonly files: readonly { readonly file: string; readonly records: number; readonly bytes: number }[];
}

const local = { IOT_QUEUE: "" };

describe("an export by workers", () => {
  it.each(["parquet", "ndjson", "csv"])("writes the same bytes as one process: %s", async (format) => {
    const [one, many] = [join(place.folder, `local-${format}`), join(place.folder, `queue-${format}`)];
    const flags = ["--split", "month", "--format", format];
    const workers = await Promise.all([place.worker(), place.worker()]);
    const alone = await place.iot(exportTo(one, ...flags), local);
    expect({ code: alone.code, stderr: alone.stderr }).toMatchObject({ code: 0 });
    const spread = await place.iot(exportTo(many, ...flags, "--json"));
    expect({ code: spread.code, stderr: spread.stderr }).toMatchObject({ code: 0 });
    expect(filesOf(many)).toEqual(filesOf(one));
    expect(Object.keys(filesOf(many))).toHaveLength(DEVICES + 1);
    expect(JSON.parse(spread.stdout)).toMatchObject({ files: DEVICES, records: DEVICES * RECORDS });
    const ends = await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
    expect(ends).toEqual([143, 143]);
    const shares = workers.map(({ said }) => Number(/Did (\d+) items?/.exec(said())?.[1]));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(DEVICES);
    expect(shares.filter((share) => share === 0)).toEqual([]);
    for (const { said } of workers) expect(said()).toContain("limits of the profile are shared by 2 workers");
  });

  it("is read by DuckDB as one table with the platform's counts", async () => {
    const out = join(place.folder, "queue-parquet");
    const manifest = JSON.parse(filesOf(out)["_manifest.json"] ?? "") as Manifest;
    const sql = `SELECT site, count(*)::INT AS records, count(DISTINCT id)::INT AS ids, count(DISTINCT device)::INT AS devices
      FROM read_parquet('${out}/**/*.parquet', hive_partitioning = true) GROUP BY site`;
    const rows = await query(sql);
    let there = 0;
    for (const id of place.devices) there += await place.here.json<number>(["device", "data", "count", id]);
    expect(rows).toEqual([{ site: "plant", records: there, ids: there, devices: DEVICES }]);
    expect(manifest.records).toBe(there);
    expect(manifest.files.reduce((sum, file) => sum + file.records, 0)).toBe(there);
  });

  it("compares the counts with the platform's", async () => {
    const worker = await place.worker();
    const out = join(place.folder, "verified");
    const report = join(place.folder, "verified.csv");
    const { code, stderr } = await place.iot(exportTo(out, "--verify", "--report", report));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [, ...lines] = (filesOf(place.folder)["verified.csv"] ?? "").trim().split("\n");
    expect(lines).toHaveLength(DEVICES);
    expect(lines.every((line) => line.includes(`,${RECORDS},${RECORDS},${RECORDS},`))).toBe(true);
    await worker.end("SIGTERM");
  });

  it("does nothing again for the same command, and all of it with --again", async () => {
    const out = join(place.folder, "again");
    const worker = await place.worker();
    const first = await place.iot(exportTo(out));
    const second = await place.iot(exportTo(out));
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.stderr).toMatch(/finished on .*; nothing to do/);
    expect(second.stderr).not.toContain("Exported");
    const third = await place.iot(exportTo(out, "--again"));
    expect(third.code).toBe(0);
    await worker.end("SIGTERM");
    expect(worker.said()).toContain(`Did ${2 * DEVICES} items`);
  });

  it("goes on where a killed submitter stopped", async () => {
    const out = join(place.folder, "planned");
    const flags = exportTo(out, "--split", "day", "--from", "2024-01-01T00:00:00Z", "--detach");
    const days = (Date.parse("2026-11-02T00:00:00Z") - Date.parse("2024-01-01T00:00:00Z")) / 86_400_000;
    const submitter = await place.start(flags);
    const { id } = await place.jobUntil(({ state }) => state === "planning", "planning");
    await submitter.end("SIGKILL");
    expect((await place.job()).planned).toBeUndefined();
    const again = await place.iot([...flags, "--json"]);
    expect({ code: again.code, stderr: again.stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(again.stdout)).toMatchObject({ job: id });
    expect(await place.job()).toMatchObject({ id, state: "running", planned: DEVICES * days });
    const queue = place.redis.client();
    expect(await queue.llen(`bull:iot-items-${id}:wait`)).toBe(DEVICES * days);
    const cancelled = await place.iot(["job", "cancel", id, "--yes", "--json"]);
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ state: "cancelled", done: 0 });
    expect(await queue.llen(`bull:iot-items-${id}:wait`)).toBe(0);
  });
});
