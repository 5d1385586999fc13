import { get } from "../readers.ts";
import { chosen, chosenColor, colorOf, inkOn } from "./color.ts";
import { formatNumber } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { badge, iconIn } from "./icons.ts";
import { picture } from "./images.ts";
import { areaPath, linePath } from "./marks.ts";
import { CAPTION, label, line, paint, path, rect, sizeFor, TICK, VALUE } from "./markup.ts";
import { below, numberIn, textOf } from "./read.ts";
import { fixedScale } from "./scale.ts";
import {
  type Draw,
  lastReading,
  readings,
  type Scene,
  type Shown,
  shownOf,
  single,
  themeColor,
  withUnit,
} from "./scene.ts";
import { thinned } from "./series.ts";

export const card: Draw = (scene) => {
  const { d, width, height } = scene;
  const shown = single(scene);
  const last = lastReading(scene, shown);
  if (shown === undefined || last === undefined) return noData(scene);
  const text = withUnit(last, get(d, "show_unit") !== false);
  const hasChart = get(d, "show_chart") === true;
  const middle = hasChart ? height * 0.42 : height * 0.54;
  const color = themeColor(scene, "text", last.value);
  const name = get(d, "show_variables") === false ? "" : shown.name;
  const size = sizeFor(text, width - 40, Math.min(64, height * 0.3));
  const url = textOf(d, "url");
  return canvas(
    scene,
    `card. ${shown.name}: ${withUnit(last)}`,
    hasChart ? spark(scene, shown, last.value, name === "" ? middle : middle + 24) : "",
    label(width / 2, middle, text, { ...VALUE, size, fill: color, max: width - 24 }),
    label(width / 2, middle + 24, name, { size: 14, soft: true, anchor: "middle", fill: color, max: width - 24 }),
    label(width - 10, height - 8, url === "" ? "" : `↗ ${url}`, { ...TICK, anchor: "end", max: width / 2 - 14 }),
  );
};

/** The last values as a curve between their lowest and their highest, which are written, at the bottom. */
function spark(scene: Scene, shown: Shown, value: unknown, start: number): string {
  const { d, width, height } = scene;
  const most = Math.max(2, Math.min(500, numberIn(get(d, "max_points")) ?? 5));
  const points = thinned(
    readings(scene, shown)
      .slice(-most)
      .map(({ number }, i) => ({ x: i, from: 0, to: number })),
    width,
  );
  if (points.length < 2) return "";
  const values = points.map(({ to }) => to);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const scale = fixedScale(low, high);
  const [top, bottom] = [Math.min(start + 16, height - 30), height - 22];
  const isRoomy = bottom - top >= 24;
  const end = points.at(-1)?.x ?? 1;
  const spots = points.map(({ x, to }) => ({
    x: (x / end) * width,
    from: height,
    to: bottom - (bottom - top) * scale.part(to),
  }));
  const color = themeColor(scene, "chart", value);
  const text = (number: number): string => formatNumber(number, below(shown.settings, "number_format"), scene.style);
  const ends =
    low === high ? [] : [[`lowest ${text(low)}`, bottom + 14] as const, [`highest ${text(high)}`, top - 5] as const];
  return (
    path(areaPath(spots, true), { ...paint(color, "iot-accent"), "fill-opacity": 0.16 }) +
    path(linePath(spots, true), {
      ...(color === undefined ? { class: "iot-l0" } : { stroke: color }),
      fill: "none",
      "stroke-width": 2,
    }) +
    (isRoomy ? ends.map(([each, y]) => label(6, y, each, { ...TICK, max: width / 2 - 10 })).join("") : "")
  );
}

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A grid of cells that fills the drawing. */
function cells({ width, height }: Scene, count: number, shape = 2.2): readonly Cell[] {
  let columns = 1;
  while (columns < count && width / columns / (height / Math.ceil(count / columns)) > shape) columns += 1;
  const rows = Math.max(1, Math.ceil(count / columns));
  const [w, h] = [width / columns, height / rows];
  return Array.from({ length: count }, (_, i) => ({
    x: (i % columns) * w,
    y: Math.floor(i / columns) * h,
    width: w,
    height: h,
  }));
}

/** Whole lines between the rows and the columns of a grid. */
function dividers({ width, height }: Scene, grid: readonly Cell[]): readonly string[] {
  const starts = (key: "x" | "y"): readonly number[] =>
    [...new Set(grid.map((cell) => cell[key]))].filter((at) => at > 0);
  return [...starts("x").map((x) => line(x, 8, x, height - 8)), ...starts("y").map((y) => line(8, y, width - 8, y))];
}

