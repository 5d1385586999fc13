import { bisector, median, pairs } from "d3-array";
import type { TimeSpan } from "./across.ts";
import { barLayoutOf } from "./bars.ts";
import { layoutOf } from "./chart.ts";
import { fillOf } from "./color.ts";
import { formatNumber, formatTime } from "./format.ts";
import type { Drawn } from "./marks.ts";
import type { Attributes } from "./markup.ts";
import type { DrawData, DrawOptions } from "./options.ts";
import { below } from "./read.ts";
import { type Scene, withUnit } from "./scene.ts";
import type { Series } from "./series.ts";
import { sceneOf } from "./set-scene.ts";
import type { Area } from "./value-axes.ts";

/** What a series shows at a time. */
export interface TimeValue {
  /** Of this series alone. */
  readonly key: string;
  readonly name: string;
  /** As the widget writes it, with its unit. */
  readonly text: string;
  /** Class or fill of its color. */
  readonly look: Attributes;
  /** Where the value is across the axis of times, in pixels of the drawing; undefined for states. */
  readonly place: number | undefined;
}

/** A drawn chart over time: which pixel is which time, and what its series show there. */
export interface TimeReading extends TimeSpan {
  /** Size of the drawing, and the part of it that the axis of times is along. */
  readonly width: number;
  readonly height: number;
  readonly area: Area;
  /** Whether times run down, not to the right. */
  readonly isDown: boolean;
  /** Times with values, rising. */
  readonly times: readonly number[];
  at(ms: number): number;
  timeText(ms: number): string;
  valuesAt(ms: number): readonly TimeValue[];
}

interface Layout {
  readonly area: Area;
  readonly isDown: boolean;
  readonly times: TimeSpan;
  at(ms: number): number;
  readonly drawn: readonly Drawn[];
  readonly states: readonly Series[];
}

function timeLayout(scene: Scene): Layout | undefined {
  if (scene.type === "horizontal_bar_chart") {
    const layout = barLayoutOf(scene);
    if (layout?.across.times === undefined) return undefined;
    const { left, right, top, base, across, drawn } = layout;
    const area = { left, top, width: right - left, height: base - top };
    return { area, isDown: true, times: layout.across.times, at: across.at, drawn, states: [] };
  }
  const layout = layoutOf(scene);
  if (layout?.across.times === undefined) return undefined;
  const { area: upper, rowHeight, rows, across, drawn } = layout;
  const area = { ...upper, height: upper.height + rowHeight * rows.length };
  return { area, isDown: false, times: layout.across.times, at: across.at, drawn, states: rows };
}

const CHARTS: readonly string[] = [
  "line_chart",
  "area_chart",
  "vertical_bar_chart",
  "horizontal_bar_chart",
  "multiple_axis_chart",
];

/** Whether a type may have an axis of times. */
export const isChart = (type: string): boolean => CHARTS.includes(type);

/** Reads a chart that `drawWidget` draws from the same; undefined where it has no axis of times. */
export function readTimes(widget: unknown, data: DrawData, options: DrawOptions): TimeReading | undefined {
  const scene = sceneOf(widget, data, options);
  const layout = isChart(scene.type) ? timeLayout(scene) : undefined;
  if (layout === undefined) return undefined;
  const { drawn, states } = layout;
  const all = [
    ...drawn.map(({ points }) => points),
    ...states.map((each) => each.states.filter(({ text }) => text !== "")),
  ];
  const times = [...new Set(all.flatMap((points) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const span = layout.times.toMs - layout.times.fromMs;
  const readers = [
    ...drawn.map((each) => valueReader(scene, each, span)),
    ...states.map((each) => stateReader(each, layout.times.toMs)),
  ];
  const isFine = (median(pairs(times, (a, b) => b - a)) ?? span) < 60_000;
  return {
    ...layout.times,
    ...{ width: scene.width, height: scene.height, area: layout.area, isDown: layout.isDown, times },
    at: layout.at,
    timeText: (ms) => formatTime(ms, isFine ? "exact" : "full", scene.style),
    valuesAt: (ms) =>
      readers.flatMap((read, i) => {
        const value = read(ms);
        return value === undefined ? [] : { key: String(i), ...value };
      }),
  };
}

const placeOf = bisector(({ x }: { readonly x: number }) => x);

/** The value nearest to a time, where one is near: within one and a half of the usual step. */
function valueReader(scene: Scene, { shown, points, unit, y }: Drawn, span: number) {
  const usual = median(pairs(points, (a, b) => b.x - a.x).filter((step) => step > 0)) ?? span;
  const reach = Math.max(usual * 1.5, span / 200);
  const format = below(shown.settings, "number_format");
  return (ms: number): Omit<TimeValue, "key"> | undefined => {
    const point = points[placeOf.center(points, ms)];
    if (point === undefined || Math.abs(point.x - ms) > reach) return undefined;
    const value = point.to - point.from;
    const text = formatNumber(value, format, scene.style);
    return {
      name: shown.name,
      text: withUnit({ value, number: value, text, unit, timeMs: point.x }),
      look: fillOf(shown.hue),
      place: y(point.to),
    };
  };
}

/** The state at a time; none before the first, or where data is missing. */
function stateReader({ shown, states }: Series, endMs: number) {
  return (ms: number): Omit<TimeValue, "key"> | undefined => {
    const state = states[placeOf.right(states, ms) - 1];
    if (state === undefined || state.text === "" || ms > endMs) return undefined;
    return { name: shown.name, text: state.text, look: fillOf(shown.hue), place: undefined };
  };
}
