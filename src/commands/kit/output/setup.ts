import type { Column, Output } from "../command/columns.ts";
import type { Messages } from "../context.ts";
import type { Io } from "../io.ts";
import type { Pager } from "../say/pager.ts";
import type { TimeStyle } from "./times.ts";

export type Format = Output["format"];

/** What the user chose about results. */
export interface OutputSetup {
  readonly io: Pick<Io, "write" | "stdoutIsTerminal" | "columns">;
  readonly say: Messages;
  readonly format: Format;
  /** Whether the format was asked for, rather than being the default. */
  readonly isAsked: boolean;
  readonly fields?: readonly string[];
  /** Whether what is printed may come of a change, which was made by then. */
  readonly isOfChange?: boolean;
  readonly limit?: number;
  readonly page?: number;
  readonly jq?: string;
  /** Of `-o template`. */
  readonly template?: string;
  readonly header: boolean;
  readonly csvSafe: boolean;
  readonly csvBom: boolean;
  /** Whether secrets are written in full. */
  readonly reveal: boolean;
  readonly bold: boolean;
  readonly ascii: boolean;
  /** Whether addresses are made clickable in tables and in values alone. */
  readonly links: boolean;
  readonly accessible: boolean;
  /** Opens the user's pager for a table; absent where there is none or no terminal. */
  readonly pager?: () => Pager;
  readonly time: TimeStyle;
}

/** Takes rows one by one and writes them in one format. */
export interface RowWriter<Row> {
  row(row: Row): Promise<void>;
  /** Called once, after the last row. */
  end(count: number): Promise<void>;
}

/** What a writer needs to know about the rows. */
export interface RowShape<Row> {
  readonly columns: readonly Column<Row>[];
  readonly idKey: string;
  /** The row as machine formats print it: the requested fields, or everything in a fixed order. */
  readonly record: (row: Row) => object;
}
