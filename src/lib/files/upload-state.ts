import { InputError } from "../core/errors.ts";

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

function isPart(value: unknown): value is UploadedPart {
  if (typeof value !== "object" || value === null) return false;
  const { ETag, PartNumber } = value as Partial<Record<keyof UploadedPart, unknown>>;
  return typeof ETag === "string" && Number.isSafeInteger(PartNumber) && Number(PartNumber) >= 1;
}

function stateProblem(state: unknown, now: Omit<UploadState, "uploadId" | "parts">): string | undefined {
  if (typeof state !== "object" || state === null) return "it is no object";
  const { uploadId, parts, ...then } = state as Partial<Record<keyof UploadState, unknown>>;
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
