import { MAX_REDIRECTS } from "../core/limits.ts";
import { type Transport, TransportError, type TransportReply, type TransportRequest } from "./transport.ts";

const redirecting = new Set([301, 302, 303, 307, 308]);

/** Headers with credentials, which are never sent to another origin. */
const credentials = new Set(["token", "authorization", "cookie"]);

/**
 * `origin`: the response counts as that of the server asked, so one of another origin must not replace it.
 * `anywhere`: for content that may be stored elsewhere; credentials and writes stay in the origin.
 */
export type RedirectScope = "origin" | "anywhere";

function stop(message: string, reply: TransportReply): TransportError {
  return new TransportError(message, { code: "UNKNOWN", reason: "BAD_REDIRECT", maybeSent: true, reply });
}

function withoutBody(request: TransportRequest): TransportRequest {
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith("content-"));
  return { ...request, method: "GET", body: undefined, headers: Object.fromEntries(headers) };
}

function next(request: TransportRequest, reply: TransportReply, scope: RedirectScope): TransportRequest {
  const place = reply.header("location") ?? "";
  if (place === "" || !URL.canParse(place, request.url))
    throw stop("The server redirected to no usable address", reply);
  const from = new URL(request.url);
  const to = new URL(place, from);
  if (to.protocol !== "https:" && to.protocol !== "http:")
    throw stop("The server redirected to another kind of address", reply);
  if (from.protocol === "https:" && to.protocol === "http:")
    throw stop("The server redirected from https to http", reply);
  if (to.origin !== from.origin && scope === "origin")
    throw stop(`The server redirected to ${to.origin}: a response of another origin is not used`, reply);
  const becomesGet =
    reply.status === 303 || ((reply.status === 301 || reply.status === 302) && request.method === "POST");
  let following = becomesGet && request.method !== "GET" ? withoutBody(request) : request;
  if (to.origin !== from.origin) {
    if (following.method !== "GET")
      throw stop(
        `The server redirected a ${following.method} to ${to.origin}: a write is not sent to another origin`,
        reply,
      );
    const kept = Object.entries(following.headers).filter(([name]) => !credentials.has(name));
    following = { ...following, headers: Object.fromEntries(kept) };
  }
  to.hash = "";
  return { ...following, url: to.href };
}

/** One attempt: sends the request and follows its redirects within the request's deadline. */
export async function sendFollowing(
  transport: Transport,
  request: TransportRequest,
  now: () => number,
  scope: RedirectScope,
): Promise<TransportReply> {
  const startedAt = now();
  const reply = await transport.send(request);
  return redirecting.has(reply.status) ? follow(transport, request, reply, scope, () => now() - startedAt) : reply;
}

async function follow(
  transport: Transport,
  first: TransportRequest,
  firstReply: TransportReply,
  scope: RedirectScope,
  elapsedMs: () => number,
): Promise<TransportReply> {
  let request = first;
  let reply = firstReply;
  for (let hops = 0; redirecting.has(reply.status); hops += 1) {
    if (hops === MAX_REDIRECTS) throw stop(`The server redirected more than ${MAX_REDIRECTS} times`, reply);
    const leftMs = first.timeoutMs === 0 ? 0 : first.timeoutMs - elapsedMs();
    if (leftMs < 0)
      throw new TransportError("The redirects took too long", { code: "TIMEOUT", reason: "TIMEOUT", maybeSent: true });
    request = { ...next(request, reply, scope), timeoutMs: Math.max(leftMs, first.timeoutMs === 0 ? 0 : 1) };
    reply = await transport.send(request);
  }
  return reply;
}
