import { ApiError, RequestError } from "../../../lib/core/errors.ts";
import { CommandError } from "../failures/command-error.ts";
import { toFailure } from "../failures/failures.ts";
import { errorCode } from "../files/files.ts";

/** Errors of the file system that another item would meet as well. */
const ofMachine = ["ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "EIO", "ESTALE", "EMFILE", "ENFILE"];

/**
 * What a failure is about: the rate of requests (`limit`), the process, its token or its disk (`process`), something
 * that passes (`passing`), or the item, which would fail again.
 */
export function failureOf(error: unknown): "limit" | "process" | "passing" | "item" {
  if (error instanceof ApiError) {
    if (error.status === 429) return "limit";
    if (error.status === 401) return "process";
    const isGarbled = error.attempts.at(-1)?.code === "BAD_ENCODING";
    return error.status >= 500 || error.status === 408 || isGarbled ? "passing" : "item";
  }
  if (error instanceof RequestError) return "passing";
  if (error instanceof CommandError) {
    if (error.exit === 10) return "passing";
    return error.exit === 4 || error.exit === 130 ? "process" : "item";
  }
  return ofMachine.includes(String(errorCode(error))) ? "process" : "item";
}

/** A failure in one line, without secrets. */
export function failureReason(error: unknown): string {
  const { message, why } = toFailure(error);
  return why === undefined ? message : `${message.replace(/\.$/, "")}: ${why}`;
}
