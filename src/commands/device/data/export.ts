import { existsSync, rmSync } from "node:fs";
import type { Resources } from "../../../index.ts";
import { countOf, countText } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import { option, optionFlag } from "../../kit/command/arguments.ts";
import type { Column } from "../../kit/command/columns.ts";
import { type CommandInput, defineCommand } from "../../kit/command/define.ts";
import { either, one, rows } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError, conflictError, stoppedError, usageError } from "../../kit/failures/command-error.ts";
import { confirmOutFile, shownPath } from "../../kit/files/out-file.ts";
import { jobOptions } from "../../kit/jobs/run-job.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { exportOptions, writeRows } from "../../kit/rows/exporter.ts";
import { partName } from "../../kit/rows/part-file.ts";
import { fileFormats } from "../../kit/rows/reader.ts";
import { rowText } from "../../kit/rows/row-text.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { type Journal, resumeOptions, withJournal } from "../../kit/state/journal.ts";
import { datasetColumns, exportDataset } from "../bulk/dataset.ts";
import {
  type DoneFile,
  type ExportPlan,
  type JournalState,
  openExportJournal,
  readExportJournal,
} from "../bulk/export-journal.ts";
import {
  type ExportChoice,
  exportChoice,
  fileNames,
  journalName,
  markOf,
  rangeOf,
  sourcesOf,
} from "../bulk/export-plan.ts";
import { type ExportJob, runExport, type Source } from "../bulk/export-run.ts";
import { readWindows } from "../bulk/windows.ts";
import { announceReading } from "../cost.ts";
import { selectionOptions } from "../data-query.ts";
import { countRecords } from "../data-read.ts";
import { type FleetDevice, fleetOf } from "../fleet/devices.ts";

interface FileRow extends DoneFile {
  /** With `--verify`: records in the file as it lies on the disk. */
  readonly counted?: number;
}

const fileColumns: readonly Column<FileRow>[] = [
  { key: "file" },
  { key: "records", kind: "number" },
  { key: "bytes", kind: "number" },
  { key: "counted", kind: "number", hidden: true },
];

export const exportData = defineCommand({
  path: ["data", "export"],
  result: either(rows(fileColumns), one(datasetColumns)),
  effect: "local",
  summary: "Export all records of devices to a file, oldest first",
  details:
    "Reads records by time, so none is duplicated or missed while others arrive or are deleted. The end of the range is " +
    "fixed when the export starts. The file ends in .part until it is complete; a journal beside it stores the progress, " +
    "and --resume continues from there after any interruption, with the same result. A folder as --out (or a name that " +
    "ends with a slash) gets one file per device, named by its name and id. --dataset writes parts such as " +
    "site=plant/device=ID/month=2026-11.parquet that DuckDB and Spark read as one table, up to the moment of the start where --to is " +
    "not given; --queue has them written by iot worker processes (docs/scale.md). Without --out the records go to stdout. See docs/bulk-data.md.",
  args: [{ name: "id", summary: "devices: full ids, or unique name:…, tag:key=value, serial:…", variadic: true }],
  options: [
    ...exportOptions(fileFormats, "file or folder to write; - is stdout"),
    ...selectionOptions,
    { name: "tag", value: "k=v", summary: "all devices with this tag", repeat: true },
    {
      name: "fields",
      value: "a,b",
      summary: "columns of the records, in order; created_at only if listed",
      repeat: true,
    },
    { name: "split", value: "period", summary: "one file per day or month (UTC)", choices: ["day", "month"] },
    ...resumeOptions,
    { name: "verify", summary: "compare record counts afterwards; exit 11 if they do not match" },
    {
      name: "dataset",
      summary: "a folder of parts by tag, device and period, with a manifest; --queue implies it",
    },
    ...jobOptions,
    { name: "report", file: "out", value: "file", summary: "dataset: what became of each item (.csv, .ndjson)" },
    { name: "max-records", value: "n", summary: "stop after this many records; skips the cost confirmation" },
  ],
  groups: ["confirm"],
  examples: [
    'iot device data export "name:Freezer 1" --last 7d --out freezer.csv --yes',
    "iot device data export --tag device_type=freezer --last 24h --out freezers/ --format ndjson --verify --yes",
    'iot device data export "name:Freezer 1" --variable temperature --last 24h --format ndjson',
    "iot device data export --tag device_type=freezer --last 7d --split day --dataset --out lake/ --yes",
  ],
  exitCodes: [1, 3, 7, 8, 9, 11],
  related: ["iot device data import", "iot device data backup", "iot device data list"],
  async run(ctx, input) {
    const choice = exportChoice(ctx, input);
    if (optionFlag(input, "dataset") || option(input, "queue") !== undefined) return exportDataset(ctx, input, choice);
    refuseOfDataset(input);
    if (choice.out === undefined) return exportToStdout(ctx, input, choice);
    const files = { ...choice, out: choice.out };
    const isBegun = existsSync(journalName(files));
    const isOneFile = !choice.isFolder && choice.split === undefined;
    if (choice.isResumed && isOneFile && !isBegun && existsSync(files.out)) {
      ctx.say.info(`Nothing to resume: ${shownPath(ctx, files.out)} is complete. Leave out --resume to export again.`);
      return 0;
    }
    const run = {
      key: ["device data export", files.out],
      // A single file says itself that it is whole: by its name.
      content: isOneFile ? undefined : markOf(choice, ctx, input),
      what: `export to ${quote(shownPath(ctx, files.out))}`,
      isBegun,
    };
    return withJournal(ctx, input, run, (journal) => exportToFiles(ctx, input, files, journal));
  },
});

