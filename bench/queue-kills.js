// An export by four workers while everything dies: workers are killed at random moments and started again, Redis is killed
// once and comes back with its append-only file. Then every record must be there exactly once, and the plan, the report and
// the manifest must agree; and an update that finds nothing new must leave every file as it is.
//   node bench/queue-kills.js [--devices 20000] [--records 5] [--kills 10] [--parts N] [--format ndjson] [--keep FOLDER] [--out FILE]
//   (needs: npm run build, redis-server; `--keep` copies the dataset to a new folder)
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { queuePlace } from "./queue-place.js";

const { values } = parseArgs({
  options: {
    devices: { type: "string", default: "20000" },
    records: { type: "string", default: "5" },
    kills: { type: "string", default: "10" },
    parts: { type: "string" },
    format: { type: "string", default: "ndjson" },
    keep: { type: "string" },
    out: { type: "string" },
  },
});
const [devices, records, kills] = [values.devices, values.records, values.kills].map(Number);
const WORKERS = 4;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

console.error(`Making ${devices} devices with ${records} records each`);
const place = await queuePlace(devices, records);
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

const stateOf = (out) =>
  readdirSync(out, { recursive: true }).map((name) => [name, statSync(join(out, name), { bigint: true }).mtimeNs]);

try {
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => place.worker()));
  const [out, report] = [join(folder, "out"), join(folder, "report.ndjson")];
  const parts = values.parts === undefined ? [] : ["--parts", values.parts];
  const flags = ["--format", values.format, "--report", report, "--queue", redis.url, ...parts];
  const submitter = place.iot(...place.exportTo("out", ...flags));
  let isOver = false;
  const over = submitter.ended.finally(() => {
    isOver = true;
  });
  await Promise.all([over, killAll(workers, () => isOver)]);
  const { seconds } = await over;
  const size = check(out, report);
  const before = stateOf(out);
  const update = await place.iot(...place.exportTo("out", "--since-last", "--queue", redis.url)).ended;
  assert.deepEqual(stateOf(out), before);
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
    seconds,
    mostMib,
    update,
  };
  console.log(JSON.stringify(result, undefined, 2));
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  await place.close();
}
