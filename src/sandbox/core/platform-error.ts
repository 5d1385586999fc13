import type { Gap } from "./gap.ts";

/** Messages per body field, in the platform's format. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An error response: `{status: false, message, field_errors?}` with its HTTP status. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly status: number;
  readonly fieldErrors?: FieldErrors;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Sent as `message` instead of the string. */
  messages?: Readonly<Record<string, readonly { readonly message: string }[]>>;
  /** Changes to store although the request is rejected: runs in a separate transaction after the request was undone. */
  afterwards?: () => void;

  /** The assumption this error rests on. */
  gap?: Gap;

  constructor(status: number, message: string, fieldErrors?: FieldErrors, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    if (fieldErrors !== undefined) this.fieldErrors = fieldErrors;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Marks the error as an assumption of the sandbox. */
  assumed(gap: Gap): this {
    this.gap = gap;
    return this;
  }
}

/** The error for a caller without permission. */
export const denied = (): PlatformError => new PlatformError(401, "Authorization Denied");

/** The error for an invalid body, with the reasons by field. */
export const invalidBody = (fields?: FieldErrors): PlatformError =>
  new PlatformError(400, "Error on Body parameters", fields);
