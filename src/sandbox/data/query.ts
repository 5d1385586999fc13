import { MAX_DATA_STREAM_QTY } from "../../lib/core/limits.ts";
import { addDuration, parseDuration } from "../core/duration.ts";
import type { Gap } from "../core/gap.ts";
import { PlatformError } from "../core/platform-error.ts";
import { isTimezone, parseInstant } from "./dates.ts";
import { dataGaps } from "./gaps.ts";
import { readCount, readFlag, readList, readText } from "./params.ts";
import {
  AGGREGATE_FUNCTIONS,
  COMPARISONS,
  type DataQuery,
  INTERVALS,
  PICKS,
  type Question,
  type RowFilter,
} from "./types.ts";

const DEFAULT_QTY = 15;
const DAY_MS = 86_400_000;
/** "About one month": the longest month, plus a day for dates without a time. */
const MAX_RANGE_MS = 32 * DAY_MS;

type Params = Readonly<Record<string, unknown>>;

/**
 * Parses a data query (docs/internals/platform/queries.md, Reading device data). Unknown parameters are ignored.
 *
 * @throws PlatformError 400 with the platform's message
 */
export function parseDataQuery(params: Params, nowMs: number): DataQuery {
  const kind = readText(params, "query") ?? "default";
  const filter = parseFilter(params, kind, nowMs);
  const details = readFlag(params, "details", "detail");
  return { filter, details, question: parseQuestion(kind, params, filter, nowMs) };
}

function parseFilter(params: Params, kind: string, nowMs: number): RowFilter {
  const bounds = parseBounds(params, nowMs);
  const names = readList(params, ["variables", "variable"], { commas: true });
  return {
    variables: [...new Set(names.map((name) => name.toLowerCase()))],
    groups: readList(params, ["groups", "group", "series", "serie"], { commas: false }),
    ids: readList(params, ["ids", "id"], { commas: true }),
    values: readList(params, kind === "conditional" ? ["values"] : ["values", "value"], { commas: false }),
    ...bounds,
  };
}

function parseBounds(params: Params, nowMs: number): Pick<RowFilter, "fromMs" | "toMs"> {
  const timezone = readText(params, "timezone") ?? "UTC";
  const start = readText(params, "start_date");
  const end = readText(params, "end_date");
  if ((start !== undefined || end !== undefined) && !isTimezone(timezone))
    refuse("Invalid timezone", dataGaps.unknownTimezone);
  const fromMs = start === undefined ? undefined : parseBound(start, "start", timezone, nowMs);
  const toMs = end === undefined ? undefined : parseBound(end, "end", timezone, nowMs);
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

/** A duration counts back from now for the start and forward from now for the end. */
function parseBound(text: string, edge: "start" | "end", timezone: string, nowMs: number): number {
  const instant = parseInstant(text.trim(), edge, timezone);
  if (instant !== undefined) return instant;
  const duration = parseDuration(text) ?? refuse(`Invalid ${edge} date`);
  return addDuration(nowMs, duration, edge === "start" ? -1 : 1);
}

function parseQuestion(kind: string, params: Params, filter: RowFilter, nowMs: number): Question {
  const pick = PICKS.find((name) => name === kind);
  if (pick !== undefined) return { kind: "pick", pick };
  const summary = [...AGGREGATE_FUNCTIONS, "count" as const].find((name) => kind === `${name}_by_variable`);
  if (summary !== undefined) return { kind: "summary", of: summary };
  switch (kind) {
    case "default":
    case "defaultQ":
      return parsePage(params, filter.variables.length);
    case "count":
      return { kind: "number", of: "count" };
    case "avg":
    case "sum":
      requireMonth(kind, filter, nowMs);
      return { kind: "number", of: kind };
    case "aggregate":
      return parseAggregate(params);
    case "conditional":
      return parseConditional(params, filter);
    default:
      return refuse("Invalid query", dataGaps.unknownQuery);
  }
}

/** With variables, `qty` applies to each of them, and is reduced so that the total stays within the limit. */
function parsePage(params: Params, variableCount: number): Question {
  const qty = readCount(params, "qty", { least: 1, most: MAX_DATA_STREAM_QTY, fallback: DEFAULT_QTY });
  const shared =
    variableCount * qty > MAX_DATA_STREAM_QTY ? Math.max(1, Math.round(MAX_DATA_STREAM_QTY / variableCount)) : qty;
  return {
    kind: "page",
    qty: shared,
    skip: readCount(params, "skip", { least: 0, most: Number.MAX_SAFE_INTEGER, fallback: 0 }),
    ascending: /^asc(ending)?$/i.test(readText(params, "ordination") ?? ""),
  };
}

function requireMonth(kind: "avg" | "sum", filter: RowFilter, nowMs: number): void {
  if (filter.fromMs === undefined) refuse("start_date field is required");
  if ((filter.toMs ?? nowMs) - (filter.fromMs ?? nowMs) > MAX_RANGE_MS) {
    refuse(`The maximum range for ${kind} is 1 month between start_end and end_date`);
  }
}

function parseAggregate(params: Params): Question {
  const interval = INTERVALS.find((name) => name === readText(params, "interval"));
  const of = AGGREGATE_FUNCTIONS.find((name) => name === readText(params, "function"));
  return {
    kind: "aggregate",
    interval: interval ?? refuse("Invalid interval", dataGaps.aggregate),
    of: of ?? refuse("Invalid function", dataGaps.aggregate),
  };
}

function parseConditional(params: Params, filter: RowFilter): Question {
  if (filter.fromMs === undefined) refuse("start_date field is required");
  const comparison = COMPARISONS.find((name) => name === readText(params, "function"));
  const threshold = Number(readText(params, "value")?.trim() || Number.NaN);
  return {
    kind: "conditional",
    comparison: comparison ?? refuse("Invalid function"),
    threshold: Number.isFinite(threshold) ? threshold : refuse("Invalid value"),
    qty: readCount(params, "qty", { least: 1, most: MAX_DATA_STREAM_QTY, fallback: DEFAULT_QTY }),
  };
}

function refuse(message: string, gap?: Gap): never {
  const error = new PlatformError(400, message);
  throw gap === undefined ? error : error.assumed(gap);
}
