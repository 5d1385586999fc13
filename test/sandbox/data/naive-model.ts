/**
 * Device data as a plain list, queried with loops. Written from the rules alone, sharing nothing with the store, so
 * that both being wrong in the same way is unlikely.
 */
export interface ModelRow {
  id: string;
  variable: string;
  value?: string | number | boolean;
  unit?: string;
  group: string;
  location?: [lng: number, lat: number];
  timeMs: number;
  createdMs: number;
  /** Order of arrival. */
  arrival: number;
}

/** What is asked, before it is encoded as parameters. */
export interface ModelQuery {
  kind: string;
  variables: string[];
  groups: string[];
  ids: string[];
  values: string[];
  fromMs?: number;
  toMs?: number;
  qty?: number;
  skip?: number;
  ascending: boolean;
  details: boolean;
  interval: string;
  function: string;
  threshold: number;
}

type Order = (a: ModelRow, b: ModelRow) => number;

const oldestFirst: Order = (a, b) => a.timeMs - b.timeMs || a.arrival - b.arrival;
const newestFirst: Order = (a, b) => oldestFirst(b, a);
const byInsert: Order = (a, b) => a.createdMs - b.createdMs || a.arrival - b.arrival;

function passes(row: ModelRow, query: ModelQuery): boolean {
  if (query.groups.length > 0 && !query.groups.includes(row.group)) return false;
  if (query.ids.length > 0 && !query.ids.includes(row.id)) return false;
  if (query.values.length > 0 && (row.value === undefined || !query.values.includes(`${row.value}`))) return false;
  if (query.fromMs !== undefined && row.timeMs < query.fromMs) return false;
  return query.toMs === undefined || row.timeMs <= query.toMs;
}

function bestOf(rows: ModelRow[], kind: string): ModelRow | undefined {
  const numeric = rows.filter((row) => typeof row.value === "number");
  const number = (row: ModelRow): number => Number(row.value);
  switch (kind) {
    case "last_item":
      return rows.sort(newestFirst)[0];
    case "first_item":
      return rows.sort(oldestFirst)[0];
    case "last_value":
      return rows.filter((row) => row.value !== undefined).sort(newestFirst)[0];
    case "first_value":
      return rows.filter((row) => row.value !== undefined).sort(oldestFirst)[0];
    case "last_location":
      return rows.filter((row) => row.location !== undefined).sort(newestFirst)[0];
    case "first_location":
      return rows.filter((row) => row.location !== undefined).sort(oldestFirst)[0];
    case "last_insert":
      return rows.sort(byInsert).at(-1);
    case "first_insert":
      return rows.sort(byInsert)[0];
    case "min":
      return numeric.sort((a, b) => number(a) - number(b) || newestFirst(a, b))[0];
    case "max":
      return numeric.sort((a, b) => number(b) - number(a) || newestFirst(a, b))[0];
    default:
      return undefined;
  }
}

function intervalStart(timeMs: number, interval: string): string {
  const date = new Date(timeMs);
  if (interval === "minute") date.setUTCSeconds(0, 0);
  if (interval === "hour") date.setUTCMinutes(0, 0, 0);
  if (["day", "month", "quarter", "year"].includes(interval)) date.setUTCHours(0, 0, 0, 0);
  if (["month", "quarter", "year"].includes(interval)) date.setUTCDate(1);
  while (interval === "quarter" && date.getUTCMonth() % 3 !== 0) date.setUTCMonth(date.getUTCMonth() - 1);
  if (interval === "year") date.setUTCMonth(0);
  return date.toISOString();
}

function combine(values: number[], how: string): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (how === "sum") return sum;
  if (how === "avg") return values.length === 0 ? 0 : sum / values.length;
  return how === "min" ? Math.min(...values) : Math.max(...values);
}

