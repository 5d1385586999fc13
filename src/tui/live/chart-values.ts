import type { Gap } from "./buffer.ts";

interface Span {
  /** End of the span. */
  readonly nowMs: number;
  readonly spanMs: number;
  readonly gaps: readonly Gap[];
}

/** Longest time between two records that is no interruption. */
const CARRIED_MS = 15_000;

/** Values without the holes between two records: the last value is carried over them, but not over a lost connection. */
export function chartValues(
  values: readonly (number | undefined)[],
  { nowMs, spanMs, gaps }: Span,
): (number | undefined)[] {
  const stepMs = spanMs / values.length;
  const longest = Math.ceil(CARRIED_MS / stepMs);
  const isLost = (i: number): boolean => {
    const fromMs = nowMs - spanMs + i * stepMs;
    return gaps.some(({ lostAtMs, resumedAtMs }) => lostAtMs < fromMs + stepMs && resumedAtMs > fromMs);
  };
  let before: number | undefined;
  let empty = 0;
  return values.map((value, i) => {
    empty = value === undefined ? empty + 1 : 0;
    if (value !== undefined || isLost(i)) before = value;
    return value ?? (empty <= longest ? before : undefined);
  });
}
