/** Where an error came from, in the terms of the official SDK. */
export type ErrorOrigin = "SERVER_RESPONSE" | "CLIENT_REQUEST";

/** Why a request got no response. */
export type RequestErrorCode = "TIMEOUT" | "NETWORK_ERROR" | "UNKNOWN";

/** One attempt of a request, recorded on the error of the call. */
export interface Attempt {
  /** Counts from 1. */
  readonly number: number;
  /** HTTP status, or -1 without a response. */
  readonly status: number;
  /** Stable code of the failure: `TIMEOUT`, `ECONNRESET`, `HTTP_ERROR`, `REPLY_TOO_LARGE`, `BAD_REDIRECT` ... */
  readonly code: string;
  /** Description of the failure. */
  readonly message: string;
  /** Duration of the attempt. */
  readonly durationMs: number;
  /**
   * True when the server may have processed the request: it was sent, and no usable response or a 408 or 5xx response
   * came back.
   */
  readonly mayHaveArrived: boolean;
}

const anyArrived = (attempts: readonly Attempt[]): boolean => attempts.some((attempt) => attempt.mayHaveArrived);

/** URL and method of a request. The query string is removed, because it may hold secrets. */
export interface RequestInfo {
  /** URL without its query string. */
  readonly url: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
}

/** True for errors of every realm: under Jest and in node:vm, Node's own are no instances of the program's `Error`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value));
}

/**
 * Base class of every error this library throws. `toString()` returns the message alone, so programs that print what
 * they catch show the same message as with the official SDK.
 */
export class SdkError extends Error {
  override readonly name: string = "SdkError";
  /**
   * Records accepted before a batched send failed or was cancelled; absent on errors of other calls. Continue with
   * `data.slice(error.accepted)`.
   */
  declare accepted?: number;

  /**
   * Returns the message, without the error name.
   *
   * @example
   * ```ts
   * await resources.devices.info(deviceID).catch((error: unknown) => console.error(String(error)));
   * ```
   */
  override toString(): string {
    return this.message;
  }
}

/** The server responded with an error, or with something that cannot be used. */
export class ApiError extends SdkError {
  override readonly name = "ApiError";
  /** Always `SERVER_RESPONSE`. */
  readonly from: ErrorOrigin = "SERVER_RESPONSE";
  /** URL without its query string. */
  readonly url: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
  /** HTTP status of the last response. */
  readonly status: number;
  /** HTTP reason phrase; empty over HTTP/2. */
  readonly statusText: string;
  /**
   * `HTTP_ERROR` for a status outside 2xx, also that of a redirect that is not followed; `REFUSED` for a 2xx envelope
   * without `status: true`; `INVALID_REPLY` for any other 2xx response: not the envelope, too large, nested too deeply, or
   * not decodable.
   */
  readonly code: "HTTP_ERROR" | "REFUSED" | "INVALID_REPLY";
  /** Response body: parsed JSON, or the raw string; empty when the body was not read. */
  readonly data: unknown;
  /** Every attempt, the last one included. */
  readonly attempts: readonly Attempt[];
  /** True when the server may have processed one of the attempts: check before sending a write again. */
  readonly mayHaveArrived: boolean;
  /** Delay requested with `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number;

  /** @param details as the properties: `status`, `statusText`, `code`, `data`, `attempts` (none), `retryAfterMs` */
  constructor(
    message: string,
    details: RequestInfo & {
      status: number;
      statusText: string;
      code: ApiError["code"];
      data: unknown;
      attempts?: readonly Attempt[];
      retryAfterMs?: number | undefined;
    },
  ) {
    super(message);
    this.url = details.url;
    this.method = details.method;
    this.status = details.status;
    this.statusText = details.statusText;
    this.code = details.code;
    this.data = details.data;
    this.attempts = details.attempts ?? [];
    this.mayHaveArrived = anyArrived(this.attempts);
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}

/** The texts of the official SDK. */
const statusTexts: { readonly [Code in RequestErrorCode]?: string } = {
  TIMEOUT: "Request timeout",
  NETWORK_ERROR: "fetch failed",
};

/** No response, or no complete one: connection failed, connection lost or timeout. */
export class RequestError extends SdkError {
  override readonly name = "RequestError";
  /** Always `CLIENT_REQUEST`. */
  readonly from: ErrorOrigin = "CLIENT_REQUEST";
  /** URL without its query string. */
  readonly url: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
  /** Always -1: there was no response. */
  readonly status = -1;
  /** `Request timeout`, `fetch failed` or a message; `attempts` have what the system said. */
  readonly statusText: string;
  /** Why there was no response. */
  readonly code: RequestErrorCode;
  /** Every attempt, the last one included. */
  readonly attempts: readonly Attempt[];
  /** True when the server may have processed one of the attempts: check before sending a write again. */
  readonly mayHaveArrived: boolean;

