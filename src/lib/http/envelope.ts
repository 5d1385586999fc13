import { ApiError, type Attempt, type RequestInfo } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import type { TransportReply } from "./transport.ts";

/** Characters of a server's text that become an error message; `data` keeps all of it. */
const maxMessageLength = 4000;

function parse(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  if (text === "") return { ok: false };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

/** What the server says is wrong: the message, else the result, else everything (specification, section 8). */
function reasonIn(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { message, result } = body;
  if (message !== undefined && message !== null && message !== "") return message;
  if (result !== undefined && result !== null && result !== "") return result;
  return body;
}

/** JSON of a value; a server may nest its answer deeper than it can be written. */
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

/** Members an error has of its own; a refusal that is an object may not replace them. */
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

/** The error for an answer that is no success. */
export function refusal(reply: TransportReply, place: RequestInfo, attempts: readonly Attempt[]): ApiError {
  const failed = reply.status < 200 || reply.status > 299;
  const body = parse(reply.text);
  const { status } = reply;
  const statusText = reply.statusText;
  const retryAfterMs = retryAfter(reply);
  const common = { ...place, status, statusText, attempts, retryAfterMs };
  if (!body.ok) {
    const message =
      reply.text === ""
        ? statusText !== "" && failed
          ? statusText
          : `Empty reply with status ${status}${statusText === "" ? "" : ` ${statusText}`} from ${place.method} ${place.url}`
        : toText(reply.text);
    return new ApiError(message, { ...common, code: failed ? "HTTP_ERROR" : "INVALID_REPLY", data: reply.text });
  }
  const reason = reasonIn(body.value);
  const isEnvelope = isRecord(body.value) && "status" in body.value;
  const code = failed ? "HTTP_ERROR" : isEnvelope ? "REFUSED" : "INVALID_REPLY";
  const isBare = code === "INVALID_REPLY" && typeof reason !== "string" && !isRecord(reason) && !Array.isArray(reason);
  const message = isBare ? `Invalid reply from ${place.method} ${place.url}: ${toText(reason)}` : toText(reason);
  const error = new ApiError(message, { ...common, code, data: body.value });
  // Programs written for the official SDK read the members of a refusal that is an object from what they catch.
  if (isRecord(reason)) {
    for (const [name, value] of Object.entries(reason)) {
      if (!ownMembers.has(name))
        Object.defineProperty(error, name, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return error;
}

/**
 * Takes the result out of `{ status: true, result }`. Judged by the text alone: the content type does not matter.
 *
 * @returns undefined when the reply is no success; `refusal` then says why
 */
export function unwrap(reply: TransportReply): { readonly result: unknown } | undefined {
  if (reply.status < 200 || reply.status > 299) return undefined;
  const body = parse(reply.text);
  if (!body.ok || !isRecord(body.value) || body.value["status"] !== true) return undefined;
  return body.value as { result: unknown };
}

/** The engine would take "-5" for a moment long past, and the client would ask again at once. */
const dateLike = /^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? |\d{4}-\d{2}-\d{2}T)/;

/** Milliseconds of `Retry-After`, in seconds or as a date. */
export function retryAfter(reply: TransportReply): number | undefined {
  const text = reply.header("retry-after")?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const moment = dateLike.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now());
}
