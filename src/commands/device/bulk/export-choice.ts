import { existsSync, statSync } from "node:fs";
import { option, optionFlag, optionList, optionNumber } from "../../kit/command/arguments.ts";
import type { CommandInput } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { checkWritable, checkWritableFolder } from "../../kit/files/out-file.ts";
import { exportFormat, outFile } from "../../kit/rows/exporter.ts";
import { type FileFormat, fileFormats } from "../../kit/rows/reader.ts";
import { digest } from "../../kit/state/digest.ts";
import { type DataSelection, selectionFrom } from "../data-query.ts";
import type { Split } from "./periods.ts";
import { type RecordColumn, recordColumns } from "./windows.ts";

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

export type FileChoice = ExportChoice & { readonly out: string };

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
  const named = input.args["id"];
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
