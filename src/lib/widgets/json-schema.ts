/** The subset of JSON Schema (2020-12) that the widget schemas use and `checkValue` supports. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string;
  readonly enum?: readonly (string | null)[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

type JsonType = "string" | "number" | "boolean" | "null" | "object" | "array";

type Fields = Readonly<Record<string, JsonSchema>>;

export const string: JsonSchema = { type: "string" };
export const stringOrNull: JsonSchema = { type: ["string", "null"] };
export const boolean: JsonSchema = { type: "boolean" };
export const booleanOrNull: JsonSchema = { type: ["boolean", "null"] };
export const number: JsonSchema = { type: "number" };
/** A number; stored widgets may have it as a string. */
export const numeric: JsonSchema = { type: ["number", "string", "null"] };
export const anything: JsonSchema = {};
export const anyObject: JsonSchema = { type: "object" };

export const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
export const oneOf = (...values: readonly (string | null)[]): JsonSchema => ({ enum: values });
export const either = (...choices: readonly JsonSchema[]): JsonSchema => ({ anyOf: choices });
export const constant = (value: string): JsonSchema => ({ const: value });
export const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
export const described = (description: string, schema: JsonSchema): JsonSchema => ({ ...schema, description });

/** An object with required and optional keys. Others are allowed, because the platform adds keys over time. */
export function shape(required: Fields, optional: Fields = {}): JsonSchema {
  const names = Object.keys(required);
  return {
    type: "object",
    properties: { ...required, ...optional },
    ...(names.length === 0 ? {} : { required: names }),
  };
}
