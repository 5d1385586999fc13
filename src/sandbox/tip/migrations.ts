import type { Migration } from "../store/types.ts";

/** Counters that devices have used, and commands that wait for devices. */
export const tipMigrations: readonly Migration[] = [
  {
    version: "0003-tip",
    sql: `
      CREATE TABLE tip_sequence (
        device TEXT NOT NULL PRIMARY KEY,
        seq INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE tip_command (
        position INTEGER PRIMARY KEY,
        device TEXT NOT NULL,
        protocol TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX tip_command_device ON tip_command (device, position);
    `,
  },
];
