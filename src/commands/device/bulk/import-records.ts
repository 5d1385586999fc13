import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import {
  type OutgoingRecord,
  type RecordPlace,
  recordCell,
  recordChecker,
  recordFailure,
} from "../../kit/devices/record-checks.ts";
import { CommandError, inputError } from "../../kit/failures/command-error.ts";
import { isObject } from "../../kit/files/files.ts";
import { deviceFinder } from "../../kit/finders/device.ts";
import { type ResourceTarget, resolveForm } from "../../kit/resource/resolve-id.ts";
import {
  type ColumnMap,
  columnMap,
  columnOf,
  hasColumn,
  type MapInput,
  mapped,
  requireColumn,
} from "../../kit/rows/import-flags.ts";
import { columnReader } from "../../kit/rows/left-out.ts";
import { columnsOf, type FileRow, type RowFile } from "../../kit/rows/reader.ts";

const commonMembers = ["group", "serie", "time", "location", "metadata"] as const;
const members = ["variable", "value", "unit", ...commonMembers] as const;
const deviceMembers = ["device", "device_name", "device_serial"] as const;
const deviceForms = { device: "", device_name: "name:", device_serial: "serial:" } as const;
const fields: readonly string[] = [...members, ...deviceMembers, "lat", "lng"];
/** Columns of a wide file that are no variables; exports write the last two. */
const wideFields: readonly string[] = [...commonMembers, ...deviceMembers, "lat", "lng", "id", "created_at"];

/** The records of a row of a file, and the device they go to. */
export interface ImportRecord {
  readonly row: number;
  readonly device: string;
  /** One, but for wide files. */
  readonly records: readonly OutgoingRecord[];
}

/** Turns rows of a file into records. */
export interface RecordReader {
  /** @throws InputError-like failure (exit 3) that names the row */
  read(row: FileRow): Promise<ImportRecord>;
  /** Name of a device that was found. */
  nameOf(device: string): string;
  /** The column of a field of a record. */
  columnOf(field: string): string;
  /** Whether a column is read. */
  isRead(column: string): boolean;
}

interface ReaderInput extends MapInput {
  readonly options: MapInput["options"] & {
    readonly variable: string | undefined;
    /** Each other column is a variable. */
    readonly wide: boolean;
  };
}

/**
 * @param target the device of all rows; else a column names the device of each
 */
export async function recordReader(
  ctx: CommandContext,
  input: ReaderInput,
  file: RowFile,
  target: ResourceTarget | undefined,
): Promise<RecordReader> {
  const { variable, wide } = input.options;
  const isField = (field: string): boolean => wide || fields.includes(field);
  const map = columnMap(input, isField, `Map a column to one of ${fields.join(", ")}.`);
  if (wide) await requireWide(file, map);
  else if (variable === undefined) await requireColumn(file, map, "variable", VARIABLE_ADVICE);
  const isPlain = file.format === "csv";
  const form = { isPlain, hasDecimalComma: isPlain && file.delimiter === ";", variable };
  const check = await recordChecker(true);
  const devices = new Map<string, Promise<{ readonly id: string; readonly name: string }>>();
  const names = new Map<string, string>();

  const deviceOf = async (text: string): Promise<string> => {
    let found = devices.get(text);
    if (found === undefined) {
      found = resolveForm(ctx, deviceFinder, text).then(async ({ id, name }) => ({ id, name: await name() }));
      devices.set(text, found);
    }
    const { id, name } = await found;
    names.set(id, name);
    return id;
  };

  return {
    nameOf: (device) => names.get(device) ?? device,
    columnOf: (field) => columnOf(map, field),
    isRead: columnReader(map, isField, ["id", "created_at"]),
    async read({ row, value }) {
      const place = { row, place: file.place, columnOf: (field: string) => columnOf(map, field) };
      if (!isObject(value)) throw recordFailure(place, undefined, "It is not an object.");
      const given = Object.fromEntries(mapped(value, map));
      const records = wide
        ? wideRecords(given, place).map((each) => check(recordOf(each.given, each.place, form), each.place))
        : [check(recordOf(given, place, form), place)];
      if (target !== undefined) return { row, records, device: target.id };
      const named = deviceIn(given);
      if (named !== undefined)
        return { row, records, device: await deviceOf(named.text).catch(unknownDevice(place, named.field)) };
      throw inputError(`Row ${row} of ${quote(file.place)} has no device.`, {
        row,
        next: "Pass the device of all rows as an argument, or map a column: --map sensor=device_name.",
      });
    },
  };
}

