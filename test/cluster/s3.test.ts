import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Device, Resources } from "../../src/index.ts";
import { readIceberg } from "../helpers/iceberg.ts";
import { ACCESS_KEY, type S3Server, SECRET_KEY, s3Server } from "../helpers/s3-server.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { query } from "./duckdb.mjs";
import { type ClusterPlace, clusterPlace, exportTo, RECORDS } from "./place.ts";
import { testRedis } from "./redis.ts";
import { type TestS3, testS3 } from "./s3.ts";

const DEVICES = 200;
let place: ClusterPlace;
let s3: TestS3;
beforeAll(async () => {
  [place, s3] = await Promise.all([clusterPlace(DEVICES, await testRedis({ isKept: true })), testS3()]);
});
afterAll(() => Promise.all([place?.close(), s3?.close()]));

/** Where the submitter runs in this process, its package reads the variables of that. */
const stubEnvironment = (env: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
};

/** Everything that the queue holds of jobs and items. */
async function queueContent(): Promise<string> {
  const redis = place.redis.client();
  const keys = await redis.keys("*");
  const hashes: Record<string, string>[] = [];
  for (const key of keys) if ((await redis.type(key)) === "hash") hashes.push(await redis.hgetall(key));
  return JSON.stringify(hashes);
}

describe("an export to a table in S3 by workers", () => {
  beforeEach(() => stubEnvironment(s3.env));

  it("has every record once when workers and Redis are killed, and leaves no upload open", async () => {
    place.here.sandbox.faults.set([{ route: "GET /device/*/data", kind: "latency", delayMs: 40 }]);
    const out = ["--split", "month", "--table", "iceberg", "--json"];
    // A folder of other jobs is nothing to this one.
    const start = () => place.worker(["--folder", "/nonexistent"], s3.env);
    const workers = [await start(), await start(), await start()];
    const submitter = await place.start(exportTo("s3://lake/fleet", ...out), s3.env);
    for (const [n, isRedis] of [false, true, false, false].entries()) {
      const least = Math.floor(10 + 40 * (n + Math.random()));
      await place.jobUntil(({ done }) => done >= least, `item ${least}`);
      if (isRedis) {
        await place.redis.kill();
        await place.redis.start();
      } else {
        await workers[n % 3]?.end("SIGKILL");
        workers[n % 3] = await start();
      }
    }
    await place.jobUntil(({ state }) => state === "done", "the end");
    expect({ code: await submitter.ended, said: submitter.said() }).toMatchObject({ code: 0 });
    expect(JSON.parse(submitter.printed())).toMatchObject({ files: DEVICES, records: DEVICES * RECORDS });
    expect(await s3.openUploads()).toEqual([]);

    const objects = await s3.objects();
    const table = await readIceberg("s3://lake/fleet", (name) => objects.get(`fleet/${name}`));
    expect(table.files).toHaveLength(DEVICES);
    expect(table.rows).toHaveLength(DEVICES * RECORDS);
    expect(new Set(table.rows.map(({ id }) => id)).size).toBe(DEVICES * RECORDS);
    expect(table.metadata.snapshots).toHaveLength(1);
    const paths = table.files.map((file) => join(place.folder, file));
    for (const [n, path] of paths.entries()) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, objects.get(`fleet/${table.files[n] ?? ""}`) ?? "");
    }
    const list = paths.map((path) => `'${path}'`).join(", ");
    const [row] = await query(
      `SELECT count(*)::INT AS records, count(DISTINCT id)::INT AS ids, any_value(site) AS site, max(time)::VARCHAR AS last
       FROM read_parquet([${list}], hive_partitioning = false)`,
    );
    expect(row).toMatchObject({
      records: DEVICES * RECORDS,
      ids: DEVICES * RECORDS,
      site: "plant",
      last: "2026-11-01 19:50:00+00",
    });
    await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
  });

  it("puts no credentials into the queue", async () => {
    const content = await queueContent();
    expect(content).toContain("s3://lake/fleet");
    expect(content).not.toContain(SECRET_KEY);
    expect(content).not.toContain(ACCESS_KEY);
  });

  it("says which variable is wrong where a worker has no credentials, and does nothing more", async () => {
    const flags = ["--format", "ndjson", "--detach", "--json"];
    const { code, stdout } = await place.iot(exportTo("s3://lake/other", ...flags));
    expect(code).toBe(0);
    const worker = await place.worker([], { ...s3.env, AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" });
    expect(await worker.ended).toBe(4);
    expect(worker.said()).toMatch(/bucket lake cannot be used/);
    const { job } = JSON.parse(stdout) as { job: string };
    expect((await place.iot(["job", "cancel", job, "--yes"])).code).toBe(0);
  });
});

describe("a worker that is killed in the middle of an upload", () => {
  const LARGE = 11_000;
  /** Within the size of a request. */
  const BATCH = 200;
  let large: S3Server;
  beforeAll(async () => {
    large = await s3Server("lake");
    await fillLarge();
  });
  afterAll(() => large.close());

  /** A device whose records take more than one part of an upload. */
  async function fillLarge(): Promise<void> {
    const { env } = place.here;
    const region = { api: env["IOT_API_URL"] ?? "", sse: env["IOT_EVENTS_URL"] ?? "" };
    const { devices } = new Resources({ token: env["IOT_TOKEN"] ?? "", region });
    const { token } = await devices.create({
      ...{ name: "Large", type: "mutable", tags: [{ key: "site", value: "large" }] },
      ...{ connector: "65a1000000000000000c0001", network: "65a1000000000000000e0001" },
    });
    const device = new Device({ token, region });
    const note = "x".repeat(800);
    for (let at = 0; at < LARGE; at += BATCH) {
      const records = Array.from({ length: BATCH }, (_, n) => ({
        ...{ variable: "state", value: at + n, metadata: { note } },
        time: new Date(Date.parse("2026-11-01T00:00:00Z") + (at + n) * 1_000),
      }));
      await device.sendData(records);
    }
  }

  it("leaves nothing: the next attempt removes the upload and writes the file", async () => {
    stubEnvironment(large.env);
    const isPart = (query: URLSearchParams): boolean => query.get("partNumber") === "2";
    large.fault(({ query: asked }) => (isPart(asked) ? "hang" : undefined));
    const first = await place.worker([], large.env);
    const args = ["device", "data", "export", "--tag", "site=large", "--from", "2026-11-01", "--to", "2026-11-02"];
    const submitter = await place.start(
      [...args, "--dataset", "--format", "ndjson", "--out", "s3://lake/large", "--yes", "--json"],
      large.env,
    );
    await waitFor(() => large.requests.some(({ query: asked }) => isPart(asked)), "the second part");
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`iot-dataset-${first.child.pid}-`));
    expect(folders()).toHaveLength(1);
    await first.end("SIGKILL");
    expect([large.uploads.size, large.objects.size]).toEqual([1, 0]);
    large.fault(() => undefined);
    const second = await place.worker([], large.env);
    expect({ code: await submitter.ended, said: submitter.said() }).toMatchObject({ code: 0 });
    expect(JSON.parse(submitter.printed())).toMatchObject({ files: 1, records: LARGE });
    expect(large.uploads.size).toBe(0);
    expect(folders()).toEqual([]);
    const [file = ""] = [...large.objects.keys()].filter((key) => key.endsWith(".ndjson"));
    const lines = (large.objects.get(file)?.body.toString("utf8") ?? "").trim().split("\n");
    expect(new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id)).size).toBe(LARGE);
    await second.end("SIGTERM");
  });
});
