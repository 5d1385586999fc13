import type { Column } from "../../kit/command/columns.ts";
import type { Command } from "../../kit/command/define.ts";
import type { JsonSchema } from "../../kit/command/json-schema.ts";
import type { ResultSpec } from "../../kit/command/result.ts";
import { allOptionsOf, ruleNotes } from "../../kit/command/rules.ts";

const orNull = (type: string): JsonSchema => ({ type: [type, "null"] });

const ofKind: Readonly<Record<NonNullable<Column<never>["kind"]>, JsonSchema>> = {
  id: orNull("string"),
  text: orNull("string"),
  number: orNull("number"),
  time: { type: ["string", "null"], description: 'A date in ISO 8601, or a word such as "never".' },
  flag: orNull("boolean"),
  tags: {
    type: ["array", "null"],
    items: { type: "object", properties: { key: { type: "string" }, value: { type: "string" } } },
  },
  json: {},
  secret: orNull("string"),
};

/** The properties of the columns. A path with a dot names a nested property. */
function membersOf(columns: readonly Column<never>[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const column of columns) {
    const { key } = column;
    const [head = key] = key.split(".");
    properties[head] = head === key ? schemaOfColumn(column) : (properties[head] ?? {});
  }
  return { type: "object", properties };
}

/** Kinds say how a value is shown. A column that computes its cells says nothing about the property of that name. */
function schemaOfColumn({ kind, schema, value }: Column<never>): JsonSchema {
  if (schema !== undefined) return schema;
  return value !== undefined && kind === undefined ? {} : ofKind[kind ?? "text"];
}

function schemaOf(result: ResultSpec): JsonSchema {
  switch (result.shape) {
    case "list":
      return { type: "array", items: membersOf(result.columns) };
    case "item":
      return membersOf(result.columns);
    case "either":
      return { anyOf: result.of.map(schemaOf) };
    case "value":
      return result.schema;
    case "text":
      return { type: "string" };
    case "none":
      return { type: "null" };
  }
}

const plan: JsonSchema = {
  type: "array",
  description: "With --dry-run: the requests that would be sent.",
  items: {
    type: "object",
    required: ["method", "path"],
    properties: { method: { type: "string" }, path: { type: "string" }, body: {} },
  },
};

/** JSON Schema of what `-o json` prints; undefined where the output is that of another program. */
export function resultSchema(title: string, command: Command): JsonSchema | undefined {
  if (command.result === undefined || command.passThrough === true) return undefined;
  const found = schemaOf(command.result);
  const isPlanned = command.groups?.includes("dryRun") === true;
  const body = isPlanned ? { anyOf: [found, plan] } : found;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `Output of "${title} -o json"`,
    description: `${command.summary}.`,
    ...body,
    ...rulesOf(command),
  };
}

/** Which flags of the command need or exclude others; JSON Schema ignores what starts with `x-`. */
function rulesOf(command: Command): JsonSchema {
  const notes = ruleNotes(allOptionsOf(command));
  const rules = (command.options ?? []).flatMap(({ name }) => {
    const { needs, conflicts } = notes(name);
    if (needs.length + conflicts.length === 0) return [];
    const rule = { ...(needs.length > 0 && { needs }), ...(conflicts.length > 0 && { conflicts }) };
    return [[name, rule] as const];
  });
  return rules.length === 0 ? {} : { "x-flags": Object.fromEntries(rules) };
}
