// Events on their way into an engine while everything dies: the program, the engine and the sandbox are killed at random
// moments and started again. Then the engine must have given every record to its reader.
//   node bench/stream-kills.js [--engine nats|mqtt] [--records 1000000] [--kills 20] [--out FILE]
// Needs: npm run build, and nats-server or mosquitto.
import assert from "node:assert/strict";
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectSocket, createServer } from "node:net";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import mqtt from "mqtt";

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const cli = process.env.IOT_TEST_CLI ?? join(root, "dist/cli.cjs");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** A mutable device holds 50,000. */
const PER_DEVICE = 40_000;
const PER_REQUEST = 500;

async function serve(port, dataDir) {
  const { createSandbox } = await import(join(root, "dist/sandbox.js"));
  const sandbox = await createSandbox({ seed: "empty", port: Number(port), dataDir });
  process.send({ api: sandbox.url, sse: sandbox.eventsUrl, token: sandbox.tokens.profile });
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

async function untilListening(port) {
  for (;;) {
    const socket = connectSocket(port, "127.0.0.1");
    const isOpen = await new Promise((resolve) => {
      socket.on("connect", () => resolve(true));
      socket.on("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await pause(20);
  }
}

/** A process that can be killed and started again. */
function revived(start) {
  let child;
  const one = {
    async start() {
      child = await start();
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    get child() {
      return child;
    },
  };
  return one;
}

const server = (name, args, port) =>
  revived(async () => {
    const child = spawn(name, args, { stdio: "ignore" });
    await untilListening(port);
    return child;
  });

async function startNats(folder) {
  const port = await freePort();
  const args = ["--addr", "127.0.0.1", "--port", String(port), "--jetstream", "--store_dir", folder];
  const engine = server("nats-server", args, port);
  await engine.start();
  const open = () => connect({ servers: `127.0.0.1:${port}` });
  const first = await open();
  await (await jetstreamManager(first)).streams.add({ name: "devices", subjects: ["devices"] });
  await first.close();
  return {
    engine,
    to: `nats://127.0.0.1:${port}/devices`,
    /** Reads the stream from its beginning once all has been sent. */
    async read(take, isEnough) {
      const reader = await open();
      const { jetstream } = await import("@nats-io/jetstream");
      let count = 0;
      let seq = 0;
      while (!isEnough()) {
        const consumer = await jetstream(reader).consumers.get("devices", {
          opt_start_seq: seq + 1,
          deliver_policy: "by_start_sequence",
        });
        for await (const message of await consumer.fetch({ max_messages: 5_000, expires: 2_000 })) {
          count += 1;
          seq = message.seq;
          take(message.json());
        }
      }
      await reader.close();
      return count;
    },
  };
}

async function startMosquitto(folder) {
  const port = await freePort();
  const file = join(folder, "mosquitto.conf");
  const lines = [
    ...[`listener ${port} 127.0.0.1`, "allow_anonymous true", "persistence true", `persistence_location ${folder}/`],
    ...["user root", "max_inflight_messages 0", "max_queued_messages 0"],
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const engine = server("mosquitto", ["-c", file], port);
  await engine.start();
  const reader = await mqtt.connectAsync({
    ...{ host: "127.0.0.1", port, protocol: "mqtt", protocolVersion: 5, clientId: "reader", clean: false },
    ...{ properties: { sessionExpiryInterval: 3_600 }, reconnectPeriod: 50 },
  });
  reader.on("error", () => undefined);
  let count = 0;
  let take = () => undefined;
  const waiting = [];
  reader.on("message", (_, payload) => {
    count += 1;
    waiting.push(JSON.parse(payload.toString()));
    for (const record of waiting.splice(0)) take(record);
  });
  await reader.subscribeAsync("devices", { qos: 1 });
  engine.child.kill("SIGUSR1");
  while (!existsSync(join(folder, "mosquitto.db"))) await pause(20);
  return {
    engine,
    to: `mqtt://127.0.0.1:${port}/devices`,
    /** The reader has read all along. */
    onRecord(next) {
      take = next;
    },
    async read(_, isEnough) {
      while (!isEnough()) await pause(200);
      await reader.endAsync(true);
      return count;
    },
  };
}

async function main() {
  const { values } = parseArgs({
    options: {
      engine: { type: "string", default: "nats" },
      records: { type: "string", default: "1000000" },
      kills: { type: "string", default: "20" },
      out: { type: "string" },
    },
  });
  const [records, kills] = [values.records, values.kills].map(Number);
  const folder = mkdtempSync(join(tmpdir(), "iot-stream-"));
  const [data, engineData] = [join(folder, "data"), join(folder, "engine")];
  for (const one of [data, engineData]) mkdirSync(one);

  const port = await freePort();
  let place;
  const sandbox = revived(async () => {
    const child = fork(self, [], { env: { ...process.env, BENCH_SANDBOX: JSON.stringify([port, data]) } });
    [place] = await once(child, "message");
    return child;
  });
  await sandbox.start();
  const { Device, Resources } = await import(join(root, "dist/index.js"));
  const region = { api: place.api, sse: place.sse };
  const resources = new Resources({ token: place.token, region });
  const devices = [];
  for (let n = 0; n < Math.ceil(records / PER_DEVICE); n += 1) {
    const kind = { connector: "65a1000000000000000c0001", network: "65a1000000000000000e0001", type: "mutable" };
    devices.push(
      await resources.devices.create({ name: `Pump ${n}`, tags: [{ key: "site", value: "plant" }], ...kind }),
    );
  }

  const { engine, to, read, onRecord } = await (values.engine === "mqtt" ? startMosquitto : startNats)(engineData);
  const seen = new Uint8Array(records);
  const ids = new Set();
  let different = 0;
  const take = ({ id, value }) => {
    if (ids.size < 10_000_000) ids.add(id);
    if (seen[value] === 0) different += 1;
    seen[value] = 1;
  };
  onRecord?.(take);

  let said = "";
  let isOver = false;
  const cursor = join(folder, "cursor.json");
  const words = ["stream", "device_data", "--tag", "site=plant", "--to", to, "--cursor", cursor, "--since", "-1h"];
  const program = revived(async () => {
    const env = {
      ...{ PATH: process.env.PATH, HOME: folder, IOT_CONFIG_DIR: folder, IOT_NO_UPDATE_CHECK: "1" },
      ...{ IOT_API_URL: place.api, IOT_EVENTS_URL: place.sse, IOT_TOKEN: place.token },
    };
    const child = spawn(process.execPath, [cli, ...words, "--yes", "--lookback", "5s"], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.on("data", (text) => {
      said += text;
    });
    // As a service manager does, when the platform is away at its start.
    child.once("exit", async (code) => {
      if (code === null || isOver) return;
      console.error(`The program ended with ${code}: ${said.match(/^error: .*$/gm)?.at(-1)}`);
      await pause(1_000);
      await program.start();
    });
    return child;
  });
  await program.start();
  while (!said.includes("Watching")) {
    assert(program.child.exitCode === null, said);
    await pause(20);
  }

  const beganMs = performance.now();
  let sent = 0;
  async function feed() {
    const clients = devices.map(({ token }) => new Device({ token, region }));
    for (let from = 0; from < records; from += PER_REQUEST) {
      const batch = Array.from({ length: Math.min(PER_REQUEST, records - from) }, (_, n) => ({
        variable: "level",
        value: from + n,
      }));
      // While the sandbox is away, the request is sent again. What arrived twice has two ids.
      for (;;) {
        try {
          await clients[Math.floor(from / PER_DEVICE)].sendData(batch);
          break;
        } catch {
          await pause(100);
        }
      }
      sent = from + batch.length;
    }
  }
  async function killAll() {
    const moments = Array.from({ length: kills }, () => Math.random() * records * 0.95).sort((a, b) => a - b);
    for (const [n, at] of moments.entries()) {
      while (sent < at) await pause(5);
      const victim = n % 5 === 4 ? "sandbox" : n % 2 === 0 ? "program" : "engine";
      console.error(`${sent} sent: the ${victim} is killed`);
      const one = { sandbox, program, engine }[victim];
      await one.kill();
      await one.start();
    }
  }
  await Promise.all([feed(), killAll()]);
  const fedSeconds = (performance.now() - beganMs) / 1_000;
  console.error(`All sent after ${Math.round(fedSeconds)} s`);
  const received = await read(take, () => different === records);
  const seconds = (performance.now() - beganMs) / 1_000;
  isOver = true;
  assert.equal(different, records);
  const result = {
    ...{ node: process.versions.node, cpus: cpus().length, engine: values.engine, records, kills },
    ...{ fedSeconds: Math.round(fedSeconds), seconds: Math.round(seconds), received, repeated: received - ids.size },
  };
  console.log(JSON.stringify(result, undefined, 2));
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
  for (const one of [program, engine, sandbox]) await one.kill();
  rmSync(folder, { recursive: true, force: true });
}

if (process.env.BENCH_SANDBOX) await serve(...JSON.parse(process.env.BENCH_SANDBOX));
else await main();
