import { allRows, eachRow } from "../api/all-rows.ts";
import { idsToDelete } from "../api/assert.ts";
import { checkFilter, checkQuery } from "../api/check-query.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import { type Given, type ListQuery, type Picked, pageParameters } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { batchQty, batchWait, pacer, readsByTime } from "../api/streaming.ts";
import { readWindows, type WindowStream } from "../api/time-window.ts";
import { InputError } from "../core/errors.ts";
import { DATA_STREAM_WAIT_MS, LIST_PAGE, MAX_DATA_STREAM_QTY } from "../core/limits.ts";
import { stoppable } from "../core/stoppable.ts";
import type { GenericID, StreamWindow, Tag } from "./data-types.ts";
import type { entityFieldTypes } from "./enums.ts";

const dates = ["created_at", "updated_at"] as const satisfies DateKeys<EntityInfo> & DateKeys<EntityData<object>>;

const listFields = ["id", "profile", "name", "tags"] as const;

/**
 * Routes of `Resources.entities`.
 *
 * @internal
 */
export const entityRoutes = {
  list: get("/entity", { dates, list: { fields: listFields, orderBy: ["name", "asc"] } }),
  create: post("/entity", { result: "object" }),
  edit: put("/entity/:entityID"),
  delete: del("/entity/:entityID"),
  info: get("/entity/:entityID", { dates }),
  amount: get("/entity/:entityID/data_amount", { result: "any" }),
  getEntityData: get("/entity/:entityID/data", { result: "list", dates }),
  editEntityData: put("/entity/:entityID/data"),
  sendEntityData: post("/entity/:entityID/data"),
  deleteEntityData: del("/entity/:entityID/data"),
  editSchemaIndex: put("/entity/:entityID/schema"),
  emptyEntityData: post("/entity/:entityID/empty"),
};

/** The entities of the profile: tables with a schema, and their rows. */
export class Entities extends Module {
  /**
   * Lists entities.
   *
   * @param queryObj filter, order and page. Defaults: fields id, profile, name and tags; order `name,asc`
   * @example
   * ```ts
   * const entities = await resources.entities.list({ fields: ["name", "schema"] });
   * ```
   */
  list<const Q extends Given<EntityQuery>>(
    queryObj?: Q,
    options?: EntityCallOptions,
  ): Promise<Picked<EntityInfo, Q, (typeof listFields)[number]>[]> {
    return this.page(entityRoutes.list, queryObj, callOptions(options));
  }

  /**
   * Iterates over all entities, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.entities.all()) console.log(id, name);
   * ```
   */
  all<const Q extends Given<EntityQuery>>(
    queryObj?: Q,
    options?: EntityCallOptions,
  ): AsyncGenerator<Picked<EntityInfo, Q, (typeof listFields)[number]>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Creates an entity; the platform adds the fields id, created_at and updated_at with their indexes.
   *
   * @returns the id of the entity as `id`
   * @example
   * ```ts
   * const { id } = await resources.entities.create({
   *   name: "orders",
   *   schema: { customer: { type: "string", required: true }, total: { type: "float" } },
   *   index: { by_customer: { fields: ["customer"] } },
   * });
   * ```
   */
  create(entityObj: EntityCreateInfo, options?: CallOptions): Promise<{ id: GenericID }> {
    return this.call(entityRoutes.create, { ...options, body: entityObj });
  }

  /**
   * Changes an entity.
   *
   * @example
   * ```ts
   * const { message } = await resources.entities.edit(entityID, { tags: [{ key: "site", value: "plant" }] });
   * ```
   */
  edit(entityID: GenericID, entityObj: EntityEditInfo, options?: CallOptions): Promise<Message> {
    return this.call(entityRoutes.edit, { ...options, params: { entityID }, body: entityObj });
  }

  /**
   * Deletes an entity with all its rows.
   *
   * @example
   * ```ts
   * await resources.entities.delete(entityID);
   * ```
   */
  delete(entityID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(entityRoutes.delete, { ...options, params: { entityID } });
  }