/** Flags that mean something for a dataset only. */
function refuseOfDataset(input: CommandInput): void {
  const flag = optionFlag(input, "detach")
    ? "--detach"
    : option(input, "report") === undefined
      ? undefined
      : "--report";
  if (flag !== undefined) throw usageError(`${flag} needs a dataset.`, { next: "Add --dataset, or --queue." });
}

type FileChoice = ExportChoice & { readonly out: string };

async function exportToFiles(
  ctx: CommandContext,
  input: CommandInput,
  choice: FileChoice,
  run: Journal,
): Promise<number | undefined> {
  if (run.isDone) {
    await ctx.out.list([], { columns: fileColumns, empty: "Nothing was exported.", idKey: "file" });
    return 0;
  }
  const place = journalName(choice);
  const before = readExportJournal(place);
  const mark = markOf(choice, ctx, input);
  const client = await batchClient(ctx);
  const state = choice.isResumed && before !== undefined ? sameExport(before, mark, place) : undefined;
  if (state === undefined && before !== undefined) {
    ctx.say.warning(`Replacing an unfinished export; --resume would have continued it.`);
  }
  if (state === undefined && !choice.isFolder && choice.split === undefined) await confirmOutFile(ctx, choice.out);
  const plan = state?.plan ?? (await newPlan(ctx, client, choice, await fleetOf(ctx, input), mark));
  if (state === undefined && choice.isFolder && choice.split === undefined) await confirmFiles(ctx, choice, plan);
  const noted = state === undefined ? 0 : notedRecords(state);
  const total = await countAll(ctx, client, plan, choice);
  await announceReading(ctx, client, Math.max(0, total - noted), Number.isFinite(choice.maxRecords));
  if (state !== undefined) ctx.say.info(`Continuing after ${countOf(noted, "record")}.`);
  else if (before !== undefined) dropParts(choice, before);

  const done = await writeFiles(ctx, client, { choice, plan, place, total, state: state ?? emptyState(plan) });
  run.finish();
  return settle(ctx, client, choice, plan, done);
}

const emptyState = (plan: ExportPlan): JournalState => ({
  plan,
  done: [],
  place: { group: 0, source: 0, offset: 0, records: 0 },
});

const notedRecords = ({ done, place }: JournalState): number =>
  done.reduce((sum, { records }) => sum + records, place.records);

