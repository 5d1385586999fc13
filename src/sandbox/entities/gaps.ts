import type { Gap } from "../core/gap.ts";

/** Assumptions about entities and their rows. */
export const entityGaps = {
  badRow: {
    subject: "Entity rows",
    choice: "a row that breaks a rule: 400 with row and field, nothing is stored; ids are texts or new UUIDs",
  },
  types: { subject: "Entity fields of type boolean and uuid", choice: "accepted" },
  filter: {
    subject: "Entity, unknown index or filter outside its prefix",
    choice: "400 Invalid index, 400 Invalid filter",
  },
  order: {
    subject: "Entity rows without order_by",
    choice: "descending by the last field of the index, rows without a value last",
    general: true,
  },
  schema: {
    subject: "Entity schema",
    choice: "an indexed field cannot be deleted; required needs a value in every row",
  },
  limits: {
    subject: "Entity limits by plan",
    choice: "30 fields and 10 indexes on every plan, any number of rows; 100 rows a request",
  },
  ownDates: {
    subject: "Entity rows with created_at or updated_at",
    choice: "fields are empty, required ones too",
  },
  amount: {
    subject: "Entity data_amount",
    choice: "the number of rows; the platform has answered 0 for some",
    general: true,
  },
  indexes: { subject: "Entity info", choice: "lists id_created_at_idx; one source says it does not", general: true },
  listFields: {
    subject: "fields of the entity list",
    choice: "every one asked for; the platform may leave some out, such as index",
  },
  parsers: { subject: "Entity parsers", choice: "run over POST only, as those of devices" },
  events: {
    subject: "entity_data",
    choice: "the rows as they are now; of a deletion as they were; nothing when an entity is emptied",
    general: true,
  },
} as const satisfies Readonly<Record<string, Gap>>;
