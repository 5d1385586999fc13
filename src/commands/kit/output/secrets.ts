import type { Column } from "../command/columns.ts";
import { maskToken } from "../say/redact.ts";
import type { OutputSetup } from "./setup.ts";

/** Makes rows ready for output, whatever the format: without `--reveal`, nothing that follows has their secrets. */
export function secretMask<Row extends object>(
  { reveal }: OutputSetup,
  columns: readonly Column<Row>[],
): (row: Row) => Row {
  const secrets = columns.filter(({ kind }) => kind === "secret");
  if (reveal || secrets.length === 0) return (row) => row;
  return (row) => secrets.reduce(withMasked, row);
}

function withMasked<Row extends object>(row: Row, { key, masked = endsOf(key) }: Column<Row>): Row {
  return Object.hasOwn(row, key) ? { ...row, [key]: masked(row) } : row;
}

/** Shows the ends of a field. Values other than strings have none. */
const endsOf =
  (key: string) =>
  (row: object): unknown => {
    const value = (row as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || value === null) return value;
    return typeof value === "string" ? maskToken(value) : "…";
  };

/** The rows, each as `make` returns it. A list stays a list. */
export function mapRows<Row>(
  rows: readonly Row[] | AsyncIterable<Row>,
  make: (row: Row) => Row,
): readonly Row[] | AsyncIterable<Row> {
  if (!(Symbol.asyncIterator in rows)) return rows.map(make);
  const source = rows;
  async function* each(): AsyncGenerator<Row> {
    for await (const row of source) yield make(row);
  }
  return each();
}
