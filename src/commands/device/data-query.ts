import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import type { DataSelection } from "../kit/devices/data-read.ts";
import { usageError } from "../kit/failures/command-error.ts";

const nameOptions = [
  { name: "variable", value: "name", summary: "only this variable", repeat: true },
  { name: "group", value: "id", summary: "only this group", repeat: true },
] as const satisfies Options;

const rangeOptions = [
  { name: "from", kind: "instant", summary: "only records from this time on: 2026-01-31, -24h, today" },
  { name: "to", kind: "instant", summary: "only records up to this time" },
  {
    name: "last",
    kind: "duration",
    summary: "only records of this period: 24h, 7d",
    conflicts: { flags: ["from", "to"], next: "Use --last 24h, or --from and --to." },
  },
] as const satisfies Options;

/** Flags that say which records are meant, where none is named by its id. */
export const seriesOptions = [...nameOptions, ...rangeOptions] as const satisfies Options;

/** Flags that say which records are meant; reading, counting and deleting share them. */
export const selectionOptions = [
  ...nameOptions,
  { name: "id", value: "id", summary: "only the record with this id", repeat: true },
  ...rangeOptions,
] as const satisfies Options;

type SeriesInput = Input<[], typeof seriesOptions>;
export type RecordSelectionInput = Input<[], typeof selectionOptions>;

export function selectionFrom(
  ctx: CommandContext,
  { options, texts }: SeriesInput | RecordSelectionInput,
): DataSelection {
  const { variable, group, from, to, last } = options;
  const ids = "id" in options ? options.id : [];
  const start = last === undefined ? from : new Date(ctx.clock.now() - last);
  const end = to === undefined ? undefined : endOf(to, texts?.["to"]);
  if (start !== undefined && end !== undefined && start > end) {
    throw usageError("--from is later than --to.", { next: "Swap the two values." });
  }
  return {
    ...(variable.length > 0 && { variables: [...variable] }),
    ...(group.length > 0 && { groups: [...group] }),
    ...(ids.length > 0 && { ids: [...ids] }),
    ...(start !== undefined && { start_date: start.toISOString() }),
    ...(end !== undefined && { end_date: end.toISOString() }),
  };
}

/** A day as the end of a range means all of it. */
function endOf(moment: Date, text: unknown): Date {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(String(text))) return moment;
  const end = new Date(moment);
  end.setDate(end.getDate() + 1);
  return new Date(end.getTime() - 1);
}

/** True when the flags leave any record out. */
export function isNarrowed(selection: DataSelection): boolean {
  return Object.keys(selection).length > 0;
}

/** Short names of query kinds, beside the platform's own. */
const shortQueries: Readonly<Record<string, string>> = { last: "last_item", first: "first_item" };

const queryKinds = [
  ...(["last", "first", "min", "max", "avg", "sum", "count"] as const),
  ...(["last_item", "first_item", "last_value", "first_value"] as const),
  ...(["last_location", "first_location", "last_insert", "first_insert"] as const),
  ...(["aggregate", "conditional"] as const),
] as const;

const needsQuery = { needs: ["query"] } as const;

/** Flags of the query kinds. */
export const queryOptions = [
  {
    name: "query",
    value: "kind",
    summary: "run a query instead of listing records",
    choices: queryKinds,
    conflicts: ["page", "all"],
  },
  {
    name: "interval",
    value: "unit",
    summary: "aggregate: length of an interval",
    choices: ["minute", "hour", "day", "month", "quarter", "year"],
    ...needsQuery,
  },
  {
    name: "function",
    value: "name",
    summary: "aggregate: avg sum min max; conditional: gt gte lt lte eq ne",
    choices: ["avg", "sum", "min", "max", "gt", "gte", "lt", "lte", "eq", "ne"],
    ...needsQuery,
  },
  { name: "value", kind: "number", summary: "conditional: number to compare with", ...needsQuery },
] as const satisfies Options;

type QueryInput = Input<[], typeof queryOptions>;

/** Kinds that return one number. */
const numberQueries = new Set(["avg", "sum", "count"]);
const needsStart = new Set(["avg", "sum", "conditional"]);

export interface DataQuestion {
  /** Parameters to add to the query string. */
  readonly parameters: Readonly<Record<string, string | number>>;
  /** The result is one number. */
  readonly isNumber: boolean;
}

/** The question of `--query`, or nothing for a plain list. */
export function questionFrom({ options }: QueryInput, selection: DataSelection): DataQuestion | undefined {
  const asked = options.query;
  if (asked === undefined) return undefined;
  const query = shortQueries[asked] ?? asked;
  if (needsStart.has(query) && selection.start_date === undefined) {
    throw usageError(`--query ${asked} needs a start time.`, {
      next: "Add --last 24h or --from.",
      why: "The platform requires one.",
    });
  }
  return { parameters: { query, ...detailsOf(query, options) }, isNumber: numberQueries.has(query) };
}

function detailsOf(query: string, options: QueryInput["options"]): Record<string, string | number> {
  const wanted = detailNames[query] ?? [];
  return Object.fromEntries(
    wanted.map((name) => {
      const value = options[name];
      if (value === undefined) throw usageError(`--query ${query} needs --${name}.`, { next: `Add --${name}.` });
      return [name, value];
    }),
  );
}

const detailNames: Readonly<Record<string, readonly ("interval" | "function" | "value")[]>> = {
  aggregate: ["interval", "function"],
  conditional: ["function", "value"],
};
