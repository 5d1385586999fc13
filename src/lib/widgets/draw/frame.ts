import { get, list, record } from "../readers.ts";
import { colorOf, inkOn, toneOf } from "./color.ts";
import { type Attributes, CAPTION, esc, label, line, rect, shorten, tag, VALUE, widthOf } from "./markup.ts";
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
  const pills = buttons.map((button) =>
    tag("span", { class: "iot-pill" }, tinted(textOf(button, "text", "label") || "•", colorOf(get(button, "color")))),
  );
  return tag(
    "figcaption",
    {},
    tag("span", { class: "iot-label" }, tinted(shorten(name, width - 40, 15), color)),
    mark,
    ...pills,
  );
}

/** Text in a colour of the widget. It is SVG, because styles in attributes are not allowed under a strict policy. */
export function tinted(text: string, color: string | undefined, size = 14): string {
  if (color === undefined) return esc(text);
  const width = widthOf(text, size) + 4;
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

/** A box in place of an image, video or page, with its address as text; the image itself where `images` allows it. */
export function picture(scene: Scene, address: string, box: Box, glyph: keyof typeof glyphs = "image"): string {
  const { x, y, width, height } = box;
  if (scene.images && glyph === "image" && isImageAddress(address)) {
    const fits =
      textOf(scene.d, "object_fit") === "cover"
        ? "xMidYMid slice"
        : textOf(scene.d, "object_fit") === "fill"
          ? "none"
          : "xMidYMid meet";
    return tag("image", { href: address, x, y, width, height, preserveAspectRatio: fits });
  }
  const size = Math.min(48, height / 3);
  const [left, top] = [x + width / 2 - size / 2, y + height / 2 - size * 0.8];
  return (
    rect(x, y, width, height, { class: "iot-place", rx: 6 }) +
    (height < 60
      ? ""
      : tag("svg", { x: left, y: top, width: size, height: size, viewBox: "0 0 24 24" }, glyphs[glyph])) +
    label(x + width / 2, height < 60 ? y + height / 2 + 4 : top + size + 18, address || `No ${glyph}`, {
      anchor: "middle",
      soft: true,
      size: 12,
      max: width - 16,
    })
  );
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const MAX_ADDRESS = 200_000;

function isImageAddress(address: string): boolean {
  return (
    address.length <= MAX_ADDRESS &&
    /^(?:https:\/\/[^\s"'<>\\]+|data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+)$/i.test(address)
  );
}

const stroke: Attributes = { class: "iot-glyph" };
const glyphs = {
  image:
    tag("rect", { ...stroke, x: 3, y: 4, width: 18, height: 16, rx: 2 }) +
    tag("circle", { ...stroke, cx: 9, cy: 10, r: 1.8 }) +
    tag("path", { ...stroke, d: "M3 18l6-5 4 3 4-4 4 4" }),
  video:
    tag("rect", { ...stroke, x: 3, y: 4, width: 18, height: 16, rx: 3 }) +
    tag("path", { ...stroke, d: "M10 8.5v7l6-3.5z" }),
  page:
    tag("rect", { ...stroke, x: 3, y: 4, width: 18, height: 16, rx: 2 }) +
    tag("path", { ...stroke, d: "M3 8.5h18M6 6.3h.1M8.5 6.3h.1" }),
} as const;

/** A round mark with a letter, in place of an icon. */
export function badge(
  scene: Scene,
  x: number,
  y: number,
  r: number,
  name: string,
  color: string | undefined,
  image = "",
): string {
  if (image !== "" && scene.images && isImageAddress(image)) {
    return tag("image", {
      href: image,
      x: x - r,
      y: y - r,
      width: r * 2,
      height: r * 2,
      preserveAspectRatio: "xMidYMid meet",
    });
  }
  const letter = [...name.trim()][0]?.toUpperCase() ?? "";
  return (
    tag("circle", { cx: x, cy: y, r, ...(color === undefined ? { class: "iot-accent" } : { fill: color }) }) +
    label(x, y + r * 0.36, letter, { ...VALUE, size: r, fill: color === undefined ? "#fff" : inkOn(color) })
  );
}
