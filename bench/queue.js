// Measures work spread over a queue on this machine, against the built program and sandbox and a redis-server of its own:
// what the queue costs beside one process, what an item takes a worker, how long a plan takes and how much memory, and a worker at rest.
//   node bench/queue.js [--devices 100] [--records 1000] [--items 100000] [--parts N] [--out FILE]   (needs: npm run build, redis-server)
// With --parts the items are buckets of devices; the processor time of the worker is still that for each device.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DAY_MS, median, memory, processorSeconds, queuePlace, startMs } from "./queue-place.js";

const { values } = parseArgs({
  options: {
    devices: { type: "string", default: "100" },
    records: { type: "string", default: "1000" },
    items: { type: "string", default: "100000" },
    parts: { type: "string" },
    out: { type: "string" },
  },
});
const [devices, records, items] = [values.devices, values.records, values.items].map(Number);
const REST_MS = 20_000;

const place = await queuePlace(devices, records);
const { redis, client, iot, exportTo } = place;
const usedBytes = async () => Number(/used_memory:(\d+)/.exec(await client.info("memory"))[1]);
const bytesOf = (out) => JSON.parse(readFileSync(join(place.folder, out, "_manifest.json"), "utf8")).bytes;
try {
  const parts = values.parts === undefined ? [] : ["--parts", values.parts];
  const queued = exportTo("queue", "--queue", redis.url, ...parts);
  const rests = [];
  let worker;
  for (let n = 0; n < 3; n += 1) {
    worker?.child.kill("SIGTERM");
    await worker?.ended;
    worker = await place.worker();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    rests.push({ rss: memory(worker.child.pid, "VmRSS"), own: memory(worker.child.pid, "RssAnon") });
  }

  const runs = { local: [], queue: [], worker: [] };
  for (let n = 0; n < 5; n += 1) {
    runs.local.push((await iot(...exportTo("local", "--again", ...parts)).ended).seconds);
    const before = processorSeconds(worker.child.pid);
    runs.queue.push((await iot(...queued, "--again").ended).seconds);
    runs.worker.push(((processorSeconds(worker.child.pid) - before) * 1000) / devices);
  }
  const [local, queue] = [median(runs.local), median(runs.queue)];
  worker.child.kill("SIGTERM");
  await worker.ended;

  const before = await usedBytes();
  const days = Math.ceil(items / devices);
  const from = new Date(startMs - (days - 1) * DAY_MS).toISOString();
  const plan = await iot(...exportTo("plan", "--queue", redis.url), "--detach", "--split", "day", "--from", from).ended;
  const planned = days * devices;
  const result = {
    node: process.versions.node,
    cpus: cpus().length,
    overhead: { items: devices, records, localSeconds: local, queueSeconds: queue, share: queue / local - 1 },
    item: { records, workerMs: median(runs.worker), fileBytes: bytesOf("queue") / devices },
    rest: { rssMib: median(rests.map(({ rss }) => rss)), ownMib: median(rests.map(({ own }) => own)) },
    plan: { items: planned, ...plan, redisBytesPerItem: Math.round(((await usedBytes()) - before) / planned) },
  };
  console.log(JSON.stringify(result, undefined, 2));
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  await place.close();
}
