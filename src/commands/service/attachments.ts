import { basename } from "node:path";
import { countOf } from "../../text/count.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { readInputFile } from "../kit/files/input-file.ts";

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
export async function attachedFile(ctx: CommandContext, path: string, flag: string): Promise<AttachedFile> {
  const bytes = await readInputFile(ctx.path(path), quote(path), flag, ctx.signal);
  if (bytes.length > MAX_BYTES) {
    throw inputError(`The file ${quote(path)} is larger than 5 MB.`, {
      code: "input.too_large",
      why: `It has ${countOf(bytes.length, "byte")}; the services accept 5 MB at most.`,
      next: 'Upload it with "iot file upload" and send the link.',
    });
  }
  return { archive: bytes.toString("base64"), filename: basename(path), type: "base64" };
}
