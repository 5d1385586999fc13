import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readTextIfThere, writeWhole } from "../files/files.ts";
import { userFolders } from "../settings/paths.ts";
import { digest } from "./digest.ts";

/**
 * Where a command keeps how far it is with something, in the folder for state.
 *
 * @param kind `uploads`, `downloads` ...
 * @param key what makes two runs be about the same thing
 */
export function statePath(
  env: Readonly<Record<string, string | undefined>>,
  kind: string,
  key: readonly string[],
): string {
  return join(userFolders(env).state, kind, `${digest(key)}.json`);
}

/** What a note says; one that cannot be read is as good as none. */
export function readNote(path: string): unknown {
  try {
    return JSON.parse(readTextIfThere(path) ?? "null");
  } catch {
    return undefined;
  }
}

/** Writes a note, readable by the user alone. */
export function writeNote(path: string, value: unknown): void {
  writeWhole(path, `${JSON.stringify(value)}\n`, { file: 0o600, folder: 0o700 });
}

const OLDEST_MS = 90 * 86_400_000;
const MOST_FILES = 500;

/**
 * Removes what was last changed 90 days ago, and of more than 500 files the oldest that may go before: a folder for state
 * does not grow for ever.
 */
export function pruneState(folder: string, mayGo: (path: string) => boolean = () => true): void {
  try {
    const files = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats?.isFile() === true ? [{ path, changedMs: stats.mtimeMs }] : [];
    });
    files.sort((a, b) => a.changedMs - b.changedMs);
    let surplus = files.length - MOST_FILES;
    for (const { path, changedMs } of files) {
      if (Date.now() - changedMs <= OLDEST_MS && (surplus <= 0 || !mayGo(path))) continue;
      rmSync(path, { force: true });
      surplus -= 1;
    }
  } catch {
    // A folder that is not there, or is not ours: nothing to remove.
  }
}
