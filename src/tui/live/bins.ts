export interface BinRange {
  readonly min: number;
  readonly average: number;
  readonly max: number;
}

/** Numbers over time in bins of fixed width, a fixed number of them: bounded however much arrives. */
export class Bins {
  readonly #widthMs: number;
  readonly #ids: Float64Array;
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;
  readonly #mins: Float64Array;
  readonly #maxs: Float64Array;

  constructor(widthMs: number, length: number) {
    this.#widthMs = widthMs;
    this.#ids = new Float64Array(length).fill(-1);
    this.#sums = new Float64Array(length);
    this.#counts = new Uint32Array(length);
    this.#mins = new Float64Array(length);
    this.#maxs = new Float64Array(length);
  }

  /** The same numbers, apart from what comes later. */
  copy(): Bins {
    const copy = new Bins(this.#widthMs, this.#ids.length);
    copy.#ids.set(this.#ids);
    copy.#sums.set(this.#sums);
    copy.#counts.set(this.#counts);
    copy.#mins.set(this.#mins);
    copy.#maxs.set(this.#maxs);
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
  }

  /** Averages of `points` equal parts of the last `spanMs`, oldest first; undefined where nothing arrived. */
  averages(nowMs: number, spanMs: number, points: number): (number | undefined)[] {
    const sums = new Float64Array(points);
    const counts = new Uint32Array(points);
    this.#each(nowMs, spanMs, (i, share) => {
      const at = Math.min(points - 1, Math.floor(share * points));
      sums[at] = (sums[at] ?? 0) + (this.#sums[i] ?? 0);
      counts[at] = (counts[at] ?? 0) + (this.#counts[i] ?? 0);
    });
    return Array.from(sums, (sum, i) => ((counts[i] ?? 0) === 0 ? undefined : sum / (counts[i] ?? 1)));
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
    let [min, max, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
    this.#each(nowMs, spanMs, (i) => {
      min = Math.min(min, this.#mins[i] ?? min);
      max = Math.max(max, this.#maxs[i] ?? max);
      sum += this.#sums[i] ?? 0;
      count += this.#counts[i] ?? 0;
    });
    return count === 0 ? undefined : { min, max, average: sum / count };
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
