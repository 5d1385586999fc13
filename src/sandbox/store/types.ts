/** What a column gives back. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** What may be bound: booleans are stored as 0 and 1, `undefined` as null. Text with a NUL character is refused. */
export type SqlInput = string | number | bigint | null | undefined | boolean | Uint8Array;

export type SqlRow = Record<string, SqlValue>;

/** A prepared statement. Rows are plain objects, read to the end at once. */
export interface SqlStatement<Row = SqlRow> {
  get(...values: readonly SqlInput[]): Row | undefined;
  all(...values: readonly SqlInput[]): Row[];
  run(...values: readonly SqlInput[]): { readonly changes: number };
}

/**
 * SQLite behind a thin, synchronous wrapper.
 *
 * Writes are committed in groups: the first write of a turn opens one transaction, which is committed when the turn
 * ends. `handle()` keeps every answer back until that commit, so an acknowledged write is on disk. Handlers need not
 * care: they write, return, and are answered for.
 */
export interface SandboxDatabase {
  /** Prepares once per text; calling it again with the same text is cheap. */
  prepare<Row = SqlRow>(sql: string): SqlStatement<Row>;
  get<Row = SqlRow>(sql: string, ...values: readonly SqlInput[]): Row | undefined;
  all<Row = SqlRow>(sql: string, ...values: readonly SqlInput[]): Row[];
  run(sql: string, ...values: readonly SqlInput[]): { readonly changes: number };
  /** Runs several statements without values. For migrations. */
  exec(sql: string): void;
  /** All or nothing: when `work` throws, its writes are undone and the error goes on. May be nested. Synchronous only. */
  transaction<T>(work: () => T): T;
  /** Runs `effect` once the open group of writes is committed, at once when none is open; never when it is lost. */
  afterCommit(effect: () => void): void;
  /** Resolves when everything written so far is on disk. Rejects with a `PlatformError` 503 when it was lost. */
  committed(): Promise<void>;
}

/** One numbered change of the database. Versions are compared as text, per owner: "0001-data", "0002-data" ... */
export interface Migration {
  readonly version: string;
  readonly sql: string;
}
