import type { JsonSchema } from "./json-schema.ts";

/** How a value looks in a table. Machine formats get the value itself. */
export interface Column<Row> {
  /** Dotted path into the row; also the name for `--fields` and the header. */
  readonly key: (keyof Row & string) | (string & {});
  readonly header?: string;
  /**
   * `json` is any value, shown as JSON in tables. `secret` is a field that every format masks without `--reveal`, a
   * flag that commands with such a column have.
   */
  readonly kind?: "id" | "text" | "number" | "time" | "flag" | "tags" | "json" | "secret";
  /** What is shown instead of a secret; its ends by default. */
  readonly masked?: (row: Row) => unknown;
  /**
   * Importance on a narrow terminal. 1 stays, and its text is shortened last: ids, and the first other column unless
   * one is named. 2 is usual. 3 is left out first. Empty columns go before all others, then of each rank the last
   * column; one with the same value in every row goes before those of rank 2.
   */
  readonly rank?: 1 | 2 | 3;
  /** The exact time matters: tables do not show it as "7 min ago" unless asked to. */
  readonly exact?: boolean;
  /** JSON Schema of the field, if `kind` is not enough. */
  readonly schema?: JsonSchema;
  /** Left out unless asked for with `--fields`. */
  readonly hidden?: boolean;
  /** Reads the value when the path is not enough. */
  readonly value?: (row: Row) => unknown;
}

export interface ListOptions<Row> {
  readonly columns: readonly Column<Row>[];
  /** Said on stderr when there are no rows: "No devices match." */
  readonly empty: string;
  /** True when the source knows that more rows exist; stderr then says how to get them. */
  readonly more?: () => boolean;
  /** The field that `-o id` prints; `id` by default. */
  readonly idKey?: string;
}

/** A column as a screen lays it out. */
interface ScreenColumn {
  readonly title: string;
  readonly align?: "right";
  /** Narrowest width before other columns give way. */
  readonly least: number;
  /** Columns with the highest number leave first; 0 stays. */
  readonly leaves: number;
}

/** A table as a screen draws it. */
export interface ScreenTable<Row> {
  readonly columns: readonly ScreenColumn[];
  /** The texts of a row, as of now. */
  cells(row: Row): readonly string[];
}

/** Results, in the format the user chose. Only these functions write to stdout. */
export interface Output {
  readonly format: "table" | "json" | "ndjson" | "csv" | "tsv" | "yaml" | "md" | "id" | "template";
  /** Rows, from a list or page by page; ndjson and csv are written as pages arrive. Resolves to the number of rows. */
  list<Row extends object>(rows: readonly Row[] | AsyncIterable<Row>, options: ListOptions<Row>): Promise<number>;
  /** What `list` shows of rows in a table, for a screen. These rows decide the widths. */
  table<Row extends object>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<ScreenTable<Row>>;
  /** One resource. */
  item<Row extends object>(row: Row, options: Omit<ListOptions<Row>, "empty" | "more">): Promise<void>;
  /** A bare value: a count, a token asked for explicitly, a text. */
  value(value: unknown): Promise<void>;
  /** Text as it is (completion scripts, drawings); one JSON string with `-o json`. Cleaned by the caller when it is not ours. */
  raw(text: string): Promise<void>;
}
