import type { CommandInput } from "../../kit/command/define.ts";
import { quote } from "../../kit/command/values.ts";
import { inputError } from "../../kit/failures/command-error.ts";
import { isObject } from "../../kit/files/files.ts";
import { type ColumnMap, columnMap, mapped } from "../../kit/rows/import-flags.ts";
import { parseJson } from "../records.ts";

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** A device of a fleet file. Members that the file does not have are absent. */
export interface FleetRow {
  readonly row: number;
  readonly name: string;
  readonly serial?: string;
  /** As the file names them: an id, or a name. */
  readonly network?: string;
  readonly connector?: string;
  /** Members of the device that are sent as they are. */
  readonly members: Readonly<Record<string, string | number | boolean>>;
  readonly tags: readonly Tag[];
  readonly params: readonly Tag[];
}

const texts = ["type", "description", "chunk_period", "mutable_variable_regex"] as const;
const switches = ["active", "visible"] as const;

/** Fields a column may be mapped to; `tag.KEY` and `param.KEY` besides. */
const fleetFields: readonly string[] = [
  "name",
  "serial",
  ...texts,
  ...switches,
  "chunk_retention",
  "network",
  "connector",
  "tags",
  "params",
];

function isFleetField(field: string): boolean {
  return fleetFields.includes(field) || /^(tag|param)\../.test(field);
}

/** Reads a row of a fleet file. @throws a failure that names the row (exit 3) */
export function fleetRow(value: unknown, row: number, place: string, map: ColumnMap): FleetRow {
  const wrong = (why: string): Error =>
    inputError(`Row ${row} of ${quote(place)} is not a valid device.`, {
      row,
      why,
      next: "Fix the row; nothing was changed for it.",
    });
  if (!isObject(value)) throw wrong("It is not an object.");
  const cells = mapped(value, map).filter(([, cell]) => cell !== undefined && cell !== null && cell !== "");
  const cell = new Map(cells);
  const name = textOf(cell.get("name"));
  if (name === undefined) throw wrong('It has no "name".');
  const members: Record<string, string | number | boolean> = {};
  for (const key of texts) {
    const text = textOf(cell.get(key));
    if (text !== undefined) members[key] = text;
  }
  for (const key of switches) {
    const given = cell.get(key);
    if (given === undefined) continue;
    const isOn = truthOf(given);
    if (isOn === undefined) throw wrong(`Its "${key}" must be true or false.`);
    members[key] = isOn;
  }
  const retention = cell.get("chunk_retention");
  if (retention !== undefined) {
    const periods = Number(retention);
    if (!Number.isInteger(periods) || periods < 0) throw wrong('Its "chunk_retention" must be a whole number.');
    members["chunk_retention"] = periods;
  }
  const named: { serial?: string; network?: string; connector?: string } = {};
  for (const key of ["serial", "network", "connector"] as const) {
    const text = textOf(cell.get(key));
    if (text !== undefined) named[key] = text;
  }
  const tags = [...listedTags(cell.get("tags"), place, row), ...prefixed(cells, "tag.")];
  const params = [...listedTags(cell.get("params"), place, row), ...prefixed(cells, "param.")];
  return { row, name, ...named, members, tags: onePerKey(tags), params };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() || undefined : undefined;

function truthOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = String(value).trim().toLowerCase();
  if (["true", "yes", "1"].includes(text)) return true;
  return ["false", "no", "0"].includes(text) ? false : undefined;
}

function prefixed(cells: readonly (readonly [string, unknown])[], prefix: string): Tag[] {
  return cells
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, value]) => ({ key: field.slice(prefix.length), value: String(value) }));
}

/** A list of tags as JSON has it, or as the text `site=7, floor=2`. */
function listedTags(value: unknown, place: string, row: number): Tag[] {
  if (value === undefined) return [];
  const isJson = typeof value === "string" && value.trimStart().startsWith("[");
  const list: unknown = isJson ? parseJson(value, place, row) : value;
  if (Array.isArray(list)) {
    return list.map((tag: unknown) => {
      if (isObject(tag) && typeof tag["key"] === "string")
        return { key: tag["key"], value: String(tag["value"] ?? "") };
      throw inputError(`Row ${row} of ${quote(place)} has a tag without a key.`, { row });
    });
  }
  return String(list)
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return { key: pair.slice(0, at), value: pair.slice(at + 1) };
      throw inputError(`Row ${row} of ${quote(place)} has the tag ${quote(pair)}, which is not key=value.`, { row });
    });
}

function onePerKey(tags: readonly Tag[]): Tag[] {
  return [...new Map(tags.map((tag) => [JSON.stringify([tag.key, tag.value]), tag])).values()];
}

/** `--map col=field` of a fleet file. */
export const fleetMap = (input: CommandInput): ColumnMap =>
  columnMap(input, isFleetField, `Map a column to one of ${fleetFields.join(", ")}, tag.KEY or param.KEY.`);
