/** (node) The only way the program makes a folder and those above it. */
import { errorCode } from "./error-code.ts";

/**
 * Makes a folder and those above it. Node's own recursive form never returns where the system denies that a folder could
 * exist, as below /proc.
 *
 * @returns whether the folder was not there before
 */
export function makeFolder(path: string, mode: number): boolean {
  const { existsSync, mkdirSync, statSync } = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST" && statSync(path).isDirectory()) return false;
    if (errorCode(error) !== "ENOENT" || dirname(path) === path || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path), mode);
    return makeFolder(path, mode);
  }
}
