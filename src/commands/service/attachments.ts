import { readFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { inputError } from "../kit/command-error.ts";
import type { CommandContext } from "../kit/context.ts";
import { quote } from "../kit/options.ts";

/** The services take files of this size at most. */
const MAX_BYTES = 5 * 1024 * 1024;

/** A file as the services take it. */
export interface AttachedFile {
  /** Base64. */
  readonly archive: string;
  readonly filename: string;
  readonly type: "base64";
}

/** Reads a file to send along. */
export function attachedFile(ctx: CommandContext, path: string, flag: string): AttachedFile {
  const bytes = readBytes(isAbsolute(path) ? path : join(ctx.cwd, path), path, flag);
  if (bytes.length > MAX_BYTES) {
    throw inputError(`The file ${quote(path)} is larger than 5 MB.`, {
      code: "input.too_large",
      why: `It has ${bytes.length} bytes, and the services take 5 MB at most.`,
      next: 'Store it with "iot file upload" and send the link.',
    });
  }
  return { archive: bytes.toString("base64"), filename: basename(path), type: "base64" };
}

function readBytes(path: string, shown: string, flag: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const says = code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : "cannot be read";
    throw inputError(`The file ${quote(shown)} for ${flag} ${says}.`, {
      code: code === "ENOENT" ? "file.not_found" : "file.unreadable",
      why: `The system answered ${code || "an error"}.`,
      next: "Check the path.",
      cause: error,
    });
  }
}
