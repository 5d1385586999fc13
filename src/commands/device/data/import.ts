import { existsSync } from "node:fs";
import type { Resources } from "../../../index.ts";
import { MUTABLE_RECORDS } from "../../../lib/core/limits.ts";
import { countOf, countText } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import { defineCommand } from "../../kit/command/define.ts";
import type { Input, Options } from "../../kit/command/options.ts";
import { either, one, rows } from "../../kit/command/result.ts";
import type { CommandContext } from "../../kit/context.ts";
import { countRecords } from "../../kit/devices/data-read.ts";
import { CommandError, usageError } from "../../kit/failures/command-error.ts";
import { deviceFinder } from "../../kit/finders/device.ts";
import { jobOptions } from "../../kit/jobs/run-job.ts";
import { type ResourceTarget, resolveId } from "../../kit/resource/resolve-id.ts";
import { formatFlag, importOptions, withRowFile } from "../../kit/rows/import-flags.ts";
import type { ImportJob } from "../../kit/rows/import-job.ts";
import { importRows } from "../../kit/rows/importer.ts";
import type { RowFile } from "../../kit/rows/reader.ts";
import { isBatchBegun } from "../../kit/rows/send-rows.ts";
import { queuedColumns } from "../../kit/rows/spread.ts";
import { aboutRun, type Journal } from "../../kit/state/journal.ts";
import { type ImportRecord, recordReader } from "../bulk/import-records.ts";
import { BatchSender, batchesOf, halvesOf, type ImportBatch, importKind, packed } from "../bulk/import-run.ts";
import { StorageChecks } from "../storage-checks.ts";

/** What became of the records of a device. */
interface DeviceTally {
  readonly device: string;
  name: string;
  sent: number;
  /** By an earlier run of the same import. */
  sent_before: number;
  failed: number;
}

interface ReportRow {
  readonly row: number;
  readonly device: string;
  readonly result: string;
  readonly reason: string;
}

const tallyColumns: readonly Column<DeviceTally>[] = [
  { key: "device", kind: "id" },
  { key: "name" },
  { key: "sent", kind: "number" },
  { key: "sent_before", kind: "number" },
  { key: "failed", kind: "number" },
];

/** A device, where everything else is the file. */
const isDeviceWord = (word: string): boolean => /^([0-9a-f]{24}$|(name|tag|serial):)/i.test(word);

const options = [
  ...importOptions("map a column to a field: temp=value, sensor=device_name"),
  { name: "variable", value: "name", summary: "variable of rows without one" },
  {
    name: "wide",
    summary: "each other column is a variable: time,temperature,humidity",
    conflicts: ["variable"],
  },
  {
    name: "verify",
    summary: "compare record counts before and after; exit 11 if they do not match",
    conflicts: ["queue"],
  },
  ...jobOptions,
] as const satisfies Options;

export const importData = defineCommand({
  path: ["data", "import"],
  result: either(rows(tallyColumns), one(queuedColumns)),
  effect: "changes",
  summary: "Import records from a file into devices",
  details:
    `Checks every row before sending the first one, and whether mutable devices have room for the records (${countText(MUTABLE_RECORDS)} each). An invalid ` +
    "row stops the import with exit 3, its row and its column. " +
    "With --report or --skip-invalid, invalid rows are skipped, the others are sent, and the exit code is 8. Pass the device as an " +
    "argument, or in each row in a column device (id), device_name or device_serial. Files from data export work " +
    "as they are. With --wide, each column besides time, group, location, metadata and the device is a variable. --resume continues an interrupted import of the same file and sends nothing twice. With --queue, iot worker processes send it (docs/scale.md). See docs/bulk-data.md.",
  args: [
    {
      name: "id",
      file: (word: string) => (isDeviceWord(word) ? undefined : word),
      summary: "device of all rows (full id, or unique name:…, tag:key=value, serial:…), then the file",
      variadic: true,
    },
  ],
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    `printf 'time;temp;humidity\\n2026-01-31T08:00:00Z;21,5;40\\n' | iot device data import "name:Freezer 1" - --wide --dry-run`,
    'iot device data import "name:Freezer 1" --input examples/data/records.csv',
    `printf 'sensor,at,temp\\nFreezer 1,2026-01-31T08:00:00Z,-18\\n' | iot device data import --input - --map sensor=device_name --map at=time --map temp=value --variable temperature --dry-run`,
  ],
  exitCodes: [1, 3, 7, 8, 9, 11],
  related: ["iot device data export", "iot device data send", "iot device import"],
  async run(ctx, input) {
    const words = [...input.args.id];
    const last = words.at(-1);
    const isFile =
      input.options.input === undefined &&
      last !== undefined &&
      (last === "-" || (!isDeviceWord(last) && existsSync(ctx.path(last))));
    const given = isFile ? words.pop() : undefined;
    const [id, ...others] = words;
    if (others.length > 0)
      throw usageError("Only one device can be given.", { next: "Put the device of each row in a column." });
    const target = id === undefined ? undefined : await resolveId(ctx, deviceFinder, id);
    return withRowFile(ctx, input, given, async (file) =>
      importRows(ctx, input, await dataImport(ctx, input, file, target)),
    );
  },
});

