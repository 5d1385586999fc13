// Measures the console of the built sandbox in headless Chromium.
//   node bench/console.js [--minutes 1]
// - first view: from the first byte of the page until its table is drawn, of 10 reloads
// - dashboard: from the click to 40 drawn widgets with their data, of 5 openings
// - memory: heap and elements of the page at 200 records a second, each minute
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { createSandbox } from "../dist/sandbox.js";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "1" } } });
const SOURCE = "65a1000000000000000b0001";
const DEVICE = "65a1000000000000000d0001";
const PER_SECOND = 200;

const sandbox = await createSandbox({ ephemeral: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();

async function api(method, path, body) {
  const headers = { token: sandbox.tokens.profile, "content-type": "application/json" };
  const response = await fetch(`${sandbox.url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const { result, message } = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${message}`);
  return result;
}

const middle = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
const told = (name, times) =>
  console.log(`${name}: best ${Math.min(...times).toFixed(0)} ms, median ${middle(times).toFixed(0)} ms`);

/** A dashboard with all widgets of the demo account's legacy one on one tab. */
async function bigDashboard() {
  const { arrangement } = await api("GET", `/dashboard/${SOURCE}`);
  const { dashboard } = await api("POST", "/dashboard", { label: "All of them", type: "dashboard" });
  const places = [];
  for (const [n, { widget_id: id }] of arrangement.entries()) {
    const { id: _, dashboard: __, ...widget } = await api("GET", `/dashboard/${SOURCE}/widget/${id}`);
    const { widget: made } = await api("POST", `/dashboard/${dashboard}/widget`, widget);
    places.push({ widget_id: made, x: (n % 4) * 3, y: Math.floor(n / 4) * 3, width: 3, height: 3 });
  }
  await api("PUT", `/dashboard/${dashboard}`, { arrangement: places });
  return { dashboard, count: places.length };
}

// By the clock of the page.
await page.addInitScript(() => {
  globalThis.tableAt = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector("main th[data-title=Name]") === null) return;
      watching.disconnect();
      // The frame with the table has been drawn before the next one begins.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    };
    const watching = new MutationObserver(look);
    watching.observe(document, { childList: true, subtree: true });
  });
});
await page.goto(sandbox.pageAddress());
await page.waitForURL(`${sandbox.url}/`);
await page.goto(`${sandbox.url}/#/devices`);
const first = [];
for (let i = 0; i < 10; i += 1) {
  await page.reload({ waitUntil: "commit" });
  // A look from outside runs code of the tool in the page, which would count as the page's own.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  first.push(
    await page.evaluate(async () => {
      const { responseStart } = performance.getEntriesByType("navigation")[0];
      return (await globalThis.tableAt) - responseStart;
    }),
  );
}
told("first view", first);

const { dashboard, count } = await bigDashboard();
const opened = [];
for (let i = 0; i < 5; i += 1) {
  await page.goto(`${sandbox.url}/#/clock`);
  await page.waitForSelector("main h1");
  opened.push(
    await page.evaluate(
      ({ address, widgets }) =>
        new Promise((resolve) => {
          const startMs = performance.now();
          const check = () => {
            const shown = ".iot-widget, form, .keypad, .push_button, .step_button";
            const cells = [...document.querySelectorAll(".cell")];
            if (cells.filter((cell) => cell.querySelector(shown)).length >= widgets)
              resolve(performance.now() - startMs);
            else requestAnimationFrame(check);
          };
          location.hash = address;
          check();
        }),
      { address: `#/dashboards/${dashboard}`, widgets: count },
    ),
  );
}
told(`dashboard of ${count} widgets`, opened);

await page.goto(`${sandbox.url}/#/devices/${DEVICE}`);
const tools = await page.context().newCDPSession(page);
const headers = { token: sandbox.tokens.device, "content-type": "application/json" };
const startMs = performance.now();
for (let minute = 0, sent = 0; minute < Number(values.minutes); minute += 1) {
  while (performance.now() - startMs < (minute + 1) * 60_000) {
    const due = ((performance.now() - startMs) / 1_000) * PER_SECOND;
    const waiting = [];
    for (; sent < due && waiting.length < 50; sent += 1) {
      const body = JSON.stringify([{ variable: "burst", value: sent }]);
      waiting.push(fetch(`${sandbox.url}/data`, { method: "POST", headers, body }).then((reply) => reply.text()));
    }
    await Promise.all(waiting);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await tools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await tools.send("Runtime.getHeapUsage");
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  console.log(`minute ${minute + 1}: ${sent} records, ${(usedSize / 1e6).toFixed(1)} MB heap, ${elements} elements`);
}
await browser.close();
await sandbox.close();
