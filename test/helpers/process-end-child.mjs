/** Runs the scenarios one after the other on the built library, and says what each leaves that keeps the process alive. */
import { writeSync } from "node:fs";

const [library = "", url = ""] = process.argv.slice(2);
const { Device, Dictionary, Resources, SSE } = await import(library);
const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const region = { api: url, sse: `${url}/events` };
const params = { token, region, attempts: 1 };

const scenarios = {
  "a call": () => new Resources(params).devices.info("ok"),
  "many calls at once": () =>
    Promise.all(Array.from({ length: 30 }, (_, index) => new Resources(params).devices.info(`ok-${index}`))),
  "a write": () => new Device(params).sendData([{ variable: "temperature", value: 1 }]),
  "a refused call": () => new Resources(params).devices.info("refused").catch(() => undefined),
  "a lost connection": () => new Resources(params).devices.info("reset").catch(() => undefined),
  "a timeout": () => new Resources({ ...params, timeoutMs: 50 }).devices.info("silent").catch(() => undefined),
  "a stalled body": () => new Resources({ ...params, timeoutMs: 50 }).devices.info("stall").catch(() => undefined),
  "a cancelled call": async () => {
    const controller = new AbortController();
    const call = new Resources(params).devices.info("silent", { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await call.catch(() => undefined);
  },
  "a cancelled wait between attempts": async () => {
    const controller = new AbortController();
    const client = new Resources({ token, region });
    const call = client.devices.info("broken", { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    await call.catch(() => undefined);
  },
  "a cached call": () => new Dictionary(params).getLanguagesData("GREETINGS"),
  "an event stream that was closed": async () => {
    const source = await SSE.openSSEListening({ channel: "ui" }, { token, region });
    await new Promise((resolve) => source.addEventListener("message", resolve));
    source.close();
  },
  "an event stream closed while it waits to connect": async () => {
    const refusing = { api: url, sse: `${url}/busy/events` };
    const source = await SSE.openSSEListening(
      { channel: "notification" },
      { token, region: refusing, reconnectMs: 60_000 },
    );
    await new Promise((resolve) => source.addEventListener("error", resolve));
    source.close();
  },
  "an event stream that was refused": async () => {
    const source = await SSE.openSSEListening({ channel: "analysis_trigger" }, { token, region });
    await new Promise((resolve) => source.addEventListener("error", resolve));
  },
};

/**
 * Sockets and timers that keep the loop running: those of idle connections, which the transports unref, are not among
 * them. Pipes are: the library has none, so these are stdout and stderr, which keep nothing alive.
 */
const resources = () => process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");

/** What was closed is gone after two turns of the loop. Those of this process alone count, however busy the machine is. */
async function closed() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const left = {};
for (const [name, run] of Object.entries(scenarios)) {
  await run();
  await closed();
  left[name] = resources();
}
writeSync(1, JSON.stringify(left));
