import fc from "fast-check";
import type { ModelQuery, ModelRow } from "./naive-model.ts";
import { NOW_MS } from "./store-helper.ts";

const DAY_MS = 86_400_000;
const KOLKATA_MS = 5.5 * 3_600_000;
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
/** A bound by days, by a whole day, or by another unit of the calendar: back from now at the start, forward at the end. */
const bound = (days: { readonly min: number; readonly max: number }) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ by: fc.constant("days" as const), amount: fc.integer(days) }) },
    fc.record({ by: fc.constant("day" as const), amount: fc.integer(days) }),
    fc.record({
      by: fc.constantFrom("month", "week", "quarter", "year", "minute"),
      amount: fc.integer({ min: 0, max: 14 }),
    }),
  );
export const query = fc.record({
  kind: fc.constantFrom(...KINDS),
  variables: fc.oneof(
    fc.constant<string[]>([]),
    fc.uniqueArray(fc.constantFrom(...VARIABLES, "unknown"), { maxLength: 4 }),
  ),
  groups: few(fc.constantFrom("g1", "g2", "a,b", "none")),
  idPicks: few(fc.nat(30)),
  values: few(fc.constantFrom("25", "10", "true", "on", "2.5", "-1")),
  from: fc.option(bound({ min: 0, max: 30 }), { nil: undefined }),
  to: fc.option(bound({ min: -3, max: 25 }), { nil: undefined }),
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

/** What a bound names. `sign` is -1 at the start and 1 at the end. */
function instantOf({ by, amount }: NonNullable<Drawn["from"]>, edge: "start" | "end", isLocal: boolean): number {
  const date = new Date(NOW_MS - (by === "day" || by === "days" ? amount * DAY_MS : 0));
  if (by === "days") return date.getTime();
  if (by === "day") {
    const shift = isLocal ? KOLKATA_MS : 0;
    const local = new Date(date.getTime() + shift).setUTCHours(edge === "start" ? 0 : 24, 0, 0, 0);
    return local - shift - (edge === "start" ? 0 : 1);
  }
  const steps = edge === "start" ? -amount : amount;
  if (by === "minute") return NOW_MS + steps * 60_000;
  if (by === "week") return NOW_MS + steps * 7 * DAY_MS;
  // The fourteenth is a day of every month.
  date.setUTCMonth(date.getUTCMonth() + steps * (by === "month" ? 1 : by === "quarter" ? 3 : 12));
  return date.getTime();
}

const isLocalForm = (form: number): boolean => form % 7 < 3;

/** Averages need a start, and allow about a month. */
function isBounded({ kind }: Drawn): boolean {
  return ["avg", "sum", "conditional"].includes(kind);
}

const toBounded = (drawn: Drawn["from"], fallback: Drawn["from"]): Drawn["from"] =>
  drawn?.by === "days" ? { by: "days", amount: Math.max(0, drawn.amount) } : fallback;

/** The bounds that are sent. */
function boundsOf(drawn: Drawn): Pick<Drawn, "from" | "to"> {
  if (!isBounded(drawn)) return drawn;
  return { from: toBounded(drawn.from, { by: "days", amount: 20 }), to: toBounded(drawn.to, undefined) };
}

export function toModel(drawn: Drawn, held: readonly ModelRow[]): ModelQuery {
  const { idPicks, comparison, qty, skip, form, threshold, from: _from, to: _to, ...rest } = drawn;
  const { from, to } = boundsOf(drawn);
  const isLocal = isLocalForm(form);
  return {
    ...rest,
    threshold,
    ...(qty !== undefined && { qty }),
    ...(skip !== undefined && { skip }),
    function: drawn.kind === "conditional" ? comparison : drawn.function,
    ids: idPicks.map((pick) => held[pick]?.id ?? "000000000000000000000000"),
    ...(from !== undefined && { fromMs: instantOf(from, "start", isLocal) }),
    ...(to !== undefined && { toMs: instantOf(to, "end", isLocal) }),
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

const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  minute: [" minutes", "min", " m", "mm"],
  week: [" weeks", "w", " ww"],
  month: [" months", "M", " MM", " month"],
  quarter: [" quarters", " quarter"],
  year: [" years", "y", "yy"],
};

/** Writes a bound in one of the forms of a date; plain ones are in the timezone that goes with them. */
function encodeDate(drawn: NonNullable<Drawn["from"]>, ms: number, edge: "start" | "end", form: number): string {
  const isLocal = isLocalForm(form);
  const spelled = form + (edge === "start" ? 0 : 1);
  if (drawn.by === "day") return new Date(isLocal ? ms + KOLKATA_MS : ms).toISOString().slice(0, 10);
  const units = SPELLINGS[drawn.by];
  if (units !== undefined) return `${drawn.amount}${units[spelled % units.length]}`;
  const days = (edge === "start" ? NOW_MS - ms : ms - NOW_MS) / DAY_MS;
  if (spelled % 5 === 0 && days >= 0) return [`${days} days`, `${days}d`, `${days * 24} hours`][spelled % 3] ?? "";
  if (spelled % 4 === 1)
    return new Date(isLocal ? ms + KOLKATA_MS : ms).toISOString().replace("T", " ").replace("Z", "");
  if (spelled % 4 === 2) return String(ms);
  if (spelled % 4 === 3) return new Date(ms + KOLKATA_MS).toISOString().replace("Z", "+05:30");
  return new Date(ms).toISOString();
}

/** The parameters of a query, spelled with one of the names and forms each has. */
export function encode(asked: ModelQuery, drawn: Drawn): Record<string, unknown> {
  const { form } = drawn;
  const { from, to } = boundsOf(drawn);
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
  if (isLocalForm(form)) params["timezone"] = "Asia/Kolkata";
  if (from !== undefined) params["start_date"] = encodeDate(from, asked.fromMs ?? 0, "start", form);
  if (to !== undefined) params["end_date"] = encodeDate(to, asked.toMs ?? 0, "end", form);
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

/** A query string, with lists in one of the four forms clients write. */
export function toQueryString(params: Readonly<Record<string, unknown>>, form: number): string {
  const pair = (name: string, value: unknown): string =>
    `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;
  return Object.entries(params)
    .flatMap(([name, value]) => {
      if (typeof value !== "object" || value === null) return [pair(name, value)];
      const list: unknown[] = Object.values(value);
      if (form % 3 === 0) return list.map((item, index) => pair(`${name}[${index}]`, item));
      if (form % 3 === 1) return list.map((item) => pair(`${name}[]`, item));
      // A single text with a comma would be split.
      return list.length === 1 ? [pair(`${name}[0]`, list[0])] : list.map((item) => pair(name, item));
    })
    .join("&");
}
