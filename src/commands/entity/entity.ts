import { ENTITY_JSON_MAX_BYTES, ENTITY_MAX_CHARS } from "../../lib/core/limits.ts";
import type { EntityField, EntityIndexFields } from "../../lib/resources/entities.ts";
import { countText } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { objectOf } from "../kit/files/files.ts";
import { entityFinder } from "../kit/finders/entity.ts";
import { resource, unhidden } from "../kit/resource/resource.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { named, parseField, parseIndex } from "./fields.ts";

interface EntityRow {
  readonly id: string;
  readonly name?: string;
  readonly schema?: Readonly<Record<string, EntityField>>;
  readonly index?: Readonly<Record<string, EntityIndexFields>>;
}

const columns: readonly Column<EntityRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  {
    key: "schema",
    header: "fields",
    kind: "json",
    value: ({ schema }) => (schema === undefined ? undefined : Object.keys(schema).filter(isTheirs).join(", ")),
  },
  { key: "tags", kind: "tags" },
  { key: "updated_at", kind: "time" },
  { key: "created_at", kind: "time", hidden: true },
  {
    key: "index",
    header: "indexes",
    kind: "json",
    value: ({ index }) => Object.keys(index ?? {}).join(", "),
    hidden: true,
  },
  { key: "payload_decoder", hidden: true },
];

const isTheirs = (name: string): boolean => !["id", "created_at", "updated_at"].includes(name);

export const entityCommands = resource({
  finder: entityFinder,
  route: resourceRoutes.entity,
  api: ({ entities }) => entities,
  columns,
  fields: [
    { name: "name", kind: "content", needed: "--name orders", summary: "name of the entity" },
    {
      name: "payload-decoder",
      kind: "content",
      value: "base64",
      summary: "script that transforms incoming rows, base64; @file reads it",
    },
  ],
  tags: true,
  list: {
    filterable: ["id", "name"],
    sortable: ["name", "created_at", "updated_at"],
    fields: ["id", "name", "schema", "tags", "updated_at", "created_at"],
    filters: [{ name: "name", value: "text", summary: "only entities with this name; * matches any text" }],
    examples: [
      "iot entity list",
      "iot entity list --tag kind=site --fields id,name",
      "iot entity list --name 's*' -o id",
    ],
  },
  get: {
    details: 'Field types: "iot entity schema". -o json prints the full entity.',
    examples: ['iot entity get "name:sites"', 'iot entity get "name:sites" --json'],
    columns: unhidden(columns).filter(({ key }) => key !== "payload_decoder"),
  },
  create: {
    options: [
      {
        name: "field",
        value: "name:type",
        summary: "field as name:type, plus :required if it must have a value",
        repeat: true,
      },
      { name: "index", value: "name=fields", summary: "index over 1 to 5 fields: by_city=city,opened", repeat: true },
    ],
    details:
      `Types: string (${ENTITY_MAX_CHARS.string} characters), text (${countText(ENTITY_MAX_CHARS.text)}), int, float, boolean, timestamp, json (${ENTITY_JSON_MAX_BYTES / 1024} kB), uuid. The platform adds id, ` +
      "created_at and updated_at. A field's type cannot be changed later.",
    examples: [
      "iot entity create --name orders --field customer:string:required --field total:float --index by_customer=customer",
      "iot entity create --name visits --field note:text --tag kind=log --dry-run",
    ],
    complete(_ctx, { options }, body) {
      const schema = named(options.field.map(parseField), "--field");
      const index = named(options.index.map(parseIndex), "--index");
      return {
        ...body,
        ...(Object.keys(schema).length > 0 && { schema: { ...objectOf(body["schema"]), ...schema } }),
        ...(Object.keys(index).length > 0 && { index: { ...objectOf(body["index"]), ...index } }),
      };
    },
    hint: ({ id }) => `Add rows with "iot entity data add ${id} field=value" or "iot entity data import".`,
  },
  update: {
    change: "--name orders or --tag kind=site",
    details: 'Change fields and indexes with "iot entity schema add", rename, update and delete.',
    examples: [
      'iot entity update "name:empty" --tag kind=test',
      'iot entity update "name:sites" --name places --dry-run',
    ],
  },
  delete: {
    examples: ['iot entity delete "name:empty" --dry-run', 'iot entity delete "name:empty" "name:sites" --dry-run'],
  },
});
