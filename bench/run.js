// Compares the built library with its peers on this machine: fresh processes, interleaved, ratios per repetition.
//   node bench/run.js [--reps 5] [--only get-16,import] [--node PATH] [--out FILE]
import { fork, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const { values: options } = parseArgs({
  options: {
    reps: { type: "string", default: "5" },
    only: { type: "string" },
    node: { type: "string", default: process.execPath },
    out: { type: "string" },
  },
});

/**
 * Least ratio beside the peers, the better of both or each by its name; above 1 is better. `most` and `least` are absolute.
 * On Node 22 and later, where the peers themselves are faster, only what stands in `later` is a gate. Rows without a
 * gate are for the record: undici is held against a bare pool (bench/bare.js), converters over what is converted once.
 */
const gates = {
  import: { ratio: 3, mostRssMib: 8, later: { ratio: 1.8 } },
  "first-answer": { ratio: 2.5, later: { ratio: 2.2 } },
  "list-once": { ratio: 1.5, later: { ratio: 1.5 } },
  "get-sequential": { ratio: 1.5 },
  "get-16": { ratio: 2 },
  "get-64": { ratio: 2, rss: 0.9, rssTo: "peer-11" },
  "post-16": { ratio: 2 },
  "undici-get-16": {},
  "undici-get-64": {},
  "undici-post-16": {},
  "read-1m-records": { ratio: { "peer-11": 1.5, "peer-12": 1.1 }, rss: 0.9, rssTo: "peer-11" },
  "list-200k-devices": { ratio: 1.5 },
  "send-200k-records": { ratio: 2.5 },
  "cached-1000-in-flight": { ratio: 2 },
  "cached-hits-10000-entries": { least: 100_000 },
  "events-200k": { ratio: 1.8, rss: 0.8, rssTo: "peer-11" },
  "convert-widgets": {},
};

if (!existsSync(join(here, "node_modules", "peer-11"))) {
  const { status } = spawnSync("npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"], {
    cwd: here,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(1);
}
const modules = {
  "peer-11": join(here, "node_modules/peer-11/lib/modules.js"),
  "peer-12": join(here, "node_modules/peer-12/lib/modules.js"),
  iotdeck: join(root, "dist/index.js"),
};

const server = fork(join(here, "server.js"));
const port = await new Promise((resolve) => server.once("message", resolve));
const env = {
  ...process.env,
  TAGOIO_API: `http://127.0.0.1:${port}`,
  TAGOIO_SSE: `http://127.0.0.1:${port}/events`,
  BENCH_WIDGETS: join(root, "examples/legacy-widgets.json"),
  NODE_NO_WARNINGS: "1",
};

function measure(name, scenario) {
  return new Promise((resolve) => {
    const child = fork(join(here, "worker.js"), [modules[name], scenario], {
      env,
      execPath: options.node,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let errors = "";
    let result;
    child.stderr.on("data", (text) => (errors += text));
    child.on("message", (message) => (result = message));
    child.on("close", () => resolve(result ?? { error: errors.trim().split("\n").slice(0, 8).join(" | ") }));
  });
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const show = (n) => (n >= 1000 ? Math.round(n).toLocaleString("en-US") : n.toPrecision(3));

const only = options.only?.split(",");
const version = spawnSync(options.node, ["--version"], { encoding: "utf8" }).stdout.trim();
const later = Number(/^v(\d+)/.exec(version)?.[1]) >= 22;
const report = {};
let missed = 0;
for (const [scenario, { later: gateLater = {}, ...gateBefore }] of Object.entries(gates)) {
  const gate = later ? gateLater : gateBefore;
  if (only && !only.includes(scenario)) continue;
  const runs = Object.fromEntries(Object.keys(modules).map((name) => [name, []]));
  for (let rep = 0; rep < Number(options.reps); rep += 1) {
    for (const name of Object.keys(modules)) runs[name].push(await measure(name, scenario));
  }
  const row = {};
  for (const [name, list] of Object.entries(runs)) {
    const good = list.filter((run) => run.error === undefined);
    row[name] =
      good.length === list.length
        ? {
            value: median(good.map((run) => run.value)),
            rssMib: median(good.map((run) => run.rssMib)),
            unit: good[0].unit,
            note: good[0].note ?? "",
          }
        : { error: list.find((run) => run.error).error };
  }
  const ours = runs.iotdeck;
  const ratio = (peer) =>
    median(
      ours.map((run, n) => (run.better === "high" ? run.value / runs[peer][n].value : runs[peer][n].value / run.value)),
    );
  for (const peer of ["peer-11", "peer-12"])
    if (!row[peer].error && !row.iotdeck.error) row.iotdeck[`ratio ${peer}`] = ratio(peer);
  const faults = [];
  if (row.iotdeck.error) faults.push(row.iotdeck.error);
  else {
    for (const peer of ["peer-11", "peer-12"].filter((name) => !row[name].error)) {
      const least = typeof gate.ratio === "object" ? gate.ratio[peer] : gate.ratio;
      if (least && !(ratio(peer) >= least)) faults.push(`${ratio(peer).toFixed(2)}x of ${peer} is below ${least}x`);
    }
    if (gate.rss && !(row.iotdeck.rssMib <= gate.rss * row[gate.rssTo].rssMib))
      faults.push(`memory above ${gate.rss} of ${gate.rssTo}`);
    if (gate.most && !(row.iotdeck.value <= gate.most)) faults.push(`above ${gate.most} ${row.iotdeck.unit}`);
    if (gate.least && !(row.iotdeck.value >= gate.least)) faults.push(`below ${gate.least} ${row.iotdeck.unit}`);
    if (gate.mostRssMib && !(row.iotdeck.rssMib <= gate.mostRssMib)) faults.push(`above ${gate.mostRssMib} MiB`);
  }
  missed += faults.length > 0 ? 1 : 0;
  report[scenario] = { ...row, gate, met: faults.length === 0 };
  const cells = Object.entries(row).map(
    ([name, r]) => `${name} ${r.error ? "failed" : `${show(r.value)} ${r.unit} (${show(r.rssMib)} MiB)`}`,
  );
  const ratios = ["peer-11", "peer-12"]
    .map((peer) => `${row.iotdeck[`ratio ${peer}`]?.toFixed(2) ?? "-"}x`)
    .join(" / ");
  console.log(
    `${faults.length > 0 ? "MISSED" : Object.keys(gate).length > 0 ? "met   " : "      "} ${scenario}: ${cells.join(", ")}; ratios ${ratios} ${row.iotdeck.note ?? ""} ${faults.join("; ")}`,
  );
}
server.disconnect();
if (options.out) {
  mkdirSync(dirname(options.out), { recursive: true });
  const about = {
    node: version,
    processors: `${cpus().length} x ${cpus()[0]?.model ?? "?"}`,
    reps: Number(options.reps),
    date: new Date().toISOString().slice(0, 10),
  };
  writeFileSync(options.out, `${JSON.stringify({ about, report }, null, 2)}\n`);
}
console.log(missed === 0 ? "all gates met" : `${missed} gate(s) missed`);
process.exit(missed === 0 ? 0 : 1);
