import { lstatSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";

/** A file below a folder of this machine. */
export interface LocalEntry {
  /** Path below the folder, with forward slashes. */
  readonly rel: string;
  readonly size: number;
}

/** What a folder of this machine holds. */
export interface LocalTree {
  readonly files: readonly LocalEntry[];
  /** Links and other things that are neither file nor folder. They are never followed. */
  readonly skipped: readonly string[];
}

/** Every regular file below a folder, in the order of the names. */
export async function localTree(folder: string): Promise<LocalTree> {
  const files: LocalEntry[] = [];
  const skipped: string[] = [];
  async function walk(rel: string): Promise<void> {
    const names: string[] = [];
    for await (const entry of await opendir(join(folder, rel))) names.push(entry.name);
    for (const name of names.sort()) {
      const path = rel === "" ? name : `${rel}/${name}`;
      const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
      if (stats === undefined || isPart(name)) continue;
      if (stats.isDirectory()) await walk(path);
      else if (stats.isFile()) files.push({ rel: path, size: stats.size });
      else skipped.push(path);
    }
  }
  await walk("");
  return { files, skipped };
}

/** What a download that was interrupted has left. */
const isPart = (name: string): boolean => name.startsWith(".") && name.endsWith(".iot-part");

/** The first part of a path below the folder that is a link, and so could lead out of it. */
export function linkOnTheWay(folder: string, rel: string): string | undefined {
  const parts = rel.split("/").slice(0, -1);
  for (let i = 1; i <= parts.length; i += 1) {
    const path = parts.slice(0, i).join("/");
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isDirectory()) return path;
  }
  return undefined;
}
