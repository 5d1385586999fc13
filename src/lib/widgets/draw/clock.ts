import { get, list, record } from "../readers.ts";
import { formatTime, offsetMs } from "./format.ts";
import { canvas } from "./frame.ts";
import { circle, label, line, paint, polar, TICK_BELOW, VALUE } from "./markup.ts";
import { textOf } from "./read.ts";
import { type Draw, themeColor } from "./scene.ts";

const DAY = 86_400_000;

/** The time in the zone of the widget's data. */
export const clock: Draw = (scene) => {
  const { widget, d, width, height, nowMs } = scene;
  const timeZone = textOf(record(list(get(widget, "data"))[0]), "timezone") || scene.style.timeZone;
  const style = { ...scene.style, timeZone };
  const local = (((nowMs + offsetMs(nowMs, style)) % DAY) + DAY) % DAY;
  const r = Math.max(20, Math.min(width - 20, height - 50) / 2);
  const [cx, cy] = [width / 2, r + 6];
  const hand = (turns: number, length: number, stroke: number): string =>
    line(cx, cy, ...polar(cx, cy, r * length, turns * 360), {
      ...hue,
      "stroke-width": stroke,
      "stroke-linecap": "round",
    });
  const fill = themeColor(scene, "fill");
  const hue = fill === undefined ? { class: "iot-hand" } : { stroke: fill };
  const marks = Array.from({ length: 12 }, (_, i) =>
    line(...polar(cx, cy, r - 6, i * 30), ...polar(cx, cy, r - (i % 3 === 0 ? 16 : 11), i * 30), {
      class: "iot-rule",
      "stroke-width": 2,
    }),
  );
  const outline = themeColor(scene, "outline");
  const newest = scene.records.newest;
  const isTold = get(d, "show_last_update") === true && newest !== undefined;
  const note = isTold ? `Last update ${formatTime(newest.timeMs, "full", style)}` : timeZone;
  const text = formatTime(nowMs, "seconds", style);
  return canvas(
    scene,
    `clock. ${text}, ${timeZone}`,
    circle(cx, cy, r, { class: "iot-knob", ...(outline === undefined ? {} : { stroke: outline }) }),
    ...marks,
    hand(local / (DAY / 2), 0.52, 6),
    hand(local / 3_600_000, 0.76, 4),
    line(cx, cy, ...polar(cx, cy, r * 0.8, (local / 60_000) * 360), { class: "iot-second", "stroke-width": 1.5 }),
    circle(cx, cy, 5, paint(fill, "iot-ink")),
    label(cx, cy + r + 22, text, { ...VALUE, size: 16, fill: themeColor(scene, "text") }),
    label(cx, cy + r + 38, note, { ...TICK_BELOW, max: width - 20 }),
  );
};
