import { dateIn } from "./constants.ts";
import { findColumn, findNamed, type Part, type Scope, type SourceColumn, type SourceScope } from "./scope.ts";
import type { Expression } from "./syntax.ts";
import type { ColumnType, TableColumn, TableForm } from "./tables.ts";

/** Conditions that every row a statement uses meets; the statement tests them again. */
export interface LoadFilter {
  readonly variables?: readonly string[];
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** A column as it is copied for a statement. */
export interface LoadColumn {
  readonly name: string;
  readonly part: Part;
  /** Type in the database; strings that read as numbers become numbers in a REAL column. */
  readonly type: "TEXT" | "REAL" | "INTEGER";
  /** Whether it is stored as JSON text. */
  readonly isJson: boolean;
  readonly isDate: boolean;
}

const STORED: Readonly<Record<ColumnType, LoadColumn["type"]>> = {
  string: "TEXT",
  number: "REAL",
  integer: "INTEGER",
  boolean: "INTEGER",
  timestamp: "INTEGER",
  json: "TEXT",
};

/** A table that a statement reads, with the columns it needs. */
export class TableLoad {
  /** Of the function. */
  readonly name: string;
  readonly form: TableForm;
  /** A null fits nothing. */
  readonly args: readonly (string | null)[];
  /** Name in the database. */
  readonly table: string;
  readonly #columns: LoadColumn[] = [];
  filter: LoadFilter = {};

  constructor(name: string, form: TableForm, args: readonly (string | null)[], table: string) {
    this.name = name;
    this.form = form;
    this.args = args;
    this.table = table;
  }

  get columns(): readonly LoadColumn[] {
    return this.#columns;
  }

  /** Name in the database of a column, which is loaded from now on. */
  use({ name, type, isValue }: TableColumn, part: Part): string {
    const known = this.#columns.findIndex((one) => one.name === name && one.part === part);
    if (known >= 0) return `c${known}`;
    const isJson = type === "json" && (isValue !== true || part === "json");
    const stored = type === "json" && !isJson ? "REAL" : STORED[type];
    const made: LoadColumn = { name, part, isJson, isDate: type === "timestamp", type: stored };
    return `c${this.#columns.push(made) - 1}`;
  }
}

/** The columns of a table for expressions, read under a name. An open table has every column. */
export function sourceOf(
  load: TableLoad,
  columns: readonly TableColumn[],
  { alias, name, isOpen }: { readonly alias: string; readonly name: string; readonly isOpen: boolean },
): SourceScope {
  const toColumn = (column: TableColumn): SourceColumn => ({
    ...column,
    isValue: column.isValue === true,
    sql: (part) => `${name}.${load.use(column, part)}`,
  });
  const all = columns.map(toColumn);
  return {
    alias,
    kind: load.form.kind,
    columns: all,
    find: (wanted) =>
      findNamed(all, wanted) ?? (isOpen ? toColumn({ name: wanted, type: "json", isValue: true }) : undefined),
  };
}

const stringOf = (of: Expression, values: (of: Expression) => unknown): string | undefined => {
  const value = values(of);
  return typeof value === "string" ? value : undefined;
};

/** Conditions of the top AND of a WHERE clause. */
const conjuncts = (where: Expression | undefined): readonly Expression[] =>
  where === undefined ? [] : where.kind === "logic" && where.word === "AND" ? where.parts : [where];

const MIRRORED: Readonly<Record<string, string>> = { "=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** What one condition says about the variable and the time of a table. */
function filterIn(
  of: Expression,
  isOwn: (of: Expression, column: "variable" | "time") => boolean,
  values: (of: Expression) => unknown,
): LoadFilter {
  const bounds = (sign: string, value: Expression): LoadFilter => {
    const ms = dateIn(stringOf(value, values) ?? "");
    if (ms === undefined) return {};
    return { ...(sign !== "<" && sign !== "<=" && { fromMs: ms }), ...(sign !== ">" && sign !== ">=" && { toMs: ms }) };
  };
  if (of.kind === "between" && isOwn(of.of, "time")) return { ...bounds(">=", of.low), ...bounds("<=", of.high) };
  if (of.kind === "in" && Array.isArray(of.choices) && isOwn(of.of, "variable")) {
    const variables = of.choices.map((choice: Expression) => stringOf(choice, values));
    return variables.every((variable) => variable !== undefined) ? { variables } : {};
  }
  if (of.kind !== "binary" || MIRRORED[of.sign] === undefined) return {};
  for (const [left, right, sign] of [
    [of.left, of.right, of.sign],
    [of.right, of.left, MIRRORED[of.sign] ?? ""],
  ] as const) {
    const variable = sign === "=" && isOwn(left, "variable") ? stringOf(right, values) : undefined;
    if (variable !== undefined) return { variables: [variable] };
    if (isOwn(left, "time")) return bounds(sign, right);
  }
  return {};
}

/** The conditions of a WHERE clause by which less of a table is loaded. `values` returns the value of a constant. */
export function filterOf(
  where: Expression | undefined,
  scope: Scope,
  source: SourceScope,
  values: (of: Expression) => unknown,
): LoadFilter {
  const isOwn = (of: Expression, column: "variable" | "time"): boolean => {
    if (of.kind !== "column" || of.name.toLowerCase() !== column) return false;
    return findColumn(scope, of).source === source;
  };
  const all = conjuncts(where).map((part) => filterIn(part, isOwn, values));
  const fromMs = Math.max(...all.map((one) => one.fromMs ?? Number.NEGATIVE_INFINITY));
  const toMs = Math.min(...all.map((one) => one.toMs ?? Number.POSITIVE_INFINITY));
  const variables = all.find((one) => one.variables !== undefined)?.variables;
  return {
    ...(variables !== undefined && { variables }),
    ...(Number.isFinite(fromMs) && { fromMs }),
    ...(Number.isFinite(toMs) && { toMs }),
  };
}
