import { isRecord } from "../../lib/core/json.ts";
import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import type { Gap } from "../core/gap.ts";
import type { QueryObject, QueryValue } from "../core/query.ts";
import { numberOf, textOf } from "../core/query.ts";
import { type SourceFinder, structured } from "../dashboards/blueprint.ts";
import { toDataDevice } from "../data/device.ts";
import { parseDataQuery } from "../data/query.ts";
import type { DataStore } from "../data/store.ts";
import type { EntityRows } from "../entities/rows.ts";
import type { EntityDocument } from "../store/document.ts";
import { widgetGaps } from "./gaps.ts";
import { idOf } from "./tags.ts";

interface EntryParts {
  readonly data: DataStore;
  readonly entityRows: EntityRows;
}

type Entry = Readonly<Record<string, unknown>>;

const DATES = ["start_date", "end_date", "timezone"] as const;
/** Widgets that show their rows by pages, in the current and the legacy format. */
const TABLES: readonly unknown[] = ["dynamic_table", "static_table", "table"];
const DEFAULT_ROWS = 15;

/** What one request requests of all entries of a widget. */
export interface EntryView {
  readonly find: SourceFinder;
  readonly query: QueryObject;
  readonly nowMs: number;
  readonly isTable: boolean;
  /** Called with each assumption the response rests on. */
  readonly assume: (gap: Gap) => void;
}

export function isTable(widget: EntityDocument): boolean {
  return TABLES.includes(widget["type"]);
}

/** `page` from 1 and `amount` of a request. */
export function pageOf(query: QueryObject): { readonly page: number; readonly amount: number | undefined } {
  const asked = Math.trunc(numberOf(query["amount"]) ?? 0);
  return {
    page: Math.max(1, Math.trunc(numberOf(query["page"]) ?? 1)),
    amount: asked <= 0 ? undefined : Math.min(MAX_LIST_AMOUNT, asked),
  };
}

/** The dates of the request replace the entry's own, unless the entry forbids it. */
function withDates(entry: Entry, query: QueryObject): Entry {
  const overwrite = structured(query["overwrite"], "overwrite");
  if (entry["overwrite"] === false || !isRecord(overwrite)) return entry;
  const asked = DATES.flatMap((name) => {
    const text = textOf(overwrite[name] as QueryValue | undefined);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { ...entry, ...Object.fromEntries(asked) };
}

/** Only properties that are part of a data query, without nulls. */
function paramsOf(entry: Entry): Record<string, unknown> {
  const { origin: _, bucket: _bucket, overwrite: _overwrite, is_hide: _hide, ...params } = entry;
  const known = Object.entries(params).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return Object.fromEntries(known.map(([name, value]) => [name, typeof value === "number" ? String(value) : value]));
}

/** The rows of a page; an entry's own `qty` is the most over all pages. Undefined: past the end. */
function pageParams(params: Entry, { query, isTable: pages }: EntryView): Record<string, string> | undefined {
  const { page, amount: asked } = pageOf(query);
  if (params["skip"] !== undefined || (page === 1 && !(pages && asked !== undefined))) return {};
  const most = numberOf(String(params["qty"] ?? ""));
  const amount = asked ?? most ?? DEFAULT_ROWS;
  const skip = (page - 1) * amount;
  const qty = pages && most !== undefined ? Math.min(amount, most - skip) : amount;
  return qty <= 0 ? undefined : { skip: String(skip), qty: String(qty) };
}

/** Old widgets read origin and serie. A number becomes one row, in the format of per-variable queries. */
function toWidgetRows(result: unknown, deviceId: string, entry: Entry, nowMs: number): unknown[] {
  if (typeof result === "number") {
    const [variable = ""] = [entry["variables"]].flat().map(String);
    const time = new Date(nowMs).toISOString();
    return [{ variable, value: result, time, device: deviceId, origin: deviceId }];
  }
  if (!Array.isArray(result)) return [];
  return result.filter(isRecord).map((row) => ({
    ...row,
    device: deviceId,
    origin: deviceId,
    ...(row["group"] !== undefined && { serie: row["group"] }),
  }));
}

/** Rows of an entity: `variables` are its fields, `qty` rows a page. */
function entityRows(
  app: Pick<EntryParts, "entityRows">,
  entity: EntityDocument,
  { query }: EntryView,
  entry: Entry,
): unknown[] {
  const { page, amount } = pageOf(query);
  const { index, filter, order_by, qty, variables } = entry;
  const rows = app.entityRows.list(entity, {
    ...(typeof index === "string" && { index }),
    ...(typeof order_by === "string" && { order_by }),
    ...(isRecord(filter) && { filter: toQuery(filter) }),
    ...(variables !== undefined && variables !== null && { fields: [variables].flat().map(String) }),
    amount: String(qty ?? amount ?? DEFAULT_ROWS),
    page: String(page),
  });
  return rows.map((row) => ({ ...row, origin: entity.id }));
}

/** Values of a stored definition in the form of a query string. */
function toQuery(values: Entry): QueryObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isRecord(value) ? toQuery(value) : String(value ?? "")]),
  );
}

/** The result of one `data` entry of a widget. Empty without a device. */
export function resolveEntry(app: EntryParts, view: EntryView, entry: Entry): unknown[] {
  const source = view.find(idOf(entry["origin"]));
  if (source === undefined) return [];
  const { kind, document } = source;
  if (kind === "entity") {
    view.assume(widgetGaps.entities);
    return entityRows(app, document, view, entry);
  }
  const params = paramsOf(withDates(entry, view.query));
  const page = pageParams(params, view);
  if (page === undefined) return [];
  if (params["query"] === "aggregate") view.assume(widgetGaps.calculations);
  const result = app.data.read(toDataDevice(document), parseDataQuery({ ...params, ...page }, view.nowMs));
  if (typeof result === "number") view.assume(widgetGaps.numbers);
  return toWidgetRows(result, document.id, entry, view.nowMs);
}
