import { bisector, median, pairs } from "d3-array";
import { get, type Source } from "../readers.ts";
import { below, idIn, numberIn, textIn, textOf } from "./read.ts";
import { timeIn } from "./records.ts";
import { lastReading, readings, type Scene, type Shown, shownOf } from "./scene.ts";

type Kind = "line" | "area" | "bar";

/** One line, area or set of bars; or the states of a variable whose values are no numbers. */
export interface Series {
  readonly shown: Shown;
  readonly kind: Kind;
  readonly unit: string;
  readonly points: readonly Span[];
  readonly states: readonly State[];
}

/** A value at a time or position: what is drawn reaches from its base to its top. */
export interface Span {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** A state, until the next one; an empty text where data is missing. */
interface State {
  readonly x: number;
  readonly text: string;
}

/** What the horizontal axis is about. */
export interface Plot {
  readonly series: readonly Series[];
  readonly axis: "time" | "number" | "names";
  /** Names at x = 0, 1, 2 ... of an axis of names. */
  readonly names: readonly string[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  area_chart: "area",
  vertical_bar_chart: "bar",
  horizontal_bar_chart: "bar",
};

const MAX_NAMES = 2_000;

/** The series of a chart: against time, or against the value that another variable has in the same group. */
export function plotOf(scene: Scene): Plot {
  const { d } = scene;
  const xAxis = below(d, "x_axis");
  const names: string[] = [];
  const xOf = get(xAxis, "plot_by") === "variable" ? byVariable(scene, xAxis, names) : undefined;
  const most = numberIn(get(d, "max_points"));
  const lastOnes = <T>(points: readonly T[]): readonly T[] =>
    most !== undefined && most >= 1 ? points.slice(-Math.trunc(most)) : points;
  const series = shownOf(scene).map((shown): Series => {
    const points = readings(scene, shown).flatMap(({ number, timeMs, point }) => {
      const x = xOf === undefined ? timeMs : xOf.at(point.group, timeMs);
      return x === undefined ? [] : [{ x, from: 0, to: number }];
    });
    if (xOf !== undefined) points.sort((a, b) => a.x - b.x);
    const states = points.length === 0 && xOf === undefined ? lastOnes(statesOf(scene, shown)) : [];
    const unit = lastReading(scene, shown)?.unit ?? "";
    return {
      shown,
      kind: kindOf(scene, shown.settings),
      unit,
      points: lastOnes(points),
      states: changes(withHoles(states)),
    };
  });
  return { series, axis: xOf?.axis ?? "time", names };
}

/** Strings and booleans, at their times. */
const statesOf = ({ records }: Scene, { variable, origin }: Shown): readonly State[] =>
  records.of(variable, origin).flatMap(({ value, timeMs }) => {
    const text = textIn(value);
    return text === "" ? [] : [{ x: timeMs, text }];
  });

/** With an empty state where data is missing. What is known last lasts as long as the state before it. */
function withHoles(states: readonly State[]): readonly State[] {
  const ends = new Set(endsOfHoles(states.map(({ x }) => x)));
  return states.flatMap((state, i) => {
    const [before, last] = [states[i - 2], states[i - 1]];
    if (!ends.has(state.x) || last === undefined) return [state];
    const from = before === undefined ? last.x : 2 * last.x - before.x;
    return from < state.x ? [{ x: from, text: "" }, state] : [state];
  });
}

/** The first of each row of equal states, and the very last. */
const changes = (states: readonly State[]): readonly State[] =>
  states.filter(({ text }, i) => text !== states[i - 1]?.text || i === states.length - 1);

function kindOf(scene: Scene, settings: Source): Kind {
  const type = scene.type === "multiple_axis_chart" ? textOf(settings, "chart_type") : scene.type;
  return Object.hasOwn(KINDS, type) ? (KINDS[type] ?? "line") : "line";
}

/** A date, and not just a number that could be one. */
const isDate = (value: unknown): boolean => (typeof value !== "number" || value > 1e11) && timeIn(value) !== undefined;

interface Across {
  readonly axis: Plot["axis"];
  at(group: string | undefined, timeMs: number): number | undefined;
}

function byVariable({ records }: Scene, xAxis: Source, names: string[]): Across | undefined {
  const source = below(xAxis, "variable");
  const points = records.of(textOf(source, "variable"), idIn(get(source, "origin")));
  if (points.length === 0) return undefined;
  const values = new Map<string, unknown>();
  for (const { group, timeMs, value } of points) values.set(group ?? String(timeMs), value);
  const all = [...values.values()];
  const isTime = get(xAxis, "type") === "time" && all.every(isDate);
  const isNumber = !isTime && all.every((value) => numberIn(value) !== undefined);
  const places = new Map<string, number>();
  const placeOf = (value: unknown): number | undefined => {
    const name = textOf({ value }, "value");
    const known = places.get(name);
    if (known !== undefined || places.size >= MAX_NAMES) return known;
    places.set(name, places.size);
    names.push(name);
    return places.size - 1;
  };
  return {
    axis: isTime ? "time" : isNumber ? "number" : "names",
    at(group, timeMs) {
      const value = values.get(group ?? String(timeMs));
      if (value === undefined) return undefined;
      if (isTime) return timeIn(value);
      return isNumber ? numberIn(value) : placeOf(value);
    },
  };
}

/** Bars and areas on top of each other; bars of negative values below. Others start at 0. */
export function stacked(series: readonly Series[]): readonly Series[] {
  const [above, beneath] = [new Map<number, number>(), new Map<number, number>()];
  const areas: Top[] = [];
  return series.map((each) => {
    if (each.kind === "line") return each;
    const points = each.points.map(({ x, to: value }) => {
      const side = value < 0 ? beneath : above;
      const from = each.kind === "bar" ? (side.get(x) ?? 0) : topAt(areas, x);
      if (each.kind === "bar") side.set(x, from + value);
      return { x, from, to: from + value };
    });
    if (each.kind === "area") areas.unshift({ points, holes: new Set(endsOfHoles(points.map(({ x }) => x))) });
    return { ...each, points };
  });
}

const placeOf = bisector(({ x }: Span) => x);

/** The upper line of an area, and the ends of its holes. */
interface Top {
  readonly points: readonly Span[];
  readonly holes: ReadonlySet<number>;
}

/** Height of the uppermost area that has one here; where its data is missing it has none. */
function topAt(areas: readonly Top[], x: number): number {
  for (const { points, holes } of areas) {
    const i = placeOf.left(points, x);
    const [a, b] = [points[i - 1], points[i]];
    if (b?.x === x) return b.to;
    if (a && b && !holes.has(b.x)) return a.to + ((b.to - a.to) * (x - a.x)) / (b.x - a.x);
  }
  return 0;
}

/** Share of the steps that are near the usual one where data comes at regular times. */
const REGULAR = 0.7;
/** Steps around one that say what is usual there: data may come less often by night. */
const AROUND = 5;

/** The ends of holes: steps of more than three times the usual one. Where data comes at any time there are none. */
export function endsOfHoles(times: readonly number[]): readonly number[] {
  const steps = pairs(times, (a, b) => b - a);
  const moves = steps.filter((step) => step > 0);
  const usual = median(moves) ?? 0;
  const near = moves.filter((step) => step > usual / 2 && step < usual * 1.5).length;
  if (moves.length < 3 || near < moves.length * REGULAR) return [];
  const ends: number[] = [];
  for (const [i, step] of steps.entries()) {
    if (step <= 3 * usual) continue;
    const around = [...steps.slice(Math.max(0, i - AROUND), i), ...steps.slice(i + 1, i + 1 + AROUND)];
    const end = times[i + 1];
    if (end !== undefined && step > 3 * (median(around) ?? usual)) ends.push(end);
  }
  return ends;
}

/** Few enough points to draw: of each column of pixels the lowest and the highest. */
export function thinned(points: readonly Span[], most: number): readonly Span[] {
  if (points.length <= most) return points;
  const first = points[0]?.x ?? 0;
  const span = (points.at(-1)?.x ?? 0) - first || 1;
  const columns = Math.max(1, Math.floor(most / 2));
  const kept = new Map<number, { low: Span; high: Span }>();
  for (const point of points) {
    const column = Math.min(columns - 1, Math.floor(((point.x - first) / span) * columns));
    const known = kept.get(column);
    if (known === undefined) kept.set(column, { low: point, high: point });
    else if (point.to < known.low.to) known.low = point;
    else if (point.to > known.high.to) known.high = point;
  }
  return [...kept.values()].flatMap(({ low, high }) =>
    low === high ? [low] : low.x <= high.x ? [low, high] : [high, low],
  );
}

/** Thinned, with a hole wherever data is missing. */
export function thinnedWithGaps(points: readonly Span[], most: number): readonly Span[] {
  const ends = endsOfHoles(points.map(({ x }) => x));
  let next = 0;
  return thinned(points, most).flatMap((point) => {
    const isAfterGap = (ends[next] ?? Number.POSITIVE_INFINITY) <= point.x;
    while ((ends[next] ?? Number.POSITIVE_INFINITY) <= point.x) next += 1;
    return isAfterGap ? [{ x: point.x, from: Number.NaN, to: Number.NaN }, point] : [point];
  });
}

/** The same positions of all bars, few enough to have a pixel each. */
export function thinnedBars(series: readonly Series[], most: number): readonly Series[] {
  const bars = series.filter(({ kind }) => kind === "bar").flatMap(({ points }) => points);
  if (new Set(bars.map(({ x }) => x)).size <= most) return series;
  const kept = new Set(
    thinned(
      bars.sort((a, b) => a.x - b.x),
      most,
    ).map(({ x }) => x),
  );
  return series.map((each) =>
    each.kind === "bar" ? { ...each, points: each.points.filter(({ x }) => kept.has(x)) } : each,
  );
}
