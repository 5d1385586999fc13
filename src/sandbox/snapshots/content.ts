import { closeSync, copyFileSync, linkSync, openSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../../lib/core/error-code.ts";
import { makeFolder } from "../../lib/core/make-folder.ts";
import { OpenDatabase } from "../store/database.ts";
import { migrate } from "../store/migrations.ts";
import { MigrationError } from "../store/storage-errors.ts";
import type { Migration, SandboxDatabase } from "../store/types.ts";
import { SnapshotError } from "./stored-state.ts";

/** File of the database in a snapshot. */
export const DATABASE_NAME = "sandbox.db";
const BLOB_PATH = /^blobs\/([0-9a-f]{2})\/(\1[0-9a-f]{30})$/;

/** True for the paths in a snapshot at which a content can be. */
export function isBlobPath(path: string): boolean {
  return BLOB_PATH.test(path);
}

const blobPath = (id: string): string => `blobs/${id.slice(0, 2)}/${id}`;

/** Path of a content in its store. */
const placeIn = (blobDirectory: string, id: string): string => join(blobDirectory, id.slice(0, 2), id);

/** All contents below a directory, as paths of a snapshot. */
export function blobPathsIn(directory: string): string[] {
  const namesIn = (path: string): string[] => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  };
  return namesIn(join(directory, "blobs"))
    .flatMap((folder) => namesIn(join(directory, "blobs", folder)).map((name) => `blobs/${folder}/${name}`))
    .filter(isBlobPath);
}

/** A hard link to a content, which never changes, or a copy if the file system has no hard links. */
function linkOrCopy(from: string, to: string): void {
  makeFolder(dirname(to), 0o700);
  try {
    linkSync(from, to);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    copyFileSync(from, to);
  }
}

/** Contents the rows refer to, with their sizes. */
function namedBlobs(db: Pick<SandboxDatabase, "all">, schema: "main" | "snapshot"): { id: string; size: number }[] {
  return db.all<{ id: string; size: number }>(
    `SELECT id, size FROM ${schema}.file_blob UNION SELECT blob AS id, size FROM ${schema}.file_upload_part`,
  );
}

/** A second snapshot: its database can be changed, its contents are shared. */
export function copySnapshot(source: string, target: string): void {
  copyFileSync(join(source, DATABASE_NAME), join(target, DATABASE_NAME));
  for (const path of blobPathsIn(source)) linkOrCopy(join(source, path), join(target, path));
}

/** Writes database and contents into an empty directory. The rows are consistent. */
export function saveSnapshot(db: OpenDatabase, blobDirectory: string, target: string): void {
  const file = join(target, DATABASE_NAME);
  // Created here, so that only the user can read it: it contains tokens.
  closeSync(openSync(file, "wx", 0o600));
  db.copyTo(file);
  for (const { id } of namedBlobs(db, "main")) {
    linkOrCopy(placeIn(blobDirectory, id), join(target, blobPath(id)));
  }
}

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const schemaOf = (db: SandboxDatabase, schema: "main" | "snapshot"): SchemaRow[] =>
  db.all<SchemaRow>(
    `SELECT type, name, sql FROM ${schema}.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type, name`,
  );

/** Migrates the database of a snapshot, and checks its integrity. */
export function prepareSnapshot(directory: string, migrations: readonly Migration[], nowMs: number): void {
  let db: OpenDatabase | undefined;
  try {
    db = new OpenDatabase({ path: join(directory, DATABASE_NAME) });
    const check = db.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check;
    if (check !== "ok") throw new SnapshotError("The database in it is damaged");
    const schema = schemaOf(db, "main");
    if (schema.some(({ type }) => type === "view") || !schema.some(({ name }) => name === "migration")) {
      throw new SnapshotError("The database in it is not one of a sandbox");
    }
    migrate(db, migrations, nowMs);
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    if (error instanceof MigrationError) throw new SnapshotError(error.message, { cause: error });
    throw new SnapshotError("The database in it cannot be read", { cause: error });
  } finally {
    db?.close();
  }
}

function checkSchema(db: SandboxDatabase): SchemaRow[] {
  const own = schemaOf(db, "main");
  if (JSON.stringify(schemaOf(db, "snapshot")) !== JSON.stringify(own)) {
    throw new SnapshotError("The database in it has other tables than a sandbox");
  }
  return own;
}

/** Ids of the contents the snapshot refers to; each must exist in its full size. */
function checkBlobs(db: SandboxDatabase, directory: string): string[] {
  return namedBlobs(db, "snapshot").map(({ id, size }) => {
    const path = blobPath(id);
    const found = isBlobPath(path) ? statSync(join(directory, path), { throwIfNoEntry: false })?.size : undefined;
    if (found !== size) throw new SnapshotError(`The content ${id.slice(0, 40)} of a file is missing or damaged`);
    return id;
  });
}

/**
 * Replaces all stored data by a snapshot that `prepareSnapshot` has checked, in one transaction: all of it or nothing.
 * `afterwards` runs inside that transaction.
 */
export async function loadSnapshot(
  db: OpenDatabase,
  blobDirectory: string,
  directory: string,
  afterwards: () => void,
): Promise<void> {
  await db.withAttached(join(directory, DATABASE_NAME), () => {
    const tables = checkSchema(db).filter(({ type, name }) => type === "table" && name !== "migration");
    // Contents first: a row never refers to one that does not exist.
    for (const id of checkBlobs(db, directory)) linkOrCopy(join(directory, blobPath(id)), placeIn(blobDirectory, id));
    db.transaction(() => {
      // The first write opens the transaction, in which children can be removed after their parents.
      db.run("DELETE FROM setting");
      db.get("PRAGMA defer_foreign_keys = ON");
      for (const { name } of tables) {
        db.run(`DELETE FROM main."${name}"`);
      }
      for (const { name } of tables) {
        // A trigger may have inserted a row here in the meantime.
        db.run(`DELETE FROM main."${name}"`);
        db.run(`INSERT INTO main."${name}" SELECT * FROM snapshot."${name}"`);
      }
      afterwards();
    });
  });
}