function sameExport(state: JournalState, mark: string, place: string): JournalState {
  if (state.plan.asked === mark) return state;
  throw usageError("The unfinished export was started with different flags.", {
    why: `${place} stores the original flags.`,
    next: "Use the same devices and flags, or leave out --resume to start again.",
  });
}

/** Unfinished files of an export that is started again. */
function dropParts(choice: FileChoice, before: JournalState): void {
  const file = fileNames(choice, before.plan)(before.place.group, before.place.periodMs);
  rmSync(partName(file), { force: true });
}

async function confirmFiles(ctx: CommandContext, choice: FileChoice, plan: ExportPlan): Promise<void> {
  const nameOf = fileNames(choice, plan);
  const files = plan.devices.map((_, group) => nameOf(group, undefined)).filter((file) => existsSync(file));
  if (files.length === 0) return;
  const items = files.map((file) => shownPath(ctx, file));
  const action = `Overwrite ${countOf(files.length, "file")} in ${shownPath(ctx, choice.out)}`;
  await ctx.confirm({ level: 1, action, name: shownPath(ctx, choice.out), where: "on this machine", items });
}

async function newPlan(
  ctx: CommandContext,
  client: Resources,
  { selection }: ExportChoice,
  fleet: readonly FleetDevice[],
  asked: string,
): Promise<ExportPlan> {
  const devices = await mapLanes(fleet, ctx.flags.concurrency ?? 4, (device) =>
    rangeOf(ctx, client, selection, device),
  );
  const { start_date: start } = selection;
  return { asked, devices, ...(start === undefined ? {} : { fromMs: Date.parse(start) }) };
}

