import type { SqlInput } from "../store/types.ts";

/** A table of the database of a statement. */
export interface TableSetUp {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: "TEXT" | "REAL" | "INTEGER";
    readonly isJson: boolean;
  }[];
}

/** A statement for the tables that were filled. */
export interface SqlJob {
  readonly sql: string;
  readonly bound: readonly SqlInput[];
}

/** The rows, as lists of cells, or why there are none. */
export interface SqlAnswer {
  readonly rows?: readonly (readonly unknown[])[];
  readonly error?: string;
}
