import type { EntityInfo, EntitySchemaEdit } from "../../lib/resources/entities.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError, notFoundError, usageError } from "../kit/failures/command-error.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";
import { onOff } from "../kit/resource/body.ts";
import { named, ownFields, parseField, parseIndex } from "./fields.ts";
import { entityArgument, entityOf, firstArgument } from "./place.ts";

/** A field or an index of an entity. */
interface SchemaRow {
  readonly kind: "field" | "index";
  readonly name: string;
  readonly type?: string;
  readonly required?: boolean;
  /** Of an index, in order. */
  readonly fields?: readonly string[];
}

const columns: readonly Column<SchemaRow>[] = [
  { key: "kind" },
  { key: "name", kind: "id" },
  { key: "type" },
  { key: "required", kind: "flag" },
  {
    key: "fields",
    kind: "json",
    value: ({ fields }) => fields?.join(", "),
    schema: { type: "array", items: { type: "string" } },
  },
];

function rowsOf({ schema, index }: EntityInfo): readonly SchemaRow[] {
  return [
    ...Object.entries(schema).map(
      ([name, { type, required }]): SchemaRow => ({ kind: "field", name, type, required: required === true }),
    ),
    ...Object.entries(index ?? {}).map(([name, { fields }]): SchemaRow => ({ kind: "index", name, fields })),
  ];
}

const print = (ctx: CommandContext, entity: EntityInfo): Promise<unknown> =>
  ctx.out.list(rowsOf(entity), { columns, empty: "The entity has no fields.", idKey: "name" });

/** Sends the changes and prints what the schema is then. */
async function change(ctx: CommandContext, entity: EntityInfo, changes: EntitySchemaEdit, done: string): Promise<void> {
  if (await ctx.dryRun({ method: "PUT", path: `/entity/${entity.id}/schema`, body: changes })) return;
  const { entities } = await ctx.client();
  await entities.editSchemaIndex(entity.id, changes);
  await print(ctx, await entities.info(entity.id));
  await ctx.done(`${done} in entity "${entity.name}"`);
}

function needField(entity: EntityInfo, name: string): void {
  if (Object.hasOwn(entity.schema, name) && !ownFields.includes(name)) return;
  if (ownFields.includes(name)) {
    throw usageError(`The field ${name} is built in.`, { next: "It cannot be changed." });
  }
  throw missing("field", name, Object.keys(entity.schema), entity);
}

function missing(
  kind: "field" | "index",
  name: string,
  known: readonly string[],
  { name: entity, id }: EntityInfo,
): Error {
  const isField = kind === "field";
  const code = isField ? "entity.no_field" : "entity.no_index";
  return notFoundError(`The entity "${entity}" has no ${kind} ${quote(name)}.`, {
    code,
    why: `It has ${known.join(", ") || "none"}.`,
    ...didYouMean(name, known, `Run "iot entity schema ${id}".`),
  });
}

const related = ["iot entity schema", "iot entity get"];

const showSchema = defineCommand({
  path: ["schema"],
  effect: "reads",
  summary: "Show the fields and indexes of an entity",
  details: "Rows can be filtered by a field only if an index starts with it.",
  args: [entityArgument],
  result: rows(columns),
  examples: ['iot entity schema "name:sites"', 'iot entity schema "name:sites" --json'],
  related: [
    "iot entity schema add",
    "iot entity schema rename",
    "iot entity schema update",
    "iot entity schema delete",
    "iot entity data list",
  ],
  async run(ctx, input) {
    await print(ctx, await entityOf(ctx, input.args.id));
  },
});

const addToSchema = defineCommand({
  path: ["schema", "add"],
  effect: "changes",
  summary: "Add fields and indexes to an entity",
  details: "A required field can be added only while the entity has no rows. A field's type cannot be changed later.",
  args: [firstArgument],
  options: [
    {
      name: "field",
      value: "name:type",
      summary: "new field as name:type, plus :required if it must have a value",
      repeat: true,
    },
    { name: "index", value: "name=fields", summary: "new index over 1 to 5 fields: by_city=city,opened", repeat: true },
  ],
  result: rows(columns),
  examples: [
    'iot entity schema add "name:sites" --field phone:string --index by_area=area',
    'iot entity schema add "name:empty" --field total:float:required --dry-run',
  ],
  exitCodes: [3, 7],
  related,
  async run(ctx, input) {
    const schema = named(input.options.field.map(parseField), "--field");
    const index = named(input.options.index.map(parseIndex), "--index");
    const names = [...Object.keys(schema), ...Object.keys(index)];
    if (names.length === 0) {
      throw usageError("No fields or indexes given.", { next: "Add --field name:type or --index name=field." });
    }
    const entity = await entityOf(ctx, input.args.id);
    const known = [...Object.keys(entity.schema), ...Object.keys(entity.index ?? {})];
    const there = names.find((name) => known.includes(name));
    if (there !== undefined) {
      throw conflictError(`The entity "${entity.name}" already has ${quote(there)}.`, {
        next: `Run "iot entity schema ${entity.id}".`,
      });
    }
    const changes: EntitySchemaEdit = {
      ...(Object.keys(schema).length === 0 ? {} : { schema: withAction(schema) }),
      ...(Object.keys(index).length === 0 ? {} : { index: withAction(index) }),
    };
    await change(ctx, entity, changes, `Added ${names.join(", ")}`);
  },
});

