import type { Readable } from "node:stream";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Signals } from "../signals.ts";
import type { Blob, Blobs, ByteSource } from "../store/blobs.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { createContents, type Range } from "./contents.ts";
import { type FileListing, type ListFiles, listFiles } from "./listing.ts";
import { baseName, cleanContentType, filePath, folderPrefix } from "./paths.ts";
import { FILES, type FileEntry, type FileRow, toEntry } from "./rows.ts";

export type { FileEntry } from "./rows.ts";

/** A file to store. */
interface NewFile<Content> {
  readonly content: Content;
  /** Default: what the extension says. */
  readonly contentType?: string | undefined;
  /** Default false. */
  readonly public?: boolean | undefined;
}

export type NewEntry = Omit<NewFile<never>, "content">;

interface FileMove {
  readonly from: string;
  readonly to: string;
}

/**
 * The files of all profiles: rows in the database, content on disk beside it. Paths are cleaned by each method
 * (`filePath`). A file that exists is replaced. Methods that answer at once take part in the caller's transaction.
 */
export interface FileStore {
  /** Stores bytes. */
  put(profile: string, path: string, file: NewFile<Uint8Array>): FileEntry;
  /** Stores a stream in constant memory; answers when the row is on disk. */
  putStream(profile: string, path: string, file: NewFile<ByteSource>): Promise<FileEntry>;
  /** Stores content that gets its row later; `discard` gives it up, `adopt` says that its row is written. */
  stage(content: ByteSource): Promise<Blob>;
  adopt(blob: Blob): void;
  discard(blob: Blob): void;
  /** Makes a file of blobs that are stored already, in order. */
  putBlobs(profile: string, path: string, blobs: readonly Blob[], entry: NewEntry): FileEntry;
  get(profile: string, path: string): FileEntry | undefined;
  /** The entry; throws 404 `file can't be found`. */
  need(profile: string, path: string): FileEntry;
  /** The content, all of it or `range`; it stays readable to the end when the file is removed meanwhile. */
  open(profile: string, path: string, range?: Range): Readable | undefined;
  /** The whole content in memory, for files known to be small. */
  read(profile: string, path: string): Promise<Buffer | undefined>;
  /** MD5 of the content as hex digits. Reads the whole file the first time for one that came in parts. */
  md5(profile: string, path: string): Promise<string>;
  /** True when the file was there. */
  remove(profile: string, path: string): boolean;
  /** Removes an exact path, else everything under it (a final slash: only what is under it). Answers how many. */
  removeTree(profile: string, path: string): number;
  removeProfile(profile: string): void;
  /** Renames a file, or every file under a folder. Throws 404 when there is neither. */
  move(profile: string, move: FileMove): void;
  /** As `move`, keeping the original. */
  copy(profile: string, move: FileMove): void;
  /** Of a file, or of every file under a folder. Throws 404 when there is neither. */
  setPublic(profile: string, path: string, isPublic: boolean): void;
  list(profile: string, query: ListFiles): FileListing;
  /** Bytes the profile uses. */
  usage(profile: string): number;
  /** Removes content no row names. Run when the database was opened or emptied. */
  sweep(): number;
  readonly blobs: Blobs;
}

export interface FileStoreParts {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly blobs: Blobs;
}

