import { get, type Source } from "../readers.ts";
import { below, idIn, numberIn, textOf } from "./read.ts";
import { timeIn } from "./records.ts";
import { readings, type Scene, type Shown, shownOf } from "./scene.ts";

type Kind = "line" | "area" | "bar";

/** One line, area or set of bars. */
export interface Series {
  readonly shown: Shown;
  readonly kind: Kind;
  readonly points: readonly XY[];
}

export interface XY {
  readonly x: number;
  readonly y: number;
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
  const series = shownOf(scene).map((shown): Series => {
    const points = readings(scene, shown).flatMap(({ number, timeMs, point }) => {
      const x = xOf === undefined ? timeMs : xOf.at(point.group, timeMs);
      return x === undefined ? [] : [{ x, y: number }];
    });
    if (xOf !== undefined) points.sort((a, b) => a.x - b.x);
    return { shown, kind: kindOf(scene, shown.settings), points: lastOnes(points, d) };
  });
  return { series, axis: xOf?.axis ?? "time", names };
}

function lastOnes(points: readonly XY[], d: Source): readonly XY[] {
  const most = numberIn(get(d, "max_points"));
  return most !== undefined && most >= 1 && points.length > most ? points.slice(-Math.trunc(most)) : points;
}

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

/** Few enough points to draw: of each column of pixels the lowest and the highest. */
export function thinned(points: readonly XY[], most: number): readonly XY[] {
  if (points.length <= most) return points;
  const first = points[0]?.x ?? 0;
  const span = (points.at(-1)?.x ?? 0) - first || 1;
  const columns = Math.max(1, Math.floor(most / 2));
  const kept = new Map<number, { low: number; high: number }>();
  for (const [i, { x, y }] of points.entries()) {
    const column = Math.min(columns - 1, Math.floor(((x - first) / span) * columns));
    const known = kept.get(column);
    if (known === undefined) kept.set(column, { low: i, high: i });
    else {
      if (y < (points[known.low]?.y ?? y)) known.low = i;
      if (y > (points[known.high]?.y ?? y)) known.high = i;
    }
  }
  const places = [...kept.values()].flatMap(({ low, high }) =>
    low === high ? [low] : [Math.min(low, high), Math.max(low, high)],
  );
  return places.flatMap((i) => points[i] ?? []);
}
