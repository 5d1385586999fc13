import { get } from "../readers.ts";
import { strokeOf } from "./color.ts";
import { formatNumber, formatTime, shortNumber } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { legend } from "./legend.ts";
import { type Area, barsOf, pointValues, references, strokes } from "./marks.ts";
import { label, line, shorten, TICK, TICK_BELOW, tag, widthOf } from "./markup.ts";
import { below, numberIn } from "./read.ts";
import { fixedScale, niceScale, type Scale, timeTicks } from "./scale.ts";
import { type Draw, lastReading, type Scene, themeColor, withUnit } from "./scene.ts";
import { type Plot, plotOf, type Series, thinned } from "./series.ts";

/** The vertical scale of a chart: fixed ends as the widget says, else round numbers around the values. */
export function valueScale(scene: Scene, values: readonly number[], hasZero: boolean, count: number): Scale {
  const scale = below(below(scene.d, "y_axis"), "scale");
  const isFixed = get(scale, "type") === "fixed";
  const [min, max] = [numberIn(get(scale, "minimum")), numberIn(get(scale, "maximum"))];
  if (!isFixed || (min === undefined && max === undefined)) return niceScale(values, hasZero, count);
  const free = niceScale(values, hasZero, count);
  return fixedScale(min ?? Math.min(free.min, max ?? 0), max ?? Math.max(free.max, min ?? 0), count);
}

export function tickText(scene: Scene, value: number): string {
  const isShort = get(below(scene.d, "y_axis"), "show_metric_abbreviation") === true;
  return isShort || Math.abs(value) >= 1e6 ? shortNumber(value, scene.style) : formatNumber(value, {}, scene.style);
}

/** Lines, areas and upright bars, with one vertical axis or several. */
export const chart: Draw = (scene) => {
  const found = plotOf(scene);
  if (found.series.every(({ points }) => points.length === 0)) return noData(scene);
  const plot = found.series.some(({ kind }) => kind === "bar") ? inBands(scene, found) : thin(scene, found);
  const { d, width, height } = scene;
  const { series, bands, note } = plot;
  const key = get(d, "show_legend") === false ? [] : series.map(({ shown }) => ({ name: shown.name, hue: shown.hue }));
  const bottom = legend(key, width);
  const tickCount = height < 180 ? 3 : 5;
  const isMany = scene.type === "multiple_axis_chart" && series.length > 1;
  const isStacked = get(d, "stacked") === true;
  const scales = isMany
    ? series.map((each) =>
        valueScale(
          scene,
          each.points.map(({ y }) => y),
          each.kind !== "line",
          tickCount,
        ),
      )
    : [
        valueScale(
          scene,
          sums(series, isStacked),
          series.some(({ kind }) => kind !== "line"),
          tickCount,
        ),
      ];
  const axes = scales.slice(0, MAX_AXES).map((scale) => axisWidth(scene, scale));
  const left = (axes[0] ?? 40) + 4;
  const right = Math.max(
    16,
    axes.slice(1).reduce((sum, each) => sum + each + 6, 0),
  );
  const area: Area = { left, top: 14, width: width - left - right, height: height - 14 - 26 - bottom.height };
  const x = xScale(scene, plot, area, bands);
  const drawn = series.map((each, i) => ({ ...each, y: yOf(area, scales[isMany ? i : 0]), ...x }));
  const clipped = tag(
    "svg",
    {
      x: area.left,
      y: area.top - 6,
      width: area.width,
      height: area.height + 7,
      viewBox: `${area.left} ${area.top - 6} ${area.width} ${area.height + 7}`,
    },
    barsOf(drawn, bands, isStacked, yOf(area, scales[0])(0)),
    ...drawn.map((each) => strokes(scene, each, area)),
  );
  return canvas(
    scene,
    describe(scene, series),
    grid(scene, scales[0], area),
    ...(isMany ? sideAxes(scene, series, scales, axes, area) : []),
    x.ticks,
    clipped,
    references(scene, area, yOf(area, scales[0])),
    get(d, "show_point_values") === true ? pointValues(scene, drawn, area) : "",
    label(area.left + area.width, 10, note, { ...TICK, anchor: "end" }),
    bottom.at(height - bottom.height + 2),
  );
};

