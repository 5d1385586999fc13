/** A stretch of time that one file holds, in UTC. */
export type Split = "day" | "month";

/** First timestamp after the day or month that holds `ms`. */
export function periodEnd(split: Split, ms: number): number {
  const date = new Date(periodStart(split, ms));
  if (split === "day") date.setUTCDate(date.getUTCDate() + 1);
  else date.setUTCMonth(date.getUTCMonth() + 1);
  return date.getTime();
}

export function periodStart(split: Split, ms: number): number {
  const date = new Date(ms);
  date.setUTCHours(0, 0, 0, 0);
  if (split === "month") date.setUTCDate(1);
  return date.getTime();
}

/** Starts of the periods of a range, both ends included. */
export function* periodsBetween(split: Split, fromMs: number, toMs: number): Generator<number, void, undefined> {
  for (let atMs = periodStart(split, fromMs); atMs <= toMs; atMs = periodEnd(split, atMs)) yield atMs;
}

/** The part of a range that is in a period. */
export function periodRange(
  split: Split,
  periodMs: number,
  { fromMs = periodMs, toMs }: { readonly fromMs: number | undefined; readonly toMs: number },
): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: Math.max(fromMs, periodMs), toMs: Math.min(toMs, periodEnd(split, periodMs) - 1) };
}

/** `2026-01` or `2026-01-31`. */
export function periodName(split: Split, ms: number): string {
  return new Date(ms).toISOString().slice(0, split === "day" ? 10 : 7);
}

/** `data.csv` becomes `data-2026-01.csv`. */
export function nameWithPeriod(path: string, period: string): string {
  const dot = path.lastIndexOf(".");
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return dot > slash + 1 ? `${path.slice(0, dot)}-${period}${path.slice(dot)}` : `${path}-${period}`;
}