  /**
   * Retrieves an entity with its schema.
   *
   * @example
   * ```ts
   * const { schema, index } = await resources.entities.info(entityID);
   * ```
   */
  info(entityID: GenericID, options?: CallOptions): Promise<EntityInfo> {
    return this.call(entityRoutes.info, { ...options, params: { entityID } });
  }

  /**
   * Counts the rows of an entity.
   *
   * @example
   * ```ts
   * const rows = await resources.entities.amount(entityID);
   * ```
   */
  amount(entityID: GenericID, options?: CallOptions): Promise<number> {
    return this.call(entityRoutes.amount, { ...options, params: { entityID } });
  }

  /**
   * Reads rows of an entity.
   *
   * @param queryParams which rows; the platform's default number of them without `amount`
   * @example
   * ```ts
   * const orders = await resources.entities.getEntityData<{ customer: string; total: number }>(entityID, {
   *   index: "by_customer",
   *   filter: { customer: "Jo" },
   *   amount: 100,
   * });
   * const sum = orders.reduce((all, { total }) => all + total, 0);
   * ```
   */
  async getEntityData<Row extends object = Record<string, unknown>>(
    entityID: GenericID,
    queryParams?: Given<EntityDataQuery>,
    options?: EntityCallOptions,
  ): Promise<EntityData<Row>[]> {
    const query = pageParameters(queryParams);
    checkFilter(query?.["filter"]);
    const input = { ...callOptions(options), params: { entityID }, query };
    return this.call(entityRoutes.getEntityData, input);
  }

