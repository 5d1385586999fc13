import type { JsonSchema } from "../../schema/widgets/index.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input } from "../kit/command/options.ts";
import { either, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";
import { typeArgument, unknownType } from "../kit/widgets/options.ts";

interface TypeRow {
  readonly type: string;
  /** What it was in the old structure. */
  readonly legacy: string;
}

interface FieldRow {
  readonly field: string;
  readonly type: string;
  readonly required: boolean;
  readonly about: string;
}

const typeColumns: readonly Column<TypeRow>[] = [{ key: "type" }, { key: "legacy" }];
const fieldColumns: readonly Column<FieldRow>[] = [
  { key: "field" },
  { key: "type" },
  { key: "required", kind: "flag" },
  { key: "about" },
];

const args = [typeArgument] as const satisfies Arguments;

type Given = Input<typeof args, []>;

/** The types, or the fields of one. */
async function types(ctx: CommandContext, input: Given): Promise<void> {
  const { widgetSchema, widgetTypes } = await import("../../schema/widgets/index.ts");
  const type = input.args.type;
  if (type === undefined) {
    const legacy = await legacyNames();
    const rows = widgetTypes.map((each) => ({ type: each, legacy: (legacy.get(each) ?? []).join(", ") }));
    await ctx.out.list(rows, { columns: typeColumns, empty: "No types.", idKey: "type" });
    return;
  }
  const found = widgetSchema(type);
  if (found === undefined) throw unknownType(type, widgetTypes);
  const defs = found.$defs ?? {};
  await ctx.out.list([...fieldRows(found, "", defs)], { columns: fieldColumns, empty: "No fields.", idKey: "field" });
}

/** Old types and sub-types; what each became is asked of the converters. */
const oldTypes: readonly (readonly [type: string, key?: string, values?: readonly string[]])[] = [
  ["gauge", "gauge_type", ["angular", "solid", "clock", "vu_meter", "dial"]],
  ["chart", "chart_type", ["spline", "area", "bar_horizontal", "bar_vertical", "multiple_axis"]],
  ["pie", "pie_type", ["circle", "half_circle"]],
  ["table", "table_type", ["dynamic", "static"]],
  ["input", "input_type", ["form", "switch"]],
  ["layer", "layer_type", ["heat_map", "image_marker", "compose", "virtualization_layer"]],
  ["image", "type_media", ["static_image", "static_video"]],
  ["media", "type_media", ["static_image", "static_video"]],
  ...["incremental_button", "step_button", "push_button", "keypad", "card", "tile", "icon", "map", "note"].map(alone),
  ...["iframe", "display", "cylinder", "grainbin", "dial"].map(alone),
];

/** Rejects a type that is neither one of the new structure nor a legacy one; `--input` accepts any. */
export async function requireWidgetType(type: string): Promise<void> {
  const { widgetTypes: current } = await import("../../schema/widgets/index.ts");
  const known = [...new Set([...current, ...oldTypes.map(([name]) => name)])];
  if (!known.includes(type)) {
    throw unknownWord("widget type", type, known, {
      next: 'Run "iot widget types". A type that is newer than iot can be given in a file with --input.',
    });
  }
}

function alone(type: string): readonly [string] {
  return [type];
}

async function legacyNames(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { inspectWidget } = await import("../../lib/widgets/index.ts");
  const names = new Map<string, string[]>();
  for (const [type, key, values = [""]] of oldTypes) {
    for (const value of values) {
      const { newType } = inspectWidget({ type, display: key === undefined ? {} : { [key]: value } });
      if (newType === undefined) continue;
      names.set(newType, [...(names.get(newType) ?? []), value === "" ? type : `${type}/${value}`]);
    }
  }
  return names;
}

type Defs = Readonly<Record<string, JsonSchema>>;

/** Every field below a schema. The schemas hold no circles, so the list ends. */
function* fieldRows(schema: JsonSchema, path: string, defs: Defs): Generator<FieldRow> {
  for (const [key, below] of Object.entries(schema.properties ?? {})) {
    const field = path === "" ? key : `${path}.${key}`;
    const required = schema.required?.includes(key) ?? false;
    yield { field, type: typeText(below, defs), required, about: below.description ?? "" };
    yield* insideOf(below, field, defs);
  }
}

function* insideOf(schema: JsonSchema, field: string, defs: Defs): Generator<FieldRow> {
  if (schema.$ref !== undefined) yield* insideOf(defs[schema.$ref.slice("#/$defs/".length)] ?? {}, field, defs);
  else if (schema.items !== undefined) yield* insideOf(schema.items, `${field}[]`, defs);
  else if (schema.properties !== undefined) yield* fieldRows(schema, field, defs);
  else if (schema.anyOf === undefined) return;
  else for (const choice of schema.anyOf) yield* insideOf(choice, field, defs);
}

function typeText(schema: JsonSchema, defs: Defs): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.$ref !== undefined) return schema.$ref.slice("#/$defs/".length);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((choice) => typeText(choice, defs)))].join(" | ");
  if (schema.items !== undefined) return `list of ${typeText(schema.items, defs)}`;
  if (schema.type === undefined) return "any";
  return typeof schema.type === "string" ? schema.type : schema.type.join(" | ");
}

export const widgetTypes = defineCommand({
  path: ["types"],
  asks: "nothing",
  result: either(rows(typeColumns), rows(fieldColumns)),
  effect: "reads",
  summary: "List widget types, or the fields of one type",
  args,
  groups: ["limit"],
  examples: ["iot widget types", "iot widget types angular"],
  exitCodes: [6],
  related: ["iot widget schema"],
  run: types,
});
