import type { Column } from "./columns.ts";
import type { JsonSchema } from "./json-schema.ts";

/** What `-o json` prints for a command. */
export type ResultSpec =
  | { readonly shape: "list" | "item"; readonly columns: readonly Column<never>[] }
  /** A document that is no list and no resource. */
  | { readonly shape: "value"; readonly schema: JsonSchema }
  /** One of several forms; flags decide which. */
  | { readonly shape: "either"; readonly of: readonly ResultSpec[] }
  /** A text of our own, such as a script: one JSON string. */
  | { readonly shape: "text" }
  /** Nothing on stdout; `null` with `-o json`. */
  | { readonly shape: "none" };

/** Rows with these columns. */
export function rows(columns: readonly Column<never>[]): ResultSpec {
  return { shape: "list", columns };
}

/** One resource with these columns. */
export function one(columns: readonly Column<never>[]): ResultSpec {
  return { shape: "item", columns };
}

/** A document of its own. */
export function value(schema: JsonSchema): ResultSpec {
  return { shape: "value", schema };
}

/** One of these; which one depends on the flags. */
export function either(...of: readonly ResultSpec[]): ResultSpec {
  return { shape: "either", of };
}

/** How a deletion prints what is gone: one row per thing. */
export const deletedRows = {
  columns: [{ key: "id", kind: "id" }, { key: "name" }],
  empty: "Nothing was deleted.",
} as const;

/** What it prints. */
export const deleted: ResultSpec = rows(deletedRows.columns);

/** A number of things. */
export const count: ResultSpec = value({ type: "integer", minimum: 0 });
