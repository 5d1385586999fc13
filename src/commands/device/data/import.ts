import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import { countOf, countText } from "../../../text/count.ts";
import { argumentList, option, optionFlag, optionList } from "../../kit/command/arguments.ts";
import type { Column } from "../../kit/command/columns.ts";
import { type CommandInput, defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError, inputError, stoppedError, usageError } from "../../kit/failures/command-error.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { resolveId, type Target } from "../../kit/resource/resolve-id.ts";
import { openReport, type RowReport } from "../../kit/rows/row-report.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { contentOf, type Journal, type JournalRun, resumeOptions, withJournal } from "../../kit/state/journal.ts";
import { steadyClient } from "../../kit/steady-client.ts";
import { type ImportRecord, type RecordReader, recordReader } from "../bulk/import-records.ts";
import { BatchSender, batchesOf, type ImportBatch } from "../bulk/import-run.ts";
import { exportFormats } from "../bulk/record-text.ts";
import { openRows, type RowFile } from "../bulk/rows-in.ts";
import { countRecords } from "../data-read.ts";
import { deviceFinder } from "../finder.ts";

/** What became of the records of a device. */
interface DeviceTally {
  readonly device: string;
  readonly name: string;
  sent: number;
  /** By an earlier run of the same import. */
  sent_before: number;
  failed: number;
}

interface ReportRow {
  readonly row: number;
  readonly device: string;
  readonly result: "sent" | "sent before" | "failed" | "invalid" | "not tried";
  readonly reason: string;
}

const tallyColumns: readonly Column<DeviceTally>[] = [
  { key: "device", kind: "id" },
  { key: "name" },
  { key: "sent", kind: "number" },
  { key: "sent_before", kind: "number" },
  { key: "failed", kind: "number" },
];

export const importData = defineCommand({
  path: ["data", "import"],
  result: rows(tallyColumns),
  effect: "changes",
  summary: "Send the records of a file to devices",
  details:
    "Every row is checked before the first one is sent; a row that cannot be sent ends the command with 3 and its number. " +
    "With --report such rows are left out, the others are sent, and the command ends with 8. The device is named as an " +
    "argument, or in each row in a column device (id), device_name or device_serial. Files of data export can be read as " +
    "they are. After any end, --resume continues with the same file and sends nothing twice. See docs/bulk-data.md.",
  args: [
    {
      name: "id",
      summary: "device of all rows: full id, or unique name:…, tag:key=value, serial:…; and the file",
      variadic: true,
    },
  ],
  options: [
    { name: "input", value: "file", summary: "CSV, ndjson, JSON or Parquet file; - is stdin" },
    {
      name: "format",
      value: "format",
      summary: "format, when its name and content do not tell",
      choices: exportFormats,
    },
    {
      name: "map",
      value: "col=field",
      summary: "what a column stands for: temp=value, sensor=device_name",
      repeat: true,
    },
    { name: "variable", value: "name", summary: "variable of rows that name none" },
    { name: "report", value: "file", summary: "write what became of each row, as CSV or ndjson; go on after bad rows" },
    ...resumeOptions,
    { name: "verify", summary: "count the records of the devices before and after; 11 when the difference is another" },
  ],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot device data import "name:Freezer 1" --input examples/data/records.csv',
    `printf 'sensor,at,temp\\nFreezer 1,2026-01-31T08:00:00Z,-18\\n' | iot device data import --input - --map sensor=device_name --map at=time --map temp=value --variable temperature --dry-run`,
  ],
  exitCodes: [3, 7, 8, 9, 11],
  related: ["iot device data export", "iot device data send", "iot device import"],
  async run(ctx, input) {
    const { place, id } = placeOf(ctx, input);
    const target = id === undefined ? undefined : await resolveId(ctx, deviceFinder, id);
    if (place === "-" && optionFlag(input, "resume")) {
      throw usageError("--resume needs a file.", {
        why: "stdin cannot be read from the beginning again.",
        next: "Name it with --input.",
      });
    }
    const file = await openRows(ctx, place, option(input, "format"));
    try {
      return await importFile(ctx, input, file, target);
    } finally {
      file.close();
    }
  },
});

/** The file and the device: `import FILE`, `import ID FILE`, or with `--input`. */
function placeOf(
  ctx: CommandContext,
  input: CommandInput,
): { readonly place: string; readonly id: string | undefined } {
  const words = [...argumentList(input, "id")];
  const named = option(input, "input");
  const last = words.at(-1);
  const isFile = named === undefined && last !== undefined && (last === "-" || existsSync(resolve(ctx.cwd, last)));
  const file = isFile ? words.pop() : named;
  if (words.length > 1)
    throw usageError("Only one device can be named.", { next: "Name the device of each row in a column." });
  if (file === undefined)
    throw usageError("No file was named.", { next: "Name it with --input data.csv; - is stdin." });
  return { place: file === "-" ? file : resolve(ctx.cwd, file), id: words[0] };
}

