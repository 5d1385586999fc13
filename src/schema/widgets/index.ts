import { displays } from "../../lib/widgets/displays.ts";
import {
  anyObject,
  anything,
  constant,
  described,
  either,
  type JsonSchema,
  ref,
  shape,
  stringOrNull,
} from "../../lib/widgets/json-schema.ts";
import { pieces } from "./pieces.ts";

/** Every widget type of the new structure. */
export const widgetTypes: readonly string[] = Object.keys(displays());

function envelope(type: string): JsonSchema {
  const dataOrNull: JsonSchema = { type: ["array", "null"], items: either(ref("dataItem"), { type: "null" }) };
  const resources: JsonSchema = { type: ["array", "null"], items: ref("resource") };
  return shape(
    { type: constant(type), display: displays()[type] ?? anyObject },
    {
      id: stringOrNull,
      dashboard: stringOrNull,
      label: stringOrNull,
      realtime: described("null or true: push; false: off.", { type: ["boolean", "string", "null"] }),
      analysis_run: stringOrNull,
      data: dataOrNull,
      resource: resources,
    },
  );
}

const roots: ReadonlyMap<string, JsonSchema> = new Map(widgetTypes.map((type) => [type, envelope(type)]));

/** Schema of a widget type, with `$ref`s to `pieces`; undefined for an unknown type. */
export function rootSchema(type: string): JsonSchema | undefined {
  return roots.get(type);
}

const dialect = "https://json-schema.org/draft/2020-12/schema";

/** The complete published JSON Schema of one type; undefined for an unknown type. */
export function widgetSchema(type: string): JsonSchema | undefined {
  const root = roots.get(type);
  if (root === undefined) return undefined;
  return { $schema: dialect, title: `Widget of type ${type}`, ...root, $defs: usedPieces(root) };
}

/** The published JSON Schema of a widget of any type. */
export function anyWidgetSchema(): JsonSchema {
  const types = Object.fromEntries([...roots].map(([type, root]) => [`widget-${type}`, root]));
  return {
    $schema: dialect,
    title: "Dashboard widget",
    anyOf: widgetTypes.map((type) => ref(`widget-${type}`)),
    $defs: { ...pieces, ...types },
  };
}

function usedPieces(root: JsonSchema): Record<string, JsonSchema> {
  const used = new Set<string>();
  const look = (schema: JsonSchema): void => {
    const name = schema.$ref?.slice("#/$defs/".length);
    if (name !== undefined && !used.has(name)) {
      used.add(name);
      look(pieces[name] ?? anything);
    }
    for (const below of Object.values(schema.properties ?? {})) look(below);
    for (const choice of schema.anyOf ?? []) look(choice);
    if (schema.items !== undefined) look(schema.items);
  };
  look(root);
  return Object.fromEntries([...used].sort().map((name) => [name, pieces[name] ?? anything]));
}

export type { JsonSchema } from "../../lib/widgets/json-schema.ts";
export { pieces } from "./pieces.ts";
