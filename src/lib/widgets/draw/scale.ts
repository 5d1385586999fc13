import { nice, tickStep, ticks } from "d3-array";

/** Where values lie on an axis. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** From 0 at `min` to 1 at `max`. */
  readonly part: (value: number) => number;
}

/** A scale over a fixed range. */
export function fixedScale(min: number, max: number, count = 5): Scale {
  const [low, high] = min === max ? [min - 0.5, max + 0.5] : [Math.min(min, max), Math.max(min, max)];
  // Halves, because the difference of two huge numbers may be infinite.
  const part = (value: number): number => {
    const share = (value / 2 - low / 2) / (high / 2 - low / 2);
    return Number.isFinite(share) ? share : 0;
  };
  return { min: low, max: high, ticks: canBeDivided(low, high) ? ticks(low, high, count) : [low, high], part };
}

/** A scale that holds all values and ends at round numbers; with as many steps as another one, where that is given. */
export function niceScale(values: Iterable<number>, hasZero: boolean, count = 5, beside?: Scale): Scale {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) [low, high] = [0, 1];
  if (hasZero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) [low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) * 0.1, high + Math.abs(high) * 0.1];
  if (!canBeDivided(low, high)) return fixedScale(low, high, count);
  const steps = stepsOf(beside);
  if (steps !== undefined) return inSteps(low, high, steps);
  const [start, end] = nice(low, high, count);
  return fixedScale(start, end, count);
}

/** Steps of a scale whose first and last mark are its ends: only then can another one have its marks at the same heights. */
function stepsOf(scale: Scale | undefined): number | undefined {
  const [first, last] = [scale?.ticks[0], scale?.ticks.at(-1)];
  if (scale === undefined || first !== scale.min || last !== scale.max || first === last) return undefined;
  return scale.ticks.length - 1;
}

/** Round ends with exactly this number of round steps between them. */
function inSteps(low: number, high: number, count: number): Scale {
  for (let wanted = count; wanted > count / 50; wanted /= 1.3) {
    const step = tickStep(low, high, wanted);
    const first = Math.floor(low / step);
    if ((first + count) * step < high) continue;
    const marks = Array.from({ length: count + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
    return { ...fixedScale(marks[0] ?? low, marks.at(-1) ?? high), ticks: marks };
  }
  return fixedScale(low, high, count);
}

/** Whether there are numbers between two that a computer can distinguish. */
function canBeDivided(low: number, high: number): boolean {
  const span = high - low;
  return Number.isFinite(span) && span > 1e-300 && span > 1e-12 * Math.max(Math.abs(low), Math.abs(high));
}
