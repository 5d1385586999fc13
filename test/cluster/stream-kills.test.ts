import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Device, Resources } from "../../src/index.ts";
import { cliEnvironment, cliPath, temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { mqttEngine, natsEngine, type TestEngine } from "./engines.ts";

// In full size: node bench/stream-kills.js.
const RECORDS = 20_000;
const BATCH = 100;
const KILLS = 9;

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest({ seed: "empty" });
});
afterAll(() => here?.close());

async function newDevice(): Promise<{ readonly id: string; readonly token: string }> {
  const region = { api: here.env["IOT_API_URL"] ?? "", sse: here.env["IOT_EVENTS_URL"] ?? "" };
  const resources = new Resources({ token: here.env["IOT_TOKEN"] ?? "", region });
  const settings = { name: "Busy", type: "mutable", connector: "65a1000000000000000c0001" } as const;
  const { device_id: id, token } = await resources.devices.create({
    ...settings,
    network: "65a1000000000000000e0001",
  } as Parameters<Resources["devices"]["create"]>[0]);
  return { id, token };
}

/** `iot stream --to` in a process, started again after each end that it did not choose. */
function startDelivery(args: readonly string[], cli: string) {
  const env = cliEnvironment(here.env);
  let said = "";
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [cli, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
    });
    return child;
  };
  let child = start();
  return {
    said: () => said,
    async end(signal: NodeJS.Signals) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "close");
      child.kill(signal);
      await ended;
    },
    start() {
      child = start();
    },
  };
}

async function sendAll(token: string, sent: (count: number) => void): Promise<void> {
  const region = { api: here.env["IOT_API_URL"] ?? "", sse: here.env["IOT_EVENTS_URL"] ?? "" };
  const device = new Device({ token, region });
  for (let at = 0; at < RECORDS; at += BATCH) {
    await device.sendData(Array.from({ length: BATCH }, (_, n) => ({ variable: "level", value: at + n })));
    sent(at + BATCH);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function idsOf(device: string): Promise<string[]> {
  const rows = await here.json<{ id: string }[]>(["device", "data", "list", device, "--all", "--max-records", "50000"]);
  return rows.map(({ id }) => id);
}

it.each([
  ["NATS", natsEngine],
  ["MQTT", mqttEngine],
] as const)("loses no record on the way to %s when program, engine and connections are killed", async (_, make) => {
  const engine: TestEngine = await make();
  const { id, token } = await newDevice();
  const cursor = join(temporaryFolder(), "cursor.json");
  const args = ["stream", `device_data:${id}`, "--to", engine.to, "--cursor", cursor, "--since", "-1h", "--yes"];
  const delivery = startDelivery(args, await cliPath());
  try {
    await waitFor(
      () => delivery.said().includes("Watching"),
      () => `the stream: ${delivery.said()}`,
    );
    let sent = 0;
    const sending = sendAll(token, (count) => {
      sent = count;
    });
    for (let n = 0; n < KILLS; n += 1) {
      const at = ((n + Math.random()) * RECORDS * 0.9) / KILLS;
      await waitFor(() => sent >= at, "the records");
      if (n % 3 === 0) {
        await delivery.end("SIGKILL");
        delivery.start();
      } else if (n % 3 === 1) {
        await engine.kill();
        await engine.start();
      } else {
        here.sandbox.faults.set([{ route: "GET /events", kind: "cut", count: 1 }]);
      }
    }
    await sending;
    const ids = await idsOf(id);
    expect(ids).toHaveLength(RECORDS);
    let missing: string[] = ids;
    await waitFor(
      async () => {
        const received = new Set(await engine.received());
        missing = ids.filter((one) => !received.has(one));
        return missing.length === 0;
      },
      () => `${missing.length} records, of which the first is ${missing[0]}; the program says:\n${delivery.said()}`,
    );
  } finally {
    await delivery.end("SIGKILL");
    await engine.close();
  }
});
