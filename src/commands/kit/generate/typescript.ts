import type { EntityModel, FieldModel, PlatformModel, ValueKind, VariableModel } from "./model.ts";
import { inComment, quoted, typeNames } from "./names.ts";

/** First line of a file of ours; one that begins with something else is not overwritten without asking. */
export const typescriptMark = '// Made by "iot generate types". Changes are lost when it runs again.';

const words: Readonly<Record<ValueKind, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  any: "unknown",
};

const member = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

function fieldLines({ name, kind, type, required }: FieldModel): string[] {
  const note = type === "timestamp" ? ["  /** ISO 8601. */"] : [];
  const isOptional = !required && kind !== "any";
  return [...note, `  ${member(name)}: ${words[kind]}${isOptional ? " | null" : ""};`];
}

function entityLines({ name, fields }: EntityModel, typeName: string): string[] {
  return [
    `/** A row of the entity ${inComment(quoted(name))}. */`,
    `export interface ${typeName} {`,
    "  id: string;",
    ...fields.flatMap(fieldLines),
    "  created_at: Date;",
    "  updated_at: Date;",
    "}",
    "",
  ];
}

function variableLines({ name, kinds, unit }: VariableModel): string[] {
  const type = kinds.length === 0 ? "undefined" : kinds.map((kind) => words[kind]).join(" | ");
  const note = unit === undefined ? [] : [`  /** ${inComment(unit)} */`];
  return [...note, `  ${member(name)}: ${type};`];
}

/** An interface that maps names to types. Only the types distinguish things of the same name. */
function indexLines(name: string, comment: string, members: readonly (readonly [string, string])[]): string[] {
  const types = new Map<string, string[]>();
  for (const [key, type] of members) types.set(key, [...(types.get(key) ?? []), type]);
  return [
    `/** ${comment} */`,
    `export interface ${name} {`,
    ...[...types].map(([key, list]) => `  ${member(key)}: ${list.join(" | ")};`),
    "}",
    "",
  ];
}

/** The model as a module of types. The same model yields the same source. */
export function typescriptText({ entities, devices, dictionaries }: PlatformModel): string {
  const taken = new Set(["Entities", "Devices", "Dictionaries", "DictionaryExpression"]);
  const [rowName, variablesName, keyName] = ["Row", "Variables", "Key"].map((ending) => typeNames(ending, taken));
  const lines = [typescriptMark, ""];
  const index = {
    entities: [] as [string, string][],
    devices: [] as [string, string][],
    keys: [] as [string, string][],
  };
  for (const entity of entities) {
    const name = rowName?.(entity.name) ?? "";
    index.entities.push([entity.name, name]);
    lines.push(...entityLines(entity, name));
  }
  for (const { name: device, variables } of devices) {
    const name = variablesName?.(device) ?? "";
    index.devices.push([device, name]);
    lines.push(
      `/** Types of the values of the device ${inComment(quoted(device))}, by variable. */`,
      `export interface ${name} {`,
      ...variables.flatMap(variableLines),
      "}",
      "",
    );
  }
  for (const { slug, languages, keys } of dictionaries) {
    const name = keyName?.(slug) ?? "";
    index.keys.push([slug, name]);
    const union = keys.length === 0 ? " never" : keys.map((key) => `\n  | ${quoted(key)}`).join("");
    lines.push(
      `/** Keys of the dictionary ${inComment(slug)}: ${inComment(languages.join(", "))}. */`,
      `export type ${name} =${union};`,
      "",
    );
  }
  lines.push(
    ...indexLines("Entities", "Rows by entity name.", index.entities),
    ...indexLines("Devices", "Variables by device name.", index.devices),
    ...indexLines("Dictionaries", "Keys by dictionary slug.", index.keys),
    "/** An expression that the platform replaces with a translation. */",
    "export type DictionaryExpression = {",
    `  [Slug in keyof Dictionaries & string]: \`#\${Slug}.\${Dictionaries[Slug] & string}#\`;`,
    "}[keyof Dictionaries & string];",
  );
  return `${lines.join("\n")}\n`;
}
