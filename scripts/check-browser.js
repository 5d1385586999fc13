// Runs the library in headless Chromium against a sandbox: the program in anywhere/program.js, bundled as a web program is.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { openPlace } from "./anywhere/place.js";
import { findChromium } from "./chromium.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TIMEOUT_MS = 90_000;

const browser = findChromium();

const { outputFiles } = await build({
  entryPoints: [join(root, "scripts", "anywhere", "browser-app.js")],
  bundle: true,
  write: false,
  platform: "browser",
  format: "esm",
  target: "es2022",
  logLevel: "warning",
});
const app = outputFiles[0].text;
if (/["'`]node:/.test(app)) throw new Error("the bundle for browsers imports a module of Node");

const profile = mkdtempSync(join(tmpdir(), "iotdeck-browser-"));
let settle;
const outcome = new Promise((resolve) => {
  settle = resolve;
});

// Another origin than the sandbox's: the browser asks before each request whether it may make it.
const server = createServer((request, response) => {
  if (request.url === "/outcome") {
    let text = "";
    request.setEncoding("utf8").on("data", (part) => (text += part));
    request.on("end", () => {
      response.end();
      settle(JSON.parse(text));
    });
    return;
  }
  const isApp = request.url === "/app.js";
  response.setHeader("content-type", isApp ? "text/javascript" : "text/html");
  const page = `<!doctype html><script>globalThis.place = ${JSON.stringify(place)}</script><script type="module" src="/app.js"></script>`;
  response.end(isApp ? app : page);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
const origin = `http://127.0.0.1:${port}`;

const { sandbox, place } = await openPlace(await import("../dist/sandbox.js"), [origin]);
// The requests of the page carry a token, so the browser asks with this one before each of them.
const preflight = await fetch(`${place.url}/device`, {
  method: "OPTIONS",
  headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "token" },
});
if (!preflight.ok || preflight.headers.get("access-control-allow-origin") !== origin)
  throw new Error(`the sandbox refused a preflight with ${preflight.status}`);

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];
const chromium = spawn(browser, [...flags, `--user-data-dir=${profile}`, `${origin}/`], {
  stdio: ["ignore", "ignore", "pipe"],
});
let talk = "";
chromium.stderr.setEncoding("utf8").on("data", (text) => (talk += text));
chromium.once("exit", (code) => settle({ error: `Chromium ended with ${code}:\n${talk.slice(-2000)}` }));
const timer = setTimeout(() => settle({ error: `nothing after ${TIMEOUT_MS} ms:\n${talk.slice(-2000)}` }), TIMEOUT_MS);

const { done = [], error, agent } = await outcome;
clearTimeout(timer);
chromium.removeAllListeners("exit");
// Its helper processes write files until they end too, which is when nobody holds its stderr any more.
const closed = new Promise((resolve) => chromium.once("close", resolve));
if (chromium.exitCode === null && chromium.kill()) await closed;
server.closeAllConnections();
server.close();
await sandbox.close();
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
if (error !== undefined) console.error(`error: ${error}`);
else console.log(`${/(?:Headless)?Chrome\/[\d.]+/.exec(agent)?.[0]}: ${done.join(", ")}`);
process.exitCode = error === undefined ? 0 : 1;
