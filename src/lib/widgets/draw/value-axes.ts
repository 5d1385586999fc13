import { get, list, record } from "../readers.ts";
import { chosenColor, type Hue, strokeOf } from "./color.ts";
import { tickFormat } from "./format.ts";
import { label, line, TICK, tag, widthOf } from "./markup.ts";
import { below, numberIn, textOf } from "./read.ts";
import { fixedScale, niceScale, type Scale } from "./scale.ts";
import { type Scene, themeColor } from "./scene.ts";
import { type Series, stacked } from "./series.ts";

/** Where the points go. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** An axis of values with its series. */
export interface ValueAxis {
  readonly scale: Scale;
  readonly series: readonly Series[];
  readonly text: (value: number) => string;
  readonly unit: string;
  readonly title: string;
  /** The color of its only series. */
  readonly hue: Hue | undefined;
}

/** Axes that are drawn. Further ones have their scale only. */
export const MAX_AXES = 4;

/** An axis for each unit, and for each of the first series of a chart with several axes. */
export function valueAxes(scene: Scene, series: readonly Series[], count: number): readonly ValueAxis[] {
  const [first = [], ...others] = groupsOf(scene, series);
  if (first.length === 0) return [];
  // What has different units cannot be on top of each other.
  const left = axisOf(scene, others.length === 0 && get(scene.d, "stacked") === true ? stacked(first) : first, count);
  return [left, ...others.map((group) => axisOf(scene, group, count, left.scale))];
}

function groupsOf({ type }: Scene, series: readonly Series[]): readonly (readonly Series[])[] {
  const groups: { unit: string; series: Series[] }[] = [];
  const isEachItsOwn = type === "multiple_axis_chart";
  for (const each of series) {
    if (each.points.length === 0) continue;
    // A value without a unit may have any.
    const isSame = (unit: string): boolean =>
      unit === each.unit || (!isEachItsOwn && (unit === "" || each.unit === ""));
    const known = isEachItsOwn && groups.length < MAX_AXES ? undefined : groups.find(({ unit }) => isSame(unit));
    if (known === undefined) groups.push({ unit: each.unit, series: [each] });
    else {
      known.series.push(each);
      known.unit ||= each.unit;
    }
  }
  return groups.map((group) => group.series);
}

/** The axis of series that share one. */
export function axisOf(scene: Scene, series: readonly Series[], count: number, beside?: Scale): ValueAxis {
  const scale = scaleOf(scene, series, count, beside);
  const isShort = get(below(scene.d, "y_axis"), "show_metric_abbreviation") === true;
  const units = [...new Set(series.map((each) => each.unit).filter((unit) => unit !== ""))];
  const unit = units.length === 1 ? (units[0] ?? "") : "";
  const names = series.map(({ shown }) => shown.name).join(", ");
  return {
    scale,
    series,
    text: tickFormat(scale.ticks, below(series[0]?.shown.settings, "number_format"), scene.style, isShort),
    unit,
    title: unit === "" ? names : `${names} (${unit})`,
    hue: series.length === 1 ? series[0]?.shown.hue : undefined,
  };
}

/** Fixed ends as the widget says, else round numbers around the values. */
function scaleOf({ d }: Scene, series: readonly Series[], count: number, beside?: Scale): Scale {
  const values = series.flatMap(({ points, kind }) =>
    points.flatMap(({ from, to }) => (kind === "line" ? [to] : [from, to])),
  );
  const given = below(below(d, "y_axis"), "scale");
  const isFixed = get(given, "type") === "fixed";
  const [min, max] = [numberIn(get(given, "minimum")), numberIn(get(given, "maximum"))];
  const hasZero = series.some(({ kind }) => kind !== "line");
  if (!isFixed || (min === undefined && max === undefined)) return niceScale(values, hasZero, count, beside);
  const free = niceScale(values, hasZero, count);
  return fixedScale(min ?? Math.min(free.min, max ?? 0), max ?? Math.max(free.max, min ?? 0), count);
}

/** A line across a chart, at a value of its first axis. */
interface Reference {
  readonly value: number;
  readonly name: string;
  readonly color: string | undefined;
}

export const referencesOf = ({ d }: Scene): readonly Reference[] =>
  list(get(d, "reference_lines"))
    .slice(0, 20)
    .map(record)
    .flatMap((each) => {
      const value = numberIn(get(each, "value"));
      if (value === undefined) return [];
      return { value, name: textOf(each, "label", "name"), color: chosenColor(get(each, "color"), value) };
    });

