import { get } from "../readers.ts";
import { acrossOf, marksBeside } from "./across.ts";
import { describe, fitted, notesOf } from "./chart.ts";
import { formatNumber } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { legend } from "./legend.ts";
import { barShape, barsOf, type Drawn, referenceStroke } from "./marks.ts";
import { label, line, roomFor, TICK, TICK_BELOW } from "./markup.ts";
import { below } from "./read.ts";
import { type Draw, type Scene, themeColor } from "./scene.ts";
import { plotOf, stacked } from "./series.ts";
import { axisOf, leftOut, linesLeftOut, referencesOf } from "./value-axes.ts";

/** Where the bars and their axes stand; undefined without data. */
export function barLayoutOf(scene: Scene) {
  const { d, width, height } = scene;
  const { plot, note: ofBars } = fitted(scene, plotOf(scene), height - 60);
  if (plot.series.every(({ points }) => points.length === 0)) return undefined;
  const units = new Set(plot.series.map(({ unit }) => unit));
  const isStacked = get(d, "stacked") === true && units.size === 1;
  const series = isStacked ? stacked(plot.series) : plot.series;
  const axis = axisOf(scene, series, Math.max(2, Math.floor(width / 90)));
  const note = notesOf(ofBars, leftOut([axis]), linesLeftOut(scene, [axis]));
  const key = plot.series.map(({ shown, unit }) => ({
    name: units.size > 1 && unit !== "" ? `${shown.name} (${unit})` : shown.name,
    hue: shown.hue,
  }));
  const bottom = legend(get(d, "show_legend") === false ? [] : key, width);
  const top = note === "" && axis.unit === "" ? 14 : 22;
  const base = height - bottom.height - 26;
  const across = acrossOf(scene, plot, { start: top, length: base - top, isDown: true });
  const left = Math.min(width * 0.4, Math.max(30, ...across.marks.map(({ text }) => roomFor(text))) + 14);
  const right = width - 30;
  const x = (value: number): number => left + (right - left) * Math.max(0, Math.min(1, axis.scale.part(value)));
  const drawn = axis.series.map((each): Drawn => ({ ...each, y: x }));
  return { plot, note, isStacked, axis, bottom, across, top, base, left, right, x, drawn };
}

/** Bars from left to right, each at its time or with its name at the left. */
export const horizontalBars: Draw = (scene) => {
  const { d, height } = scene;
  const layout = barLayoutOf(scene);
  if (layout === undefined) return noData(scene);
  const { plot, note, isStacked, axis, bottom, across, top, base, left, right, x, drawn } = layout;
  const fill = themeColor(scene, "tick");
  const grid = axis.scale.ticks.map(
    (tick) =>
      line(x(tick), top, x(tick), base) + label(x(tick), base + 17, axis.text(tick), { ...TICK_BELOW, fill, max: 80 }),
  );
  const bars = barsOf(drawn, across, isStacked);
  const values = bars.map(({ series, value, start, size, from, to }) =>
    label(
      Math.max(from, to) + 4,
      start + size / 2 + 4,
      get(d, "show_point_values") === true && size >= 9
        ? formatNumber(value, below(series.shown.settings, "number_format"), scene.style)
        : "",
      { size: 10, soft: true },
    ),
  );
  const references = referencesOf(scene).map(({ value, name, color }) =>
    value < axis.scale.min || value > axis.scale.max
      ? ""
      : line(x(value), top, x(value), base, referenceStroke(color)) +
        label(x(value) + 4, top + 10, name, { ...TICK, max: 140 }),
  );
  return canvas(
    scene,
    describe(scene, plot.series),
    ...grid,
    marksBeside(scene, across, left),
    ...bars.map((bar) => barShape(bar, isStacked, true)),
    ...values,
    ...references,
    label(left, 11, axis.unit, TICK),
    label(right, 11, note, { ...TICK, anchor: "end", max: right - left - 40 }),
    bottom.at(height - bottom.height + 2),
  );
};
