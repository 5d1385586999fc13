import type { ListQuery } from "../api/list-query.ts";
import type { GenericID, StreamWindow, Tag } from "./data-types.ts";

/** Type of a field: `string` holds 255 characters, `text` 30,000, `json` 10 kB. */
export type EntityFieldType = "uuid" | "string" | "int" | "float" | "json" | "timestamp" | "text" | "boolean";

/** A field of an entity. Names are made of `a`-`z` and `_`. */
export interface EntityField {
  /** Cannot change later. */
  type: EntityFieldType;
  /** Rows without it are refused. @default false */
  required?: boolean;
}

/** An index of an entity: 1 to 5 fields in order. It cannot be changed. */
export interface EntityIndex {
  /** Names of the fields, the first one first. */
  fields: string[];
}

/** An entity. */
export interface EntityInfo {
  /** Made by the platform. */
  id: GenericID;
  /** Profile the entity belongs to. */
  profile: GenericID;
  /** 1 to 100 characters. */
  name: string;
  /** Fields by name; the platform adds id, created_at and updated_at. */
  schema: Record<string, EntityField>;
  /** Indexes by name. */
  index: Record<string, EntityIndex>;
  /** Tags to find it by, at most 30. */
  tags: Tag[];
  /** Parser of arriving rows, base64; null when off. */
  payload_decoder?: string | null;
  /** The platform's own; not with lists. */
  database?: GenericID;
  /** When it was made. */
  created_at: Date;
  /** Last change to the entity, not to its rows. */
  updated_at: Date;
}

/** A field to add. */
export interface EntityFieldCreate extends EntityField {
  /** What an entry without action means. */
  action?: "create";
}
/** Changes to a field. */
export interface EntityFieldUpdate {
  /** Whether rows without the field are refused. */
  required?: boolean;
}
/** An index to add. */
export interface EntityIndexCreate extends EntityIndex {
  /** What an entry without action means. */
  action?: "create";
}

/** What an entity is made of. */
export interface EntityCreateInfo extends Pick<EntityInfo, "name"> {
  /** Fields by name. id, created_at and updated_at are added. */
  schema?: Record<string, EntityFieldCreate>;
  /** Indexes by name. id_idx, id_created_at_idx and id_updated_at_idx are added. */
  index?: Record<string, EntityIndexCreate>;
  /** Tags to find it by, at most 30. */
  tags?: Tag[];
  /** Source of the parser of arriving rows, base64; null for none. */
  payload_decoder?: string | null;
}
/** Changes to an entity; members left out stay. Fields and indexes change with `editSchemaIndex`. */
export type EntityEditInfo = Partial<Omit<EntityCreateInfo, "schema" | "index">>;

/** Changes to the fields and indexes of an entity, by name. */
export interface EntitySchemaEdit {
  /** Fields by name; `action` says what is done. A rename gives the `new_name`. */
  schema?: Record<
    string,
    | EntityFieldCreate
    | ({ action: "update" } & EntityFieldUpdate)
    | { action: "rename"; new_name: string }
    | { action: "delete" }
  >;
  /** Indexes by name; `action` is create unless given. */
  index?: Record<string, EntityIndexCreate | { action: "delete" }>;
}

/** Asks for part of the list of entities. */
export type EntityQuery = ListQuery<EntityInfo, "name" | "created_at" | "updated_at">;

/** A row of an entity: one member per field of the schema, null where it is not set. */
export type EntityData<Row extends object = Record<string, unknown>> = Row & {
  /** The one sent with the row, else made by the platform. */
  id: string;
  /** When the row was added. */
  created_at: Date;
  /** Last change to the row. */
  updated_at: Date;
};

/** A row to add, by field; the platform makes an `id` unless one is given. */
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
  /** Rows per page. @default 20, at most 10000 */
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

/** Options of a stream of entity rows. */
export interface EntityDataStreamOptions {
  /** Rows per page. @default 1000, at most 10000 */
  poolingRecordQty?: number;
  /** Milliseconds from one request to the next. @default 1000 */
  poolingTime?: number;
  /**
   * `time` goes on from the `created_at` of the last row instead of counting pages: rows inserted or deleted meanwhile are
   * neither given twice nor left out. The query must name an `index` whose last field is `created_at`. @default "count"
   */
  window?: StreamWindow;
  /** Ends the stream with a CancelledError. */
  signal?: AbortSignal;
}
