import { checkDeviceName, checkLengths, checkStorage } from "../../kit/devices/fleet-checks.ts";
import { isObject } from "../../kit/files/files.ts";
import type { Tag } from "../../kit/resource/body.ts";
import { listedTags, prefixed, stringField, tagsIn, type Wrong } from "../../kit/rows/cells.ts";
import { type ColumnMap, columnMap, columnOf, type MapInput, mapped } from "../../kit/rows/import-flags.ts";
import { columnReader } from "../../kit/rows/left-out.ts";
import { membersIn, rowFailure } from "../../kit/rows/members.ts";

/** A device of a fleet file. Fields that the file does not have are absent. */
export interface FleetRow {
  readonly row: number;
  readonly name: string;
  readonly serial?: string;
  /** As the file names them: an id, or a name. */
  readonly network?: string;
  readonly connector?: string;
  /** Fields of the device that are sent as they are. */
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

/** Whether a column of a fleet file is read. */
export const readsFleetColumn = (map: ColumnMap): ((column: string) => boolean) =>
  columnReader(map, isFleetField, ["id", "last_input", "created_at", "updated_at"]);

/** The failure of a row of a fleet file. */
export const fleetFailure = (row: number, place: string, map: ColumnMap): Wrong =>
  rowFailure("device", row, place, (field) => fleetColumn(map, field));

/** The column of a field of a row, or of the body that is sent for it. */
export const fleetColumn = (map: ColumnMap, field: string): string => {
  if (isFleetField(field)) return columnOf(map, field);
  const [root = field] = field.split(".", 1);
  return columnOf(map, bodyFields[root] ?? root);
};

const bodyFields: Readonly<Record<string, string>> = { serie_number: "serial", configuration_params: "params" };

/** Reads a row of a fleet file. @throws a failure that names the row (exit 3) */
export function fleetRow(value: unknown, row: number, place: string, map: ColumnMap): FleetRow {
  const wrong = fleetFailure(row, place, map);
  if (!isObject(value)) throw wrong("It is not an object.");
  const cells = mapped(value, map).filter(([, cell]) => cell !== undefined && cell !== null && cell !== "");
  const cell = new Map(cells);
  const name = stringField(cell.get("name"));
  if (name === undefined) throw wrong("it is empty; every device needs a name.", "name");
  checkDeviceName(name, wrong);
  const members: Record<string, string | number | boolean> = membersIn(cell, texts, switches, wrong);
  const retention = cell.get("chunk_retention");
  if (retention !== undefined) {
    const periods = Number(retention);
    members["chunk_retention"] = Number.isInteger(periods) ? periods : String(retention);
  }
  checkStorage(members, wrong);
  const named: { serial?: string; network?: string; connector?: string } = {};
  for (const key of ["serial", "network", "connector"] as const) {
    const text = stringField(cell.get(key));
    if (text !== undefined) named[key] = text;
  }
  const tags = tagsIn(cells, wrong);
  const params = [...listedTags(cell.get("params"), "params", wrong), ...prefixed(cells, "param.")];
  checkLengths({ ...named, members, tags, params, hasCell: (field) => cell.has(field) }, wrong);
  return { row, name, ...named, members, tags, params };
}

/** `--map col=field` of a fleet file. */
export const fleetMap = (input: MapInput): ColumnMap =>
  columnMap(input, isFleetField, `Map a column to one of ${fleetFields.join(", ")}, tag.KEY or param.KEY.`);
