import { get, list, record, type Source } from "../readers.ts";
import { colorOf, toneOf } from "./color.ts";
import { glyph, iconIn, strokeWith } from "./icons.ts";
import { CAPTION, esc, label, line, rect, shorten, tag, widthOf } from "./markup.ts";
import { textOf } from "./read.ts";
import { type Scene, shownOf, themeColor } from "./scene.ts";

/** Height of the line with the widget's label. */
export const HEADER = 36;

interface FrameOptions {
  readonly theme: "light" | "dark" | "auto";
  readonly isLegacy: boolean;
  /** The value that conditions of the background are about. */
  readonly value: unknown;
}

/** The figure around a drawing: background, label, header buttons, help. */
export function frame(scene: Scene, body: string, { theme, isLegacy, value }: FrameOptions): string {
  const background = themeColor(scene, "background", value);
  const attributes = {
    class: `iot-widget iot-type-${scene.type.replace(/[^a-z0-9_-]/gi, "").slice(0, 40)}`,
    // On a background of its own, the widget takes the theme whose text can be read on it.
    "data-theme": toneOf(background) ?? (theme === "auto" ? undefined : theme),
    "data-structure": isLegacy ? "legacy" : undefined,
  };
  const back =
    background === undefined
      ? ""
      : tag(
          "svg",
          { class: "iot-back", "aria-hidden": "true" },
          tag("rect", { width: "100%", height: "100%", fill: background }),
        );
  return tag("figure", attributes, back, header(scene), tag("div", { class: "iot-body" }, body, foot(scene)));
}

/** Without this, a variable whose records are older than those read would look as if it had none. */
function foot({ records: { read, total, isCut } }: Scene): string {
  if (!isCut) return "";
  const [some, all] = [read, total].map((count) => count.toLocaleString("en-US"));
  return tag("p", { class: "iot-foot" }, `Drawn from the newest ${some} of ${all} records`);
}

function header(scene: Scene): string {
  const { widget, d, width } = scene;
  const buttons = list(get(d, "header_buttons")).slice(0, 4).map(record);
  const name = scene.hasLabel ? textOf(widget, "label") : "";
  const help = textOf(d, "help");
  if (name === "" && help === "" && buttons.length === 0) return "";
  const color = themeColor(scene, "header");
  const mark =
    help === ""
      ? ""
      : tag(
          "span",
          { class: "iot-help", title: help.slice(0, 300), role: "img", "aria-label": `Help: ${help.slice(0, 300)}` },
          "?",
        );
  const pills = buttons.map((button) => tag("span", { class: "iot-pill" }, named(button)));
  return tag(
    "figcaption",
    {},
    tag("span", { class: "iot-label" }, tinted(shorten(name, width - 40, 15), color)),
    mark,
    ...pills,
  );
}

/** The icon of a button, and its text. */
function named(button: Source): string {
  const color = colorOf(get(button, "color"));
  const icon = glyph(7, 7, 14, iconIn(button), color === undefined ? { class: "iot-glyph" } : strokeWith(color));
  const lines = icon && tag("svg", { class: "iot-mark", width: 14, height: 14, viewBox: "0 0 14 14" }, icon);
  return (lines ?? "") + tinted(textOf(button, "text", "label") || (icon === undefined ? "•" : ""), color);
}

/** Text in a colour of the widget. It is SVG, because styles in attributes are not allowed under a strict policy. */
export function tinted(text: string, color: string | undefined, size = 14): string {
  if (color === undefined) return esc(text);
  const width = widthOf(text, size, true) + 4;
  return tag(
    "svg",
    { class: "iot-tint", width, height: size * 1.4, role: "img", "aria-label": text.slice(0, 300) },
    label(0, size * 1.05, text, { size, fill: color, bold: true }),
  );
}

/** The SVG of a drawing. Screen readers read the title and the description. */
export function canvas(scene: Scene, description: string, ...content: readonly string[]): string {
  const { widget, width, height, type } = scene;
  const names = shownOf(scene).map(({ name }) => name);
  const title = textOf(widget, "label") || names.join(", ") || type.replaceAll("_", " ");
  return tag(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", class: "iot-svg" },
    tag("title", {}, esc(title)),
    tag("desc", {}, esc(description, 600)),
    ...content,
  );
}

/** What stands in for a drawing without data. */
export function noData(scene: Scene, reason = "No data"): string {
  const { width, height } = scene;
  const [x, y] = [width / 2, height / 2];
  const bars = [18, 30, 24].map((size, i) =>
    rect(x - 27 + i * 20, y - 8 - size, 14, size, { class: "iot-track", rx: 2 }),
  );
  return canvas(
    scene,
    reason,
    ...bars,
    line(x - 34, y - 8, x + 34, y - 8),
    label(x, y + 18, reason, { ...CAPTION, max: width - 20 }),
  );
}
