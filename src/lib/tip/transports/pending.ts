/** (node) Requests that wait for their response on one connection. */
import { TipError } from "../errors.ts";
import type { TipAck } from "../types.ts";
import type { TipRequest } from "./transport.ts";

interface Waiting {
  readonly request: TipRequest;
  readonly resolve: (ack: TipAck) => void;
  readonly reject: (error: TipError) => void;
  readonly timer: NodeJS.Timeout;
}

/** Whether a response can be one to this request: its counter and its kind. */
function fits({ method, seq }: TipRequest, ack: TipAck): boolean {
  if (seq !== undefined && ack.seq !== undefined && ack.seq !== seq) return false;
  if (ack.status === "ERR") return true;
  return ack.status === "OK" ? method !== "PING" : method === "PING";
}

export const connectionFailed = (mayHaveArrived: boolean, cause?: unknown): TipError =>
  new TipError("connection_failed", mayHaveArrived ? "The connection was lost" : "The connection failed", {
    mayHaveArrived,
    cause,
  });

export const noResponse = (timeoutMs: number): TipError =>
  new TipError("no_response", `No response within ${timeoutMs} ms`, { mayHaveArrived: true });

/** Responses come in the order of the requests. What cannot be a response to the first one is none. */
export class Pending {
  readonly #waiting: Waiting[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  /** Waits for the response; without one in time `onTimeout` is called, which ends the connection. */
  add(request: TipRequest, timeoutMs: number, onTimeout: () => void): Promise<TipAck> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settle((one) => one.reject(noResponse(timeoutMs)), request);
        onTimeout();
      }, timeoutMs);
      this.#waiting.push({ request, resolve, reject, timer });
    });
  }

  /** Returns false for what no request has asked for. */
  receive(ack: TipAck): boolean {
    const [first] = this.#waiting;
    if (first === undefined || !fits(first.request, ack)) return false;
    return this.#settle((one) => one.resolve(ack), first.request);
  }

  fail(error: TipError): void {
    for (const { request } of [...this.#waiting]) this.#settle((one) => one.reject(error), request);
  }

  #settle(end: (one: Waiting) => void, request: TipRequest): boolean {
    const at = this.#waiting.findIndex((one) => one.request === request);
    const [one] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (one === undefined) return false;
    clearTimeout(one.timer);
    end(one);
    return true;
  }
}
