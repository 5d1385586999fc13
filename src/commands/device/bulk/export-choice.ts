import { existsSync, statSync } from "node:fs";
import type { Arguments, Input, Options, TypedTexts } from "../../kit/command/options.ts";
import type { TagFilter } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { DataSelection } from "../../kit/devices/data-read.ts";
import { taggedOption } from "../../kit/devices/fleet.ts";
import { type RecordColumn, recordColumns } from "../../kit/devices/windows.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { checkWritable, checkWritableFolder } from "../../kit/files/out-file.ts";
import { datasetOptions } from "../../kit/jobs/run-job.ts";
import { exportFormat, exportOptions, outFile } from "../../kit/rows/exporter.ts";
import { type FileFormat, fileFormats } from "../../kit/rows/reader.ts";
import { digest } from "../../kit/state/digest.ts";
import { resumeOptions } from "../../kit/state/journal.ts";
import { selectionFrom, selectionOptions } from "../data-query.ts";
import type { Split } from "./periods.ts";
import { isS3, s3Address } from "./s3/address.ts";

export const choiceArgs = [
  { name: "id", summary: "devices: full ids, or unique name:…, tag:key=value, serial:…", variadic: true },
] as const satisfies Arguments;

export const choiceOptions = [
  ...exportOptions(fileFormats, "file or folder to write, s3://bucket/path for a dataset; - is stdout"),
  ...selectionOptions,
  { ...taggedOption, conflicts: ["<id>"] },
  {
    name: "fields",
    value: "a,b",
    summary: "columns of the records, in order; created_at only if listed",
    repeat: true,
  },
  { name: "split", value: "period", summary: "one file per day or month (UTC)", choices: ["day", "month"] },
  ...resumeOptions,
  { name: "verify", summary: "compare record counts afterwards; exit 11 if they do not match" },
  { name: "dataset", summary: "a folder of parts by tag, device and period, with a manifest; --queue implies it" },
  {
    name: "parts",
    kind: "integer",
    most: 4_096,
    summary: "dataset: parts for each tag value and period, each of many devices; chosen by size",
    needs: ["dataset", "queue"],
  },
  {
    name: "table",
    value: "format",
    summary: "dataset: add the parts to a table that engines read",
    choices: ["iceberg"],
    needs: ["dataset", "queue"],
  },
  {
    name: "since-last",
    summary: "dataset: add what is new since it was complete, and replace no other part",
    needs: ["dataset", "queue"],
    conflicts: ["last"],
  },
  {
    name: "lookback",
    kind: "duration",
    summary: "with --since-last: read this much again where counts differ (1h)",
    needs: ["since-last"],
  },
  ...datasetOptions,
  {
    name: "max-records",
    kind: "integer",
    summary: "stop after this many records; skips the cost confirmation",
    conflicts: ["dataset", "queue"],
  },
] as const satisfies Options;

export type ChoiceInput = Input<typeof choiceArgs, typeof choiceOptions>;

/** What the flags of an export say. */
export interface ExportChoice {
  /** The devices: those named, or all with the tags. */
  readonly named: readonly string[];
  readonly tags: readonly TagFilter[];
  /** Absolute path, or nothing for stdout. */
  readonly out: string | undefined;
  /** A file for each device. */
  readonly isFolder: boolean;
  readonly format: FileFormat;
  readonly split: Split | undefined;
  /** Of a dataset: parts of many devices, for each partition and period. */
  readonly parts: number | undefined;
  /** Of a dataset: adds the parts to a table. */
  readonly isTable: boolean;
  readonly columns: readonly RecordColumn[];
  readonly selection: DataSelection;
  readonly maxRecords: number;
  readonly isResumed: boolean;
  readonly isVerified: boolean;
}

export type FileChoice = ExportChoice & { readonly out: string };

const isColumn = (text: string): text is RecordColumn => recordColumns.some((column) => column === text);

export function exportChoice(ctx: CommandContext, input: ChoiceInput): ExportChoice {
  const { options } = input;
  const away = awayFrom(input);
  const out = away ?? outFile(ctx, input);
  const isFolder =
    out !== undefined && (away !== undefined || /[/\\]$/.test(options.out ?? "") || isExistingFolder(out));
  const format = options.format ?? (isFolder ? "csv" : exportFormat(ctx, input, out, fileFormats));
  const choice: ExportChoice = {
    named: input.args.id,
    tags: options.tag,
    out,
    isFolder,
    format,
    split: options.split,
    parts: options.parts,
    isTable: options.table !== undefined,
    columns: columnsOf(options.fields),
    selection: selectionFrom(ctx, input),
    maxRecords: options.maxRecords ?? Number.POSITIVE_INFINITY,
    isResumed: options.resume,
    isVerified: options.verify,
  };
  if (out === undefined) refuseWithoutFile(choice);
  else if (away !== undefined) return choice;
  else if (isFolder) checkWritableFolder(ctx, out);
  else checkWritable(ctx, out);
  return choice;
}

/** The address of a dataset that is not in a folder, in the one form that makes two runs the same job. */
function awayFrom({ options: { out = "", dataset, queue } }: ChoiceInput): string | undefined {
  if (!isS3(out)) return undefined;
  const { bucket, prefix } = s3Address(out);
  if (dataset || queue !== undefined) return `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  throw usageError("S3 takes datasets only.", { next: "Add --dataset, or export to a file." });
}

const isExistingFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** Columns without `--fields`; `created_at` is another question to the platform. */
const usualColumns: readonly RecordColumn[] = recordColumns.filter((name) => name !== "created_at");

function columnsOf(fields: readonly string[]): readonly RecordColumn[] {
  const asked = fields.flatMap((part) => part.split(",").map((name) => name.trim()));
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

/** The flags that decide what is written: a run continues only with the same. */
export function choiceMark(choice: ExportChoice, ctx: CommandContext, given: TypedTexts = {}): string {
  const { format, split, columns, selection, isFolder, named } = choice;
  const { variables, groups, ids } = selection;
  const texts = ["from", "to", "last", "maxRecords"].map((name) => given[name]);
  const { header, csvSafe, csvBom } = ctx.flags;
  const { tag = [] } = given;
  return digest({
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
    named,
  });
}
