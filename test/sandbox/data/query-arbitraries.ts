import fc from "fast-check";
import type { ModelQuery, ModelRow } from "./naive-model.ts";
import { NOW_MS } from "./store-helper.ts";

export const DAY_MS = 86_400_000;
const KINDS = [
  ...["default", "count", "avg", "sum", "aggregate", "conditional", "min", "max"],
  ...["last_item", "first_item", "last_value", "first_value", "last_location", "first_location"],
  ...["last_insert", "first_insert", "avg_by_variable", "sum_by_variable", "min_by_variable", "max_by_variable"],
  "count_by_variable",
];
const VARIABLES = ["temperature", "humidity", "état", "pressão", "v_1"];

/** Sums of quarters are exact, in whatever order they are added. */
const number = fc.integer({ min: -12, max: 12 }).map((n) => n / 4);
const value = fc.oneof(
  { weight: 5, arbitrary: number },
  fc.constantFrom("25", "10", "on", "", "ünï", "true"),
  fc.boolean(),
  fc.constant(undefined),
);
/** Few different moments, so that equal times are common, and some long ago. */
export const moment = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 12 }).map((n) => NOW_MS - n * 7 * 60_000) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 20 }).map((n) => NOW_MS - n * 1.5 * DAY_MS) },
  fc.integer({ min: Date.parse("1965-03-01T00:00:00Z"), max: NOW_MS + 40 * DAY_MS }),
);
export const row = fc.record({
  variable: fc.constantFrom(...VARIABLES).chain((name) => fc.constantFrom(name, name.toUpperCase())),
  value,
  unit: fc.constantFrom(undefined, "C", "%"),
  group: fc.constantFrom(undefined, "g1", "g2", "a,b"),
  location: fc.constantFrom(undefined, undefined, { lat: 1.5, lng: -70.25 }),
  timeMs: moment,
});
export type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const few = <T>(items: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<T[]>([]) }, fc.uniqueArray(items, { minLength: 1, maxLength: 3 }));
export const query = fc.record({
  kind: fc.constantFrom(...KINDS),
  variables: fc.oneof(
    fc.constant<string[]>([]),
    fc.uniqueArray(fc.constantFrom(...VARIABLES, "unknown"), { maxLength: 4 }),
  ),
  groups: few(fc.constantFrom("g1", "g2", "a,b", "none")),
  idPicks: few(fc.nat(30)),
  values: few(fc.constantFrom("25", "10", "true", "on", "2.5", "-1")),
  from: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
  to: fc.option(fc.integer({ min: -3, max: 25 }), { nil: undefined }),
  qty: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  skip: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  ascending: fc.boolean(),
  details: fc.boolean(),
  interval: fc.constantFrom("minute", "hour", "day", "month", "quarter", "year"),
  comparison: fc.constantFrom("gt", "gte", "lt", "lte", "eq", "ne"),
  function: fc.constantFrom("avg", "sum", "min", "max"),
  threshold: number,
  form: fc.nat(1_000),
});
export type Drawn = typeof query extends fc.Arbitrary<infer T> ? T : never;

export function body(drawn: Row): object {
  const { timeMs, ...rest } = drawn;
  return { ...rest, time: new Date(timeMs).toISOString() };
}

export function toModel(drawn: Drawn, held: readonly ModelRow[]): ModelQuery {
  const { idPicks, from, to, comparison, qty, skip, form: _form, threshold, ...rest } = drawn;
  const needsStart = ["avg", "sum", "conditional"].includes(drawn.kind);
  const startDays = from ?? (needsStart ? 20 : undefined);
  // Averages allow about a month; the end is then at most now.
  const endDays = needsStart && to !== undefined ? Math.max(0, to) : to;
  return {
    ...rest,
    threshold,
    ...(qty !== undefined && { qty }),
    ...(skip !== undefined && { skip }),
    function: drawn.kind === "conditional" ? comparison : drawn.function,
    ids: idPicks.map((pick) => held[pick]?.id ?? "000000000000000000000000"),
    ...(startDays !== undefined && { fromMs: NOW_MS - startDays * DAY_MS }),
    ...(endDays !== undefined && { toMs: NOW_MS - endDays * DAY_MS }),
  };
}

/** Encodes a list in one of the ways clients do. */
function encodeList(name: string, list: readonly string[], form: number): Record<string, unknown> {
  const [only] = list;
  if (only === undefined) return form % 3 === 0 ? { [name]: "" } : {};
  const hasComma = list.some((item) => item.includes(","));
  if (list.length === 1 && !hasComma && form % 3 === 0) return { [name]: only };
  if (form % 3 === 1) return { [name]: Object.fromEntries(list.map((item, index) => [String(index), item])) };
  if (form % 5 === 2 && !hasComma && /^(variable|id)/.test(name)) return { [name]: list.join(",") };
  return { [name]: list };
}

const KOLKATA_MS = 5.5 * 3_600_000;

/** Writes a bound in one of the forms of a date; plain ones are in the timezone that goes with them. */
function encodeDate(ms: number, edge: "start" | "end", form: number, isLocal: boolean): string {
  const days = (edge === "start" ? NOW_MS - ms : ms - NOW_MS) / DAY_MS;
  if (form % 5 === 0 && days >= 0) return [`${days} days`, `${days}d`, `${days * 24} hours`][form % 3] ?? "";
  if (form % 4 === 1) return new Date(isLocal ? ms + KOLKATA_MS : ms).toISOString().replace("T", " ").replace("Z", "");
  if (form % 4 === 2) return String(ms);
  if (form % 4 === 3) return new Date(ms + KOLKATA_MS).toISOString().replace("Z", "+05:30");
  return new Date(ms).toISOString();
}

/** The parameters of a query, spelled with one of the names and forms each has. */
export function encode(asked: ModelQuery, form: number): Record<string, unknown> {
  const alias = (...names: readonly string[]): string => names[form % names.length] ?? "";
  const isConditional = asked.kind === "conditional";
  const params: Record<string, unknown> = {
    ...encodeList(alias("variables", "variable"), form % 2 === 0 ? asked.variables : asked.variables.map(upper), form),
    ...encodeList(alias("groups", "group", "series", "serie"), asked.groups, form),
    ...encodeList(alias("ids", "id"), asked.ids, form),
    ...encodeList(isConditional ? "values" : alias("values", "value"), asked.values, form),
    [alias("details", "detail")]: asked.details ? alias("true", "True", "1") : alias("false", "False", "0"),
    unknown_parameter: "x",
  };
  if (asked.kind !== "default") params["query"] = asked.kind;
  else if (form % 3 > 0) params["query"] = alias("default", "defaultQ");
  const isLocal = form % 7 < 3;
  if (isLocal) params["timezone"] = "Asia/Kolkata";
  if (asked.fromMs !== undefined) params["start_date"] = encodeDate(asked.fromMs, "start", form, isLocal);
  if (asked.toMs !== undefined) params["end_date"] = encodeDate(asked.toMs, "end", form + 1, isLocal);
  if (asked.qty !== undefined) params["qty"] = String(asked.qty);
  if (asked.skip !== undefined) params["skip"] = String(asked.skip);
  if (asked.ascending) params["ordination"] = alias("ascending", "ASC", "asc");
  else if (form % 2 === 1) params["ordination"] = alias("descending", "DESC", "desc");
  if (asked.kind === "aggregate") Object.assign(params, { interval: asked.interval, function: asked.function });
  if (isConditional) Object.assign(params, { function: asked.function, value: String(asked.threshold) });
  return params;
}

function upper(text: string): string {
  return text.toUpperCase();
}
