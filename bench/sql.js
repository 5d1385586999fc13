// Measures how long the sandbox takes for a statement that filters and groups many records: 100,000 and 1,000,000 unless
// told otherwise. Usage: node bench/sql.js [records ...]   (needs a build: npm run build)
import { createSandbox } from "../dist/sandbox.js";

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000, 1_000_000];
const EACH = 2_000;
const RUNS = 5;
const sandbox = await createSandbox({ ephemeral: true, seed: "empty" });

async function call(method, path, body, token = sandbox.tokens.profile) {
  const headers = { token, "content-type": "application/json" };
  const answer = await fetch(`${sandbox.url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const { status, result, message } = await answer.json();
  if (!status) throw new Error(`${method} ${path}: ${message}`);
  return result;
}

/** A device with this many records of the last days. */
async function deviceWith(records) {
  const settings = { name: `Bench ${records}`, type: "immutable", chunk_period: "month", chunk_retention: 2 };
  const { device_id, token } = await call("POST", "/device", settings);
  const startMs = Date.now() - records * 1_000;
  for (let from = 0; from < records; from += EACH) {
    const rows = Array.from({ length: Math.min(EACH, records - from) }, (_, i) => ({
      variable: ["temperature", "humidity", "pressure", "battery"][(from + i) % 4],
      value: (((from + i) * 37) % 1_000) / 10,
      unit: "C",
      time: new Date(startMs + (from + i) * 1_000).toISOString(),
    }));
    await call("POST", "/data", rows, token);
  }
  return device_id;
}

const middle = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

for (const records of sizes) {
  const device = await deviceWith(records);
  const from = `FROM device('${device}') AS d`;
  const statements = {
    "all records, filtered by value and grouped": `SELECT variable, COUNT(*) AS n, AVG(value) AS mean, MAX(time) AS last ${from} WHERE value > 20 GROUP BY variable`,
    "one variable, grouped": `SELECT unit, COUNT(*) AS n, AVG(value) AS mean ${from} WHERE variable = 'humidity' AND value > 20 GROUP BY unit`,
    "newest 100": `SELECT variable, value, unit, time ${from} ORDER BY time DESC LIMIT 100`,
  };
  for (const [name, query] of Object.entries(statements)) {
    const { id } = await call("POST", "/sql", { name: "bench", query });
    const ms = [];
    for (let run = 0; run < RUNS; run += 1) {
      const startMs = performance.now();
      await call("POST", `/sql/${id}/execute`, {});
      ms.push(performance.now() - startMs);
    }
    console.log(`${records.toLocaleString("en")} records, ${name}: ${Math.round(middle(ms))} ms (median of ${RUNS})`);
  }
}
await sandbox.close();
