import Libsql from "libsql";
import { errorCode } from "../../lib/core/error-code.ts";
import { isError } from "../../lib/core/errors.ts";
import { PlatformError } from "../core/platform-error.ts";
import { wrapStatement } from "./statement.ts";
import type { SandboxDatabase, SqlInput, SqlRow, SqlStatement } from "./types.ts";

export interface DatabaseOptions {
  /** File, or `:memory:`. */
  readonly path: string;
  /** Upper limit of the file in pages of 4 KiB: stands for a full disk in tests. */
  readonly maxPages?: number;
}

/** The database as its owner sees it. */
export interface OpenDatabase extends SandboxDatabase {
  /** Commits the open group of writes now. */
  flush(): void;
  /** Writes everything committed into an empty file, as a database of its own. */
  copyTo(file: string): void;
  /** Runs `work` with another database as `snapshot`, and resolves when what it wrote is on disk. */
  withAttached(file: string, work: () => void): Promise<void>;
  close(): void;
}

interface Group {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const STORAGE_FULL = "The storage of the sandbox is full: nothing of this request was stored";
const STORAGE_FAILED = "The storage of the sandbox failed: nothing of this request was stored";

/** SQLite cannot read its own file any more. */
export class DamagedDatabaseError extends PlatformError {
  constructor(file: string, code: string) {
    super(
      503,
      `The database of the sandbox is damaged: ${file} (${code}). Stop the sandbox, copy its folder, and remove that file; the ` +
        "next start makes a new one, into which a snapshot or an export can be restored.",
    );
  }
}

/** Trouble with disk and file becomes a 503 for the client; every other driver error is a defect of ours and stays as it is. */
function toPlatform(error: unknown, file: string): Error {
  const code = errorCode(error);
  if (code.startsWith("SQLITE_CORRUPT")) return new DamagedDatabaseError(file, code);
  if (code.startsWith("SQLITE_FULL")) return new PlatformError(503, STORAGE_FULL);
  if (code.startsWith("SQLITE_IOERR") || code.startsWith("SQLITE_READONLY")) {
    return new PlatformError(503, `${STORAGE_FAILED} (${code})`);
  }
  return isError(error) ? error : new Error(String(error));
}

function openGroup(): Group {
  let resolve = (): void => {};
  let reject = (_error: Error): void => {};
  const promise = new Promise<void>((onDone, onFail) => {
    resolve = onDone;
    reject = onFail;
  });
  // A group that nobody waits for may fail without ending the process.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/**
 * Opens the database in WAL mode with full synchronisation, locked against other processes.
 * The lock is the operating system's, so it ends with the process however that ends.
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const native = new Libsql(options.path);
  let damage: DamagedDatabaseError | undefined;
  const failureOf = (error: unknown): Error => {
    const shown = toPlatform(error, options.path);
    if (!(shown instanceof DamagedDatabaseError)) return shown;
    damage ??= shown;
    return damage;
  };
  native.exec("PRAGMA locking_mode = EXCLUSIVE");
  native.exec("PRAGMA journal_mode = WAL");
  native.exec("PRAGMA synchronous = FULL");
  native.exec("PRAGMA foreign_keys = ON");
  native.exec("PRAGMA temp_store = MEMORY");
  native.exec("PRAGMA cache_size = -16384");
  // Takes the lock at once instead of at the first write.
  native.exec("BEGIN IMMEDIATE; COMMIT");
  if (options.maxPages !== undefined) native.exec(`PRAGMA max_page_count = ${Math.trunc(options.maxPages)}`);

  const statements = new Map<string, SqlStatement<never>>();
  const begin = native.prepare("BEGIN IMMEDIATE");
  const commit = native.prepare("COMMIT");
  let group: Group | undefined;
  let effects: (() => void)[] = [];
  let isOpen = true;
  /** Set when the group was lost under a running `transaction()`: that one must end without success. */
  let broken: Error | undefined;
  /** One entry per running `transaction()`: whether its savepoint exists yet. It is made with the first write. */
  const levels: boolean[] = [];

  const savepoints = new Map<string, { run(values: readonly unknown[]): unknown }>();
  const savepoint = (verb: "SAVEPOINT" | "RELEASE" | "ROLLBACK TO", level: number): void => {
    const sql = `${verb} s${level}`;
    const statement = savepoints.get(sql) ?? native.prepare(sql);
    savepoints.set(sql, statement);
    statement.run([]);
  };

  const lose = (error: Error): void => {
    const lost = group;
    group = undefined;
    effects = [];
    levels.fill(false);
    if (levels.length > 0) broken = error;
    if (native.inTransaction) native.exec("ROLLBACK");
    lost?.reject(error);
  };

  const flush = (): void => {
    if (group === undefined || levels.length > 0) return;
    const done = group;
    try {
      commit.run([]);
    } catch (error) {
      lose(failureOf(error));
      return;
    }
    group = undefined;
    done.resolve();
    runEffects();
  };

  const beforeWrite = (): void => {
    if (broken !== undefined) throw broken;
    if (group === undefined) {
      try {
        begin.run([]);
      } catch (error) {
        throw failureOf(error);
      }
      group = openGroup();
      setImmediate(flush);
    }
    for (let i = 0; i < levels.length; i += 1) {
      if (levels[i]) continue;
      savepoint("SAVEPOINT", i);
      levels[i] = true;
    }
  };

  /** SQLite undoes the whole transaction by itself on some errors; the other requests of the group are lost too. */
  const failure = (error: unknown): Error => {
    const shown = failureOf(error);
    if (group !== undefined && !native.inTransaction) lose(shown);
    return shown;
  };

  const prepare = <Row = SqlRow>(sql: string): SqlStatement<Row> => {
    const known = statements.get(sql);
    // One text always has one row type: the caller that wrote the text names it.
    if (known !== undefined) return known as SqlStatement<unknown> as SqlStatement<Row>;
    const made = wrapStatement<Row>(native.prepare(sql), sql, { beforeWrite, failure });
    statements.set(sql, made as SqlStatement<unknown> as SqlStatement<never>);
    return made;
  };

  const runEffects = (): void => {
    const ready = effects;
    effects = [];
    for (const effect of ready) effect();
  };

  const transaction = <T>(work: () => T): T => {
    const level = levels.length;
    const firstEffect = effects.length;
    levels.push(false);
    try {
      const result = work();
      if (broken !== undefined) throw broken;
      if (levels[level]) savepoint("RELEASE", level);
      return result;
    } catch (error) {
      if (levels[level] && native.inTransaction) {
        savepoint("ROLLBACK TO", level);
        savepoint("RELEASE", level);
      }
      effects.length = Math.min(effects.length, firstEffect);
      throw error;
    } finally {
      levels.length = level;
      if (level === 0) broken = undefined;
      if (level === 0 && group === undefined) runEffects();
    }
  };

  return {
    prepare,
    get: <Row = SqlRow>(sql: string, ...values: readonly SqlInput[]) => prepare<Row>(sql).get(...values),
    all: <Row = SqlRow>(sql: string, ...values: readonly SqlInput[]) => prepare<Row>(sql).all(...values),
    run: (sql, ...values) => prepare(sql).run(...values),
    exec: (sql) => {
      flush();
      try {
        native.exec(sql);
      } catch (error) {
        if (native.inTransaction) native.exec("ROLLBACK");
        throw error;
      }
    },
    transaction,
    afterCommit: (effect) => {
      if (group === undefined && levels.length === 0) effect();
      else effects.push(effect);
    },
    committed: () => group?.promise ?? Promise.resolve(),
    flush,
    copyTo: (file) => {
      flush();
      try {
        native.prepare("VACUUM INTO ?").run([file]);
      } catch (error) {
        throw failureOf(error);
      }
    },
    withAttached: async (file, work) => {
      flush();
      native.prepare("ATTACH ? AS snapshot").run([file]);
      try {
        work();
        const written = group?.promise;
        flush();
        await written;
      } finally {
        // A failed `work` may have left a group of others' writes open; nothing can be detached below it.
        flush();
        native.exec("DETACH snapshot");
      }
    },
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      flush();
      // The driver keeps the connection until its statements are collected, so the lock is given up here: leaving WAL
      // writes everything into the one file, and the read after NORMAL ends the exclusive lock.
      try {
        native.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL");
        native.prepare("SELECT count(*) FROM sqlite_master").get([]);
      } catch (error) {
        // A full disk has no room for the one file, and a damaged one takes nothing. Everything stays in the WAL beside it,
        // and the lock ends with the process.
        if (!(failureOf(error) instanceof PlatformError)) throw error;
      } finally {
        native.close();
      }
    },
  };
}