/** Records of the planned ranges, as the platform counts them. */
async function countAll(
  ctx: CommandContext,
  client: Resources,
  { devices, fromMs }: ExportPlan,
  { selection, maxRecords }: ExportChoice,
): Promise<number> {
  const counts = await mapLanes(devices, ctx.flags.concurrency ?? 4, ({ id, toMs }) => {
    const start = fromMs === undefined ? {} : { start_date: new Date(fromMs).toISOString() };
    const range = { ...selection, ...start, end_date: new Date(toMs).toISOString() };
    return countRecords(client, id, range);
  });
  return Math.min(
    maxRecords,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

interface Work {
  readonly choice: FileChoice;
  readonly plan: ExportPlan;
  readonly place: string;
  readonly total: number;
  readonly state: JournalState;
}

async function writeFiles(ctx: CommandContext, client: Resources, work: Work): Promise<DoneFile[]> {
  const { choice, plan, place, total, state } = work;
  const { format, columns } = choice;
  const journal = openExportJournal(place, state);
  const progress = createProgress(ctx, ["Exporting", "records"]);
  const isBinary = format === "parquet";
  const job: ExportJob = {
    groups: sourcesOf(client, plan, choice),
    fromMs: plan.fromMs,
    split: choice.split,
    text: await rowText(isBinary ? "ndjson" : format, { ...ctx.flags, columns }),
    fileOf: fileNames(choice, plan),
    maxRecords: choice.maxRecords,
    journal,
    progress,
    total,
    begin: async (file) => {
      if (choice.split !== undefined) refuseToReplace(ctx, file);
    },
    ...(isBinary
      ? { settle: async (file) => (await import("../../kit/rows/parquet-file.ts")).settleParquet(file, columns) }
      : {}),
  };
  try {
    const done = await runExport(ctx, job, state);
    journal.remove();
    return done;
  } catch (error) {
    progress.end();
    const { done = [], place: at } = readExportJournal(place) ?? {};
    const isBegun = done.length > 0 || (at?.records ?? 0) > 0;
    if (!isBegun && error instanceof CommandError && error.code === "file.exists") {
      journal.remove();
      throw error;
    }
    journal.close();
    throw explained(ctx, place, error);
  } finally {
    progress.end();
  }
}

/** Files of a period are not known before they are written, so there is no question to ask in advance. */
function refuseToReplace(ctx: CommandContext, file: string): void {
  if (!existsSync(file) || ctx.flags.yes) return;
  throw conflictError(`${shownPath(ctx, file)} already exists.`, {
    code: "file.exists",
    next: "Move it away, or add --yes to replace such files; --resume continues the export.",
  });
}

/** Says where an interrupted export stands; the failure itself stays what it is. */
function explained(ctx: CommandContext, place: string, error: unknown): unknown {
  const state = readExportJournal(place);
  const amount = state === undefined ? 0 : notedRecords(state);
  ctx.say.warning(`Interrupted after ${countOf(amount, "record")}; run the same command with --resume to continue.`);
  return ctx.signal.aborted ? stoppedError("Stopped.") : error;
}

async function settle(
  ctx: CommandContext,
  client: Resources,
  choice: FileChoice,
  plan: ExportPlan,
  done: readonly DoneFile[],
): Promise<number | undefined> {
  const { countFile } = choice.isVerified ? await import("../bulk/count-file.ts") : { countFile: undefined };
  const shownFiles: FileRow[] = [];
  for (const file of done) {
    const counted =
      countFile === undefined ? {} : { counted: await countFile(file.file, choice.format, ctx.flags.header) };
    shownFiles.push({ ...file, ...counted, file: shownPath(ctx, file.file) });
  }
  const columns = choice.isVerified ? fileColumns.map(({ hidden: _, ...column }) => column) : fileColumns;
  await ctx.out.list(shownFiles, { columns, empty: "No records match; no file was written.", idKey: "file" });
  const records = done.reduce((sum, file) => sum + file.records, 0);
  const { label } = await ctx.connection();
  ctx.say.info(`Exported ${countOf(records, "record")} of ${devicesText(plan)} from ${label}.`);
  if (!choice.isVerified) return 0;
  return verify(ctx, await countAll(ctx, client, plan, choice), shownFiles);
}

const devicesText = ({ devices }: ExportPlan): string =>
  devices.length === 1 ? "1 device" : countOf(devices.length, "device");

function verify(ctx: CommandContext, there: number, files: readonly FileRow[]): number {
  const here = files.reduce((sum, { counted = 0 }) => sum + counted, 0);
  if (here === there) {
    ctx.say.info(`Verified: ${countOf(here, "record")} on both sides.`);
    return 0;
  }
  throw new CommandError(
    `The files contain ${countOf(here, "record")}, the platform has ${countText(there)} in the same range.`,
    {
      code: "export.differs",
      exit: 11,
      why: "Records were added or deleted in the range after they were read, or a file was changed.",
      next: "Export the range again when the devices send nothing.",
    },
  );
}

/** No file, so nothing to go on from: the records pass through. */
async function exportToStdout(ctx: CommandContext, input: CommandInput, choice: ExportChoice): Promise<number> {
  const client = await batchClient(ctx);
  const plan = await newPlan(ctx, client, choice, await fleetOf(ctx, input), "");
  const total = await countAll(ctx, client, plan, choice);
  await announceReading(ctx, client, total, Number.isFinite(choice.maxRecords));
  const format = choice.format === "parquet" ? "csv" : choice.format;
  const text = await rowText(format, { ...ctx.flags, columns: choice.columns });
  const rows = recordsOf(sourcesOf(client, plan, choice).flat(), plan.fromMs, choice.maxRecords);
  const { count } = await writeRows(ctx, { out: undefined, format, text, rows, unit: "records" });
  if (count === 0) ctx.say.info("No records match.");
  return 0;
}

async function* recordsOf(sources: readonly Source[], fromMs: number | undefined, maxRecords: number) {
  let left = maxRecords;
  for (const source of sources) {
    if (left <= 0) return;
    for await (const { records } of readWindows((query) => source.read(query), fromMs, source.toMs)) {
      yield* records.slice(0, left);
      left -= records.length;
      if (left <= 0) return;
    }
  }
}
