import type { Resources } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import type { EntityData, EntityInfo } from "../../lib/resources/entities.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Options, OptionsOf } from "../kit/command/options.ts";
import { checkFilter, parseInstant, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";
import { atPath } from "../kit/output/values.ts";
import { type ColumnKind, type Condition, comparisonTest, type RowTest } from "../kit/resource/filter.ts";
import { ownFields } from "./fields.ts";

/** A row as it is printed. */
export type EntityRow = EntityData;

/** Flags that choose rows. */
export const selectionOptions = [
  { name: "index", value: "name", summary: "index to use (one that matches the filters)" },
  {
    name: "filter",
    value: "expr",
    summary:
      "field=value, or field=from..to for a range on the last field; fields of one index, starting with its first",
    repeat: true,
  },
] as const satisfies Options;

/** Which rows are read, and in what order. */
export interface RowSelection {
  readonly index: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly order: "asc" | "desc";
  /** Whether a row matches: a platform that ignores a filter returns all of them. */
  readonly fits: (row: EntityRow) => boolean;
  /** Rows can be read by their time of creation, so that changes meanwhile move nothing. */
  readonly isByTime: boolean;
}

const DEFAULT_INDEX = "id_created_at_idx";
const DEFAULT_FIELDS: readonly string[] = ["id", "created_at"];

/** Index, filter and order of the command line. The platform reads by indexes only. */
export function rowSelection(
  ctx: CommandContext,
  options: OptionsOf<typeof selectionOptions>,
  entity: EntityInfo,
  usualOrder: RowSelection["order"],
): RowSelection {
  const texts = [...new Set(options.filter.map(checkFilter))];
  const nowMs = ctx.clock.now();
  const filters = texts.map((text) => parseFilter(text, entity, nowMs));
  const filter = Object.fromEntries(filters.map(({ name, value }) => [name, value]));
  const fits = (row: EntityRow): boolean => filters.every(({ tests }) => tests.every((test) => test(row, nowMs)));
  const sort = ctx.flags.sort === undefined ? undefined : parseSort(ctx.flags.sort, entity);
  const index = indexFor(entity, options.index, Object.keys(filter), sort?.field);
  const fields = fieldsOf(entity, index);
  const before = fields.slice(0, -1);
  const isByTime = fields.at(-1) === "created_at" && before.every((name) => typeof filter[name] === "string");
  return { index, filter, order: sort?.order ?? usualOrder, fits, isByTime };
}

const fieldsOf = (entity: EntityInfo, index: string): readonly string[] =>
  (Object.hasOwn(entity.index ?? {}, index) ? entity.index[index]?.fields : undefined) ?? DEFAULT_FIELDS;

function needField(name: string, { name: entity, schema }: EntityInfo): void {
  if (Object.hasOwn(schema, name) || ownFields.includes(name)) return;
  const known = Object.keys(schema);
  throw usageError(`The entity "${entity}" has no field ${quote(name)}.`, {
    why: `It has ${known.join(", ")}.`,
    ...didYouMean(name, known, "Use one of them."),
  });
}

interface FieldFilter {
  readonly name: string;
  /** As the platform takes it. */
  readonly value: string | { readonly start?: string; readonly end?: string };
  readonly tests: readonly RowTest[];
}

function parseFilter(text: string, entity: EntityInfo, nowMs: number): FieldFilter {
  const [, name, value] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw usageError(`Invalid filter ${quote(text)}.`, {
      next: "Use --filter city=Oslo or --filter opened=2026-01-01..2026-02-01.",
    });
  }
  needField(name, entity);
  const kind = kindOf(name, entity);
  const bound = (part: string): string =>
    kind === "time" ? parseInstant(part, `--filter ${name}`, nowMs).toISOString() : part;
  const isOrdered = kind === "time" || kind === "number" || kind === "flag";
  const testOf = (operator: Condition["operator"], part: string): RowTest => {
    const read = (row: object): unknown => atPath(row, name);
    if (isOrdered)
      return comparisonTest({ field: name, operator, value: part }, kind, (row) => [read(row)], "--filter");
    // How the platform orders text and compares JSON is not known. A star is a character like any other.
    if (operator !== "=" || kind === "json") return () => true;
    return (row) => String(read(row) ?? "").toLowerCase() === part.toLowerCase();
  };
  const at = value.indexOf("..");
  if (at < 0) {
    const equal = bound(value);
    return { name, value: equal, tests: [testOf("=", equal)] };
  }
  const [start, end] = [value.slice(0, at), value.slice(at + 2)].map((part) => (part === "" ? undefined : bound(part)));
  const tests = [
    ...(start === undefined ? [] : [testOf(">=", start)]),
    ...(end === undefined ? [] : [testOf("<=", end)]),
  ];
  return { name, value: defined({ start, end }), tests };
}

function parseSort(text: string, entity: EntityInfo): { readonly field: string; readonly order: "asc" | "desc" } {
  const [field = "", order = "asc", ...rest] = text.split(":");
  if (rest.length > 0 || (order !== "asc" && order !== "desc")) {
    throw usageError(`Invalid sort order ${quote(text)}.`, {
      next: "Use --sort opened:desc.",
    });
  }
  needField(field, entity);
  return { field, order };
}

