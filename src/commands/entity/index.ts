import type { EntityField, EntityIndexFields } from "../../lib/resources/entities.ts";
import { countOf } from "../../text/count.ts";
import { optionList } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { count, one } from "../kit/command/result.ts";
import { objectOf } from "../kit/files/files.ts";
import { resource, unhidden } from "../kit/resource/resource.ts";
import { dataCommands } from "./data.ts";
import { exportRows } from "./export.ts";
import { named, parseField, parseIndex } from "./fields.ts";
import { entityFinder } from "./finder.ts";
import { importRows } from "./import.ts";
import { entityArgument, entityOf } from "./place.ts";
import { schemaCommands } from "./schema.ts";

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

const entityCommands = resource<EntityRow>({
  finder: entityFinder,
  route: "/entity",
  api: ({ entities }) => entities,
  columns,
  fields: [
    { flag: "name", needed: "--name orders", summary: "name of the entity" },
    {
      flag: "payload-decoder",
      value: "base64",
      summary: "program that rewrites arriving rows, base64; @file reads it",
    },
  ],
  tags: true,
  list: {
    fields: ["id", "name", "schema", "tags", "updated_at", "created_at"],
    filters: [{ name: "name", value: "text", summary: "entities with this name; * stands for any text" }],
    examples: [
      "iot entity list",
      "iot entity list --tag kind=site --fields id,name",
      "iot entity list --name 's*' -o id",
    ],
  },
  get: {
    details: 'The fields with their types: "iot entity schema". -o json prints the whole entity.',
    examples: ['iot entity get "name:sites"', 'iot entity get "name:sites" --json'],
    columns: unhidden(columns).filter(({ key }) => key !== "payload_decoder"),
  },
  create: {
    options: [
      {
        name: "field",
        value: "name:type",
        summary: "field; name:type:required where it must have a value",
        repeat: true,
      },
      { name: "index", value: "name=fields", summary: "index over 1 to 5 fields: by_city=city,opened", repeat: true },
    ],
    details:
      "Types: string (255 characters), text (30,000), int, float, boolean, timestamp, json (10 kB), uuid. The platform adds id, " +
      "created_at and updated_at. The type of a field cannot change later.",
    examples: [
      "iot entity create --name orders --field customer:string:required --field total:float --index by_customer=customer",
      "iot entity create --name visits --field note:text --tag kind=log --dry-run",
    ],
    complete(_ctx, input, body) {
      const schema = named(optionList(input, "field").map(parseField), "--field");
      const index = named(optionList(input, "index").map(parseIndex), "--index");
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
    details: 'Fields and indexes change with "iot entity schema add", rename, update and delete.',
    examples: [
      'iot entity update "name:empty" --tag kind=test',
      'iot entity update "name:sites" --name places --dry-run',
    ],
  },
  delete: {
    examples: ['iot entity delete "name:empty" --dry-run', 'iot entity delete "name:empty" "name:sites" --dry-run'],
  },
});

const countRows = defineCommand({
  path: ["count"],
  effect: "reads",
  summary: "Count the rows of an entity",
  args: [entityArgument],
  result: count,
  examples: ['iot entity count "name:sites"', 'iot entity count "name:empty" --json'],
  related: ["iot entity data list"],
  async run(ctx, input) {
    const { id } = await entityOf(ctx, input);
    await ctx.out.value(await (await ctx.client()).entities.amount(id));
  },
});

interface Emptied {
  readonly id: string;
  readonly name: string;
  /** Rows there were. */
  readonly rows: number;
}

const emptiedColumns: readonly Column<Emptied>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "rows", kind: "number" },
];

const emptyEntity = defineCommand({
  path: ["empty"],
  effect: "deletes",
  summary: "Delete every row of an entity",
  details: "The entity and its schema stay. Prints how many rows there were.",
  args: [entityArgument],
  groups: ["confirm", "dryRun"],
  result: one(emptiedColumns),
  examples: ['iot entity empty "name:empty" --confirm empty', 'iot entity empty "name:sites" --dry-run'],
  related: ["iot entity data delete", "iot entity data export"],
  async run(ctx, input) {
    const { id, name } = await entityOf(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: `/entity/${id}/empty` })) return;
    const { entities } = await ctx.client();
    const rows = await entities.amount(id);
    await ctx.confirm({
      level: 2,
      action: `Delete all ${countOf(rows, "row")} of entity "${name}"`,
      name,
    });
    await entities.emptyEntityData(id);
    await ctx.out.item({ id, name, rows }, { columns: emptiedColumns });
    ctx.say.info(`Deleted ${countOf(rows, "row")} of entity "${name}" in ${(await ctx.connection()).label}.`);
  },
});

export const commands: readonly Command[] = [
  ...entityCommands,
  ...schemaCommands,
  countRows,
  emptyEntity,
  ...dataCommands,
  importRows,
  exportRows,
];
