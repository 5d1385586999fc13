import { range } from "d3-array";
import { type TimeInterval, utcMonth, utcYear } from "d3-time";
import { formatTime, offsetMs, type Style, type TimeParts, timesAt } from "./format.ts";

/** A round time of a time zone. */
export interface TimeTick {
  readonly timeMs: number;
  readonly text: string;
  /** What the text leaves out and the tick before it does not share: the day of an hour, the year of a day or a month. */
  readonly context: string;
}

/** Distance of ticks: on the clock of the zone, where it is written as if it were UTC. */
interface Step {
  readonly ms: number;
  readonly parts: TimeParts;
  readonly context?: TimeParts;
  between(fromMs: number, toMs: number): number[];
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
/** The first Monday of the clock. */
const MONDAY = 4 * DAY;

const even = (ms: number, parts: TimeParts, context: TimeParts, startMs = 0): Step => ({
  ms,
  parts,
  context,
  between: (from, to) => range(Math.ceil((from - startMs) / ms) * ms + startMs, to + 1, ms),
});
const calendar = (interval: TimeInterval | null, ms: number, names: Pick<Step, "parts" | "context">): Step => ({
  ms,
  ...names,
  between: (from, to) => (interval?.range(new Date(from), new Date(to + 1)) ?? []).map(Number),
});

const STEPS: readonly Step[] = [
  ...[1, 2, 5, 10, 20, 50].map((n) => even(n, "milliseconds", "days")),
  ...[100, 200, 500].map((n) => even(n, "tenths", "days")),
  ...[1, 2, 5, 10, 15, 30].map((n) => even(n * SECOND, "seconds", "days")),
  ...[1, 2, 5, 10, 15, 30].map((n) => even(n * MINUTE, "minutes", "days")),
  ...[1, 2, 3, 6, 12].map((n) => even(n * HOUR, "minutes", "days")),
  ...[1, 2].map((n) => even(n * DAY, "days", "years")),
  ...[7, 14].map((n) => even(n * DAY, "days", "years", MONDAY)),
  ...[1, 3, 6].map((n) => calendar(utcMonth.every(n), n * 30 * DAY, { parts: "month", context: "years" })),
  ...[1, 10, 100, 1_000, 10_000, 100_000]
    .flatMap((n) => [n, 2 * n, 5 * n])
    .map((n) => calendar(utcYear.every(n), n * 365 * DAY, { parts: "years" })),
];

/**
 * Round times of a zone between two, as many as fit: whole seconds to years of its calendar, each at its true time. A time that a
 * clock change skips has no tick; one that it repeats has one.
 */
export function timeTicks(
  minMs: number,
  maxMs: number,
  most: number,
  style: Style,
  fits: (ticks: readonly TimeTick[]) => boolean,
): readonly TimeTick[] {
  if (minMs === maxMs) return [tickAt(minMs, { parts: "minutes", context: "date" }, style)];
  const [startMs, endMs] = [minMs + offsetMs(minMs, style), maxMs + offsetMs(maxMs, style)];
  // Put back between the two, the clock has shown times before the first or after the last.
  const change = Math.abs(endMs - maxMs - (startMs - minMs));
  const [fromMs, toMs] = [startMs - change, endMs + change];
  let found: readonly TimeTick[] = [];
  for (const step of STEPS) {
    if ((toMs - fromMs) / step.ms > most) continue;
    const ticks = ticksOf(step.between(fromMs, toMs), step, style).filter(
      ({ timeMs }) => timeMs >= minMs && timeMs <= maxMs,
    );
    // Nothing this round lies between them, and nothing rounder will.
    if (ticks.length === 0) break;
    found = withContext(ticks);
    if (fits(found)) return found;
  }
  return found.slice(0, 1);
}

function ticksOf(wallTimes: readonly number[], step: Step, style: Style): readonly TimeTick[] {
  return wallTimes.flatMap((wallMs) => timesAt(wallMs, step.ms >= DAY, style).map((ms) => tickAt(ms, step, style)));
}

/** Each tick once, and what it shares with the one before it left out. */
function withContext(ticks: readonly TimeTick[]): readonly TimeTick[] {
  const isOther = ({ text, context, timeMs }: TimeTick, i: number): boolean => {
    const last = ticks[i - 1];
    return last === undefined || (timeMs !== last.timeMs && (text !== last.text || context !== last.context));
  };
  const own = ticks.filter(isOther);
  return own.map((tick, i) => (tick.context === own[i - 1]?.context ? { ...tick, context: "" } : tick));
}

const tickAt = (timeMs: number, { parts, context }: Pick<Step, "parts" | "context">, style: Style): TimeTick => ({
  timeMs,
  text: formatTime(timeMs, parts, style),
  context: context === undefined ? "" : formatTime(timeMs, context, style),
});