  /**
   * Reads all matching rows page by page, the oldest first unless `order_by` says otherwise.
   *
   * Rows are counted by page: rows deleted while reading move later ones to an earlier page, unless `window` is `time`.
   *
   * @throws InputError `The maximum of poolingRecordQty is 10000`
   * @example
   * ```ts
   * for await (const page of resources.entities.getEntityDataStreaming<{ total: number }>(entityID)) {
   *   for (const { id, total } of page) console.log(id, total);
   * }
   * ```
   */
  getEntityDataStreaming<Row extends object = Record<string, unknown>>(
    entityID: GenericID,
    queryParams?: Given<Omit<EntityDataQuery, "page" | "amount">>,
    options?: EntityDataStreamOptions,
  ): AsyncGenerator<EntityData<Row>[], void, undefined> {
    return stoppable(options?.signal, (signal) => this.#dataPages<Row>(entityID, queryParams, options, signal));
  }

  /**
   * Iterates over all matching rows of an entity, the oldest first.
   * Reads pages of 10000 as they are needed; `getEntityDataStreaming` yields the pages.
   *
   * @example
   * ```ts
   * for await (const { id, total } of resources.entities.allEntityData<{ total: number }>(entityID)) console.log(id, total);
   * ```
   */
  allEntityData<Row extends object = Record<string, unknown>>(
    entityID: GenericID,
    queryParams?: Given<Omit<EntityDataQuery, "page" | "amount">>,
    options?: EntityDataStreamOptions,
  ): AsyncGenerator<EntityData<Row>, void, undefined> {
    const largest = { poolingRecordQty: MAX_DATA_STREAM_QTY, ...options };
    return eachRow(largest, (stream) => this.getEntityDataStreaming<Row>(entityID, queryParams, stream));
  }

  async *#dataPages<Row extends object>(
    entityID: GenericID,
    queryParams: Given<Omit<EntityDataQuery, "page" | "amount">> | undefined,
    options: EntityDataStreamOptions | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<EntityData<Row>[], void, undefined> {
    checkFilter(checkQuery(queryParams)["filter"]);
    const amount = batchQty(options?.poolingRecordQty, MAX_DATA_STREAM_QTY);
    const waitMs = batchWait(options?.poolingTime, DATA_STREAM_WAIT_MS);
    const { clock } = this.client;
    if (readsByTime(options?.window)) {
      yield* readWindows([this.#byCreation<Row>(entityID, queryParams ?? {}, signal)], {
        qty: amount,
        waitMs,
        clock,
        signal,
      });
      return;
    }
    const pace = pacer(clock, waitMs, signal);
    for (let page = LIST_PAGE; ; page += 1) {
      await pace();
      const query = { order_by: "asc", ...queryParams, page, amount } as const;
      const rows = await this.getEntityData<Row>(entityID, query, { signal });
      if (rows.length > 0) yield rows;
      if (rows.length < amount) return;
    }
  }

  /**
   * Changes rows of an entity, field by field.
   *
   * @example
   * ```ts
   * await resources.entities.editEntityData(entityID, { id: rowID, total: 12.5 });
   * ```
   */
  editEntityData(
    entityID: GenericID,
    updatedData: EntityDataEdit | readonly EntityDataEdit[],
    options?: CallOptions,
  ): Promise<string> {
    return this.call(entityRoutes.editEntityData, { ...options, params: { entityID }, body: updatedData });
  }

  /**
   * Adds rows to an entity; at most 100 per call. A row whose `id` exists is changed instead.
   *
   * @example
   * ```ts
   * await resources.entities.sendEntityData(entityID, [{ customer: "Jo", total: 9.9 }]);
   * ```
   */
  sendEntityData(
    entityID: GenericID,
    data: EntityDataCreate | readonly EntityDataCreate[],
    options?: CallOptions,
  ): Promise<string> {
    return this.call(entityRoutes.sendEntityData, { ...options, params: { entityID }, body: data });
  }

  /**
   * Deletes rows of an entity; at most 10 per call.
   *
   * @param itemsToDelete the `ids` of the rows, at most 10
   * @throws InputError without ids: the request would not say which rows
   * @example
   * ```ts
   * await resources.entities.deleteEntityData(entityID, { ids: [rowID] });
   * ```
   */
  async deleteEntityData(
    entityID: GenericID,
    itemsToDelete: { ids: readonly string[] },
    options?: CallOptions,
  ): Promise<string> {
    idsToDelete(itemsToDelete?.ids);
    return this.call(entityRoutes.deleteEntityData, { ...options, params: { entityID }, body: itemsToDelete });
  }

  /**
   * Changes fields and indexes of an entity. The type of a field cannot change.
   *
   * @example
   * ```ts
   * await resources.entities.editSchemaIndex(entityID, {
   *   schema: { note: { action: "create", type: "text" } },
   *   index: { by_note: { action: "delete" } },
   * });
   * ```
   */
  editSchemaIndex(entityID: GenericID, data: EntitySchemaEdit, options?: CallOptions): Promise<Message> {
    return this.call(entityRoutes.editSchemaIndex, { ...options, params: { entityID }, body: data });
  }

  /**
   * Renames a field.
   *
   * @example
   * ```ts
   * await resources.entities.renameField(entityID, "total", "amount_due");
   * ```
   */
  renameField(entityID: GenericID, field: string, newName: string, options?: CallOptions): Promise<Message> {
    return this.editSchemaIndex(entityID, { schema: named(field, { action: "rename", new_name: newName }) }, options);
  }

  /**
   * Changes a field.
   *
   * @example
   * ```ts
   * await resources.entities.updateField(entityID, "customer", { required: false });
   * ```
   */
  updateField(
    entityID: GenericID,
    field: string,
    data: EntityFieldUpdate | EntitySchema,
    options?: CallOptions,
  ): Promise<Message> {
    return this.editSchemaIndex(entityID, { schema: named(field, { action: "update", ...data }) }, options);
  }

  /**
   * Deletes a field with its values.
   *
   * @example
   * ```ts
   * await resources.entities.deleteField(entityID, "note");
   * ```
   */
  deleteField(entityID: GenericID, field: string, options?: CallOptions): Promise<Message> {
    return this.editSchemaIndex(entityID, { schema: named(field, { action: "delete" }) }, options);
  }

  /**
   * Deletes an index.
   *
   * @example
   * ```ts
   * await resources.entities.deleteIndex(entityID, "by_customer");
   * ```
   */
  deleteIndex(entityID: GenericID, index: string, options?: CallOptions): Promise<Message> {
    return this.editSchemaIndex(entityID, { index: named(index, { action: "delete" }) }, options);
  }

  /**
   * Deletes all rows of an entity.
   *
   * @example
   * ```ts
   * await resources.entities.emptyEntityData(entityID);
   * ```
   */
  emptyEntityData(entityId: GenericID, options?: CallOptions): Promise<string> {
    return this.call(entityRoutes.emptyEntityData, { ...options, params: { entityID: entityId } });
  }

  /** The rows of an entity by the time of creation. */
  #byCreation<Row extends object>(
    entityID: GenericID,
    query: Given<Omit<EntityDataQuery, "page" | "amount">>,
    signal: AbortSignal | undefined,
  ): WindowStream<EntityData<Row>> {
    if (!query.index)
      throw new InputError("A window by time needs the name of an index that ends with created_at", "index");
    if (query.order_by === "desc")
      throw new InputError("A window by time reads the oldest rows first: leave out order_by", "order_by");
    const given = query.filter?.["created_at"];
    const range = typeof given === "object" && given !== null && !(given instanceof Date) ? given : {};
    return {
      maxQty: MAX_DATA_STREAM_QTY,
      keyOf: ({ id }) => id,
      momentOf: ({ created_at }) => created_at,
      read: (from, amount, turn) => {
        const since = from === undefined ? {} : { filter: { ...query.filter, created_at: { ...range, start: from } } };
        const page = { order_by: "asc", page: turn + 1, amount } as const;
        return this.getEntityData<Row>(entityID, { ...query, ...since, ...page }, { signal });
      },
    };
  }
}

