// Writes the table of docs/internals/bulk-work.md: what a large export takes, from figures measured with bench/queue.js and the limits of
// the platform. Checked by test/contract/scale-model.test.ts. `--print` writes to the standard output instead.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const DEVICES = 100_000;
const RECORDS = 1_000_000_000;
const MONTHS = 12;

/** Measured on the machine of docs/internals/measurements.md with `node bench/queue.js`; records of one variable with a number, as Parquet. */
const measured = {
  /** Processor of a worker for an item, without its records: --records 5, less those. */
  itemMs: 4.7,
  /** Processor for a record more: the difference to --records 1000. */
  recordUs: 13.4,
  /** Memory of Redis for an item in the queue: --items 100000. */
  redisBytes: 1_420,
  /** Bytes of a file, without its records, and of a record: the same two runs. */
  fileBytes: 1_380,
  recordBytes: 25.3,
};

/** The limits as the library has them. */
async function loadLimits() {
  const contents =
    'export { rates } from "./src/lib/core/rates.ts"; export { MAX_DATA_STREAM_QTY } from "./src/lib/core/limits.ts";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "warning",
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

const { rates, MAX_DATA_STREAM_QTY } = await loadLimits();
const thousands = (number) => Math.round(number).toLocaleString("en-US");
const hoursText = (hours) => (hours < 10 ? hours.toFixed(1) : thousands(hours));

/** What an export takes whose items hold so many records each. */
function modelOf(name, items) {
  const records = RECORDS / items;
  // A page that is not nearly empty is followed by one that shows the end.
  const requests = items * (Math.ceil(records / MAX_DATA_STREAM_QTY) + 1);
  const workHours = (items * measured.itemMs + RECORDS * (measured.recordUs / 1_000)) / 3_600_000;
  const redis = (items * measured.redisBytes) / 1e9;
  const disk = (items * measured.fileBytes + RECORDS * measured.recordBytes) / 1e9;
  return Object.entries(rates.dataReads.perMinute).map(([plan, perMinute]) => {
    const limitHours = requests / perMinute / 60;
    const busy = Math.ceil(workHours / limitHours);
    const cells = [name, thousands(items), plan, thousands(requests), hoursText(limitHours), hoursText(workHours)];
    return [...cells, thousands(busy), `${redis.toFixed(1)} GB`, `${thousands(disk)} GB`];
  });
}

const head = ["item", "items", "plan", "requests", "hours by the limits", "hours of work", "workers", "Redis", "disk"];
const rows = [...modelOf("device", DEVICES), ...modelOf("device and month", DEVICES * MONTHS)];
const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

if (process.argv.includes("--print")) process.stdout.write(`${table}\n`);
else {
  const page = join(root, "docs/internals/bulk-work.md");
  const marked = /(<!-- scripts\/scale-model\.js -->\n)[\s\S]*?(\n<!-- end -->)/;
  const text = readFileSync(page, "utf8");
  if (!marked.test(text)) throw new Error("docs/internals/bulk-work.md has no place for the table");
  writeFileSync(
    page,
    text.replace(marked, (_, start, end) => `${start}\n${table}\n${end}`),
  );
}
