import type { QueryObject } from "../core/query.ts";
import { pagingOf, textOf } from "../core/query.ts";
import { OWN_FIELDS, type Schema, schemaOf } from "../entities/fields.ts";
import type { Collections } from "../store/document.ts";
import { fold } from "../store/list-query.ts";

export type ColumnType = "string" | "number" | "integer" | "timestamp" | "boolean" | "json";

/** A column of a table that statements read. */
export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** The value of a record, of any type: the only JSON that can be compared. */
  readonly isValue?: true;
  /** Not named in any published example. */
  readonly isAssumed?: true;
}

/** What a call in FROM reads. */
export type TableKind = "records" | "fleet" | "devices" | "entities" | "rows";

export interface TableForm {
  readonly kind: TableKind;
  /** By tag, else by id or whole. */
  readonly isByTag: boolean;
  readonly args: number;
}

/** The table functions. */
export const TABLES: ReadonlyMap<string, TableForm> = new Map<string, TableForm>([
  ["device", { kind: "records", isByTag: false, args: 1 }],
  ["device_tag", { kind: "records", isByTag: true, args: 2 }],
  ["device_data_by_tag", { kind: "fleet", isByTag: true, args: 2 }],
  ["devices", { kind: "devices", isByTag: false, args: 0 }],
  ["devices_tag", { kind: "devices", isByTag: true, args: 2 }],
  ["entity", { kind: "rows", isByTag: false, args: 1 }],
  ["entity_tag", { kind: "rows", isByTag: true, args: 2 }],
  ["entities", { kind: "entities", isByTag: false, args: 0 }],
  ["entities_tag", { kind: "entities", isByTag: true, args: 2 }],
]);

type Described = readonly [name: string, type: ColumnType];

const known = (...all: readonly Described[]): TableColumn[] => all.map(([name, type]) => ({ name, type }));
const assumed = (...all: readonly Described[]): TableColumn[] =>
  all.map(([name, type]) => ({ name, type, isAssumed: true }));

const RECORD: readonly TableColumn[] = [
  ...known(["variable", "string"]),
  { name: "value", type: "json", isValue: true },
  ...known(["unit", "string"], ["time", "timestamp"]),
];
const OF_RECORD = assumed(["group", "string"], ["location", "json"], ["metadata", "json"]);

const COLUMNS: Readonly<Record<Exclude<TableKind, "rows">, readonly TableColumn[]>> = {
  records: [...RECORD, ...assumed(["id", "string"], ["device", "string"]), ...OF_RECORD],
  fleet: [
    ...known(["device", "string"], ["device_name", "string"]),
    ...RECORD,
    ...assumed(["id", "string"]),
    ...OF_RECORD,
  ],
  devices: [
    ...known(["id", "string"], ["name", "string"], ["active", "boolean"], ["type", "string"], ["network", "string"]),
    ...known(["last_input", "timestamp"], ["params", "json"]),
    ...assumed(["tags", "json"], ["connector", "string"], ["created_at", "timestamp"], ["updated_at", "timestamp"]),
  ],
  entities: [
    ...known(["id", "string"], ["name", "string"], ["tags", "json"], ["updated_at", "timestamp"]),
    ...assumed(["created_at", "timestamp"]),
  ],
};

const ENTITY_TYPES: Readonly<Record<Schema[string]["type"], ColumnType>> = {
  uuid: "string",
  string: "string",
  text: "string",
  int: "integer",
  float: "number",
  boolean: "boolean",
  timestamp: "timestamp",
  json: "json",
};

/** The columns of the rows of an entity. */
function rowColumns(schema: Schema): TableColumn[] {
  const { id, ...dates } = OWN_FIELDS;
  const own = Object.entries(schema).filter(([name]) => !Object.hasOwn(OWN_FIELDS, name));
  const all = [...Object.entries({ id }), ...own, ...Object.entries(dates)];
  return all.map(([name, field]) => ({ name, type: ENTITY_TYPES[field?.type ?? "string"] }));
}

/** The columns of a table; those of entity rows depend on the entity. */
export function columnsOf(kind: TableKind, schema: Schema = OWN_FIELDS): readonly TableColumn[] {
  return kind === "rows" ? rowColumns(schema) : COLUMNS[kind];
}

/** Functions of statements that GET /sql/tables shows. */
const FUNCTIONS = [
  { name: "count", kind: "aggregate", args: ["value"], description: "Number of rows", example: "count(*)" },
  { name: "sum", kind: "aggregate", args: ["value"], description: "Sum of numbers", example: "sum(d.value)" },
  { name: "avg", kind: "aggregate", args: ["value"], description: "Average of numbers", example: "avg(d.value)" },
  { name: "min", kind: "aggregate", args: ["value"], description: "Smallest value", example: "min(d.value)" },
  { name: "max", kind: "aggregate", args: ["value"], description: "Largest value", example: "max(d.value)" },
  {
    name: "has_tag",
    kind: "predicate",
    args: ["key", "value"],
    description: "Whether a device or entity has a tag",
    example: "has_tag('site', 'north')",
  },
  {
    name: "session_user_id",
    kind: "session",
    args: [],
    description: "Id of the user who runs the query",
    example: "COALESCE(session_user_id(), '...')",
  },
  {
    name: "session_user_tag",
    kind: "session",
    args: ["key"],
    description: "Tag of the user who runs the query",
    example: "COALESCE(session_user_tag('key'), '...')",
  },
];

const MAX_AMOUNT = 100;

const shown = (columns: readonly TableColumn[]): object[] => columns.map(({ name, type }) => ({ name, type }));

/** Available in statements: tables, their devices and entities, functions. */
export function sqlTables(app: Collections, profile: string, query: QueryObject): Record<string, unknown> {
  const wanted = fold(textOf(query["filter"]) ?? "");
  const { limit, offset } = pagingOf(query, { most: MAX_AMOUNT });
  const resources = (kind: "device" | "entity") =>
    app
      .collection(kind)
      .all(profile)
      .filter((document) => fold(String(document["name"])).includes(wanted))
      .slice(offset, offset + limit)
      .map((document) => ({ id: document.id, name: document["name"], tags: document["tags"] ?? [] }));

  const entityId = textOf(query["entity_id"]);
  const entity = entityId === undefined ? undefined : app.collection("entity").need(entityId, profile);
  const rowsOf = entity === undefined ? [] : columnsOf("rows", schemaOf(entity));
  const table = (name: string, label: string, tagForm: string | null, columns: readonly TableColumn[]) => ({
    function: name,
    label,
    tag_form: tagForm,
    columns: shown(columns),
    dynamic: name === "entity",
  });
  return {
    tables: [
      table("device", "Device data", "device_tag", COLUMNS.records),
      table("entity", "Entity", "entity_tag", rowsOf),
      table("devices", "Devices", "devices_tag", COLUMNS.devices),
      table("entities", "Entities", "entities_tag", COLUMNS.entities),
      table("device_data_by_tag", "Newest data of devices", null, COLUMNS.fleet),
    ],
    resources: { devices: resources("device"), entities: resources("entity") },
    functions: FUNCTIONS,
  };
}