async function dataImport(
  ctx: CommandContext,
  input: Input<[], typeof options>,
  file: RowFile,
  target: ResourceTarget | undefined,
): Promise<ImportJob<ImportRecord, ImportBatch, ReportRow>> {
  const reader = await recordReader(ctx, input, file, target);
  const { api } = await ctx.connection();
  const client = await batchClient(ctx);
  const sender = new BatchSender(ctx, client);
  const storage = await StorageChecks.open(ctx, client);
  if (target !== undefined) await storage.add(target.id);
  const { verify: isVerified, wide } = input.options;
  const tallies = new Tallies();
  let name: string | undefined;
  return {
    file,
    unit: wide ? ["row", "rows"] : ["record", "records"],
    key: ["device data import", api, ctx.flags.profile ?? "", file.path, target?.id ?? ""],
    flags: [formatFlag(input), input.options.map, input.options.variable, wide],
    before: "sent before",
    repeats: true,
    async read(row) {
      const read = await reader.read(row);
      const place = { row: row.row, place: file.place, columnOf: reader.columnOf };
      // The records of a row have one time.
      await storage.requireTime(read.device, read.records[0] ?? {}, place);
      return read;
    },
    columnOf: reader.columnOf,
    isRead: reader.isRead,
    spread: { kind: importKind, shared: {}, pack: packed },
    batches: batchesOf,
    split: halvesOf,
    requests: ({ device, rows, records }) => {
      const body = { device, records: records.length, from_row: rows[0]?.row, to_row: rows.at(-1)?.row };
      return [{ method: "POST", path: "/data", body }];
    },
    async begin(journal, rows, total) {
      await storage.requireRoom(wide ? Number.POSITIVE_INFINITY : total, () => pendingRecords(journal, rows()));
      if (ctx.flags.dryRun) return;
      // Read before the first Ctrl-C can end reading.
      name = await target?.name();
      if (isVerified) await noteCounts(client, journal, rows());
    },
    prepare: (batch, isBegun) => sender.prepare(batch, isBegun),
    report: ["row", "device", "result", "reason"],
    tell(row, { result, reason = "" }, read) {
      if (read !== undefined) tallies.of(read.device)[tallyKeys[result] ?? "failed"] += read.records.length;
      return { row, device: read?.device ?? "", result, reason };
    },
    async print() {
      name ??= await target?.name();
      for (const one of tallies.all()) one.name = name ?? reader.nameOf(one.device);
      await ctx.out.list(tallies.all(), { columns: tallyColumns, empty: "Nothing was sent.", idKey: "device" });
    },
    said: () => tallies.text(),
    ...(isVerified && { verify: (journal: Journal) => compareCounts(ctx, client, journal, tallies.all()) }),
  };
}

/** What became of the records of each device. */
class Tallies {
  readonly #devices = new Map<string, DeviceTally>();

  of(device: string): DeviceTally {
    const known = this.#devices.get(device) ?? { device, name: device, sent: 0, sent_before: 0, failed: 0 };
    this.#devices.set(device, known);
    return known;
  }

  all(): readonly DeviceTally[] {
    return [...this.#devices.values()];
  }

  /** All of them in a sentence. */
  text(): string {
    const all = this.all();
    const sum = (key: "sent" | "sent_before"): number => all.reduce((total, one) => total + one[key], 0);
    const before = sum("sent_before");
    const earlier = before === 0 ? "" : ` (${countText(before)} were sent before)`;
    return `Sent ${countOf(sum("sent"), "record")}${earlier} to ${countOf(all.length, "device")}`;
  }
}

/** The records of each device that no earlier run has sent, or was about to send. */
async function pendingRecords(journal: Journal, rows: AsyncIterable<ImportRecord>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const batch of batchesOf(rows)) {
    const { device, records } = batch;
    if (!isBatchBegun(journal, batch)) counts.set(device, (counts.get(device) ?? 0) + records.length);
  }
  return counts;
}

const tallyKeys: Readonly<Record<string, "sent" | "sent_before">> = { sent: "sent", "sent before": "sent_before" };

/** Records of each device before the first run, for `--verify`. */
async function noteCounts(client: Resources, journal: Journal, rows: AsyncIterable<ImportRecord>): Promise<void> {
  const isBegun = journal.isBegun;
  for await (const { device } of rows) {
    if (journal.mark(aboutRun(`count ${device}`)) !== undefined) continue;
    if (isBegun) {
      throw usageError("--verify cannot be added to an import that has started.", {
        why: "The records were not counted before it started.",
        next: "Leave out --verify.",
      });
    }
    journal.add(aboutRun(`count ${device}`), String(await countRecords(client, device, {})));
  }
}

async function compareCounts(
  ctx: CommandContext,
  client: Resources,
  journal: Journal,
  list: readonly DeviceTally[],
): Promise<Error | undefined> {
  let isOther = false;
  for (const { device, name, sent, sent_before: before } of list) {
    const expected = Number(journal.mark(aboutRun(`count ${device}`))) + sent + before;
    const there = await countRecords(client, device, {});
    if (there === expected) continue;
    isOther = true;
    ctx.say.warning(`Device "${name}" has ${countOf(there, "record")}; expected ${expected}.`);
  }
  if (!isOther) return undefined;
  return new CommandError("The record counts of the devices do not match the import.", {
    code: "import.differs",
    exit: 11,
    why: "Other records were added or deleted in the meantime, or some are missing.",
    next: "Check the devices named in the warnings.",
  });
}
