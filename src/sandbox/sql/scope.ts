import { refused, type Span, shortened } from "./refusals.ts";
import type { Expression, Query } from "./syntax.ts";
import type { ColumnType, TableKind } from "./tables.ts";

/** How a column is read: comparable, as JSON text, or as a number where it is one. The last two are for values only. */
export type Part = "plain" | "json" | "number";

/** A column that expressions can name. */
export interface SourceColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** A value of any type, with all three parts. */
  readonly isValue: boolean;
  readonly isAssumed?: boolean;
  /** SQL that reads it. */
  sql(part: Part): string;
}

/** A table of FROM. */
export interface SourceScope {
  readonly alias: string;
  /** Absent for subqueries. */
  readonly kind?: TableKind;
  readonly columns: readonly SourceColumn[];
  /** Finds a column, in any case. */
  find(name: string): SourceColumn | undefined;
}

/** The tables that expressions of a SELECT can name. */
export interface Scope {
  readonly sources: readonly SourceScope[];
  readonly parent?: Scope | undefined;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const findNamed = <One extends { readonly name: string }>(all: readonly One[], name: string): One | undefined =>
  all.find((one) => one.name === name) ?? all.find((one) => isSame(one.name, name));

export const isSelectOnly = ({ type, isValue }: SourceColumn): boolean => type === "json" && !isValue;

/** The table with this alias, of this SELECT or of one around it. */
export function findSource(scope: Scope | undefined, alias: string, span: Span): SourceScope {
  if (scope === undefined) throw refused(`Unknown table ${shortened(alias)}`, span);
  return scope.sources.find((source) => isSame(source.alias, alias)) ?? findSource(scope.parent, alias, span);
}

/** A column with its table. */
export interface Found {
  readonly source: SourceScope;
  readonly column: SourceColumn;
}

function findAnywhere(scope: Scope | undefined, name: string, span: Span): Found {
  if (scope === undefined) throw refused(`Unknown column ${shortened(name)}`, span);
  const found = scope.sources.flatMap((source) => {
    const column = source.find(name);
    return column === undefined ? [] : [{ source, column }];
  });
  const [first, second] = found;
  if (second !== undefined) throw refused(`Several tables have a column ${shortened(name)}: write alias.column`, span);
  return first ?? findAnywhere(scope.parent, name, span);
}

/** The column an expression names. */
export function findColumn(scope: Scope, node: Extract<Expression, { kind: "column" }>): Found {
  const { table, name } = node;
  if (table === undefined) return findAnywhere(scope, name, node);
  const source = findSource(scope, table, node);
  const column = source.find(name);
  if (column === undefined) throw refused(`Unknown column ${shortened(name)}`, node);
  return { source, column };
}

/** A constant that is converted to the type of what it is compared with. */
export interface Constant {
  /** `undefined` for a parameter whose value is not known yet. */
  readonly value: string | number | boolean | null | undefined;
  /** Key of the parameter it comes from. */
  readonly key?: string;
  readonly span: Span;
}

/** A compiled expression: a constant, or SQL. */
export interface Value {
  readonly type: ColumnType | "null";
  readonly sql: string;
  readonly constant?: Constant;
  /** Set for a column that is used as it is. */
  readonly column?: SourceColumn;
}

/** Where an expression is: aggregates and session functions are not allowed everywhere. */
export type Clause = "item" | "where" | "on" | "group" | "having" | "order" | "aggregate";

/** Compiles what expressions contain of queries. */
export type CompileSubquery = (query: Query, scope: Scope, use: "value" | "table") => Value;
