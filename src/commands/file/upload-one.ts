import { statSync } from "node:fs";
import { defined } from "../../lib/core/defined.ts";
import { ApiError, InputError, UploadError } from "../../lib/core/errors.ts";
import { UPLOAD_PART_BYTES } from "../../lib/core/limits.ts";
import type { UploadOptions, UploadState } from "../../lib/files/upload-options.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { aboutRun, type Journal, unfinishedRun, withRun } from "../kit/state/journal.ts";
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
 * Uploads one file in parts. The journal has each part once it has arrived, so that a run that was killed can be resumed;
 * the content is compared by its MD5 sum in the end.
 */
export async function uploadOne(
  ctx: CommandContext,
  remote: RemoteFiles,
  job: UploadJob,
  onBytes: (done: number) => void,
): Promise<Omit<TransferRow, "result">> {
  const what = `upload of ${quote(job.path)}`;
  const run = { key: keyOf(remote, job), content: undefined, what, isResumed: job.isResumed, isBegun: true };
  return withRun(ctx, run, false, (journal) => uploadNoted(ctx, remote, job, journal, onBytes));
}

async function uploadNoted(
  ctx: CommandContext,
  remote: RemoteFiles,
  job: UploadJob,
  journal: Journal,
  onBytes: (done: number) => void,
): Promise<Omit<TransferRow, "result">> {
  const state = job.isResumed ? usableState(ctx, journal, job) : undefined;
  const { size } = statSync(job.local);
  try {
    await send(ctx, remote, job, { journal, state, size, onBytes });
  } catch (error) {
    if (state === undefined || !isForgotten(error)) throw error;
    ctx.say.warning(`The platform no longer has the upload of ${quote(job.path)}; starting from the beginning.`);
    onBytes(0);
    await send(ctx, remote, job, { journal, state: undefined, size, onBytes });
  }
  // Parts that were compared and found wrong cannot be continued.
  const md5 = await (job.isChecked ? compare(ctx, remote, job) : Promise.resolve(null)).finally(() => {
    if (!ctx.signal.aborted) journal.finish();
  });
  onBytes(size);
  const resumed = state === undefined ? 0 : Math.min(size, state.parts.length * state.chunkSize);
  return { filename: job.path, size, md5, resumed_bytes: resumed };
}

/** Whether an earlier run has left something to continue. */
export function hasUploadState(ctx: CommandContext, remote: RemoteFiles, job: UploadJob): boolean {
  return unfinishedRun(ctx.env, keyOf(remote, job))?.mark(UPLOAD) !== undefined;
}

const keyOf = ({ place }: RemoteFiles, { local, path }: UploadJob): string[] => ["file upload", place, local, path];

/** The journal's name for what is known of an upload but its parts. */
const UPLOAD = aboutRun("upload");
const partName = (uploadId: string, part: number): string => `${uploadId} ${part}`;

/** Notes what of a state is not in the journal yet. */
function noteState(journal: Journal, { parts, ...upload }: StoredState): void {
  const text = JSON.stringify(upload);
  if (journal.mark(UPLOAD) !== text) journal.add(UPLOAD, text);
  for (const { PartNumber, ETag } of parts) {
    const name = partName(upload.uploadId, PartNumber);
    if (journal.mark(name) === undefined) journal.add(name, ETag);
  }
}

interface Sending {
  readonly journal: Journal;
  readonly state: UploadState | undefined;
  readonly size: number;
  onBytes(done: number): void;
}

async function send(ctx: CommandContext, remote: RemoteFiles, job: UploadJob, sending: Sending): Promise<void> {
  const { journal, state, size, onBytes } = sending;
  const options: UploadOptions = {
    contentType: job.contentType,
    signal: ctx.signal,
    onState(now) {
      noteState(journal, { ...now, as: kindOf(job) });
      onBytes(Math.min(size, now.parts.length * now.chunkSize));
    },
    ...defined({ isPublic: job.isPublic, chunkSize: job.chunkSize, resume: state }),
    ...(ctx.flags.retries === undefined ? {} : { maxTriesForEachChunk: ctx.flags.retries + 1 }),
  };
  await remote.client.files.uploadFile(job.local, job.path, options);
}

/** What an earlier run left, when it is of the same file in the same pieces. */
function usableState(ctx: CommandContext, journal: Journal, job: UploadJob): UploadState | undefined {
  const state = readState(journal);
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

/** What was sent to the platform when the upload began. */
const kindOf = ({ isPublic, contentType }: UploadJob): string => JSON.stringify([isPublic ?? null, contentType]);

/** How far an upload is. */
type StoredState = UploadState & { readonly as?: unknown };

function readState(journal: Journal): StoredState | undefined {
  const noted = journal.mark(UPLOAD);
  if (noted === undefined) return undefined;
  const upload = JSON.parse(noted) as Omit<StoredState, "parts">;
  const count = Math.ceil((upload.size ?? 0) / upload.chunkSize);
  const parts = Array.from({ length: count }, (_, at) => at + 1).flatMap((PartNumber) => {
    const ETag = journal.mark(partName(upload.uploadId, PartNumber));
    return ETag === undefined ? [] : [{ PartNumber, ETag }];
  });
  return { ...upload, parts };
}

/** The platform has dropped the parts, or the library rejects the stored progress. */
function isForgotten(error: unknown): boolean {
  if (error instanceof InputError) return error.field === "resume";
  const cause = error instanceof UploadError ? error.cause : error;
  return cause instanceof ApiError && (cause.status === 404 || /upload/i.test(cause.message));
}

async function compare(ctx: CommandContext, remote: RemoteFiles, job: UploadJob): Promise<string> {
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
