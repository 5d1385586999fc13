import { renameSync } from "node:fs";

const ATTEMPTS = 20;
const WAIT_MS = 50;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Renames a file to its final name. Windows rejects that while another program, often a virus scanner, has one of the
 * two open, so it is retried for a second there.
 */
export function replaceFile(
  from: string,
  to: string,
  platform: string = process.platform,
  rename: typeof renameSync = renameSync,
): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (platform !== "win32" || attempt === ATTEMPTS || !["EACCES", "EBUSY", "EPERM"].includes(code)) throw error;
      Atomics.wait(pause, 0, 0, WAIT_MS);
    }
  }
}
