import { constants, existsSync, realpathSync, statSync } from "node:fs";
import { copyFile, type FileHandle, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { conflictError, usageError } from "../failures/command-error.ts";
import { onFileAsync, temporaryName } from "../files/files.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { WidgetInput } from "./inputs.ts";

/** One destination per input below a folder, checked before anything is written. */
export function destinationsIn(
  ctx: Pick<CommandContext, "path">,
  folder: string,
  inputs: readonly WidgetInput[],
): Map<WidgetInput, string> {
  const taken = new Map<string, WidgetInput>();
  for (const input of inputs) {
    const path = ctx.path(join(folder, input.target));
    const other = taken.get(path);
    if (other !== undefined) {
      throw usageError(`${other.name} and ${input.name} would both become ${join(folder, input.target)}.`, {
        next: "Convert them separately into two folders.",
      });
    }
    if (input.path !== undefined && existsSync(path) && realpathSync(path) === realpathSync(input.path)) {
      throw usageError(`${input.name} would be overwritten by its result.`, {
        next: "Choose another folder, or use --in-place.",
      });
    }
    taken.set(path, input);
  }
  return new Map([...taken].map(([path, input]) => [input, path]));
}

/** The file itself, behind any link: replacing the link would leave the real file as it was. */
export const realFile = (path: string): string => realpathSync(path);

/** What shows whether a file is still the same. */
export interface FileMark {
  readonly bytes: number;
  readonly changedMs: number;
  readonly inode: number;
}

export async function fileMark(path: string): Promise<FileMark> {
  const { size, mtimeMs, ino } = await stat(path);
  return { bytes: size, changedMs: mtimeMs, inode: ino };
}

/** Fails when a file is no longer what it was: then what was made of it is not what it holds. */
export async function checkUnchanged(path: string, name: string, before: FileMark): Promise<void> {
  const now = await fileMark(path).catch(() => undefined);
  if (now?.bytes === before.bytes && now.changedMs === before.changedMs && now.inode === before.inode) return;
  throw conflictError(`${quote(name)} changed during the conversion.`, {
    code: "input.changed",
    why: "Another program wrote to it, so the result was discarded.",
    next: "Convert it again when no program writes to it.",
  });
}

/** A file that appears as a whole or not at all. */
export interface PendingFile {
  write(text: string): Promise<void>;
  /** Moves it to its path. */
  commit(): Promise<void>;
  /** Throws it away; nothing happens after a commit. */
  discard(): Promise<void>;
}

/** Starts a file next to its path; an existing one there stays until the commit and sets its mode. */
export async function pendingFile(path: string): Promise<PendingFile> {
  const mode = existsSync(path) ? statSync(path).mode & 0o777 : 0o644;
  makeFolder(dirname(path), 0o777);
  const temporary = temporaryName(path);
  let handle: FileHandle | undefined = await onFileAsync(path, () => open(temporary, "wx", mode));
  async function close(): Promise<void> {
    const open = handle;
    handle = undefined;
    await open?.close();
  }
  return {
    // Unlike `write` this continues after a short write, and so notices a full disk.
    write: (text) => onFileAsync(path, async () => handle?.appendFile(text)),
    async commit() {
      await handle?.chmod(mode);
      await handle?.sync();
      await close();
      await onFileAsync(path, async () => replaceFile(temporary, path));
    },
    async discard() {
      await close();
      await rm(temporary, { force: true });
    },
  };
}

/** Copies a file beside itself under a name that is free; never over an older copy. */
export async function backUp(path: string): Promise<string> {
  for (let number = 0; ; number += 1) {
    const copy = `${path}.bak${number === 0 ? "" : number}`;
    if (existsSync(copy)) continue;
    // Under its name there is never half a copy, whatever ends the program.
    const temporary = temporaryName(path);
    await onFileAsync(copy, async () => {
      await copyFile(path, temporary, constants.COPYFILE_EXCL);
      replaceFile(temporary, copy);
    });
    return copy;
  }
}
