import { allRows } from "../api/all-rows.ts";
import { checkQuery, wholeNumber } from "../api/check-query.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { clearCacheAfter } from "../http/response-cache.ts";
import type { GenericID, Tag } from "./data-types.ts";

const dates = ["created_at", "updated_at"] as const satisfies DateKeys<SQLInfo>;

const listFields = ["id", "name", "tags"] as const;

/**
 * Routes of `Resources.sql`.
 *
 * @internal
 */
export const sqlRoutes = {
  list: get("/sql", { dates, list: { fields: listFields, orderBy: ["created_at", "desc"] } }),
  create: post("/sql", { result: "object", dates }),
  info: get("/sql/:sqlID", { dates }),
  edit: put("/sql/:sqlID", { result: "object", dates }),
  delete: del("/sql/:sqlID"),
  getVersion: get("/sql/:sqlID/version/:version", { dates: ["created_at"] satisfies DateKeys<SQLVersion> }),
  execute: post("/sql/:sqlID/execute", { result: "object" }),
  tables: get("/sql/tables", { result: "any" }),
};

/** The stored queries of the profile. Changes clear the response cache. */
export class SQL extends Module {
  /**
   * Lists stored queries.
   *
   * @param queryObj filter, order and page. Defaults: fields id, name and tags; order `created_at,desc`
   * @example
   * ```ts
   * const queries = await resources.sql.list({ fields: ["name", "query"] });
   * ```
   */
  list<const Q extends Given<SQLQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StoredSQL, Q, keyof SQLInfo>[]> {
    return this.page(sqlRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all stored queries, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.sql.all({ fields: ["name"] })) console.log(id, name);
   * ```
   */
  all<const Q extends Given<SQLQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StoredSQL, Q, keyof SQLInfo>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Stores a query.
   *
   * @returns the stored query
   * @example
   * ```ts
   * const { id } = await resources.sql.create({
   *   name: "Warm freezers",
   *   query: "SELECT d.time, d.value FROM device_tag('room', 'freezer') AS d WHERE value > $1",
   *   params: [{ key: "$1", value: "-12" }],
   * });
   * ```
   */
  create(sqlObj: SQLCreateInfo, options?: CallOptions): Promise<StoredSQL> {
    return clearCacheAfter(this.call(sqlRoutes.create, { ...options, body: sqlObj }));
  }

  /**
   * Retrieves a stored query.
   *
   * @example
   * ```ts
   * const { query, version } = await resources.sql.info(sqlID);
   * ```
   */
  info(sqlID: GenericID, options?: CallOptions): Promise<StoredSQL> {
    return this.call(sqlRoutes.info, { ...options, params: { sqlID } });
  }

  /**
   * Changes a stored query.
   *
   * @example
   * ```ts
   * const { version } = await resources.sql.edit(sqlID, { name: "All", query: "SELECT d.name FROM devices() AS d" });
   * ```
   */
  edit(sqlID: GenericID, sqlObj: SQLEditInfo, options?: CallOptions): Promise<StoredSQL> {
    return clearCacheAfter(this.call(sqlRoutes.edit, { ...options, params: { sqlID }, body: sqlObj }));
  }

  /**
   * Deletes a stored query.
   *
   * @returns its id as `id`
   *
   * @example
   * ```ts
   * await resources.sql.delete(sqlID);
   * ```
   */
  delete(sqlID: GenericID, options?: CallOptions): Promise<{ id: GenericID }> {
    return clearCacheAfter(this.call(sqlRoutes.delete, { ...options, params: { sqlID } }));
  }

  /**
   * Retrieves an earlier statement of a stored query.
   *
   * @example
   * ```ts
   * const { query } = await resources.sql.getVersion(sqlID, 1);
   * ```
   */
  getVersion(sqlID: GenericID, version: number, options?: CallOptions): Promise<SQLVersion> {
    return this.call(sqlRoutes.getVersion, { ...options, params: { sqlID, version: String(version) } });
  }

  /**
   * Runs a stored query.
   *
   * @example
   * ```ts
   * const { columns, rows } = await resources.sql.execute(sqlID, { params: [{ key: "$1", value: "-10" }] });
   * ```
   */
  execute(sqlID: GenericID, executeObj?: SQLExecute, options?: CallOptions): Promise<SQLResult> {
    return this.call(sqlRoutes.execute, { ...options, params: { sqlID }, body: executeObj ?? {} });
  }

  /**
   * Lists the tables a statement can read.
   *
   * @example
   * ```ts
   * const tables = await resources.sql.tables({ filter: "orders" });
   * ```
   */
  async tables(queryObj?: Given<SQLTablesQuery>, options?: CallOptions): Promise<SQLTablesResult> {
    const given = checkQuery(queryObj);
    for (const name of ["page", "amount"]) wholeNumber(given[name], name);
    return this.call(sqlRoutes.tables, { ...options, query: queryObj && { ...queryObj } });
  }
}

/** A stored query. */
export interface SQLInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile the query belongs to. */
  profile?: GenericID;
  /** Name shown in lists. */
  name: string;
  /** Whether it can be run. */
  active?: boolean;
  /** Tags to find it by, at most 30. */
  tags?: Tag[];
  /** The statement. */
  query: string;
  /** What it is for. */
  description?: string;
  /** Parameters of the statement and their default values. */
  params?: SQLParam[];
  /** Whether results are reused. @default false */
  cache_enabled?: boolean;
  /** How long a result may be reused, seconds. */
  cache_ttl_seconds?: number;
  /** Runs allowed per minute; null: no limit of its own. */
  rate_limit_rpm?: number | null;
  /** Number of the present statement. */
  version: number;
  /** Whether the statement depends on who runs it. */
  session_context: boolean;
  /** When it was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** A stored query as the platform returns it. */
export type StoredSQL = Stored<SQLInfo, "active" | "tags">;

/** Fields for creating a stored query. */
export type SQLCreateInfo = Pick<SQLInfo, "name" | "query"> &
  Partial<
    Pick<
      SQLInfo,
      "description" | "params" | "active" | "tags" | "cache_enabled" | "cache_ttl_seconds" | "rate_limit_rpm"
    >
  >;

/** A parameter of a statement. */
export interface SQLParam {
  /** `$1`, `$2` ... */
  key: string;
  /** Its value, as a string. */
  value: string;
}

/** Changes to a stored query; properties left out stay as they are. */
export type SQLEditInfo = Partial<SQLCreateInfo>;

/** Asks for part of the list of stored queries. */
export type SQLQuery = ListQuery<SQLInfo, "name" | "active" | "created_at" | "updated_at">;

/** An earlier statement of a stored query. */
export interface SQLVersion {
  /** Number of the statement, from 1. */
  version: number;
  /** The statement as it was. */
  query: string;
  /** Its parameters. */
  params: SQLParam[];
  /** When it was stored; null where the platform does not know it. */
  created_at: Date | null;
}

/** How to run a stored query. */
export interface SQLExecute {
  /** Values that replace defaults of parameters: `key` is `$1`, `$2` ..., and `value`. */
  params?: { key: string; value: unknown }[];
  /** Runs it without reading or writing the cache. */
  test?: boolean;
  /** For `device_data_by_tag`: reads the devices after this one. For the next page, the last device of the one before. */
  after_device?: GenericID;
}

/** What a stored query gave. */
export interface SQLResult {
  /** Columns, in the order of the statement. */
  columns: SQLColumn[];
  /** Rows, in the order of the result. */
  rows: Record<string, unknown>[];
  /** Number of `rows`. */
  row_count: number;
  /** Time it took, milliseconds. */
  execution_ms: number;
  /** Whether an earlier result was reused. */
  served_from_cache: boolean;
}

/** A column of a table or result. */
export interface SQLColumn {
  /** Name of the column. */
  name: string;
  /** What it holds. */
  type: "string" | "number" | "integer" | "timestamp" | "boolean" | "json";
}

/** A table a statement can read. */
export interface SQLTableInfo {
  /** Table function. */
  function: string;
  /** Name shown in lists. */
  label: string;
  /** How to choose devices by tag instead. */
  tag_form?: string;
  /** Columns of the table. */
  columns: SQLColumn[];
  /** Whether the columns depend on the resource. */
  dynamic?: boolean;
}

/** A device or entity a statement can name. */
export interface SQLResourceItem {
  /** Id of the resource. */
  id: GenericID;
  /** Name shown in lists. */
  name: string;
}

/** A function a statement can call. */
export interface SQLFunctionInfo {
  /** Name of the function. */
  name: string;
  /** `session` depends on who runs the statement. */
  kind: "aggregate" | "predicate" | "session";
  /** Names of the arguments. */
  args: string[];
  /** What it returns. */
  description: string;
  /** A call of it. */
  example?: string;
}

/** What statements can read and call. */
export interface SQLTablesResult {
  /** Tables. */
  tables: SQLTableInfo[];
  /** What tables can be made of: `devices` and `entities`. */
  resources: { devices: SQLResourceItem[]; entities: SQLResourceItem[] };
  /** Functions. */
  functions: SQLFunctionInfo[];
}

/** Asks for part of the tables a statement can read. */
export interface SQLTablesQuery {
  /** Part of the name. */
  filter?: string;
  /** Tables per page. */
  amount?: number;
  /** Page, from 1. */
  page?: number;
  /** Only the table of this entity. */
  entity_id?: GenericID;
}
