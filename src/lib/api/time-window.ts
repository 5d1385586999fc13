import { SdkError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import type { Clock } from "../http/retry.ts";
import { pacer } from "./streaming.ts";

/** How a stream finds its next page: by counting rows, or by the date of the last row. */
export type StreamWindow = "count" | "time";

export interface WindowSteps {
  /** Rows per page. */
  readonly qty: number;
  readonly waitMs: number;
  /** Rows to skip at the start of each stream. @default 0 */
  readonly initialSkip?: number;
  /** Keeps polling after the last page. @default false */
  readonly neverStop?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

export interface WindowStream<Row> {
  /** Maximum rows per request. */
  readonly maxQty: number;
  /** Identifies a row. */
  keyOf(row: Row): unknown;
  /** The date the rows are ordered by, ascending. */
  momentOf(row: Row): unknown;
  /** Reads page `turn` (from 0) of `qty` rows at or after the date; from the first row without one. */
  read(from: Date | undefined, qty: number, turn: number): Promise<Row[]>;
}

const withoutDate = (): SdkError =>
  new SdkError("A row without a date cannot be read by a time window; read without `window`");

function momentMs(moment: unknown): number {
  if (moment instanceof Date && !Number.isNaN(moment.getTime())) return moment.getTime();
  throw withoutDate();
}

/** Position in a stream: the last date yielded, and the rows of that date already yielded. */
class Cursor<Row> {
  readonly #stream: WindowStream<Row>;
  readonly #qty: number;
  readonly #seen = new Set<unknown>();
  #fromMs: number | undefined;
  #emptyTurns = 0;
  #toSkip: number;

  constructor(stream: WindowStream<Row>, { qty, initialSkip = 0 }: WindowSteps) {
    this.#stream = stream;
    this.#qty = qty;
    this.#toSkip = initialSkip;
  }

  /** Reads the next rows; those already yielded are returned again, so they are requested on top. */
  async next(): Promise<{ readonly rows: Row[]; readonly isLast: boolean }> {
    const { maxQty, keyOf } = this.#stream;
    const asked = Math.min(maxQty, this.#qty + this.#seen.size);
    // More rows of one date than a request may return can only be counted.
    const turn = Math.floor(this.#seen.size / maxQty) + this.#emptyTurns;
    const from = this.#fromMs === undefined ? undefined : new Date(this.#fromMs);
    const found = await this.#stream.read(from, asked, turn);
    if (!found.every(isRecord)) throw withoutDate();
    const fresh = found.filter((row) => !this.#seen.has(keyOf(row)));
    const rows = fresh.slice(0, this.#qty);
    this.#remember(rows);
    // A server may return fewer rows than requested, so only a page without a new row is the end.
    const isLast = found.length < asked && fresh.length === 0;
    this.#emptyTurns = rows.length > 0 || isLast ? 0 : this.#emptyTurns + 1;
    const given = this.#toSkip > 0 ? rows.slice(this.#toSkip) : rows;
    this.#toSkip = Math.max(0, this.#toSkip - rows.length);
    return { rows: given, isLast };
  }

  #remember(rows: readonly Row[]): void {
    const last = rows.at(-1);
    if (last === undefined) return;
    const { keyOf, momentOf } = this.#stream;
    const lastMs = momentMs(momentOf(last));
    if (lastMs !== this.#fromMs) this.#seen.clear();
    this.#fromMs = lastMs;
    for (const row of rows) if (momentMs(momentOf(row)) === lastMs) this.#seen.add(keyOf(row));
  }
}

/**
 * Yields page after page by the date of the rows: the next request starts at the date of the last row, and rows already
 * yielded are skipped. Rows inserted or deleted meanwhile shift nothing: a row that exists all the time is yielded once,
 * and so is one inserted after the last date read.
 *
 * Several streams are read one after the other; those that never stop, in turn.
 */
export async function* readWindows<Row>(
  streams: readonly WindowStream<Row>[],
  steps: WindowSteps,
): AsyncGenerator<Row[], void, undefined> {
  const pace = pacer(steps.clock, steps.waitMs, steps.signal);
  const open = streams.map((stream) => new Cursor(stream, steps));
  for (let turn = 0; open.length > 0; turn += 1) {
    const cursor = open[steps.neverStop ? turn % open.length : 0];
    if (cursor === undefined) return;
    await pace();
    const { rows, isLast } = await cursor.next();
    if (rows.length > 0) yield rows;
    if (isLast && !steps.neverStop) open.shift();
  }
}
