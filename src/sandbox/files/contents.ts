import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Blob, Blobs } from "../store/blobs.ts";
import type { SandboxDatabase } from "../store/types.ts";

/** A byte range; both ends are inclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface BlobRow {
  readonly id: string;
  readonly size: number;
}

/** The ETag of a whole file from those of its parts, as in multipart uploads. */
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

/** Contents of files: an ordered list of blobs. A content is removed when no file refers to it any more. */
export class Contents {
  readonly #db: SandboxDatabase;
  readonly #blobs: Blobs;
  /** Written, but not referenced by a committed row. */
  readonly #fresh = new Set<string>();
  readonly #readers = new Map<string, number>();
  /** To be removed when their last reader is done. */
  readonly #doomed = new Set<string>();

  constructor(db: SandboxDatabase, blobs: Blobs) {
    this.#db = db;
    this.#blobs = blobs;
  }

  /** Protects a blob from the sweep until its row is committed. */
  keep(blob: Blob): Blob {
    this.#fresh.add(blob.id);
    return blob;
  }

  /** Its row is written: from the commit on the sweep finds it. */
  adopt(blob: Blob): void {
    this.#db.afterCommit(() => this.#fresh.delete(blob.id));
  }

  /** Discards a blob that got no row. */
  discard(blob: Blob): void {
    this.#fresh.delete(blob.id);
    this.#blobs.remove(blob.id);
  }

  /** The same, unless it has a row by now. */
  discardUnused(blob: Blob): void {
    if (this.#fresh.delete(blob.id)) this.#blobs.remove(blob.id);
  }

  /** Creates a content; returns its id. */
  make(list: readonly Blob[]): string {
    const id = randomBytes(16).toString("hex");
    const size = list.reduce((sum, blob) => sum + blob.size, 0);
    this.#db.transaction(() => {
      this.#db.run(
        "INSERT INTO file_content (id, size, etag, md5) VALUES (?, ?, ?, ?)",
        id,
        size,
        etagOf(list),
        md5Of(list),
      );
      for (const [position, blob] of list.entries()) {
        this.#db.run(
          "INSERT INTO file_blob (id, content, position, size) VALUES (?, ?, ?, ?)",
          blob.id,
          id,
          position,
          blob.size,
        );
      }
    });
    for (const blob of list) this.adopt(blob);
    return id;
  }

  /** Drops a content unless a file still refers to it. */
  release(id: string): void {
    if (this.#db.get("SELECT 1 AS n FROM file WHERE content = ? LIMIT 1", id) !== undefined) return;
    const gone = this.#blobsOf(id);
    this.#db.run("DELETE FROM file_blob WHERE content = ?", id);
    this.#db.run("DELETE FROM file_content WHERE id = ?", id);
    this.#db.afterCommit(() => {
      for (const blob of gone) this.#removeBlob(blob.id);
    });
  }

  open(id: string, range: Range = { start: 0, end: Number.MAX_SAFE_INTEGER }): Readable {
    const rows = this.#blobsOf(id);
    for (const row of rows) this.#hold(row.id);
    const stream = Readable.from(this.#pieces(rows, range), { objectMode: false, highWaterMark: 256 * 1024 });
    stream.once("close", () => {
      for (const row of rows) this.#letGo(row.id);
    });
    return stream;
  }

  async md5(id: string): Promise<string> {
    const known = this.#db.get<{ md5: string | null }>("SELECT md5 FROM file_content WHERE id = ?", id)?.md5;
    if (known !== null && known !== undefined) return known;
    const hash = createHash("md5");
    for await (const chunk of this.open(id)) hash.update(chunk);
    const digest = hash.digest("hex");
    this.#db.run("UPDATE file_content SET md5 = ? WHERE id = ?", digest, id);
    return digest;
  }

  /** All stored data was replaced: blobs removed before may be referenced again. */
  replaced(): void {
    this.#doomed.clear();
  }

  /** Removes blobs that nothing refers to. */
  sweep(): number {
    const known = new Set(
      this.#db
        .all<{ id: string }>("SELECT id FROM file_blob UNION ALL SELECT blob AS id FROM file_upload_part")
        .map((row) => row.id),
    );
    for (const id of this.#readers.keys()) if (!known.has(id)) this.#doomed.add(id);
    return this.#blobs.sweep((id) => known.has(id) || this.#fresh.has(id) || this.#readers.has(id));
  }

  #blobsOf(id: string): BlobRow[] {
    return this.#db.all<BlobRow>("SELECT id, size FROM file_blob WHERE content = ? ORDER BY position", id);
  }

  #isNamed(id: string): boolean {
    return (
      this.#db.get(
        "SELECT 1 AS n FROM file_blob WHERE id = ? UNION SELECT 1 FROM file_upload_part WHERE blob = ?",
        id,
        id,
      ) !== undefined
    );
  }

  #removeBlob(id: string): void {
    // A snapshot restored in the meantime refers to it again.
    if (this.#isNamed(id)) return;
    if ((this.#readers.get(id) ?? 0) > 0) this.#doomed.add(id);
    else this.#blobs.remove(id);
  }

  #hold(id: string): void {
    this.#readers.set(id, (this.#readers.get(id) ?? 0) + 1);
  }

  #letGo(id: string): void {
    const left = (this.#readers.get(id) ?? 1) - 1;
    if (left > 0) {
      this.#readers.set(id, left);
      return;
    }
    this.#readers.delete(id);
    if (this.#doomed.delete(id)) this.#blobs.remove(id);
  }

  async *#pieces(rows: readonly BlobRow[], range: Range): AsyncGenerator<Buffer, void, undefined> {
    let offset = 0;
    for (const { id, size } of rows) {
      const start = Math.max(range.start - offset, 0);
      const end = Math.min(range.end - offset, size - 1);
      offset += size;
      if (start > end) continue;
      for await (const chunk of this.#blobs.read(id, start, end)) if (Buffer.isBuffer(chunk)) yield chunk;
    }
  }
}
