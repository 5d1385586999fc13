/** The storage settings of a device that determine how its data can change. */
export interface DataDevice {
  readonly id: string;
  readonly type: StorageType;
  readonly chunkPeriod?: ChunkPeriod;
  /** Number of older periods stored besides the current one. */
  readonly chunkRetention?: number;
  /** Hybrid only: a variable with an unanchored match is stored on the mutable side. */
  readonly mutableVariableRegex?: string;
}

export type StorageType = "mutable" | "immutable" | "hybrid" | "legacy";
export type ChunkPeriod = "day" | "week" | "month" | "quarter";
export type DataValue = string | number | boolean;

export interface GeoPoint {
  readonly type: "Point";
  /** Longitude, latitude. */
  readonly coordinates: readonly [number, number] | readonly [number, number, number];
}

/** A row in the format of requests and responses (docs/internals/platform/model.md, Data rows). */
export interface WireRow {
  readonly id: string;
  readonly device: string;
  readonly variable: string;
  readonly value?: DataValue;
  readonly unit?: string;
  readonly group: string;
  readonly location?: GeoPoint;
  readonly metadata?: object;
  /** ISO 8601. */
  readonly time: string;
  /** ISO 8601; only when details were requested. */
  readonly created_at?: string;
}

/** A row that passed the write rules, with defaults set. */
export interface NewRow {
  readonly variable: string;
  readonly value?: DataValue;
  readonly unit?: string;
  readonly group: string;
  readonly location?: GeoPoint;
  readonly metadata?: object;
  readonly timeMs: number;
}

export const INTERVALS = ["minute", "hour", "day", "month", "quarter", "year"] as const;
export type Interval = (typeof INTERVALS)[number];

export const AGGREGATE_FUNCTIONS = ["avg", "sum", "min", "max"] as const;
type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number];

export const COMPARISONS = ["gt", "gte", "lt", "lte", "eq", "ne"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const PICKS = [
  "last_item",
  "first_item",
  "last_value",
  "first_value",
  "last_location",
  "first_location",
  "last_insert",
  "first_insert",
  "min",
  "max",
] as const;
/** Queries that return one row per variable. */
export type PickKind = (typeof PICKS)[number];

/** Filter of a query. Empty lists match everything. Both bounds are inclusive. */
export interface RowFilter {
  readonly variables: readonly string[];
  readonly groups: readonly string[];
  readonly ids: readonly string[];
  /** Compared with the string form of a value. */
  readonly values: readonly string[];
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Requested result (docs/internals/platform/queries.md, Query kinds). */
export type Question =
  | { readonly kind: "page"; readonly qty: number; readonly skip: number; readonly ascending: boolean }
  | { readonly kind: "pick"; readonly pick: PickKind }
  | { readonly kind: "number"; readonly of: "count" | "avg" | "sum" }
  | { readonly kind: "aggregate"; readonly interval: Interval; readonly of: AggregateFunction }
  | { readonly kind: "summary"; readonly of: AggregateFunction | "count" }
  | { readonly kind: "conditional"; readonly comparison: Comparison; readonly threshold: number; readonly qty: number };

export interface DataQuery {
  readonly filter: RowFilter;
  /** Rows include `created_at`. */
  readonly details: boolean;
  readonly question: Question;
}
