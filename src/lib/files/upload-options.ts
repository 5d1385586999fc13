import type { CallOptions } from "../api/client.ts";
import { InputError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { UPLOAD_PART_BYTES, UPLOAD_PART_TRIES, UPLOAD_PART_WAIT_MS } from "../core/limits.ts";
import { timeOption } from "../core/times.ts";

/** A part the platform has. */
export interface UploadedPart {
  /** As the platform gave it, with its quotes. */
  readonly ETag: string;
  /** From 1. */
  readonly PartNumber: number;
}

/** How far an upload is: enough to go on with it in another process. Holds no token. */
export interface UploadState {
  /** What the platform calls the upload. */
  readonly uploadId: string;
  /** Path inside the profile. */
  readonly filename: string;
  /** Path of the requests, which names dashboard and widget. */
  readonly path: string;
  /** Bytes of one part; the last one may be smaller. */
  readonly chunkSize: number;
  /** Bytes in all; null for a stream of unknown length. */
  readonly size: number | null;
  /** When the content was last changed, milliseconds since 1970; null where nobody knows. */
  readonly modifiedMs: number | null;
  /** Finished parts, in the order of their numbers. */
  readonly parts: readonly UploadedPart[];
}

/** How a file is uploaded. Every member has a default. */
export interface UploadOptions extends CallOptions {
  /** Bytes of one part. From 5 MiB, unless the file fits into one part. @default 7340032 */
  chunkSize?: number;
  /** Tries for one part, the first included. @default 5 */
  maxTriesForEachChunk?: number;
  /** Wait before a part is tried again, milliseconds. @default 2000 */
  timeoutForEachFailedChunk?: number;
  /** Media type the file is given out with. @default "application/octet-stream" */
  contentType?: string;
  /** Whether anybody may read the file. The platform decides when it is not said. */
  isPublic?: boolean;
  /** Dashboard of the widget the file belongs to; needs `widget`. */
  dashboard?: string;
  /** Widget the file belongs to; needs `dashboard`. */
  widget?: string;
  /** Field of the form widget the file belongs to. */
  fieldId?: string;
  /** Devices in place of blueprint devices: `origin` the blueprint's id, `id` the device's, `bucket` as `id`. */
  blueprint_devices?: readonly { readonly origin: string; readonly id: string; readonly bucket?: string }[];
  /** Is told the finished share in percent, in whole numbers; 100 when all is done. For a stream only 100 is known. */
  onProgress?: (percentage: number) => void;
  /** Is given a function that cancels the upload. `signal` does the same. */
  onCancelToken?: (cancel: () => void) => void;
  /** Is told how far the upload is, at its start and after every part. What it is given can be stored as JSON. */
  onState?: (state: UploadState) => void;
  /** A state that `onState` was given: only the parts it lacks are sent. The file must be the same one. */
  resume?: UploadState;
}

/** The options of one upload, checked. */
export interface UploadPlan {
  readonly chunkSize: number;
  readonly tries: number;
  readonly waitMs: number;
}

function wholeFrom1(value: number | undefined, name: string, fallback: number): number {
  if (value === undefined || value === null) return fallback;
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InputError(`Invalid ${name}: it must be a whole number from 1`, name);
}

/** @throws InputError for numbers that make no sense */
export function planOf(options: UploadOptions): UploadPlan {
  return {
    chunkSize: wholeFrom1(options.chunkSize, "chunkSize", options.resume?.chunkSize ?? UPLOAD_PART_BYTES),
    tries: wholeFrom1(options.maxTriesForEachChunk, "maxTriesForEachChunk", UPLOAD_PART_TRIES),
    waitMs: timeOption(options.timeoutForEachFailedChunk, "timeoutForEachFailedChunk") ?? UPLOAD_PART_WAIT_MS,
  };
}

function isPart(value: unknown): value is UploadedPart {
  if (!isRecord(value)) return false;
  const { ETag, PartNumber } = value;
  return typeof ETag === "string" && Number.isSafeInteger(PartNumber) && Number(PartNumber) >= 1;
}

function stateProblem(state: unknown, now: Omit<UploadState, "uploadId" | "parts">): string | undefined {
  if (!isRecord(state)) return "it is not an object";
  const { uploadId, parts, ...then } = state;
  if (typeof uploadId !== "string" || uploadId === "") return "it has no uploadId";
  if (!Array.isArray(parts) || !parts.every(isPart)) return "its parts are not a list of { ETag, PartNumber }";
  if (then.filename !== now.filename) return "it is of another file name";
  if (then.path !== now.path) return "it is of another place";
  if (then.chunkSize !== now.chunkSize) return "it has another chunk size";
  if (then.size !== now.size) return "the file has another size now";
  if (then.modifiedMs !== now.modifiedMs) return "the file was changed since";
  const last = now.size === null ? Number.POSITIVE_INFINITY : Math.ceil(now.size / now.chunkSize);
  return parts.some((part) => part.PartNumber > last) ? "it has parts that lie beyond the end of the file" : undefined;
}

/**
 * Takes a stored state back.
 *
 * @throws InputError when it is no state, or not one of this upload
 */
export function checkState(state: UploadState, now: Omit<UploadState, "uploadId" | "parts">): UploadState {
  const problem = stateProblem(state, now);
  if (problem !== undefined)
    throw new InputError(`Cannot go on with this upload: ${problem}. Start it again without \`resume\`.`, "resume");
  return state;
}
