import { ApiError, type Attempt, type RequestInfo } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import type { TransportReply } from "./transport.ts";

/** Longest part of a server's response that becomes an error message, in characters; `data` has all of it. */
const maxMessageLength = 4000;

function parse(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  if (text === "") return { ok: false };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

/** The server's error message: `message`, else `result`, else the whole response. */
function reasonIn(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { message, result } = body;
  if (message !== undefined && message !== null && message !== "") return message;
  if (result !== undefined && result !== null && result !== "") return result;
  return body;
}

/** JSON of a value; a response may be nested too deeply to be written. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "The server's answer is nested too deeply to be shown";
  }
}

function toText(reason: unknown): string {
  const text = typeof reason === "string" ? reason : written(reason);
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}

/** Properties of the error itself, which an error response that is an object must not replace. */
const ownMembers = new Set([
  "name",
  "message",
  "stack",
  "cause",
  "from",
  "url",
  "method",
  "status",
  "statusText",
  "attempts",
  "mayHaveArrived",
  "data",
  "retryAfterMs",
  "__proto__",
  "constructor",
  "toString",
]);

/** The error for a response that is not a success. */
export function refusal(reply: TransportReply, info: RequestInfo, attempts: readonly Attempt[]): ApiError {
  const failed = reply.status < 200 || reply.status > 299;
  const body = parse(reply.text);
  const { status } = reply;
  const statusText = reply.statusText;
  const retryAfterMs = retryAfter(reply);
  const common = { ...info, status, statusText, attempts, retryAfterMs };
  if (!body.ok) {
    const message =
      reply.text === ""
        ? statusText !== "" && failed
          ? statusText
          : `Empty reply with status ${status}${statusText === "" ? "" : ` ${statusText}`} from ${info.method} ${info.url}`
        : toText(reply.text);
    return new ApiError(message, { ...common, code: failed ? "HTTP_ERROR" : "INVALID_REPLY", data: reply.text });
  }
  const reason = reasonIn(body.value);
  const isEnvelope = isRecord(body.value) && "status" in body.value;
  const code = failed ? "HTTP_ERROR" : isEnvelope ? "REFUSED" : "INVALID_REPLY";
  const isBare = code === "INVALID_REPLY" && typeof reason !== "string" && !isRecord(reason) && !Array.isArray(reason);
  const message = isBare ? `Invalid reply from ${info.method} ${info.url}: ${toText(reason)}` : toText(reason);
  const error = new ApiError(message, { ...common, code, data: body.value });
  // Programs written for the official SDK read the properties of an error response from the error they catch.
  if (isRecord(reason)) {
    for (const [name, value] of Object.entries(reason)) {
      if (!ownMembers.has(name))
        Object.defineProperty(error, name, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return error;
}

/**
 * Takes the result out of `{ status: true, result }`. Only the body counts; the content type does not matter.
 *
 * @returns undefined when the response is not a success; `refusal` then says why
 */
export function unwrap(reply: TransportReply): { readonly result: unknown } | undefined {
  if (reply.status < 200 || reply.status > 299) return undefined;
  const body = parse(reply.text);
  if (!body.ok || !isRecord(body.value) || body.value["status"] !== true) return undefined;
  return body.value as { result: unknown };
}

/** `Date.parse("-5")` is a valid date in V8; without this check the client would retry at once. */
const dateLike = /^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? |\d{4}-\d{2}-\d{2}T)/;

/** Milliseconds of `Retry-After`, in seconds or as a date. */
export function retryAfter(reply: TransportReply): number | undefined {
  const text = reply.header("retry-after")?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const moment = dateLike.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now());
}
