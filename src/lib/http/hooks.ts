import { warn } from "../core/platform.ts";
import type { RetryEvent } from "./retry.ts";

/** An attempt is sent. */
export interface RequestEvent {
  /** Number of the call, from 1; its attempts share it. */
  readonly call: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
  /** Address without its query; tokens in the path are shortened. */
  readonly url: string;
  /** Headers by lower-case name, without the token. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An attempt has ended. */
export interface ResponseEvent extends Omit<RequestEvent, "headers"> {
  /** HTTP status; -1 without a complete response. */
  readonly status: number;
  /** Why there is no response: `TIMEOUT`, `ECONNRESET`, `CANCELLED` ...; undefined with one. */
  readonly failure: string | undefined;
  /** Milliseconds from sending to the end of the response, redirects included. */
  readonly durationMs: number;
  /** The server's `x-request-id`; undefined when it sends none. */
  readonly requestId: string | undefined;
}

/** The limiter holds an attempt back. */
export interface WaitEvent extends Pick<RequestEvent, "method" | "url"> {
  /** Name of the limit, such as `device list`. */
  readonly limit: string;
  /** Expected wait in milliseconds. */
  readonly delayMs: number;
}

/**
 * Functions that watch the requests of a client. Events are frozen and contain no tokens, queries or bodies. A hook that
 * throws, or returns a promise that rejects, does not affect the call; its first error becomes a process warning.
 */
export interface ClientHooks {
  /** Called before every attempt. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after every attempt, with or without a response. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the wait of every retry. */
  readonly onRetry?: ((event: Omit<RetryEvent, "error">) => void) | undefined;
  /** Called when the limiter makes an attempt wait. */
  readonly onWait?: ((event: WaitEvent) => void) | undefined;
}

const warned = new WeakSet<object>();

/** Calls a hook with a frozen event. Its errors do not reach the call: the first one of each hook is a warning. */
export function callHook<Event extends object>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  if (hook === undefined) return;
  const failed = (error: unknown): void => {
    if (warned.has(hook)) return;
    warned.add(hook);
    warn(`A hook of iotdeck failed; its further errors are not shown. ${String(error)}`);
  };
  try {
    Promise.resolve(hook(Object.freeze(event))).catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** The headers of a request without credentials. */
export function shownHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.freeze(
    Object.fromEntries(Object.entries(headers).filter(([name]) => !/token|authorization/.test(name))),
  );
}