  /** @param details as the properties: `code`, `statusText` (the message), `attempts` (none), `cause` */
  constructor(
    message: string,
    details: RequestInfo & {
      code: RequestErrorCode;
      statusText?: string;
      attempts?: readonly Attempt[];
      cause?: unknown;
    },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.url = details.url;
    this.method = details.method;
    this.code = details.code;
    this.statusText = statusTexts[details.code] ?? details.statusText ?? message;
    this.attempts = details.attempts ?? [];
    this.mayHaveArrived = anyArrived(this.attempts);
  }
}

/** An argument is invalid. Nothing was sent. */
export class InputError extends SdkError {
  override readonly name = "InputError";
  /** Name of the argument, when known. */
  readonly field?: string;

  constructor(message: string, field?: string) {
    super(message);
    if (field !== undefined) this.field = field;
  }
}

/** The caller's signal or cancel token aborted the call. `cause` is the reason of the signal. */
export class CancelledError extends SdkError {
  override readonly name = "CancelledError";

  constructor(message = "Cancelled request", cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** Steps of an upload. */
export type UploadStep = "start" | "part" | "end";

/** A step of an upload failed after all attempts. `cause` is the error of the last attempt. */
export class UploadError extends SdkError {
  override readonly name = "UploadError";
  /** Step that failed. */
  readonly step: UploadStep;
  /** Number of the failed part, from 1. */
  readonly part?: number;

  /** @param details as the properties: `step`, `part`, `cause` */
  constructor(
    message: string,
    details: { readonly step: UploadStep; readonly part?: number; readonly cause?: unknown },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.step = details.step;
    if (details.part !== undefined) this.part = details.part;
  }
}

/** Steps of a downlink. */
export type DownlinkStep = "device" | "network" | "send";

/** A downlink could not be sent. `cause` is set when another error led to it. */
export class DownlinkError extends SdkError {
  override readonly name = "DownlinkError";
  /** Step that failed. */
  readonly step: DownlinkStep;
  /** HTTP status of the middleware; -1 without a response, undefined when nothing was sent. */
  readonly status?: number;
  /** Response body of the middleware: parsed JSON, or the raw string. */
  readonly data?: unknown;

  /** @param details as the properties: `step`, `status`, `data`, `cause` */
  constructor(message: string, details: { step: DownlinkStep; status?: number; data?: unknown; cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.step = details.step;
    if (details.status !== undefined) this.status = details.status;
    if (details.data !== undefined) this.data = details.data;
  }
}

/** PDF generation failed. Like the rejection of the official SDK, it has `status` and `result`. */
export class PdfError extends SdkError {
  override readonly name = "PdfError";
  /** `status` in the response of the service; not the HTTP status. */
  readonly status = false;
  /** `result` in the response of the service; false without one. */
  readonly result: unknown;
  /** HTTP status; -1 without a response. */
  readonly httpStatus: number;
  /** Response body: parsed JSON, or the raw string. */
  readonly data: unknown;

  /** @param details as the properties: `result`, `httpStatus`, `data`, `cause` */
  constructor(message: string, details: { result: unknown; httpStatus: number; data: unknown; cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.result = details.result;
    this.httpStatus = details.httpStatus;
    this.data = details.data;
  }
}
