import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../../kit/process/alive.ts";

let own: string | undefined;

/** A folder of this process for files on their way. It goes with the process, or with the next one if that is killed. */
export function ownFolder(): string {
  if (own !== undefined) return own;
  sweepFolders(tmpdir());
  const made = mkdtempSync(join(tmpdir(), `iot-dataset-${process.pid}-`));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  own = made;
  return made;
}

/** Removes the folders of processes that were killed. */
export function sweepFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^iot-dataset-(\d+)-\w+$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}
