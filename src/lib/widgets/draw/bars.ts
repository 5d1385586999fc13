import { get } from "../readers.ts";
import { describe, inBands, sums, tickText, valueScale } from "./chart.ts";
import { fillOf } from "./color.ts";
import { formatNumber } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { legend } from "./legend.ts";
import { label, line, rect, shorten, TICK, TICK_BELOW, widthOf } from "./markup.ts";
import { below } from "./read.ts";
import { type Draw, themeColor } from "./scene.ts";
import { plotOf } from "./series.ts";

/** Bars from left to right, a row for each band. */
export const horizontalBars: Draw = (scene) => {
  const found = plotOf(scene);
  if (found.series.every(({ points }) => points.length === 0)) return noData(scene);
  const { d, width, height } = scene;
  const { series, bands = [], note } = inBands(scene, found, Math.floor(height / 15));
  const isStacked = get(d, "stacked") === true;
  const onlyOne = isStacked || series.every(({ points }) => points.length <= 1 && bands.length > 1);
  const key = get(d, "show_legend") === false ? [] : series.map(({ shown }) => ({ name: shown.name, hue: shown.hue }));
  const bottom = legend(key, width);
  const names = bands.map((name) => shorten(name, width * 0.28, 11));
  const left = Math.max(30, ...names.map((name) => widthOf(name, 11))) + 14;
  const [top, right] = [14, width - 30];
  const base = height - bottom.height - 26;
  const scale = valueScale(scene, sums(series, isStacked), true, Math.max(2, Math.floor(width / 90)));
  const x = (value: number): number => left + (right - left) * Math.max(0, Math.min(1, scale.part(value)));
  const step = (base - top) / Math.max(1, bands.length);
  const size = Math.min(44, Math.max(1, (step * 0.72) / (onlyOne ? 1 : series.length)));
  const tickFill = themeColor(scene, "tick");
  const grid = scale.ticks.map(
    (tick) =>
      line(x(tick), top, x(tick), base) +
      label(x(tick), base + 17, tickText(scene, tick), { ...TICK_BELOW, fill: tickFill, max: 80 }),
  );
  const every = Math.max(1, Math.ceil(14 / step));
  const rows = names.map((name, i) =>
    i % every === 0
      ? label(left - 8, top + (i + 0.5) * step + 4, name, { ...TICK, anchor: "end", fill: themeColor(scene, "label") })
      : "",
  );
  const ends = new Map<number, number>();
  const shapes = series.flatMap((each, i) =>
    each.points.map(({ x: band, y: value }) => {
      const side = value < 0 ? -band - 1 : band;
      const from = isStacked ? (ends.get(side) ?? 0) : 0;
      ends.set(side, from + value);
      const [a, b] = [x(from), x(from + value)];
      const y = top + (band + 0.5) * step + (onlyOne ? -size / 2 : (i - series.length / 2) * size);
      const text =
        get(d, "show_point_values") === true && size >= 9
          ? label(
              Math.max(a, b) + 4,
              y + size / 2 + 4,
              formatNumber(value, below(each.shown.settings, "number_format"), scene.style),
              { size: 10, soft: true },
            )
          : "";
      return (
        rect(Math.min(a, b), y + 0.5, Math.max(0.75, Math.abs(a - b)), Math.max(0.75, size - 1), {
          ...fillOf(each.shown.hue),
          rx: isStacked ? 0 : Math.min(3, size / 4),
        }) + text
      );
    }),
  );
  return canvas(
    scene,
    describe(scene, series),
    ...grid,
    ...rows,
    ...shapes,
    label(right, 10, note, { ...TICK, anchor: "end" }),
    bottom.at(height - bottom.height + 2),
  );
};