const MAX_AXES = 4;

/** A plot whose points lie in a number of bands, or on a continuous axis. */
interface Banded extends Plot {
  readonly bands: readonly string[] | undefined;
  readonly note: string;
}

function thin({ width }: Scene, plot: Plot): Banded {
  const bands = plot.axis === "names" ? plot.names : undefined;
  const most = Math.max(50, width);
  return {
    ...plot,
    bands,
    note: "",
    series: plot.series.map((each) => ({ ...each, points: thinned(each.points, most) })),
  };
}

/** Every x in a band of its own; only the last ones that have room. */
export function inBands(scene: Scene, plot: Plot, room = Math.floor(scene.width / 9)): Banded {
  const { series } = plot;
  if (plot.axis !== "names" && series.length > 1 && series.every(({ points }) => points.length <= 1)) {
    // Only last values: they have different times and belong next to each other.
    const points = series.map((each, i) => ({ ...each, points: each.points.map(({ y }) => ({ x: i, y })) }));
    return { ...plot, series: points, axis: "names", bands: series.map(({ shown }) => shown.name), note: "" };
  }
  const all = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const most = Math.max(4, Math.floor(room / Math.max(1, series.filter(({ kind }) => kind === "bar").length)));
  const kept = all.slice(-most);
  const places = new Map(kept.map((x, i) => [x, i]));
  const nameOf = bandName(scene, plot, kept);
  return {
    ...plot,
    bands: kept.map(nameOf),
    note: all.length > kept.length ? `last ${kept.length} of ${all.length}` : "",
    series: series.map((each) => ({
      ...each,
      points: each.points.flatMap(({ x, y }) => {
        const place = places.get(x);
        return place === undefined ? [] : [{ x: place, y }];
      }),
    })),
  };
}

function bandName({ style }: Scene, { axis, names }: Plot, kept: readonly number[]): (x: number) => string {
  if (axis === "names") return (x) => names[x] ?? "";
  if (axis === "number") return (x) => formatNumber(x, {}, style);
  const span = (kept.at(-1) ?? 0) - (kept[0] ?? 0);
  const step = span / Math.max(1, kept.length - 1);
  return (x) =>
    formatTime(x, step >= 80_000_000 ? "days" : step >= 60_000 || step === 0 ? "minutes" : "seconds", style);
}

/** All values of the axis; of stacked bars the sums of each band. */
export function sums(series: readonly Series[], isStacked: boolean): readonly number[] {
  const values = series.flatMap(({ points }) => points.map(({ y }) => y));
  if (!isStacked) return values;
  const [above, beneath] = [new Map<number, number>(), new Map<number, number>()];
  for (const { kind, points } of series) {
    if (kind !== "bar") continue;
    for (const { x, y } of points) {
      const side = y < 0 ? beneath : above;
      side.set(x, (side.get(x) ?? 0) + y);
    }
  }
  const lines = series.filter(({ kind }) => kind !== "bar").flatMap(({ points }) => points.map(({ y }) => y));
  return [...lines, ...above.values(), ...beneath.values()];
}

const axisWidth = (scene: Scene, scale: Scale): number =>
  Math.min(90, Math.max(24, ...scale.ticks.map((tick) => widthOf(tickText(scene, tick), 11) + 12)));

const yOf =
  (area: Area, scale: Scale | undefined) =>
  (value: number): number => {
    const part = scale?.part(value) ?? 0;
    return area.top + area.height * (1 - Math.max(-1, Math.min(2, part)));
  };

