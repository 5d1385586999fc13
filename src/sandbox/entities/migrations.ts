import type { Migration } from "../store/types.ts";

/** Rows of entities. `seq` rises with every new row and breaks ties; `doc` contains the fields of the schema. */
export const entityMigrations: readonly Migration[] = [
  {
    version: "0001-entities",
    sql: `
      CREATE TABLE entity_row (
        seq INTEGER PRIMARY KEY,
        entity TEXT NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        doc TEXT NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX entity_row_id ON entity_row (entity, id);
      CREATE INDEX entity_row_created ON entity_row (entity, created_at, seq);
    `,
  },
];
