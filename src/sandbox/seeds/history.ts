import { isRecord } from "../../lib/core/json.ts";
import { createRandom, type Random } from "../../lib/core/random.ts";
import type { History, Reading, Series, Term, Variable } from "../../schema/seed/history.ts";
import type { DataValue, GeoPoint, NewRow } from "../data/types.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** One sample of a series. */
interface Sample {
  readonly timeMs: number;
  /** Counts from 0, the oldest. */
  readonly index: number;
  readonly random: Random;
}

interface Phase {
  readonly every?: number | undefined;
  readonly of: number;
  readonly from: number;
  readonly count: number;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Number of the period, or of the sample where the series specifies no period. */
const counted = ({ timeMs, index }: Sample, every: number | undefined): number =>
  every === undefined ? index : Math.floor(timeMs / every);

function isIn({ every, of, from, count }: Phase, sample: Sample): boolean {
  const at = counted(sample, every) % of;
  return at >= from && at < from + count;
}

function amountOf(term: Exclude<Term, number>, sample: Sample): number {
  const { timeMs, index, random } = sample;
  // A wave from -1 to 1, highest at the given hour (UTC).
  if ("daily" in term) return term.daily * Math.cos(((timeMs / HOUR_MS - term.peak) / 24) * 2 * Math.PI);
  if ("season" in term) return term.season * Math.sin(timeMs / (DAY_MS * term.days));
  if ("noise" in term) return (random() + random() - 1) * term.noise;
  if ("random" in term) return random() * term.random;
  if ("cycle" in term) return term.cycle[counted(sample, term.every) % term.cycle.length] ?? 0;
  if ("pulse" in term) return isIn(term, sample) ? term.pulse : 0;
  const steps = index * term.step;
  return term.factor * (term.modulo === undefined ? steps : steps % term.modulo);
}

/** Terms are added from left to right: another order would round otherwise. */
function sumOf(terms: readonly Term[], sample: Sample): number {
  let sum = 0;
  for (const term of terms) sum += typeof term === "number" ? term : amountOf(term, sample);
  return sum;
}

function valueAt({ value, digits, min, max }: Variable, sample: Sample): DataValue {
  if (!Array.isArray(value)) {
    if (typeof value !== "object") return value;
    return value.cycle[counted(sample, value.every) % value.cycle.length] ?? "";
  }
  const sum = Math.max(min ?? Number.NEGATIVE_INFINITY, sumOf(value, sample));
  return round(Math.min(max ?? Number.POSITIVE_INFINITY, sum), digits);
}

const point = (lng: number, lat: number): GeoPoint => ({
  type: "Point",
  coordinates: [round(lng, 6), round(lat, 6)],
});

function locationOf(location: NonNullable<Variable["location"]>, index: number, samples: number): GeoPoint {
  if (Array.isArray(location)) return point(...location);
  const angle = (index / samples) * (2 * location.turns) * Math.PI;
  const [lng, lat] = location.center;
  return point(lng + location.radius[0] * Math.cos(angle), lat + location.radius[1] * Math.sin(angle));
}

function metadataOf(metadata: NonNullable<Variable["metadata"]>, sample: Sample): object {
  const isSum = (each: unknown): each is { readonly value: readonly Term[]; readonly digits: number } =>
    isRecord(each) && Array.isArray(each["value"]) && typeof each["digits"] === "number";
  const entries = Object.entries(metadata);
  return Object.fromEntries(
    entries.map(([key, each]) => [key, isSum(each) ? round(sumOf(each.value, sample), each.digits) : each]),
  );
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** One row of many: written without copying objects. */
function rowOf(variable: Variable, sample: Sample, samples: number, group: string): NewRow {
  const { instead, location, metadata } = variable;
  const other = instead !== undefined && isIn(instead, sample) ? instead : undefined;
  const unit = other?.unit ?? variable.unit;
  const value = other === undefined ? valueAt(variable, sample) : other.value;
  const row: Writable<NewRow> = { variable: variable.variable, value, group, timeMs: sample.timeMs };
  if (unit !== undefined) row.unit = unit;
  if (location !== undefined) row.location = locationOf(location, sample.index, samples);
  if (metadata !== undefined) row.metadata = metadataOf(metadata, sample);
  return row;
}

function readingRow({ location, value, unit, metadata, variable }: Reading): Omit<NewRow, "group" | "timeMs"> {
  return {
    variable,
    ...(value === undefined ? {} : { value }),
    ...(unit === undefined ? {} : { unit }),
    ...(location === undefined ? {} : { location: point(...location) }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Samples at a fixed interval, the last one at or before the end of the series. */
function seriesRows(series: Series, random: Random, nowMs: number): NewRow[] {
  const { every, samples, variables, before } = series;
  const groupOf = createGroups(random);
  const lastMs = Math.floor((nowMs + series.until) / every) * every;
  const firstMs = lastMs - (samples - 1) * every;
  const gaps = series.gaps.map(([from, to]) => [nowMs + from, nowMs + to] as const);
  const rows: NewRow[] = before.map((reading) => ({
    ...readingRow(reading),
    group: groupOf(samples),
    timeMs: firstMs - every,
  }));
  for (let index = 0; index < samples; index += 1) {
    const timeMs = firstMs + index * every;
    if (gaps.some(([from, to]) => timeMs >= from && timeMs < to)) continue;
    const sample = { timeMs, index, random };
    const group = groupOf(index);
    for (const variable of variables) rows.push(rowOf(variable, sample, samples, group));
  }
  return rows;
}

type NextRow = Omit<NewRow, "timeMs" | "group">;

/** Numbers that a variable takes in turn, and no other terms, are states: there are none between them. */
const isSmooth = ({ value }: Variable): boolean =>
  Array.isArray(value) && !value.every((term) => typeof term !== "number" && "cycle" in term);

/** A value on the way from one sample to the next; what is no number, or one of several, changes with the sample. */
function between(
  variable: Variable,
  from: NextRow,
  to: NextRow,
  share: number,
  position: number,
  samples: number,
): NextRow {
  const row: Writable<NextRow> = { ...from };
  if (isSmooth(variable) && typeof from.value === "number" && typeof to.value === "number")
    row.value = round(from.value + (to.value - from.value) * share, variable.digits);
  if (variable.location !== undefined) row.location = locationOf(variable.location, position, samples);
  return row;
}

/**
 * The rows of a series after its end, at any time: they move on at the pace of its samples, from one to the next. The caller
 * sets their time and group.
 */
export function createNextRows(series: Series, random: Random, startMs: number): (nowMs: number) => NextRow[] {
  const { every, samples, variables } = series;
  const rowsAt = (index: number): NextRow[] => {
    const sample = { timeMs: startMs + (index - samples) * every, index, random };
    return variables.map((variable) => {
      const { group: _group, timeMs: _time, ...row } = rowOf(variable, sample, samples, "");
      return row;
    });
  };
  let index = samples;
  let [last, next] = [rowsAt(index), rowsAt(index + 1)];
  return (nowMs) => {
    const position = samples + Math.max(0, nowMs - startMs) / every;
    const now = Math.floor(position);
    if (now > index) {
      // The clock may have moved over several samples.
      last = now === index + 1 ? next : rowsAt(now);
      next = rowsAt(now + 1);
      index = now;
    }
    const share = Math.max(0, position - index);
    return variables.map((variable, i) => {
      const [from, to] = [last[i], next[i]];
      if (from === undefined || to === undefined) throw new Error("A series lost one of its variables");
      return between(variable, from, to, share, position, samples);
    });
  };
}

/**
 * Initial data of a device, oldest row first. The same seed and time produce the same rows. `stream` separates the
 * random numbers of devices.
 */
export function historyOf(history: History, stream: string, nowMs: number, seed: number): NewRow[] {
  const lists = history.map((part, at) => {
    const random = createRandom(seed, part.stream ?? (at === 0 ? stream : `${stream} ${at}`));
    if (!("rows" in part)) return seriesRows(part, random, nowMs);
    const groupOf = createGroups(random);
    return part.rows.map((reading, index) => ({
      ...readingRow(reading),
      group: groupOf(index),
      timeMs: nowMs - HOUR_MS + index,
    }));
  });
  const [only = []] = lists;
  return lists.length < 2 ? only : lists.flat().sort((a, b) => a.timeMs - b.timeMs);
}

/** Groups of one device: rising, and too large to look like an id that starts with a time. */
function createGroups(random: Random): (index: number) => string {
  const part = (): string =>
    Math.floor(random() * 0x1000000)
      .toString(16)
      .padStart(6, "0");
  const prefix = `ff${part()}${part()}`;
  return (index) => prefix + index.toString(16).padStart(10, "0");
}
