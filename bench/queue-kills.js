// An export by four workers while everything dies: workers are killed at random moments and started again, Redis is killed
// once and comes back with its append-only file. Then every record must be there exactly once, and the plan, the report and
// the manifest must agree; and an update that finds nothing new must leave every file as it is.
//   node bench/queue-kills.js [--devices 20000] [--records 5] [--kills 10] [--parts N] [--format ndjson] [--s3|--moto] [--keep FOLDER] [--out FILE]
//   (needs: npm run build, redis-server; `--s3` writes to the S3 server of the tests, `--moto` to moto_server; `--keep` copies the
//   dataset to a new folder; with parquet DuckDB counts it, after npm ci --prefix test/cluster)
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { queuePlace } from "./queue-place.js";
import { download, objectsOf, openUploads, startS3 } from "./s3-place.js";

const { values } = parseArgs({
  options: {
    devices: { type: "string", default: "20000" },
    records: { type: "string", default: "5" },
    kills: { type: "string", default: "10" },
    parts: { type: "string" },
    format: { type: "string", default: "ndjson" },
    s3: { type: "boolean", default: false },
    moto: { type: "boolean", default: false },
    keep: { type: "string" },
    out: { type: "string" },
  },
});
const [devices, records, kills] = [values.devices, values.records, values.kills].map(Number);
const WORKERS = 4;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

console.error(`Making ${devices} devices with ${records} records each`);
const bucketFolder = mkdtempSync(join(tmpdir(), "iot-s3-"));
const s3 = values.s3 || values.moto ? await startS3(values.moto, bucketFolder) : undefined;
const place = await queuePlace(devices, records, s3?.env);
const { redis, client, folder } = place;

/** Items of the job with a result. */
async function countDone() {
  const [, [key] = []] = await client.scan("0", "MATCH", "bull:iot-jobs-*:processed", "COUNT", 1_000_000);
  return key === undefined ? 0 : client.hlen(key);
}

/** Items of the job; unknown while they are planned. */
async function countPlanned() {
  const [, [key] = []] = await client.scan("0", "MATCH", "bull:iot-jobs-*:j*", "COUNT", 1_000_000);
  const data = key === undefined ? undefined : await client.hget(key.replace(/:processed$|:dependencies$/, ""), "data");
  return JSON.parse(data ?? "{}").planned;
}

/** Kills as many items have a result as was drawn; a worker that died is started again at once. */
async function killAll(workers, isOver) {
  let planned;
  while (planned === undefined && !isOver()) {
    await pause(20);
    planned = await countPlanned();
  }
  const draw = () => Math.floor(Math.random() * planned * 0.9);
  const moments = [
    ...Array.from({ length: kills }, () => ({ at: draw(), isRedis: false })),
    { at: draw(), isRedis: true },
  ].sort((one, other) => one.at - other.at);
  for (const { at, isRedis } of moments) {
    while ((await countDone()) < at && !isOver()) await pause(20);
    assert(!isOver(), "the job ended before all was killed");
    console.error(`${await countDone()} done: ${isRedis ? "Redis" : "a worker"} is killed`);
    if (isRedis) {
      await redis.kill();
      await pause(1_000);
      await redis.start();
    } else {
      const n = Math.floor(Math.random() * WORKERS);
      workers[n].child.kill("SIGKILL");
      await workers[n].ended;
      workers[n] = await place.worker();
    }
  }
}

const contentOf = (line) => {
  const { device, variable, value, time } = JSON.parse(line);
  return JSON.stringify([device, variable, value, time]);
};

/** Counts what is on the disk against what was sent, the manifest and the report. */
function check(out, report) {
  const manifest = JSON.parse(readFileSync(join(out, "_manifest.json"), "utf8"));
  const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(`.${values.format}`));
  assert.deepEqual(manifest.files.map(({ file }) => file).sort(), files.sort());
  const found = new Set();
  const perDevice = new Map();
  for (const { file, records: count, sha256, devices: counts } of manifest.files) {
    const bytes = readFileSync(join(out, file));
    assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256, file);
    for (const [id, own] of Object.entries(counts)) perDevice.set(id, (perDevice.get(id) ?? 0) + own);
    if (values.format !== "ndjson") continue;
    const lines = bytes.toString().trim().split("\n");
    assert.equal(lines.length, count, file);
    for (const line of lines) found.add(contentOf(line));
  }
  const all = devices * records;
  assert.equal(manifest.records, all);
  if (values.format === "ndjson") assert.equal(found.size, all);
  assert.deepEqual([...perDevice.keys()].sort(), [...place.ids].sort());
  assert.deepEqual(new Set(perDevice.values()), new Set([records]));
  const rows = readFileSync(report, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(rows.filter(({ reason }) => reason !== undefined).length, 0);
  assert.equal(
    rows.reduce((sum, row) => sum + row.records, 0),
    all,
  );
  return { parts: files.length, bytes: manifest.bytes };
}

/** All files, with what changes when one is written again. */
const stateOf = async (out) =>
  s3 === undefined
    ? readdirSync(out, { recursive: true }).map((name) => [name, statSync(join(out, name), { bigint: true }).mtimeNs])
    : objectsOf(s3.env, "out/");

/** Counts by an engine: seconds of the second time, when the files are in memory. */
async function countByEngine(out) {
  const { query } = await import("../test/cluster/duckdb.mjs");
  const files = `read_parquet('${out}/**/*.parquet', hive_partitioning = false)`;
  const [{ different }] = await query(`select count(distinct id)::int as different from ${files}`);
  assert.equal(different, devices * records);
  const beganMs = performance.now();
  const [{ count }] = await query(`select count(*)::int as count, avg(value) as average from ${files}`);
  assert.equal(count, devices * records);
  return { engineSeconds: (performance.now() - beganMs) / 1000 };
}

try {
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => place.worker()));
  const [out, report] = [join(folder, "out"), join(folder, "report.ndjson")];
  const target = s3 === undefined ? "out" : "s3://lake/out";
  const parts = values.parts === undefined ? [] : ["--parts", values.parts];
  const flags = ["--format", values.format, "--report", report, "--queue", redis.url, ...parts];
  const submitter = place.iot(...place.exportTo(target, ...flags));
  let isOver = false;
  const over = submitter.ended.finally(() => {
    isOver = true;
  });
  await Promise.all([over, killAll(workers, () => isOver)]);
  const { seconds } = await over;
  if (s3 !== undefined) await download(s3.env, "out/", out);
  const size = check(out, report);
  const engine = values.format === "parquet" ? await countByEngine(out) : {};
  const before = await stateOf(out);
  const update = await place.iot(...place.exportTo(target, "--since-last", "--queue", redis.url)).ended;
  assert.deepEqual(await stateOf(out), before);
  if (s3 !== undefined) assert.deepEqual(await openUploads(s3.env), []);
  if (values.keep !== undefined) cpSync(out, values.keep, { recursive: true });
  for (const { child } of workers) child.kill("SIGTERM");
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  const mostMib = Math.max(...ends.map((end) => end.mostMib));
  const result = {
    node: process.versions.node,
    cpus: cpus().length,
    devices,
    records,
    kills,
    ...size,
    ...engine,
    seconds,
    mostMib,
    update,
  };
  console.log(JSON.stringify(result, undefined, 2));
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  await place.close();
  s3?.child.kill("SIGKILL");
  rmSync(bucketFolder, { recursive: true, force: true });
}
