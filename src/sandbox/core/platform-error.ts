import type { Gap } from "./gap.ts";

/** Texts per body field, as the platform sends them. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A refusal: becomes `{status: false, message, field_errors?}` with its HTTP status. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly status: number;
  readonly fieldErrors?: FieldErrors;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Sent as `message` in place of the text. */
  messages?: Readonly<Record<string, readonly { readonly message: string }[]>>;
  /** What stays although the request is refused: runs in a transaction of its own, once the request is undone. */
  afterwards?: () => void;

  /** The assumption this refusal rests on. */
  gap?: Gap;

  constructor(status: number, message: string, fieldErrors?: FieldErrors, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    if (fieldErrors !== undefined) this.fieldErrors = fieldErrors;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Marks the refusal as a choice of the sandbox. */
  assumed(gap: Gap): this {
    this.gap = gap;
    return this;
  }
}

/** The refusal of a caller that may not do what it asks for. */
export const denied = (): PlatformError => new PlatformError(401, "Authorization Denied");

/** The refusal of a body, with the reasons by field. */
export const invalidBody = (fields?: FieldErrors): PlatformError =>
  new PlatformError(400, "Error on Body parameters", fields);