async function importFile(
  ctx: CommandContext,
  input: CommandInput,
  file: RowFile,
  target: Target | undefined,
): Promise<number> {
  const reader = recordReader(ctx, input, file, target);
  const isTolerant = option(input, "report") !== undefined;
  const found = await checkAll(file, reader, isTolerant);
  if (found.records === 0 && found.invalid === 0)
    throw inputError(`${quote(file.place)} holds no records.`, { next: "Nothing was sent." });
  if (ctx.flags.dryRun) return planOnly(ctx, recordsOf(file, reader));
  return withJournal(ctx, input, await runOf(ctx, input, file, target), (journal) =>
    sendFile(ctx, input, { file, target, reader, found, journal, isTolerant }),
  );
}

interface CheckedFile extends Pick<Work, "file" | "reader" | "journal" | "isTolerant"> {
  readonly target: Target | undefined;
  readonly found: Found;
}

async function sendFile(ctx: CommandContext, input: CommandInput, checked: CheckedFile): Promise<number> {
  const { file, target, reader, found, journal, isTolerant } = checked;
  if (journal.isDone) {
    await ctx.out.list([], { columns: tallyColumns, empty: "Nothing was sent.", idKey: "device" });
    return 0;
  }
  const client = await steadyClient(ctx);
  if (optionFlag(input, "verify")) await noteCounts(client, journal, found.devices);
  const report = openReport<ReportRow>(ctx, option(input, "report"), ["row", "device", "result", "reason"]);
  const work: Work = { client, journal, report, reader, file, total: found.records, isTolerant };
  const tally = await sendAll(ctx, work);
  const list = [...tally.values()].map((one) => ({ ...one, name: reader.nameOf(one.device) }));
  if (target !== undefined) for (const one of list) one.name = await target.name();
  await ctx.out.list(list, { columns: tallyColumns, empty: "Nothing was sent.", idKey: "device" });
  return settle(ctx, input, work, list, found);
}

interface Found {
  readonly records: number;
  readonly invalid: number;
  readonly devices: readonly string[];
}

/** Reads all of the file before anything is sent. */
async function checkAll(file: RowFile, reader: RecordReader, isTolerant: boolean): Promise<Found> {
  const devices = new Set<string>();
  let records = 0;
  let invalid = 0;
  for await (const row of file.rows()) {
    try {
      devices.add((await reader.read(row)).device);
      records += 1;
    } catch (error) {
      if (!isTolerant || !(error instanceof CommandError)) throw error;
      invalid += 1;
    }
  }
  return { records, invalid, devices: [...devices] };
}

async function* recordsOf(
  file: RowFile,
  reader: RecordReader,
  onInvalid?: (row: number, error: CommandError) => void,
): AsyncGenerator<ImportRecord, void, undefined> {
  for await (const row of file.rows()) {
    let record: ImportRecord | undefined;
    try {
      record = await reader.read(row);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      onInvalid?.(row.row, error);
    }
    if (record !== undefined) yield record;
  }
}

async function planOnly(ctx: CommandContext, records: AsyncIterable<ImportRecord>): Promise<number> {
  for await (const { device, records: list, rows: numbers } of batchesOf(records)) {
    const body = { device, records: list.length, from_row: numbers[0], to_row: numbers.at(-1) };
    await ctx.dryRun({ method: "POST", path: "/data", body });
  }
  return 0;
}

async function runOf(
  ctx: CommandContext,
  input: CommandInput,
  file: RowFile,
  target: Target | undefined,
): Promise<JournalRun> {
  const { api } = await ctx.connection();
  const what = `import of ${quote(file.place)}`;
  const flags = [option(input, "format"), optionList(input, "map"), option(input, "variable")];
  return {
    key: ["device data import", api, ctx.flags.profile ?? "", file.path, target?.id ?? ""],
    content: file.isCopy ? undefined : await contentOf(file.path, flags),
    what,
    repeats: `Send records again that an interrupted ${what} has sent already (--resume continues it instead)`,
  };
}

/** Records of each device before the first run, for `--verify`. */
async function noteCounts(client: Resources, journal: Journal, devices: readonly string[]): Promise<void> {
  const isBegun = journal.isBegun;
  for (const device of devices) {
    if (journal.mark(`count ${device}`) !== undefined) continue;
    if (isBegun) {
      throw usageError("--verify cannot be added to an import that has begun.", {
        why: "The records were not counted before it started.",
        next: "Leave out --verify.",
      });
    }
    journal.add(`count ${device}`, String(await countRecords(client, device, {})));
  }
}