const COMPARE: Record<string, (value: number, threshold: number) => boolean> = {
  gt: (value, threshold) => value > threshold,
  gte: (value, threshold) => value >= threshold,
  lt: (value, threshold) => value < threshold,
  lte: (value, threshold) => value <= threshold,
  eq: (value, threshold) => value === threshold,
  ne: (value, threshold) => value !== threshold,
};

/** A row as the platform answers it. */
export function shown(device: string, row: ModelRow, details: boolean): object {
  return {
    id: row.id,
    device,
    variable: row.variable,
    ...(row.value !== undefined && { value: row.value }),
    ...(row.unit !== undefined && { unit: row.unit }),
    group: row.group,
    ...(row.location !== undefined && { location: { type: "Point", coordinates: row.location } }),
    time: new Date(row.timeMs).toISOString(),
    ...(details && { created_at: new Date(row.createdMs).toISOString() }),
  };
}

/** The rows a query answers or deletes; `undefined` when its answer is not made of rows. */
export function rowsOf(rows: readonly ModelRow[], query: ModelQuery): ModelRow[] | undefined {
  const kept = rows.filter((row) => passes(row, query));
  const of = (variable: string): ModelRow[] => kept.filter((row) => row.variable === variable);
  const named = kept.filter((row) => query.variables.length === 0 || query.variables.includes(row.variable));
  const held = query.variables.length > 0 ? query.variables : [...new Set(rows.map((row) => row.variable))].sort();
  if (query.kind === "default") {
    const order = query.ascending ? oldestFirst : newestFirst;
    const skip = query.skip ?? 0;
    const cut = (list: ModelRow[]): ModelRow[] => list.sort(order).slice(skip, skip + (query.qty ?? 15));
    return query.variables.length === 0 ? cut(named) : query.variables.flatMap((variable) => cut(of(variable)));
  }
  if (query.kind === "conditional") {
    const holds = COMPARE[query.function];
    return named
      .filter((row) => typeof row.value === "number" && holds?.(row.value, query.threshold) === true)
      .sort(newestFirst)
      .slice(0, query.qty ?? 15);
  }
  if (/^(first|last)_|^(min|max)$/.test(query.kind)) {
    return held.flatMap((variable) => bestOf(of(variable), query.kind) ?? []);
  }
  return undefined;
}

/** The answer of the platform to a query. */
export function answer(device: string, rows: readonly ModelRow[], query: ModelQuery, nowMs: number): unknown {
  const list = rowsOf(rows, query);
  if (list !== undefined) return list.map((row) => shown(device, row, query.details));
  const kept = rows.filter((row) => passes(row, query));
  const numbersOf = (list: ModelRow[]): number[] => list.map((row) => row.value).filter((v) => typeof v === "number");
  const named = kept.filter((row) => query.variables.length === 0 || query.variables.includes(row.variable));
  if (query.kind === "count") return named.length;
  if (query.kind === "avg" || query.kind === "sum") return combine(numbersOf(named), query.kind);
  const held = query.variables.length > 0 ? query.variables : [...new Set(rows.map((row) => row.variable))].sort();
  return held.flatMap((variable) => {
    const own = kept.filter((row) => row.variable === variable);
    if (query.kind === "aggregate") return aggregate(device, variable, own, query);
    const time = new Date(nowMs).toISOString();
    if (query.kind === "count_by_variable")
      return own.length === 0 ? [] : [{ variable, value: own.length, time, device }];
    const numbers = numbersOf(own);
    const how = query.kind.replace("_by_variable", "");
    return numbers.length === 0 ? [] : [{ variable, value: combine(numbers, how), time, device }];
  });
}

function aggregate(device: string, variable: string, rows: ModelRow[], query: ModelQuery): object[] {
  const intervals = new Map<string, number[]>();
  for (const row of rows) {
    if (typeof row.value !== "number") continue;
    const start = intervalStart(row.timeMs, query.interval);
    intervals.set(start, [...(intervals.get(start) ?? []), row.value]);
  }
  return [...intervals.entries()]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([time, values]) => ({ variable, value: combine(values, query.function), time, device }));
}
