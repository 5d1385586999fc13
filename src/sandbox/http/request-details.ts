import type { IncomingMessage } from "node:http";
import { type RequestDetails, redactTokens } from "./request-log.ts";

/** Most characters logged of each text. */
const MAX_TEXT_BYTES = 4_000;
const SHOWN_HEADERS = ["accept", "content-type", "content-length", "origin", "user-agent"] as const;
/** JSON properties and query parameters with secrets, up to the end of their value or of the text. */
const SECRET_PROPERTY =
  /("[^"]*(?:password|passwd|secret|token|pin_code|otp_code|authorization)[^"]*"\s*:\s*")(?:[^"\\]|\\.)*/gi;
const SECRET_PART = /\b((?:signature|code|token|authorization)=)[^"&\s\\]+/gi;

const bodies = new WeakMap<IncomingMessage, Buffer>();

/** Records the start of a body for the request log. A copy: a slice would keep all of it in memory. */
export function noteBody(incoming: IncomingMessage, body: Buffer): void {
  bodies.set(incoming, Buffer.from(body.subarray(0, MAX_TEXT_BYTES)));
}

function shown(text: Buffer | undefined): string {
  if (text === undefined) return "";
  const clean = redactTokens(text.toString("utf8"))
    .replaceAll(SECRET_PROPERTY, "$1***")
    .replaceAll(SECRET_PART, "$1***");
  return text.length < MAX_TEXT_BYTES ? clean : `${clean} ...`;
}

/** What the log stores of a request and its response; it is redacted when it is read. */
export function detailsOf(incoming: IncomingMessage, response: string | undefined): () => RequestDetails {
  const { headers } = incoming;
  const kept = SHOWN_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const body = bodies.get(incoming);
  const text = response === undefined ? undefined : Buffer.from(response.slice(0, MAX_TEXT_BYTES));
  return () => ({
    headers: Object.fromEntries(kept.map(([name, value]) => [name, redactTokens(value)])),
    body: shown(body),
    response: shown(text),
  });
}
