// How much of bare node:http, and of a bare undici Pool, the built library reaches: GET with the same headers in one process,
// in short slices that take turns, so that a slow minute of the machine meets all of them.
//   node bench/bare.js [--slices 15] [--requests 3000] [--only http-16,undici-64] [--dist OTHER/dist/index.js]
import { fork } from "node:child_process";
import { Agent, request } from "node:http";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Pool } from "undici";

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    slices: { type: "string", default: "15" },
    requests: { type: "string", default: "3000" },
    only: { type: "string" },
    dist: { type: "string", default: join(here, "../dist/index.js") },
  },
});
const { Resources } = await import(pathToFileURL(resolve(options.dist)).href);

const server = fork(join(here, "server.js"));
const port = await new Promise((ready) => server.once("message", ready));
const api = `http://127.0.0.1:${port}`;
const token = "00000000-0000-4000-8000-000000000000";
const deviceId = "777777777777777777777771";
const path = `/device/${deviceId}`;
const library = (more) => new Resources({ token, region: { api, sse: api }, ...more }).devices;

let headers = { token };
const onRequest = (event) => {
  headers = { ...event.headers, token };
};
await library({ hooks: { onRequest } }).info(deviceId);

const agent = new Agent({ keepAlive: true, maxSockets: 64, noDelay: true });
const bareHttp = () =>
  new Promise((done, reject) => {
    const sent = request({ host: "127.0.0.1", port, method: "GET", path, headers, agent }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => done(JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end();
  });
const pool = new Pool(api);
const barePool = async () => JSON.parse(await (await pool.request({ method: "GET", path, headers })).body.text());

const calls = { http: bareHttp, undici: barePool };
/** Least share of the bare client. */
const gates = { "http-16": 0.7, "http-64": 0.7, "undici-16": 0.75, "undici-64": 0.75 };
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

async function slice(call, width, count) {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await call();
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: width }, lane));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { rate: (count * 1000) / ms, cpuUs: (user + system) / count };
}

let missed = 0;
for (const [row, gate] of Object.entries(gates)) {
  if (options.only && !options.only.split(",").includes(row)) continue;
  const [transport, width] = row.split("-");
  const devices = library({ transport });
  const sides = { bare: calls[transport], ours: () => devices.info(deviceId) };
  const seen = { bare: [], ours: [] };
  for (let n = -2; n < Number(options.slices); n += 1) {
    for (const side of n % 2 === 0 ? ["bare", "ours"] : ["ours", "bare"]) {
      const result = await slice(sides[side], Number(width), Number(options.requests));
      if (n >= 0) seen[side].push(result);
    }
  }
  const share = median(seen.ours.map(({ rate }, n) => rate / seen.bare[n].rate));
  const cpu = median(seen.ours.map(({ cpuUs }, n) => seen.bare[n].cpuUs / cpuUs));
  const text = (side) =>
    `${side} ${Math.round(median(seen[side].map(({ rate }) => rate))).toLocaleString("en-US")} req/s, ${median(seen[side].map(({ cpuUs }) => cpuUs)).toFixed(1)} us`;
  missed += share >= gate ? 0 : 1;
  console.log(
    `${share >= gate ? "met   " : "MISSED"} ${row}: ${share.toFixed(2)} of bare (processor time ${cpu.toFixed(2)}, at least ${gate}); ${text("bare")}; ${text("ours")}`,
  );
}
await pool.close();
agent.destroy();
server.disconnect();
process.exit(missed === 0 ? 0 : 1);
