import { CancelledError } from "../../src/lib/core/errors.ts";
import type { Clock } from "../../src/lib/http/retry.ts";
import {
  type Transport,
  TransportError,
  type TransportReply,
  type TransportRequest,
} from "../../src/lib/http/transport.ts";

/** One answer of the script: a reply, a failure, or a function that waits for either. */
export type Step = TransportReply | Error | ((request: TransportRequest) => TransportReply | Promise<TransportReply>);

export interface ScriptedTransport extends Transport {
  readonly requests: TransportRequest[];
}

/** The port without a network: answers from a list; the last answer is kept. */
export function scripted(...steps: readonly [Step, ...Step[]]): ScriptedTransport {
  const requests: TransportRequest[] = [];
  return {
    name: "fetch",
    requests,
    async send(request) {
      if (request.signal?.aborted) throw new CancelledError(undefined, request.signal.reason);
      requests.push(request);
      const step = steps[Math.min(requests.length, steps.length) - 1] ?? steps[0];
      if (step instanceof Error) throw step;
      return typeof step === "function" ? step(request) : step;
    },
    stream: () => Promise.reject(new Error("The script has no streams")),
  };
}

export interface ReplyParts {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

export function reply(parts: ReplyParts = {}): TransportReply {
  return {
    status: parts.status ?? 200,
    statusText: parts.statusText ?? "",
    header: (name) => parts.headers?.[name],
    text: parts.text ?? "",
  };
}

/** The envelope of a success. */
export const success = (result: unknown): TransportReply => reply({ text: JSON.stringify({ status: true, result }) });

/** A status outside 2xx with the platform's envelope. */
export const failed = (status: number, message = "Some error", headers: Record<string, string> = {}): TransportReply =>
  reply({ status, headers, text: JSON.stringify({ status: false, message }) });

/** The connection was lost after the request may have arrived. */
export const lost = (): TransportError =>
  new TransportError("socket hang up", { code: "NETWORK_ERROR", reason: "ECONNRESET", maybeSent: true });

/** There was no connection. */
export const unreachable = (): TransportError =>
  new TransportError("connect ECONNREFUSED", { code: "NETWORK_ERROR", reason: "ECONNREFUSED", maybeSent: false });

export interface ManualClock extends Clock {
  /** Every wait that was asked for, in milliseconds. */
  readonly waits: number[];
  /** Lets time pass outside of waits. */
  pass(ms: number): void;
}

/** Time that passes only by waiting, and then at once. */
export function manualClock(startMs = 1_000_000): ManualClock {
  let now = startMs;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    async sleep(ms, signal) {
      if (signal?.aborted) throw new CancelledError(undefined, signal.reason);
      waits.push(ms);
      now += ms;
    },
    pass(ms) {
      now += ms;
    },
  };
}
