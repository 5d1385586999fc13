import { defined } from "../../lib/core/defined.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { keyValue, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import {
  argumentValue,
  type OutgoingRecord,
  parseLocation,
  type RecordPlace,
  recordCell,
  recordChecker,
  typedValue,
} from "../kit/devices/record-checks.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { inputRows } from "../kit/rows/reader.ts";

const memberOptions = [
  { name: "unit", value: "text", summary: "unit of the values given as arguments", allowEmpty: true },
  { name: "group", value: "id", summary: "group of the records" },
  { name: "time", kind: "instant", summary: "time of the records (now)" },
  { name: "location", value: "lat,lng", summary: "location of the records" },
  { name: "metadata", kind: "pair", summary: "metadata of the records", repeat: true },
] as const satisfies Options;

const fileOptions = [
  { name: "input", file: "in", value: "file", summary: "records from a JSON, ndjson or CSV file; - is stdin" },
  {
    name: "format",
    formerly: ["input-format"],
    value: "format",
    summary: "format of --input, if it cannot be detected",
    choices: ["json", "ndjson", "csv"],
  },
] as const satisfies Options;

/** Flags of records that are typed as arguments. */
export const recordOptions = [
  ...memberOptions,
  {
    name: "raw-field",
    kind: "pair",
    value: "variable=text",
    summary: "value that stays a string, even if it looks like a number",
    repeat: true,
  },
  ...fileOptions,
] as const satisfies Options;

/** Flags of a change of records. */
export const changeOptions = [
  ...memberOptions,
  ...fileOptions,
  { name: "value", value: "v", summary: "new value of the record", allowEmpty: true },
] as const satisfies Options;

interface RecordInput {
  readonly args: { readonly values: readonly string[] };
  readonly options: Input<[], typeof recordOptions>["options"];
}

interface ChangeInput {
  readonly args: { readonly record: string | undefined };
  readonly options: Input<[], typeof changeOptions>["options"];
}

/** The records of a command line: `variable=value` arguments, `--raw-field` and `--input` together. */
export async function recordsFrom(ctx: CommandContext, { args, options }: RecordInput): Promise<OutgoingRecord[]> {
  const shared = recordMembers(options);
  const typed = args.values.map((text) => {
    const { key, value } = keyValue(text, "A value", "--input");
    return { variable: key, value: argumentValue(value, `--raw-field ${quote(text)}`), ...shared };
  });
  const raw = options.rawField.map(({ key, value }) => ({ variable: key, value, ...shared }));
  const place = options.input;
  const read = place === undefined ? [] : await readRecords(ctx, place, options.format, true);
  const records = [...typed, ...raw, ...read];
  if (records.length > 0) return records;
  if (place !== undefined) throw inputError(`${quote(place)} contains no records.`, { next: "Nothing was sent." });
  throw usageError("No records given.", {
    next: "Add variable=value, such as temperature=21.5, or a file with --input.",
  });
}

/** Fields that every record of the command line gets. */
function recordMembers(options: Input<[], typeof memberOptions>["options"]): OutgoingRecord {
  const { unit, group, time, location, metadata } = options;
  return {
    ...defined({ unit, group, time: time?.toISOString() }),
    ...(location === undefined ? {} : { location: locationFlag(location) }),
    ...(metadata.length === 0
      ? {}
      : { metadata: Object.fromEntries(metadata.map(({ key, value }) => [key, typedValue(value)])) }),
  };
}

/** The records that an edit names: those of a file, or the one of the argument. `list` is the command that shows their ids. */
export async function recordChanges(
  ctx: CommandContext,
  { args: { record: id }, options }: ChangeInput,
  list: string,
): Promise<OutgoingRecord[]> {
  const { input: place, format, value } = options;
  if (place !== undefined) {
    const records = await readRecords(ctx, place, format, false);
    const row = records.findIndex((record) => typeof record["id"] !== "string") + 1;
    if (row === 0 && records.length > 0) return records;
    throw inputError(row === 0 ? "The file contains no records." : `Record ${row} has no id.`, {
      ...(row === 0 ? {} : { row }),
      next: `Add the ids shown by "${list}"; nothing was sent.`,
    });
  }
  if (id === undefined) {
    throw usageError("No record given.", { next: "Add the id of a record, or a file of records with --input." });
  }
  const change = {
    id,
    ...(value === undefined ? {} : { value: argumentValue(value, "a file with --input") }),
    ...recordMembers(options),
  };
  if (Object.keys(change).length > 1) return [change];
  throw usageError("No changes given.", { next: "Add a field, such as --value 21.5 or --unit C." });
}

function locationFlag(text: string): object {
  const location = parseLocation(text);
  if (location !== undefined) return location;
  throw usageError(`Invalid --location ${quote(text)}.`, {
    next: "Use latitude and longitude in degrees: 52.5,13.4.",
  });
}

/** Reads and checks a file of records before anything is sent. @param isNew as for `recordChecker` */
export async function readRecords(
  ctx: CommandContext,
  place: string,
  format: string | undefined,
  isNew: boolean,
): Promise<OutgoingRecord[]> {
  const check = await recordChecker(isNew);
  const { rows, isText } = await inputRows(ctx, place, format);
  return rows.map(({ row, value }) => check(isText ? typedCells(value, { row, place }) : value, { row, place }));
}

/** A file of cells has no types, so values are read as they look. */
function typedCells(value: unknown, place: RecordPlace): object {
  const cells = Object.entries(value ?? {}).map(([name, cell]) => [name, String(cell).trim()] as const);
  const given = cells.filter(([, cell]) => cell !== "");
  return Object.fromEntries(given.map(([name, cell]) => [name, recordCell(name, cell, place)]));
}
