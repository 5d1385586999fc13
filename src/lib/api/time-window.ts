import { SdkError } from "../core/errors.ts";
import type { Clock } from "../http/retry.ts";
import { pacer } from "./streaming.ts";

/** How a stream finds its next page: by counting rows, or by the moment of the last row. */
export type StreamWindow = "count" | "time";

export interface WindowSteps {
  /** Rows given with each page. */
  readonly qty: number;
  readonly waitMs: number;
  /** Rows to leave out at the start of each stream. @default 0 */
  readonly initialSkip?: number;
  /** Goes on asking after the last page. @default false */
  readonly neverStop?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

export interface WindowStream<Row> {
  /** Rows one request may ask for. */
  readonly maxQty: number;
  /** What tells a row from all others. */
  keyOf(row: Row): unknown;
  /** The moment the rows are ordered by, ascending. */
  momentOf(row: Row): unknown;
  /** Reads page `turn` (from 0) of `qty` rows at or after the moment; from the first row on when there is none. */
  read(from: Date | undefined, qty: number, turn: number): Promise<Row[]>;
}

function momentMs(moment: unknown): number {
  if (moment instanceof Date && !Number.isNaN(moment.getTime())) return moment.getTime();
  throw new SdkError("A row without a moment cannot be read by a time window; read without `window`");
}

/** The place of a stream: the last moment that was given out, and the rows of that moment that were. */
class Place<Row> {
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

  /** Reads the next rows; those given out before come again and are asked for on top. */
  async next(): Promise<{ readonly rows: Row[]; readonly isLast: boolean }> {
    const { maxQty, keyOf } = this.#stream;
    const asked = Math.min(maxQty, this.#qty + this.#seen.size);
    // More rows of one moment than a request may hold can only be counted.
    const turn = Math.floor(this.#seen.size / maxQty) + this.#emptyTurns;
    const from = this.#fromMs === undefined ? undefined : new Date(this.#fromMs);
    const found = await this.#stream.read(from, asked, turn);
    const fresh = found.filter((row) => !this.#seen.has(keyOf(row)));
    const rows = fresh.slice(0, this.#qty);
    this.#remember(rows);
    // A server may give fewer rows than asked for, so only a page without a new row is the end.
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
 * Gives page after page by the moment of the rows: the next request asks for what is not older than the last row, and
 * rows that were given out are left out. Rows inserted or deleted meanwhile move nothing, so a row that is there all
 * the time comes once, and so does one inserted after the last moment that was read.
 *
 * Several streams are read one after the other; those that never stop, in turn.
 */
export async function* readWindows<Row>(
  streams: readonly WindowStream<Row>[],
  steps: WindowSteps,
): AsyncGenerator<Row[], void, undefined> {
  const pace = pacer(steps.clock, steps.waitMs, steps.signal);
  const open = streams.map((stream) => new Place(stream, steps));
  for (let turn = 0; open.length > 0; turn += 1) {
    const place = open[steps.neverStop ? turn % open.length : 0];
    if (place === undefined) return;
    await pace();
    const { rows, isLast } = await place.next();
    if (rows.length > 0) yield rows;
    if (isLast && !steps.neverStop) open.shift();
  }
}
