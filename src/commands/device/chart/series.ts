/** Records of one stretch of time, put together. */
export interface Bin {
  readonly fromMs: number;
  readonly low: number;
  readonly high: number;
  readonly mean: number;
  readonly records: number;
}

/** The numbers of one variable over a range, in as many bins as can be shown. Memory does not grow with the records. */
export class Series {
  readonly variable: string;
  unit = "";
  records = 0;
  /** Records that are no numbers. */
  others = 0;
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  last: number | undefined;
  readonly #fromMs: number;
  readonly #binMs: number;
  readonly #bins: { low: number; high: number; sum: number; records: number }[];

  constructor(variable: string, range: { readonly fromMs: number; readonly toMs: number }, bins: number) {
    this.variable = variable;
    this.#fromMs = range.fromMs;
    this.#binMs = Math.max(1, range.toMs - range.fromMs) / bins;
    this.#bins = Array.from({ length: bins }, () => ({ low: 0, high: 0, sum: 0, records: 0 }));
  }

  add(timeMs: number, value: unknown, unit: string | undefined): void {
    const number = typeof value === "boolean" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) {
      this.others += 1;
      return;
    }
    const at = Math.floor((timeMs - this.#fromMs) / this.#binMs);
    const bin = this.#bins[Math.max(0, Math.min(this.#bins.length - 1, at))];
    if (bin === undefined) return;
    bin.low = bin.records === 0 ? number : Math.min(bin.low, number);
    bin.high = bin.records === 0 ? number : Math.max(bin.high, number);
    bin.sum += number;
    bin.records += 1;
    this.records += 1;
    this.low = Math.min(this.low, number);
    this.high = Math.max(this.high, number);
    this.last = number;
    if (unit !== undefined) this.unit = unit;
  }

  get mean(): number {
    return this.#bins.reduce((sum, bin) => sum + bin.sum, 0) / this.records;
  }

  /** One entry per bin; nothing where no record was. */
  bins(): (Bin | undefined)[] {
    return this.#bins.map(({ low, high, sum, records }, i) =>
      records === 0 ? undefined : { fromMs: this.#fromMs + i * this.#binMs, low, high, mean: sum / records, records },
    );
  }

  /**
   * The bins as a line: a gap between two values that is no longer than what is usual between them is bridged, so that
   * a device that sends every ten minutes has a line and not dots.
   */
  line(): (Bin | undefined)[] {
    const bins = this.bins();
    const filled = bins.flatMap((bin, i) => (bin === undefined ? [] : [i]));
    const gaps = filled.slice(1).map((at, i) => at - (filled[i] ?? 0));
    const usual = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 1;
    filled.slice(1).forEach((to, i) => {
      const from = filled[i] ?? 0;
      if (to - from > usual * 2) return;
      for (let at = from + 1; at < to; at += 1) bins[at] = between(bins[from], bins[to], (at - from) / (to - from));
    });
    return bins;
  }
}

function between(from: Bin | undefined, to: Bin | undefined, share: number): Bin | undefined {
  if (from === undefined || to === undefined) return undefined;
  const mean = from.mean + (to.mean - from.mean) * share;
  return { fromMs: from.fromMs + (to.fromMs - from.fromMs) * share, low: mean, high: mean, mean, records: 0 };
}
