import { existsSync } from "node:fs";
import { countOf, countText } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { either, one, rows } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { announceReading } from "../../kit/devices/cost.ts";
import { fleetOf } from "../../kit/devices/fleet.ts";
import { readWindows } from "../../kit/devices/windows.ts";
import { stoppedError, usageError } from "../../kit/failures/command-error.ts";
import { shownPath } from "../../kit/files/out-file.ts";
import { doneRow, notesIn, runItems } from "../../kit/jobs/run-items.ts";
import { writeRows } from "../../kit/rows/exporter.ts";
import { rowText } from "../../kit/rows/row-text.ts";
import { type UnfinishedRun, unfinishedRun, withJournal } from "../../kit/state/journal.ts";
import { exportDiffers } from "../bulk/count-file.ts";
import { datasetColumns, exportDataset } from "../bulk/dataset.ts";
import {
  type ChoiceInput,
  choiceArgs,
  choiceMark,
  choiceOptions,
  type ExportChoice,
  exportChoice,
  type FileChoice,
} from "../bulk/export-choice.ts";
import { type ExportedFile, FilesExport, type FilesRow, planIn } from "../bulk/export-job.ts";
import { refuseOlder } from "../bulk/export-older.ts";
import { countPlanned, planExport } from "../bulk/export-plan.ts";
import { deviceSources, type RecordSource } from "../bulk/sources.ts";

const fileColumns: readonly Column<ExportedFile>[] = [
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
    "fixed when the export starts. The file ends in .part until it is complete; a journal stores the progress, " +
    "and --resume continues from there after any interruption, with the same result. A folder as --out (or a name that " +
    "ends with a slash) gets one file per device, named by its name and id. --dataset writes parts such as " +
    "site=plant/device=ID/month=2026-11.parquet that DuckDB and Spark read as one table, up to the time of the start where --to is " +
    "not given; above 500 devices, or with --parts, a part has many devices, sorted by device and time. --since-last adds to a dataset what " +
    "is new or came late, and replaces no other part. --queue has iot worker processes write them (docs/scale.md). Without --out the records go to stdout. See docs/bulk-data.md.",
  args: choiceArgs,
  options: choiceOptions,
  groups: ["confirm"],
  examples: [
    'iot device data export "name:Freezer 1" --last 7d --out freezer.csv --yes',
    "iot device data export --tag device_type=freezer --last 24h --out freezers/ --format ndjson --verify --yes",
    'iot device data export "name:Freezer 1" --variable temperature --last 24h --format ndjson',
    "iot device data export --tag device_type=freezer --last 7d --split day --dataset --out lake/ --yes",
    "iot device data export --tag device_type=freezer --since-last --dataset --out lake/ --yes",
  ],
  exitCodes: [1, 3, 6, 7, 8, 9, 11],
  related: ["iot device data import", "iot device data backup", "iot device data list"],
  async run(ctx, input) {
    const choice = exportChoice(ctx, input);
    const { dataset, queue } = input.options;
    if (dataset || queue !== undefined) return exportDataset(ctx, input, choice);
    const { out } = choice;
    return out === undefined ? exportToStdout(ctx, choice) : exportToFiles(ctx, input, { ...choice, out });
  },
});

/** The one item of an export to files: all of them, in their order. */
const ITEM = "files";

/** Exports to one file, or to a file for each device or period. */
async function exportToFiles(ctx: CommandContext, input: ChoiceInput, choice: FileChoice): Promise<number> {
  const { out, isResumed } = choice;
  const isOneFile = !choice.isFolder && choice.split === undefined;
  const key = ["device data export", out];
  if (isResumed) refuseOlder(ctx, choice);
  const unfinished = notesIn(unfinishedRun(ctx.env, key), ITEM);
  if (isResumed && isOneFile && planIn(unfinished) === undefined && existsSync(out)) {
    ctx.say.info(`Nothing to resume: ${shownPath(ctx, out)} is complete. Leave out --resume to export again.`);
    return 0;
  }
  const mark = choiceMark(choice, ctx, input.texts);
  const files = new FilesExport(ctx, choice, await batchClient(ctx));
  const run = {
    key,
    // A single file says itself that it is whole: by its name.
    content: isOneFile ? undefined : mark,
    what: `export to ${quote(shownPath(ctx, out))}`,
    replaces: (before: UnfinishedRun) => files.replace(notesIn(before, ITEM)),
  };
  return withJournal(ctx, input, run, async (journal) => {
    if (journal.isDone) {
      await ctx.out.list([], { columns: fileColumns, empty: "Nothing was exported.", idKey: "file" });
      return 0;
    }
    const { stop } = await runItems<object, FilesRow>(ctx, journal, {
      phases: () => [[{ id: ITEM, args: {}, mark }]],
      run: (_, notes) => files.run(notes),
      isFatal: () => true,
      changed: otherFlags,
    });
    const row = doneRow<FilesRow>(journal, ITEM);
    if (row === undefined) throw stop?.cause ?? stoppedError("Stopped.");
    journal.finish();
    return report(ctx, choice, row);
  });
}

const otherFlags = (): Error =>
  usageError("The unfinished export was started with different flags.", {
    why: "Its journal stores the original flags.",
    next: "Use the same devices and flags, or leave out --resume to start again.",
  });

async function report(ctx: CommandContext, choice: FileChoice, row: FilesRow): Promise<number> {
  const files = row.files.map((file) => ({ ...file, file: shownPath(ctx, file.file) }));
  const columns = choice.isVerified ? fileColumns.map(({ hidden: _, ...column }) => column) : fileColumns;
  await ctx.out.list(files, { columns, empty: "No records match; no file was written.", idKey: "file" });
  const records = files.reduce((sum, file) => sum + file.records, 0);
  const { label } = await ctx.connection();
  ctx.say.info(`Exported ${countOf(records, "record")} of ${countOf(row.devices, "device")} from ${label}.`);
  if (row.there === undefined) return 0;
  const here = files.reduce((sum, { counted = 0 }) => sum + counted, 0);
  if (here !== row.there)
    throw exportDiffers(
      `The files contain ${countOf(here, "record")}, the platform has ${countText(row.there)} in the same range.`,
      "Export the range again when the devices send nothing.",
    );
  ctx.say.info(`Verified: ${countOf(here, "record")} on both sides.`);
  return 0;
}

/** No file, so nothing to continue from: the records pass through. */
async function exportToStdout(ctx: CommandContext, choice: ExportChoice): Promise<number> {
  const client = await batchClient(ctx);
  const plan = await planExport(ctx, client, choice.selection, await fleetOf(ctx, choice.named, choice.tags));
  const total = await countPlanned(ctx, client, plan, choice);
  await announceReading(ctx, client, total, Number.isFinite(choice.maxRecords));
  const format = choice.format === "parquet" ? "csv" : choice.format;
  const text = await rowText(format, { ...ctx.flags, columns: choice.columns });
  const sources = plan.devices.flatMap((device) => deviceSources(client, device, choice));
  const rows = recordsOf(sources, plan.fromMs, choice.maxRecords);
  const { count } = await writeRows(ctx, { out: undefined, format, text, rows, unit: "records" });
  if (count === 0) ctx.say.info("No records match.");
  return 0;
}

async function* recordsOf(sources: readonly RecordSource[], fromMs: number | undefined, maxRecords: number) {
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
