import { z } from "zod";
import { ENTITY_MAX_CHARS, FILE_PATH_MAX_CHARS } from "../lib/core/limits.ts";
import { entityFieldTypes } from "../lib/resources/enums.ts";
import type {
  DeviceDataBackupParams,
  Entities,
  EntityCreateInfo,
  EntityDataCreate,
  EntityEditInfo,
  EntitySchemaEdit,
} from "../lib/resources/index.ts";
import { name, tags } from "./common.ts";

const fieldName = z.string().regex(/^(?!__proto__$)[a-z_]{1,63}$/, "Names of fields are made of a-z and _");
const indexName = z.string().regex(/^[a-z0-9_]{1,63}$/, "Names of indexes are made of a-z, 0-9 and _");

const fieldType = z.enum(entityFieldTypes);

const newField = z.object({
  action: z.literal("create").exactOptional(),
  type: fieldType,
  required: z.boolean().exactOptional(),
});

const newIndex = z.object({
  action: z.literal("create").exactOptional(),
  fields: z.array(fieldName).min(1, "At least 1 field").max(5, "At most 5 fields"),
});

/** Base64 of a parser; `off` and null mean none. */
const decoder = z
  .string()
  .max(64 * 1024, "At most 64 KiB")
  .transform((text) => (text === "off" ? null : text))
  .nullable()
  .exactOptional();

/** Body of `POST /entity`. */
export const entityCreate = z.object({
  name,
  schema: z.record(fieldName, newField).exactOptional(),
  index: z.record(indexName, newIndex).exactOptional(),
  tags: tags.exactOptional(),
  payload_decoder: decoder,
}) satisfies z.ZodType<EntityCreateInfo>;

/** Body of `PUT /entity/:id`. */
export const entityEdit = z.object({
  name: name.exactOptional(),
  tags: tags.exactOptional(),
  payload_decoder: decoder,
}) satisfies z.ZodType<EntityEditInfo>;

const create = z.literal("create");
const deletion = z.object({ action: z.literal("delete") });

/** A change to a field. */
const fieldChange = z.discriminatedUnion(
  "action",
  [
    newField.extend({ action: create }),
    z.object({ action: z.literal("rename"), new_name: fieldName }),
    z.object({ action: z.literal("update"), required: z.boolean().exactOptional(), type: fieldType.exactOptional() }),
    deletion,
  ],
  "The action must be create, rename, update or delete",
);

const indexChange = z.discriminatedUnion(
  "action",
  [newIndex.extend({ action: create }), deletion],
  "The action must be create or delete",
);

/** Body of `PUT /entity/:id/schema`. */
export const entitySchemaEdit = z.object({
  schema: z.record(z.string().max(63), fieldChange).exactOptional(),
  index: z.record(z.string().max(63), indexChange).exactOptional(),
}) satisfies z.ZodType<EntitySchemaEdit>;

export type FieldChange = z.infer<typeof fieldChange>;
export type EntitySchemaChanges = z.infer<typeof entitySchemaEdit>;

const row = z.record(z.string(), z.unknown());

/** Body of `POST` and `PUT /entity/:id/data`: one row or a list. */
export const entityRows = z
  .union([z.array(row), row])
  .transform((rows) => (Array.isArray(rows) ? rows : [rows])) satisfies z.ZodType<EntityDataCreate[]>;

/** Body of `DELETE /entity/:id/data`. */
export const entityRowIds = z.object({
  ids: z.array(z.string().min(1).max(ENTITY_MAX_CHARS.uuid)),
}) satisfies z.ZodType<Parameters<Entities["deleteEntityData"]>[1]>;

/** Body of `POST /entity/:id/data/backup`. */
export const entityBackup = z.object({
  file_address: z.string().min(1, "Required").max(FILE_PATH_MAX_CHARS),
  headers: z.boolean().exactOptional(),
}) satisfies z.ZodType<Partial<DeviceDataBackupParams>>;
