// Measures the built sandbox (dist/sandbox.js) in a process of its own, with its database in a file.
//   node bench/sandbox.js [--records 1000000] [--only ingest,device,million,start,events] [--out FILE]
// Figures are of this machine at this minute; processor time tells more than the clock when the machine is busy.
import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { connect } from "node:net";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));

/** The measured process: a sandbox, or a server of Node alone that answers every request with one text. */
async function serve(options) {
  let closing;
  if (options.plain !== undefined) {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(options.plain) };
    const server = createServer((incoming, outgoing) => {
      incoming.resume();
      outgoing.writeHead(200, headers).end(options.plain);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    process.send({ url: `http://127.0.0.1:${server.address().port}` });
    closing = () => server.close();
  } else {
    const { createSandbox } = await import(join(root, "dist/sandbox.js"));
    const sandbox = await createSandbox({ seed: "empty", dataDir: options.dataDir });
    process.send({ url: sandbox.url, eventsUrl: sandbox.eventsUrl, tokens: sandbox.tokens });
    closing = () => sandbox.close();
  }
  process.on("message", async (message) => {
    if (message === "usage") process.send({ ...process.cpuUsage(), rss: process.memoryUsage.rss() });
    if (message !== "close") return;
    await closing();
    process.disconnect();
  });
}

/** Starts the measured process; answers what it tells, and the time to that. */
async function start(options) {
  const startedAt = performance.now();
  const child = fork(self, [], { env: { ...process.env, BENCH_SERVER: JSON.stringify(options) } });
  const ask = () => new Promise((resolve) => child.once("message", resolve));
  const told = await ask();
  return {
    ...told,
    startedAt,
    usage: () => {
      const answer = ask();
      child.send("usage");
      return answer;
    },
    close: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.send("close");
      }),
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
function call(url, method = "GET", token = "", body = undefined) {
  return new Promise((resolve, reject) => {
    const headers = {
      token,
      ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const sent = request(url, { method, agent, headers }, (reply) => {
      const chunks = [];
      reply.on("data", (chunk) => chunks.push(chunk));
      reply.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (reply.statusCode >= 400) reject(new Error(`${method} ${url}: ${reply.statusCode} ${text.slice(0, 200)}`));
        else resolve(text);
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
const ok = async (...args) => JSON.parse(await call(...args)).result;

/** Calls `work` `times` times, `lanes` at once. Answers seconds of the clock and of the server's processor. */
async function measure(server, times, lanes, work) {
  const before = await server.usage();
  const startedAt = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < times) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await server.usage();
  return { seconds, cpuSeconds: (after.user + after.system - before.user - before.system) / 1e6, rss: after.rss };
}

async function main() {
  const { values: options } = parseArgs({
    options: { records: { type: "string", default: "1000000" }, only: { type: "string" }, out: { type: "string" } },
  });
  const only = options.only?.split(",");
  const wants = (name) => only === undefined || only.includes(name);
  const dataDir = mkdtempSync(join(tmpdir(), "iotdeck-bench-"));
  const report = {};
  const note = (name, figures) => {
    report[name] = figures;
    console.log(
      name.padEnd(22),
      Object.entries(figures)
        .map(([key, value]) => `${key} ${typeof value === "number" ? Number(value.toPrecision(4)) : value}`)
        .join(", "),
    );
  };
  try {
    const sandbox = await start({ dataDir });
    const { profile } = sandbox.tokens;
    const settings = { name: "Measured", type: "immutable", chunk_period: "month", chunk_retention: 36 };
    const device = await ok(`${sandbox.url}/device`, "POST", profile, JSON.stringify(settings));
    const records = Number(options.records);
    const batch = 1_000;
    const nowMs = Date.now();
    const stepMs = (365 * 86_400_000) / records;
    const rows = (from) =>
      JSON.stringify(
        Array.from({ length: batch }, (_, index) => ({
          variable: index % 2 === 0 ? "temperature" : "humidity",
          value: ((from + index) % 997) / 10,
          unit: "C",
          time: new Date(nowMs - (records - from - index) * stepMs),
        })),
      );

    if (wants("ingest") || wants("million") || wants("start")) {
      const bodies = records / batch;
      const took = await measure(sandbox, bodies, 4, (n) =>
        call(`${sandbox.url}/data`, "POST", device.token, rows(n * batch)),
      );
      note("ingest", {
        "records/s": records / took.seconds,
        "us of processor/record": (took.cpuSeconds / records) * 1e6,
        "rss MiB": took.rss / 2 ** 20,
      });
      const small = JSON.stringify({ variable: "temperature", value: 1 });
      const own = await ok(`${sandbox.url}/device`, "POST", profile, JSON.stringify({ ...settings, name: "Small" }));
      const single = await measure(sandbox, 5_000, 16, () => call(`${sandbox.url}/data`, "POST", own.token, small));
      note("post-one-record", {
        "req/s": 5_000 / single.seconds,
        "us of processor/req": (single.cpuSeconds / 5_000) * 1e6,
      });
    }

    if (wants("device")) {
      const url = `${sandbox.url}/device/${device.device_id}`;
      const body = await call(url, "GET", profile);
      const plain = await start({ plain: body });
      const times = 10_000;
      for (const [server, address] of [
        [sandbox, url],
        [plain, plain.url],
      ])
        await measure(server, 2_000, 16, () => call(address, "GET", profile));
      const took = await measure(sandbox, times, 16, () => call(url, "GET", profile));
      const bare = await measure(plain, times, 16, () => call(plain.url, "GET", profile));
      note("device", {
        "req/s": times / took.seconds,
        "us of processor/req": (took.cpuSeconds / times) * 1e6,
        "node:http req/s": times / bare.seconds,
        "times node:http's processor": took.cpuSeconds / bare.cpuSeconds,
      });
      await plain.close();
    }

    if (wants("million")) {
      const queries = {
        "first page": "qty=15",
        "first page of a variable": "variable=temperature&qty=100",
        "page of 10,000": "qty=10000",
        last_value: "query=last_value",
        count: "query=count",
        max: "query=max",
        "avg of a month": "query=avg&start_date=1 month",
        "aggregate by hour over a year":
          "query=aggregate&interval=hour&function=avg&start_date=1 year&variable=temperature",
        "aggregate by hour, all variables": "query=aggregate&interval=hour&function=avg&start_date=1 year",
        "aggregate by month": "query=aggregate&interval=month&function=max",
        conditional: "query=conditional&function=gt&value=99.5&start_date=1 year",
      };
      for (const [name, query] of Object.entries(queries)) {
        const url = `${sandbox.url}/device/${device.device_id}/data?${encodeURI(query)}`;
        const times = [];
        const took = await measure(sandbox, 3, 1, async () => {
          const startedAt = performance.now();
          await call(url, "GET", profile);
          times.push(performance.now() - startedAt);
        });
        note(name, {
          "first ms": times[0],
          "best ms": Math.min(...times),
          "ms of processor": (took.cpuSeconds / 3) * 1000,
        });
      }
    }

    if (wants("events")) {
      const seconds = 5;
      const perSecond = 100;
      const listeners = 200;
      const target = await ok(
        `${sandbox.url}/device`,
        "POST",
        profile,
        JSON.stringify({ ...settings, name: "Events" }),
      );
      const { hostname, port, pathname } = new URL(sandbox.eventsUrl);
      const head = `GET ${pathname}?channels=device_data.${target.device_id}&token=${profile} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
      const counts = new Array(listeners).fill(0);
      const mark = "data: {";
      const streams = await Promise.all(
        counts.map(
          (_, n) =>
            new Promise((resolve, reject) => {
              // Plain sockets, and bytes counted instead of texts made: two hundred clients share one processor here.
              const stream = connect(Number(port), hostname, () => stream.write(head));
              let rest = Buffer.alloc(0);
              stream.on("data", (bytes) => {
                const text = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
                let end = 0;
                for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, end)) {
                  counts[n] += 1;
                  end = at + mark.length;
                }
                rest = text.subarray(Math.max(end, text.length - mark.length + 1));
                resolve(stream);
              });
              stream.on("error", reject);
            }),
        ),
      );
      const before = await sandbox.usage();
      const startedAt = performance.now();
      const posts = [];
      for (let sent = 0; sent < seconds * perSecond; sent += 1) {
        const due = startedAt + (sent * 1000) / perSecond;
        const early = due - performance.now();
        if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
        posts.push(call(`${sandbox.url}/data`, "POST", target.token, JSON.stringify({ variable: "a", value: sent })));
      }
      await Promise.all(posts);
      const expected = seconds * perSecond;
      const deadline = performance.now() + 10_000;
      while (counts.some((count) => count < expected) && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 10));
      const took = (performance.now() - startedAt) / 1000;
      const after = await sandbox.usage();
      note("events", {
        listeners,
        "events/s each": expected / took,
        lost: counts.reduce((sum, count) => sum + expected - count, 0),
        "processor share": (after.user + after.system - before.user - before.system) / 1e6 / took,
      });
      for (const stream of streams) stream.destroy();
    }

    await sandbox.close();
    if (wants("start")) {
      const times = [];
      const processor = [];
      for (let turn = 0; turn < 5; turn += 1) {
        const again = await start({ dataDir });
        await call(`${again.url}/status`);
        times.push(performance.now() - again.startedAt);
        const { user, system } = await again.usage();
        processor.push((user + system) / 1000);
        await again.close();
      }
      const bare = [];
      for (let turn = 0; turn < 5; turn += 1) {
        const plain = await start({ plain: "{}" });
        await call(plain.url);
        bare.push(performance.now() - plain.startedAt);
        await plain.close();
      }
      const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
      note("start", {
        "ms to the first answer": median(times),
        "ms of processor": median(processor),
        "of it Node's own ms": median(bare),
      });
    }
  } finally {
    agent.destroy();
    rmSync(dataDir, { recursive: true, force: true });
  }
  if (options.out === undefined) return;
  mkdirSync(dirname(options.out), { recursive: true });
  const about = {
    node: process.version,
    processors: `${cpus().length} x ${cpus()[0]?.model ?? "?"}`,
    date: new Date().toISOString().slice(0, 10),
  };
  writeFileSync(options.out, `${JSON.stringify({ about, report }, null, 2)}\n`);
}

if (process.env.BENCH_SERVER !== undefined) await serve(JSON.parse(process.env.BENCH_SERVER));
else await main();
