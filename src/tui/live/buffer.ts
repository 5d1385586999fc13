import { type BinRange, Bins } from "./bins.ts";
import type { LiveItem, LiveRow } from "./types.ts";

/** Rows kept; older ones leave the view and are counted. */
export const MAX_ROWS = 5_000;
/** Variables whose trend is kept; the ones that were silent longest leave first. */
const MAX_SERIES = 300;
const SECOND_BINS = 300;
const COARSE_MS = 15_000;
const COARSE_BINS = 240;
/** Gaps that charts break at; the oldest leave first. */
const MAX_GAPS = 100;

export interface KeptRow {
  readonly kind: "row";
  readonly id: number;
  readonly series: string;
  readonly row: LiveRow;
}

/** A time without a connection. */
export interface Gap {
  readonly lostAtMs: number;
  readonly resumedAtMs: number;
}

interface KeptGap extends Gap {
  readonly kind: "gap";
  readonly id: number;
}

export type Kept = KeptRow | KeptGap;

/** What is known of one variable of one device. */
export interface Series {
  readonly key: string;
  readonly device: string;
  readonly variable: string;
  last: KeptRow;
  count: number;
  fine: Bins | undefined;
  coarse: Bins | undefined;
}

export interface Counters {
  received: number;
  dropped: number;
  lost: number;
  gaps: number;
}

export const seriesKey = ({ device, variable }: Pick<LiveRow, "device" | "variable">): string =>
  `${device}\u0000${variable}`;

/** Everything a stream brought, as far as it is kept. Its size is bounded. */
export class LiveBuffer {
  readonly counters: Counters = { received: 0, dropped: 0, lost: 0, gaps: 0 };
  readonly series = new Map<string, Series>();
  /** Kept apart from the rows: charts go back further. */
  gaps: readonly Gap[] = [];
  readonly #ring: (Kept | undefined)[] = [];
  readonly #arrivals = new Bins(1_000, 16);
  #firstAtMs = Number.NaN;
  #start = 0;
  #nextId = 0;

  get size(): number {
    return this.#ring.length;
  }

  /** The rows kept, newest first. */
  newestFirst(): Kept[] {
    const rows: Kept[] = [];
    for (let i = this.#ring.length - 1; i >= 0; i -= 1) {
      const row = this.#ring[(this.#start + i) % this.#ring.length];
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  /** The trends as they are now, apart from what comes later. */
  copySeries(): Map<string, Series> {
    return new Map(
      Array.from(this.series, ([key, one]) => [key, { ...one, fine: one.fine?.copy(), coarse: one.coarse?.copy() }]),
    );
  }

  take(item: LiveItem): void {
    if (item.type === "lost") this.counters.lost += item.count;
    if (item.type === "gap") {
      this.counters.gaps += 1;
      const { lostAtMs, resumedAtMs } = item;
      this.gaps = [...this.gaps, { lostAtMs, resumedAtMs }].slice(-MAX_GAPS);
      this.#keep({ kind: "gap", id: this.#id(), lostAtMs, resumedAtMs });
    }
    if (item.type === "rows") for (const row of item.rows) this.#add(row);
  }

  /** Rows per second over the last five seconds, or since the first row. */
  rate(nowMs: number): number {
    const sinceMs = nowMs - this.#firstAtMs;
    if (Number.isNaN(sinceMs)) return 0;
    if (sinceMs < 1_000) return this.counters.received;
    // The running second is not over yet and would count too little.
    const seconds = Math.min(5, Math.floor(sinceMs / 1_000));
    return this.#arrivals.total(nowMs - 1_000, seconds * 1_000) / seconds;
  }

  #id(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  #add(row: LiveRow): void {
    if (Number.isNaN(this.#firstAtMs)) this.#firstAtMs = row.atMs;
    this.counters.received += 1;
    this.#arrivals.add(row.atMs, 1);
    const key = seriesKey(row);
    const kept: KeptRow = { kind: "row", id: this.#id(), series: key, row };
    this.#keep(kept);
    addTo(this.series.get(key) ?? this.#newSeries(kept), kept);
  }

  #newSeries(first: KeptRow): Series {
    if (this.series.size >= MAX_SERIES) {
      const [oldest] = [...this.series.values()].sort((a, b) => a.last.id - b.last.id);
      if (oldest !== undefined) this.series.delete(oldest.key);
    }
    const series = emptySeries(first);
    this.series.set(series.key, series);
    return series;
  }

  #keep(row: Kept): void {
    if (this.#ring.length < MAX_ROWS) {
      this.#ring.push(row);
      return;
    }
    if (this.#ring[this.#start]?.kind === "row") this.counters.dropped += 1;
    this.#ring[this.#start] = row;
    this.#start = (this.#start + 1) % MAX_ROWS;
  }
}

function emptySeries(last: KeptRow): Series {
  const { device, variable } = last.row;
  return { key: last.series, device, variable, last, count: 0, fine: undefined, coarse: undefined };
}

function addTo(series: Series, kept: KeptRow): void {
  const { atMs, number } = kept.row;
  series.last = kept;
  series.count += 1;
  if (number === undefined) return;
  series.fine ??= new Bins(1_000, SECOND_BINS);
  series.coarse ??= new Bins(COARSE_MS, COARSE_BINS);
  series.fine.add(atMs, number);
  series.coarse.add(atMs, number);
}

/** A variable whose trend is not kept any more, from those of its rows that are. */
export function seriesFrom(newestFirst: readonly Kept[], key: string): Series | undefined {
  let series: Series | undefined;
  for (let i = newestFirst.length - 1; i >= 0; i -= 1) {
    const kept = newestFirst[i];
    if (kept?.kind !== "row" || kept.series !== key) continue;
    series ??= emptySeries(kept);
    addTo(series, kept);
  }
  return series;
}

const binsFor = (series: Series, spanMs: number): Bins | undefined =>
  spanMs <= SECOND_BINS * 1_000 ? series.fine : series.coarse;

/** The last `spanMs` in this many parts, oldest first. */
export function rangesOf(series: Series, nowMs: number, spanMs: number, points: number): (BinRange | undefined)[] {
  return binsFor(series, spanMs)?.ranges(nowMs, spanMs, points) ?? Array.from({ length: points }, () => undefined);
}

/** Averages over the last `spanMs`, oldest first. */
export const trendOf = (series: Series, nowMs: number, spanMs: number, points: number): (number | undefined)[] =>
  rangesOf(series, nowMs, spanMs, points).map((range) => range?.average);

export function rangeOf(series: Series, nowMs: number, spanMs: number): BinRange | undefined {
  return binsFor(series, spanMs)?.range(nowMs, spanMs);
}
