import type { ChartValue } from "../../text/draw-chart.ts";
import type { BinRange } from "./bins.ts";
import type { Gap } from "./buffer.ts";

interface Span {
  /** End of the span. */
  readonly nowMs: number;
  readonly spanMs: number;
  readonly gaps: readonly Gap[];
}

/** Longest time between two records that is no interruption. */
const CARRIED_MS = 15_000;

/**
 * The least and the greatest of each part, so that no peak is averaged away. Holes between two records are filled with
 * the last value, as an average is none that was ever sent, but not those of a lost connection.
 */
export function chartValues(ranges: readonly (BinRange | undefined)[], { nowMs, spanMs, gaps }: Span): ChartValue[] {
  const stepMs = spanMs / ranges.length;
  const longest = Math.ceil(CARRIED_MS / stepMs);
  const isLost = (i: number): boolean => {
    const fromMs = nowMs - spanMs + i * stepMs;
    return gaps.some(({ lostAtMs, resumedAtMs }) => lostAtMs < fromMs + stepMs && resumedAtMs > fromMs);
  };
  let before: number | undefined;
  let empty = 0;
  return ranges.map((range, i) => {
    empty = range === undefined ? empty + 1 : 0;
    if (range !== undefined || isLost(i)) before = range?.last;
    if (range !== undefined) return { low: range.min, high: range.max };
    return empty <= longest ? before : undefined;
  });
}
