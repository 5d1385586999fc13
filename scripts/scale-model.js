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
  /** Processor of a worker for an item with one device, without its records: --records 5, less those. */
  itemMs: 4.7,
  /** Processor for a device of a bucket, the same with --parts: 15 % of an item's, measured in turn. */
  deviceMs: 0.7,
  /** Processor for a record more: the difference to --records 1000. */
  recordUs: 13.4,
  /** Memory of Redis for an item in the queue: --items 100000. */
  redisBytes: 1_420,
  /** And for a device of a bucket: its id in the item, and its count in two copies of the result. */
  redisDeviceBytes: 100,
  /** Bytes of a file, without its records, and of a record: the same two runs. */
  fileBytes: 1_380,
  recordBytes: 25.3,
};

/** The limits as the library has them, and the number of buckets that the program chooses. */
async function loadLimits() {
  const contents = `export { rates } from "./src/lib/core/rates.ts";
    export { MAX_DATA_STREAM_QTY } from "./src/lib/core/limits.ts";
    export { bucketsFor } from "./src/commands/device/bulk/dataset-parts.ts";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    logLevel: "warning",
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

const { rates, MAX_DATA_STREAM_QTY, bucketsFor } = await loadLimits();
const thousands = (number) => Math.round(number).toLocaleString("en-US");
const hoursText = (hours) => (hours < 10 ? hours.toFixed(1) : thousands(hours));

/** Items of a job, and what they hold: a device each, or a bucket. */
function itemsOf(periods, isBucket) {
  const reads = DEVICES * periods;
  if (!isBucket) return { items: reads, reads };
  const size = { devices: DEVICES, largest: DEVICES, records: RECORDS, periods };
  return { items: bucketsFor(size, "parquet") * periods, reads };
}

/** What an export takes. */
function modelOf(name, { items, reads }) {
  // A page that is not nearly empty is followed by one that shows the end.
  const requests = reads * (Math.ceil(RECORDS / reads / MAX_DATA_STREAM_QTY) + 1);
  const isBucket = items < reads;
  const itemsMs = isBucket ? reads * measured.deviceMs : items * measured.itemMs;
  const workHours = (itemsMs + RECORDS * (measured.recordUs / 1_000)) / 3_600_000;
  const redis = (items * measured.redisBytes + (isBucket ? reads * measured.redisDeviceBytes : 0)) / 1e9;
  const bytes = items * measured.fileBytes + RECORDS * measured.recordBytes;
  const file = bytes / items < 1e6 ? `${thousands(bytes / items / 1e3)} kB` : `${thousands(bytes / items / 1e6)} MB`;
  return Object.entries(rates.dataReads.perMinute).map(([plan, perMinute]) => {
    const limitHours = requests / perMinute / 60;
    const busy = Math.ceil(workHours / limitHours);
    const cells = [
      name,
      thousands(items),
      file,
      plan,
      thousands(requests),
      hoursText(limitHours),
      hoursText(workHours),
    ];
    return [...cells, thousands(busy), `${redis.toFixed(2)} GB`];
  });
}

const head = ["item", "files", "each", "plan", "requests", "hours by the limits", "hours of work", "workers", "Redis"];
const rows = [
  ...modelOf("bucket", itemsOf(1, true)),
  ...modelOf("bucket and month", itemsOf(MONTHS, true)),
  ...modelOf("device and month", itemsOf(MONTHS, false)),
];
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
