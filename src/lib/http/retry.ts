import { type ApiError, type Attempt, CancelledError, RequestError, type RequestPlace } from "../core/errors.ts";
import { MAX_RETRY_AFTER_MS } from "../core/limits.ts";
import { refusal, retryAfter } from "./envelope.ts";
import { TransportError, type TransportReply } from "./transport.ts";

/** Who may be tried again, how often and when. */
export interface RetryPolicy {
  readonly attempts: number;
  /** Wait after the given attempt (from 1), in milliseconds. */
  readonly delayMs: (attempt: number) => number;
  /** False: a write that may have reached the server is not sent again. */
  readonly ambiguousWrites: boolean;
  /** Attempts where the connection is refused or the host unknown. */
  readonly unreachableAttempts: number;
}

/** A request that is about to be sent again. */
export interface RetryEvent {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** Attempts at most, the first included. */
  readonly of: number;
  /** Wait before the next attempt, milliseconds. */
  readonly delayMs: number;
  /** What went wrong, in words. */
  readonly reason: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
  /** Address without its query and without tokens. */
  readonly url: string;
  /** Whether the request changes something. */
  readonly isWrite: boolean;
  /** The error the call would end with if this had been its last attempt. */
  readonly error: Error;
}

/** The passing of time, handed in so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with `CancelledError` when the signal ends the wait. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(new CancelledError(undefined, signal.reason));
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(new CancelledError(undefined, signal?.reason));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};

export interface RetryTask {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly isWrite: boolean;
  readonly signal: AbortSignal | undefined;
  /** Where the request goes, without what must not be shown; asked for only when something fails. */
  place(): RequestPlace;
  send(): Promise<TransportReply>;
  /** Called before the wait of each repetition. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** The reply that ended the attempts, and how it came about. */
export interface Answer {
  readonly reply: TransportReply;
  /** The attempts before it. */
  readonly failed: readonly Attempt[];
  /** Of the attempt that gave the reply. */
  readonly durationMs: number;
}

/** A wait before the next attempt, or undefined when there must be none. */
type Verdict = number | undefined;

const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND"]);

/** Attempts at most, seeing how the last one failed. */
function mostAttempts({ attempts, unreachableAttempts }: RetryPolicy, made: readonly Attempt[]): number {
  return unreachable.has(made.at(-1)?.code ?? "") ? Math.min(attempts, unreachableAttempts) : attempts;
}

const certificateTrouble = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(GET|VERIFY)/;

function afterFailure(task: RetryTask, error: TransportError, attempt: number): Verdict {
  if (error.code === "UNKNOWN" || certificateTrouble.test(error.reason)) return undefined;
  if (task.isWrite && error.maybeSent && !task.policy.ambiguousWrites) return undefined;
  // The server had closed an idle connection: nothing is wrong with it, so there is nothing to wait for.
  return error.isStale ? 0 : task.policy.delayMs(attempt);
}

function afterReply(task: RetryTask, reply: TransportReply, attempt: number): Verdict {
  const { status } = reply;
  if (status === 429) {
    const asked = retryAfter(reply);
    return asked !== undefined && asked <= MAX_RETRY_AFTER_MS ? asked : undefined;
  }
  if (status < 500 && status !== 408) return undefined;
  if (task.isWrite && !task.policy.ambiguousWrites) return undefined;
  return task.policy.delayMs(attempt);
}

function failure(place: RequestPlace, error: TransportError, attempts: readonly Attempt[]): RequestError {
  const tries = attempts.length === 1 ? "" : ` after ${attempts.length} attempts`;
  return new RequestError(`No answer from ${place.method} ${place.url}${tries}: ${error.message} (${error.reason})`, {
    ...place,
    code: error.code,
    statusText: error.message,
    attempts,
    cause: error,
  });
}

function announce(task: RetryTask, of: number, delayMs: number, error: RequestError | ApiError): void {
  const { method, url, attempts } = error;
  const reason = attempts.at(-1)?.message ?? error.message;
  task.onRetry?.({ attempt: attempts.length, of, delayMs, reason, method, url, isWrite: task.isWrite, error });
}

/**
 * Sends a request until it is answered, refused, or the attempts are used up (specification, section 8).
 *
 * @throws RequestError without a usable answer; ApiError when the last answer was 408, 429 or 5xx; CancelledError
 */
export async function sendWithRetry(task: RetryTask): Promise<Answer> {
  const made: Attempt[] = [];
  for (let number = 1; ; number += 1) {
    const startedAt = task.clock.now();
    let wait: Verdict;
    let error: RequestError | ApiError;
    try {
      const reply = await task.send();
      const durationMs = task.clock.now() - startedAt;
      if (reply.status < 400 || (reply.status < 500 && reply.status !== 408 && reply.status !== 429)) {
        return { reply, failed: made, durationMs };
      }
      const message = reply.statusText === "" ? `Status ${reply.status}` : reply.statusText;
      made.push({ number, status: reply.status, code: "HTTP_ERROR", message, durationMs });
      wait = afterReply(task, reply, number);
      error = refusal(reply, task.place(), [...made]);
    } catch (caught) {
      if (!(caught instanceof TransportError)) throw caught;
      const { reason: code, message } = caught;
      made.push({ number, status: -1, code, message, durationMs: task.clock.now() - startedAt });
      wait = afterFailure(task, caught, number);
      error = failure(task.place(), caught, [...made]);
    }
    const most = mostAttempts(task.policy, made);
    if (wait === undefined || number >= most) throw error;
    announce(task, most, wait, error);
    if (wait > 0) await task.clock.sleep(wait, task.signal);
  }
}
