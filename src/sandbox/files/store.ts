import type { Readable } from "node:stream";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Signals } from "../signals.ts";
import type { Blob, Blobs, ByteSource } from "../store/blobs.ts";
import type { SandboxDatabase, SqlStatement } from "../store/types.ts";
import { Contents, type Range } from "./contents.ts";
import { type FileListing, type ListFiles, listFiles } from "./listing.ts";
import { baseName, cleanContentType, filePath, folderPrefix } from "./paths.ts";
import { FILES, type FileEntry, type FileRow, toEntry } from "./rows.ts";

export type { FileEntry } from "./rows.ts";

/** A file to store. */
interface NewFile<Content> {
  readonly content: Content;
  /** Default: by the extension. */
  readonly contentType?: string | undefined;
  /** Default false. */
  readonly public?: boolean | undefined;
}

export type NewEntry = Omit<NewFile<never>, "content">;

interface FileMove {
  readonly from: string;
  readonly to: string;
}

export interface FileStoreParts {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly blobs: Blobs;
}

function missing(): PlatformError {
  return new PlatformError(404, "file can't be found");
}

function settingsOf(row: FileRow): NewEntry {
  return { contentType: row.content_type, public: row.public !== 0 };
}

/**
 * The files of all profiles: rows in the database, content on disk beside it. Each method normalizes paths
 * (`filePath`). An existing file is replaced. Synchronous methods take part in the caller's transaction.
 */
export class FileStore {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #signals: Signals;
  readonly blobs: Blobs;
  readonly #contents: Contents;
  readonly #byPath: SqlStatement<FileRow>;

