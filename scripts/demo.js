// The main jobs in a few seconds, on a platform of this machine: no account, no network. Run by `npm run demo`.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const device = "name:Freezer 1";
const onTerminal = process.stdout.isTTY === true;
const inColor = onTerminal && !process.env.NO_COLOR && process.env.TERM !== "dumb";
const bold = (text) => (inColor ? `\u001B[1m${text}\u001B[22m` : text);
const say = (text = "") => process.stdout.write(`${text}\n`);

/** Children that still run, and what else must go at the end. */
const children = new Set();
const cleanups = [];
let stopCode;

async function main() {
  const { createSandbox } = await import("../dist/sandbox.js");
  const folder = mkdtempSync(join(tmpdir(), "iot-demo-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });

  title("1. A platform of your own");
  const sandbox = await createSandbox({ ephemeral: true });
  cleanups.push(() => sandbox.close());
  say(`A local platform runs at ${sandbox.url}, with a demo plant of twelve devices. Nothing leaves this machine.`);
  const place = { folder, env: environmentFor(sandbox, folder) };

  title("2. The fleet");
  await iot(place, ["device", "list", "--fields", "name,type,active,last_input"]);

  title("3. Send a reading, and read it back");
  await iot(place, [
    "device",
    "data",
    "send",
    device,
    "temperature=-17.5",
    "--unit",
    "°C",
    "-q",
    "--fields",
    "records,result",
  ]);
  await iot(place, [
    "device",
    "data",
    "list",
    device,
    "--variable",
    "temperature",
    "--limit",
    "3",
    "--fields",
    "time,variable,value,unit",
    "-q",
  ]);

  title("4. Draw its last day");
  await iot(place, ["device", "data", "chart", device, "--variable", "temperature", "--height", "12"]);

  title("5. Watch live data");
  await watchThree(place, sandbox);

  title("6. Convert legacy dashboard widgets");
  const convert = [
    "widget",
    "convert",
    "examples/legacy-widgets.json",
    "--out",
    "converted",
    "--fields",
    "label,verdict,from,to",
  ];
  await iot(place, convert);
  const page = join(mkdtempSync(join(tmpdir(), "iot-demo-page-")), "widgets.html");
  await iot(place, ["widget", "preview", "examples/legacy-widgets.json", "--html", page]);

  title("What to try next");
  say('  eval "$(node bin/iot.js sandbox start --detach)"   a platform that keeps its data; points iot at it');
  say('  node bin/iot.js device get "name:Truck 7"          one device');
  say("  node bin/iot.js dashboard list                     the dashboards of the demo plant");
  say("  node bin/iot.js widget detect <file>               what is legacy in a file of your own");
  say("  node bin/iot.js --help                             everything else");
  say();
  say(`Open ${bold(page)} in a browser: the old and the new widgets next to each other.`);
  if (await wantsLiveView()) await liveView(place, sandbox);
}

/** Only the sandbox: nothing of the user's own settings or credentials is used or changed. */
function environmentFor({ url, tokens }, folder) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(IOT_|TAGOIO_|T_ANALYSIS_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    NO_PROXY: "127.0.0.1,localhost",
    IOT_CONFIG_DIR: join(folder, "config"),
    IOT_API_URL: url,
    IOT_EVENTS_URL: `${url}/events`,
    IOT_TOKEN: tokens.profile,
  };
}

function title(text) {
  say();
  say(bold(text));
}

/** Shows a command as typed, and starts it. */
function start({ folder, env }, args, stdio) {
  if (stopCode !== undefined) throw new Error("The demo was stopped.");
  say(`$ iot ${args.map((word) => (/^[\w./,=:-]+$/.test(word) ? word : `"${word}"`)).join(" ")}`);
  const child = spawn(process.execPath, [join(root, "bin", "iot.js"), ...args], { cwd: folder, env, stdio });
  children.add(child);
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      children.delete(child);
      resolve(signal === null ? code : 128);
    });
  });
  return { child, ended };
}

/** Runs a command to its end; its table is lined up here when there is no terminal to do it. */
async function iot(place, args) {
  const { child, ended } = start(place, args, ["ignore", onTerminal ? "inherit" : "pipe", "inherit"]);
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  const code = await ended;
  if (text !== "") say(lineUp(text));
  if (code !== 0) throw new Error(`The command ended with ${code}.`);
}

function lineUp(text) {
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  const width = (column) => Math.max(...rows.map((row) => (row[column] ?? "").length));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(width(i)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Starts `device watch`, and sends three readings once it listens. */
async function watchThree(place, sandbox) {
  const { child, ended } = start(place, ["device", "watch", device, "--count", "3"], ["ignore", "inherit", "pipe"]);
  const listening = new Promise((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      process.stderr.write(chunk);
      if (chunk.includes("Watching")) resolve();
    });
  });
  await Promise.race([listening, ended]);
  for (const value of [-17.4, -17.6, -17.9]) await send(sandbox, value);
  const code = await ended;
  if (code !== 0) throw new Error(`The command ended with ${code}.`);
}

/** A reading, as the device itself would send it. */
async function send({ url, tokens }, value) {
  const reply = await fetch(`${url}/data`, {
    method: "POST",
    headers: { "content-type": "application/json", token: tokens.device },
    body: JSON.stringify([{ variable: "temperature", value, unit: "°C" }]),
  });
  if (!reply.ok) throw new Error(`The sandbox answered ${reply.status} to a reading.`);
  await reply.text();
}

/** Asked only where somebody can answer; no answer within 20 seconds means no. */
async function wantsLiveView() {
  if (!onTerminal || !process.stdin.isTTY || process.env.CI) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const signal = AbortSignal.timeout(20_000);
    const answer = await new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(""));
      lines.once("close", () => resolve(""));
      // In this mode the terminal's Ctrl-C comes here, not as a signal.
      lines.once("SIGINT", () => {
        stopCode = 130;
        resolve("");
      });
      lines.question("\nStay in a live view of the freezer? [y/N] ", { signal }, resolve);
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

async function liveView(place, sandbox) {
  const { ended } = start(place, ["device", "watch", device], "inherit");
  const timer = setInterval(() => send(sandbox, Math.round(Math.random() * 20 - 190) / 10).catch(() => {}), 1_000);
  await ended;
  clearInterval(timer);
  // Ctrl-C is how a live view is left.
  stopCode = undefined;
}

async function cleanUp() {
  for (const child of children) child.kill("SIGTERM");
  await Promise.all([...children].map((child) => new Promise((resolve) => child.once("close", resolve))));
  for (const work of cleanups.reverse()) await work();
}

/** The commands hear Ctrl-C from the terminal too, or are told here; the demo ends when they have. */
for (const [name, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
]) {
  process.on(name, () => {
    stopCode = code;
    for (const child of children) child.kill("SIGTERM");
  });
}

let exitCode = 0;
try {
  await main();
} catch (error) {
  exitCode = 1;
  if (stopCode === undefined) {
    process.stderr.write(
      `error: The demo did not get to its end.\n  why: ${error instanceof Error ? error.message : error}\n`,
    );
    process.stderr.write("  next: Run npm run setup, then npm run demo again.\n");
  }
} finally {
  await cleanUp();
}
process.exitCode = stopCode ?? exitCode;
