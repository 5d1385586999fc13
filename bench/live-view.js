// The live view under load, in a real pseudo-terminal: node bench/live-view.js [seconds=60] [events per second=2000]
// Needs a build. Linux only: processor time and memory are read from /proc.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [seconds, rate] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 2_000)];
const device = "65a1000000000000000d0001";
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let sent = 0;
let isSending = true;

const server = createServer((request, response) => {
  if (!request.url.startsWith("/events")) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ status: true, result: { id: device, name: "Pump 3" } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const startMs = performance.now();
  const timer = setInterval(() => {
    if (!isSending) return clearInterval(timer);
    const due = Math.floor(((performance.now() - startMs) * rate) / 1_000);
    let text = "";
    for (; sent < due; sent += 1) {
      const time = new Date().toISOString();
      const value = 4 + Math.sin(sent / 5_000);
      const payload = [
        { id: String(sent).padStart(24, "0"), device, variable: `pressure${sent % 5}`, unit: "bar", value, time },
      ];
      text += `data: ${JSON.stringify({ channel: `device_data.${device}`, timestamp: time, payload })}\n\n`;
    }
    if (text !== "") response.write(text);
  }, 10);
  request.on("close", () => clearInterval(timer));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const url = `http://127.0.0.1:${server.address().port}`;

const { CI: _, ...env } = process.env;
const screen = new headless.Terminal({ cols: 120, rows: 40, allowProposedApi: true });
const child = spawn(process.execPath, [join(root, "bin", "iot.js"), "device", "watch", device], {
  cols: 120,
  rows: 40,
  env: { ...env, IOT_API_URL: url, IOT_EVENTS_URL: url, IOT_TOKEN: "p-0123abcd-4567-4cde-89ab-0123456789ab" },
});
const redraws = [];
let waiting;
child.onData((data) => {
  const now = performance.now();
  for (let i = data.split("\u001b[?2026h").length; i > 1; i -= 1) redraws.push(now);
  if (waiting !== undefined && data.includes(waiting.text)) {
    waiting.done(now);
    waiting = undefined;
  }
  screen.write(data);
});

const ticksPerSecond = 100;
function usage() {
  const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1];
  return {
    cpu: (Number(stat[11]) + Number(stat[12])) / ticksPerSecond,
    rssMib: Number(rss) / 1_024,
    ms: performance.now(),
  };
}

/** Time from a key to the first sign of what it does. */
async function latency(key, text) {
  const begin = performance.now();
  const seen = new Promise((resolve) => {
    waiting = { text, done: resolve };
  });
  child.write(key);
  return (await Promise.race([seen, sleep(5_000).then(() => Number.POSITIVE_INFINITY)])) - begin;
}

await sleep(1_000);
const start = usage();
await sleep(9_000);
const settled = usage();
let peakMib = settled.rssMib;
const latencies = [];
while (performance.now() - start.ms < (seconds - 1) * 1_000) {
  await sleep(1_500);
  latencies.push(await latency("?", "draw everything anew"));
  await sleep(1_500);
  latencies.push(await latency("\u001b", "trend"));
  peakMib = Math.max(peakMib, usage().rssMib);
}
const end = usage();
isSending = false;
await sleep(1_500);
const lines = Array.from({ length: 2 }, (_, i) => screen.buffer.active.getLine(i)?.translateToString(true) ?? "");
child.write("q");
const after = [];
child.onData((data) => after.push(data));
await new Promise((resolve) => child.onExit(resolve));
server.close();
const received = Number(/info: (\d+) records received/.exec(after.join(""))?.[1] ?? Number.NaN);
const most = Math.max(...redraws.map((ms) => redraws.filter((other) => other >= ms && other < ms + 1_000).length));
// Esc is known for what it is only after 20 ms without a rest of a sequence.
const sorted = latencies.toSorted((a, b) => a - b);
console.log(
  JSON.stringify(
    {
      seconds: Math.round((end.ms - start.ms) / 1_000),
      sent,
      received,
      lost: sent - received,
      mostRedrawsPerSecond: most,
      processorShare: Number(((end.cpu - start.cpu) / ((end.ms - start.ms) / 1_000)).toFixed(3)),
      rssAfter10sMib: Math.round(settled.rssMib),
      rssGrowthMib: Number((end.rssMib - settled.rssMib).toFixed(1)),
      rssPeakGrowthMib: Number((peakMib - settled.rssMib).toFixed(1)),
      keyMs: { median: Math.round(sorted[sorted.length >> 1]), most: Math.round(sorted.at(-1)), count: sorted.length },
      firstLine: lines[0],
    },
    null,
    2,
  ),
);
process.exit(0);