function grid(scene: Scene, scale: Scale | undefined, area: Area): string {
  const fill = themeColor(scene, "tick");
  const y = yOf(area, scale);
  return (scale?.ticks ?? [])
    .map(
      (tick) =>
        line(area.left, y(tick), area.left + area.width, y(tick)) +
        label(area.left - 8, y(tick) + 4, tickText(scene, tick), { ...TICK, anchor: "end", fill, max: area.left - 8 }),
    )
    .join("");
}

/** The axes after the first, at the right; each in the colour of its series. */
function sideAxes(
  scene: Scene,
  series: readonly Series[],
  scales: readonly Scale[],
  axes: readonly number[],
  area: Area,
): readonly string[] {
  let x = area.left + area.width;
  const first = series[0];
  const mark =
    first === undefined
      ? ""
      : line(area.left, area.top, area.left, area.top + area.height, {
          ...strokeOf(first.shown.hue),
          "stroke-width": 2,
        });
  return [
    mark,
    ...scales.slice(1, MAX_AXES).map((scale, i) => {
      const start = x + (i === 0 ? 0 : 6);
      x = start + (axes[i + 1] ?? 0);
      const hue = series[i + 1]?.shown.hue ?? { own: undefined, place: 0 };
      const y = yOf(area, scale);
      const ticks = scale.ticks.map((tick) =>
        label(start + 8, y(tick) + 4, tickText(scene, tick), { ...TICK, max: 80 }),
      );
      return (
        line(start, area.top, start, area.top + area.height, { ...strokeOf(hue), "stroke-width": 2 }) + ticks.join("")
      );
    }),
  ];
}

interface Across {
  at(x: number): number;
  readonly ticks: string;
}

function xScale(scene: Scene, { series, axis }: Plot, area: Area, bands: readonly string[] | undefined): Across {
  const base = area.top + area.height;
  const fill = themeColor(scene, "label");
  const tick = (x: number, text: string, max: number): string =>
    label(x, base + 18, text, { ...TICK_BELOW, fill, max });
  if (bands !== undefined) {
    const step = area.width / Math.max(1, bands.length);
    const placeOf = (x: number): number => area.left + (x + 0.5) * step;
    const longest = Math.min(
      110,
      Math.max(20, ...bands.slice(0, 200).map((name) => widthOf(shorten(name, 110, 11), 11) + 10)),
    );
    const every = Math.max(1, Math.ceil(longest / step));
    return {
      at: placeOf,
      ticks: bands
        .map((name, i) => (i % every === 0 ? tick(placeOf(i), name, Math.max(step * every - 6, 16)) : ""))
        .join(""),
    };
  }
  const xs = series
    .flatMap(({ points }) => [points[0]?.x ?? Number.NaN, points.at(-1)?.x ?? Number.NaN])
    .filter(Number.isFinite);
  const count = Math.max(2, Math.floor(area.width / 60));
  if (axis === "number") {
    const scale = niceScale(xs, false, count);
    const placeOf = (x: number): number => area.left + area.width * scale.part(x);
    return { at: placeOf, ticks: scale.ticks.map((each) => tick(placeOf(each), tickText(scene, each), 70)).join("") };
  }
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const span = high - low || 1;
  const placeOf = (x: number): number =>
    high === low ? area.left + area.width / 2 : area.left + ((x - low) / span) * area.width;
  const ticks =
    high === low
      ? [{ timeMs: low, text: formatTime(low, "full", scene.style) }]
      : timeTicks(low, high, count, scene.style);
  return { at: placeOf, ticks: ticks.map((each) => tick(placeOf(each.timeMs), each.text, 120)).join("") };
}

/** The last values, for those who cannot see the drawing. */
export function describe(scene: Scene, series: readonly Series[]): string {
  const parts = series.slice(0, 8).map(({ shown }) => {
    const last = lastReading(scene, shown);
    return `${shown.name}: ${last === undefined ? "no data" : withUnit(last)}`;
  });
  return `${scene.type.replaceAll("_", " ")}. ${parts.join("; ")}`;
}
