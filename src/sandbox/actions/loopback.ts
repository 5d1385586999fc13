import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isInspectionPath } from "../http/host-check.ts";
import { OWN_CALL_HEADER } from "../http/inspection-key.ts";

const TIMEOUT_MS = 10_000;

/** An HTTP call that an action or a button makes. */
export interface OutgoingCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** True for an address on this machine: the sandbox calls no others. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return false;
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** True for an address of the inspection routes of the sandbox at an origin. */
export function isOwnInspection(text: string, origin: string): boolean {
  const { port, pathname } = new URL(text);
  return port === new URL(origin).port && isInspectionPath(pathname);
}

/** Makes one call to this machine. Returns the HTTP status, or 0 without a response; redirects are not followed. */
export function callLoopback(call: OutgoingCall, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const url = new URL(call.url);
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const headers = {
      "content-type": "application/json",
      ...call.headers,
      "content-length": String(Buffer.byteLength(call.body)),
      // Last, so that no header of the call replaces it. It blocks the call whatever form its address has.
      [OWN_CALL_HEADER]: "1",
    };
    const request = send(url, { method: call.method, headers, agent: false, signal, timeout: TIMEOUT_MS }, (reply) => {
      reply.resume();
      reply.on("error", () => resolve(0));
      reply.on("end", () => resolve(reply.statusCode ?? 0));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(0));
    request.end(call.body);
  });
}
