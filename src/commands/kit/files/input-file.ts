import { constants, createReadStream, openSync, statSync } from "node:fs";
import { addAbortSignal, Readable } from "node:stream";
import { isatty, ReadStream as TerminalStream } from "node:tty";
import { inputError } from "../failures/command-error.ts";

/** A file this large is a mistake where all of it is held in memory. */
const LARGEST_INPUT = 256 * 1024 * 1024;

/** Whether a file can be read twice, and from any offset: pipes and terminals cannot. */
export const isRegularFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/**
 * Opens a file somebody named. A pipe, such as that of `<(command)`, is opened without waiting for its writer: a blocked
 * read would keep the process from ending at a signal.
 */
export function openInput(path: string, signal: AbortSignal): Readable {
  if (isRegularFile(path) || statSync(path).isDirectory() || process.platform === "win32")
    return createReadStream(path);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return endedBy(
    signal,
    isatty(file)
      ? new TerminalStream(file)
      : new (process.getBuiltinModule("node:net").Socket)({ fd: file, writable: false }),
  );
}

/** The same stream, destroyed at a signal. */
export function endedBy<Stream extends NodeJS.ReadableStream>(signal: AbortSignal, stream: Stream): Stream {
  if (stream instanceof Readable) addAbortSignal(signal, stream);
  return stream;
}

/** The bytes of a file that a flag names; `shown` is how the user wrote it. */
export async function readInputFile(path: string, shown: string, flag: string, signal: AbortSignal): Promise<Buffer> {
  try {
    return await bytesOf(openInput(path, signal), flag);
  } catch (error) {
    throw signal.aborted ? error : inputFailure(error, shown, flag);
  }
}

/** Says why a file that a flag names cannot be read. */
export function inputFailure(error: unknown, shown: string, flag: string): unknown {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return error;
  const code = String(error.code);
  const says = code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : "cannot be read";
  return inputError(`The file ${shown} for ${flag} ${says}.`, {
    code: code === "ENOENT" ? "file.not_found" : code === "EISDIR" ? "file.is_folder" : "file.unreadable",
    why: `The system returned ${code}.`,
    next: "Check the path; - reads stdin.",
    cause: error,
  });
}

/** All bytes of a stream that can be held in memory. */
export async function bytesOf(stream: NodeJS.ReadableStream, flag: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > LARGEST_INPUT)
      throw inputError(`The text for ${flag} is larger than 256 MiB.`, { code: "input.too_large" });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
