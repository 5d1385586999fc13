import { ApiError, type Attempt, CancelledError, RequestError, type RequestInfo } from "../core/errors.ts";
import { MAX_RETRY_AFTER_MS } from "../core/limits.ts";
import { onAbort } from "../core/signals.ts";
import { timerMs } from "../core/times.ts";
import { isFailure, refusal, retryAfter } from "./envelope.ts";
import { isCertificateError } from "./exchange.ts";
import { TransportError, type TransportReply } from "./transport.ts";

/** Which requests are retried, how often and when. */
export interface RetryPolicy {
  readonly attempts: number;
  /** Wait after the given attempt (from 1), in milliseconds. */
  readonly delayMs: (attempt: number) => number;
  /** False: a write that may have reached the server is not sent again. */
  readonly ambiguousWrites: boolean;
  /** Attempts where the connection is refused or the host unknown. */
  readonly unreachableAttempts: number;
}

/** A request is about to be sent again. */
export interface RetryEvent {
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** Maximum number of attempts. */
  readonly of: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  /** Short cause: `HTTP 503`, `TIMEOUT`, `ECONNRESET` ... */
  readonly reason: string;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
  /** Address without its query; tokens in the path are shortened. */
  readonly url: string;
  /** Whether the request changes something. If the failed attempt reached the server, the write happens twice. */
  readonly isWrite: boolean;
  /** The error the call rejects with if this was the last attempt. */
  readonly error: Error;
}

/** Called before the wait of every retry. */
export type RetryHook = (event: RetryEvent) => void;

/** The short cause of a failed attempt. */
export function retryReason(error: RequestError | ApiError): string {
  const code = error.attempts.at(-1)?.code ?? error.code;
  return code === "HTTP_ERROR" ? `HTTP ${error.status}` : code;
}

/** Calls the hook and ignores its errors: watching a call must not break it. */
export function reportRetry(hook: RetryHook | undefined, event: RetryEvent): void {
  try {
    const result: unknown = hook?.(event);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // Nobody is there to handle it.
  }
}

/** Time source, injected so that tests need not wait. */
export interface Clock {
  /** Monotonic milliseconds from any start. */
  now(): number;
  /** Rejects with `CancelledError` when the signal aborts the wait. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        release();
        resolve();
      }, timerMs(ms));
      const release = onAbort(signal, () => {
        clearTimeout(timer);
        reject(new CancelledError(undefined, signal?.reason));
      });
    }),
};

export interface RetryTask {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly isWrite: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onRetry?: RetryHook | undefined;
  /** Method and URL for errors, without secrets; only called when something fails. */
  info(): RequestInfo;
  /** Waits until the attempt may be sent. */
  readonly before?: (() => Promise<void>) | undefined;
  send(attempt: number): Promise<TransportReply>;
}

/** The response that ended the attempts, with their history. */
export interface Answer {
  readonly reply: TransportReply;
  /** The failed attempts before it. */
  readonly failed: readonly Attempt[];
  /** Duration of the attempt that returned the response. */
  readonly durationMs: number;
}

/** A wait before the next attempt, or undefined when there must be none. */
type Verdict = number | undefined;

const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND"]);

/** Maximum number of attempts, given how the last one failed. */
function mostAttempts({ attempts, unreachableAttempts }: RetryPolicy, made: readonly Attempt[]): number {
  return unreachable.has(made.at(-1)?.code ?? "") ? Math.min(attempts, unreachableAttempts) : attempts;
}

function afterFailure(task: RetryTask, error: TransportError, attempt: number): Verdict {
  if (error.code === "UNKNOWN" || isCertificateError(error.reason)) return undefined;
  if (task.isWrite && error.maybeSent && !task.policy.ambiguousWrites) return undefined;
  // The server had closed an idle connection, so there is nothing to wait for.
  return error.isStale ? 0 : task.policy.delayMs(attempt);
}

