import { CancelledError, RequestError } from "../core/errors.ts";
import { linkSignals } from "../core/signals.ts";
import { timeOption } from "../core/times.ts";
import { sendFollowing } from "../http/redirects.ts";
import { TransportError, type TransportReply, type TransportRequest } from "../http/transport.ts";
import type { CallOptions, HttpClient } from "./client.ts";

/**
 * Sends a request to a host that is not the platform's, over the client's transport: one attempt, no envelope, and no
 * header but those given, so that the token is never sent. Every status is returned.
 *
 * @throws RequestError without a response; CancelledError
 */
export async function sendExternal(
  client: HttpClient,
  request: Omit<TransportRequest, "signal">,
  options?: CallOptions,
): Promise<TransportReply> {
  const { signal, release } = linkSignals(client.options.signal, options?.signal);
  if (signal.aborted) throw new CancelledError(undefined, signal.reason);
  const timeoutMs = timeOption(options?.timeoutMs, "timeoutMs") ?? request.timeoutMs;
  const startedAt = client.clock.now();
  try {
    return await sendFollowing(client.transport, { ...request, timeoutMs, signal }, client.clock.now);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { reason: code, message } = error;
    const durationMs = Math.round(client.clock.now() - startedAt);
    const place = { method: request.method, url: request.url.split("?")[0] ?? "" };
    throw new RequestError(`No response from ${place.method} ${place.url}: ${message} (${code})`, {
      ...place,
      code: error.code,
      statusText: message,
      attempts: [{ number: 1, status: -1, code, message, durationMs, mayHaveArrived: error.maybeSent }],
      cause: error,
    });
  } finally {
    release();
  }
}
