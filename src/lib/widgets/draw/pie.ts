import { get } from "../readers.ts";
import { fillOf, type Hue, inkOn, shadeClass } from "./color.ts";
import { formatNumber } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { legend } from "./legend.ts";
import { label, line, paint, path, polar, rect, ring, TICK, tag, VALUE } from "./markup.ts";
import { below } from "./read.ts";
import { type Draw, lastReading, type Reading, type Scene, type Shown, shownOf, withUnit } from "./scene.ts";

interface Slice {
  readonly shown: Shown;
  readonly last: Reading;
}

/** Parts of a whole: the last value of each variable. */
const pieOver =
  (from: number, to: number): Draw =>
  (scene) => {
    const { d, width, height } = scene;
    const slices = shownOf(scene).flatMap((shown) => {
      const last = lastReading(scene, shown);
      return last?.number === undefined ? [] : [{ shown, last, size: Math.max(0, last.number) }];
    });
    const most = Math.max(...slices.map(({ size }) => size));
    // Shares of the greatest first: the sum of huge values may be infinite.
    const total = slices.reduce((sum, { size }) => sum + size / most, 0);
    if (slices.length === 0) return noData(scene);
    const units = [...new Set(slices.map(({ last }) => last.unit))];
    if (units.length > 1) return valueList(scene, slices, units);
    if (!(most > 0))
      return noData(
        scene,
        slices.some(({ last }) => (last.number ?? 0) < 0) ? "No positive values" : "All values are 0",
      );
    const items = slices.map(({ shown, last }) => ({ name: `${shown.name} ${withUnit(last)}`, hue: shown.hue }));
    const isNegative = slices.some(({ last }) => (last.number ?? 0) < 0);
    const note = `Shares of ${sumText(scene, slices, most * total)}${isNegative ? ", negative values have none" : ""}`;
    const bottom = legend(get(d, "show_legend") === false ? [] : items, width, Math.max(2, Math.floor(height / 70)));
    const free = height - bottom.height - 34;
    const isHalf = to - from <= 180;
    const r = Math.max(10, isHalf ? Math.min(free - 12, (width - 40) / 2) : Math.min(free / 2, (width - 40) / 2) - 4);
    const [cx, cy] = [width / 2, isHalf ? 26 + (free - r) / 2 + r : 26 + free / 2];
    const inner = isHalf ? r * 0.58 : 0;
    let angle = from;
    const shapes = slices.map(({ shown, size }) => {
      const share = size / most / total;
      const end = angle + share * (to - from);
      const [x, y] = polar(cx, cy, isHalf ? r * 0.79 : r * 0.66, (angle + end) / 2);
      const shape = share === 0 ? "" : ring(cx, cy, r, inner, angle, end);
      angle = end;
      return drawSlice(shown.hue, share, shape, x, y);
    });
    const told = slices.map(({ shown, last }) => `${shown.name}: ${withUnit(last)}`).join("; ");
    return canvas(
      scene,
      `${scene.type}. ${told}`,
      label(4, 11, note, { ...TICK, max: width - 8 }),
      ...shapes,
      bottom.at(height - bottom.height + 2),
    );
  };

/** A slice with its percentage at x and y, where there is room for one. */
function drawSlice(hue: Hue, share: number, shape: string, x: number, y: number): string {
  const { own, place } = hue;
  const fill = own === undefined ? (place < 8 ? "#fff" : undefined) : inkOn(own);
  const text = share < 0.06 ? "" : label(x, y + 4, `${Math.round(share * 100)}%`, { ...VALUE, size: 12, fill });
  const area =
    shape === ""
      ? ""
      : path(shape, {
          ...paint(own, `iot-f${place % 8}`),
          "fill-opacity": fillOf(hue)["fill-opacity"],
          "stroke-width": 1.5,
        });
  // The percentage is turned with its slice.
  return tag("g", { class: `iot-slice ${(own && shadeClass(own)) ?? ""}`.trim() }, area, text);
}

/** The values of different units, which are parts of nothing. */
function valueList(scene: Scene, slices: readonly Slice[], units: readonly string[]): string {
  const { width, height } = scene;
  const row = Math.max(18, Math.min(34, (height - 34) / slices.length));
  const kept = slices.slice(0, Math.floor((height - 34) / row));
  const left = kept.length < slices.length ? `, ${kept.length} of ${slices.length} values` : "";
  const note = `${units.map((unit) => unit || "no unit").join(", ")}: no shares, units differ${left}`;
  const top = 24 + Math.max(0, (height - 34 - row * kept.length) / 2);
  const [start, end] = [Math.max(10, width / 2 - 190), Math.min(width - 10, width / 2 + 190)];
  const lines = kept.map(({ shown, last }, i) => {
    const y = top + row * i;
    const middle = y + row / 2 + 5;
    return (
      (i === 0 ? "" : line(start, y, end, y)) +
      rect(start, middle - 10, 10, 10, { ...fillOf(shown.hue), rx: 3 }) +
      label(start + 18, middle, shown.name, { size: 13, soft: true, max: (end - start) * 0.5 - 20 }) +
      label(end, middle, withUnit(last), { size: 15, bold: true, anchor: "end", max: (end - start) * 0.5 - 8 })
    );
  });
  const told = slices.map(({ shown, last }) => `${shown.name}: ${withUnit(last)}`).join("; ");
  return canvas(scene, `${scene.type}. ${told}`, label(4, 11, note, { ...TICK, max: width - 8 }), ...lines);
}

/** The whole that shares are of, as its values are written. */
function sumText({ style }: Scene, slices: readonly Slice[], total: number): string {
  const [first] = slices;
  if (first === undefined || !Number.isFinite(total)) return "the total";
  const text = formatNumber(total, below(first.shown.settings, "number_format"), style);
  return withUnit({ ...first.last, text });
}

export const pie = pieOver(0, 360);
export const semidonut = pieOver(-90, 90);
