import type { CallOptions } from "../api/client.ts";
import { InputError } from "../core/errors.ts";
import { UPLOAD_PART_BYTES, UPLOAD_PART_TRIES, UPLOAD_PART_WAIT_MS } from "../core/limits.ts";
import { timeOption } from "../core/times.ts";
import type { UploadState } from "./upload-state.ts";

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
