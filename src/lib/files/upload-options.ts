import type { CallOptions } from "../api/client.ts";
import { InputError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { UPLOAD_PART_BYTES, UPLOAD_PART_TRIES, UPLOAD_PART_WAIT_MS } from "../core/limits.ts";
import { timeOption } from "../core/times.ts";

/** An uploaded part. */
export interface UploadedPart {
  /** ETag as the platform returned it, with its quotes. */
  readonly ETag: string;
  /** Number of the part, from 1. */
  readonly PartNumber: number;
}

/** Progress of an upload: enough to resume it in another process. Contains no token. */
export interface UploadState {
  /** Id of the upload. */
  readonly uploadId: string;
  /** Path in the profile. */
  readonly filename: string;
  /** Path of the requests, which contains dashboard and widget. */
  readonly path: string;
  /** Bytes of one part; the last one may be smaller. */
  readonly chunkSize: number;
  /** Total bytes; null for a stream of unknown length. */
  readonly size: number | null;
  /** When the content was last modified, milliseconds since 1970; null when unknown. */
  readonly modifiedMs: number | null;
  /** Uploaded parts, in the order of their numbers. */
  readonly parts: readonly UploadedPart[];
}

/** Options of an upload. All of them are optional. */
export interface UploadOptions extends CallOptions {
  /** Bytes of one part; at least 5 MiB, unless the file fits into one part. @default 7340032 */
  chunkSize?: number;
  /** Attempts per part, the first included. @default 5 */
  maxTriesForEachChunk?: number;
  /** Delay before a part is retried, milliseconds. @default 2000 */
  timeoutForEachFailedChunk?: number;
  /** Content type the file is served with. @default "application/octet-stream" */
  contentType?: string;
  /** Whether the file is public. Without it the platform decides. */
  isPublic?: boolean;
  /** Dashboard of the widget the file belongs to; requires `widget`. */
  dashboard?: string;
  /** Widget the file belongs to; requires `dashboard`. */
  widget?: string;
  /** Field of the form widget the file belongs to. */
  fieldId?: string;
  /** Devices that replace blueprint devices: `origin` is the blueprint device; `id` and `bucket` are the device. */
  blueprint_devices?: { origin: string; id: string; bucket?: string }[];
  /** Called with the progress in whole percent; 100 when the upload is complete. A stream reports 100 only. */
  onProgress?: (percentage: number) => void;
  /** Called with a function that cancels the upload. `signal` does the same. */
  onCancelToken?: (cancel: () => void) => void;
  /** Called with the state of the upload, at its start and after every part. The state can be stored as JSON. */
  onState?: (state: UploadState) => void;
  /** State of an earlier `onState` call: only missing parts are sent. The file must be unchanged. */
  resume?: UploadState;
}

/** The validated options of one upload. */
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

/** @throws InputError for invalid numbers */
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
  if (then.path !== now.path) return "it has another path";
  if (then.chunkSize !== now.chunkSize) return "it has another chunk size";
  if (then.size !== now.size) return "the file has another size now";
  if (then.modifiedMs !== now.modifiedMs) return "the file was changed since";
  const last = now.size === null ? Number.POSITIVE_INFINITY : Math.ceil(now.size / now.chunkSize);
  return parts.some((part) => part.PartNumber > last) ? "it has parts beyond the end of the file" : undefined;
}

/**
 * Validates a stored state.
 *
 * @throws InputError when it is not a state, or belongs to another upload
 */
export function checkState(state: UploadState, now: Omit<UploadState, "uploadId" | "parts">): UploadState {
  const problem = stateProblem(state, now);
  if (problem !== undefined)
    throw new InputError(`Cannot go on with this upload: ${problem}. Start it again without \`resume\`.`, "resume");
  return state;
}
