import { ApiError, InputError, isError, RequestError, UploadError } from "../core/errors.ts";
import { MAX_RETRY_AFTER_MS } from "../core/limits.ts";
import { TransportError } from "../http/transport.ts";

const limitMessage = "You have exceeded the maximum limit";

function isLimit(error: unknown): boolean {
  return error instanceof ApiError && error.message.startsWith(limitMessage);
}

/** Errors that abort the upload unchanged. */
export function isOwnError(error: unknown): boolean {
  return isLimit(error) || !(error instanceof ApiError || error instanceof RequestError);
}

/** A 4xx response other than 408 and 429: neither a network failure nor "later". */
function isRefused(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** A rejected part that is not retried, as with a revoked token. 400 may also be a temporary failure. */
export function isFinal(error: unknown): boolean {
  return isRefused(error) && error.status !== 400;
}

export function waitAfter(error: unknown, usualMs: number): number {
  if (error instanceof ApiError && error.retryAfterMs !== undefined)
    return Math.min(Math.max(error.retryAfterMs, usualMs), MAX_RETRY_AFTER_MS);
  // The server had closed an idle connection: retry immediately.
  const isStale = error instanceof RequestError && error.cause instanceof TransportError && error.cause.isStale;
  return isStale ? 0 : usualMs;
}

export function tooSmall(): InputError {
  return new InputError("Chunk sizes cannot be lower than 5mb if the upload will have multiple parts", "chunkSize");
}

export function partError(part: number, cause: unknown): UploadError {
  const reason = isError(cause) ? cause.message : String(cause);
  return new UploadError(`Could not upload part number ${part}: ${reason}`, { step: "part", part, cause });
}

/** The content changed since the upload started. */
export function changedError(name: string, cause?: unknown): UploadError {
  const message = `${name} changed while it was uploaded, so the upload was not completed. Upload it again.`;
  return new UploadError(message, { step: "part", cause });
}

/** Error of a resumed upload that the platform rejects; other errors are returned unchanged. */
export function resumeError(error: unknown): unknown {
  const cause = error instanceof UploadError ? error.cause : error;
  if (!isRefused(cause) || isLimit(cause)) return error;
  if (cause.status === 401 || cause.status === 403) return error;
  const message = `The platform does not go on with this upload: ${cause.message}. Start it again without \`resume\`.`;
  return new UploadError(message, { step: error instanceof UploadError ? error.step : "part", cause });
}
