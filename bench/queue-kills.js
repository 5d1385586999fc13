// An export by four workers while everything dies: workers are killed at random moments and started again, Redis is killed
// once and comes back with its append-only file. Then every record must be there exactly once, and the plan, the report and
// the manifest must agree.
//   node bench/queue-kills.js [--devices 20000] [--records 5] [--kills 10] [--out FILE]   (needs: npm run build, redis-server)
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { queuePlace } from "./queue-place.js";

const { values } = parseArgs({
  options: {
    devices: { type: "string", default: "20000" },
    records: { type: "string", default: "5" },
    kills: { type: "string", default: "10" },
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

/** Kills as many items have a result as was drawn; a worker that died is started again at once. */
async function killAll(workers, isOver) {
  const draw = () => Math.floor(Math.random() * devices * 0.95);
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
  const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".ndjson"));
  assert.deepEqual(manifest.files.map(({ file }) => file).sort(), files.sort());
  const found = new Set();
  for (const { file, records: count, sha256 } of manifest.files) {
    const text = readFileSync(join(out, file), "utf8");
    assert.equal(createHash("sha256").update(text).digest("hex"), sha256, file);
    const lines = text.trim().split("\n");
    assert.equal(lines.length, count, file);
    for (const line of lines) found.add(contentOf(line));
  }
  const all = devices * records;
  assert.deepEqual(
    { files: files.length, records: manifest.records, different: found.size },
    {
      files: devices,
      records: all,
      different: all,
    },
  );
  const rows = readFileSync(report, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(rows.map(({ item }) => item).sort(), [...place.ids].sort());
  assert.equal(rows.filter(({ reason }) => reason !== undefined).length, 0);
  assert.equal(
    rows.reduce((sum, row) => sum + row.records, 0),
    all,
  );
}

try {
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => place.worker()));
  const [out, report] = [join(folder, "out"), join(folder, "report.ndjson")];
  const flags = ["--format", "ndjson", "--report", report, "--queue", redis.url];
  const submitter = place.iot(...place.exportTo("out", ...flags));
  let isOver = false;
  const over = submitter.ended.finally(() => {
    isOver = true;
  });
  await Promise.all([over, killAll(workers, () => isOver)]);
  const { seconds } = await over;
  check(out, report);
  for (const { child } of workers) child.kill("SIGTERM");
  await Promise.all(workers.map(({ ended }) => ended));
  const result = { node: process.versions.node, cpus: cpus().length, devices, records, kills, seconds };
  console.log(JSON.stringify(result, undefined, 2));
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  await place.close();
}
