import { UPLOAD_MIN_PART_BYTES } from "../../lib/core/limits.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import type { Blob } from "../store/blobs.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { fileGaps } from "./gaps.ts";
import { cleanContentType, filePath } from "./paths.ts";
import type { FileEntry, FileStore, NewEntry } from "./store.ts";

/** Uploads that are not completed are dropped after this time. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;

/** A part in a request to complete an upload. */
interface NamedPart {
  readonly ETag: string;
  readonly PartNumber: number;
}

/** Owner of an upload. Profile tokens can continue every upload of the profile, others only their own. */
type Uploader = Pick<Principal, "kind" | "profile" | "refId">;

/** The file of an upload. */
interface UploadTarget {
  readonly path: string;
  readonly public: boolean;
}

interface UploadRow {
  readonly id: string;
  readonly path: string;
  readonly content_type: string;
  readonly public: number;
  /** Path of the file, once it is complete. */
  readonly finished: string | null;
}

interface PartRow {
  readonly number: number;
  readonly blob: string;
  readonly size: number;
  readonly md5: string;
}

const ownerOf = ({ kind, refId }: Uploader): string => (kind === "profile" ? "" : `${kind}:${refId}`);

const bare = (etag: string): string => etag.replaceAll('"', "").toLowerCase();

const refusePart = (why: string): PlatformError => new PlatformError(400, why).assumed(fileGaps.parts);

const missing = (): PlatformError => new PlatformError(404, "Upload Not Found").assumed(fileGaps.unknownUpload);

/** The specified parts, checked against those uploaded. */
function chosen(named: readonly NamedPart[], stored: ReadonlyMap<number, PartRow>): PartRow[] {
  return named.map(({ ETag, PartNumber }, index) => {
    if (PartNumber !== index + 1) {
      const previous = named[index - 1]?.PartNumber ?? 0;
      const why =
        PartNumber <= previous ? "The parts are not in ascending order" : `Part number ${index + 1} is missing`;
      throw refusePart(why);
    }
    const part = stored.get(PartNumber);
    if (part === undefined) throw refusePart(`Part number ${PartNumber} was not uploaded`);
    if (part.md5 !== bare(ETag)) throw refusePart(`The ETag of part number ${PartNumber} does not match`);
    if (index < named.length - 1 && part.size < UPLOAD_MIN_PART_BYTES) {
      throw refusePart(`Part number ${PartNumber} is smaller than the minimum of 5 MB`);
    }
    return part;
  });
}

/** Multipart uploads. Parts can come in any order and repeatedly; the last one of a number counts. */
export class Uploads {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #files: FileStore;
  readonly #newId: () => string;

  constructor(db: SandboxDatabase, clock: Clock, files: FileStore, newId: () => string) {
    this.#db = db;
    this.#clock = clock;
    this.#files = files;
    this.#newId = newId;
  }

  /** Returns the id of the upload. */
  start(uploader: Uploader, path: string, settings: NewEntry): string {
    const key = filePath(path);
    this.#forgetOld();
    const id = this.#newId().replaceAll("-", "");
    this.#db.run(
      `INSERT INTO file_upload (id, profile, owner, path, content_type, public, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      uploader.profile,
      ownerOf(uploader),
      key,
      cleanContentType(settings.contentType, key),
      settings.public ?? false,
      this.#clock.now(),
    );
    return id;
  }

  target(uploader: Uploader, uploadId: string): UploadTarget {
    const upload = this.#need(uploader, uploadId);
    return { path: upload.path, public: upload.public !== 0 };
  }

  /** Returns the ETag of the part, in quotes. */
  addPart(uploader: Uploader, uploadId: string, number: number, blob: Blob): string {
    const upload = this.#need(uploader, uploadId);
    if (upload.finished !== null) throw missing();
    const old = this.#db.get<{ blob: string }>(
      "SELECT blob FROM file_upload_part WHERE upload = ? AND number = ?",
      upload.id,
      number,
    );
    this.#db.run(
      `INSERT INTO file_upload_part (upload, number, blob, size, md5) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (upload, number) DO UPDATE SET blob = excluded.blob, size = excluded.size, md5 = excluded.md5`,
      upload.id,
      number,
      blob.id,
      blob.size,
      blob.md5,
    );
    this.#files.adopt(blob);
    this.#db.afterCommit(() => {
      if (old !== undefined) this.#files.blobs.remove(old.blob);
    });
    return `"${blob.md5}"`;
  }

  /** Creates the file. The same call again returns the same file. */
  complete(uploader: Uploader, uploadId: string, named: readonly NamedPart[]): FileEntry {
    const { profile } = uploader;
    const upload = this.#need(uploader, uploadId);
    // A client that did not get the response retries.
    if (upload.finished !== null) return this.#files.need(profile, upload.finished);
    const parts = chosen(named, new Map(this.#partsOf(upload.id).map((part) => [part.number, part])));
    const blobs = parts.map(({ blob, size, md5 }) => ({ id: blob, size, md5 }));
    const settings = { contentType: upload.content_type, public: upload.public !== 0 };
    const entry = this.#files.putBlobs(profile, upload.path, blobs, settings);
    this.#dropParts(upload.id, new Set(blobs.map(({ id }) => id)));
    this.#db.run("UPDATE file_upload SET finished = ? WHERE id = ?", entry.path, upload.id);
    return entry;
  }

  abort(uploader: Uploader, uploadId: string): void {
    const upload = this.#need(uploader, uploadId);
    this.#dropParts(upload.id, new Set());
    this.#db.run("DELETE FROM file_upload WHERE id = ?", upload.id);
  }

  #need(uploader: Uploader, uploadId: string): UploadRow {
    const row = this.#db.get<UploadRow & { readonly owner: string }>(
      "SELECT id, path, content_type, public, finished, owner FROM file_upload WHERE id = ? AND profile = ?",
      uploadId,
      uploader.profile,
    );
    const isOpen = uploader.kind === "profile" || row?.owner === ownerOf(uploader);
    // Others cannot find out that there is such an upload.
    if (row === undefined || !isOpen) throw missing();
    return row;
  }

  #partsOf(uploadId: string): PartRow[] {
    return this.#db.all<PartRow>(
      "SELECT number, blob, size, md5 FROM file_upload_part WHERE upload = ? ORDER BY number",
      uploadId,
    );
  }

  #dropParts(uploadId: string, kept: ReadonlySet<string>): void {
    const gone = this.#partsOf(uploadId).filter((part) => !kept.has(part.blob));
    this.#db.run("DELETE FROM file_upload_part WHERE upload = ?", uploadId);
    this.#db.afterCommit(() => {
      for (const part of gone) this.#files.blobs.remove(part.blob);
    });
  }

  #forgetOld(): void {
    const old = this.#db.all<{ id: string }>(
      "SELECT id FROM file_upload WHERE created_at < ?",
      this.#clock.now() - MAX_AGE_MS,
    );
    for (const { id } of old) {
      this.#dropParts(id, new Set());
      this.#db.run("DELETE FROM file_upload WHERE id = ?", id);
    }
  }
}
