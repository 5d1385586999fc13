import type { Migration } from "../store/types.ts";

/** Tables of accounts, profiles and portals that the first migration does not create. */
export const accountMigrations: readonly Migration[] = [
  {
    version: "0001-accounts",
    sql: `
      ALTER TABLE profile_share ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;

      -- Settings as JSON, by name: subscription, billing, plan ... of an account; run, saml, allocation ... of a profile.
      CREATE TABLE account_setting (
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (owner, name)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE profile_setting (
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (owner, name)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE profile_invitation (
        id TEXT NOT NULL PRIMARY KEY,
        profile TEXT NOT NULL,
        email TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        UNIQUE (profile, email)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE payment (
        stripe_id TEXT NOT NULL PRIMARY KEY,
        account TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        doc TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- What a portal user logs in with; the rest of the user is a record.
      CREATE TABLE run_user_login (
        id TEXT NOT NULL PRIMARY KEY,
        profile TEXT NOT NULL,
        email TEXT NOT NULL,
        password_hash TEXT NOT NULL,
        otp TEXT NOT NULL,
        pin TEXT,
        UNIQUE (profile, email)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE run_user_item (
        run_user TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (run_user, key)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE audit_event (
        id TEXT NOT NULL PRIMARY KEY,
        profile TEXT NOT NULL,
        resource_name TEXT NOT NULL,
        resource_id TEXT NOT NULL,
        message TEXT NOT NULL,
        who TEXT NOT NULL,
        date INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX audit_event_profile ON audit_event (profile, date);
      CREATE TABLE audit_query (
        id TEXT NOT NULL PRIMARY KEY,
        profile TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        filter TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- What was used in an hour, by service.
      CREATE TABLE usage (
        profile TEXT NOT NULL,
        hour INTEGER NOT NULL,
        service TEXT NOT NULL,
        amount REAL NOT NULL,
        PRIMARY KEY (profile, hour, service)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: "0002-audit-query",
    // Searches of the audit log are stored in memory.
    sql: "DROP TABLE audit_query;",
  },
];
