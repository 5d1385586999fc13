import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Device, Resources } from "../../src/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { query } from "./duckdb.mjs";
import { type ClusterPlace, clusterPlace, exportTo, filesOf } from "./place.ts";
import { testRedis } from "./redis.ts";

// In full size: node bench/queue-kills.js.
const DEVICES = 1_500;
const EACH = 4;
/** What the number of devices and their few records lead to. */
const PARTS = 30;
let place: ClusterPlace;
let out: string;

/** A scenario with a fleet at one site, whose devices have records of the day. */
function fleet(): string {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const pressure = { variable: "pressure", value: [4, { step: 0.1 }, { noise: 0.5 }], digits: 2, unit: "bar" };
  const device = {
    ...{ repeat: DEVICES, id: "65a30000000000000000{n:x4}", name: "Pump {n:5}", tags: { site: "plant" } },
    history: { every: "300 minutes", samples: EACH, variables: [pressure] },
  };
  writeFileSync(join(folder, "scenario.json"), JSON.stringify({ extends: "empty", title: "A fleet of pumps" }));
  writeFileSync(join(folder, "devices.json"), JSON.stringify([device]));
  return folder;
}

beforeAll(async () => {
  const clock = new Date("2026-11-01T23:59:00Z");
  place = await clusterPlace(0, await testRedis({ isKept: true }), { seed: fleet(), clock });
  out = join(place.folder, "out");
});
afterAll(() => place?.close());

interface Manifest {
  readonly parts: number;
  readonly records: number;
  readonly files: readonly { readonly file: string; readonly devices: Record<string, number> }[];
}
const manifest = (): Manifest => JSON.parse(readFileSync(join(out, "_manifest.json"), "utf8")) as Manifest;

/** Kills workers, and Redis in the middle, while a job is done; then waits for its end. */
async function withKills(args: readonly string[], kills: number): Promise<void> {
  place.here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "latency", delayMs: 60 }]);
  const workers = await Promise.all(Array.from({ length: 4 }, () => place.worker()));
  const submitter = await place.start(args);
  for (let n = 0; n < kills; n += 1) {
    const least = Math.floor((PARTS * (n + Math.random())) / (kills + 2));
    const isAt = (job: { state: string; done: number }): boolean => job.state === "running" && job.done >= least;
    const { done } = await place.jobUntil(isAt, `part ${least}`);
    expect(done).toBeLessThan(PARTS);
    if (n === kills >> 1) {
      await place.redis.kill();
      await place.redis.start();
    } else {
      await workers[n % 4]?.end("SIGKILL");
      workers[n % 4] = await place.worker();
    }
  }
  await waitFor(() => submitter.child.exitCode !== null, "the end of the submitter");
  expect({ code: submitter.child.exitCode, said: submitter.said() }).toMatchObject({ code: 0 });
  await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
  place.here.sandbox.faults.set([]);
}

const counts = `SELECT count(*)::INT AS records, count(DISTINCT id)::INT AS ids, count(DISTINCT device)::INT AS devices`;

it("leaves every record exactly once in few parts when workers and Redis are killed", async () => {
  await withKills(exportTo(out), 5);
  const all = DEVICES * EACH;
  expect(manifest()).toMatchObject({ parts: PARTS, records: all, files: { length: PARTS } });
  expect(Object.keys(filesOf(out))).toHaveLength(PARTS + 1);
  const rows = await query(`${counts} FROM read_parquet('${out}/**/*.parquet', hive_partitioning = true)`);
  expect(rows).toEqual([{ records: all, ids: all, devices: DEVICES }]);
  const sizes = manifest().files.flatMap(({ devices }) => Object.values(devices));
  expect(sizes).toEqual(Array.from({ length: DEVICES }, () => EACH));
});

it("has statistics by which DuckDB leaves out row groups", async () => {
  const sql = `SELECT path_in_schema AS name, stats_min_value AS least, stats_max_value AS most
    FROM parquet_metadata('${out}/**/*.parquet') WHERE path_in_schema IN ('device', 'time')`;
  const rows = (await query(sql)) as { name: string; least: string; most: string }[];
  expect(rows).toHaveLength(2 * PARTS);
  for (const { name, least, most } of rows) {
    expect(least < most).toBe(true);
    expect(least).toMatch(name === "device" ? /^65a3[0-9a-f]{20}$/ : /^2026-11-01/);
  }
});

it("is updated by workers that are killed: what is new once, and no other part", async () => {
  const update = exportTo(out, "--since-last", "--to", "2026-11-03T00:00:00Z");
  const nothing = exportTo(out, "--since-last");
  const mtimes = (): Record<string, number> =>
    Object.fromEntries(Object.keys(filesOf(out)).map((name) => [name, statSync(join(out, name)).mtimeMs]));
  const before = mtimes();
  const worker = await place.worker();
  const first = await place.iot(nothing);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing is new") });
  expect(mtimes()).toEqual(before);
  await worker.end("SIGTERM");
  const changed = manifest().files.slice(0, 5);
  const region = { api: place.env["IOT_API_URL"] ?? "", sse: place.env["IOT_EVENTS_URL"] ?? "" };
  const resources = new Resources({ token: place.env["IOT_TOKEN"] ?? "", region });
  let sent = 0;
  for (const { devices } of changed) {
    for (const id of Object.keys(devices).slice(0, 7)) {
      const token = await resources.devices.tokenCreate(id, { name: "new", permission: "full" });
      const times = ["2026-11-01T00:00:01Z", "2026-11-02T12:00:00Z"].map((time) => new Date(time));
      await new Device({ token: token.token, region }).sendData(
        times.map((time) => ({ variable: "late", value: 1, time })),
      );
      sent += times.length;
    }
  }
  await withKills(update, 3);
  const all = DEVICES * EACH + sent;
  const rows = await query(`${counts} FROM read_parquet('${out}/**/*.parquet', hive_partitioning = true)`);
  expect(rows).toEqual([{ records: all, ids: all, devices: DEVICES }]);
  const after = mtimes();
  const written = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect(written.sort()).toEqual(["_manifest.json", ...changed.map(({ file }) => file)].sort());
  expect(manifest().records).toBe(all);
});
