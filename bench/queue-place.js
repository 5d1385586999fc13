// What the measurements of queues share: a sandbox with a fleet, a redis-server and the built program.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const cli = process.env.IOT_TEST_CLI ?? join(root, "dist/cli.cjs");
const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
export const startMs = Date.parse("2026-11-01T00:00:00Z");
/** The day of all records. */
const day = ["--from", "2026-11-01T00:00:00Z", "--to", "2026-11-01T23:59:59Z"];

/** The sandbox, in a process of its own so that its time is not counted as the program's. */
async function serve(seed) {
  const { createSandbox } = await import(join(root, "dist/sandbox.js"));
  const clock = new Date(startMs + DAY_MS - MINUTE_MS);
  const sandbox = await createSandbox({ seed, ephemeral: true, clock });
  process.send({ url: sandbox.url, events: sandbox.eventsUrl, token: sandbox.tokens.profile });
  process.once("message", async () => {
    await sandbox.close();
    process.disconnect();
  });
}

const idOf = (n) => `65a30000000000000000${n.toString(16).padStart(4, "0")}`;

/** Writes a scenario: devices at one site, each with records of the day. A seed may hold more devices than a plan allows. */
function writeFleet(folder, devices, records) {
  const every = `${Math.floor(DAY_MS / MINUTE_MS / records)} minutes`;
  const pressure = { variable: "pressure", value: [4, { step: 0.1 }, { noise: 0.5 }], digits: 2, unit: "bar" };
  const device = {
    ...{ repeat: devices, id: "65a30000000000000000{n:x4}", name: "Pump {n:5}", tags: { site: "plant" } },
    history: { every, samples: records, variables: [pressure] },
  };
  writeFileSync(join(folder, "scenario.json"), JSON.stringify({ extends: "empty", title: "A fleet of pumps" }));
  writeFileSync(join(folder, "devices.json"), JSON.stringify([device]));
}

/** A redis-server with an append-only file, which can be killed and started again. */
async function startRedis(folder) {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  const args = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes"];
  let child;
  async function start() {
    child = spawn("redis-server", args.map(String), { stdio: ["ignore", "pipe", "inherit"] });
    for await (const chunk of child.stdout) if (String(chunk).includes("Ready to accept")) break;
  }
  async function kill() {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  await start();
  return { url: `redis://127.0.0.1:${port}/0`, start, kill };
}

/** A figure of /proc/PID/status in MiB. */
export const memory = (pid, name) => {
  const [, kib] = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 102.4) / 10;
};

/** Seconds of the processor that a process has taken. */
export const processorSeconds = (pid) => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13);
  return (Number(user) + Number(system)) / 100;
};

/** Starts the program; `ended` tells how long it took and its most memory. */
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
  const ended = once(child, "close").then(([code, signal]) => {
    clearInterval(look);
    if (code !== 0 && code !== 143 && signal !== "SIGKILL")
      throw new Error(`iot ${args.join(" ")} ended with ${code ?? signal}:\n${said}`);
    return { seconds: (performance.now() - beganMs) / 1000, mostMib };
  });
  return { child, ended, said: () => said };
}

export const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** A sandbox with a fleet, a queue, and the program for both. */
export async function queuePlace(devices, records, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), "iot-queue-"));
  const fleet = join(folder, "fleet");
  mkdirSync(fleet);
  writeFleet(fleet, devices, records);
  const server = fork(self, [], { env: { ...process.env, BENCH_FLEET: fleet } });
  const [sandbox] = await once(server, "message");
  const redis = await startRedis(folder);
  const client = new Redis(redis.url);
  // While Redis is away, the client tries again by itself.
  client.on("error", () => undefined);
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, IOT_CONFIG_DIR: folder, IOT_NO_UPDATE_CHECK: "1" },
    ...{ IOT_API_URL: sandbox.url, IOT_EVENTS_URL: sandbox.events, IOT_TOKEN: sandbox.token },
    ...variables,
  };
  return {
    folder,
    redis,
    client,
    ids: Array.from({ length: devices }, (_, n) => idOf(n + 1)),
    iot: (...args) => start(args, env),
    /** Arguments of the export of the fleet to a folder below `folder`, or to an address. */
    exportTo: (out, ...more) => [
      ...["device", "data", "export", "--tag", "site=plant", ...day, "--dataset", "--yes"],
      ...["--out", out.startsWith("s3://") ? out : join(folder, out), "--concurrency", "4", ...more],
    ],
    async worker() {
      const worker = start(["worker", "--queue", redis.url, "--concurrency", "4"], env);
      while (!worker.said().includes("Working for")) {
        if (worker.child.exitCode !== null) await worker.ended;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return worker;
    },
    async close() {
      client.disconnect();
      await redis.kill();
      server.send("close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

if (process.env.BENCH_FLEET) await serve(process.env.BENCH_FLEET);
