import { defined } from "../../../lib/core/defined.ts";
import { ENTITY_MAX_CHARS } from "../../../lib/core/limits.ts";
import type { JsonSchema } from "../command/json-schema.ts";
import type { EntityModel, FieldModel, PlatformModel, ValueKind, VariableModel } from "./model.ts";
import { typeNames } from "./names.ts";

/** Comment of a file of ours; one that has another is not overwritten without asking. */
export const schemaMark = 'Made by "iot generate types". Changes are lost when it runs again.';

const typeOf = (kinds: readonly ValueKind[]): JsonSchema => {
  if (kinds.length === 0 || kinds.includes("any")) return {};
  return kinds.length === 1 ? { type: kinds[0] } : { type: kinds };
};

const formats: Readonly<Record<string, JsonSchema>> = {
  timestamp: { format: "date-time" },
  uuid: { format: "uuid" },
  string: { maxLength: ENTITY_MAX_CHARS.string },
  text: { maxLength: ENTITY_MAX_CHARS.text },
};

function fieldSchema({ kind, type, required }: FieldModel): JsonSchema {
  if (kind === "any") return {};
  return { type: required ? kind : [kind, "null"], ...formats[type] };
}

function entitySchema({ name, fields }: EntityModel): JsonSchema {
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return {
    title: `A row of the entity ${JSON.stringify(name)}`,
    type: "object",
    properties: {
      id: { type: "string" },
      ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
      created_at: { type: "string", format: "date-time" },
      updated_at: { type: "string", format: "date-time" },
    },
    ...(required.length === 0 ? {} : { required }),
  };
}

const variableSchema = ({ kinds, unit }: VariableModel): JsonSchema => ({
  ...typeOf(kinds),
  ...defined({ description: unit }),
});

/** The model as one document with a definition for each entity, device and dictionary. */
export function jsonSchemaText({ entities, devices, dictionaries }: PlatformModel): string {
  const taken = new Set<string>();
  const [rowName, variablesName, keyName] = ["Row", "Variables", "Key"].map((ending) => typeNames(ending, taken));
  const definitions: Record<string, JsonSchema> = {};
  for (const entity of entities) definitions[rowName?.(entity.name) ?? ""] = entitySchema(entity);
  for (const { name, variables } of devices) {
    definitions[variablesName?.(name) ?? ""] = {
      title: `Values of the device ${JSON.stringify(name)}, by variable`,
      type: "object",
      properties: Object.fromEntries(variables.map((variable) => [variable.name, variableSchema(variable)])),
    };
  }
  for (const { slug, languages, keys } of dictionaries) {
    definitions[keyName?.(slug) ?? ""] = {
      title: `Keys of the dictionary ${slug}`,
      description: languages.join(", "),
      type: "string",
      enum: keys,
    };
  }
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $comment: schemaMark,
    $defs: definitions,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
