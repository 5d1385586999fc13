import { option, optionFlag, optionList } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import { parseDuration, parseInstant } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";

/** Which records of a device are meant. */
export interface DataSelection {
  readonly variables?: string[];
  readonly groups?: string[];
  readonly ids?: string[];
  readonly start_date?: string;
  readonly end_date?: string;
}

/** Flags that say which records are meant; reading, counting and deleting share them. */
export const selectionOptions: readonly OptionSpec[] = [
  { name: "variable", value: "name", summary: "only this variable", repeat: true },
  { name: "group", value: "id", summary: "only this group", repeat: true },
  { name: "id", value: "id", summary: "only the record with this id", repeat: true },
  { name: "from", value: "time", summary: "only records from this time on: 2026-01-31, -24h, today" },
  { name: "to", value: "time", summary: "only records up to this time" },
  { name: "last", value: "duration", summary: "only records of this period: 24h, 7d" },
];

export function selectionFrom(ctx: CommandContext, input: CommandInput): DataSelection {
  const from = option(input, "from");
  const to = option(input, "to");
  const last = option(input, "last");
  const nowMs = ctx.clock.now();
  if (last !== undefined && (from !== undefined || to !== undefined)) {
    throw usageError("--last cannot be used with --from or --to.", { next: "Use --last 24h, or --from and --to." });
  }
  const start =
    last === undefined ? from && parseInstant(from, "--from", nowMs) : new Date(nowMs - parseDuration(last, "--last"));
  const end = to === undefined ? undefined : endOf(to, nowMs);
  if (start instanceof Date && end !== undefined && start > end) {
    throw usageError("--from is later than --to.", { next: "Swap the two values." });
  }
  const names = { variables: "variable", groups: "group", ids: "id" } as const;
  const lists: { variables?: string[]; groups?: string[]; ids?: string[] } = {};
  for (const [member, flag] of Object.entries(names)) {
    const values = optionList(input, flag);
    if (values.length > 0) Object.assign(lists, { [member]: [...values] });
  }
  return {
    ...lists,
    ...(start instanceof Date ? { start_date: start.toISOString() } : {}),
    ...(end === undefined ? {} : { end_date: end.toISOString() }),
  };
}

/** A day as the end of a range means all of it. */
function endOf(text: string, nowMs: number): Date {
  const moment = parseInstant(text, "--to", nowMs);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return moment;
  moment.setDate(moment.getDate() + 1);
  return new Date(moment.getTime() - 1);
}

/** True when the flags leave any record out. */
export function isNarrowed(selection: DataSelection): boolean {
  return Object.keys(selection).length > 0;
}

/** Short names of query kinds, beside the platform's own. */
const shortQueries: Readonly<Record<string, string>> = { last: "last_item", first: "first_item" };

const queryKinds = [
  ...["last", "first", "min", "max", "avg", "sum", "count"],
  ...[
    "last_item",
    "first_item",
    "last_value",
    "first_value",
    "last_location",
    "first_location",
    "last_insert",
    "first_insert",
  ],
  ...["aggregate", "conditional"],
] as const;

/** Flags of the query kinds. */
export const queryOptions: readonly OptionSpec[] = [
  { name: "query", value: "kind", summary: "run a query instead of listing records", choices: queryKinds },
  {
    name: "interval",
    value: "unit",
    summary: "aggregate: length of an interval",
    choices: ["minute", "hour", "day", "month", "quarter", "year"],
  },
  {
    name: "function",
    value: "name",
    summary: "aggregate: avg sum min max; conditional: gt gte lt lte eq ne",
    choices: ["avg", "sum", "min", "max", "gt", "gte", "lt", "lte", "eq", "ne"],
  },
  { name: "value", value: "n", summary: "conditional: number to compare with" },
];

/** Kinds that are answered by one number. */
const numberQueries = new Set(["avg", "sum", "count"]);
const needsStart = new Set(["avg", "sum", "conditional"]);

export interface DataQuestion {
  /** Members to add to the query string. */
  readonly parameters: Readonly<Record<string, string | number>>;
  /** The answer is one number. */
  readonly isNumber: boolean;
}

/** The question of `--query`, or nothing for a plain list. */
export function questionFrom(input: CommandInput, selection: DataSelection): DataQuestion | undefined {
  const asked = option(input, "query");
  if (asked === undefined) {
    const stray = ["interval", "function", "value"].find((name) => option(input, name) !== undefined);
    if (stray === undefined) return undefined;
    throw usageError(`--${stray} needs --query aggregate or conditional.`, { next: "Add --query." });
  }
  const query = shortQueries[asked] ?? asked;
  if (needsStart.has(query) && selection.start_date === undefined) {
    throw usageError(`--query ${asked} needs a start time.`, {
      next: "Add --last 24h or --from.",
      why: "The platform requires one.",
    });
  }
  return { parameters: { query, ...detailsOf(query, input) }, isNumber: numberQueries.has(query) };
}

function detailsOf(query: string, input: CommandInput): Record<string, string | number> {
  const wanted =
    query === "aggregate" ? ["interval", "function"] : query === "conditional" ? ["function", "value"] : [];
  const details: Record<string, string | number> = {};
  for (const name of wanted) {
    const text = option(input, name);
    if (text === undefined) throw usageError(`--query ${query} needs --${name}.`, { next: `Add --${name}.` });
    details[name] = text;
  }
  if (query === "conditional") {
    const value = Number(details["value"]);
    if (Number.isNaN(value)) throw usageError("--value must be a number.", { next: "Example: --value 8." });
    details["value"] = value;
  }
  return details;
}

/** Whether `--details` was given: `created_at` of every record. */
export function wantsDetails(input: CommandInput): boolean {
  return optionFlag(input, "details");
}
