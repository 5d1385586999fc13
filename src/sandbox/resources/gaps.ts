import type { Gap } from "../core/gap.ts";

/** Choices about files, entities, dictionaries, secrets, integrations and core instances. */
export const resourceGaps: readonly Gap[] = [
  {
    subject: "Paths of files",
    choice: "empty segments, . and .. are dropped; 1,024 bytes at most; else 400 Invalid filename",
  },
  { subject: "GET /files, path without a final slash", choice: "the folder of this name, else names that start so" },
  {
    subject: "GET /files?search=",
    choice:
      "files at any depth whose path holds the text, in any case; the platform filters the fetched page only, so its pages are short and later matches are missed",
  },
  {
    subject: "Host of the files",
    choice: "the sandbox itself, nothing is cached; addresses as /file/{profile}/{path}, not /{profile}/storage/{path}",
  },
  {
    subject: "Moving, copying, permissions of a folder",
    choice: "every file under it; 404 file can't be found when there is none",
  },
  { subject: "Deleting the root of the files", choice: "nothing is deleted" },
  {
    subject: "POST /data/files, upload of a form field",
    choice:
      "profile tokens: anywhere; others need access to the dashboard and store in the folder of the field (its path, else devices/{device id}) or where access rules let them upload; 400 for other names and for a file there with another visibility",
  },
  { subject: "Uploads in parts", choice: "only the token's owner continues one; profile tokens continue all" },
  { subject: "GET /file", choice: "the bytes at once, no redirect; Range, HEAD, If-None-Match; ETag is the MD5" },
  { subject: "ETag of a file in parts", choice: "MD5 of the MD5s of its parts, -, their number" },
  { subject: "Signed links", choice: "one hour; expires and signature in the query" },
  {
    subject: "Upload: unknown, finished or aborted id",
    choice: "404 Upload Not Found; the same end again answers the same file",
  },
  {
    subject: "Upload: parts",
    choice: "numbers from 1 without a gap; small, missing or changed parts: 400; multipart_action=abort gives it up",
  },
  { subject: "Uploads nobody completes", choice: "forgotten after seven days" },
  { subject: "POST /files with base64", choice: "64 MB at most, all files or none" },
  { subject: "File storage", choice: "200 MB, 10 GB, 100 GB by plan; total and usage in units of 1,048,576 bytes" },
  {
    subject: "Content type of a file",
    choice: "as sent, else by its extension; pages are served with a sandboxing policy",
  },
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
