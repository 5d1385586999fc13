import { CancelledError } from "../core/errors.ts";
import { linkSignals } from "../core/signals.ts";
import { timeOption } from "../core/times.ts";
import { sendFollowing } from "../http/redirects.ts";
import { failedAttempt, failure } from "../http/retry.ts";
import { TransportError, type TransportReply, type TransportRequest } from "../http/transport.ts";
import type { CallOptions, HttpClient } from "./client.ts";

/**
 * Sends a request to a host that is not the platform's, over the client's transport: one attempt, no envelope, and no
 * header but those given, so that the token is never sent. Every status is returned.
 *
 * @throws RequestError without a response; ApiError with an unusable one; CancelledError
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
    return await sendFollowing(client.transport, { ...request, timeoutMs, signal }, client.clock.now, "anywhere");
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const durationMs = Math.round(client.clock.now() - startedAt);
    const info = { method: request.method, url: request.url.split("?")[0] ?? "" };
    throw failure(info, error, [failedAttempt(error, 1, durationMs)]);
  } finally {
    release();
  }
}
