/** A value of a column. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * A parameter of a statement: booleans are stored as 0 and 1, `undefined` as null. A string with a NUL character is
 * rejected.
 */
export type SqlInput = string | number | bigint | null | undefined | boolean | Uint8Array;

export type SqlRow = Record<string, SqlValue>;

/** A prepared statement. Rows are plain objects, all read at once. */
export interface SqlStatement<Row = SqlRow> {
  get(...values: readonly SqlInput[]): Row | undefined;
  all(...values: readonly SqlInput[]): Row[];
  run(...values: readonly SqlInput[]): { readonly changes: number };
}

/**
 * SQLite behind a thin, synchronous wrapper.
 *
 * Writes are committed in groups: the first write of a turn opens one transaction, which is committed when the turn
 * ends. `handle()` delays every response until that commit, so an acknowledged write is on disk. Handlers only write
 * and return.
 */
export interface SandboxDatabase {
  /** Prepares once per SQL string; calling it again with the same string is cheap. */
  prepare<Row = SqlRow>(sql: string): SqlStatement<Row>;
  get<Row = SqlRow>(sql: string, ...values: readonly SqlInput[]): Row | undefined;
  all<Row = SqlRow>(sql: string, ...values: readonly SqlInput[]): Row[];
  run(sql: string, ...values: readonly SqlInput[]): { readonly changes: number };
  /** Runs several statements without values. For migrations. */
  exec(sql: string): void;
  /**
   * All or nothing: when `work` throws, its writes are undone and the error is rethrown. Can be nested. Synchronous
   * only.
   */
  transaction<T>(work: () => T): T;
  /** Runs `effect` once the open group of writes is committed, immediately when none is open; never when it is lost. */
  afterCommit(effect: () => void): void;
  /** Resolves when everything written so far is on disk. Rejects with a `PlatformError` 503 when it was lost. */
  committed(): Promise<void>;
}

/** One numbered change of the database. Versions are compared as strings, per owner: "0001-data", "0002-data" ... */
export interface Migration {
  readonly version: string;
  readonly sql: string;
}
