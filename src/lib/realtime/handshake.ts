import { ApiError, isError, RequestError, SdkError } from "../core/errors.ts";
import { isRecord, parseJson } from "../core/json.ts";
import { MAX_REDIRECTS } from "../core/limits.ts";
import { retryAfter } from "../http/envelope.ts";
import { type Transport, TransportError, type TransportStream } from "../http/transport.ts";

/** Characters of an error response that are read for its message. */
const MAX_REFUSAL_CHARS = 64 * 1024;
/** Timeout for reading an error response. */
const REFUSAL_TIMEOUT_MS = 5_000;
/** Longest id that is sent back; servers reject requests with very long headers. */
const MAX_ID_CHARS = 2_048;

export interface StreamRequest {
  readonly url: string;
  readonly token: string;
}

interface ConnectOptions {
  readonly lastEventId: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The URL without its query string, which contains the token. */
const publicUrl = (url: string): string => url.split("?", 1)[0] ?? "";

/** Replaces the token in a message of the server or the system. */
function redact(text: string, token: string): string {
  if (token === "") return text;
  return text.replaceAll(token, "[token]").replaceAll(encodeURIComponent(token), "[token]");
}

/** An id as a header value, UTF-8 encoded; undefined when a header cannot hold it. */
export function lastEventIdHeader(id: string): string | undefined {
  const hasControls = [...id].some((char) => char < " " || char === "\u007f");
  if (id === "" || id.length > MAX_ID_CHARS || hasControls) return undefined;
  return String.fromCharCode(...new TextEncoder().encode(id));
}

/** Connects and checks that the response is an event stream. Follows redirects within the origin. */
export async function connectStream(
  transport: Transport,
  request: StreamRequest,
  options: ConnectOptions,
): Promise<TransportStream> {
  const headers: Record<string, string> = { accept: "text/event-stream" };
  if (options.lastEventId !== undefined) headers["last-event-id"] = options.lastEventId;
  let url = request.url;
  for (let hops = 0; ; hops += 1) {
    const stream = await transport.stream({
      method: "GET",
      url,
      headers,
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    });
    if (isEventStream(stream)) return stream;
    const target = redirectTarget(stream, url);
    if (target === undefined) throw await refusal(stream, request);
    stream.cancel();
    const { origin } = new URL(target);
    if (origin !== new URL(url).origin) {
      const why = "which is not followed: the address carries the token";
      throw redirectError(`The event stream redirects to ${origin}, ${why}`, stream, request);
    }
    if (hops === MAX_REDIRECTS) {
      throw redirectError(`The event stream was redirected more than ${MAX_REDIRECTS} times`, stream, request);
    }
    url = target;
  }
}

function isEventStream(stream: TransportStream): boolean {
  return stream.status === 200 && /^\s*text\/event-stream\s*(;|$)/i.test(stream.header("content-type") ?? "");
}

function redirectTarget(stream: TransportStream, from: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(stream.status)) return undefined;
  const location = stream.header("location");
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  return new URL(location, from).href;
}

function redirectError(message: string, stream: TransportStream, request: StreamRequest): ApiError {
  return new ApiError(redact(message, request.token), {
    url: publicUrl(request.url),
    method: "GET",
    status: stream.status,
    statusText: redact(stream.statusText, request.token),
    code: "HTTP_ERROR",
    data: "",
  });
}

/** Reads the start of a body, with a timeout. */
async function readSome(stream: TransportStream): Promise<string> {
  let text = "";
  const timer = setTimeout(() => stream.cancel(), REFUSAL_TIMEOUT_MS);
  try {
    for await (const piece of stream.body) {
      text += piece;
      if (text.length > MAX_REFUSAL_CHARS) break;
    }
  } catch {
    // The status is enough when the body is cut off.
  } finally {
    clearTimeout(timer);
    stream.cancel();
  }
  return text.slice(0, MAX_REFUSAL_CHARS);
}

function envelopeMessage(data: unknown): string | undefined {
  const message = isRecord(data) ? data["message"] : undefined;
  return typeof message === "string" && message !== "" ? message : undefined;
}

/** The error for a response that is not an event stream. */
async function refusal(stream: TransportStream, request: StreamRequest): Promise<ApiError> {
  const { status } = stream;
  const statusText = redact(stream.statusText, request.token);
  const isOk = status >= 200 && status < 300;
  const kind = stream.header("content-type") ?? "no content type";
  const header = (name: string): string | undefined => stream.header(name);
  // The body of a 200 response may never end, and adds nothing to the content type.
  const data = isOk ? undefined : parseJson(redact(await readSome(stream), request.token));
  if (isOk) stream.cancel();
  const fallback = isOk
    ? `The server answered with ${status} and ${redact(kind, request.token)} instead of an event stream`
    : `The event stream was rejected with status ${status}${statusText === "" ? "" : ` ${statusText}`}`;
  return new ApiError(envelopeMessage(data) ?? fallback, {
    url: publicUrl(request.url),
    method: "GET",
    status,
    statusText,
    code: isOk ? "INVALID_REPLY" : "HTTP_ERROR",
    data,
    retryAfterMs: retryAfter({ status, statusText, header }),
  });
}

/** Converts the reason a connection closed to an error of the library, without the token. */
export function readFailure(reason: unknown, request: StreamRequest): SdkError {
  if (reason instanceof SdkError) return reason;
  const message = redact(isError(reason) ? reason.message : String(reason), request.token);
  return new RequestError(message, {
    url: publicUrl(request.url),
    method: "GET",
    code: reason instanceof TransportError ? reason.code : "UNKNOWN",
    statusText: reason instanceof TransportError ? reason.reason : "UNKNOWN",
  });
}
