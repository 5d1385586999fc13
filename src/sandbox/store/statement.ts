import type Libsql from "libsql";
import { PlatformError } from "../core/platform-error.ts";
import type { SqlInput, SqlRow, SqlStatement, SqlValue } from "./types.ts";

type NativeStatement = Libsql.Statement<unknown[]>;

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Converts a value for the native driver. The driver ends the process on booleans and objects, and truncates strings at
 * a NUL character, so nothing else may reach it.
 */
function toBind(value: SqlInput): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "number") return value;
  if (typeof value === "string") {
    if (value.includes("\0")) throw new PlatformError(400, "Text must not contain the NUL character");
    return value;
  }
  if (typeof value === "bigint" && value <= MAX_INT64 && value >= -MAX_INT64) return value;
  if (value instanceof Uint8Array) return Buffer.from(value);
  throw new TypeError(`A value of type ${typeof value} cannot be bound to a statement`);
}

const isWriteText = (sql: string): boolean => /^\s*(insert|update|delete|replace)\b/i.test(sql);

/** Callbacks of a statement to its database. */
export interface StatementHooks {
  /** Called before anything is written. */
  beforeWrite(): void;
  /** Turns a driver error into the error to throw. */
  failure(error: unknown): Error;
}

/** Wraps a native statement: positional values, rows as plain objects. */
export function wrapStatement<Row = SqlRow>(
  native: NativeStatement,
  sql: string,
  hooks: StatementHooks,
): SqlStatement<Row> {
  const writes = isWriteText(sql);
  const names = native.reader ? native.columns().map((column) => column.name) : [];
  if (native.reader) native.raw(true);

  const toRow = (cells: readonly unknown[]): Row => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i += 1) row[names[i] ?? ""] = cells[i];
    // The caller names the row type beside the SQL text; the driver cannot check it.
    return row as Row;
  };
  const guarded = <T>(write: boolean, values: readonly SqlInput[], work: (bound: SqlValue[]) => T): T => {
    const bound = values.map(toBind);
    if (write) hooks.beforeWrite();
    try {
      return work(bound);
    } catch (error) {
      throw hooks.failure(error);
    }
  };

  return {
    get: (...values) =>
      guarded(writes, values, (bound) => {
        const cells = native.get(bound);
        return Array.isArray(cells) ? toRow(cells) : undefined;
      }),
    all: (...values) => guarded(writes, values, (bound) => native.all(bound).map((cells) => toRow(cells as unknown[]))),
    run: (...values) => guarded(true, values, (bound) => ({ changes: native.run(bound).changes })),
  };
}