  constructor({ db, clock, signals, blobs }: FileStoreParts) {
    this.#db = db;
    this.#clock = clock;
    this.#signals = signals;
    this.blobs = blobs;
    this.#contents = new Contents(db, blobs);
    this.#byPath = db.prepare<FileRow>(`${FILES} WHERE f.profile = ? AND f.path = ?`);
    signals.on("everythingReplaced", () => this.#contents.replaced());
    this.#contents.sweep();
  }

  /** Stores bytes. */
  put(profile: string, path: string, file: NewFile<Uint8Array>): FileEntry {
    const key = filePath(path);
    const blob = this.#contents.keep(this.blobs.write(file.content));
    try {
      return this.putBlobs(profile, key, [blob], file);
    } finally {
      // The surrounding transaction may still be undone.
      void this.#db
        .committed()
        .catch(() => {})
        .then(() => this.#contents.discardUnused(blob));
    }
  }

  /** Stores a stream in constant memory; resolves when the row is on disk. */
  async putStream(profile: string, path: string, file: NewFile<ByteSource>): Promise<FileEntry> {
    const key = filePath(path);
    const blob = this.#contents.keep(await this.blobs.writeStream(file.content));
    try {
      const entry = this.putBlobs(profile, key, [blob], file);
      await this.#db.committed();
      return entry;
    } catch (error) {
      this.#contents.discard(blob);
      throw error;
    }
  }

  /** Creates a file from stored blobs, in order. */
  putBlobs(profile: string, path: string, parts: readonly Blob[], settings: NewEntry): FileEntry {
    const key = filePath(path);
    return this.#db.transaction(() => this.#point(profile, key, this.#contents.make(parts), settings));
  }

  /** Stores content that gets its row later; `discard` removes it, `adopt` marks its row as written. */
  async stage(content: ByteSource): Promise<Blob> {
    return this.#contents.keep(await this.blobs.writeStream(content));
  }

  adopt(blob: Blob): void {
    this.#contents.adopt(blob);
  }

  discard(blob: Blob): void {
    this.#contents.discard(blob);
  }

  get(profile: string, path: string): FileEntry | undefined {
    const row = this.#rowOf(profile, path);
    return row === undefined ? undefined : toEntry(row);
  }

  /** The entry; throws 404 `file can't be found`. */
  need(profile: string, path: string): FileEntry {
    return toEntry(this.#needRow(profile, path));
  }

  /** The content, all of it or `range`; it stays readable to the end when the file is removed in the meantime. */
  open(profile: string, path: string, range?: Range): Readable | undefined {
    const row = this.#rowOf(profile, path);
    return row === undefined ? undefined : this.#contents.open(row.content, range);
  }

  /** The whole content in memory, for files known to be small. */
  async read(profile: string, path: string): Promise<Buffer | undefined> {
    const stream = this.open(profile, path);
    if (stream === undefined) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** MD5 of the content as hex digits. Reads the whole file the first time if it was uploaded in several parts. */
  async md5(profile: string, path: string): Promise<string> {
    return this.#contents.md5(this.#needRow(profile, path).content);
  }

  /** True when the file existed. */
  remove(profile: string, path: string): boolean {
    const row = this.#rowOf(profile, path);
    if (row !== undefined) this.#removeRow(row);
    return row !== undefined;
  }

  /**
   * Removes an exact path, else everything under it (a trailing slash: only what is under it). Returns the number of
   * files.
   */
  removeTree(profile: string, path: string): number {
    const rows = this.#tree(profile, path);
    this.#db.transaction(() => {
      for (const row of rows) this.#removeRow(row);
    });
    return rows.length;
  }

  removeProfile(profile: string): void {
    this.#db.transaction(() => {
      for (const row of this.#db.all<FileRow>(`${FILES} WHERE f.profile = ?`, profile)) this.#removeRow(row);
    });
  }

  /** Renames a file, or every file under a folder. Throws 404 when there is neither. */
  move(profile: string, change: FileMove): void {
    this.#db.transaction(() => {
      for (const [row, path] of this.#pairs(profile, change)) {
        if (path === row.path) continue;
        this.#point(profile, path, row.content, settingsOf(row));
        const old = this.#byPath.get(profile, row.path);
        if (old !== undefined) this.#removeRow(old);
      }
    });
  }

  /** As `move`, keeping the original. */
  copy(profile: string, move: FileMove): void {
    this.#db.transaction(() => {
      for (const [row, path] of this.#pairs(profile, move)) {
        if (path !== row.path) this.#point(profile, path, row.content, settingsOf(row));
      }
    });
  }

  /** Sets the visibility of a file, or of every file under a folder. Throws 404 when there is neither. */
  setPublic(profile: string, path: string, isPublic: boolean): void {
    this.#db.transaction(() => {
      for (const row of this.#needTree(profile, path)) {
        this.#db.run("UPDATE file SET public = ? WHERE profile = ? AND path = ?", isPublic, profile, row.path);
        this.#tell("edit", { ...toEntry(row), public: isPublic });
      }
    });
  }

  list(profile: string, query: ListFiles): FileListing {
    return listFiles(this.#db, profile, query);
  }

  /** Bytes the profile uses. */
  usage(profile: string): number {
    return (
      this.#db.get<{ bytes: number | null }>(
        "SELECT sum(c.size) AS bytes FROM file f JOIN file_content c ON c.id = f.content WHERE f.profile = ?",
        profile,
      )?.bytes ?? 0
    );
  }

  /** Removes content no row refers to. Runs after the database was opened or emptied. */
  sweep(): number {
    return this.#contents.sweep();
  }

  #rowOf(profile: string, path: string): FileRow | undefined {
    return this.#byPath.get(profile, filePath(path));
  }

  #needRow(profile: string, path: string): FileRow {
    const row = this.#rowOf(profile, path);
    if (row === undefined) throw missing();
    return row;
  }

  #tell(event: "create" | "edit" | "delete", entry: FileEntry): void {
    if (!this.#signals.heard("resourceChanged")) return;
    const { profile, path, size, public: isPublic, modifiedMs } = entry;
    const document = {
      id: path,
      filename: path,
      size,
      public: isPublic,
      last_modified: new Date(modifiedMs).toISOString(),
    };
    this.#signals.emit("resourceChanged", { profile, kind: "file", event, document });
  }

  /** Points a path at a content; the previous content is removed when no other file uses it. */
  #point(profile: string, path: string, content: string, settings: NewEntry): FileEntry {
    return this.#db.transaction(() => {
      const old = this.#byPath.get(profile, path);
      this.#db.run(
        `INSERT INTO file (profile, path, content, content_type, public, modified_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (profile, path) DO UPDATE SET content = excluded.content, content_type = excluded.content_type,
           public = excluded.public, modified_at = excluded.modified_at`,
        profile,
        path,
        content,
        cleanContentType(settings.contentType, path),
        settings.public ?? false,
        this.#clock.now(),
      );
      if (old !== undefined) this.#contents.release(old.content);
      const entry = toEntry(this.#needRow(profile, path));
      this.#tell(old === undefined ? "create" : "edit", entry);
      return entry;
    });
  }

  #removeRow(row: FileRow): void {
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM file WHERE profile = ? AND path = ?", row.profile, row.path);
      this.#contents.release(row.content);
      this.#tell("delete", toEntry(row));
    });
  }

  #under(profile: string, prefix: string): FileRow[] {
    return this.#db.all<FileRow>(
      `${FILES} WHERE f.profile = ? AND f.path > ? AND f.path < ? ORDER BY f.path`,
      profile,
      prefix,
      `${prefix.slice(0, -1)}0`,
    );
  }

  /** The file, else every file under it. A trailing slash selects the folder only. */
  #tree(profile: string, text: string): FileRow[] {
    // The root cannot be selected: it would mean all files.
    if (folderPrefix(text) === "") return [];
    const key = filePath(text);
    const exact = text.trimEnd().endsWith("/") ? undefined : this.#byPath.get(profile, key);
    return exact === undefined ? this.#under(profile, `${key}/`) : [exact];
  }

  #needTree(profile: string, text: string): FileRow[] {
    const rows = this.#tree(profile, text);
    if (rows.length === 0) throw missing();
    return rows;
  }

  /** Old and new path of every selected file. */
  #pairs(profile: string, { from, to }: FileMove): readonly (readonly [FileRow, string])[] {
    const rows = this.#needTree(profile, from);
    const source = filePath(from);
    const [first] = rows;
    if (first !== undefined && first.path === source) {
      return [[first, filePath(to.trimEnd().endsWith("/") ? `${to}${baseName(source)}` : to)]];
    }
    const target = filePath(to);
    return rows.map((row) => [row, filePath(`${target}${row.path.slice(source.length)}`)] as const);
  }
}
