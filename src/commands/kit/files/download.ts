import type { Hash } from "node:crypto";
import { constants, createReadStream, lstatSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, inputError } from "../failures/command-error.ts";
import { aboutRun, type Journal, withRun } from "../state/journal.ts";
import { type ByteSink, type ContentMark, fetchBytes } from "./fetch-bytes.ts";
import { objectOf, onFileAsync } from "./files.ts";
import { replaceFile } from "./replace-file.ts";

/** A file to fetch. */
export interface DownloadJob {
  /** Address that needs no token; requested again with every attempt. */
  address(): Promise<string>;
  /** What the bytes are of, so that `--resume` does not join two things: `us-e1/61f1…/reports/a.csv`. */
  readonly source: string;
  /** Whole path of the file it becomes. */
  readonly target: string;
  /** Continues what an earlier run left. */
  readonly isResumed: boolean;
  /** The MD5 sum the content must have, as hex digits; undefined when nobody knows. */
  md5?: (() => Promise<string | undefined>) | undefined;
  onBytes?: ((done: number, total: number | undefined) => void) | undefined;
}

/** A file that was fetched. */
export interface DownloadedFile {
  readonly bytes: number;
  /** As hex digits. */
  readonly md5: string;
  /** Bytes that an earlier run had left. */
  readonly resumedFrom: number;
}

/**
 * Downloads to `.name.iot-part` next to the target, compares the MD5 sum and renames it: readers see the old file or
 * the new one. With `isResumed`, it continues what a killed run left.
 *
 * @throws CommandError `file.checksum` (exit 1) when the content does not match the server's sum
 */
export async function downloadFile(ctx: CommandContext, job: DownloadJob): Promise<DownloadedFile> {
  const { target } = job;
  refuseFolder(target);
  makeFolder(dirname(target), 0o777);
  const partPath = join(dirname(target), `.${basename(target)}.iot-part`);
  const what = `download of ${quote(basename(target))}`;
  const { source, isResumed } = job;
  const run = { key: ["file download", source, target], content: undefined, what, isResumed, isBegun: true };
  return withRun(ctx, run, false, (journal) => fetchNoted(ctx, job, journal, partPath));
}

async function fetchNoted(
  ctx: CommandContext,
  job: DownloadJob,
  journal: Journal,
  partPath: string,
): Promise<DownloadedFile> {
  const { target } = job;
  const mark = markIn(journal);
  const sink = await onFileAsync(target, () => openPart(partPath, target, mark !== undefined));
  try {
    const resumedFrom = sink.size;
    const bytes = await fetchBytes(ctx, {
      address: job.address,
      sink,
      mark,
      onMark: (now) => journal.add(CONTENT, JSON.stringify(now ?? null)),
      ...(job.onBytes === undefined ? {} : { onBytes: job.onBytes }),
    });
    const md5 = sink.md5();
    const expected = await job.md5?.();
    if (expected !== undefined && expected.toLowerCase() !== md5) throw new MismatchError(md5, expected);
    await sink.close(true);
    replaceFile(partPath, target);
    journal.finish();
    return { bytes, md5, resumedFrom };
  } catch (error) {
    // A full disk fails here a second time; the first failure is the one to report.
    await sink.close(false).catch(() => undefined);
    // An empty or wrong part cannot be continued.
    if (sink.size === 0 || error instanceof MismatchError) {
      rmSync(partPath, { force: true });
      journal.finish();
    }
    if (!(error instanceof MismatchError)) throw error;
    throw checksumError(quote(basename(target)), error.found, error.expected);
  }
}

/** The journal's name for what the part on the disk is of. */
const CONTENT = aboutRun("content");

function markIn(journal: Journal): ContentMark | undefined {
  const { validator, total } = objectOf(JSON.parse(journal.mark(CONTENT) ?? "null"));
  if (typeof validator !== "string") return undefined;
  return { validator, ...(typeof total === "number" ? { total } : {}) };
}

class MismatchError extends Error {
  override readonly name = "MismatchError";
  readonly found: string;
  readonly expected: string;

  constructor(found: string, expected: string) {
    super("The content does not match the checksum of the server");
    this.found = found;
    this.expected = expected;
  }
}

/** The failure of a transfer whose content arrived changed. */
function checksumError(name: string, found: string, expected: string): CommandError {
  return new CommandError(`Checksum mismatch: the content of ${name} is not what the platform stores.`, {
    code: "file.checksum",
    exit: 1,
    why: `The MD5 checksum is ${found}; it should be ${expected}.`,
    next: "The download was deleted; run the command again.",
  });
}

function refuseFolder(target: string): void {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return;
  throw inputError(`${quote(target)} is a folder.`, { next: "Use a file name, or end the folder with a slash." });
}

interface PartFile extends ByteSink {
  md5(): string;
  close(isComplete: boolean): Promise<void>;
}

/** Opens the existing part, or an empty file. Does not follow a link with that name. */
async function openPart(path: string, target: string, isContinued: boolean): Promise<PartFile> {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  let handle: FileHandle;
  try {
    handle = await open(path, flags | (isContinued ? 0 : constants.O_TRUNC), 0o666);
  } catch (error) {
    const isLink = error instanceof Error && "code" in error && error.code === "ELOOP";
    if (!isLink) throw error;
    rmSync(path);
    return openPart(path, target, false);
  }
  const { createHash } = process.getBuiltinModule("node:crypto");
  let hash = createHash("md5");
  let { size } = await handle.stat();
  if (size > 0) await hashFile(path, hash);
  let isOpen = true;
  return {
    get size() {
      return size;
    },
    async write(bytes) {
      let written = 0;
      while (written < bytes.length) {
        const { bytesWritten } = await onFileAsync(target, () =>
          handle.write(bytes, written, bytes.length - written, size + written),
        );
        written += bytesWritten;
      }
      hash.update(bytes);
      size += bytes.length;
    },
    async restart() {
      await handle.truncate(0);
      hash = createHash("md5");
      size = 0;
    },
    md5: () => hash.digest("hex"),
    async close(isComplete) {
      if (!isOpen) return;
      isOpen = false;
      try {
        if (isComplete) await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

async function hashFile(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path)) hash.update(chunk);
}
