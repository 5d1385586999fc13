import { CancelledError, InputError } from "../core/errors.ts";
import { MAX_RETRY_AFTER_MS } from "../core/limits.ts";
import { type Rate, rates, ratesOf } from "../core/rates.ts";
import { onAbort } from "../core/signals.ts";
import { retryAfter } from "./envelope.ts";
import { type Clock, systemClock } from "./retry.ts";
import type { TransportReply } from "./transport.ts";

const MINUTE_MS = 60_000;
const nothing = (): undefined => undefined;
/** How far the clocks may be apart before a response has shown the server's. */
const CLOCK_ERROR_MS = 1_000;
/** How old the time in a `Date` header may be: servers write it once a second. */
const DATE_AGE_MS = 1_100;

/** Names of the platform's limits. */
export type LimitName = keyof typeof rates;

/** Settings of a limiter. */
export interface LimiterOptions {
  /** Plan of the account. @default "scale", whose limits are the highest */
  readonly plan?: "free" | "starter" | "scale" | undefined;
  /** Requests per minute that differ from the plan, such as a share of a limit that other programs use as well. */
  readonly limits?: Readonly<Partial<Record<LimitName, number>>> | undefined;
  /** Custom clock, for tests that must not wait. */
  readonly clock?: Clock | undefined;
}

/** What the limiter must know of a request. */
interface Asked {
  readonly method: string;
  /** Path of the route, or of the request. */
  readonly path: string;
  /** The `query` of a data query. */
  readonly query: string | null;
  readonly signal: AbortSignal | undefined;
  onWait(limit: string, delayMs: number): void;
}

interface Waiter {
  go(): void;
  fail(error: unknown): void;
}

/** Minutes of the server, from the earliest to the latest it may be now. */
interface Minutes {
  readonly from: number;
  readonly to: number;
}

/** Requests of one kind by the minutes they may have reached the server in: near the turn of a minute, two. */
class Counter {
  readonly name: string;
  readonly most: number;
  /** The server responded with 429: nothing is sent before. */
  closedUntilMs = Number.NEGATIVE_INFINITY;
  /** Calls that wait, the first to be sent first. */
  readonly waiting: Waiter[] = [];
  /** Ends the timer when nobody waits any more. */
  idle = new AbortController();
  #used = new Map<number, number>();
  #latest = Number.NEGATIVE_INFINITY;
  #inFlight = 0;

  constructor(name: string, most: number) {
    this.name = name;
    this.most = most;
  }

