import { get } from "../readers.ts";
import { chosenColor, colorOf, inkOn } from "./color.ts";
import { canvas } from "./frame.ts";
import { badge, iconIn } from "./icons.ts";
import { keysOf } from "./keys.ts";
import { CAPTION, circle, label, paint, rect, sizeFor, TICK_BELOW, VALUE, widthOf } from "./markup.ts";
import { below, numberIn, textIn, textOf } from "./read.ts";
import { type Draw, lastReading, single, themeColor, withUnit } from "./scene.ts";

/** A button in the state that the last value chooses. */
export const push: Draw = (scene) => {
  const { d, width, height } = scene;
  const shown = single(scene);
  const last = lastReading(scene, shown);
  const [one, two] = [below(d, "state_one"), below(d, "state_two")];
  const isTwo =
    get(d, "button_type") === "bistable" &&
    last !== undefined &&
    textIn(last.value) === textOf(two, "value") &&
    textOf(two, "value") !== textOf(one, "value");
  const state = isTwo ? two : one;
  const text = textOf(state, "label") || textOf(state, "value") || "Push";
  const isImage = ["icon", "image"].includes(textOf(state, "type"));
  const back = colorOf(get(state, "button_color"));
  const size = 20;
  const [cx, cy] = [width / 2, height / 2 - 8];
  const w = Math.min(width - 40, Math.max(130, widthOf(text, size, true) + 60));
  const ink = colorOf(get(state, "color")) ?? (back === undefined ? "#fff" : inkOn(back));
  return canvas(
    scene,
    `push button. ${text}`,
    rect(cx - w / 2, cy - 30, w, 60, { ...paint(back, isTwo ? "iot-off" : "iot-accent"), rx: 14 }),
    isImage
      ? badge(scene, cx, cy, 20, text, ink, iconIn(state))
      : label(cx, cy + 7, text, { ...VALUE, size, fill: ink, max: w - 24 }),
    label(cx, cy + 54, get(d, "show_variables") === false ? "" : (shown?.name ?? ""), {
      ...CAPTION,
      fill: themeColor(scene, "text"),
      max: width - 20,
    }),
  );
};

/** A number with a button for less and one for more. */
export const step: Draw = (scene) => {
  const { d, width, height } = scene;
  const shown = single(scene);
  const last = lastReading(scene, shown);
  const limit = below(d, "limit");
  const text = last === undefined ? "–" : withUnit({ ...last, unit: "" });
  const unit = get(d, "show_unit") === true ? textOf(d, "unit") : "";
  const value = last?.value;
  const color = chosenColor(get(scene.colors, "button"), value);
  const [cx, cy] = [width / 2, height / 2 - 6];
  const r = Math.min(30, height * 0.2, width * 0.1);
  const away = Math.min(width / 2 - r - 10, 130);
  const button = (x: number, sign: string): string =>
    circle(x, cy, r, paint(color, "iot-accent")) +
    label(x, cy + r * 0.36, sign, { ...VALUE, size: r, fill: color === undefined ? "#fff" : inkOn(color) });
  const by = numberIn(get(d, "step_value"));
  const ends = [numberIn(get(limit, "minimum")), numberIn(get(limit, "maximum"))];
  const range = get(limit, "enabled") === true ? `${ends[0] ?? "–"} to ${ends[1] ?? "–"}` : "";
  const told = [range, by === undefined ? "" : `step ${by}`].filter((part) => part !== "").join(", ");
  return canvas(
    scene,
    `step button. ${text} ${unit}; ${told}`,
    button(cx - away, "−"),
    button(cx + away, "+"),
    label(cx, cy + 12, unit === "" ? text : `${text} ${unit}`, {
      size: sizeFor(unit === "" ? text : `${text} ${unit}`, away * 2 - r * 2 - 12, 32),
      bold: true,
      anchor: "middle",
      fill: chosenColor(get(scene.colors, "value"), value),
      max: away * 2 - r * 2 - 12,
    }),
    label(cx, cy + r + 24, get(d, "show_variables") === false ? "" : (shown?.name ?? ""), {
      ...CAPTION,
      max: width - 20,
    }),
    label(cx, Math.min(height - 4, cy + r + 42), told, { ...TICK_BELOW, max: width - 20 }),
  );
};

/** The keys of a keypad, and a bar for the digits. */
export const keypad: Draw = (scene) => {
  const { d, width, height } = scene;
  const keys = keysOf(d);
  const columns = Math.max(...keys.map(({ column }) => column)) + 1;
  const rows = Math.max(...keys.map(({ row }) => row)) + 1;
  const bar = get(d, "show_digits_bar") === true ? 46 : 0;
  const size = Math.min(64, (height - bar - 8) / rows, (width - 20) / columns) - 8;
  const left = width / 2 - (columns * (size + 8) - 8) / 2;
  const digits =
    rect(left, 4, columns * (size + 8) - 8, 34, { class: "iot-field", rx: 6 }) +
    label(left + 12, 26, "• • • •", { soft: true, size: 15 });
  const drawn = keys.map(({ text, action, color, isDisabled, row, column }) => {
    const fill = colorOf(color) ?? themeColor(scene, "click");
    const [x, y] = [left + column * (size + 8), bar + 4 + row * (size + 8)];
    return (
      rect(x, y, size, size, { ...paint(fill, "iot-track"), rx: 8, opacity: isDisabled ? 0.5 : undefined }) +
      label(x + size / 2, y + size / 2 + 6, text, {
        ...VALUE,
        size: action === undefined ? 17 : Math.max(9, Math.min(13, (size - 6) / widthOf(text, 1, true))),
        fill: fill && inkOn(fill),
        max: size - 6,
      })
    );
  });
  return canvas(scene, "keypad", bar === 0 ? "" : digits, ...drawn);
};
