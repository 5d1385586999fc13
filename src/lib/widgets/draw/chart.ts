import { get } from "../readers.ts";
import { acrossOf, heightBelow, marksBelow } from "./across.ts";
import { formatNumber } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { type LegendItem, legend } from "./legend.ts";
import { barShape, barsOf, type Drawn, pointValues, references, stateBand, strokes } from "./marks.ts";
import { label, TICK, tag } from "./markup.ts";
import { type Draw, lastReading, type Scene, withUnit } from "./scene.ts";
import { type Plot, plotOf, type Series, thinnedBars } from "./series.ts";
import {
  type Area,
  drawAxes,
  leftOut,
  linesLeftOut,
  MAX_AXES,
  marginsOf,
  type ValueAxis,
  valueAxes,
  yOf,
} from "./value-axes.ts";

/** Height that curves need to be read; a lower drawing has no legend. */
const LEAST_CURVE = 40;

/** Where what of a chart stands; undefined without data. */
export function layoutOf(scene: Scene) {
  const { d, width, height } = scene;
  const { plot, note: ofBars } = fitted(scene, plotOf(scene), width - 60);
  if (plot.series.every(isEmpty)) return undefined;
  const axes = valueAxes(scene, plot.series, height < 180 ? 3 : 5);
  const note = notesOf(ofBars, leftOut(axes), linesLeftOut(scene, axes));
  const rows = plot.series.filter(({ states }) => states.length > 0);
  const states = [...new Set(rows.flatMap((row) => row.states.flatMap(({ text }) => text || [])))];
  const { left, right } = marginsOf(axes);
  const across = acrossOf(scene, plot, { start: left, length: width - left - right, isDown: false });
  const isTitled = note !== "" || (axes.length === 1 && axes[0]?.unit !== "");
  const top = isTitled ? 26 : 14;
  const room = height - top - heightBelow(across);
  const names = legend(get(d, "show_legend") === false ? [] : keysOf(plot.series, states, axes), width);
  const bottom = room - names.height < LEAST_CURVE ? legend([], width) : names;
  const whole = Math.max(20, room - bottom.height);
  // States alone have all the room, but no more than can be read; below a chart they have a part of it.
  const most = axes.length > 0 ? whole * 0.4 : whole;
  const rowHeight = Math.min(axes.length > 0 ? 36 : 90, most / Math.max(1, rows.length));
  const areaHeight = axes.length > 0 ? whole - rowHeight * rows.length : 0;
  const area: Area = { left, top, width: width - left - right, height: areaHeight };
  const drawn = axes.flatMap((axis) => axis.series.map((each): Drawn => ({ ...each, y: yOf(area, axis) })));
  return { plot, note, axes, rows, states, bottom, across, area, rowHeight, drawn, right };
}

/** Lines, areas, upright bars and states, with one vertical axis or several. */
export const chart: Draw = (scene) => {
  const { d, width, height } = scene;
  const layout = layoutOf(scene);
  if (layout === undefined) return noData(scene);
  const { plot, note, axes, rows, states, bottom, across, area, rowHeight, drawn, right } = layout;
  const isStacked = get(d, "stacked") === true && axes.length === 1;
  const base = area.top + area.height + rowHeight * rows.length;
  const bands = rows.map((row, i) => {
    const start = area.top + area.height + i * rowHeight;
    const band = { ...area, top: start + 18, height: Math.max(4, rowHeight - 20) };
    const name = label(area.left, start + 14, row.shown.name, { ...TICK, max: area.width });
    return name + stateBand(row, across, (text) => states.indexOf(text), band);
  });
  const [first] = axes;
  return canvas(
    scene,
    describe(scene, plot.series),
    ...drawAxes(scene, axes, area),
    marksBelow(scene, across, base),
    clipped(
      area,
      barsOf(drawn, across, isStacked).map((bar) => barShape(bar, isStacked, false)),
      drawn.map((each) => strokes(scene, each, across, plot.axis === "time")),
    ),
    ...bands,
    first === undefined ? "" : references(scene, area, yOf(area, first)),
    get(d, "show_point_values") === true ? pointValues(scene, drawn, area, across) : "",
    label(width - right, 11, note, { ...TICK, anchor: "end", max: area.width - 40 }),
    bottom.at(height - bottom.height + 2),
  );
};

/** Nothing of a line that leaves a fixed scale is drawn outside the axes. */
function clipped({ left, top, width, height }: Area, ...shapes: readonly (readonly string[])[]): string {
  const box = { x: left - 5, y: top - 6, width: width + 10, height: height + 7 };
  return tag("svg", { ...box, viewBox: `${box.x} ${box.y} ${box.width} ${box.height}` }, ...shapes.flat());
}

/** Notes in one line. */
export const notesOf = (...notes: readonly string[]): string => notes.filter((note) => note !== "").join(", ");

const isEmpty = ({ points, states }: Series): boolean => points.length === 0 && states.length === 0;

/** Series in their colors, then states in theirs. */
function keysOf(series: readonly Series[], states: readonly string[], axes: readonly ValueAxis[]): LegendItem[] {
  const scaleOnly = new Set(axes.slice(MAX_AXES).flatMap((axis) => axis.series.map(({ shown }) => shown)));
  return [
    ...series
      .filter((each) => each.states.length === 0)
      .map(({ shown }) => ({
        name: scaleOnly.has(shown) ? `${shown.name}, scale not shown` : shown.name,
        hue: shown.hue,
      })),
    ...states.map((name, place) => ({ name, hue: { own: undefined, place } })),
  ];
}

/** A plot with as many bars as have a pixel each. Numbers that have bars are names, and so are series of one value each. */
export function fitted(scene: Scene, plot: Plot, room: number): { readonly plot: Plot; readonly note: string } {
  const bars = plot.series.filter(({ kind }) => kind === "bar");
  if (bars.length === 0) return { plot, note: "" };
  const isOfLastValues =
    plot.axis !== "names" && plot.series.length > 1 && plot.series.every(({ points }) => points.length <= 1);
  if (isOfLastValues && plot.series.some(({ points }) => points.length > 0)) {
    // They have different times and belong next to each other.
    const series = plot.series.map((each, i) => ({
      ...each,
      points: each.points.map((point) => ({ ...point, x: i })),
    }));
    return { plot: { series, axis: "names", names: series.map(({ shown }) => shown.name) }, note: "" };
  }
  if (plot.axis === "time") return { plot: { ...plot, series: thinnedBars(plot.series, room) }, note: "" };
  const all = [...new Set(plot.series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const kept = all.slice(-Math.max(4, Math.floor(room / bars.length)));
  const places = new Map(kept.map((x, i) => [x, i]));
  const series = plot.series.map((each) => ({
    ...each,
    points: each.points.flatMap((point) => {
      const x = places.get(point.x);
      return x === undefined ? [] : [{ ...point, x }];
    }),
  }));
  const names = kept.map((x) => (plot.axis === "names" ? (plot.names[x] ?? "") : formatNumber(x, {}, scene.style)));
  const note = all.length > kept.length ? `last ${kept.length} of ${all.length}` : "";
  return { plot: { series, axis: "names", names }, note };
}

/** The last values, for those who cannot see the drawing. */
export function describe(scene: Scene, series: readonly Series[]): string {
  const parts = series.slice(0, 8).map(({ shown }) => {
    const last = lastReading(scene, shown);
    return `${shown.name}: ${last === undefined ? "no data" : withUnit(last)}`;
  });
  return `${scene.type.replaceAll("_", " ")}. ${parts.join("; ")}`;
}