/** The index that is named, else the shortest one that begins with the filters and ends with the order. */
function indexFor(
  entity: EntityInfo,
  named: string | undefined,
  filters: readonly string[],
  sort: string | undefined,
): string {
  // The platform need not list the one it reads by when none is named.
  const indexes = { [DEFAULT_INDEX]: { fields: DEFAULT_FIELDS }, ...entity.index };
  const all = Object.entries(indexes).map(([name, { fields }]) => [name, fields] as const);
  const begins = (fields: readonly string[]): boolean =>
    filters.every((name) => fields.slice(0, filters.length).includes(name));
  const fits = (fields: readonly string[]): boolean => begins(fields) && (sort === undefined || fields.at(-1) === sort);
  const known = all.map(([name, fields]) => `${name} (${fields.join(", ")})`).join("; ");
  if (named !== undefined) {
    const found = all.find(([name]) => name === named);
    if (found === undefined) {
      throw usageError(`The entity "${entity.name}" has no index ${quote(named)}.`, { why: `It has ${known}.` });
    }
    if (fits(found[1])) return named;
  }
  const [best] = all.filter(([, fields]) => fits(fields)).toSorted(([, a], [, b]) => a.length - b.length);
  if (named === undefined && filters.length === 0 && sort === undefined) return DEFAULT_INDEX;
  if (named === undefined && best !== undefined) return best[0];
  const asked = [...filters.map((name) => `a filter on ${name}`), ...(sort === undefined ? [] : [`a sort by ${sort}`])];
  throw usageError(`No index supports ${asked.join(" and ")}.`, {
    code: "entity.no_fitting_index",
    why: `Filters must be the first fields of an index, and --sort its last one. Indexes: ${known}.`,
    next: `Add one: iot entity schema add ${entity.id} --index name=field,field`,
  });
}

/** Rows of one request when all are read. A server with a lower maximum returns a round number of them. */
const LARGE_PAGE_ROWS = 5_000;
const ROUND_ROWS = 1_000;

/** All rows, page by page. */
export async function* allRows(
  client: Resources,
  { id }: EntityInfo,
  selection: RowSelection,
): AsyncGenerator<EntityRow> {
  const { index, filter, order, fits, isByTime } = selection;
  const query = { index, filter, order_by: order };
  if (isByTime && order === "asc") {
    const options = { poolingRecordQty: ALL_ROWS_AMOUNT, poolingTime: 0, window: "time" } as const;
    for await (const page of client.entities.getEntityDataStreaming(id, query, options)) yield* page.filter(fits);
    return;
  }
  let amount = LARGE_PAGE_ROWS;
  for (let page = 1; ; page += 1) {
    const rows = await client.entities.getEntityData(id, { ...query, page, amount });
    yield* rows.filter(fits);
    if (rows.length === amount) continue;
    // Either the end, or the server's maximum: the next page of this size shows which.
    if (page > 1 || rows.length === 0 || rows.length % ROUND_ROWS !== 0) return;
    amount = rows.length;
  }
}

/** At most `limit` rows behind the first `skip`, and whether there were more. */
export function someRows(
  client: Resources,
  { id }: EntityInfo,
  { index, filter, order, fits }: RowSelection,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): { readonly rows: AsyncIterable<EntityRow>; more(): boolean } {
  let more = false;
  // One row more than wanted is asked for, so that "there are more" is a fact.
  const pageRows = skip === 0 ? Math.min(limit + 1, ALL_ROWS_AMOUNT) : ALL_ROWS_AMOUNT;
  async function* rows(): AsyncGenerator<EntityRow> {
    let left = limit;
    let drop = skip % pageRows;
    for (let page = Math.floor(skip / pageRows) + 1; ; page += 1) {
      const found = await client.entities.getEntityData(id, { index, filter, order_by: order, page, amount: pageRows });
      for (const row of found.slice(drop).filter(fits)) {
        if (left === 0) {
          more = true;
          return;
        }
        left -= 1;
        yield row;
      }
      drop = 0;
      if (found.length < pageRows) return;
    }
  }
  return { rows: rows(), more: () => more };
}

/** The kind of a field; the platform fills its own ones. */
function kindOf(name: string, { schema }: EntityInfo): ColumnKind {
  if (ownFields.includes(name)) return name === "id" ? "id" : "time";
  const type = schema[name]?.type ?? "text";
  return type in kinds ? kinds[type as keyof typeof kinds] : undefined;
}

const kinds = { int: "number", float: "number", timestamp: "time", boolean: "flag", json: "json", uuid: "id" } as const;

/** The fields of an entity as columns. */
export function rowColumns(entity: EntityInfo): readonly Column<EntityRow>[] {
  const own = Object.entries(entity.schema).filter(([name]) => !ownFields.includes(name));
  return [
    { key: "id", kind: "id" },
    ...own.map(([key]): Column<EntityRow> => {
      const kind = kindOf(key, entity);
      if (kind === "time") return { key, kind, exact: true };
      return kind === undefined ? { key } : { key, kind };
    }),
    { key: "created_at", kind: "time" },
    { key: "updated_at", kind: "time", hidden: true },
  ];
}

/** What every row has, for the schema of the result. */
export const commonColumns: readonly Column<EntityRow>[] = [
  { key: "id", kind: "id" },
  { key: "created_at", kind: "time" },
  { key: "updated_at", kind: "time" },
];
