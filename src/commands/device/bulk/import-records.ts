import { option } from "../../kit/command/arguments.ts";
import type { CommandInput } from "../../kit/command/define.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { inputError } from "../../kit/failures/command-error.ts";
import { isObject } from "../../kit/files/files.ts";
import { resolveForm, type Target } from "../../kit/resource/resolve-id.ts";
import { columnMap, mapped } from "../../kit/rows/import-flags.ts";
import type { FileRow, RowFile } from "../../kit/rows/reader.ts";
import { deviceFinder } from "../finder.ts";
import { cellValue, checkRecord, type OutgoingRecord } from "../records.ts";

const members = ["variable", "value", "unit", "group", "serie", "time", "location", "metadata"] as const;
const deviceMembers = ["device", "device_name", "device_serial"] as const;
const fields: readonly string[] = [...members, ...deviceMembers, "lat", "lng"];

/** A record of a file, and the device it goes to. */
export interface ImportRecord {
  readonly row: number;
  readonly device: string;
  readonly record: OutgoingRecord;
}

/** Turns rows of a file into records. */
export interface RecordReader {
  /** @throws InputError-like failure (exit 3) that names the row */
  read(row: FileRow): Promise<ImportRecord>;
  /** Name of a device that was found. */
  nameOf(device: string): string;
}

/**
 * @param target the device of all rows; else a column names the device of each
 */
export function recordReader(
  ctx: CommandContext,
  input: CommandInput,
  file: RowFile,
  target: Target | undefined,
): RecordReader {
  const isField = (field: string): boolean => fields.includes(field);
  const map = columnMap(input, isField, `Map a column to one of ${fields.join(", ")}.`);
  const variable = option(input, "variable");
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
    async read({ row, value }) {
      const named = isObject(value) ? Object.fromEntries(mapped(value, map)) : checkRecord(value, row, file.place);
      const record = recordOf(named, { row, place: file.place, isPlain: file.format === "csv", variable });
      if (target !== undefined) return { row, record, device: target.id };
      const text = deviceText(named);
      if (text !== undefined) return { row, record, device: await deviceOf(text) };
      throw inputError(`Record ${row} of ${quote(file.place)} has no device.`, {
        row,
        next: "Pass the device of all rows as an argument, or map a column: --map sensor=device_name.",
      });
    },
  };
}

interface RowPlace {
  readonly row: number;
  readonly place: string;
  readonly isPlain: boolean;
  readonly variable: string | undefined;
}

function recordOf(
  value: Readonly<Record<string, unknown>>,
  { row, place, isPlain, variable }: RowPlace,
): OutgoingRecord {
  const record: Record<string, unknown> = {};
  for (const name of members) {
    const cell = value[name];
    if (cell === undefined || cell === null || (isPlain && cell === "")) continue;
    const isText = typeof cell === "string";
    const isEncoded = isText && (isPlain || name === "location" || name === "metadata");
    record[name] = isEncoded ? typedCell(name, cell, place, row) : cell;
  }
  if (record["variable"] === undefined && variable !== undefined) record["variable"] = variable;
  const [lat, lng] = [value["lat"], value["lng"]];
  if (record["location"] === undefined && isGiven(lat) && isGiven(lng)) {
    record["location"] = cellValue("location", `${String(lat)},${String(lng)}`, place, row);
  }
  return checkRecord(record, row, place);
}

/** A cell without a type. Blanks around a number or a moment do not count; in a text they are part of it. */
function typedCell(name: string, cell: string, place: string, row: number): unknown {
  const value = cellValue(name, cell.trim(), place, row);
  return name === "value" && typeof value === "string" ? cell : value;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

function deviceText(value: Readonly<Record<string, unknown>>): string | undefined {
  const [id, name, serial] = deviceMembers.map((member) => value[member]);
  if (isGiven(id)) return String(id);
  if (isGiven(name)) return `name:${String(name)}`;
  return isGiven(serial) ? `serial:${String(serial)}` : undefined;
}
