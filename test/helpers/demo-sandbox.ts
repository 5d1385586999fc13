import { cpSync, rmSync } from "node:fs";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "./cli.ts";

let made: Promise<string> | undefined;

/** A data directory with the demo account, as nobody has used it. */
async function demoDirectory(): Promise<string> {
  const dataDir = temporaryFolder();
  const sandbox = await createSandbox({ dataDir });
  await sandbox.close();
  return dataDir;
}

/**
 * A sandbox with the demo account on a copy of a directory that is made once for all tests of a worker: opening one
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
