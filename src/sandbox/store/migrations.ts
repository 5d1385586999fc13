import { MigrationError } from "./storage-errors.ts";
import type { Migration, SandboxDatabase } from "./types.ts";

/** Records of every kind, tokens, accounts and settings. */
export const coreMigrations: readonly Migration[] = [
  {
    version: "0001-core",
    sql: `
      -- One table for every kind of record. "keys" holds the filterable members as JSON: texts folded, dates in ms.
      CREATE TABLE entity (
        id TEXT NOT NULL PRIMARY KEY,
        kind TEXT NOT NULL,
        profile TEXT NOT NULL,
        parent TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        keys TEXT NOT NULL,
        doc TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX entity_kind ON entity (kind, profile, id);
      CREATE INDEX entity_parent ON entity (parent) WHERE parent IS NOT NULL;

      CREATE TABLE entity_tag (
        owner TEXT NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        key TEXT NOT NULL,
        key_folded TEXT NOT NULL,
        value_folded TEXT NOT NULL,
        PRIMARY KEY (owner, position)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX entity_tag_key ON entity_tag (key_folded, value_folded);

      CREATE TABLE token (
        key TEXT NOT NULL PRIMARY KEY,
        kind TEXT NOT NULL,
        profile TEXT NOT NULL,
        ref_id TEXT NOT NULL,
        name TEXT NOT NULL,
        permission TEXT NOT NULL,
        expires_at INTEGER,
        serie_number TEXT,
        last_authorization TEXT,
        verification_code TEXT,
        created_by TEXT,
        created_at INTEGER NOT NULL,
        position INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX token_ref ON token (ref_id, kind);
      CREATE INDEX token_serie ON token (serie_number) WHERE serie_number IS NOT NULL;

      CREATE TABLE device_param (
        id TEXT NOT NULL PRIMARY KEY,
        device TEXT NOT NULL,
        position INTEGER NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        sent INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX device_param_device ON device_param (device, position);

      CREATE TABLE account (
        id TEXT NOT NULL PRIMARY KEY,
        email TEXT NOT NULL UNIQUE,
        password_hash TEXT NOT NULL,
        otp TEXT NOT NULL,
        pin TEXT,
        doc TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE profile (
        id TEXT NOT NULL PRIMARY KEY,
        account TEXT NOT NULL REFERENCES account (id),
        doc TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE profile_share (
        profile TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
        account TEXT NOT NULL REFERENCES account (id),
        PRIMARY KEY (profile, account)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE outbox (
        id TEXT NOT NULL PRIMARY KEY,
        doc TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE setting (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
];

/** Migrates the tables, each version in one transaction. Returns the number of applied versions. */
export function migrate(db: SandboxDatabase, migrations: readonly Migration[], nowMs: number): number {
  db.exec(
    "CREATE TABLE IF NOT EXISTS migration (version TEXT NOT NULL PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT",
  );
  const applied = new Set(db.all<{ version: string }>("SELECT version FROM migration").map((row) => row.version));
  const known = new Set(migrations.map((migration) => migration.version));
  const foreign = [...applied].filter((version) => !known.has(version));
  if (foreign.length > 0) {
    throw new MigrationError(
      `The database was written by a newer version of the sandbox (unknown: ${foreign.join(", ")}). ` +
        "Update the program, or choose another data directory.",
    );
  }
  const missing = migrations.filter((migration) => !applied.has(migration.version));
  for (const { version, sql } of missing) {
    const stamp = `INSERT INTO migration (version, applied_at) VALUES ('${version.replaceAll("'", "''")}', ${Math.trunc(nowMs)})`;
    try {
      db.exec(`BEGIN IMMEDIATE; ${sql}; ${stamp}; COMMIT`);
    } catch (error) {
      throw new MigrationError(`The database could not be brought to version ${version}`, { cause: error });
    }
  }
  return missing.length;
}
