import { ApiError, type Attempt, type RequestInfo } from "../core/errors.ts";
import { isRecord, type ParsedJson, readJson } from "../core/json.ts";
import { MAX_JSON_DEPTH } from "../core/limits.ts";
import type { TransportReply } from "./transport.ts";

/** Longest part of a server's response that becomes an error message, in characters; `data` has all of it. */
const maxMessageLength = 4000;

/** The server's error message: `message`, else `result`, else the whole response. */
function reasonIn(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { message, result } = body;
  if (message !== undefined && message !== null && message !== "") return message;
  if (result !== undefined && result !== null && result !== "") return result;
  return body;
}

/** Whether a status is outside 2xx. */
export const isFailure = (status: number): boolean => status < 200 || status > 299;

function toText(reason: unknown): string {
  const text = typeof reason === "string" ? reason : JSON.stringify(reason);
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

/** Why a body has no message: empty, not JSON, which is the message itself, or nested too deeply. */
function unreadable(
  { status, statusText, text }: TransportReply,
  info: RequestInfo,
  problem: NonNullable<ParsedJson["problem"]>,
): string {
  if (problem === "too deep") {
    const most = MAX_JSON_DEPTH.toLocaleString("en");
    return `The reply is nested more than ${most} levels deep, the most that is read`;
  }
  if (text !== "") return toText(text);
  if (statusText !== "" && isFailure(status)) return statusText;
  return `Empty reply with status ${status}${statusText === "" ? "" : ` ${statusText}`} from ${info.method} ${info.url}`;
}

/** The attempts with what was found in the last one. Who wrote an invalid reply is unknown, so a write may have been made. */
function judged(attempts: readonly Attempt[], code: ApiError["code"], { problem }: ParsedJson): readonly Attempt[] {
  const last = attempts.at(-1);
  if (last === undefined) return attempts;
  const why = problem === "too deep" ? "REPLY_TOO_DEEP" : code;
  const isInvalid = code === "INVALID_REPLY";
  return [...attempts.slice(0, -1), { ...last, code: why, mayHaveArrived: isInvalid || last.mayHaveArrived }];
}

/** The error for a response that is not a success. */
export function refusal(reply: TransportReply, info: RequestInfo, attempts: readonly Attempt[]): ApiError {
  const body = readJson(reply.text);
  const { status } = reply;
  const statusText = reply.statusText;
  const retryAfterMs = retryAfter(reply);
  const isEnvelope = body.problem === undefined && isRecord(body.value) && "status" in body.value;
  const code = isFailure(status) ? "HTTP_ERROR" : isEnvelope ? "REFUSED" : "INVALID_REPLY";
  const common = { ...info, code, status, statusText, attempts: judged(attempts, code, body), retryAfterMs } as const;
  if (body.problem !== undefined)
    return new ApiError(unreadable(reply, info, body.problem), { ...common, data: reply.text });
  const reason = reasonIn(body.value);
  const isBare = code === "INVALID_REPLY" && typeof reason !== "string" && !isRecord(reason) && !Array.isArray(reason);
  const message = isBare ? `Invalid reply from ${info.method} ${info.url}: ${toText(reason)}` : toText(reason);
  const error = new ApiError(message, { ...common, data: body.value });
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
  if (isFailure(reply.status)) return undefined;
  const body = readJson(reply.text);
  if (body.problem !== undefined || !isRecord(body.value) || body.value["status"] !== true) return undefined;
  return body.value as { result: unknown };
}

/** `Date.parse("-5")` is a valid date in V8; without this check the client would retry at once. */
const dateLike = /^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? |\d{4}-\d{2}-\d{2}T)/;

/** Milliseconds of `Retry-After`, in seconds or as a date. */
export function retryAfter(reply: Omit<TransportReply, "text">): number | undefined {
  const text = reply.header("retry-after")?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const moment = dateLike.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now());
}
