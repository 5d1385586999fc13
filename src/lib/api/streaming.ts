import { InputError, SdkError } from "../core/errors.ts";
import { JsonText } from "../core/json.ts";
import { STREAM_BATCH_QTY } from "../core/limits.ts";
import { timeOption } from "../core/times.ts";
import type { Clock } from "../http/retry.ts";

/** Checks a page size and rounds it up. */
export function batchQty(value: number | undefined, max: number): number {
  if (value === undefined || value === null) return STREAM_BATCH_QTY;
  if (value > max) throw new InputError(`The maximum of poolingRecordQty is ${max}`, "poolingRecordQty");
  if (!(value > 0)) throw new InputError("The minimum of poolingRecordQty is 1", "poolingRecordQty");
  return Math.ceil(value);
}

/** The wait between two requests; 0 is a valid wait, not a missing value. */
export function batchWait(value: number | undefined, defaultMs: number): number {
  return timeOption(value, "poolingTime") ?? defaultMs;
}

/** Requests at least `waitMs` apart, counted from start to start; no wait before the first. */
export function pacer(clock: Clock, waitMs: number, signal: AbortSignal | undefined): () => Promise<void> {
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const waitLeftMs = next - clock.now();
    if (waitLeftMs > 0) await clock.sleep(waitLeftMs, signal);
    next = clock.now() + waitMs;
  };
}

/** Whether a stream reads by time. @throws InputError for anything but `count` and `time` */
export function readsByTime(window: unknown): boolean {
  if (window === undefined || window === null || window === "count") return false;
  if (window === "time") return true;
  throw new InputError('Invalid window: it must be "count" or "time"', "window");
}

export interface PageStream<Row> {
  /** Rows asked for with each request. */
  readonly qty: number;
  readonly waitMs: number;
  readonly initialSkip: number;
  readonly neverStop: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Reads the rows after the first `skip` ones. */
  read(skip: number): Promise<Row[]>;
}

/**
 * Yields page after page, each row once. A page shorter than requested is the last one. Nothing is read ahead, so
 * leaving the loop leaves no request open.
 *
 * With several variables the platform applies `qty` and `skip` to each of them: the skip then grows by `qty`, and only
 * a page shorter than one variable's share proves the end.
 */
export async function* readPages<Row>(stream: PageStream<Row>): AsyncGenerator<Row[], void, undefined> {
  const pace = pacer(stream.clock, stream.waitMs, stream.signal);
  let skip = stream.initialSkip;
  for (;;) {
    await pace();
    const rows = await stream.read(skip);
    const isLast = rows.length < stream.qty;
    if (rows.length > 0) yield rows;
    if (isLast && !stream.neverStop) return;
    skip += isLast ? rows.length : stream.qty;
  }
}

/** Sets on the error how many rows were accepted before it, so that a program can continue with the rest. */
function withAccepted(error: unknown, accepted: number): unknown {
  if (error instanceof SdkError) error.accepted = accepted;
  return error;
}

/**
 * Sends a list in batches; nothing for an empty list. The next batch is serialized while one is being sent.
 *
 * @throws SdkError with `accepted`: number of rows in confirmed batches
 */
export async function sendBatches<Row>(
  rows: readonly Row[],
  options: {
    readonly qty: number;
    readonly waitMs: number;
    readonly clock: Clock;
    readonly signal: AbortSignal | undefined;
  },
  send: (batch: JsonText) => Promise<unknown>,
): Promise<string> {
  if (!Array.isArray(rows)) throw new InputError("Only data array is allowed", "data");
  const pace = pacer(options.clock, options.waitMs, options.signal);
  const write = (start: number) =>
    start < rows.length ? JsonText.of(rows.slice(start, start + options.qty)) : undefined;
  let batch = write(0);
  let accepted = 0;
  try {
    for (let start = 0; batch !== undefined; start += options.qty) {
      await pace();
      const running = send(batch);
      // Wait for the current batch before reporting an error in the next one.
      const following = Promise.resolve(start + options.qty).then(write);
      following.catch(() => undefined);
      await running;
      accepted = Math.min(start + options.qty, rows.length);
      batch = await following;
    }
  } catch (error) {
    throw withAccepted(error, accepted);
  }
  return `${rows.length} Data added.`;
}
