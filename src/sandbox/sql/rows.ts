import { tagsOf } from "../access/demands.ts";
import { toDataDevice } from "../data/device.ts";
import type { Cell, CellPage } from "../data/reader.ts";
import type { DataStore } from "../data/store.ts";
import type { Schema } from "../entities/fields.ts";
import { schemaOf } from "../entities/fields.ts";
import type { EntityRows } from "../entities/rows.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { ParamStore } from "../store/params.ts";
import type { LoadColumn, TableLoad } from "./loads.ts";
import type { TableForm } from "./tables.ts";

/** What rows are read from. */
export interface RowParts extends Collections {
  readonly data: DataStore;
  readonly params: ParamStore;
  readonly entityRows: EntityRows;
}

const PAGE_ROWS = 1_000;

type Args = readonly (string | null)[];

/** Whether a record has all tags of `key, value, key, value ...`, as a whole. */
function hasTags(document: EntityDocument, args: Args): boolean {
  const tags = tagsOf(document["tags"]);
  return args.every((key, at) => at % 2 === 1 || tags.some((tag) => tag.key === key && tag.value === args[at + 1]));
}

/** The records of a table function, by id. */
function documentsOf(app: Collections, profile: string, { kind, isByTag }: TableForm, args: Args): EntityDocument[] {
  const collection = app.collection(kind === "entities" || kind === "rows" ? "entity" : "device");
  const isOne = kind === "records" || kind === "rows";
  if (isOne && !isByTag) return [collection.need(args[0] ?? "", profile)];
  const found = collection.all(profile).filter((document) => !isByTag || hasTags(document, args));
  return isOne ? found.slice(0, 1) : found;
}

/** The schema of the entity of a table; undefined when no entity has the tag. */
export function entitySchema(app: Collections, profile: string, form: TableForm, args: Args): Schema | undefined {
  const [entity] = documentsOf(app, profile, form, args);
  return entity && schemaOf(entity);
}

/** A part of a record for its column. */
function cellOf({ name, part }: LoadColumn, device: EntityDocument): Cell {
  if (name === "device") return { constant: device.id };
  if (name === "device_name") return { constant: String(device["name"]) };
  return (part === "plain" ? name : `value_${part}`) as Cell;
}

function* recordPages(app: RowParts, devices: readonly EntityDocument[], load: TableLoad): Generator<CellPage> {
  const { variables = [], ...times } = load.filter;
  const filter = { variables, groups: [], ids: [], values: [], ...times };
  for (const device of devices) {
    const cells = load.columns.map((column) => cellOf(column, device));
    yield* app.data.cells(toDataDevice(device), filter, cells);
  }
}

/** A value of a resource or an entity row as it is stored: dates in milliseconds. */
function stored(value: unknown, isDate: boolean): unknown {
  if (value === undefined || value === null) return null;
  return isDate && typeof value === "string" ? Date.parse(value) : value;
}

function* resourceRows(app: RowParts, load: TableLoad, all: readonly EntityDocument[]): Generator<unknown> {
  const { kind } = load.form;
  for (const document of all) {
    if (kind === "rows") yield* app.entityRows.all(document);
    else if (load.columns.some(({ name }) => name === "params" && kind === "devices")) {
      const params = app.params.list(document.id).sort((one, other) => (one.key < other.key ? -1 : 1));
      yield { ...document, params };
    } else yield document;
  }
}

function* pagesOfRows(rows: Iterable<unknown>, columns: TableLoad["columns"]): Generator<CellPage> {
  let cells: unknown[] = [];
  for (const row of rows) {
    const values = row as Readonly<Record<string, unknown>>;
    cells.push(columns.map(({ name, isDate }) => (Object.hasOwn(values, name) ? stored(values[name], isDate) : null)));
    if (cells.length < PAGE_ROWS) continue;
    yield { json: JSON.stringify(cells), rows: cells.length };
    cells = [];
  }
  if (cells.length > 0) yield { json: JSON.stringify(cells), rows: cells.length };
}

/** The rows of a table, only of this profile, in pages of lists in the order of its columns. */
export function pagesOf(
  app: RowParts,
  profile: string,
  load: TableLoad,
  after: string | undefined,
): Iterable<CellPage> {
  const { form, args } = load;
  const found = documentsOf(app, profile, form, args);
  if (form.kind === "records") return recordPages(app, found, load);
  if (form.kind !== "fleet") return pagesOfRows(resourceRows(app, load, found), load.columns);
  const active = found.filter(({ id, active }) => active !== false && (after === undefined || id > after));
  return recordPages(app, active, load);
}
