/** (node) Reads the content of a file by path. */
import type { FileHandle } from "node:fs/promises";
import { InputError } from "../core/errors.ts";
import type { Source } from "./source-types.ts";
import { changedError } from "./upload-errors.ts";

function unreadable(path: string, cause: unknown): InputError {
  const code = (cause as { code?: unknown } | null)?.code;
  const error = new InputError(
    `Cannot read the file ${path}: ${typeof code === "string" ? code : String(cause)}`,
    "file",
  );
  error.cause = cause;
  return error;
}

/** Fills the target, or as much of it as the file has. */
async function readFully(handle: FileHandle, offset: number, target: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** A file of unknown size. */
function endlessSource(handle: FileHandle, name: string): Source {
  let position = 0;
  return {
    name,
    size: undefined,
    modifiedMs: undefined,
    async read(_offset, target) {
      const length = await readFully(handle, position, target);
      position += length;
      return length;
    },
    check: () => Promise.resolve(),
    close: () => handle.close(),
  };
}

/** @throws InputError when the path is not a readable file, and outside Node */
export async function fileSource(path: string): Promise<Source> {
  const node = (globalThis as { process?: { getBuiltinModule?: NodeJS.Process["getBuiltinModule"] } }).process;
  if (node?.getBuiltinModule === undefined)
    throw new InputError("Invalid file: only Node can read a file by path; pass a Blob", "file");
  const { open, stat } = node.getBuiltinModule("node:fs/promises");
  // Before opening: opening a pipe would block until another process writes to it.
  const about = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (!about.isFile()) throw new InputError(`Cannot read the file ${path}: it is not a regular file`, "file");
  const handle = await open(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  const name = `The file ${path}`;
  const close = () => handle.close();
  try {
    const { size, mtimeNs } = await handle.stat({ bigint: true });
    // Files in /proc have content but no size: read them like a stream.
    if (size === 0n && (await readFully(handle, 0, new Uint8Array(1))) > 0) return endlessSource(handle, name);
    return {
      name,
      size: Number(size),
      modifiedMs: Math.floor(about.mtimeMs),
      read: (offset, target) => readFully(handle, offset, target),
      async check() {
        const now = await handle.stat({ bigint: true });
        if (now.size !== size || now.mtimeNs !== mtimeNs) throw changedError(name);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
