import { get, list, record } from "../readers.ts";
import { chosenColor, fillOf, strokeOf } from "./color.ts";
import { formatNumber } from "./format.ts";
import { at, circle, label, line, path, rect, TICK } from "./markup.ts";
import { below, numberIn, textOf } from "./read.ts";
import type { Scene } from "./scene.ts";
import type { Series, XY } from "./series.ts";

/** Where the points go. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A series with its scales. */
export type Drawn = Series & { readonly y: (value: number) => number; at(x: number): number };

export function barsOf(
  drawn: readonly Drawn[],
  bands: readonly string[] | undefined,
  isStacked: boolean,
  zero: number,
): string {
  const bars = drawn.filter(({ kind }) => kind === "bar");
  const first = bars[0];
  if (first === undefined || bands === undefined) return "";
  const step = first.at(1) - first.at(0);
  const onlyOne = isStacked || bars.every(({ points }) => points.length <= 1 && bands.length > 1);
  const size = Math.min(60, Math.max(1, (step * 0.72) / (onlyOne ? 1 : bars.length)));
  const tops = new Map<number, number>();
  return bars
    .flatMap((each, i) =>
      each.points.map(({ x, y }) => {
        const key = y < 0 ? -x - 1 : x;
        const from = isStacked ? (tops.get(key) ?? 0) : 0;
        tops.set(key, from + y);
        const [a, b] = [isStacked ? each.y(from) : each.y === drawn[0]?.y ? zero : each.y(0), each.y(from + y)];
        const left = each.at(x) + (onlyOne ? -size / 2 : (i - bars.length / 2) * size);
        return rect(
          left + (size > 6 ? 0.5 : 0),
          Math.min(a, b),
          size > 6 ? size - 1 : size,
          Math.max(0.75, Math.abs(a - b)),
          {
            ...fillOf(each.shown.hue),
            rx: isStacked ? 0 : Math.min(3, size / 4),
          },
        );
      }),
    )
    .join("");
}

export function strokes(scene: Scene, { shown, kind, points, y, at: x }: Drawn, area: Area): string {
  if (kind === "bar" || points.length === 0) return "";
  const spots = points.map((point) => ({ x: x(point.x), y: y(point.y) }));
  const isSmooth = textOf(scene.d, "line_curve") === "smooth" && spots.length <= 300;
  const d = isSmooth ? smooth(spots) : spots.map((spot, i) => `${i === 0 ? "M" : "L"}${at(spot.x, spot.y)}`).join("");
  const [first, last] = [spots[0], spots.at(-1)];
  const floor = Math.min(Math.max(y(0), area.top), area.top + area.height);
  const surface =
    kind === "area" && first && last
      ? path(`${d}L${at(last.x, floor)}L${at(first.x, floor)}Z`, { ...fillOf(shown.hue), "fill-opacity": 0.22 })
      : "";
  const dots =
    spots.length > 40
      ? []
      : spots.map((spot) => circle(spot.x, spot.y, spots.length === 1 ? 4 : 2.5, fillOf(shown.hue)));
  const stroke = path(d, {
    ...strokeOf(shown.hue),
    fill: "none",
    "stroke-width": 2,
    "stroke-linejoin": "round",
    "stroke-linecap": "round",
  });
  return surface + stroke + dots.join("");
}

/** A curve through all points that never leaves the range of its neighbours. */
export function smooth(spots: readonly XY[]): string {
  const slope = (i: number): number => {
    const [a, b] = [spots[i], spots[i + 1]];
    return a && b && b.x !== a.x ? (b.y - a.y) / (b.x - a.x) : 0;
  };
  const tangent = (i: number): number => {
    if (i === 0) return slope(0);
    if (i >= spots.length - 1) return slope(spots.length - 2);
    const [before, after] = [slope(i - 1), slope(i)];
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  };
  return spots
    .map((spot, i) => {
      const last = spots[i - 1];
      if (last === undefined) return `M${at(spot.x, spot.y)}`;
      const third = (spot.x - last.x) / 3;
      return `C${at(last.x + third, last.y + third * tangent(i - 1))} ${at(spot.x - third, spot.y - third * tangent(i))} ${at(spot.x, spot.y)}`;
    })
    .join("");
}

export function references(scene: Scene, area: Area, y: (value: number) => number): string {
  return list(get(scene.d, "reference_lines"))
    .slice(0, 20)
    .map(record)
    .map((each) => {
      const value = numberIn(get(each, "value"));
      if (value === undefined) return "";
      const height = y(value);
      if (height < area.top || height > area.top + area.height) return "";
      const color = chosenColor(get(each, "color"), value);
      return (
        line(area.left, height, area.left + area.width, height, {
          ...(color === undefined ? { class: "iot-rule" } : { stroke: color }),
          "stroke-dasharray": "5 4",
          "stroke-width": 1.5,
        }) +
        label(area.left + area.width - 4, height - 4, textOf(each, "label", "name"), {
          ...TICK,
          anchor: "end",
          max: 140,
        })
      );
    })
    .join("");
}

export function pointValues(scene: Scene, drawn: readonly Drawn[], area: Area): string {
  const total = drawn.reduce((sum, { points }) => sum + points.length, 0);
  if (total > area.width / 14) return "";
  return drawn
    .flatMap(({ shown, points, y, at: x }) => {
      const format = below(shown.settings, "number_format");
      return points.map((point) =>
        label(x(point.x), Math.max(area.top + 2, y(point.y) - 7), formatNumber(point.y, format, scene.style), {
          size: 10,
          soft: true,
          anchor: "middle",
        }),
      );
    })
    .join("");
}