interface Message {
  /** What the platform says, such as `Entity Successfully Updated`. */
  message: string;
}

/** Type of a field: `string` holds 255 characters, `text` 30,000, `json` 10 kB. */
export type EntityFieldType = (typeof entityFieldTypes)[number];

/** A field of an entity. Names are made of `a`-`z` and `_`. */
export interface EntityField {
  /** Cannot change later. */
  type: EntityFieldType;
  /** Rows without it are rejected. @default false */
  required?: boolean;
}

/** An index of an entity: 1 to 5 fields in order. It cannot be changed. */
export interface EntityIndexFields {
  /** Names of the fields, the first one first. */
  fields: string[];
}

/** An entity. */
export interface EntityInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile the entity belongs to. */
  profile: GenericID;
  /** 1 to 100 characters. */
  name: string;
  /** Fields by name; the platform adds id, created_at and updated_at. */
  schema: Record<string, EntityField>;
  /** Indexes by name. */
  index: Record<string, EntityIndexFields>;
  /** Tags to find it by, at most 30. */
  tags: Tag[];
  /** Parser of arriving rows, base64; null when off. */
  payload_decoder: string | null;
  /** The platform's own; not with lists. */
  database?: GenericID;
  /** When it was created. */
  created_at: Date;
  /** Last change to the entity, not to its rows. */
  updated_at: Date;
}

/** Indexes of an entity by name. */
export type EntityIndex = Record<string, Partial<EntityIndexFields>>;

/** A field to add. */
export interface EntityFieldCreate extends Partial<EntityField> {
  /** Needed in `editSchemaIndex`. */
  action?: "create";
}

/** Changes to a field. */
export interface EntityFieldUpdate {
  /** Whether rows without the field are rejected. */
  required?: boolean;
}

/** An index to add. */
export interface EntityIndexCreate extends EntityIndexFields {
  /** Needed in `editSchemaIndex`. */
  action?: "create";
}

/** Fields for creating an entity. */
export interface EntityCreateInfo extends Partial<Pick<EntityInfo, "name">> {
  /** Fields by name. id, created_at and updated_at are added. */
  schema?: EntitySchema;
  /** Indexes by name. id_idx, id_created_at_idx and id_updated_at_idx are added. */
  index?: Record<string, Partial<EntityIndexCreate>>;
  /** Tags to find it by, at most 30. */
  tags?: Tag[];
  /** Source of the parser of arriving rows, base64; null for none. */
  payload_decoder?: string | null;
}

