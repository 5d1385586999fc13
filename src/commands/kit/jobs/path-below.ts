import { resolve, sep } from "node:path";
import { inputError } from "../failures/command-error.ts";

/** A path below a folder. What came from a queue must not lead out of it. */
export function pathBelow(folder: string, path: string): string {
  const root = resolve(folder);
  const whole = resolve(root, path);
  const isPlain = !/[\\\0]/.test(path) && whole.startsWith(root.endsWith(sep) ? root : root + sep);
  if (isPlain) return whole;
  throw inputError(`The path ${JSON.stringify(path)} leads out of the folder of the job.`, { code: "job.bad_path" });
}
