// Measures how long a migration takes to read and judge many dashboards: 200 with 5,000 widgets unless told otherwise.
// Usage: node bench/scan.js [dashboards] [widgets of each]   (needs a build: npm run build)
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "../dist/sandbox.js";

const cli = new URL("../dist/cli.cjs", import.meta.url).pathname;
const [dashboards = 200, each = 25] = process.argv.slice(2).map(Number);
const LEGACY = "65a1000000000000000b0001";
const sandbox = await createSandbox({ ephemeral: true });
const headers = { token: sandbox.tokens.profile, "content-type": "application/json" };

async function call(method, path, body) {
  const answer = await fetch(`${sandbox.url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const { status, result, message } = await answer.json();
  if (!status) throw new Error(`${method} ${path}: ${message}`);
  return result;
}

const { arrangement } = await call("GET", `/dashboard/${LEGACY}`);
const models = await Promise.all(
  arrangement.map(({ widget_id }) => call("GET", `/dashboard/${LEGACY}/widget/${widget_id}`)),
);
for (let i = 0; i < dashboards; i += 1) {
  const { dashboard } = await call("POST", "/dashboard", { label: `Old ${i}`, type: "dashboard" });
  const made = await Promise.all(
    Array.from({ length: each }, (_, j) => {
      const { label, type, display, data } = models[(i + j) % models.length];
      return call("POST", `/dashboard/${dashboard}/widget`, { label, type, display, data });
    }),
  );
  const places = made.map(({ widget }, j) => ({ widget_id: widget, x: 0, y: j, width: 1, height: 1 }));
  await call("PUT", `/dashboard/${dashboard}`, { arrangement: places });
}
process.stderr.write(`${dashboards} dashboards made.\n`);

const folder = mkdtempSync(join(tmpdir(), "iot-scan-"));
const env = { ...process.env, IOT_CONFIG_DIR: folder, IOT_API_URL: sandbox.url, IOT_TOKEN: sandbox.tokens.profile };
const startMs = performance.now();
const child = spawn(
  process.execPath,
  [cli, "dashboard", "migrate", "--all", "--in-place", "--dry-run", "--report", "json"],
  { env },
);
let text = "";
child.stdout.on("data", (chunk) => {
  text += chunk;
});
const code = await new Promise((resolve) => child.once("close", resolve));
const seconds = (performance.now() - startMs) / 1000;
const { counts } = JSON.parse(text);
console.log(
  JSON.stringify({ code, dashboards: counts.dashboards, widgets: counts.planned + counts.unchanged, seconds }),
);
rmSync(folder, { recursive: true, force: true });
await sandbox.close();
process.exit(code === 0 ? 0 : 1);
