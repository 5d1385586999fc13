import { get, list, record, type Source } from "../readers.ts";
import { chosenColor } from "./color.ts";
import { formatNumber, tickFormat } from "./format.ts";
import { canvas, noData } from "./frame.ts";
import { label, TICK } from "./markup.ts";
import { below, idIn, numberIn, textOf } from "./read.ts";
import type { Point } from "./records.ts";
import { fixedScale, niceScale, type Scale } from "./scale.ts";
import { type Draw, lastReading, type Reading, type Scene, type Shown, single, withUnit } from "./scene.ts";

/** A gauge with its value. */
export interface Level {
  readonly scale: Scale;
  readonly last: Reading & { readonly number: number };
  /** From 0 to 1; values outside the range stay at its ends. */
  readonly part: number;
  readonly name: string;
  readonly value: string;
  /** How the marks of a scale are written. */
  readonly marksOf: (scale: Scale) => (value: number) => string;
  /** Colour the conditions choose for the value. */
  readonly fill: string | undefined;
  readonly text: string | undefined;
}

/** A widget that shows one number within a range. */
export const gauge =
  (draw: (scene: Scene, level: Level) => readonly string[], ticks = 5): Draw =>
  (scene) => {
    const shown = single(scene);
    const last = lastReading(scene, shown);
    if (shown === undefined || last === undefined) return noData(scene);
    if (last.number === undefined) return noData(scene, last.text === "" ? undefined : `${last.text} is no number`);
    const scale = rangeOf(scene, shown, last.number, ticks);
    const name = get(scene.d, "show_variables") === false ? "" : shown.name;
    const format = below(shown.settings, "number_format");
    const decimals = decimalsOf(last.number, format);
    // In groups as the marks beside it, unless the widget says otherwise.
    const text = formatNumber(
      last.number,
      { ...format, show_thousand: get(format, "show_thousand") !== false },
      scene.style,
    );
    const level: Level = {
      scale,
      last: { ...last, number: last.number },
      part: Math.max(0, Math.min(1, scale.part(last.number))),
      name,
      value: withUnit({ ...last, text }),
      marksOf: ({ ticks }) => tickFormat(ticks, { ...format, decimals }, scene.style),
      fill: chosenColor(get(scene.colors, "fill"), last.value),
      text: chosenColor(get(scene.colors, "text"), last.value),
    };
    const ends = `${scale.min} to ${scale.max}`;
    const beyond = last.number > scale.max ? "above" : last.number < scale.min ? "below" : "";
    const range = [scale.min, scale.max].map(level.marksOf(scale)).join(" to ");
    const note =
      beyond === "" ? "" : label(4, 11, `${beyond} the range of ${range}`, { ...TICK, max: scene.width - 8 });
    return canvas(
      scene,
      `${scene.type}. ${shown.name}: ${withUnit(last)}; ${beyond === "" ? "" : `${beyond} the `}range ${ends}`,
      note,
      ...draw(scene, level),
    );
  };

/** More decimals of a value than this are its own: marks with as many would be unreadable. */
const MOST_DECIMALS = 2;

/** Decimals of the marks: those that the value is written with. */
function decimalsOf(value: number, format: Source): number {
  const asked = numberIn(get(format, "decimals")) ?? -1;
  if (asked >= 0) return asked;
  const own = /\.(\d+)$/.exec(String(Number(value.toPrecision(10))))?.[1]?.length ?? 0;
  return own > MOST_DECIMALS ? 0 : own;
}

function rangeOf(scene: Scene, shown: Shown, value: number, ticks: number): Scale {
  const range = below(scene.d, "range");
  const source = get(range, "type") === "metadata" ? metadataOf(scene, shown, range) : range;
  const min = numberIn(get(source, "minimum") ?? get(source, "min"));
  const max = numberIn(get(source, "maximum") ?? get(source, "max"));
  if (min === undefined && max === undefined) return niceScale([value], true, ticks);
  return fixedScale(min ?? Math.min(0, max ?? 0), max ?? Math.max(100, min ?? 0), ticks);
}

function metadataOf({ records }: Scene, shown: Shown, range: Source): Source {
  const other = below(range, "variable");
  const point: Point | undefined =
    get(range, "metadata_origin") === "variable"
      ? records.last(textOf(other, "variable"), idIn(get(other, "origin")))
      : records.last(shown.variable, shown.origin);
  return record(get(point?.raw, "metadata"));
}

/** A part of a scale with a colour of its own. */
export interface Zone {
  readonly from: number;
  readonly to: number;
  readonly color: string;
}

/** The thresholds in a list of conditions, as parts of the scale. */
export function zonesOf(spec: unknown, scale: Scale): readonly Zone[] {
  const limits = list(spec)
    .slice(0, 50)
    .flatMap((each) => numberIn(get(record(each), "value")) ?? [])
    .filter((limit) => limit > scale.min && limit < scale.max);
  const ends = [...new Set([scale.min, ...limits, scale.max])].sort((a, b) => a - b);
  if (limits.length === 0) return [];
  return ends.slice(1).flatMap((end, i) => {
    const start = ends[i] ?? scale.min;
    const color = chosenColor(spec, (start + end) / 2);
    return color === undefined ? [] : [{ from: scale.part(start), to: scale.part(end), color }];
  });
}
