import { pairs, quantile } from "d3-array";
import { get, list, record } from "../readers.ts";
import { tickFormat } from "./format.ts";
import { timeFrom } from "./intervals.ts";
import { label, line, roomFor, shorten, TICK, TICK_BELOW, widthOf } from "./markup.ts";
import { textOf } from "./read.ts";
import { timeIn } from "./records.ts";
import { niceScale } from "./scale.ts";
import { type Scene, themeColor } from "./scene.ts";
import type { Plot, Series } from "./series.ts";
import { type TimeTick, timeTicks } from "./time-ticks.ts";

/** The axis of times, numbers or names. */
export interface Across {
  at(x: number): number;
  readonly marks: readonly Mark[];
  /** Pixels from one value to the next, which their bars share. */
  readonly step: number;
  /** The times at both ends, of an axis of times that has a length. */
  readonly times?: TimeSpan;
}

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Mark {
  readonly at: number;
  readonly text: string;
  /** Second line. */
  readonly context: string;
}

/** Where an axis is: it runs to the right, or down with its marks at the left. */
export interface Course {
  readonly start: number;
  readonly length: number;
  readonly isDown: boolean;
}

const GAP = 10;

export function acrossOf(scene: Scene, plot: Plot, course: Course): Across {
  if (plot.axis === "names") return ofNames(plot.names, course);
  return plot.axis === "time" ? ofTimes(scene, plot.series, course) : ofNumbers(scene, plot.series, course);
}

function ofNames(names: readonly string[], { start, length, isDown }: Course): Across {
  const step = length / Math.max(1, names.length);
  const at = (x: number): number => start + (x + 0.5) * step;
  const longest = Math.max(20, ...names.slice(0, 200).map((name) => widthOf(shorten(name, 110, 11), 11) + 10));
  const every = Math.max(1, Math.ceil((isDown ? 14 : Math.min(110, longest)) / step));
  const most = isDown ? 110 : Math.max(step * every - 6, 16);
  const marks = names.flatMap((name, i) =>
    i % every === 0 ? [{ at: at(i), text: shorten(name, most, 11), context: "" }] : [],
  );
  return { at, marks, step };
}

const endsOf = (series: readonly Series[]): number[] =>
  series.flatMap(({ points, states }) => [...points.slice(0, 1), ...points.slice(-1), ...states].map(({ x }) => x));

function ofNumbers({ style }: Scene, series: readonly Series[], { start, length, isDown }: Course): Across {
  const scale = niceScale(endsOf(series), false, Math.max(2, Math.floor(length / (isDown ? 24 : 60))));
  const at = (x: number): number => start + length * scale.part(x);
  const text = tickFormat(scale.ticks, {}, style);
  const marks = scale.ticks.map((tick) => ({ at: at(tick), text: text(tick), context: "" }));
  return { at, marks, step: length };
}

function ofTimes(scene: Scene, series: readonly Series[], course: Course): Across {
  const { start, length, isDown } = course;
  const ends = endsOf(series);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const period = periodOf(scene);
  // A single bar has no distance to others: it takes a small part of the period.
  const stepMs = barStep(series) ?? ((period.endMs ?? last) - (period.startMs ?? first)) / 12;
  // Bars stand at the middle of their step.
  const low = Math.min(first - stepMs / 2, period.startMs ?? first);
  const high = Math.max(last + stepMs / 2, period.endMs ?? last);
  const at = (x: number): number => (high === low ? start + length / 2 : start + ((x - low) / (high - low)) * length);
  const markOf = ({ timeMs, text, context }: TimeTick): Mark => ({
    at: at(timeMs),
    ...(isDown && context !== "" ? { text: joined(text, context), context: "" } : { text, context }),
  });
  const fits = (ticks: readonly TimeTick[]): boolean => areApart(ticks.map(markOf), isDown, scene.width);
  const marks = timeTicks(low, high, length / (isDown ? 12 : 20), scene.style, fits).map(markOf);
  if (high === low) return { at, marks, step: length };
  const step = stepMs === 0 ? length : (stepMs / (high - low)) * length;
  return { at, marks, step, times: { fromMs: low, toMs: high } };
}

/** Hours have the day before them, days and months the year after them. */
const joined = (text: string, context: string): string =>
  text.includes(":") ? `${context}, ${text}` : `${text} ${context}`;

/** Milliseconds that a bar stands for: the distance of near ones; 0 without bars, and undefined where there is only one. */
function barStep(series: readonly Series[]): number | undefined {
  if (series.every(({ kind }) => kind !== "bar")) return 0;
  const steps = series.flatMap(({ kind, points }) => {
    const own = pairs(points, (a, b) => b.x - a.x).filter((step) => step > 0);
    return kind === "bar" ? (quantile(own, 0.1) ?? []) : [];
  });
  return steps.length === 0 ? undefined : Math.min(...steps);
}

function areApart(marks: readonly Mark[], isDown: boolean, width: number): boolean {
  if (isDown) return marks.every(({ at }, i) => i === 0 || at - (marks[i - 1]?.at ?? 0) >= 15);
  return (["text", "context"] as const).every((key) => {
    let end = Number.NEGATIVE_INFINITY;
    return marks.every((mark) => {
      if (mark[key] === "") return true;
      const [size, x] = [roomFor(mark[key]), kept(mark, width)];
      const isFree = x - size / 2 >= end + GAP;
      end = x + size / 2;
      return isFree;
    });
  });
}

/** The middle of a label that is moved to where it is not cut. */
function kept({ at, text, context }: Mark, width: number): number {
  const half = Math.max(roomFor(text), roomFor(context)) / 2 + 2;
  return Math.max(half, Math.min(width - half, at));
}

/** The dates that the data entries of the widget ask for. */
function periodOf({ widget, nowMs }: Scene): {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
} {
  const entries = list(get(widget, "data")).slice(0, 100).map(record);
  const dates = (key: string, direction: -1 | 1): readonly number[] =>
    entries.flatMap((entry) => timeIn(get(entry, key)) ?? timeFrom(nowMs, textOf(entry, key), direction) ?? []);
  const [starts, ends] = [dates("start_date", -1), dates("end_date", 1)];
  if (starts.length === 0) return { startMs: undefined, endMs: undefined };
  const startMs = Math.min(...starts);
  return { startMs, endMs: ends.length > 0 ? Math.max(...ends) : Math.max(startMs, nowMs) };
}

/** The marks of an axis that runs to the right, below a drawing. */
export function marksBelow(scene: Scene, { marks }: Across, base: number): string {
  const fill = themeColor(scene, "label");
  return marks
    .map((mark) => {
      const x = kept(mark, scene.width);
      return (
        line(mark.at, base, mark.at, base + 4, { class: "iot-rule" }) +
        label(x, base + 16, mark.text, { ...TICK_BELOW, fill }) +
        label(x, base + 29, mark.context, { ...TICK_BELOW, fill })
      );
    })
    .join("");
}

/** The marks of an axis that runs down, at the left. */
export const marksBeside = (scene: Scene, { marks }: Across, left: number): string =>
  marks
    .map(({ at, text }) =>
      label(left - 8, at + 4, text, { ...TICK, anchor: "end", fill: themeColor(scene, "label"), max: left - 10 }),
    )
    .join("");

/** Height of the marks below. */
export const heightBelow = ({ marks }: Across): number => (marks.some(({ context }) => context !== "") ? 38 : 24);
