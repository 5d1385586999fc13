import { isRecord } from "../../lib/core/json.ts";
import type { QueryObject } from "../core/query.ts";
import { pagingOf, textOf } from "../core/query.ts";
import type { Collections } from "../store/document.ts";
import { fold } from "../store/list-query.ts";
import type { Column } from "./refusals.ts";

const columns = (types: Readonly<Record<string, string>>): Column[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));

export const DATA_COLUMNS = columns({
  id: "string",
  device: "string",
  variable: "string",
  value: "json",
  unit: "string",
  group: "string",
  time: "timestamp",
  location: "json",
  metadata: "json",
});

export const DEVICE_COLUMNS = columns({
  id: "string",
  name: "string",
  active: "boolean",
  type: "string",
  network: "string",
  connector: "string",
  tags: "json",
  last_input: "timestamp",
  created_at: "timestamp",
  updated_at: "timestamp",
});

const FUNCTIONS = [
  { name: "count", args: ["value"], description: "Number of rows", example: "count(d.id)" },
  { name: "sum", args: ["value"], description: "Sum of numbers", example: "sum(d.value)" },
  { name: "avg", args: ["value"], description: "Average of numbers", example: "avg(d.value)" },
  { name: "min", args: ["value"], description: "Smallest value", example: "min(d.value)" },
  { name: "max", args: ["value"], description: "Largest value", example: "max(d.value)" },
].map((about) => ({ ...about, kind: "aggregate" }));

const MAX_AMOUNT = 100;

/** Available in statements: tables, their devices and entities, functions. */
export function sqlTables(app: Collections, profile: string, query: QueryObject): Record<string, unknown> {
  const wanted = fold(textOf(query["filter"]) ?? "");
  const { limit, offset } = pagingOf(query, { most: MAX_AMOUNT });
  const resources = (kind: "device" | "entity") =>
    app
      .collection(kind)
      .all(profile)
      .filter((document) => fold(String(document["name"])).includes(wanted))
      .slice(offset, offset + limit)
      .map((document) => ({ id: document.id, name: document["name"], tags: document["tags"] ?? [] }));

  const entityId = textOf(query["entity_id"]);
  const entity = entityId === undefined ? undefined : app.collection("entity").need(entityId, profile);
  const schema = isRecord(entity?.["schema"]) ? entity["schema"] : {};
  const entityColumns = Object.entries(schema).map(([name, field]) => ({
    name,
    type: isRecord(field) ? field["type"] : null,
  }));
  return {
    tables: [
      { function: "device", label: "Device data", tag_form: "device_tag", columns: DATA_COLUMNS, dynamic: false },
      { function: "entity", label: "Entity", tag_form: "entity_tag", columns: entityColumns, dynamic: true },
      { function: "devices", label: "Devices", tag_form: null, columns: DEVICE_COLUMNS, dynamic: false },
    ],
    resources: { devices: resources("device"), entities: resources("entity") },
    functions: FUNCTIONS,
  };
}
