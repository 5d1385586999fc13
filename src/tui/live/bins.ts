export interface BinRange {
  readonly min: number;
  readonly average: number;
  readonly max: number;
  /** What arrived last. */
  readonly last: number;
}

/** Several bins put together. */
class Tally {
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #count = 0;
  #last = Number.NaN;

  /** Adds a bin that is later than all before it. */
  add(min: number, max: number, sum: number, count: number, last: number): void {
    this.#last = last;
    this.#min = Math.min(this.#min, min);
    this.#max = Math.max(this.#max, max);
    this.#sum += sum;
    this.#count += count;
  }

  range(): BinRange | undefined {
    if (this.#count === 0) return undefined;
    return { min: this.#min, average: this.#sum / this.#count, max: this.#max, last: this.#last };
  }
}

/** Numbers over time in bins of fixed width, a fixed number of them: bounded however much arrives. */
export class Bins {
  readonly #widthMs: number;
  readonly #ids: Float64Array;
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;
  readonly #mins: Float64Array;
  readonly #maxs: Float64Array;
  readonly #lasts: Float64Array;

  constructor(widthMs: number, length: number) {
    this.#widthMs = widthMs;
    this.#ids = new Float64Array(length).fill(-1);
    this.#sums = new Float64Array(length);
    this.#counts = new Uint32Array(length);
    this.#mins = new Float64Array(length);
    this.#maxs = new Float64Array(length);
    this.#lasts = new Float64Array(length);
  }

  /** The same numbers, apart from what comes later. */
  copy(): Bins {
    const copy = new Bins(this.#widthMs, this.#ids.length);
    copy.#ids.set(this.#ids);
    copy.#sums.set(this.#sums);
    copy.#counts.set(this.#counts);
    copy.#mins.set(this.#mins);
    copy.#maxs.set(this.#maxs);
    copy.#lasts.set(this.#lasts);
    return copy;
  }

  add(atMs: number, value: number): void {
    const id = Math.floor(atMs / this.#widthMs);
    const i = id % this.#ids.length;
    if (this.#ids[i] !== id) {
      this.#ids[i] = id;
      this.#sums[i] = 0;
      this.#counts[i] = 0;
      this.#mins[i] = Number.POSITIVE_INFINITY;
      this.#maxs[i] = Number.NEGATIVE_INFINITY;
    }
    this.#sums[i] = (this.#sums[i] ?? 0) + value;
    this.#counts[i] = (this.#counts[i] ?? 0) + 1;
    this.#mins[i] = Math.min(this.#mins[i] ?? value, value);
    this.#maxs[i] = Math.max(this.#maxs[i] ?? value, value);
    this.#lasts[i] = value;
  }

  /** `points` equal parts of the last `spanMs`, oldest first; undefined where nothing arrived. */
  ranges(nowMs: number, spanMs: number, points: number): (BinRange | undefined)[] {
    const parts = Array.from({ length: points }, () => new Tally());
    this.#each(nowMs, spanMs, (i, share) => this.#addTo(parts[Math.min(points - 1, Math.floor(share * points))], i));
    return parts.map((part) => part.range());
  }

  /** Sum of all numbers of the last `spanMs`. */
  total(nowMs: number, spanMs: number): number {
    let sum = 0;
    this.#each(nowMs, spanMs, (i) => {
      sum += this.#sums[i] ?? 0;
    });
    return sum;
  }

  range(nowMs: number, spanMs: number): BinRange | undefined {
    const all = new Tally();
    this.#each(nowMs, spanMs, (i) => this.#addTo(all, i));
    return all.range();
  }

  #addTo(tally: Tally | undefined, i: number): void {
    const [min = 0, max = 0] = [this.#mins[i], this.#maxs[i]];
    tally?.add(min, max, this.#sums[i] ?? 0, this.#counts[i] ?? 0, this.#lasts[i] ?? 0);
  }

  #each(nowMs: number, spanMs: number, use: (i: number, share: number) => void): void {
    const last = Math.floor(nowMs / this.#widthMs);
    const length = Math.min(this.#ids.length, Math.max(1, Math.ceil(spanMs / this.#widthMs)));
    for (let back = length - 1; back >= 0; back -= 1) {
      const id = last - back;
      const i = id % this.#ids.length;
      if (id >= 0 && this.#ids[i] === id) use(i, (length - 1 - back) / length);
    }
  }
}
