import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Keeps whatever tests and their programs write to the folder of temporary files in one folder, which goes with the run. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "iot-tests-"));
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
