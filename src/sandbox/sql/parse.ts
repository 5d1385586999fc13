import { type Condition, createConditions } from "./conditions.ts";
import { createReader, type Reader, type Values } from "./reader.ts";
import { type Column, notRun, refused } from "./refusals.ts";

/** A table in FROM: `device('5f…')`. */
export interface TableCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

const AGGREGATES = ["count", "sum", "avg", "min", "max"] as const;
type Aggregate = (typeof AGGREGATES)[number];

/** A selected or sorted item: a column, or an aggregate of one; `count(*)` has none. */
export interface Item {
  readonly name: string;
  readonly column?: Column;
  readonly of?: Aggregate;
}

/** A statement that can be run. */
export interface Statement {
  readonly table: TableCall;
  /** Those of the result; after them those that only ORDER BY needs. */
  readonly items: readonly Item[];
  /** How many of the items are in the result. */
  readonly shown: number;
  readonly where?: Condition;
  /** Undefined when the rows are not grouped; without columns all rows are one group. */
  readonly groupBy?: readonly Column[];
  readonly orderBy: readonly { readonly item: number; readonly isDescending: boolean }[];
  readonly limit?: number;
}

/** Columns of the table in a statement. */
export type ColumnsOf = (table: TableCall) => readonly Column[];

/**
 * Parses `SELECT … FROM table(…) AS t WHERE … GROUP BY … ORDER BY … LIMIT n`.
 *
 * @param check called before every comparison of a row
 * @throws PlatformError 501 for what it cannot run, 400 for unknown columns and parameters
 */
export function parseStatement(query: string, values: Values, columnsOf: ColumnsOf, check: () => void): Statement {
  // The table comes after the columns that are selected from it, so these are parsed afterwards.
  const reader = createReader(query, values);
  reader.need("SELECT");
  const start = reader.place();
  reader.skipPast("FROM");
  const table = readTable(reader);
  const end = reader.place();
  const columns = columnsOf(table);
  const column = (): Column => reader.column(columns, table.alias);
  reader.go(start);
  const selected = readItems(reader, columns, table.alias);
  reader.need("FROM");
  reader.go(end);

  const where = reader.take("WHERE") ? createConditions({ reader, column, check })() : undefined;
  const grouped = reader.take("GROUP", "BY") ? reader.list(column) : undefined;
  const items = [...selected];
  const sortKey = (): { item: number; isDescending: boolean } => {
    const item = reader.isCall() ? readItem(reader, columns, table.alias) : sortItem(reader, selected, column);
    const isDescending = reader.take("DESC");
    if (!isDescending) reader.take("ASC");
    const known = items.findIndex((one) => one.of === item.of && one.column === item.column);
    return { item: known < 0 ? items.push(item) - 1 : known, isDescending };
  };
  const orderBy = reader.take("ORDER", "BY") ? reader.list(sortKey) : [];
  const limit = reader.take("LIMIT") ? reader.wholeNumber() : undefined;
  reader.takeSign(";");
  reader.end();

  const hasAggregate = items.some(({ of }) => of !== undefined);
  const groupBy = grouped ?? (hasAggregate ? [] : undefined);
  checkGroups(items, groupBy);
  checkNames(selected);
  return {
    table,
    items,
    shown: selected.length,
    orderBy,
    ...(where !== undefined && { where }),
    ...(groupBy !== undefined && { groupBy }),
    ...(limit !== undefined && { limit }),
  };
}

function readTable(reader: Reader): TableCall & { readonly alias: string } {
  const name = reader.word().toLowerCase();
  const args = reader.takeSign("(") && !reader.takeSign(")") ? reader.list(reader.value) : [];
  if (args.length > 0) reader.needSign(")");
  reader.need("AS");
  return { name, args, alias: reader.word() };
}

function readItems(reader: Reader, columns: readonly Column[], alias: string): Item[] {
  return reader
    .list((): Item[] => {
      if (reader.takeAll(alias)) return columns.map((column) => ({ name: column.name, column }));
      const item = readItem(reader, columns, alias);
      return [reader.take("AS") ? { ...item, name: reader.word() } : item];
    })
    .flat();
}

function readItem(reader: Reader, columns: readonly Column[], alias: string): Item {
  if (!reader.isCall()) {
    const column = reader.column(columns, alias);
    return { name: column.name, column };
  }
  const word = reader.word().toLowerCase();
  const of = AGGREGATES.find((one) => one === word);
  if (of === undefined) throw notRun(`the function ${word}`);
  reader.needSign("(");
  const all = of === "count" && reader.takeSign("*");
  const column = all ? undefined : reader.column(columns, alias);
  reader.needSign(")");
  return { name: of, of, ...(column !== undefined && { column }) };
}

/** ORDER BY refers to an item of the result by its name, or to a column. */
function sortItem(reader: Reader, selected: readonly Item[], column: () => Column): Item {
  const named = selected.find(({ name }) => reader.takeName(name));
  if (named !== undefined) return named;
  const found = column();
  return { name: found.name, column: found };
}

function checkGroups(items: readonly Item[], groupBy: readonly Column[] | undefined): void {
  if (groupBy === undefined) return;
  const alone = items.find(({ of, column }) => of === undefined && column !== undefined && !groupBy.includes(column));
  if (alone !== undefined) throw refused(`The column ${alone.column?.name} must be in GROUP BY or in an aggregate`);
}

function checkNames(items: readonly Item[]): void {
  const twice = items.find(({ name }, at) => items.findIndex((other) => other.name === name) !== at);
  if (twice !== undefined) throw refused(`Two columns are named ${twice.name}: rename one with AS`);
}
