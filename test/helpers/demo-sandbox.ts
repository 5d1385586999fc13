import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "./cli.ts";

let made: Promise<string> | undefined;

/**
 * A data directory with the demo account, as nobody has used it. All workers of a run share one, in the run's folder
 * of temporary files: the first to finish gives it its name.
 */
async function demoDirectory(): Promise<string> {
  const shared = join(tmpdir(), "demo-account");
  if (existsSync(shared)) return shared;
  const own = temporaryFolder();
  const sandbox = await createSandbox({ dataDir: own });
  await sandbox.close();
  try {
    renameSync(own, shared);
  } catch (error) {
    if (!existsSync(shared)) throw error;
    rmSync(own, { recursive: true, force: true });
  }
  return shared;
}

/**
 * A sandbox with the demo account on a copy of a directory that is made once for all tests of a run: opening one
 * takes a tenth of the time that making its history does. The history ends when the first one was made.
 */
export async function demoSandbox(options: Omit<SandboxOptions, "dataDir" | "seed"> = {}): Promise<Sandbox> {
  made ??= demoDirectory();
  const dataDir = temporaryFolder();
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    cpSync(await made, dataDir, { recursive: true });
    const sandbox = await createSandbox({ ...options, dataDir });
    const { close } = sandbox;
    return Object.assign(sandbox, { close: () => close().finally(remove) });
  } catch (error) {
    remove();
    throw error;
  }
}