/** The reference lines that are not on the first axis. */
export function linesLeftOut(scene: Scene, [axis]: readonly ValueAxis[]): string {
  if (axis === undefined) return "";
  const { scale, text } = axis;
  return referencesOf(scene)
    .flatMap(({ value, name }) => {
      const place = value > scale.max ? "above" : value < scale.min ? "below" : undefined;
      return place === undefined ? [] : `${name === "" ? "line" : name} at ${text(value)} ${place} the scale`;
    })
    .join(", ");
}

/** How many values a fixed scale leaves out; empty where it shows all. */
export function leftOut(axes: readonly ValueAxis[]): string {
  const beyond = (isOut: (value: number, scale: Scale) => boolean): number =>
    axes.flatMap(({ scale, series }) => series.flatMap(({ points }) => points.filter(({ to }) => isOut(to, scale))))
      .length;
  const above = beyond((value, { max }) => value > max);
  const below = beyond((value, { min }) => value < min);
  const counts = [
    { count: above, place: "above" },
    { count: below, place: "below" },
  ].filter(({ count }) => count > 0);
  const parts = counts.map(({ count, place }, i) => {
    const unit = i > 0 ? "" : count === 1 ? " value" : " values";
    return `${count}${unit} ${place}`;
  });
  return parts.length === 0 ? "" : `${parts.join(" and ")} the scale`;
}

const TITLE = 16;
/** Height of a mark. */
const LINE = 12;

/** Width of the marks, and of the title where there is one. */
const widthFor = ({ scale, text }: ValueAxis, isNamed: boolean): number =>
  Math.min(90, Math.max(20, ...scale.ticks.map((tick) => widthOf(text(tick), 11) + 12))) + (isNamed ? TITLE : 0);

/** Room at the left and at the right of a drawing. */
export function marginsOf(axes: readonly ValueAxis[]): { readonly left: number; readonly right: number } {
  const [left = 12, ...rest] = axes.slice(0, MAX_AXES).map((axis) => widthFor(axis, axes.length > 1));
  return {
    left: left + 4,
    right: Math.max(
      16,
      rest.reduce((sum, each) => sum + each + 4, 0),
    ),
  };
}

export const yOf =
  ({ top, height }: Area, { scale }: ValueAxis) =>
  (value: number): number =>
    top + height * (1 - Math.max(-1, Math.min(2, scale.part(value))));

/** Which marks are written where there is no room for all: even ones, with both ends. */
function everyMark(steps: number, height: number): number {
  let every = Math.max(1, Math.ceil((LINE * steps) / Math.max(1, height)));
  while (every < steps && steps % every !== 0) every += 1;
  return every;
}

/** The grid with the marks of the first axis at the left, the others at the right, each in the color of its series. */
export function drawAxes(scene: Scene, axes: readonly ValueAxis[], area: Area): readonly string[] {
  const isNamed = axes.length > 1;
  let right = area.left + area.width;
  return axes.slice(0, MAX_AXES).map((axis, i) => {
    const y = yOf(area, axis);
    const x = i === 0 ? area.left : right + (i === 1 ? 0 : 4);
    const width = widthFor(axis, isNamed);
    if (i > 0) right = x + width;
    const style = { ...TICK, anchor: i === 0 ? "end" : "start", fill: themeColor(scene, "tick"), max: 84 } as const;
    const { ticks } = axis.scale;
    const every = everyMark(ticks.length - 1, area.height);
    const marks = ticks.map(
      (tick, n) =>
        (i === 0 ? line(area.left, y(tick), area.left + area.width, y(tick)) : "") +
        (n % every === 0 ? label(i === 0 ? x - 8 : x + 8, y(tick) + 4, axis.text(tick), style) : ""),
    );
    if (!isNamed) return marks.join("") + label(4, 11, axis.unit, { ...TICK, max: area.width });
    const hue = axis.hue === undefined ? { class: "iot-rule" } : strokeOf(axis.hue);
    const [titleX, middle] = [i === 0 ? 11 : x + width - 3, area.top + area.height / 2];
    return (
      marks.join("") +
      line(x, area.top, x, area.top + area.height, { ...hue, "stroke-width": 2 }) +
      tag(
        "g",
        { transform: `translate(${Math.round(titleX)} ${Math.round(middle)}) rotate(-90)` },
        label(0, 0, axis.title, { ...TICK, anchor: "middle", max: area.height }),
      )
    );
  });
}
