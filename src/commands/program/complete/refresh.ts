import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../../kit/files/files.ts";
import { userFolders } from "../../kit/settings/paths.ts";

/** Said before the words by the process that only fills the cache. */
export const refreshFlag = "--refresh";

/** How long that process may take. */
export const refreshMs = 5_000;

/**
 * A distant platform never responds within the time a shell may wait. So the request is sent once more in the
 * background, and the next Tab finds the response. Only one such process at a time.
 */
export function refreshLater(env: Readonly<Record<string, string | undefined>>, words: readonly string[]): void {
  const [, program] = process.argv;
  // Inside of another program there is no iot to start.
  if (program === undefined || process.argv[2] !== "__complete") return;
  const mark = join(userFolders(env).cache, "completion", "refreshing");
  try {
    const stats = statSync(mark, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs < 2 * refreshMs) return;
    writeWhole(mark, "", { file: 0o600, folder: 0o700 });
    const child = spawn(process.execPath, [program, "__complete", refreshFlag, ...words], {
      detached: true,
      stdio: "ignore",
      windowsHide: true,
    });
    child.on("error", () => undefined);
    child.unref();
  } catch {
    // Nothing can be stored, so there is nothing to fetch.
  }
}
