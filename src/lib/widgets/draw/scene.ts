import { shownVariables } from "../engine.ts";
import { get, list, record, type Source } from "../readers.ts";
import { chosenColor, colorOf, type Hue } from "./color.ts";
import { formatNumber, type Style, valueText } from "./format.ts";
import { calculate } from "./formula.ts";
import type { Images } from "./loaded-image.ts";
import { below, idIn, numberIn, textOf } from "./read.ts";
import type { Point, Records } from "./records.ts";

/** All that a widget is drawn from. */
export interface Scene {
  readonly widget: Source;
  /** Type of the new structure. */
  readonly type: string;
  /** Display of the new structure. */
  readonly d: Source;
  /** Colours of its theme. */
  readonly colors: Source;
  readonly records: Records;
  readonly style: Style;
  readonly nowMs: number;
  /** Size of the drawing below the header, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether the label of the widget is written above the drawing. */
  readonly hasLabel: boolean;
  /** Where an image is loaded from; undefined for one that is not loaded. */
  readonly images: Images;
}

/** Language and zone of what is written; without a zone, that of what the widget shows. */
export function styleFor(
  widget: Source,
  { locale = "en-US", timeZone }: { readonly locale?: string; readonly timeZone?: string } = {},
): Style {
  return { locale, timeZone: timeZone ?? (textOf(record(list(get(widget, "data"))[0]), "timezone") || "UTC") };
}

/** Draws the part below the header. */
export type Draw = (scene: Scene) => string;

const MAX_VARIABLES = 40;

/** A variable that the widget shows. */
export interface Shown {
  readonly name: string;
  readonly variable: string;
  readonly origin: string | undefined;
  readonly hue: Hue;
  /** Its settings: formula, number_format, conditions. */
  readonly settings: Source;
}

/** The variables of a widget that shows several. */
export function shownOf({ d }: Scene): readonly Shown[] {
  return list(get(d, "variables")).slice(0, MAX_VARIABLES).map(record).map(shown);
}

export function shown(settings: Source, place: number): Shown {
  const data = below(settings, "data");
  const variable = textOf(settings, "variable") || textOf(data, "variable");
  return {
    name: textOf(settings, "alias") || variable,
    variable,
    origin: idIn(get(settings, "origin")) ?? idIn(get(data, "origin")),
    hue: { own: colorOf(get(settings, "color")), place },
    settings,
  };
}

/** The variable of a widget that shows one: the first with data, else the first. Its settings are those of the display. */
export function single({ widget, d, records }: Scene): Shown | undefined {
  const all = shownVariables(widget)
    .slice(0, MAX_VARIABLES)
    .map(({ item, variable }) => ({
      variable: textOf({ variable }, "variable") || textOf(record(variable), "variable"),
      origin: idIn(get(item, "origin")),
    }));
  const own = textOf(d, "variable") || textOf(below(d, "variable"), "variable");
  const found =
    all.find((each) => each.variable === own) ??
    all.find((each) => records.last(each.variable, each.origin) !== undefined) ??
    all[0];
  if (found === undefined) return undefined;
  // Only legacy widgets have settings for each of their variables.
  const perVariable = list(get(d, "variables")).slice(0, MAX_VARIABLES).map(record).map(shown);
  const settled = perVariable.find(({ variable, origin }) => variable === found.variable && origin === found.origin);
  return {
    ...shown(settled?.settings ?? d, 0),
    ...found,
    name: textOf(d, "alias") || (settled?.name ?? found.variable),
  };
}

/** A value after formula and format. */
export interface Reading {
  readonly value: unknown;
  /** The value as a number, if it is one. */
  readonly number: number | undefined;
  readonly text: string;
  readonly unit: string;
  readonly timeMs: number;
}

export function reading(scene: Scene, variable: Shown, point: Point): Reading {
  const value = computed(scene, variable, point.value);
  const number = numberIn(value);
  const format = below(variable.settings, "number_format");
  return {
    value,
    number,
    text: number === undefined ? valueText(value, scene.style) : formatNumber(number, format, scene.style),
    unit: unitOf(variable.settings, point.unit),
    timeMs: point.timeMs,
  };
}

/** The last value of a variable; undefined without data. */
export function lastReading(scene: Scene, variable: Shown | undefined): Reading | undefined {
  const point = variable && scene.records.last(variable.variable, variable.origin);
  return variable && point && reading(scene, variable, point);
}

/** The values of a variable that are numbers, oldest first. */
export function readings(scene: Scene, variable: Shown): readonly (Reading & { number: number; point: Point })[] {
  return scene.records.of(variable.variable, variable.origin).flatMap((point) => {
    const number = numberIn(computed(scene, variable, point.value));
    // Texts are made only for the few values that show them.
    return number === undefined ? [] : [{ value: number, number, text: "", unit: "", timeMs: point.timeMs, point }];
  });
}

function computed({ records }: Scene, { settings }: Shown, value: unknown): unknown {
  const formula = below(settings, "formula");
  const number = numberIn(value);
  if (get(formula, "enable") !== true || number === undefined) return value;
  let text = textOf(formula, "value");
  if (get(formula, "formula_type") === "variable") {
    const source = below(formula, "variable");
    const stored = records.last(textOf(source, "variable"), idIn(get(source, "origin")))?.value;
    // The variable holds the formula itself; a plain number in it is none.
    if (typeof stored === "string" && stored.includes("$")) text = stored;
  }
  return calculate(text, number) ?? value;
}

function unitOf(settings: Source, recorded: string): string {
  const formula = below(settings, "formula");
  const fixed = textOf(formula, "fixed_unit");
  if (get(formula, "unit_type") === "fixed") return fixed;
  return recorded || (get(formula, "unit_type") === "origin" ? "" : fixed);
}

/** Value and unit in one line. */
export function withUnit({ text, unit }: Reading, isShown = true): string {
  if (unit === "" || !isShown) return text;
  return unit === "%" || unit === "°" ? `${text}${unit}` : `${text} ${unit}`;
}

/** A colour of the theme, chosen by the value where it is a list of conditions. */
export const themeColor = ({ colors }: Scene, name: string, value?: unknown): string | undefined =>
  chosenColor(get(colors, name), value);