/** Makes the store of files. Orphaned content of a killed process is swept at once. */
export function createFileStore({ db, clock, signals, blobs }: FileStoreParts): FileStore {
  const contents = createContents(db, blobs);
  const byPath = db.prepare<FileRow>(`${FILES} WHERE f.profile = ? AND f.path = ?`);

  const rowOf = (profile: string, path: string): FileRow | undefined => byPath.get(profile, filePath(path));

  const get = (profile: string, path: string): FileEntry | undefined => {
    const row = rowOf(profile, path);
    return row === undefined ? undefined : toEntry(row);
  };

  const missing = (): PlatformError => new PlatformError(404, "file can't be found");

  const needRow = (profile: string, path: string): FileRow => {
    const row = rowOf(profile, path);
    if (row === undefined) throw missing();
    return row;
  };

  const tell = (event: "create" | "edit" | "delete", entry: FileEntry): void => {
    if (!signals.heard("resourceChanged")) return;
    const { profile, path, size, public: isPublic, modifiedMs } = entry;
    const document = {
      id: path,
      filename: path,
      size,
      public: isPublic,
      last_modified: new Date(modifiedMs).toISOString(),
    };
    signals.emit("resourceChanged", { profile, kind: "file", event, document });
  };

  /** Points a path at a content; the content it had goes when nothing else has it. */
  const point = (profile: string, path: string, content: string, settings: NewEntry): FileEntry =>
    db.transaction(() => {
      const old = byPath.get(profile, path);
      db.run(
        `INSERT INTO file (profile, path, content, content_type, public, modified_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (profile, path) DO UPDATE SET content = excluded.content, content_type = excluded.content_type,
           public = excluded.public, modified_at = excluded.modified_at`,
        profile,
        path,
        content,
        cleanContentType(settings.contentType, path),
        settings.public ?? false,
        clock.now(),
      );
      if (old !== undefined) contents.release(old.content);
      const entry = toEntry(needRow(profile, path));
      tell(old === undefined ? "create" : "edit", entry);
      return entry;
    });

  const putBlobs: FileStore["putBlobs"] = (profile, path, parts, settings) => {
    const key = filePath(path);
    return db.transaction(() => point(profile, key, contents.make(parts), settings));
  };

  const put: FileStore["put"] = (profile, path, file) => {
    const key = filePath(path);
    const blob = contents.keep(blobs.write(file.content));
    try {
      return putBlobs(profile, key, [blob], file);
    } finally {
      // The transaction around this one may still be undone.
      void db
        .committed()
        .catch(() => {})
        .then(() => contents.discardUnused(blob));
    }
  };

  const putStream: FileStore["putStream"] = async (profile, path, file) => {
    const key = filePath(path);
    const blob = contents.keep(await blobs.writeStream(file.content));
    try {
      const entry = putBlobs(profile, key, [blob], file);
      await db.committed();
      return entry;
    } catch (error) {
      contents.discard(blob);
      throw error;
    }
  };

  const removeRow = (row: FileRow): void => {
    db.transaction(() => {
      db.run("DELETE FROM file WHERE profile = ? AND path = ?", row.profile, row.path);
      contents.release(row.content);
      tell("delete", toEntry(row));
    });
  };

  const under = (profile: string, prefix: string): FileRow[] =>
    // "0" is the character after the slash all these keys share.
    db.all<FileRow>(
      `${FILES} WHERE f.profile = ? AND f.path > ? AND f.path < ? ORDER BY f.path`,
      profile,
      prefix,
      `${prefix.slice(0, -1)}0`,
    );

  /** The file, else every file under it. A final slash names the folder alone. */
  const tree = (profile: string, text: string): FileRow[] => {
    // The root cannot be named: nobody means everything.
    if (folderPrefix(text) === "") return [];
    const key = filePath(text);
    const exact = text.trimEnd().endsWith("/") ? undefined : byPath.get(profile, key);
    return exact === undefined ? under(profile, `${key}/`) : [exact];
  };

  const needTree = (profile: string, text: string): FileRow[] => {
    const rows = tree(profile, text);
    if (rows.length === 0) throw missing();
    return rows;
  };

  /** Old and new place of every file that is meant. */
  const pairs = (profile: string, { from, to }: FileMove): readonly (readonly [FileRow, string])[] => {
    const rows = needTree(profile, from);
    const source = filePath(from);
    const [first] = rows;
    if (first !== undefined && first.path === source) {
      return [[first, filePath(to.trimEnd().endsWith("/") ? `${to}${baseName(source)}` : to)]];
    }
    const target = filePath(to);
    return rows.map((row) => [row, filePath(`${target}${row.path.slice(source.length)}`)] as const);
  };

  const settingsOf = (row: FileRow): NewEntry => ({ contentType: row.content_type, public: row.public !== 0 });

  const copy: FileStore["copy"] = (profile, move) => {
    db.transaction(() => {
      for (const [row, path] of pairs(profile, move)) {
        if (path !== row.path) point(profile, path, row.content, settingsOf(row));
      }
    });
  };

  const move: FileStore["move"] = (profile, change) => {
    db.transaction(() => {
      for (const [row, path] of pairs(profile, change)) {
        if (path === row.path) continue;
        point(profile, path, row.content, settingsOf(row));
        const old = byPath.get(profile, row.path);
        if (old !== undefined) removeRow(old);
      }
    });
  };

  const store: FileStore = {
    put,
    putStream,
    putBlobs,
    stage: async (content) => contents.keep(await blobs.writeStream(content)),
    adopt: contents.adopt,
    discard: contents.discard,
    get,
    need: (profile, path) => toEntry(needRow(profile, path)),
    open: (profile, path, range) => {
      const row = rowOf(profile, path);
      return row === undefined ? undefined : contents.open(row.content, range);
    },
    read: async (profile, path) => {
      const stream = store.open(profile, path);
      if (stream === undefined) return undefined;
      const chunks: Buffer[] = [];
      for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    md5: async (profile, path) => contents.md5(needRow(profile, path).content),
    remove: (profile, path) => {
      const row = rowOf(profile, path);
      if (row !== undefined) removeRow(row);
      return row !== undefined;
    },
    removeTree: (profile, path) => {
      const rows = tree(profile, path);
      db.transaction(() => {
        for (const row of rows) removeRow(row);
      });
      return rows.length;
    },
    removeProfile: (profile) => {
      db.transaction(() => {
        for (const row of db.all<FileRow>(`${FILES} WHERE f.profile = ?`, profile)) removeRow(row);
      });
    },
    move,
    copy,
    setPublic: (profile, path, isPublic) => {
      db.transaction(() => {
        for (const row of needTree(profile, path)) {
          db.run("UPDATE file SET public = ? WHERE profile = ? AND path = ?", isPublic, profile, row.path);
          tell("edit", { ...toEntry(row), public: isPublic });
        }
      });
    },
    list: (profile, query) => listFiles(db, profile, query),
    usage: (profile) =>
      db.get<{ bytes: number | null }>(
        "SELECT sum(c.size) AS bytes FROM file f JOIN file_content c ON c.id = f.content WHERE f.profile = ?",
        profile,
      )?.bytes ?? 0,
    sweep: contents.sweep,
    blobs,
  };
  signals.on("everythingReplaced", contents.replaced);
  store.sweep();
  return store;
}
