import { CancelledError, InputError, type RequestInfo } from "../core/errors.ts";
import { type ClientHooks, callHook, shownHeaders } from "./hooks.ts";
import { createLimiter, type Limiter } from "./limiter.ts";
import { type Clock, type RetryHook, type RetryTask, reportRetry } from "./retry.ts";
import { TransportError, type TransportReply, type TransportRequest } from "./transport.ts";

/** Hooks and limiter of a client. */
export interface Watch {
  readonly hooks: ClientHooks;
  readonly limiter: Limiter | undefined;
  readonly clock: Clock;
}

interface WatchOptions {
  readonly hooks?: ClientHooks | undefined;
  readonly limiter?: Limiter | boolean | undefined;
  readonly onRetry?: RetryHook | undefined;
}

/** Undefined for a client without hooks and limiter, whose requests then cost nothing more. */
export function watchOf({ hooks, limiter }: WatchOptions, clock: Clock): Watch | undefined {
  if (!hooks && !limiter) return undefined;
  if (limiter && limiter !== true && typeof limiter.start !== "function")
    throw new InputError("Invalid limiter: it must be true or come from createLimiter", "limiter");
  return { hooks: hooks ?? {}, limiter: limiter === true ? createLimiter({ clock }) : limiter || undefined, clock };
}

/** The option `onRetry` and the hook of that name, which does not get the error: it holds the server's response. */
export function retryHook({ hooks, onRetry }: WatchOptions): RetryHook | undefined {
  if (!hooks?.onRetry) return onRetry;
  return (event) => {
    reportRetry(onRetry, event);
    const { error: _, ...shown } = event;
    callHook(hooks.onRetry, shown);
  };
}

let calls = 0;

/** The attempts of a call with its hooks and its limiter. */
export function watched(
  { hooks, limiter, clock }: Watch,
  request: TransportRequest,
  { info, path, send }: { readonly info: RequestInfo; readonly path: string; send(): Promise<TransportReply> },
): Pick<RetryTask, "before" | "send"> {
  calls += 1;
  const about = { call: calls, ...info };
  let end: (reply?: TransportReply) => void = () => undefined;

  return {
    before:
      limiter &&
      (async () => {
        const query = new URL(request.url).searchParams.get("query");
        const onWait = (limit: string, delayMs: number) => callHook(hooks.onWait, { ...info, limit, delayMs });
        end = await limiter.start({ method: info.method, path, query, signal: request.signal, onWait });
      }),
    async send(attempt) {
      const startedAt = clock.now();
      const ended = (reply: TransportReply | undefined, failure: string | undefined): void => {
        end(reply);
        const durationMs = Math.round(clock.now() - startedAt);
        const requestId = reply?.header("x-request-id");
        callHook(hooks.onResponse, { ...about, attempt, status: reply?.status ?? -1, failure, durationMs, requestId });
      };
      callHook(hooks.onRequest, { ...about, attempt, headers: shownHeaders(request.headers) });
      try {
        const reply = await send();
        ended(reply, undefined);
        return reply;
      } catch (error) {
        ended(undefined, failureOf(error));
        throw error;
      }
    },
  };
}

function failureOf(error: unknown): string {
  if (error instanceof TransportError) return error.reason;
  return error instanceof CancelledError ? "CANCELLED" : "UNKNOWN";
}
