import type { Migration } from "../store/types.ts";

/**
 * `wire` is the row as JSON without `created_at`, so that a page is read without building objects. `seq` rises with
 * every insert and breaks ties. `chunk` is the start of the row's chunk, or -1 on the mutable side. `number` is set for
 * numeric values only, `text` for every value.
 *
 * `data_by_variable` ends with `number` and `created_at`: aggregates, extremes and the last insert are read from the
 * index alone, without the table.
 */
export const dataMigrations: readonly Migration[] = [
  {
    version: "0001-data",
    sql: `
      CREATE TABLE device_data (
        seq INTEGER PRIMARY KEY,
        device TEXT NOT NULL,
        variable TEXT NOT NULL,
        time INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        id TEXT NOT NULL,
        grp TEXT NOT NULL,
        number REAL,
        text TEXT,
        located INTEGER NOT NULL,
        chunk INTEGER NOT NULL,
        wire TEXT NOT NULL
      ) STRICT;
      CREATE INDEX data_by_variable ON device_data (device, variable, time, seq, number, created_at);
      CREATE INDEX data_by_time ON device_data (device, time, seq);
      CREATE INDEX data_by_group ON device_data (device, grp, time, seq);
      CREATE UNIQUE INDEX data_by_id ON device_data (device, id);
      CREATE TABLE data_chunk (
        device TEXT NOT NULL,
        chunk INTEGER NOT NULL,
        amount INTEGER NOT NULL,
        PRIMARY KEY (device, chunk)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: "0002-data-import",
    // Imports in progress, with the number of rows stored so far: written in the same transaction as the rows.
    sql: `
      CREATE TABLE data_import (
        device TEXT NOT NULL,
        address TEXT NOT NULL,
        stored INTEGER NOT NULL,
        PRIMARY KEY (device, address)
      ) STRICT, WITHOUT ROWID;
    `,
  },
];