  /** A request that is in flight when a minute begins may be counted in it. */
  #enter({ from, to }: Minutes): void {
    if (to <= this.#latest) return;
    const kept = [...this.#used].filter(([minute]) => minute >= from);
    const begun = [to - 1, to].filter((minute) => minute > this.#latest);
    this.#used = new Map([...kept, ...begun.map((minute) => [minute, this.#inFlight] as const)]);
    this.#latest = to;
  }

  /** The last minute that has had enough, of those it may be now. */
  full(minutes: Minutes): number | undefined {
    this.#enter(minutes);
    for (let minute = minutes.to; minute >= minutes.from; minute -= 1)
      if ((this.#used.get(minute) ?? 0) >= this.most) return minute;
    return undefined;
  }

  start({ from, to }: Minutes): void {
    for (let minute = from; minute <= to; minute += 1) this.#used.set(minute, (this.#used.get(minute) ?? 0) + 1);
    this.#inFlight += 1;
  }

  end(minutes: Minutes): void {
    this.#enter(minutes);
    this.#inFlight -= 1;
  }
}

/**
 * Holds requests back before the platform rejects them with 429. It counts them per kind and minute of the server,
 * whose clock it learns from the `Date` of responses. Use one for all clients of a profile.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #clock: Clock;
  readonly #counters = new Map<Rate, Counter>();
  /** The server's time minus the own one, at least and at most. */
  #offset: { readonly least: number; readonly most: number };

  /** @internal Use `createLimiter`. */
  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const offset = Date.now() - this.#clock.now();
    this.#offset = { least: offset - CLOCK_ERROR_MS, most: offset + CLOCK_ERROR_MS };
  }

  /**
   * Waits for the turn of a request and counts it.
   *
   * @internal
   * @returns to be called at its end, with the response if there is one
   */
  async start({ method, path, query, signal, onWait }: Asked): Promise<(reply?: TransportReply) => void> {
    const rate = ratesOf(method, path).find((one) => one.query === undefined || one.query === query);
    if (rate === undefined) return nothing;
    const counter = this.#counterOf(rate);
    if (counter.waiting.length > 0 || this.#waitMs(counter) > 0) await this.#turn(counter, signal, onWait);
    else counter.start(this.#minutes());
    const sentMs = this.#clock.now();
    return (reply) => this.#end(counter, sentMs, reply);
  }

  #counterOf(rate: Rate): Counter {
    const { plan = "scale", limits = {} } = this.#options;
    const name = (Object.keys(rates) as LimitName[]).find((one) => rates[one] === rate);
    const counter =
      this.#counters.get(rate) ??
      new Counter(rate.name, (name === undefined ? undefined : limits[name]) ?? rate.perMinute[plan]);
    this.#counters.set(rate, counter);
    return counter;
  }

  #minutes(): Minutes {
    const now = this.#clock.now();
    const { least, most } = this.#offset;
    return { from: Math.floor((now + least) / MINUTE_MS), to: Math.floor((now + most) / MINUTE_MS) };
  }

  /** Time until the next request of the kind may be sent. */
  #waitMs(counter: Counter): number {
    const now = this.#clock.now();
    const full = counter.full(this.#minutes());
    const nextMs = full === undefined ? now : (full + 1) * MINUTE_MS - this.#offset.least;
    return Math.max(0, Math.ceil(Math.max(nextMs, counter.closedUntilMs) - now));
  }

  #turn(counter: Counter, signal: AbortSignal | undefined, onWait: Asked["onWait"]): Promise<void> {
    const { waiting } = counter;
    onWait(counter.name, this.#waitMs(counter) + Math.floor(waiting.length / counter.most) * MINUTE_MS);
    return new Promise((resolve, reject) => {
      const settled = (settle: () => void) => {
        release();
        settle();
      };
      const waiter = { go: () => settled(resolve), fail: (error: unknown) => settled(() => reject(error)) };
      waiting.push(waiter);
      const release = onAbort(signal, () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(new CancelledError(undefined, signal?.reason));
        if (waiting.length === 0) counter.idle.abort();
      });
      if (waiting.length === 1) void this.#serve(counter);
    });
  }

  async #serve(counter: Counter): Promise<void> {
    const idle = new AbortController();
    counter.idle = idle;
    const { signal } = idle;
    while (counter.waiting.length > 0 && !signal.aborted) {
      const waitMs = this.#waitMs(counter);
      if (waitMs <= 0) {
        counter.start(this.#minutes());
        counter.waiting.shift()?.go();
        continue;
      }
      // An injected clock may reject.
      const failure = await this.#clock.sleep(waitMs, signal).then(nothing, (error: unknown) => ({ error }));
      if (failure !== undefined && !signal.aborted)
        for (const waiter of counter.waiting.splice(0)) waiter.fail(failure.error);
    }
  }

  #end(counter: Counter, sentMs: number, reply: TransportReply | undefined): void {
    if (reply !== undefined) this.#learn(reply.header("date"), sentMs);
    counter.end(this.#minutes());
    if (reply?.status !== 429) return;
    const now = this.#clock.now();
    const restMs = (this.#minutes().to + 1) * MINUTE_MS - this.#offset.least - now;
    counter.closedUntilMs = now + Math.min(retryAfter(reply) ?? restMs, MAX_RETRY_AFTER_MS);
  }

  /** The server wrote its time, cut to seconds, between the sending and now. */
  #learn(date: string | undefined, sentMs: number): void {
    const serverMs = Date.parse(date ?? "");
    if (Number.isNaN(serverMs)) return;
    const seen = { least: serverMs - this.#clock.now(), most: serverMs + DATE_AGE_MS - sentMs };
    const least = Math.max(seen.least, this.#offset.least);
    const most = Math.min(seen.most, this.#offset.most);
    this.#offset = least <= most ? { least, most } : seen;
  }
}

/**
 * Makes a limiter, for the option `limiter` of one or several clients.
 *
 * @throws InputError for an unknown plan or limit, and for a limit that is not a number from 1
 * @example
 * ```ts
 * const limiter = createLimiter({ plan: "starter" });
 * const resources = new Resources({ token, limiter });
 * ```
 */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { plan = "scale", limits = {} } = options;
  if (!Object.hasOwn(rates.info.perMinute, plan))
    throw new InputError('Invalid plan: it must be "free", "starter" or "scale"', "plan");
  for (const [name, most] of Object.entries(limits)) {
    if (!Object.hasOwn(rates, name)) throw new InputError(`Unknown limit "${name}"`, "limits");
    if (most !== undefined && !(Number.isFinite(most) && most >= 1))
      throw new InputError(`Invalid limit ${name}: it must be a number from 1`, "limits");
  }
  return new Limiter(options);
}
