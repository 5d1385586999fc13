import { get, list, record } from "../readers.ts";
import { matches } from "./conditions.ts";
import type { Attributes } from "./markup.ts";

const number = String.raw`-?\d{1,4}(?:\.\d{1,6})?(?:%|deg)?`;
const channels = String.raw`\(\s*${number}(?:(?:\s*,\s*|\s+|\s*\/\s*)${number}){2,3}\s*\)`;
const COLOR = new RegExp(
  String.raw`^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,24}|(?:rgb|hsl)a?${channels})$`,
  "i",
);

/** A colour that may stand in an attribute; undefined for anything else. */
export function colorOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= 60 && COLOR.test(value.trim()) ? value.trim() : undefined;
}

/** A colour, or the one that a list of conditions selects for a value. */
export function chosenColor(spec: unknown, value: unknown): string | undefined {
  if (!Array.isArray(spec)) return colorOf(spec);
  return colorOf(get(chosen(spec, value), "color"));
}

/** The condition that a value meets: the first one; `*` only when no other is met. */
export function chosen(conditions: unknown, value: unknown): Readonly<Record<PropertyKey, unknown>> | undefined {
  const all = list(conditions).slice(0, 100).map(record);
  const isAny = (each: Readonly<Record<PropertyKey, unknown>>): boolean => get(each, "condition") === "*";
  return all.find((each) => !isAny(each) && matches(each, value)) ?? all.find(isAny);
}

/** Red, green and blue from 0 to 1; undefined when the notation is unknown. */
function channelsOf(color: string): readonly [number, number, number] | undefined {
  const hex = /^#([\da-f]+)$/i.exec(color)?.[1];
  if (hex !== undefined) {
    const digits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join("") : hex;
    const channel = (i: number): number => Number.parseInt(digits.slice(i, i + 2), 16) / 255;
    return [channel(0), channel(2), channel(4)];
  }
  const parts = [...color.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);
  const [a = 0, b = 0, c = 0, alpha = 1] = parts;
  if (alpha < 0.4) return undefined;
  if (/^rgb/i.test(color)) return [a / 255, b / 255, c / 255];
  if (/^hsl/i.test(color)) return hsl(a, b / 100, c / 100);
  return NAMED[color.toLowerCase()];
}

const NAMED: Readonly<Record<string, readonly [number, number, number]>> = {
  black: [0, 0, 0],
  white: [1, 1, 1],
  navy: [0, 0, 0.5],
  red: [1, 0, 0],
  green: [0, 0.5, 0],
  blue: [0, 0, 1],
  yellow: [1, 1, 0],
};

function hsl(hue: number, saturation: number, lightness: number): readonly [number, number, number] {
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Relative luminance from 0 to 1; undefined when unknown. */
function luminance(color: string): number | undefined {
  const channels = channelsOf(color);
  if (channels === undefined) return undefined;
  const [r, g, b] = channels.map((c) => (c <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** The theme whose text can be read on a background. */
export function toneOf(background: string | undefined): "light" | "dark" | undefined {
  const light = background === undefined ? undefined : luminance(background);
  if (light === undefined) return undefined;
  return light < 0.22 ? "dark" : "light";
}

/** Black or white, whichever can be read on the colour. */
export const inkOn = (color: string): string => (toneOf(color) === "dark" ? "#fff" : "#1a2027");

/**
 * What makes a colour of the widget visible on both themes: nearly black ones are inverted on dark, nearly white ones on
 * light.
 */
export function shadeClass(color: string): string | undefined {
  const light = luminance(color);
  if (light === undefined) return undefined;
  if (light < 0.07) return "iot-deep";
  return light > 0.88 ? "iot-pale" : undefined;
}

/** How a series is painted: its own colour, or that of its index. */
export interface Hue {
  readonly own: string | undefined;
  readonly place: number;
}

/** Beyond the colors of the theme, the same ones come again: lighter, and as broken lines. */
export const fillOf = ({ own, place }: Hue): Attributes =>
  own === undefined
    ? { class: `iot-f${place % 8}`, "fill-opacity": place < 8 ? undefined : 0.6 }
    : { fill: own, class: shadeClass(own) };

export const strokeOf = ({ own, place }: Hue): Attributes =>
  own === undefined
    ? { class: `iot-l${place % 8}`, "stroke-dasharray": place < 8 ? undefined : "7 4" }
    : { stroke: own, class: shadeClass(own) };
