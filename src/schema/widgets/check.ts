import { isRecord } from "../../lib/core/json.ts";
import { type JsonSchema, pieces, rootSchema } from "./index.ts";

/** One violation of a schema. */
export interface SchemaProblem {
  /** Path in the widget: `display.range.type`, `data[0].origin`. */
  readonly path: string;
  /** The problem, in one sentence. */
  readonly message: string;
}

const MAX_PROBLEMS = 50;

/**
 * Checks a widget of the new structure against the schema of its type.
 *
 * @returns at most 50 problems; `[]` if the widget is valid; undefined if its type has no schema
 */
export function checkWidget(widget: unknown): readonly SchemaProblem[] | undefined {
  const type = isRecord(widget) && Object.hasOwn(widget, "type") ? widget["type"] : undefined;
  const schema = typeof type === "string" ? rootSchema(type) : undefined;
  return schema === undefined ? undefined : checkValue(schema, widget);
}

/** Checks a value against a schema, no deeper than the schema goes. */
function checkValue(schema: JsonSchema, value: unknown): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  check(schema, value, "", problems);
  return problems;
}

function check(schema: JsonSchema, value: unknown, path: string, problems: SchemaProblem[]): void {
  if (problems.length >= MAX_PROBLEMS) return;
  if (schema.$ref !== undefined) check(pieceNamed(schema.$ref), value, path, problems);
  else if (schema.anyOf !== undefined) checkChoices(schema.anyOf, value, path, problems);
  else checkPlain(schema, value, path, problems);
}

function checkPlain(schema: JsonSchema, value: unknown, path: string, problems: SchemaProblem[]): void {
  const complaint = complaintAbout(schema, value);
  if (complaint !== undefined) {
    problems.push({ path, message: `${path === "" ? "The widget" : path} ${complaint}.` });
  } else if (Array.isArray(value)) checkItems(schema, value, path, problems);
  else if (isRecord(value)) checkFields(schema, value, path, problems);
}

function complaintAbout(schema: JsonSchema, value: unknown): string | undefined {
  if (schema.const !== undefined && value !== schema.const)
    return `must be ${shown(schema.const)}, not ${shown(value)}`;
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) {
    return `must be one of ${schema.enum.map(shown).join(", ")}, not ${shown(value)}`;
  }
  if (schema.type === undefined || fits(schema.type, value)) return undefined;
  return `must be ${namesOf(schema.type)}, not ${kindOf(value)}`;
}
function pieceNamed(reference: string): JsonSchema {
  return pieces[reference.slice("#/$defs/".length)] ?? {};
}

function checkItems(schema: JsonSchema, value: readonly unknown[], path: string, problems: SchemaProblem[]): void {
  const { items } = schema;
  if (items === undefined) return;
  for (let i = 0; i < value.length; i += 1) check(items, value[i], `${path}[${i}]`, problems);
}

function checkFields(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  problems: SchemaProblem[],
): void {
  for (const key of schema.required ?? []) {
    if (value[key] !== undefined && Object.hasOwn(value, key)) continue;
    const below = join(path, key);
    problems.push({ path: below, message: `${below} is missing.` });
  }
  for (const key in schema.properties) {
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    const below = schema.properties[key];
    if (item !== undefined && below !== undefined) check(below, item, join(path, key), problems);
  }
}

// Reports the problems of the most likely choice: the one whose constants match, else the one that got furthest.
function checkChoices(choices: readonly JsonSchema[], value: unknown, path: string, problems: SchemaProblem[]): void {
  let best: readonly SchemaProblem[] = [];
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const choice of choices) {
    const found: SchemaProblem[] = [];
    check(choice, value, path, found);
    if (found.length === 0) return;
    const score = (found[0]?.path.length ?? 0) + (isMeant(choice, value) ? FAR : 0);
    if (score > bestScore) {
      best = found;
      bestScore = score;
    }
  }
  problems.push(...best);
}

const FAR = 1_000_000;

function isMeant(choice: JsonSchema, value: unknown): boolean {
  const fixed = Object.entries(choice.properties ?? {}).filter(([, schema]) => schema.const !== undefined);
  return isRecord(value) && fixed.length > 0 && fixed.every(([key, schema]) => value[key] === schema.const);
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function fits(type: NonNullable<JsonSchema["type"]>, value: unknown): boolean {
  const kind = kindOf(value);
  return typeof type === "string" ? type === kind : (type as readonly string[]).includes(kind);
}

function namesOf(type: NonNullable<JsonSchema["type"]>): string {
  return typeof type === "string" ? type : type.join(" or ");
}

function shown(value: unknown): string {
  const text = typeof value === "object" && value !== null ? kindOf(value) : (JSON.stringify(value) ?? "undefined");
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
