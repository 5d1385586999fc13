import { PlatformError } from "../core/platform-error.ts";
import { fold } from "../store/list-query.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { folderPrefix } from "./paths.ts";
import { FILES, type FileEntry, type FileRow, toEntry } from "./rows.ts";

/** Filter and page of a list. */
export interface ListFiles {
  /** Default: the root. Without a trailing slash also a name prefix, if there is no such folder. */
  readonly path?: string | undefined;
  /** Files and folders of one page. Default 300, at most 1000. */
  readonly amount?: number | undefined;
  /** Continuation token of the page before. */
  readonly after?: string | undefined;
  /** Only files at any depth whose path contains this string, case-insensitive. */
  readonly search?: string | undefined;
}

export interface FileListing {
  readonly files: readonly FileEntry[];
  /** Last path segments. */
  readonly folders: readonly string[];
  /** Absent on the last page. */
  readonly next?: string;
}

const DEFAULT_AMOUNT = 300;
const MAX_AMOUNT = 1000;

/** Rows read by one statement. */
const BATCH = 256;

/** A file, or a folder with everything under it. */
interface Item {
  /** Path of the file, or of a folder with its trailing slash. */
  readonly key: string;
  readonly file?: FileEntry;
}

const markOf = (key: string): string => Buffer.from(key).toString("base64url");

/** The key of the last item of the page before. */
function keyOf(mark: string): string {
  const key = Buffer.from(mark, "base64url").toString("utf8");
  if (key === "" || key.includes("\0") || markOf(key) !== mark)
    throw new PlatformError(400, "Invalid pagination_token");
  return key;
}

/** First key after an item: "0" follows the slash, and keys contain no NUL character. */
const afterKey = (key: string): string => (key.endsWith("/") ? `${key.slice(0, -1)}0` : `${key}\u{1}`);

/** A string after all that start with the prefix; empty for the root. */
function endOf(prefix: string): string {
  if (prefix === "") return "";
  return prefix.endsWith("/") ? afterKey(prefix) : `${prefix}\u{10ffff}`;
}

/** Prefix of the keys: a folder, else the start of a name. */
function prefixOf(db: SandboxDatabase, profile: string, path: string): string {
  const folder = folderPrefix(path);
  if (folder === "" || path.trimEnd().endsWith("/")) return folder;
  const found = db.get(
    "SELECT 1 AS n FROM file WHERE profile = ? AND path > ? AND path < ? LIMIT 1",
    profile,
    folder,
    afterKey(folder),
  );
  return found === undefined ? folder.slice(0, -1) : folder;
}

/** Rows whose path is from `from` up to `end`, in order. A folder passed back is skipped. */
function* rowsFrom(
  db: SandboxDatabase,
  profile: string,
  from: string,
  end: string,
): Generator<FileRow, void, string | undefined> {
  const read = db.prepare<FileRow>(
    `${FILES} WHERE f.profile = ? AND f.path >= ? AND (? = '' OR f.path < ?) ORDER BY f.path LIMIT ${BATCH}`,
  );
  let cursor = from;
  for (;;) {
    const rows = read.all(profile, cursor, end, end);
    let skipped = "";
    for (const row of rows) {
      if (skipped !== "" && row.path.startsWith(skipped)) continue;
      cursor = afterKey(row.path);
      const folder = yield row;
      skipped = folder ?? "";
      if (folder !== undefined) cursor = afterKey(folder);
    }
    if (rows.length < BATCH) return;
  }
}

/** Files and folders of one level, ordered by name. A folder takes one step whatever it contains. */
function* levelItems(db: SandboxDatabase, profile: string, prefix: string, from: string): Generator<Item> {
  const start = prefix.lastIndexOf("/") + 1;
  const rows = rowsFrom(db, profile, from, endOf(prefix));
  let step = rows.next();
  while (!step.done) {
    const row = step.value;
    const slash = row.path.indexOf("/", start);
    const folder = slash < 0 ? undefined : row.path.slice(0, slash + 1);
    yield folder === undefined ? { key: row.path, file: toEntry(row) } : { key: folder };
    step = rows.next(folder);
  }
}

function* foundItems(
  db: SandboxDatabase,
  profile: string,
  prefix: string,
  from: string,
  text: string,
): Generator<Item> {
  const wanted = fold(text);
  for (const row of rowsFrom(db, profile, from, endOf(prefix))) {
    if (fold(row.path).includes(wanted)) yield { key: row.path, file: toEntry(row) };
  }
}

/** Lists a folder: files and folders share the page. */
export function listFiles(db: SandboxDatabase, profile: string, query: ListFiles): FileListing {
  const prefix = prefixOf(db, profile, query.path ?? "/");
  const from = query.after === undefined ? prefix : afterKey(keyOf(query.after));
  const start = from.startsWith(prefix) ? from : prefix;
  const amount = Math.max(1, Math.min(MAX_AMOUNT, Math.trunc(query.amount ?? 0) || DEFAULT_AMOUNT));
  const items =
    query.search === undefined
      ? levelItems(db, profile, prefix, start)
      : foundItems(db, profile, prefix, start, query.search);
  const page: Item[] = [];
  let hasMore = false;
  for (const item of items) {
    hasMore = page.length === amount;
    if (hasMore) break;
    page.push(item);
  }
  const last = page.at(-1);
  return {
    files: page.flatMap(({ file }) => (file === undefined ? [] : [file])),
    folders: page.flatMap(({ key, file }) => (file === undefined ? [key.slice(prefix.lastIndexOf("/") + 1, -1)] : [])),
    ...(hasMore && last !== undefined && { next: markOf(last.key) }),
  };
}
