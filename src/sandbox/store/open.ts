import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { makeFolder } from "../../lib/core/make-folder.ts";
import { Blobs } from "./blobs.ts";
import { DamagedDatabaseError, OpenDatabase } from "./database.ts";
import { migrate } from "./migrations.ts";
import { DataDirectoryError } from "./storage-errors.ts";
import type { Migration } from "./types.ts";

export interface Storage {
  readonly db: OpenDatabase;
  /** True when the tables were just created, so that the seed is needed. */
  readonly isNew: boolean;
  /** Its directory; absent in memory. */
  readonly dataDir?: string;
  /** Contents of files, beside the database. */
  readonly blobs: Blobs;
  close(): void;
}

const DATABASE_FILE = "sandbox.db";
const LOCK_FILE = "sandbox.lock";
const BLOB_DIRECTORY = "blobs";
/** Key from which the tokens and passwords of this directory are derived. */
export const KEY_FILE = "secret.key";
/** Certificates that programs trust when the sandbox serves HTTPS. */
export const CERTIFICATE_FILE = "certificate.pem";

function lockOwner(lockPath: string): string {
  try {
    const pid = Number.parseInt(readFileSync(lockPath, "utf8"), 10);
    return Number.isInteger(pid) ? `process ${pid}` : "another process";
  } catch {
    return "another process";
  }
}

/** Message for a file that could not be opened. */
function openFailure(error: unknown, dataDir: string, lockPath: string): Error {
  const text = error instanceof Error ? error.message : String(error);
  if (/locked|busy/i.test(text)) {
    return new DataDirectoryError(
      `The data directory ${dataDir} is in use by ${lockOwner(lockPath)}. Stop that sandbox, or choose another data directory.`,
    );
  }
  if (/malformed/i.test(text)) return damaged(new DamagedDatabaseError(join(dataDir, DATABASE_FILE), "SQLITE_CORRUPT"));
  if (/not a database/i.test(text)) {
    return new DataDirectoryError(
      `${join(dataDir, DATABASE_FILE)} is not a database of the sandbox. Move it away, or choose another data directory.`,
      { cause: error },
    );
  }
  return error instanceof Error ? damaged(error) : new DataDirectoryError(text);
}

/** The error of a start: for a damaged file one about the directory; every other one is unchanged. */
export function damaged(error: Error): Error {
  return error instanceof DamagedDatabaseError ? new DataDirectoryError(error.message, { cause: error }) : error;
}

/** Files of a sandbox in its directory. */
const OWN_FILES = [
  DATABASE_FILE,
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-shm`,
  LOCK_FILE,
  KEY_FILE,
  CERTIFICATE_FILE,
];
const OWN_DIRECTORIES = [BLOB_DIRECTORY, "snapshots"];
/** Files that systems and version control put into any folder. */
const OF_SYSTEMS = ["lost+found", ".DS_Store", ".gitignore", ".gitkeep"];

/** A folder with other files and without a sandbox was specified by mistake. */
function refuseOther(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(dataDir) : [];
  const other = found.find((name) => ![...OWN_FILES, ...OWN_DIRECTORIES, ...OF_SYSTEMS].includes(name));
  if (other === undefined || found.includes(DATABASE_FILE)) return;
  throw new DataDirectoryError(
    `The data directory ${dataDir} holds other files (${JSON.stringify(other)}) and no sandbox. Choose an empty or a new one.`,
  );
}

/** Removes the permissions of other users. */
function close(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && (found.mode & 0o077) !== 0) chmodSync(path, mode);
}

/**
 * Creates the directory and an empty file that only the user can read: the database contains tokens. Wider permissions
 * are removed; those of the directory itself only if it contains nothing else, as it may be a project's.
 */
function prepareDirectory(dataDir: string): string {
  try {
    refuseOther(dataDir);
    makeFolder(dataDir, 0o700);
    const file = join(dataDir, DATABASE_FILE);
    closeSync(openSync(file, "a", 0o600));
    for (const name of OWN_FILES) close(join(dataDir, name), 0o600);
    for (const name of OWN_DIRECTORIES) close(join(dataDir, name), 0o700);
    const own = [...OWN_FILES, ...OWN_DIRECTORIES];
    if (readdirSync(dataDir).every((name) => own.includes(name))) close(dataDir, 0o700);
    return file;
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(`The data directory ${dataDir} cannot be used: ${reason}. Choose another one.`, {
      cause: error,
    });
  }
}

function bringUp(db: OpenDatabase, migrations: readonly Migration[], nowMs: number): boolean {
  const before = db.get<{ n: number }>("SELECT count(*) AS n FROM sqlite_master WHERE name = 'migration'");
  migrate(db, migrations, nowMs);
  return before?.n === 0;
}

function checkWhole(db: OpenDatabase, file: string): void {
  const found = db.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check;
  if (found !== "ok") throw new DamagedDatabaseError(file, "quick_check");
}

/** Storage that is removed when the sandbox stops. */
export function openEphemeral(migrations: readonly Migration[], nowMs: number, maxPages?: number): Storage {
  const db = new OpenDatabase({ path: ":memory:", ...(maxPages === undefined ? {} : { maxPages }) });
  bringUp(db, migrations, nowMs);
  const blobs = new Blobs(undefined);
  const close = (): void => {
    db.close();
    blobs.close();
  };
  return { db, isNew: true, blobs, close };
}

/**
 * Storage in `sandbox.db` of a directory. The lock on the file is the operating system's and ends with its process; the
 * lock file beside it only says which process has it, so one left by a killed process does no harm.
 */
export function openDirectory(
  directory: string,
  migrations: readonly Migration[],
  nowMs: number,
  maxPages?: number,
): Storage {
  // An absolute path cannot be mistaken for one of the URLs the driver also opens.
  const dataDir = resolve(directory);
  const file = prepareDirectory(dataDir);
  const lockPath = join(dataDir, LOCK_FILE);
  let db: OpenDatabase;
  try {
    db = new OpenDatabase({ path: file, ...(maxPages === undefined ? {} : { maxPages }) });
  } catch (error) {
    throw openFailure(error, dataDir, lockPath);
  }
  let isNoted = false;
  try {
    // Left by a process that did not exit normally: on some damages the driver kills the process.
    if (existsSync(lockPath)) checkWhole(db, file);
    writeFileSync(lockPath, `${process.pid}\n`, { mode: 0o600 });
    isNoted = true;
    const isNew = bringUp(db, migrations, nowMs);
    return {
      db,
      isNew,
      dataDir,
      blobs: new Blobs(join(dataDir, BLOB_DIRECTORY)),
      close: () => {
        db.close();
        rmSync(lockPath, { force: true });
      },
    };
  } catch (error) {
    db.close();
    if (isNoted) rmSync(lockPath, { force: true });
    throw openFailure(error, dataDir, lockPath);
  }
}