/** Changes to an entity; properties left out stay as they are. Fields and indexes change with `editSchemaIndex`. */
export type EntityEditInfo = Partial<EntityCreateInfo>;

/** Changes to the fields and indexes of an entity, by name. */
export interface EntitySchemaEdit {
  /** Fields by name; the platform needs `action` in each. A rename needs `new_name`. */
  schema?: EntitySchema;
  /** Indexes by name; the platform needs `action` in each. */
  index?: Record<string, Partial<EntityIndexCreate> | { action?: "delete" }>;
}

/** Fields of an entity by name, and what is done to each: `action`, and `new_name` for a rename. */
export type EntitySchema = Record<
  string,
  | EntityFieldCreate
  | ({ action: "update" } & EntityFieldUpdate)
  | { action: "rename"; new_name: string }
  | { action: "delete" }
  | Record<string, unknown>
>;

/** Asks for part of the list of entities. */
export interface EntityQuery
  extends ListQuery<EntityInfo, "name" | "visible" | "active" | "last_input" | "created_at" | "updated_at"> {
  /** Not sent: entities have no bucket. */
  resolveBucketName?: boolean;
  /** Not sent: entities have no connector. */
  resolveConnectorName?: boolean;
}

/** A row of an entity: one property per field of the schema, null where it is not set. */
export type EntityData<Row extends object = Record<string, unknown>> = Row & {
  /** The one sent with the row, else set by the platform. */
  id: string;
  /** When the row was added. */
  created_at: Date;
  /** Last change to the row. */
  updated_at: Date;
};

/** A row to add, by field; the platform sets an `id` unless one is sent. */
export type EntityDataCreate = Record<string, unknown>;

/** A change to the row with this `id`: fields sent replace, fields left out stay. */
export type EntityDataEdit = { id: string } & Record<string, unknown>;

/** Which rows to read. */
export interface EntityDataQuery {
  /**
   * Conditions on the fields of `index`, from its first one on without a gap: a value, or a range on the last one.
   */
  filter?: Record<string, unknown>;
  /** Name of the index to read by. @default "id_created_at_idx" */
  index?: string;
  /** Page, from 1. @default 1 */
  page?: number;
  /** Rows per page, at most 10000. Sent only when it is given; 0 is sent as 20. */
  amount?: number;
  /** Direction of the index's last field. */
  order_by?: "asc" | "desc";
  /** @deprecated the platform takes `page` */
  skip?: number;
  /** @deprecated the platform takes `order_by` */
  order?: Record<string, "asc" | "desc">;
  /** @deprecated the platform takes a range in `filter` */
  startDate?: Date | string;
  /** @deprecated the platform takes a range in `filter` */
  endDate?: Date | string;
}

/** Options of reads of entities. */
export interface EntityCallOptions extends CallOptions {
  /** Not used. */
  paramsSerializer?: unknown;
}

/** Options of a stream of entity rows. */
export interface EntityDataStreamOptions {
  /** Rows per page. @default 1000, at most 10000 */
  poolingRecordQty?: number;
  /** Milliseconds from one request to the next. @default 1000 */
  poolingTime?: number;
  /**
   * `time` goes on from the `created_at` of the last row instead of counting pages: rows inserted or deleted meanwhile are
   * neither returned twice nor left out. The query must name an `index` whose last field is `created_at`. @default "count"
   */
  window?: StreamWindow;
  /** Aborts the stream with a CancelledError. */
  signal?: AbortSignal;
}

/** A record with one property, also for names such as `__proto__`. */
function named<Value>(name: string, value: Value): Record<string, Value> {
  return Object.fromEntries([[name, value]]);
}

/** Older programs pass request settings here, which must not change what is asked for. */
function callOptions(options: CallOptions | undefined): CallOptions {
  return { signal: options?.signal, timeoutMs: options?.timeoutMs };
}
