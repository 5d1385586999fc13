import { get } from "../readers.ts";
import { inkOn } from "./color.ts";
import { at, CAPTION, label, line, paint, path, rect, round, sizeFor, TICK, VALUE, widthOf } from "./markup.ts";
import { gauge, type Level, zonesOf } from "./range.ts";
import { below, numberIn, textOf } from "./read.ts";
import { fixedScale, type Scale } from "./scale.ts";
import { type Scene, themeColor } from "./scene.ts";

/** Path data of a tank between two heights. */
function tank(left: number, width: number, top: number, bottom: number, depth: number): string {
  const [rx, ry, right] = [round(width / 2), round(depth), left + width];
  return `M${at(left, top)}A${rx} ${ry} 0 0 1 ${at(right, top)}L${at(right, bottom)}A${rx} ${ry} 0 0 1 ${at(left, bottom)}Z`;
}

/** The surface of what a tank holds. */
function surface(left: number, width: number, y: number, depth: number): string {
  const [rx, ry] = [round(width / 2), round(depth)];
  return `M${at(left, y)}A${rx} ${ry} 0 0 1 ${at(left + width, y)}A${rx} ${ry} 0 0 1 ${at(left, y)}Z`;
}

interface Wall {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

/** The scale at the right of a vessel: `tick_amount` marks, or as many as have room. */
function sideMarks(
  scene: Scene,
  level: Level,
  { x, top, bottom }: Wall,
): { readonly scale: Scale; readonly marks: readonly string[] } {
  const count = Math.max(1, Math.min(20, Math.trunc(numberIn(get(scene.d, "tick_amount")) ?? 5)));
  const room = Math.max(1, Math.floor((bottom - top) / 22));
  const scale = fixedScale(level.scale.min, level.scale.max, Math.min(count, room));
  const fill = themeColor(scene, "tick");
  const text = level.marksOf(scale);
  const marks = scale.ticks.map((tick) => {
    const y = bottom - (bottom - top) * scale.part(tick);
    return (
      line(x + 6, y, x + 13, y, { class: "iot-rule" }) +
      label(x + 18, y + 4, text(tick), { ...TICK, fill, max: scene.width - x - 20 })
    );
  });
  return { scale, marks };
}

export const cylinder = gauge((scene, level) => {
  const { width, height } = scene;
  const size = Math.min(190, width * 0.42, height * 0.9);
  const depth = size * 0.13;
  const [left, top, bottom] = [width / 2 - size / 2, 16 + depth, height - 46 - depth];
  const y = bottom - (bottom - top) * level.part;
  const { scale, marks } = sideMarks(scene, level, { x: left + size, top, bottom });
  const zones = zonesOf(get(scene.colors, "fill"), scale).map((zone) =>
    rect(left - 10, bottom - (bottom - top) * zone.to, 4, (bottom - top) * (zone.to - zone.from), {
      fill: zone.color,
      rx: 2,
    }),
  );
  const glass = themeColor(scene, "glass");
  const body =
    level.part > 0
      ? path(tank(left, size, y, bottom, depth), { ...paint(level.fill, "iot-accent"), "fill-opacity": 0.82 })
      : "";
  return [
    path(
      tank(left, size, top, bottom, depth),
      glass === undefined ? { class: "iot-glass" } : { fill: glass, "fill-opacity": 0.25 },
    ),
    body,
    path(surface(left, size, y, depth), { ...paint(level.fill, "iot-accent"), "stroke-width": 1 }),
    path(tank(left, size, top, bottom, depth), { class: "iot-edge" }),
    path(surface(left, size, top, depth), { class: "iot-edge" }),
    ...marks,
    ...zones,
    label(width / 2, height - 22, level.value, { ...VALUE, size: 20, fill: level.text, max: width - 20 }),
    label(width / 2, height - 5, level.name, { size: 12, soft: true, anchor: "middle", max: width - 20 }),
  ];
});

export const grainBin = gauge((scene, level) => {
  const { width, height } = scene;
  const size = Math.min(250, width * 0.5, height * 0.95);
  const [left, right, cx] = [width / 2 - size / 2, width / 2 + size / 2, width / 2];
  const roof = 14;
  const eaves = roof + size * 0.26;
  const bottom = height - 30;
  const inset = 3;
  const wall = { x: right, top: eaves + 4, bottom: bottom - inset };
  const y = wall.bottom - (wall.bottom - wall.top) * level.part;
  // Grain lies in a cone, half of it above its level and half below.
  const cone = Math.min(size * 0.05, Math.max(0, wall.bottom - y) * 0.5, Math.max(0, y - eaves));
  const { scale, marks } = sideMarks(scene, level, wall);
  const ribs = scale.ticks
    .map((tick) => wall.bottom - (wall.bottom - wall.top) * scale.part(tick))
    .map((tickY) => line(left, tickY, right, tickY));
  const pointer = path(`M${at(right + 2, y)}L${at(right + 9, y - 4)}V${round(y + 4)}Z`, paint(level.fill, "iot-grain"));
  const grain = `M${at(left + inset, bottom - inset)}L${at(left + inset, y + cone)}L${at(cx, y - cone)}L${at(right - inset, y + cone)}L${at(right - inset, bottom - inset)}Z`;
  const back = themeColor(scene, "text_background", level.last.value);
  const textWidth = Math.min(size - 30, widthOf(level.value, 24, true) + 34);
  const middle = (eaves + bottom) / 2;
  return [
    path(
      `M${at(left - 8, eaves)}L${at(cx - size * 0.09, roof)}L${at(cx + size * 0.09, roof)}L${at(right + 8, eaves)}Z`,
      { class: "iot-glass iot-edged" },
    ),
    rect(left, eaves, size, bottom - eaves, { class: "iot-glass iot-edged" }),
    level.part > 0 ? path(grain, paint(level.fill, "iot-grain")) : "",
    ...ribs,
    ...marks,
    pointer,
    rect(cx - textWidth / 2, middle - 22, textWidth, 34, { ...paint(back, "iot-panel"), rx: 8, "fill-opacity": 0.92 }),
    label(cx, middle + 4, level.value, {
      ...VALUE,
      size: sizeFor(level.value, textWidth - 16, 24),
      fill: level.text ?? (back && inkOn(back)),
      max: textWidth - 14,
    }),
    label(cx, height - 8, textOf(below(scene.d, "formula"), "name") || level.name, { ...CAPTION, max: width - 20 }),
  ];
});
