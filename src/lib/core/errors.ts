/** Where an error arose, as the official SDK names it. */
export type ErrorOrigin = "SERVER_RESPONSE" | "CLIENT_REQUEST";

/** What kept a request from getting a usable answer. */
export type RequestErrorCode = "TIMEOUT" | "NETWORK_ERROR" | "UNKNOWN";

/** One try of a request, kept on the error that ends the call. */
export interface Attempt {
  /** Counts from 1. */
  readonly number: number;
  /** HTTP status, or -1 when there was no usable answer. */
  readonly status: number;
  /** Stable word for what went wrong: `TIMEOUT`, `ECONNRESET`, `HTTP_ERROR` ... */
  readonly code: string;
  /** What went wrong, in words. */
  readonly message: string;
  /** From the start of the attempt to its end. */
  readonly durationMs: number;
  /**
   * True when the server may have carried the request out although it did not say so: it was sent and not answered, or
   * answered with 408 or 5xx.
   */
  readonly mayHaveArrived: boolean;
}

const anyArrived = (attempts: readonly Attempt[]): boolean => attempts.some((attempt) => attempt.mayHaveArrived);

/** Where a request went. The query string is left out: it may carry what must not be logged. */
export interface RequestInfo {
  /** Address without its query. */
  readonly url: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
}

/**
 * Root of every error this library throws. `toString()` gives the bare message, so that programs which print
 * what they catch show the same text as before.
 */
export class SdkError extends Error {
  override readonly name: string = "SdkError";
  /**
   * Records that were accepted before sending in batches failed or was cancelled; absent on errors of other calls. Go on
   * with `data.slice(error.accepted)`.
   */
  declare accepted?: number;

  /**
   * The bare message, without the name in front of it.
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

/** The server answered and refused, or its answer was not the platform's envelope. */
export class ApiError extends SdkError {
  override readonly name = "ApiError";
  /** Always `SERVER_RESPONSE`. */
  readonly from: ErrorOrigin = "SERVER_RESPONSE";
  /** Address without its query. */
  readonly url: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
  /** HTTP status of the last answer. */
  readonly status: number;
  /** What the server says after the status; empty over HTTP/2. */
  readonly statusText: string;
  /** `HTTP_ERROR` for a status outside 2xx, `REFUSED` for a 2xx envelope without `status: true`, `INVALID_REPLY` for neither. */
  readonly code: "HTTP_ERROR" | "REFUSED" | "INVALID_REPLY";
  /** What the server sent: the parsed body, or its text. */
  readonly data: unknown;
  /** Every try, the last one included. */
  readonly attempts: readonly Attempt[];
  /** True when one of the attempts may have been carried out: look before a write is sent again. */
  readonly mayHaveArrived: boolean;
  /** Wait the server asked for with `Retry-After`, in milliseconds. */
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

/** No usable answer: no connection, connection lost, timeout. */
export class RequestError extends SdkError {
  override readonly name = "RequestError";
  /** Always `CLIENT_REQUEST`. */
  readonly from: ErrorOrigin = "CLIENT_REQUEST";
  /** Address without its query. */
  readonly url: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
  /** Always -1: there was no answer. */
  readonly status = -1;
  /** What went wrong, in the words of the system. */
  readonly statusText: string;
  /** What kept the answer away. */
  readonly code: RequestErrorCode;
  /** Every try, the last one included. */
  readonly attempts: readonly Attempt[];
  /** True when one of the attempts may have been carried out: look before a write is sent again. */
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
    this.statusText = details.statusText ?? message;
    this.attempts = details.attempts ?? [];
    this.mayHaveArrived = anyArrived(this.attempts);
  }
}

/** An argument breaks a rule of the specification (section 5). Nothing was sent. */
export class InputError extends SdkError {
  override readonly name = "InputError";
  /** Name of the argument, when there is one. */
  readonly field?: string;

  constructor(message: string, field?: string) {
    super(message);
    if (field !== undefined) this.field = field;
  }
}

/** The caller's signal or cancel token ended the call. `cause` is the reason of the signal. */
export class CancelledError extends SdkError {
  override readonly name = "CancelledError";

  constructor(message = "Cancelled request", cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** Steps of an upload. */
export type UploadStep = "start" | "part" | "end";

/** A step of an upload failed for good. `cause` is what its last try ended with. */
export class UploadError extends SdkError {
  override readonly name = "UploadError";
  /** Where the upload stopped. */
  readonly step: UploadStep;
  /** Number of the part, from 1, when a part failed. */
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

/** The part of a downlink that failed. */
export type DownlinkStep = "device" | "network" | "send";

/** A downlink could not be sent (specification, section 8). `cause` is there when something else failed first. */
export class DownlinkError extends SdkError {
  override readonly name = "DownlinkError";
  /** Where the downlink stopped. */
  readonly step: DownlinkStep;
  /** HTTP status of the middleware's answer; -1 when it gave none, undefined before anything was sent. */
  readonly status?: number;
  /** What the middleware answered: the parsed body, or its text. */
  readonly data?: unknown;

  /** @param details as the properties: `step`, `status`, `data`, `cause` */
  constructor(message: string, details: { step: DownlinkStep; status?: number; data?: unknown; cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.step = details.step;
    if (details.status !== undefined) this.status = details.status;
    if (details.data !== undefined) this.data = details.data;
  }
}

/** No PDF came. The official SDK rejects with what the service answered, so its `status` and `result` are here too. */
export class PdfError extends SdkError {
  override readonly name = "PdfError";
  /** The `status` of the service's answer, which is no HTTP status. */
  readonly status = false;
  /** The `result` of the service's answer; false when there was none. */
  readonly result: unknown;
  /** -1 without an answer. */
  readonly httpStatus: number;
  /** What the service answered: the parsed body, or its text. */
  readonly data: unknown;

  /** @param details as the properties: `result`, `httpStatus`, `data`, `cause` */
  constructor(message: string, details: { result: unknown; httpStatus: number; data: unknown; cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.result = details.result;
    this.httpStatus = details.httpStatus;
    this.data = details.data;
  }
}
