// Measures "iot device data export" against the built sandbox: records per second, processor time and memory of the
// million, and that an export killed at random moments and resumed is byte for byte the undisturbed one.
//   node bench/export.js [--records 1000000] [--kills 20] [--format csv] [--seed N] [--out FILE]   (needs: npm run build)
import { fork, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const cli = process.env.IOT_TEST_CLI ?? join(root, "dist/cli.cjs");

/** The sandbox, in a process of its own so that its time is not counted as the export's. */
async function serve({ dataDir }) {
  const { createSandbox } = await import(join(root, "dist/sandbox.js"));
  const sandbox = await createSandbox({ seed: "empty", dataDir });
  process.send({ url: sandbox.url, eventsUrl: sandbox.eventsUrl, token: sandbox.tokens.profile });
  process.on("message", async (message) => {
    if (message === "usage") process.send(process.cpuUsage());
    if (message !== "close") return;
    await sandbox.close();
    process.disconnect();
  });
}

async function startSandbox(dataDir) {
  const child = fork(self, [], { env: { ...process.env, BENCH_SERVER: JSON.stringify({ dataDir }) } });
  const told = () => new Promise((resolve) => child.once("message", resolve));
  const place = await told();
  return {
    ...place,
    usage() {
      const answer = told();
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

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
function post(url, token, body) {
  return new Promise((resolve, reject) => {
    const headers = { token, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      reply.on("end", () => {
        if (reply.statusCode < 400) resolve(JSON.parse(text).result);
        else reject(new Error(`POST ${url}: ${reply.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A device with so many records of the last year; some moments hold several. */
async function fill({ url, token }, records) {
  const settings = { name: "Measured", type: "immutable", chunk_period: "month", chunk_retention: 36 };
  const device = await post(`${url}/device`, token, JSON.stringify(settings));
  const nowMs = Date.now() - 60_000;
  const stepMs = (360 * 86_400_000) / records;
  const texts = ["on", 'said "stop", then went', "two\nlines", "größer"];
  const record = (n) => ({
    variable: n % 2 === 0 ? "temperature" : "state",
    value: n % 2 === 0 ? (n % 997) / 10 : texts[n % texts.length],
    unit: n % 2 === 0 ? "C" : undefined,
    group: `g${Math.floor(n / 100)}`,
    time: new Date(nowMs - Math.floor((records - n + (n % 10 < 3 ? n % 10 : 0)) * stepMs)),
    metadata: n % 50 === 0 ? { floor: n % 7 } : undefined,
  });
  const bodySize = 1_000;
  for (let from = 0; from < records; from += bodySize) {
    const rows = Array.from({ length: Math.min(bodySize, records - from) }, (_, n) => record(from + n));
    await post(`${url}/data`, device.token, JSON.stringify(rows));
  }
  return device.device_id;
}

/** Runs the export; answers how it ended, with the time, the processor's time and the largest memory of the process. */
function exported({ url, eventsUrl, token }, folder, args, killAfterMs) {
  const startedAt = performance.now();
  const env = { PATH: process.env.PATH, HOME: folder, IOT_API_URL: url, IOT_EVENTS_URL: eventsUrl, IOT_TOKEN: token };
  const usage = join(folder, "usage.json");
  rmSync(usage, { force: true });
  const report = `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage())))`;
  const probe = join(folder, "probe.cjs");
  if (!existsSync(probe)) writeFileSync(probe, report);
  const child = spawn(process.execPath, ["-r", probe, cli, "device", "data", "export", ...args, "--yes"], {
    env,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve) => {
    child.once("close", async (code, signal) => {
      clearTimeout(timer);
      const used = existsSync(usage) ? JSON.parse(await textOf(usage)) : undefined;
      resolve({ code, signal, said, seconds: (performance.now() - startedAt) / 1000, used });
    });
  });
}

async function textOf(path) {
  let text = "";
  for await (const chunk of createReadStream(path, "utf8")) text += chunk;
  return text;
}

async function markOf(path) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

/** A small generator with a seed, so that a run with a fault can be run again. */
function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function main() {
  const { values } = parseArgs({
    options: {
      records: { type: "string", default: "1000000" },
      kills: { type: "string", default: "20" },
      format: { type: "string", default: "csv" },
      seed: { type: "string", default: "1" },
      out: { type: "string" },
    },
  });
  const records = Number(values.records);
  const kills = Number(values.kills);
  const random = dice(Number(values.seed));
  const folder = mkdtempSync(join(tmpdir(), "iot-export-"));
  const report = { records, format: values.format };
  let isGood = true;
  const sandbox = await startSandbox(join(folder, "data"));
  try {
    const device = await fill(sandbox, records);
    const whole = join(folder, `whole.${values.format}`);
    const to = new Date().toISOString();
    const before = await sandbox.usage();
    const run = await exported(sandbox, folder, [device, "--to", to, "--out", whole, "--verify"]);
    const after = await sandbox.usage();
    if (run.code !== 0) throw new Error(`the export ended with ${run.code}:\n${run.said}`);
    const own = (run.used.userCPUTime + run.used.systemCPUTime) / 1e6;
    report.export = {
      "records/s": Math.round(records / run.seconds),
      seconds: run.seconds,
      "processor seconds of the export": own,
      "processor seconds of the sandbox": (after.user + after.system - before.user - before.system) / 1e6,
      "records per processor second of the export": Math.round(records / own),
      "peak RSS MB": Math.round((run.used.maxRSS * 1024) / 1e6),
      "file MB": Math.round(statSync(whole).size / 1e6),
    };
    console.log(report.export);
    const expected = await markOf(whole);
    const target = join(folder, `killed.${values.format}`);
    let attempts = 0;
    let resumedAt = 0;
    // Each kill strikes a run that goes on from the one before; a run that is through is the end of a round.
    for (let done = 0; done < kills; ) {
      for (;;) {
        attempts += 1;
        const isLast = done >= kills;
        const after = isLast ? undefined : random() * run.seconds * 1_000 * 0.9;
        // A kill that comes before anything is noted leaves nothing to resume.
        const resume = existsSync(`${target}.part`) ? ["--resume"] : [];
        const one = await exported(sandbox, folder, [device, "--to", to, "--out", target, ...resume], after);
        if (one.signal === "SIGKILL") done += 1;
        if (/Continuing after [1-9]/.test(one.said)) resumedAt += 1;
        if (one.signal === "SIGKILL") continue;
        if (one.code !== 0) throw new Error(`a resumed export ended with ${one.code}:\n${one.said}`);
        break;
      }
      const isEqual = (await markOf(target)) === expected;
      isGood &&= isEqual;
      console.log(
        `${done} kills, ${attempts} runs, ${resumedAt} went on in the middle: ${isEqual ? "byte-equal" : "DIFFERENT"}`,
      );
      rmSync(target, { force: true });
    }
    report.kills = { kills, runs: attempts, "went on in the middle": resumedAt, "byte-equal": isGood };
  } finally {
    await sandbox.close();
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
  if (values.out !== undefined) {
    mkdirSync(dirname(values.out), { recursive: true });
    const about = { node: process.version, processors: `${cpus().length} x ${cpus()[0]?.model ?? "?"}` };
    writeFileSync(values.out, `${JSON.stringify({ about, report }, null, 2)}\n`);
  }
  if (!isGood) process.exitCode = 1;
}

if (process.env.BENCH_SERVER !== undefined) await serve(JSON.parse(process.env.BENCH_SERVER));
else await main();
