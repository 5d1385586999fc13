import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** A run writes up to 1.5 GB. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** A file system in memory, where there is one: tests write and remove many thousands of small files. */
function placeOfFiles(): string {
  if (process.platform !== "linux" || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
}

/** Keeps whatever tests and their programs write to the folder of temporary files in one folder, which goes with the run. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(placeOfFiles(), "iot-tests-"));
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
