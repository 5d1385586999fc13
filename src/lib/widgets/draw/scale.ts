import { formatTime, offsetMs, type Style } from "./format.ts";

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
  const step = niceStep(high / count - low / count);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && ticks.length < 50; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  // Halves, because the difference of two huge numbers may be infinite.
  const part = (value: number): number => {
    const share = (value / 2 - low / 2) / (high / 2 - low / 2);
    return Number.isFinite(share) ? share : 0;
  };
  return { min: low, max: high, ticks, part };
}

/** A scale that holds all values and ends at round numbers. */
export function niceScale(values: Iterable<number>, hasZero: boolean, count = 5): Scale {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) [low, high] = [0, 1];
  if (hasZero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) [low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) * 0.1, high + Math.abs(high) * 0.1];
  const step = niceStep(high / count - low / count);
  const [start, end] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
  return Number.isFinite(end / 2 - start / 2) ? fixedScale(start, end, count) : fixedScale(low, high, count);
}

function niceStep(rough: number): number {
  if (!(rough > 0) || !Number.isFinite(rough)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  if (power === 0) return rough;
  const share = rough / power;
  return (share <= 1.001 ? 1 : share <= 2.001 ? 2 : share <= 5.001 ? 5 : 10) * power;
}

export interface TimeTick {
  readonly timeMs: number;
  readonly text: string;
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const STEPS = [
  ...[1, 5, 15, 30].map((n) => n * SECOND),
  ...[1, 5, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 5, 10, 30, 91, 182, 365].map((n) => n * DAY),
];

/** Round times of a time zone between two, `count` at most. */
export function timeTicks(minMs: number, maxMs: number, count: number, style: Style): readonly TimeTick[] {
  const span = maxMs - minMs;
  const step = STEPS.find((each) => span / each <= count) ?? Math.ceil(span / count / (365 * DAY)) * 365 * DAY;
  const shift = offsetMs(minMs, style);
  const ticks: TimeTick[] = [];
  for (let i = Math.ceil((minMs + shift) / step); i * step - shift <= maxMs && ticks.length <= count; i++) {
    const timeMs = i * step - shift;
    ticks.push({ timeMs, text: tickText(timeMs, i * step, step, style) });
  }
  return ticks;
}

function tickText(ms: number, localMs: number, step: number, style: Style): string {
  if (step >= 365 * DAY) return formatTime(ms, "years", style);
  if (step >= 30 * DAY) return formatTime(ms, "months", style);
  if (step >= DAY || localMs % DAY === 0) return formatTime(ms, "days", style);
  return formatTime(ms, step < MINUTE ? "seconds" : "minutes", style);
}