const VARIABLE_ADVICE = "--wide if each column is a variable, --variable NAME if all rows are of one, or ";

/** A file in another form would become variables that nobody wanted. */
async function requireWide(file: RowFile, map: ColumnMap): Promise<void> {
  const columns = (await columnsOf(file)) ?? [];
  const several = columns.find((column) => /[;\t]/.test(column) && !map.has(column));
  if (several !== undefined) {
    throw inputError(`The column ${quote(several)} of ${quote(file.place)} looks like several.`, {
      why: "The character between the cells cannot be detected.",
      next: 'Add it with --delimiter: ";", tab or ",".',
    });
  }
  if (!hasColumn(columns, map, "variable")) return;
  throw inputError(`${quote(file.place)} has a column "variable".`, {
    why: "In a wide file, each column is a variable.",
    next: "Leave out --wide; --map COLUMN= leaves out a column.",
  });
}

interface WideCell {
  /** The fields of a record. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly place: RecordPlace;
}

/** A record for each cell that is not empty and belongs to no other field. */
function wideRecords(row: Readonly<Record<string, unknown>>, place: RecordPlace): WideCell[] {
  const isCommon = ([field]: readonly [string, unknown]): boolean => wideFields.includes(field);
  const common = Object.fromEntries(Object.entries(row).filter(isCommon));
  const cells = Object.entries(row).filter((entry) => !isCommon(entry) && isGiven(entry[1]));
  if (cells.length === 0) throw recordFailure(place, undefined, "It has no value in any column of a variable.");
  return cells.map(([variable, value]) => {
    const columnOf = (field: string): string =>
      place.columnOf?.(field === "value" || field === "variable" ? variable : field) ?? field;
    return { given: { ...common, variable, value }, place: { ...place, columnOf } };
  });
}

interface RecordForm {
  /** The cells have no types. */
  readonly isPlain: boolean;
  /** Numbers may be written `21,5`. */
  readonly hasDecimalComma: boolean;
  /** Of rows without one. */
  readonly variable: string | undefined;
}

function recordOf(
  value: Readonly<Record<string, unknown>>,
  place: RecordPlace,
  { isPlain, hasDecimalComma, variable }: RecordForm,
): OutgoingRecord {
  const record: Record<string, unknown> = {};
  const numberIn = (cell: unknown): unknown => (hasDecimalComma ? withPoint(cell) : cell);
  for (const name of members) {
    const cell = name === "value" ? numberIn(value[name]) : value[name];
    if (cell === undefined || cell === null || (isPlain && cell === "")) continue;
    const isText = typeof cell === "string";
    const isEncoded = isText && (isPlain || name === "location" || name === "metadata");
    record[name] = isEncoded ? typedCell(name, cell, place) : cell;
  }
  if (record["variable"] === undefined && variable !== undefined) record["variable"] = variable;
  const [lat, lng] = [numberIn(value["lat"]), numberIn(value["lng"])];
  if (record["location"] === undefined && isGiven(lat) && isGiven(lng))
    record["location"] = recordCell("location", `${String(lat)},${String(lng)}`, {
      ...place,
      columnOf: () => "lat, lng",
    });
  return record;
}

const withPoint = (cell: unknown): unknown =>
  typeof cell === "string" && /^\s*-?\d+,\d+\s*$/.test(cell) ? cell.replace(",", ".") : cell;

/** A cell without a type. Blanks around a number or a date do not count; in a string they are part of it. */
function typedCell(name: string, cell: string, place: RecordPlace): unknown {
  const value = recordCell(name, cell.trim(), place);
  return name === "value" && typeof value === "string" ? cell : value;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** The field that names the device of a row, and the form of its value. */
function deviceIn(
  value: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly text: string } | undefined {
  const field = deviceMembers.find((member) => isGiven(value[member]));
  return field === undefined ? undefined : { field, text: `${deviceForms[field]}${String(value[field])}` };
}

/** A row whose device is not there, or may be one of several. */
const unknownDevice =
  (place: RecordPlace, field: string) =>
  (error: unknown): never => {
    if (!(error instanceof CommandError) || ![2, 6].includes(error.exit)) throw error;
    throw recordFailure(place, field, error.message);
  };