/** Values in large letters, each in a cell. */
export const display: Draw = (scene) => {
  const { d } = scene;
  const all = shownOf(scene).slice(0, 24);
  if (all.length === 0) return noData(scene, "No variables");
  const told: string[] = [];
  const grid = cells(scene, all.length);
  const isUnits = get(d, "show_units") !== false;
  const texts = all.map((shown) => {
    const last = lastReading(scene, shown);
    told.push(`${shown.name}: ${last === undefined ? "no data" : withUnit(last)}`);
    return last === undefined ? "–" : withUnit(last, isUnits);
  });
  const [cell = { width: 0, height: 0 }] = grid;
  const size = Math.min(...texts.map((text) => sizeFor(text, cell.width - 24, Math.min(52, cell.height * 0.42))));
  const content = all.map((shown, i) => {
    const { x, y, width, height } = grid[i] ?? { x: 0, y: 0, width: 0, height: 0 };
    const text = texts[i] ?? "";
    const isNamed = get(d, "show_variables") !== false && height > 40;
    const middle = y + height / 2 + size * (isNamed ? 0.18 : 0.34);
    const name = isNamed ? label(x + width / 2, middle + 20, shown.name, { ...CAPTION, max: width - 16 }) : "";
    return label(x + width / 2, middle, text, { ...VALUE, size, max: width - 12 }) + name;
  });
  return canvas(scene, `display. ${told.join("; ")}`, ...dividers(scene, grid), ...content);
};

/** An icon for each variable, in the colour that its conditions choose. */
export const icon: Draw = (scene) => {
  const { d } = scene;
  const all = shownOf(scene).slice(0, 24);
  if (all.length === 0) return noData(scene, "No variables");
  const told: string[] = [];
  const grid = cells(scene, all.length, 1.6);
  const content = all.map((shown, i) => {
    const { x, y, width, height } = grid[i] ?? { x: 0, y: 0, width: 0, height: 0 };
    const last = lastReading(scene, shown);
    const value = last === undefined ? "–" : withUnit(last, get(d, "show_units") !== false);
    told.push(`${shown.name}: ${value}`);
    const color = chosenColor(get(shown.settings, "color_conditions"), last?.value);
    const symbol = chosen(get(shown.settings, "icon_conditions"), last?.value);
    const texts = [
      get(d, "show_values") === false ? "" : value,
      get(d, "show_variables") === false ? "" : shown.name,
    ].filter((text) => text !== "");
    const room = height - texts.length * 19 - 16;
    const r = Math.max(9, Math.min(44, room / 2, width * 0.3));
    const cy = y + 8 + Math.max(r, room / 2);
    const image = iconIn(symbol) || iconIn(shown.settings);
    return (
      badge(scene, x + width / 2, cy, r, shown.name, color ?? colorOf(get(symbol, "color")), image) +
      texts
        .map((text, row) =>
          label(x + width / 2, cy + r + 20 + row * 18, text, {
            size: row === 0 ? 15 : 13,
            bold: row === 0,
            soft: row > 0,
            anchor: "middle",
            max: width - 12,
          }),
        )
        .join("")
    );
  });
  return canvas(scene, `icon. ${told.join("; ")}`, ...content);
};

/** A link with an icon or an image. */
export const tile: Draw = (scene) => {
  const { d, width, height } = scene;
  const address = textOf(d, "image_url");
  const title = textOf(d, "title");
  const color = themeColor(scene, "title");
  const isIcon = get(d, "image_type") !== "image";
  const opacity = Math.max(0, Math.min(100, numberIn(get(d, "opacity")) ?? 100)) / 100;
  const back = themeColor(scene, "background");
  const ink = color ?? (back === undefined ? undefined : inkOn(back));
  const r = Math.min(46, height * 0.2);
  const image = isIcon
    ? badge(scene, width / 2, height * 0.4, r, title || "Tile", themeColor(scene, "icon"), address)
    : picture(scene, address, { x: 8, y: 8, width: width - 16, height: height - 70 });
  return canvas(
    scene,
    `tile. ${title}`,
    isIcon ? image : `<g opacity="${opacity}">${image}</g>`,
    label(width / 2, height - 34, title, { ...VALUE, size: 20, fill: ink, max: width - 24 }),
    label(width / 2, height - 12, textOf(d, "url"), {
      size: 12,
      soft: true,
      anchor: "middle",
      fill: ink,
      max: width - 24,
    }),
    title === "" && address === "" ? rect(8, 8, width - 16, height - 16, { class: "iot-place", rx: 6 }) : "",
  );
};