function withAction<Value extends object>(record: Readonly<Record<string, Value>>) {
  return Object.fromEntries(Object.entries(record).map(([name, one]) => [name, { action: "create" as const, ...one }]));
}

const renameField = defineCommand({
  path: ["schema", "rename"],
  effect: "changes",
  summary: "Rename a field of an entity, with its values",
  details: "Indexes are updated. Programs and widgets that use the old name are not.",
  args: [
    firstArgument,
    { name: "field", summary: "name of the field", required: true },
    { name: "new-name", summary: "new name, using a-z and _", required: true },
  ],
  result: rows(columns),
  examples: [
    'iot entity schema rename "name:empty" label title',
    'iot entity schema rename "name:sites" note remark --dry-run',
  ],
  exitCodes: [7],
  related,
  async run(ctx, input) {
    const { field, newName: name } = input.args;
    if (!/^[a-z_]{1,63}$/.test(name)) {
      throw usageError(`${quote(name)} is not a valid field name.`, { why: "Names consist of a-z and _." });
    }
    const entity = await entityOf(ctx, input.args.id);
    needField(entity, field);
    if (Object.hasOwn(entity.schema, name)) {
      throw conflictError(`The entity "${entity.name}" already has a field ${quote(name)}.`, {
        next: "Use another name.",
      });
    }
    const changes: EntitySchemaEdit = { schema: { [field]: { action: "rename", new_name: name } } };
    await change(ctx, entity, changes, `Renamed ${field} to ${name}`);
  },
});

const updateField = defineCommand({
  path: ["schema", "update"],
  aliases: ["edit"],
  effect: "changes",
  summary: "Make a field of an entity required or optional",
  details: "A field's type cannot be changed: add another field and move the values.",
  args: [firstArgument, { name: "field", summary: "name of the field", required: true }],
  options: [
    { name: "required", opposite: "optional", summary: "every row must have a value" },
    { name: "optional", summary: "rows may have no value" },
  ],
  result: rows(columns),
  examples: [
    'iot entity schema update "name:sites" city --optional',
    'iot entity schema update "name:sites" state --required --dry-run',
  ],
  related,
  async run(ctx, input) {
    const { field } = input.args;
    const required = onOff(input.options.required, input.options.optional);
    if (required === undefined) {
      throw usageError("No changes given.", { next: "Add --required or --optional." });
    }
    const entity = await entityOf(ctx, input.args.id);
    needField(entity, field);
    const changes: EntitySchemaEdit = { schema: { [field]: { action: "update", required } } };
    await change(ctx, entity, changes, `Made ${field} ${required ? "required" : "optional"}`);
  },
});

const deleteFromSchema = defineCommand({
  path: ["schema", "delete"],
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete fields and indexes of an entity",
  details: "Deleting a field deletes its values. A field that an index uses can be deleted together with the index.",
  args: [firstArgument],
  options: [
    { name: "field", value: "name", summary: "field to delete, with its values in all rows", repeat: true },
    { name: "index", value: "name", summary: "index to delete", repeat: true },
  ],
  result: rows(columns),
  examples: [
    'iot entity schema delete "name:sites" --index name_idx --confirm sites',
    'iot entity schema delete "name:sites" --field note --dry-run',
  ],
  related,
  async run(ctx, input) {
    const { field: fields, index: indexes } = input.options;
    const names = [...fields, ...indexes];
    if (names.length === 0) {
      throw usageError("No fields or indexes given.", { next: "Add --field name or --index name." });
    }
    const entity = await entityOf(ctx, input.args.id);
    for (const field of fields) needField(entity, field);
    const known = Object.keys(entity.index ?? {});
    for (const index of indexes) if (!known.includes(index)) throw missing("index", index, known, entity);
    const changes: EntitySchemaEdit = {
      ...(fields.length === 0
        ? {}
        : {
            schema: named(
              fields.map((name) => [name, { action: "delete" }]),
              "--field",
            ),
          }),
      ...(indexes.length === 0
        ? {}
        : {
            index: named(
              indexes.map((name) => [name, { action: "delete" }]),
              "--index",
            ),
          }),
    };
    if (!ctx.flags.dryRun) {
      const what = [
        ...(fields.length === 0 ? [] : [`the field ${fields.join(", ")} with its values`]),
        ...(indexes.length === 0 ? [] : [`the index ${indexes.join(", ")}`]),
      ];
      await ctx.confirm({
        level: 2,
        action: `Delete ${what.join(" and ")} of entity "${entity.name}"`,
        name: entity.name,
      });
    }
    await change(ctx, entity, changes, `Deleted ${names.join(", ")}`);
  },
});

export const schemaCommands: readonly Command[] = [showSchema, addToSchema, renameField, updateField, deleteFromSchema];
