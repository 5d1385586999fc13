/** (node) Content of a file, read in place. */
import { InputError } from "../core/errors.ts";
import type { Source } from "./source.ts";

function unreadable(path: string, cause: unknown): InputError {
  const code = (cause as { code?: unknown } | null)?.code;
  const error = new InputError(
    `Cannot read the file ${path}: ${typeof code === "string" ? code : String(cause)}`,
    "file",
  );
  error.cause = cause;
  return error;
}

/** @throws InputError when the path is not that of a readable file, and outside Node */
export async function fileSource(path: string): Promise<Source> {
  const node = (globalThis as { process?: { getBuiltinModule?: NodeJS.Process["getBuiltinModule"] } }).process;
  if (node?.getBuiltinModule === undefined)
    throw new InputError("Invalid file: only Node can read the file of a path; give a Blob", "file");
  const { open, stat } = node.getBuiltinModule("node:fs/promises");
  // Before it is opened: opening a pipe would wait for somebody to write into it.
  const about = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (!about.isFile()) throw new InputError(`Cannot read the file ${path}: it is not a regular file`, "file");
  const handle = await open(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  return {
    size: about.size,
    modifiedMs: Math.floor(about.mtimeMs),
    async read(offset, target) {
      let filled = 0;
      while (filled < target.length) {
        const { bytesRead } = await handle.read(target, filled, target.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled;
    },
    close: () => handle.close(),
  };
}
