import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Blob, Blobs } from "../store/blobs.ts";
import type { SandboxDatabase } from "../store/types.ts";

/** Bytes of a content: both ends belong to it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What files hold: blobs in order. A content goes when no file names it any more. */
export interface Contents {
  /** Keeps the sweep off a blob whose row is not committed yet. */
  keep(blob: Blob): Blob;
  /** Its row is written: from the commit on the sweep knows it. */
  adopt(blob: Blob): void;
  /** Gives up a blob that got no row. */
  discard(blob: Blob): void;
  /** The same, unless it has one by now. */
  discardUnused(blob: Blob): void;
  /** Makes a content; answers its id. */
  make(blobs: readonly Blob[]): string;
  /** Drops a content unless a file still names it. */
  release(id: string): void;
  open(id: string, range?: Range): Readable;
  md5(id: string): Promise<string>;
  /** Everything stored was replaced: what was removed before may be named again. */
  replaced(): void;
  /** Removes blobs that nothing names. */
  sweep(): number;
}

interface BlobRow {
  readonly id: string;
  readonly size: number;
}

/** A mark of the whole from those of its parts, as multipart uploads have it. */
function etagOf(blobs: readonly Blob[]): string {
  const [only] = blobs;
  if (blobs.length === 1 && only !== undefined) return only.md5;
  const hash = createHash("md5");
  for (const { md5 } of blobs) hash.update(Buffer.from(md5, "hex"));
  return blobs.length === 0 ? hash.digest("hex") : `${hash.digest("hex")}-${blobs.length}`;
}

function md5Of(blobs: readonly Blob[]): string | null {
  if (blobs.length === 0) return createHash("md5").digest("hex");
  return blobs.length === 1 ? (blobs[0]?.md5 ?? null) : null;
}

export function createContents(db: SandboxDatabase, blobs: Blobs): Contents {
  /** Written, but not named by a committed row. */
  const fresh = new Set<string>();
  const readers = new Map<string, number>();
  /** Removed while somebody reads. */
  const doomed = new Set<string>();

  const blobsOf = (id: string): BlobRow[] =>
    db.all<BlobRow>("SELECT id, size FROM file_blob WHERE content = ? ORDER BY position", id);

  const isNamed = (id: string): boolean =>
    db.get("SELECT 1 AS n FROM file_blob WHERE id = ? UNION SELECT 1 FROM file_upload_part WHERE blob = ?", id, id) !==
    undefined;

  const removeBlob = (id: string): void => {
    // A snapshot that was restored meanwhile names it again.
    if (isNamed(id)) return;
    if ((readers.get(id) ?? 0) > 0) doomed.add(id);
    else blobs.remove(id);
  };

  const hold = (id: string): void => {
    readers.set(id, (readers.get(id) ?? 0) + 1);
  };

  const letGo = (id: string): void => {
    const left = (readers.get(id) ?? 1) - 1;
    if (left > 0) {
      readers.set(id, left);
      return;
    }
    readers.delete(id);
    if (doomed.delete(id)) blobs.remove(id);
  };

  async function* pieces(rows: readonly BlobRow[], range: Range): AsyncGenerator<Buffer, void, undefined> {
    let offset = 0;
    for (const { id, size } of rows) {
      const start = Math.max(range.start - offset, 0);
      const end = Math.min(range.end - offset, size - 1);
      offset += size;
      if (start > end) continue;
      for await (const chunk of blobs.read(id, start, end)) if (Buffer.isBuffer(chunk)) yield chunk;
    }
  }

  const open = (id: string, range: Range = { start: 0, end: Number.MAX_SAFE_INTEGER }): Readable => {
    const rows = blobsOf(id);
    for (const row of rows) hold(row.id);
    const stream = Readable.from(pieces(rows, range), { objectMode: false, highWaterMark: 256 * 1024 });
    stream.once("close", () => {
      for (const row of rows) letGo(row.id);
    });
    return stream;
  };

  const md5 = async (id: string): Promise<string> => {
    const known = db.get<{ md5: string | null }>("SELECT md5 FROM file_content WHERE id = ?", id)?.md5;
    if (known !== null && known !== undefined) return known;
    const hash = createHash("md5");
    for await (const chunk of open(id)) hash.update(chunk);
    const digest = hash.digest("hex");
    db.run("UPDATE file_content SET md5 = ? WHERE id = ?", digest, id);
    return digest;
  };

  const adopt = (blob: Blob): void => {
    db.afterCommit(() => fresh.delete(blob.id));
  };

  const make = (list: readonly Blob[]): string => {
    const id = randomBytes(16).toString("hex");
    const size = list.reduce((sum, blob) => sum + blob.size, 0);
    db.transaction(() => {
      db.run("INSERT INTO file_content (id, size, etag, md5) VALUES (?, ?, ?, ?)", id, size, etagOf(list), md5Of(list));
      for (const [position, blob] of list.entries()) {
        db.run(
          "INSERT INTO file_blob (id, content, position, size) VALUES (?, ?, ?, ?)",
          blob.id,
          id,
          position,
          blob.size,
        );
      }
    });
    for (const blob of list) adopt(blob);
    return id;
  };

  const release = (id: string): void => {
    if (db.get("SELECT 1 AS n FROM file WHERE content = ? LIMIT 1", id) !== undefined) return;
    const gone = blobsOf(id);
    db.run("DELETE FROM file_blob WHERE content = ?", id);
    db.run("DELETE FROM file_content WHERE id = ?", id);
    db.afterCommit(() => {
      for (const blob of gone) removeBlob(blob.id);
    });
  };

  return {
    keep: (blob) => {
      fresh.add(blob.id);
      return blob;
    },
    adopt,
    discard: (blob) => {
      fresh.delete(blob.id);
      blobs.remove(blob.id);
    },
    discardUnused: (blob) => {
      if (fresh.delete(blob.id)) blobs.remove(blob.id);
    },
    make,
    release,
    open,
    md5,
    replaced: () => doomed.clear(),
    sweep: () => {
      const known = new Set(
        db
          .all<{ id: string }>("SELECT id FROM file_blob UNION ALL SELECT blob AS id FROM file_upload_part")
          .map((row) => row.id),
      );
      for (const id of readers.keys()) if (!known.has(id)) doomed.add(id);
      return blobs.sweep((id) => known.has(id) || fresh.has(id) || readers.has(id));
    },
  };
}