function afterReply(task: RetryTask, reply: Omit<TransportReply, "text">, attempt: number): Verdict {
  const { status } = reply;
  if (status < 500 && status !== 408 && status !== 429) return undefined;
  if (status !== 429 && task.isWrite && !task.policy.ambiguousWrites) return undefined;
  const asked = status === 429 || status === 503 ? retryAfter(reply) : undefined;
  if (asked !== undefined && asked > MAX_RETRY_AFTER_MS) return undefined;
  if (status === 429) return asked;
  return Math.max(task.policy.delayMs(attempt), asked ?? 0);
}

/** The server has processed the request, and most responses would be the same again. */
function afterUnusable(
  task: RetryTask,
  { reason }: TransportError,
  reply: Omit<TransportReply, "text">,
  attempt: number,
): Verdict {
  if (reason !== "BAD_ENCODING") return undefined;
  if (isFailure(reply.status)) return afterReply(task, reply, attempt);
  return task.isWrite ? undefined : task.policy.delayMs(attempt);
}

/** The record of an attempt without a usable response. */
export function failedAttempt(error: TransportError, number: number, durationMs: number): Attempt {
  const { reason: code, message, maybeSent: mayHaveArrived, reply } = error;
  return { number, status: reply?.status ?? -1, code, message, durationMs, mayHaveArrived };
}

/** The error of a call whose last attempt brought no usable response. */
export function failure(
  info: RequestInfo,
  error: TransportError,
  attempts: readonly Attempt[],
): RequestError | ApiError {
  if (error.reply !== undefined) {
    const { status, statusText } = error.reply;
    const code = isFailure(status) ? "HTTP_ERROR" : "INVALID_REPLY";
    return new ApiError(error.message, { ...info, code, status, statusText, data: "", attempts });
  }
  const tries = attempts.length === 1 ? "" : ` after ${attempts.length} attempts`;
  return new RequestError(`No response from ${info.method} ${info.url}${tries}: ${error.message} (${error.reason})`, {
    ...info,
    code: error.code,
    statusText: error.message,
    attempts,
    cause: error,
  });
}

/**
 * Sends a request until it succeeds, fails for good, or the attempts are used up.
 *
 * @throws RequestError without a response; ApiError when the last one was 408, 429 or 5xx, or is unusable; CancelledError
 */
export async function sendWithRetry(task: RetryTask): Promise<Answer> {
  const made: Attempt[] = [];
  for (let number = 1; ; number += 1) {
    if (task.before !== undefined) await task.before();
    const startedAt = task.clock.now();
    let wait: Verdict;
    let error: RequestError | ApiError;
    try {
      const reply = await task.send(number);
      const durationMs = Math.round(task.clock.now() - startedAt);
      if (reply.status < 400 || (reply.status < 500 && reply.status !== 408 && reply.status !== 429)) {
        return { reply, failed: made, durationMs };
      }
      const message = reply.statusText === "" ? `Status ${reply.status}` : reply.statusText;
      const mayHaveArrived = reply.status !== 429;
      made.push({ number, status: reply.status, code: "HTTP_ERROR", message, durationMs, mayHaveArrived });
      wait = afterReply(task, reply, number);
      error = refusal(reply, task.info(), [...made]);
    } catch (caught) {
      if (!(caught instanceof TransportError)) throw caught;
      const durationMs = Math.round(task.clock.now() - startedAt);
      made.push(failedAttempt(caught, number, durationMs));
      wait =
        caught.reply === undefined
          ? afterFailure(task, caught, number)
          : afterUnusable(task, caught, caught.reply, number);
      error = failure(task.info(), caught, [...made]);
    }
    const most = mostAttempts(task.policy, made);
    if (wait === undefined || number >= most) throw error;
    reportRetry(task.onRetry, {
      ...task.info(),
      attempt: number,
      of: most,
      delayMs: wait,
      reason: retryReason(error),
      isWrite: task.isWrite,
      error,
    });
    if (wait > 0) await task.clock.sleep(wait, task.signal);
  }
}
