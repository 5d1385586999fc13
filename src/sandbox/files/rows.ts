/** A stored file. */
export interface FileEntry {
  readonly profile: string;
  /** Full path inside the profile, without a leading slash. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  /** Whether it can be read without a token. */
  readonly public: boolean;
  readonly modifiedMs: number;
  /** Without quotes: the MD5, or `{md5 of the parts' md5s}-{n}` for a file uploaded in several parts. */
  readonly etag: string;
}

export interface FileRow {
  readonly profile: string;
  readonly path: string;
  readonly content: string;
  readonly content_type: string;
  readonly public: number;
  readonly modified_at: number;
  readonly size: number;
  readonly etag: string;
}

const COLUMNS = "f.profile, f.path, f.content, f.content_type, f.public, f.modified_at, c.size, c.etag";

/** The files table with sizes and ETags. */
export const FILES = `SELECT ${COLUMNS} FROM file f JOIN file_content c ON c.id = f.content`;

export function toEntry(row: FileRow): FileEntry {
  return {
    profile: row.profile,
    path: row.path,
    size: row.size,
    contentType: row.content_type,
    public: row.public !== 0,
    modifiedMs: row.modified_at,
    etag: row.etag,
  };
}
