import { area as areaShape, curveLinear, curveMonotoneX, line as lineShape } from "d3-shape";

import type { Across } from "./across.ts";
import { fillOf, strokeOf } from "./color.ts";
import { formatNumber } from "./format.ts";
import { circle, label, line, path, rect, shorten, TICK, widthOf } from "./markup.ts";
import { below, textOf } from "./read.ts";
import type { Scene } from "./scene.ts";
import { type Series, type Span, thinnedWithGaps } from "./series.ts";
import { type Area, referencesOf } from "./value-axes.ts";

/** A series with the scale of its axis. */
export type Drawn = Series & { readonly y: (value: number) => number };

/** A bar: where it is across the axis, and how far it reaches along the values. */
export interface Bar {
  readonly series: Drawn;
  readonly value: number;
  readonly start: number;
  readonly size: number;
  readonly from: number;
  readonly to: number;
}

/** Bars next to each other, or on top of each other, in the room they share: at least a pixel wide. */
export function barsOf(drawn: readonly Drawn[], across: Across, isStacked: boolean): readonly Bar[] {
  const bars = drawn.filter(({ kind }) => kind === "bar");
  const places = new Set(bars.flatMap(({ points }) => points.map(({ x }) => x)));
  const isAlone = isStacked || (bars.every(({ points }) => points.length <= 1) && places.size === bars.length);
  const room = Math.min(60, across.step * 0.72);
  const size = Math.max(1, isAlone ? room : room / bars.length);
  return bars.flatMap((series, i) =>
    series.points.map(({ x, from, to }) => {
      const start = across.at(x) - (isAlone ? size / 2 : (bars.length / 2 - i) * size);
      return { series, value: to - from, start, size, from: series.y(from), to: series.y(to) };
    }),
  );
}

/** The rectangle of a bar, with a gap beside it where there is room. */
export function barShape({ series, start, size, from, to }: Bar, isStacked: boolean, isDown: boolean): string {
  const [least, length] = [Math.min(from, to), Math.max(0.75, Math.abs(from - to))];
  const [place, wide] = size > 6 ? [start + 0.5, size - 1] : [start, size];
  const look = { ...fillOf(series.shown.hue), rx: isStacked || size < 3 ? undefined : Math.min(3, size / 4) };
  return isDown ? rect(least, place, length, wide, look) : rect(place, least, wide, length, look);
}

const curveOf = (isSmooth: boolean) => (isSmooth ? curveMonotoneX : curveLinear);
const isThere = ({ to }: Span): boolean => Number.isFinite(to);

/** Path data of a line through points in pixels, open where there is a hole. */
export const linePath = (spots: readonly Span[], isSmooth: boolean): string =>
  lineShape<Span>(
    ({ x }) => x,
    ({ to }) => to,
  )
    .defined(isThere)
    .curve(curveOf(isSmooth))
    .digits(2)([...spots]) ?? "";

/** Path data of the surface between the points and their bases. */
export const areaPath = (spots: readonly Span[], isSmooth: boolean): string =>
  areaShape<Span>(
    ({ x }) => x,
    ({ from }) => from,
    ({ to }) => to,
  )
    .defined(isThere)
    .curve(curveOf(isSmooth))
    .digits(2)([...spots]) ?? "";

/** A line or an area, open where data is missing. */
export function strokes(scene: Scene, { shown, kind, points, y }: Drawn, across: Across, hasGaps: boolean): string {
  if (kind === "bar" || points.length === 0) return "";
  const most = Math.max(50, scene.width);
  const kept = hasGaps ? thinnedWithGaps(points, most) : points;
  const spots = kept.map((point) =>
    isThere(point) ? { x: across.at(point.x), from: y(point.from), to: y(point.to) } : GAP,
  );
  const isSmooth = textOf(scene.d, "line_curve") === "smooth" && spots.length <= 300;
  const isFew = points.length <= 40;
  // A point between two holes is no line: its dot shows it.
  const dots = spots.filter(
    (spot, i) => isThere(spot) && (isFew || !(isThere(spots[i - 1] ?? GAP) || isThere(spots[i + 1] ?? GAP))),
  );
  const surface =
    kind === "area" ? path(areaPath(spots, isSmooth), { ...fillOf(shown.hue), "fill-opacity": 0.22 }) : "";
  const stroke = path(linePath(spots, isSmooth), {
    ...strokeOf(shown.hue),
    fill: "none",
    "stroke-width": 2,
    "stroke-linejoin": "round",
    "stroke-linecap": "round",
  });
  return (
    surface + stroke + dots.map(({ x, to }) => circle(x, to, spots.length === 1 ? 4 : 2.5, fillOf(shown.hue))).join("")
  );
}

const GAP: Span = { x: 0, from: Number.NaN, to: Number.NaN };

/** The states of a variable as a band: each until the next one, and none where data is missing. */
export function stateBand(
  { states }: Series,
  across: Across,
  placeOf: (state: string) => number,
  { left, top, width, height }: Area,
): string {
  let end = left - 1;
  return states
    .map(({ x, text }, i) => {
      const start = Math.max(left, across.at(x));
      const next = states[i + 1];
      const to = Math.min(left + width, next === undefined ? start + 2 : across.at(next.x));
      if (text === "") return "";
      // Of many in one pixel the first is seen; the last of all repeats the one before it.
      if (to - end < 0.5 || (i > 0 && next === undefined && text === states[i - 1]?.text)) return "";
      end = to;
      const room = to - start - 8;
      const hue = fillOf({ own: undefined, place: placeOf(text) });
      return (
        rect(start, top, to - start, height, { ...hue, "fill-opacity": 0.4 }) +
        (room < Math.min(30, widthOf(text, 11)) || height < 12
          ? ""
          : label((start + to) / 2, top + height / 2 + 4, shorten(text, room, 11), { size: 11, anchor: "middle" }))
      );
    })
    .join("");
}

/** The stroke of a reference line. */
export const referenceStroke = (color: string | undefined) => ({
  ...(color === undefined ? { class: "iot-rule" } : { stroke: color }),
  "stroke-dasharray": "5 4",
  "stroke-width": 1.5,
});

export function references(scene: Scene, area: Area, y: (value: number) => number): string {
  return referencesOf(scene)
    .map(({ value, name, color }) => {
      const height = y(value);
      if (height < area.top || height > area.top + area.height) return "";
      return (
        line(area.left, height, area.left + area.width, height, referenceStroke(color)) +
        label(area.left + area.width - 4, height - 4, name, { ...TICK, anchor: "end", max: 140 })
      );
    })
    .join("");
}

export function pointValues(scene: Scene, drawn: readonly Drawn[], area: Area, across: Across): string {
  const total = drawn.reduce((sum, { points }) => sum + points.length, 0);
  if (total > area.width / 14) return "";
  return drawn
    .flatMap(({ shown, points, y }) =>
      points.map(({ x, from, to }) =>
        label(
          across.at(x),
          Math.max(area.top + 2, y(to) - 7),
          formatNumber(to - from, below(shown.settings, "number_format"), scene.style),
          { size: 10, soft: true, anchor: "middle" },
        ),
      ),
    )
    .join("");
}
