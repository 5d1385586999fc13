import { rmSync, statSync } from "node:fs";
import { defined } from "../../lib/core/defined.ts";
import { ApiError, InputError, UploadError } from "../../lib/core/errors.ts";
import type { UploadOptions, UploadState } from "../../lib/files/upload-options.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { lockOrRefuse } from "../kit/state/lock.ts";
import { readNote, statePath, writeNote } from "../kit/state/notes.ts";
import type { TransferRow } from "./columns.ts";
import { fileSums, isSameContent } from "./hash.ts";
import type { RemoteFiles } from "./remote.ts";

/** A file of this machine on its way to the platform. */
export interface UploadJob {
  /** Whole path on this machine. */
  readonly local: string;
  /** Path inside the profile. */
  readonly path: string;
  readonly contentType: string;
  readonly isPublic?: boolean | undefined;
  /** Bytes of one part; the library's own unless given. */
  readonly chunkSize?: number | undefined;
  readonly isResumed: boolean;
  /** Whether the content is compared afterwards. */
  readonly isChecked: boolean;
}

/**
 * Uploads one file in parts. How far it is lies in the folder for state after every part, so that a run that was killed
 * can be taken up again; the content is compared by its MD5 sum in the end.
 */
export async function uploadOne(
  ctx: CommandContext,
  remote: RemoteFiles,
  job: UploadJob,
  onBytes: (done: number) => void,
): Promise<Omit<TransferRow, "result">> {
  const notes = notesOf(ctx, remote, job);
  const lock = lockOrRefuse(notes, `upload of ${quote(job.path)}`);
  try {
    return await uploadNoted(ctx, remote, job, notes, onBytes);
  } finally {
    lock.release();
  }
}

async function uploadNoted(
  ctx: CommandContext,
  remote: RemoteFiles,
  job: UploadJob,
  notes: string,
  onBytes: (done: number) => void,
): Promise<Omit<TransferRow, "result">> {
  const state = job.isResumed ? usableState(ctx, notes, job) : undefined;
  const { size } = statSync(job.local);
  try {
    await send(ctx, remote, job, { notes, state, size, onBytes });
  } catch (error) {
    if (state === undefined || !isForgotten(error)) throw error;
    ctx.say.warning(`The platform no longer has the upload of ${quote(job.path)}; starting from the beginning.`);
    onBytes(0);
    await send(ctx, remote, job, { notes, state: undefined, size, onBytes });
  }
  // Parts that were compared and found wrong are nothing to go on with.
  const md5 = await (job.isChecked ? compare(ctx, remote, job) : Promise.resolve(null)).finally(() => {
    if (!ctx.signal.aborted) rmSync(notes, { force: true });
  });
  onBytes(size);
  const resumed = state === undefined ? 0 : Math.min(size, state.parts.length * state.chunkSize);
  return { filename: job.path, size, md5, resumed_bytes: resumed };
}

/** Whether an earlier run has left something to go on with. */
export function hasUploadState(ctx: CommandContext, remote: RemoteFiles, job: UploadJob): boolean {
  return readState(notesOf(ctx, remote, job)) !== undefined;
}

function notesOf(ctx: CommandContext, remote: RemoteFiles, job: UploadJob): string {
  return statePath(ctx.env, "uploads", [remote.place, job.local, job.path]);
}

interface Sending {
  readonly notes: string;
  readonly state: UploadState | undefined;
  readonly size: number;
  onBytes(done: number): void;
}

async function send(ctx: CommandContext, remote: RemoteFiles, job: UploadJob, sending: Sending): Promise<void> {
  const { notes, state, size, onBytes } = sending;
  const options: UploadOptions = {
    contentType: job.contentType,
    signal: ctx.signal,
    onState(now) {
      writeNote(notes, { ...now, as: kindOf(job) });
      onBytes(Math.min(size, now.parts.length * now.chunkSize));
    },
    ...defined({ isPublic: job.isPublic, chunkSize: job.chunkSize, resume: state }),
    ...(ctx.flags.retries === undefined ? {} : { maxTriesForEachChunk: ctx.flags.retries + 1 }),
  };
  await remote.client.files.uploadFile(job.local, job.path, options);
}

/** What an earlier run left, when it is of the same file in the same pieces. */
function usableState(ctx: CommandContext, notes: string, job: UploadJob): UploadState | undefined {
  const state = readState(notes);
  if (state === undefined) {
    ctx.say.info(`No earlier upload of ${quote(job.path)} found; starting from the beginning.`);
    return undefined;
  }
  if (state.as !== kindOf(job)) {
    ctx.say.warning(`${quote(job.path)} was started with another type or visibility; starting from the beginning.`);
    return undefined;
  }
  const { size, mtimeMs } = statSync(job.local);
  const isSame = state.size === size && state.modifiedMs === Math.floor(mtimeMs);
  if (!isSame) ctx.say.warning(`${quote(job.local)} changed after the upload started; starting from the beginning.`);
  const isCutAlike = job.chunkSize === undefined || job.chunkSize === state.chunkSize;
  if (isSame && !isCutAlike) {
    ctx.say.warning(`--chunk-size has changed; starting the upload of ${quote(job.path)} from the beginning.`);
  }
  if (!isSame || !isCutAlike) return undefined;
  const { as: _, ...own } = state;
  return own;
}

/** What the platform was told when the upload began. */
const kindOf = ({ isPublic, contentType }: UploadJob): string => JSON.stringify([isPublic ?? null, contentType]);

/** How far an upload is, as it lies on the disk. */
type StoredState = UploadState & { readonly as?: unknown };

function readState(notes: string): StoredState | undefined {
  const value = readNote(notes);
  return isState(value) ? value : undefined;
}

/** The library checks the members it uses once more. */
function isState(value: unknown): value is StoredState {
  if (!isObject(value)) return false;
  const { uploadId, parts, chunkSize, size, modifiedMs } = value;
  const isWhole = typeof uploadId === "string" && Array.isArray(parts) && typeof chunkSize === "number";
  return isWhole && typeof size === "number" && typeof modifiedMs === "number";
}

/** The platform has thrown the parts away, or the library refuses the notes. */
function isForgotten(error: unknown): boolean {
  if (error instanceof InputError) return error.field === "resume";
  const cause = error instanceof UploadError ? error.cause : error;
  return cause instanceof ApiError && (cause.status === 404 || /upload/i.test(cause.message));
}

async function compare(ctx: CommandContext, remote: RemoteFiles, job: UploadJob): Promise<string> {
  const { UPLOAD_PART_BYTES } = await import("../../lib/core/limits.ts");
  const sums = await fileSums(job.local, job.chunkSize ?? UPLOAD_PART_BYTES, ctx.signal);
  const given = await remote.md5(job.path);
  const isSame = isSameContent(given, sums);
  if (isSame === undefined) ctx.say.warning(`The platform returned no usable MD5 checksum for ${quote(job.path)}.`);
  if (isSame !== false) return sums.md5;
  throw new CommandError(`Checksum mismatch: the content of ${quote(job.path)} differs from the local file.`, {
    code: "file.checksum",
    exit: 1,
    why: `The MD5 checksum is ${given} on the platform and ${sums.md5} on this machine.`,
    next: "Run the command again without --resume.",
  });
}
