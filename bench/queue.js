// Measures work spread over a queue on this machine, against the built program and sandbox and a redis-server of its own:
// what the queue costs beside one process, how long a plan takes and how much memory, and a worker at rest.
//   node bench/queue.js [--devices 100] [--records 1000] [--items 100000] [--out FILE]   (needs: npm run build, redis-server)
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Redis } from "ioredis";

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const cli = process.env.IOT_TEST_CLI ?? join(root, "dist/cli.cjs");
const DAY_MS = 86_400_000;
const startMs = Date.parse("2026-11-01T00:00:00Z");

/** The sandbox, in a process of its own so that its time is not counted as the program's. */
async function serve() {
  const { createSandbox } = await import(join(root, "dist/sandbox.js"));
  const sandbox = await createSandbox({ seed: "empty", ephemeral: true });
  process.send({ url: sandbox.url, events: sandbox.eventsUrl, token: sandbox.tokens.profile });
  process.once("message", async () => {
    await sandbox.close();
    process.disconnect();
  });
}

async function fill({ url, events, token }, devices, records) {
  const { Device, Resources } = await import(join(root, "dist/index.js"));
  const region = { api: url, sse: events };
  const resources = new Resources({ token, region });
  for (let n = 0; n < devices; n += 1) {
    const settings = { name: `Pump ${n}`, type: "mutable", tags: [{ key: "site", value: "plant" }] };
    const { token: own } = await resources.devices.create(settings);
    const data = Array.from({ length: records }, (_, at) => ({
      variable: at % 3 === 0 ? "state" : "pressure",
      value: at % 3 === 0 ? "on" : n + at / 10,
      time: new Date(startMs + Math.floor((at * DAY_MS) / records)),
    }));
    const device = new Device({ token: own, region });
    for (let at = 0; at < data.length; at += 500) await device.sendData(data.slice(at, at + 500));
  }
}

async function startRedis(folder) {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  const args = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes"];
  const child = spawn("redis-server", args.map(String), { stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of child.stdout) if (String(chunk).includes("Ready to accept")) break;
  return { url: `redis://127.0.0.1:${port}/0`, port, close: () => child.kill("SIGKILL") };
}

const memory = (pid, name) => {
  const [, kib] = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 102.4) / 10;
};

function start(args, env) {
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  let mostMib = 0;
  const look = setInterval(() => {
    try {
      // A process that is about to end has no memory any more.
      mostMib = memory(child.pid, "VmHWM") || mostMib;
    } catch {
      // It has ended.
    }
  }, 50);
  const beganMs = performance.now();
  const ended = once(child, "close").then(([code]) => {
    clearInterval(look);
    if (code !== 0 && code !== 143) throw new Error(`iot ${args.join(" ")} ended with ${code}:\n${said}`);
    return { seconds: (performance.now() - beganMs) / 1000, mostMib };
  });
  return { child, ended, said: () => said };
}

async function measure() {
  const { values } = parseArgs({
    options: {
      devices: { type: "string", default: "100" },
      records: { type: "string", default: "1000" },
      items: { type: "string", default: "100000" },
      out: { type: "string" },
    },
  });
  const [devices, records, items] = [values.devices, values.records, values.items].map(Number);
  const folder = mkdtempSync(join(tmpdir(), "iot-queue-"));
  const server = fork(self, [], { env: { ...process.env, BENCH_SERVER: "1" } });
  const [place] = await once(server, "message");
  const redis = await startRedis(folder);
  const client = new Redis(redis.url);
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, IOT_CONFIG_DIR: folder, IOT_NO_UPDATE_CHECK: "1" },
    ...{ IOT_API_URL: place.url, IOT_EVENTS_URL: place.events, IOT_TOKEN: place.token },
  };
  const range = ["--from", "2026-11-01T00:00:00Z", "--to", "2026-11-01T23:59:59Z", "--dataset", "--yes"];
  const exported = (out, ...more) => [
    ...["device", "data", "export", "--tag", "site=plant", ...range, "--out", join(folder, out)],
    ...["--concurrency", "4", ...more],
  ];
  try {
    await fill(place, devices, records);
    const queued = [...exported("queue"), "--queue", redis.url];

    const worker = start(["worker", "--queue", redis.url, "--concurrency", "4"], env);
    while (!worker.said().includes("Working for")) await new Promise((resolve) => setTimeout(resolve, 50));
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const rest = { rssMib: memory(worker.child.pid, "VmRSS"), ownMib: memory(worker.child.pid, "RssAnon") };

    const runs = { local: [], queue: [] };
    for (let n = 0; n < 3; n += 1) {
      runs.local.push((await start(exported("local", "--again"), env).ended).seconds);
      runs.queue.push((await start([...queued, "--again"], env).ended).seconds);
    }
    const median = (list) => [...list].sort((a, b) => a - b)[1];
    const [local, queue] = [median(runs.local), median(runs.queue)];
    worker.child.kill("SIGTERM");
    await worker.ended;

    const before = Number(/used_memory:(\d+)/.exec(await client.info("memory"))[1]);
    const days = Math.ceil(items / devices);
    const from = new Date(startMs - (days - 1) * DAY_MS).toISOString();
    const plan = start([...queued, "--detach", "--split", "day", "--from", from], env);
    const { seconds, mostMib } = await plan.ended;
    const after = Number(/used_memory:(\d+)/.exec(await client.info("memory"))[1]);
    const result = {
      node: process.versions.node,
      cpus: cpus().length,
      overhead: { items: devices, records, localSeconds: local, queueSeconds: queue, share: queue / local - 1 },
      rest,
      plan: {
        items: days * devices,
        seconds,
        mostMib,
        redisBytesPerItem: Math.round((after - before) / (days * devices)),
      },
    };
    console.log(JSON.stringify(result, undefined, 2));
    if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
  } finally {
    client.disconnect();
    redis.close();
    server.send("close");
    rmSync(folder, { recursive: true, force: true });
  }
}

await (process.env.BENCH_SERVER ? serve() : measure());
