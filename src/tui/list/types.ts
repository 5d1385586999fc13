import type { TableColumn } from "../components/table/columns.ts";

/** A row as it is drawn, its texts cleaned and on one line. */
export interface ListRow {
  readonly id: string;
  readonly cells: readonly string[];
  /** What shows whether it is the same as before. */
  readonly content: string;
}

/** A list at a given time. */
export interface ListData {
  readonly atMs: number;
  readonly rows: readonly ListRow[];
  /** There are more rows than were asked for. */
  readonly hasMore: boolean;
}

/** What the screen of a list needs from the command that opens it. */
export interface ListOptions {
  /** What the rows are: `devices`. */
  readonly title: string;
  /** The environment. */
  readonly place: string;
  readonly columns: readonly TableColumn[];
  readonly data: ListData;
  /** Said when there is no row. */
  readonly empty: string;
  load(): Promise<ListData>;
  readonly refreshMs: number;
  readonly color: boolean;
  readonly ascii: boolean;
  readonly signal: AbortSignal;
}