interface Work {
  readonly client: Resources;
  readonly journal: Journal;
  readonly report: RowReport<ReportRow>;
  readonly reader: RecordReader;
  readonly file: RowFile;
  readonly total: number;
  readonly isTolerant: boolean;
}

async function sendAll(ctx: CommandContext, work: Work): Promise<Map<string, DeviceTally>> {
  const { client, journal, report, reader, file, total, isTolerant } = work;
  const tally = new Map<string, DeviceTally>();
  const sender = new BatchSender(ctx, client, journal);
  const progress = createProgress(ctx, ["Importing", "records"]);
  let done = 0;
  const invalid = (row: number, error: CommandError): void =>
    report.add({ row, device: "", result: "invalid", reason: error.why ?? error.message });
  try {
    for await (const batch of batchesOf(recordsOf(file, reader, invalid))) {
      if (ctx.signal.aborted) throw stoppedError("Stopped.");
      const one = tallyOf(tally, batch.device);
      const { result, reason } = await sendOne(sender, batch, isTolerant);
      one[result === "sent" ? "sent" : result === "failed" ? "failed" : "sent_before"] += batch.records.length;
      for (const row of batch.rows) report.add({ row, device: batch.device, result, reason });
      done += batch.records.length;
      progress.at(done, total);
    }
  } catch (error) {
    progress.end();
    ctx.say.warning(
      `Interrupted after ${countText(done)} of ${countOf(total, "record")}; run the same command with --resume to go on.`,
    );
    throw error;
  } finally {
    progress.end();
    report.close();
  }
  return tally;
}

function tallyOf(tally: Map<string, DeviceTally>, device: string): DeviceTally {
  const known = tally.get(device) ?? { device, name: device, sent: 0, sent_before: 0, failed: 0 };
  tally.set(device, known);
  return known;
}

async function sendOne(
  sender: BatchSender,
  batch: ImportBatch,
  isTolerant: boolean,
): Promise<{ readonly result: "sent" | "sent before" | "failed"; readonly reason: string }> {
  try {
    return { result: await sender.send(batch), reason: "" };
  } catch (error) {
    // A token, a limit or the network will stop the next one too; a refusal is about these records.
    const isRefusal = error instanceof ApiError && [400, 413, 422].includes(error.status);
    if (!isTolerant || !isRefusal) throw error;
    return { result: "failed", reason: messageOf(error) };
  }
}

async function settle(
  ctx: CommandContext,
  input: CommandInput,
  { client, journal }: Work,
  list: readonly DeviceTally[],
  found: Found,
): Promise<number> {
  const sum = (name: "sent" | "sent_before" | "failed"): number => list.reduce((total, one) => total + one[name], 0);
  const [sent, before, failed] = [sum("sent"), sum("sent_before"), sum("failed")];
  const { label } = await ctx.connection();
  const earlier = before === 0 ? "" : ` (${countText(before)} were sent before)`;
  ctx.say.info(`Sent ${countOf(sent, "record")}${earlier} to ${countOf(list.length, "device")} in ${label}.`);
  const differences = optionFlag(input, "verify") ? await compareCounts(client, journal, list) : [];
  if (failed === 0) journal.finish();
  for (const line of differences) ctx.say.warning(line);
  if (failed + found.invalid > 0) {
    throw new CommandError(
      `${countText(failed + found.invalid)} of ${countText(found.records + found.invalid)} rows were not sent.`,
      {
        code: "batch.partial",
        exit: 8,
        why: `Invalid: ${countOf(found.invalid, "row")}; refused by the platform: ${countText(failed)}.`,
        next: `Fix the rows that ${option(input, "report") ?? "the report"} names, and import those.`,
      },
    );
  }
  if (differences.length === 0) return 0;
  throw new CommandError("The devices hold another number of records than before and those of the file together.", {
    code: "import.differs",
    exit: 11,
    why: "Other records arrived or vanished meanwhile, or some are missing.",
    next: "Look at the devices the warnings name.",
  });
}

async function compareCounts(client: Resources, journal: Journal, list: readonly DeviceTally[]): Promise<string[]> {
  const differences: string[] = [];
  for (const { device, name, sent, sent_before: before } of list) {
    const expected = Number(journal.mark(`count ${device}`)) + sent + before;
    const there = await countRecords(client, device, {});
    if (there !== expected)
      differences.push(`Device "${name}" holds ${countOf(there, "record")}, ${expected} were expected.`);
  }
  return differences;
}
