import { join } from "node:path";
import { UPLOAD_PART_BYTES } from "../../lib/core/limits.ts";
import { safeRelativePath } from "../../text/clean.ts";
import type { LocalEntry } from "../kit/files/local-tree.ts";
import { mapLanes } from "../kit/lanes.ts";
import { fileSums, isSameContent } from "./hash.ts";
import type { RemoteFile, RemoteFiles } from "./remote.ts";

/** One file of both sides. */
export interface SyncItem {
  /** Path inside the profile. */
  readonly path: string;
  /** Path below the folder of this machine, with forward slashes. */
  readonly rel: string;
  /** Bytes of the side it comes from. */
  readonly size: number;
  /** Whether the other side has a file there. */
  readonly replaces: boolean;
}

/** What makes one side equal to the other. */
export interface SyncPlan {
  readonly transfers: readonly SyncItem[];
  readonly deletions: readonly SyncItem[];
  readonly unchanged: number;
  /** Files that cannot be brought over, and why. */
  readonly impossible: readonly { readonly path: string; readonly why: string }[];
}

/** Both sides, and how they are compared. */
export interface SyncSides {
  readonly remote: RemoteFiles;
  /** Folder inside the profile, with its slash. */
  readonly remoteFolder: string;
  readonly remoteFiles: readonly RemoteFile[];
  /** Whole path of the folder of this machine. */
  readonly localFolder: string;
  readonly localFiles: readonly LocalEntry[];
  /** False: files of the same size count as the same. */
  readonly isChecked: boolean;
  readonly signal: AbortSignal;
  /** Files compared at a time. */
  readonly lanes: number;
}

/** The local path of a file of the profile: below the folder, whatever the name says. */
function localName(sides: SyncSides, file: RemoteFile): string {
  return safeRelativePath(file.filename.slice(sides.remoteFolder.length));
}

/** What brings the profile to the state of the folder. */
export async function planUp(sides: SyncSides): Promise<SyncPlan> {
  // A name that had to be changed on its way here goes back to the file it came from.
  const known = new Map(sides.remoteFiles.map((file) => [localName(sides, file), file] as const));
  const isSame = await compareAll(sides, sides.localFiles, (entry) => known.get(entry.rel));
  const items = sides.localFiles.map(({ rel, size }): SyncItem => {
    const there = known.get(rel);
    return { rel, size, path: there?.filename ?? `${sides.remoteFolder}${rel}`, replaces: there !== undefined };
  });
  const here = new Set(items.map(({ path }) => path));
  const gone = sides.remoteFiles.filter(({ filename }) => !here.has(filename));
  return {
    transfers: items.filter((_, index) => isSame[index] !== true),
    deletions: gone.map((file) => ({
      path: file.filename,
      rel: localName(sides, file),
      size: file.size,
      replaces: false,
    })),
    unchanged: isSame.filter((same) => same).length,
    impossible: [],
  };
}

/** What brings the folder to the state of the profile. */
export async function planDown(sides: SyncSides): Promise<SyncPlan> {
  const local = new Map(sides.localFiles.map((entry) => [entry.rel, entry] as const));
  const items = sides.remoteFiles.map((file): SyncItem => {
    const rel = localName(sides, file);
    return { path: file.filename, rel, size: file.size, replaces: local.has(rel) };
  });
  const impossible = conflictsOf(items);
  const isOut = new Set(impossible.map(({ path }) => path));
  const possible = items.filter(({ path }) => !isOut.has(path));
  const byPath = new Map(sides.remoteFiles.map((file) => [file.filename, file] as const));
  const isSame = await compareAll(sides, possible, (item) => byPath.get(item.path));
  const wanted = new Set(items.map(({ rel }) => rel));
  return {
    transfers: possible.filter((_, index) => isSame[index] !== true),
    deletions: sides.localFiles
      .filter(({ rel }) => !wanted.has(rel))
      .map(({ rel, size }) => ({ path: `${sides.remoteFolder}${rel}`, rel, size, replaces: false })),
    unchanged: isSame.filter((same) => same).length,
    impossible,
  };
}

/** Names that differ there but not here, and files with the path of a folder. */
function conflictsOf(items: readonly SyncItem[]): SyncPlan["impossible"] {
  const folders = new Set<string>();
  const places = new Map<string, string>();
  const twice: { path: string; why: string }[] = [];
  for (const { path, rel } of items) {
    const parts = fileKey(rel).split("/");
    for (let i = 1; i < parts.length; i += 1) folders.add(parts.slice(0, i).join("/"));
    const first = places.get(fileKey(rel));
    if (first === undefined) places.set(fileKey(rel), path);
    else twice.push({ path, why: `On this machine it would have the same name as ${first}` });
  }
  const inWay = items
    .filter(({ rel }) => folders.has(fileKey(rel)))
    .map(({ path }) => ({ path, why: "This machine cannot store a file and a folder with the same name" }));
  return [...twice, ...inWay];
}

/** The same for names that are one file here: Windows and macOS ignore case, macOS also how an accent is written. */
export function fileKey(rel: string, platform: string = process.platform): string {
  if (platform === "win32") return rel.toLowerCase();
  return platform === "darwin" ? rel.normalize("NFC").toLowerCase() : rel;
}

/** Compares sizes first: sums are asked for only where the sizes are the same. */
function compareAll<Item extends { readonly rel: string }>(
  sides: SyncSides,
  items: readonly Item[],
  there: (item: Item) => RemoteFile | undefined,
): Promise<boolean[]> {
  const sizes = new Map(sides.localFiles.map(({ rel, size }) => [rel, size] as const));
  return mapLanes(items, sides.lanes, async (item) => {
    const file = there(item);
    if (file === undefined || sizes.get(item.rel) !== file.size) return false;
    if (!sides.isChecked) return true;
    const given = await sides.remote.md5(file.filename);
    const sums = await fileSums(join(sides.localFolder, item.rel), UPLOAD_PART_BYTES, sides.signal);
    return isSameContent(given, sums) === true;
  });
}
