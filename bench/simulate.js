// Measures `iot device simulate` as 1,000 devices at 1/s each for 60 s, in one process against the built sandbox.
//   node bench/simulate.js [--devices 1000] [--seconds 60]
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Resources } from "../dist/index.js";
import { createSandbox } from "../dist/sandbox.js";

const { values } = parseArgs({
  options: { devices: { type: "string", default: "1000" }, seconds: { type: "string", default: "60" } },
});
const program = join(dirname(dirname(fileURLToPath(import.meta.url))), "bin", "iot.js");
const sandbox = await createSandbox({ ephemeral: true, seed: "fleet-1000" });
const region = { api: sandbox.url, sse: sandbox.eventsUrl };
const { devices } = new Resources({ token: sandbox.tokens.profile, region });
const found = await devices.list({ amount: Number(values.devices), fields: ["id", "active"] });
for (const { id, active } of found) if (!active) await devices.edit(id, { active: true });

const started = performance.now();
const before = process.resourceUsage();
const child = spawn(
  "/usr/bin/env",
  [
    ...["time", "-f", "%U s user, %S s system, %M kB at its peak", process.execPath, program],
    ...["device", "simulate", ...found.map(({ id }) => id), "temperature[°C]=sine(20,2,1h)"],
    ...["--rate", "1/s", "--count", values.seconds, "--yes", "--json"],
  ],
  { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...environment() } },
);
await new Promise((resolve) => child.once("close", resolve));
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const ownMs = (userCPUTime - before.userCPUTime + systemCPUTime - before.systemCPUTime) / 1_000;
console.log(
  `${((performance.now() - started) / 1_000).toFixed(1)} s by the clock, the sandbox ${(ownMs / 1_000).toFixed(1)} s of processor`,
);
await sandbox.close();

function environment() {
  return { IOT_API_URL: sandbox.url, IOT_EVENTS_URL: sandbox.eventsUrl, IOT_TOKEN: sandbox.tokens.profile };
}
