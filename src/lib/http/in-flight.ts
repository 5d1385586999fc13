import { CancelledError, RequestError } from "../core/errors.ts";
import { SHARED_REQUEST_WAIT_MS } from "../core/limits.ts";
import { onAbort } from "../core/signals.ts";
import type { Clock } from "./retry.ts";

interface Flight {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  /** Callers that still want the result. */
  callers: number;
}

/** Waits for a shared result; a caller's signal does not abort it for the others. */
function follow(flight: Flight, signal: AbortSignal | undefined): Promise<unknown> {
  flight.callers += 1;
  if (signal === undefined) return flight.result;
  return new Promise((resolve, reject) => {
    const leave = () => {
      flight.callers -= 1;
      const error = new CancelledError(undefined, signal.reason);
      if (flight.callers === 0) flight.controller.abort(signal.reason);
      reject(error);
    };
    const stay = onAbort(signal, leave);
    flight.result.finally(stay).then(resolve, reject);
  });
}

/** Makes the request; the signal aborts it when nobody waits any more. */
type Start = (signal: AbortSignal) => Promise<unknown>;
/** Copies the shared result for one caller. */
type Own = (result: unknown) => unknown;

/** Shares one request among identical reads in flight. A caller that leaves does not abort it for the others. */
export class InFlight {
  readonly #flights = new Map<string, Flight>();

  /**
   * Joins the request under this key, or starts it. When a request that was joined gets no response, the caller waits
   * 100 ms and asks once more for itself; an error response counts for everybody.
   */
  async run(key: string, signal: AbortSignal | undefined, clock: Clock, own: Own, start: Start): Promise<unknown> {
    const flight = this.#flights.get(key);
    if (flight === undefined) return own(await follow(this.#begin(key, start), signal));
    try {
      return own(await follow(flight, signal));
    } catch (error) {
      const isTheirs = error instanceof RequestError || (error instanceof CancelledError && !signal?.aborted);
      if (!isTheirs) throw error;
      await clock.sleep(SHARED_REQUEST_WAIT_MS, signal);
      return own(await follow(this.#flights.get(key) ?? this.#begin(key, start), signal));
    }
  }

  #begin(key: string, start: Start): Flight {
    const controller = new AbortController();
    const result = start(controller.signal);
    const flight: Flight = { result, controller, callers: 0 };
    this.#flights.set(key, flight);
    const forget = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    result.then(forget, forget);
    return flight;
  }
}

/** Requests in flight of the whole process. */
export const inFlight = new InFlight();
