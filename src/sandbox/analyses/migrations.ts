import type { Migration } from "../store/types.ts";

export const runMigrations: readonly Migration[] = [
  {
    version: "0001-runs",
    sql: `
      CREATE TABLE analysis_script (
        analysis TEXT NOT NULL,
        version INTEGER NOT NULL,
        file_name TEXT NOT NULL,
        language TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (analysis, version)
      ) STRICT;

      CREATE TABLE analysis_console (
        seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        analysis TEXT NOT NULL,
        line TEXT NOT NULL
      ) STRICT;
      CREATE INDEX analysis_console_analysis ON analysis_console (analysis, seq);

      -- What actions and intervals remember between two runs.
      CREATE TABLE run_state (
        id TEXT NOT NULL PRIMARY KEY,
        locked INTEGER NOT NULL DEFAULT 0,
        last_due INTEGER
      ) STRICT, WITHOUT ROWID;

      -- Changes whenever an action or analysis is made, edited or deleted, and with the transaction that does it:
      -- what is kept of them in memory is good as long as the number is the same.
      CREATE TABLE run_revision (one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL) STRICT;
      INSERT INTO run_revision VALUES (1, 0);
      CREATE TRIGGER run_revision_insert AFTER INSERT ON entity WHEN NEW.kind IN ('action', 'analysis')
        BEGIN INSERT OR REPLACE INTO run_revision VALUES (1, random()); END;
      CREATE TRIGGER run_revision_update AFTER UPDATE OF updated_at ON entity WHEN NEW.kind IN ('action', 'analysis')
        BEGIN INSERT OR REPLACE INTO run_revision VALUES (1, random()); END;
      CREATE TRIGGER run_revision_delete AFTER DELETE ON entity WHEN OLD.kind IN ('action', 'analysis')
        BEGIN INSERT OR REPLACE INTO run_revision VALUES (1, random()); END;

      CREATE TABLE push_device (
        profile TEXT NOT NULL,
        token TEXT NOT NULL,
        platform TEXT NOT NULL,
        PRIMARY KEY (profile, token)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: "0002-console-time",
    sql: `
      ALTER TABLE analysis_console ADD COLUMN at INTEGER;
      ALTER TABLE analysis_console ADD COLUMN is_error INTEGER NOT NULL DEFAULT 0;
    `,
  },
];
