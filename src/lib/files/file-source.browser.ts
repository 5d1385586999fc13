import { InputError } from "../core/errors.ts";
import type { Source } from "./source-types.ts";

/** Browsers have no paths. @throws InputError always */
export function fileSource(_path: string): Promise<Source> {
  return Promise.reject(new InputError("Invalid file: only Node can read a file by path; pass a Blob", "file"));
}
