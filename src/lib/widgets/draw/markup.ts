import { bounded, escapeHtml } from "./escape.ts";

/** Attributes: strings are escaped, numbers rounded, undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const EMPTY_ELEMENTS = new Set(["br", "input"]);
const MAX_TEXT = 300;
/** Only images held in their address come near it. */
const MAX_ATTRIBUTE = 200_000;

/** A number as attribute: finite, and with two decimals at most. */
export function round(value: number): number {
  return Number.isFinite(value) ? Math.round(Math.max(-1e7, Math.min(1e7, value)) * 100) / 100 || 0 : 0;
}

/** An element. Its content is markup; a string from a widget must go through `esc` first. */
export function tag(name: string, attributes: Attributes, ...content: readonly string[]): string {
  let start = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    if (value === undefined) continue;
    start += ` ${key}="${typeof value === "number" ? round(value) : escapeHtml(bounded(value, MAX_ATTRIBUTE))}"`;
  }
  return EMPTY_ELEMENTS.has(name) ? `${start}/>` : `${start}>${content.join("")}</${name}>`;
}

/** A string as content of an element. */
export const esc = (text: string, maxLength = MAX_TEXT): string => escapeHtml(bounded(text, maxLength));

const WIDE =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|\p{Extended_Pictographic}/u;

/** Widths of characters in a wide system font (DejaVu Sans), in ems; others have less. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl']/, 0.28],
  [/[\s.,:;|/\\]/, 0.34],
  [/[frtIJ!()[\]°²³"-]/, 0.42],
  [/[mMW@%…]/, 0.98],
  [/[w+=<>~±]/, 0.84],
  [/[A-Z&]/, 0.74],
  [WIDE, 1],
];

/** Estimated width in pixels, for the widest system fonts. */
export function widthOf(text: string, size: number, isBold = false): number {
  let ems = 0;
  for (const char of text) ems += WIDTHS.find(([chars]) => chars.test(char))?.[1] ?? 0.63;
  return ems * size * (isBold ? 1.13 : 1);
}

/** Room for a mark of an axis. */
export const roomFor = (text: string): number => widthOf(text, TICK.size);

/** The text, shortened with an ellipsis to fit. */
export function shorten(text: string, width: number, size: number, isBold = false): string {
  const start = bounded(text, MAX_TEXT);
  if (widthOf(start, size, isBold) <= width + 0.1) return start;
  const chars = [...start];
  let used = widthOf("…", size, isBold);
  const kept = chars.findIndex((char) => {
    used += widthOf(char, size, isBold);
    return used > width;
  });
  return `${chars.slice(0, Math.max(0, kept)).join("").trimEnd()}…`;
}

/** The greatest size at which a text has room. */
export const sizeFor = (text: string, width: number, most: number): number =>
  Math.max(12, Math.min(most, width / Math.max(0.1, widthOf(text, 1, true))));

export interface TextStyle {
  readonly size?: number;
  readonly anchor?: "start" | "middle" | "end";
  /** A checked colour; without one the class decides. */
  readonly fill?: string | undefined;
  readonly soft?: boolean;
  readonly bold?: boolean;
  /** Pixels it may take. */
  readonly max?: number;
}

/** Styles that several drawings have: the name below a value, the value, a mark of an axis. */
export const CAPTION = { size: 13, soft: true, anchor: "middle" } as const satisfies TextStyle;
export const VALUE = { bold: true, anchor: "middle" } as const satisfies TextStyle;
export const TICK = { size: 11, soft: true } as const satisfies TextStyle;
export const TICK_BELOW = { ...TICK, anchor: "middle" } as const satisfies TextStyle;

/** One line of SVG text. */
export function label(x: number, y: number, text: string, style: TextStyle = {}): string {
  const { size = 12, anchor = "start", fill, soft, bold, max } = style;
  const shown = max === undefined ? bounded(text, MAX_TEXT) : shorten(text, max, size, bold);
  if (shown === "") return "";
  const attributes = {
    x,
    y,
    "font-size": size,
    "text-anchor": anchor === "start" ? undefined : anchor,
    "font-weight": bold ? 600 : undefined,
    ...paint(fill, soft ? "iot-soft" : "iot-ink"),
  };
  return tag("text", attributes, esc(shown));
}

/** A colour of the widget as `fill`, else the class that has the colour of the theme. */
export function paint(color: string | undefined, className: string): Attributes {
  return color === undefined ? { class: className } : { fill: color };
}

export const rect = (x: number, y: number, width: number, height: number, more: Attributes): string =>
  tag("rect", { x, y, width: Math.max(0, width), height: Math.max(0, height), ...more });

export const circle = (cx: number, cy: number, r: number, more: Attributes): string =>
  tag("circle", { cx, cy, r: Math.max(0, r), ...more });

export const line = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  more: Attributes = { class: "iot-grid" },
): string => tag("line", { x1, y1, x2, y2, ...more });

export const path = (d: string, more: Attributes): string => {
  // Not `tag`: a path may be longer than any other attribute, and holds numbers only.
  const rest = tag("path", more);
  return `<path d="${d}"${rest.slice("<path".length)}`;
};

/** Coordinates in path data. */
export const at = (x: number, y: number): string => `${round(x)} ${round(y)}`;

/** The point at an angle, clockwise from 12 o'clock, in degrees. */
export function polar(cx: number, cy: number, r: number, degrees: number): readonly [number, number] {
  const radians = ((degrees - 90) * Math.PI) / 180;
  return [cx + r * Math.cos(radians), cy + r * Math.sin(radians)];
}

/** Path data of a ring segment between two angles; a pie slice when `inner` is 0. */
export function ring(cx: number, cy: number, outer: number, inner: number, from: number, to: number): string {
  const end = Math.min(to, from + 359.99);
  const large = end - from > 180 ? 1 : 0;
  const [a, b] = [polar(cx, cy, outer, from), polar(cx, cy, outer, end)];
  const start = `M${at(...a)}A${round(outer)} ${round(outer)} 0 ${large} 1 ${at(...b)}`;
  if (inner <= 0) return `${start}L${at(cx, cy)}Z`;
  const [c, e] = [polar(cx, cy, inner, end), polar(cx, cy, inner, from)];
  return `${start}L${at(...c)}A${round(inner)} ${round(inner)} 0 ${large} 0 ${at(...e)}Z`;
}
