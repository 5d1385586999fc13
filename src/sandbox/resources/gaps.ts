import type { Gap } from "../core/gap.ts";

/** Choices about files, entities, dictionaries, secrets, integrations and core instances. */
export const resourceGaps: readonly Gap[] = [
  {
    subject: "Entity rows",
    choice: "a row that breaks a rule: 400 with row and field, nothing is stored; ids are texts or new UUIDs",
  },
  { subject: "Entity fields of type boolean and uuid", choice: "accepted" },
  { subject: "Entity, unknown index or filter outside its prefix", choice: "400 Invalid index, 400 Invalid filter" },
  {
    subject: "Entity rows without order_by",
    choice: "descending by the last field of the index, rows without a value last",
  },
  {
    subject: "Entity schema",
    choice: "an indexed field cannot be deleted; required needs a value in every row",
  },
  {
    subject: "Entity limits by plan",
    choice: "30 fields and 10 indexes on every plan, any number of rows; 100 rows a request",
  },
  { subject: "Entity rows with created_at or updated_at", choice: "fields are empty, required ones too" },
  { subject: "Entity data_amount", choice: "the number of rows; the platform has answered 0 for some" },
  { subject: "Entity info", choice: "lists id_created_at_idx; one source says it does not" },
  { subject: "Entity parsers", choice: "run over POST only, as those of devices" },
  {
    subject: "entity_data",
    choice: "the rows as they are now; of a deletion as they were; nothing when an entity is emptied",
  },
  {
    subject: "Dictionary languages",
    choice:
      "400 {locale} can't be found; PUT without dictionary keeps the texts; an inactive one with fallback is the fallback; the fallback cannot be deleted; any number on every plan",
  },
  { subject: "Dictionary by slug", choice: "fallback=false is followed" },
  { subject: "Slug of a dictionary", choice: "may have _; one in use: 400" },
  { subject: "Secrets", choice: "a key in use: 400; 10,000 characters at most" },
  { subject: "Connectors and networks of the catalogue", choice: "cannot be edited or deleted: 404" },
  {
    subject: "Connectors and networks",
    choice:
      "a connector is taken without a network; none is shared with another profile; an unknown serial number is 404 with an authorization too, where the platform may make an unassigned device; no MQTT broker, no TagoTiP",
  },
  { subject: "Serial masks", choice: "checked when a serial number is set: 400; required is not enforced" },
  {
    subject: "GET /integration/network/resolve with an authorization",
    choice: "devices of the authorization's profile; noted on the token",
  },
  { subject: "POST /integration/network/publish", choice: "goes to the outbox; Successfully Published" },
  {
    subject: "/middleware/downlink",
    choice: "needs a service authorization with an additional parameter; the frame goes to the outbox",
  },
  {
    subject: "Stored queries",
    choice:
      "POST answers 201; running one checks it and answers no columns and no rows; the cache and rate_limit_rpm are stored, not applied; no session_context; a statement is checked for its first word, its tables and their aliases, the names of tables and columns are not",
  },
  {
    subject: "GET /sql/tables",
    choice:
      "the three tables whose names are known, of five, and the aggregate functions; columns of the sandbox's choice",
  },
  { subject: "TCore", choice: "404 TCore Not Found; devices of an instance through tcore= only" },
];
