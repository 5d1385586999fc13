import type { Column } from "../../kit/command/columns.ts";
import type { Command } from "../../kit/command/define.ts";
import type { JsonSchema } from "../../kit/command/json-schema.ts";
import type { ResultSpec } from "../../kit/command/result.ts";

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(", ");

function columnsText(columns: readonly Column<never>[]): string {
  const shown = columns.filter((column) => column.hidden !== true).map(({ key }) => key);
  const hidden = columns.filter((column) => column.hidden === true).map(({ key }) => key);
  return hidden.length === 0 ? names(shown) : `${names(shown)}; with \`--fields\` also ${names(hidden)}`;
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

function membersText(schema: JsonSchema): string {
  const properties = isSchema(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return properties.length === 0 ? "" : ` with ${names(properties)}`;
}

function schemaText(schema: JsonSchema): string {
  const { type, items } = schema;
  if (Array.isArray(schema["anyOf"])) return schema["anyOf"].filter(isSchema).map(schemaText).join(", or ");
  if (type === "array")
    return isSchema(items) && items["type"] === "object" ? `a list of objects${membersText(items)}` : "a list";
  if (type === "object") return `an object${membersText(schema)}`;
  if (type === "integer" || type === "number") return "a number";
  if (type === "string") return "a text";
  if (type === "boolean") return "true or false";
  return "a JSON value";
}

function shapeText(result: ResultSpec): string {
  switch (result.shape) {
    case "list":
      return `a list of objects with ${columnsText(result.columns)}`;
    case "item":
      return `an object with ${columnsText(result.columns)}`;
    case "either":
      return [...new Set(result.of.map(shapeText))].join(", or ");
    case "value":
      return schemaText(result.schema);
    case "text":
      return "one text";
    case "none":
      return "nothing";
  }
}

/** What `-o json` prints, as one sentence; names are between backticks. Empty where nobody said. */
export function resultText(command: Command): string {
  const { result } = command;
  if (result === undefined) return "";
  const text = shapeText(result);
  const plan =
    command.groups?.includes("dryRun") === true
      ? " With `--dry-run`: the requests, a list of objects with `method`, `path`, `body`."
      : "";
  return `${text}.${plan}`;
}
