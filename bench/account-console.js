// Measures what a dashboard costs that is viewed on an account: requests, rejected ones, and the memory of the page.
//   node bench/account-console.js [--minutes 10] [--per-second 20]
// A built sandbox with the platform's limits stands in for the account; `iot dashboard view` is a process of its own.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { createSandbox } from "../dist/sandbox.js";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, "per-second": { type: "string", default: "20" } },
});
const DASHBOARD = "65a1000000000000000b0002";
/** The log of the sandbox holds the last 1,000 requests. */
const LOOK_EVERY_MS = 10_000;

const sandbox = await createSandbox({ ephemeral: true, rateLimits: true });
const folder = mkdtempSync(join(tmpdir(), "iotdeck-bench-"));
const view = spawn(process.execPath, ["bin/iot.js", "dashboard", "view", DASHBOARD, "--no-browser"], {
  env: {
    ...process.env,
    IOT_CONFIG_DIR: folder,
    IOT_API_URL: sandbox.url,
    IOT_EVENTS_URL: sandbox.eventsUrl,
    IOT_TOKEN: sandbox.tokens.profile,
  },
  stdio: ["ignore", "pipe", "inherit"],
});
const [address] = await new Promise((resolve) => {
  view.stdout.once("data", (text) => resolve(String(text).trim().split("\n")));
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
await page.goto(address);
await page.locator(".cell .iot-svg").first().waitFor();
const tools = await page.context().newCDPSession(page);

let seenMs = 0;
const totals = { reads: 0, rejected: 0 };
const perWidget = new Map();
function look() {
  const fresh = sandbox.requestLog().filter(({ time }) => Date.parse(time) > seenMs);
  for (const { method, url, status, time } of fresh) {
    seenMs = Math.max(seenMs, Date.parse(time));
    if (status === 429) totals.rejected += 1;
    if (method !== "GET" || url.startsWith("/events")) continue;
    totals.reads += 1;
    if (url.startsWith("/data/")) perWidget.set(url, [...(perWidget.get(url) ?? []), Date.parse(time)]);
  }
}
const looking = setInterval(look, LOOK_EVERY_MS);

const headers = { token: sandbox.tokens.device, "content-type": "application/json" };
const startMs = performance.now();
for (let minute = 0, sent = 0; minute < Number(values.minutes); minute += 1) {
  while (performance.now() - startMs < (minute + 1) * 60_000) {
    const due = ((performance.now() - startMs) / 1_000) * Number(values["per-second"]);
    for (; sent < due; sent += 1) {
      const body = JSON.stringify([{ variable: "temperature", value: Math.sin(sent / 50) * 20, unit: "°C" }]);
      await fetch(`${sandbox.url}/data`, { method: "POST", headers, body }).then((reply) => reply.text());
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  look();
  await tools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await tools.send("Runtime.getHeapUsage");
  const heap = `${(usedSize / 1e6).toFixed(1)} MB heap`;
  console.log(`minute ${minute + 1}: ${sent} records, ${totals.reads} reads, ${totals.rejected} rejected, ${heap}`);
}
clearInterval(looking);
const gaps = [...perWidget.values()].flatMap((times) => times.slice(1).map((time, i) => time - times[i]));
console.log(`least time between two reads of a widget: ${(Math.min(...gaps) / 1_000).toFixed(1)} s`);
await browser.close();
view.kill("SIGINT");
await sandbox.close();
rmSync(folder, { recursive: true, force: true });
