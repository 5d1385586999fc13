import { createReadStream, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { makeFolder } from "../kit/files/files.ts";
import { endedBy } from "../kit/files/input-file.ts";
import { type FileRow, guessRowFormat, type RowFormat, readRows } from "../kit/rows/row-reader.ts";
import { userFolders } from "../kit/settings/paths.ts";

/** A file of rows that can be read more than once. */
export interface RowSource {
  /** How failures and reports name it. */
  readonly name: string;
  readonly path: string;
  readonly format: RowFormat;
  rows(): AsyncGenerator<FileRow>;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Removes what was made for it. */
  close(): void;
}

/** Opens the file of an import; stdin is stored in the folder for state first, readable by the user alone. */
export async function openSource(ctx: CommandContext, place: string, asked: RowFormat | undefined): Promise<RowSource> {
  const isStdin = place === "-";
  const path = isStdin ? await spool(ctx) : resolve(ctx.cwd, place);
  const name = isStdin ? "stdin" : place;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) {
    throw inputError(`The file ${quote(place)} ${stats === undefined ? "does not exist" : "is no regular file"}.`, {
      code: "file.not_found",
      next: "Check the path; - reads stdin.",
    });
  }
  const format = asked ?? guessRowFormat(isStdin ? "" : place, await startOf(path));
  return {
    name,
    path,
    format,
    bytes: stats.size,
    rows: () => readRows(createReadStream(path, { highWaterMark: 256 * 1024 }), format, name),
    close: () => {
      if (isStdin) rmSync(path, { force: true });
    },
  };
}

async function startOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_000), 0, 1_000, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The file is read twice, first to check it: nothing is sent of one that is wrong in the middle. */
async function spool(ctx: CommandContext): Promise<string> {
  if (ctx.io.stdinIsTerminal) {
    throw usageError("- reads stdin, and stdin is a terminal.", { next: "Pipe the rows in, or name a file." });
  }
  const folder = join(userFolders(ctx.env).state, "stdin");
  makeFolder(join(userFolders(ctx.env).state), 0o700);
  makeFolder(folder, 0o700);
  const path = join(folder, `${process.pid}-${Date.now()}.tmp`);
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of endedBy(ctx.signal, ctx.io.stdin)) await file.appendFile(chunk);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return path;
}
