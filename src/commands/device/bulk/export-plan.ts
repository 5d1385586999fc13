import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Resources } from "../../../index.ts";
import { slugOf } from "../../../text/slug.ts";
import { option, optionFlag, optionList, optionNumber } from "../../kit/command/arguments.ts";
import type { CommandInput } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { checkWritable, checkWritableFolder } from "../../kit/files/out-file.ts";
import { exportFormat, outFile } from "../../kit/rows/exporter.ts";
import { type FileFormat, fileFormats } from "../../kit/rows/reader.ts";
import { type DataSelection, selectionFrom } from "../data-query.ts";
import { readData } from "../data-read.ts";
import type { FleetDevice } from "../fleet/devices.ts";
import type { ExportPlan } from "./export-journal.ts";
import type { Source } from "./export-run.ts";
import { nameWithPeriod, periodName, type Split } from "./periods.ts";
import { type DataRecord, type RangeQuery, type RecordColumn, recordColumns } from "./windows.ts";

/** What the flags of an export say. */
export interface ExportChoice {
  /** Absolute path, or nothing for stdout. */
  readonly out: string | undefined;
  /** A file for each device. */
  readonly isFolder: boolean;
  readonly format: FileFormat;
  readonly split: Split | undefined;
  readonly columns: readonly RecordColumn[];
  readonly selection: DataSelection;
  readonly maxRecords: number;
  readonly isResumed: boolean;
  readonly isVerified: boolean;
}

const isColumn = (text: string): text is RecordColumn => recordColumns.some((column) => column === text);

export function exportChoice(ctx: CommandContext, input: CommandInput): ExportChoice {
  const out = outFile(ctx, input);
  const isFolder = out !== undefined && (/[/\\]$/.test(option(input, "out") ?? "") || isExistingFolder(out));
  const split = option(input, "split") as Split | undefined;
  const asked = fileFormats.find((one) => one === option(input, "format"));
  const format = asked ?? (isFolder ? "csv" : exportFormat(ctx, input, out, fileFormats));
  const choice: ExportChoice = {
    out,
    isFolder,
    format,
    split,
    columns: columnsOf(input),
    selection: selectionFrom(ctx, input),
    maxRecords: optionNumber(input, "max-records", 1) ?? Number.POSITIVE_INFINITY,
    isResumed: optionFlag(input, "resume"),
    isVerified: optionFlag(input, "verify"),
  };
  if (out === undefined) refuseWithoutFile(choice);
  else if (isFolder) checkWritableFolder(ctx, out);
  else checkWritable(ctx, out);
  return choice;
}

const isExistingFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** Columns without `--fields`; `created_at` is another question to the platform. */
const usualColumns: readonly RecordColumn[] = recordColumns.filter((name) => name !== "created_at");

function columnsOf(input: CommandInput): readonly RecordColumn[] {
  const asked = optionList(input, "fields").flatMap((part) => part.split(",").map((name) => name.trim()));
  if (asked.length === 0) return usualColumns;
  const unknown = asked.find((name) => !isColumn(name));
  if (unknown === undefined) return asked.filter(isColumn);
  throw usageError(`Records have no column "${unknown}".`, { next: `Use one of ${recordColumns.join(", ")}.` });
}

function refuseWithoutFile({ isResumed, isVerified, split, format }: ExportChoice): void {
  const flag = isResumed ? "--resume" : isVerified ? "--verify" : split === undefined ? undefined : "--split";
  if (flag !== undefined) throw usageError(`${flag} needs --out.`, { next: "Add --out data.csv." });
  if (format === "parquet") throw usageError("Parquet output needs a file.", { next: "Add --out data.parquet." });
}

/** The flags that decide what is written: a run goes on only with the same. */
export function markOf(choice: ExportChoice, ctx: CommandContext, input: CommandInput): string {
  const { format, split, columns, selection, isFolder } = choice;
  const { variables, groups, ids } = selection;
  const texts = ["from", "to", "last", "max-records"].map((name) => option(input, name));
  const { header, csvSafe, csvBom } = ctx.flags;
  const tag = optionList(input, "tag");
  return JSON.stringify({
    format,
    split,
    columns,
    variables,
    groups,
    ids,
    texts,
    header,
    csvSafe,
    csvBom,
    isFolder,
    tag,
    named: input.args["id"],
  });
}

/**
 * Fixes the range of each device. Records may be dated ahead of now; without `--to` the newest record there is at the
 * start is the last one.
 */
export async function rangeOf(
  ctx: CommandContext,
  client: Resources,
  selection: DataSelection,
  { id, name }: FleetDevice,
): Promise<ExportPlan["devices"][number]> {
  if (selection.end_date !== undefined) return { id, name, toMs: Date.parse(selection.end_date) };
  const newest = await readData(client, id, { ...selection, qty: 1, ordination: "descending" });
  const moments = newest.map(({ time }) => (time instanceof Date ? time.getTime() : 0));
  return { id, name, toMs: Math.max(ctx.clock.now(), ...moments) };
}

/** Where the records of the planned devices come from: one source per device, or per variable of it. */
export function sourcesOf(client: Resources, plan: ExportPlan, choice: ExportChoice): readonly (readonly Source[])[] {
  const perDevice = plan.devices.map((device) => deviceSources(client, device, choice));
  return choice.isFolder ? perDevice : [perDevice.flat()];
}

/** Where the records of one device come from. */
export function deviceSources(
  client: Resources,
  { id, toMs }: { readonly id: string; readonly toMs: number },
  { selection, columns }: Pick<ExportChoice, "selection" | "columns">,
): readonly Source[] {
  const { variables, start_date: _, end_date: __, ...rest } = selection;
  const details = columns.includes("created_at") ? { details: true } : {};
  const source = (narrowed: object): Source => ({
    toMs,
    read: (query) => readRange(client, id, { ...rest, ...details, ...narrowed }, query),
  });
  // The platform does not tell capitals apart; a variable named twice is still one.
  const names = [...new Set(variables?.map((name) => name.toLowerCase()))];
  return names.length === 0 ? [source({})] : names.map((variable) => source({ variables: [variable] }));
}

async function readRange(
  client: Resources,
  id: string,
  selection: object,
  { fromMs, toMs, qty, skip }: RangeQuery,
): Promise<readonly DataRecord[]> {
  const rows = await readData(client, id, {
    ...selection,
    ...(fromMs === undefined ? {} : { start_date: new Date(fromMs).toISOString() }),
    end_date: new Date(toMs).toISOString(),
    ordination: "ascending",
    qty,
    skip,
  });
  return rows as readonly DataRecord[];
}

/** Name of the file of a group and period. */
export function fileNames(
  choice: ExportChoice & { readonly out: string },
  plan: ExportPlan,
): (group: number, periodMs: number | undefined) => string {
  const { out, isFolder, format, split } = choice;
  return (group, periodMs) => {
    const { id, name } = plan.devices[group] ?? { id: String(group) };
    const stem = name === undefined ? id : `${slugOf(name, "device")}--${id}`;
    const whole = isFolder ? join(out, `${stem}.${format}`) : out;
    return split === undefined || periodMs === undefined ? whole : nameWithPeriod(whole, periodName(split, periodMs));
  };
}

/** Where the journal of an export is. */
export function journalName({ out, isFolder }: { readonly out: string; readonly isFolder: boolean }): string {
  return isFolder ? join(out, ".iot-export.journal") : `${out}.journal`;
}
