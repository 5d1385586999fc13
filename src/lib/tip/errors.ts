/** Codes that a server sends, and that the parsers throw for what a peer sent. */
export type TipErrorCode =
  | "invalid_token"
  | "invalid_method"
  | "invalid_payload"
  | "invalid_seq"
  | "device_not_found"
  | "variable_not_found"
  | "rate_limited"
  | "payload_too_large"
  | "server_error"
  | "auth_failed"
  | "unsupported_version"
  | "unsupported_cipher"
  | "envelope_too_large"
  | "ttl_expired"
  | "keep_alive_timeout";

/**
 * Codes of this library: an argument that cannot be sent, no response in time, a connection that failed or was lost, and
 * the package `mqtt`, which is not installed.
 */
export type TipClientCode = "invalid_input" | "no_response" | "connection_failed" | "not_installed";

/** What `iotdeck/tip` throws. Errors of a `CounterStore`, such as those of its file, are thrown as they are. */
export class TipError extends Error {
  override readonly name = "TipError";
  /**
   * What went wrong. Parsers throw the code that a server would send; servers may send codes that are not in the list.
   */
  readonly code: TipErrorCode | TipClientCode | (string & {});
  /** Counter of the frame, if it could be read: a response can repeat it. */
  seq?: number;
  /** Index in the string, in UTF-16 units, where reading stopped; absent if no single position is at fault. */
  readonly at?: number;

  /** True when the request was sent and no response came: the server may have stored it. Set by the client only. */
  readonly mayHaveArrived?: boolean;

  /** @param details as the properties `seq`, `at` and `mayHaveArrived`, and the `cause` */
  constructor(
    code: TipError["code"],
    message: string,
    details: { seq?: number; at?: number; mayHaveArrived?: boolean; cause?: unknown } = {},
  ) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.seq !== undefined) this.seq = details.seq;
    if (details.at !== undefined) this.at = details.at;
    if (details.mayHaveArrived !== undefined) this.mayHaveArrived = details.mayHaveArrived;
  }
}

export const invalidInput = (message: string): TipError => new TipError("invalid_input", message);
export const malformed = (message: string, at?: number): TipError =>
  new TipError("invalid_payload", at === undefined ? message : `${message}, at ${at}`, at === undefined ? {} : { at });
