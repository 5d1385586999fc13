import type { Migration } from "../store/types.ts";

/**
 * A file refers to a content, a content to its blobs in order: copies share a content, and a multipart upload is
 * completed without copying a byte. `md5` of a content of several blobs is set on first use.
 */
export const fileMigrations: readonly Migration[] = [
  {
    version: "0001-files",
    sql: `
      CREATE TABLE file (
        profile TEXT NOT NULL,
        path TEXT NOT NULL,
        content TEXT NOT NULL,
        content_type TEXT NOT NULL,
        public INTEGER NOT NULL,
        modified_at INTEGER NOT NULL,
        PRIMARY KEY (profile, path)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX file_by_content ON file (content);

      CREATE TABLE file_content (
        id TEXT NOT NULL PRIMARY KEY,
        size INTEGER NOT NULL,
        etag TEXT NOT NULL,
        md5 TEXT
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE file_blob (
        id TEXT NOT NULL PRIMARY KEY,
        content TEXT NOT NULL,
        position INTEGER NOT NULL,
        size INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX file_blob_content ON file_blob (content, position);

      CREATE TABLE file_upload (
        id TEXT NOT NULL PRIMARY KEY,
        profile TEXT NOT NULL,
        path TEXT NOT NULL,
        content_type TEXT NOT NULL,
        public INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        finished TEXT
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE file_upload_part (
        upload TEXT NOT NULL REFERENCES file_upload (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        blob TEXT NOT NULL,
        size INTEGER NOT NULL,
        md5 TEXT NOT NULL,
        PRIMARY KEY (upload, number)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: "0002-upload-owner",
    // Empty for profile tokens.
    sql: "ALTER TABLE file_upload ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
  },
];
