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

/** Disk and file errors become a 503 for the client; every other driver error is a defect of ours and is unchanged. */
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
  // A group that no one waits for may fail without ending the process.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/**
 * A database, opened in WAL mode with full synchronisation, locked against other processes. The lock is the operating
 * system's, so it ends with the process however that ends.
 */
export class OpenDatabase implements SandboxDatabase {
  readonly #options: DatabaseOptions;
  readonly #native: Libsql.Database;
  #damage: DamagedDatabaseError | undefined;
  readonly #statements = new Map<string, SqlStatement<never>>();
  readonly #begin: Libsql.Statement<unknown[]>;
  readonly #commit: Libsql.Statement<unknown[]>;
  #group: Group | undefined;
  #effects: (() => void)[] = [];
  #isOpen = true;
  /** Set when the group was lost during a `transaction()`: that call must fail. */
  #broken: Error | undefined;
  /** One entry per running `transaction()`: whether its savepoint exists yet. It is created with the first write. */
  readonly #levels: boolean[] = [];
  readonly #savepoints = new Map<string, { run(values: readonly unknown[]): unknown }>();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#native = new Libsql(options.path);
    this.#native.exec("PRAGMA locking_mode = EXCLUSIVE");
    this.#native.exec("PRAGMA journal_mode = WAL");
    this.#native.exec("PRAGMA synchronous = FULL");
    this.#native.exec("PRAGMA foreign_keys = ON");
    this.#native.exec("PRAGMA temp_store = MEMORY");
    this.#native.exec("PRAGMA cache_size = -16384");
    // Acquires the lock immediately instead of with the first write.
    this.#native.exec("BEGIN IMMEDIATE; COMMIT");
    if (options.maxPages !== undefined) this.#native.exec(`PRAGMA max_page_count = ${Math.trunc(options.maxPages)}`);
    this.#begin = this.#native.prepare("BEGIN IMMEDIATE");
    this.#commit = this.#native.prepare("COMMIT");
  }

  prepare<Row = SqlRow>(sql: string): SqlStatement<Row> {
    const known = this.#statements.get(sql);
    // A statement always has one row type: the caller that wrote it specifies the type.
    if (known !== undefined) return known as SqlStatement<unknown> as SqlStatement<Row>;
    const made = wrapStatement<Row>(this.#native.prepare(sql), sql, {
      beforeWrite: () => this.#beforeWrite(),
      failure: (error) => this.#failure(error),
    });
    this.#statements.set(sql, made as SqlStatement<unknown> as SqlStatement<never>);
    return made;
  }

  get<Row = SqlRow>(sql: string, ...values: readonly SqlInput[]): Row | undefined {
    return this.prepare<Row>(sql).get(...values);
  }

  all<Row = SqlRow>(sql: string, ...values: readonly SqlInput[]): Row[] {
    return this.prepare<Row>(sql).all(...values);
  }

  run(sql: string, ...values: readonly SqlInput[]): { readonly changes: number } {
    return this.prepare(sql).run(...values);
  }

  exec(sql: string): void {
    this.flush();
    try {
      this.#native.exec(sql);
    } catch (error) {
      if (this.#native.inTransaction) this.#native.exec("ROLLBACK");
      throw error;
    }
  }

  transaction<T>(work: () => T): T {
    const level = this.#levels.length;
    const firstEffect = this.#effects.length;
    this.#levels.push(false);
    try {
      const result = work();
      if (this.#broken !== undefined) throw this.#broken;
      if (this.#levels[level]) this.#savepoint("RELEASE", level);
      return result;
    } catch (error) {
      if (this.#levels[level] && this.#native.inTransaction) {
        this.#savepoint("ROLLBACK TO", level);
        this.#savepoint("RELEASE", level);
      }
      this.#effects.length = Math.min(this.#effects.length, firstEffect);
      throw error;
    } finally {
      this.#levels.length = level;
      if (level === 0) this.#broken = undefined;
      if (level === 0 && this.#group === undefined) this.#runEffects();
    }
  }

  afterCommit(effect: () => void): void {
    if (this.#group === undefined && this.#levels.length === 0) effect();
    else this.#effects.push(effect);
  }

  committed(): Promise<void> {
    return this.#group?.promise ?? Promise.resolve();
  }

  /** Commits the open group of writes now. */
  flush(): void {
    if (this.#group === undefined || this.#levels.length > 0) return;
    const done = this.#group;
    try {
      this.#commit.run([]);
    } catch (error) {
      this.#lose(this.#failureOf(error));
      return;
    }
    this.#group = undefined;
    done.resolve();
    this.#runEffects();
  }

  /** Writes everything committed into an empty file, as a separate database. */
  copyTo(file: string): void {
    this.flush();
    try {
      this.#native.prepare("VACUUM INTO ?").run([file]);
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  /** Runs `work` with another database attached as `snapshot`, and resolves when its writes are on disk. */
  async withAttached(file: string, work: () => void): Promise<void> {
    this.flush();
    this.#native.prepare("ATTACH ? AS snapshot").run([file]);
    try {
      work();
      const written = this.#group?.promise;
      this.flush();
      await written;
    } finally {
      // A failed `work` may have left a group of other writes open; nothing can be detached inside it.
      this.flush();
      this.#native.exec("DETACH snapshot");
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.flush();
    // The driver keeps the connection until its statements are collected, so the lock is released here: leaving WAL
    // mode writes everything into the one file, and the read after NORMAL ends the exclusive lock.
    try {
      this.#native.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL");
      this.#native.prepare("SELECT count(*) FROM sqlite_master").get([]);
    } catch (error) {
      // A full disk has no space for the one file, and a damaged one cannot be written. Everything stays in the WAL
      // beside it, and the lock ends with the process.
      if (!(this.#failureOf(error) instanceof PlatformError)) throw error;
    } finally {
      this.#native.close();
    }
  }

  #failureOf(error: unknown): Error {
    const shown = toPlatform(error, this.#options.path);
    if (!(shown instanceof DamagedDatabaseError)) return shown;
    this.#damage ??= shown;
    return this.#damage;
  }

  #savepoint(verb: "SAVEPOINT" | "RELEASE" | "ROLLBACK TO", level: number): void {
    const sql = `${verb} s${level}`;
    const statement = this.#savepoints.get(sql) ?? this.#native.prepare(sql);
    this.#savepoints.set(sql, statement);
    statement.run([]);
  }

  #lose(error: Error): void {
    const lost = this.#group;
    this.#group = undefined;
    this.#effects = [];
    this.#levels.fill(false);
    if (this.#levels.length > 0) this.#broken = error;
    if (this.#native.inTransaction) this.#native.exec("ROLLBACK");
    lost?.reject(error);
  }

  #beforeWrite(): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#group === undefined) {
      try {
        this.#begin.run([]);
      } catch (error) {
        throw this.#failureOf(error);
      }
      this.#group = openGroup();
      setImmediate(() => this.flush());
    }
    for (let i = 0; i < this.#levels.length; i += 1) {
      if (this.#levels[i]) continue;
      this.#savepoint("SAVEPOINT", i);
      this.#levels[i] = true;
    }
  }

  /** SQLite undoes the whole transaction on some errors; the other requests of the group are lost too. */
  #failure(error: unknown): Error {
    const shown = this.#failureOf(error);
    if (this.#group !== undefined && !this.#native.inTransaction) this.#lose(shown);
    return shown;
  }

  #runEffects(): void {
    const ready = this.#effects;
    this.#effects = [];
    for (const effect of ready) effect();
  }
}
