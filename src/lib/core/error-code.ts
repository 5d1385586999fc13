import { isError } from "./errors.ts";

/** The code of an error of the system or a driver, such as `ENOENT`; empty without one. Holds in every realm. */
export function errorCode(error: unknown): string {
  return isError(error) && "code" in error ? String(error.code) : "";
}
