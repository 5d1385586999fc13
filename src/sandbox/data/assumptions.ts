import type { Gap } from "../core/gap.ts";
import { dataGaps } from "./gaps.ts";
import { readText } from "./params.ts";
import type { DataQuery } from "./types.ts";

const MONTH_MS = 28 * 86_400_000;

type Params = Readonly<Record<string, unknown>>;

const LISTS = ["variables", "variable", "ids", "id", "groups", "group", "series", "serie", "values", "value"];

const hasComma = (params: Params): boolean =>
  LISTS.some((name) => typeof params[name] === "string" && params[name].includes(","));

/** True for a value that is present but ignored, because it is invalid. */
function isUnreadable(params: Params, name: "qty" | "skip" | "ordination"): boolean {
  const text = readText(params, name);
  if (text === undefined) return false;
  if (name === "ordination") return !/^(asc|desc)(ending)?$/i.test(text);
  const count = Math.floor(Number(text));
  return Number.isNaN(count) || count < (name === "qty" ? 1 : 0);
}

function questionGaps(params: Params, { filter, question }: DataQuery, nowMs: number): Gap[] {
  const { variables, fromMs, toMs = nowMs } = filter;
  const isPerVariable = question.kind === "pick" || question.kind === "aggregate" || question.kind === "summary";
  const isLongMonth =
    question.kind === "number" && question.of !== "count" && fromMs !== undefined && toMs - fromMs > MONTH_MS;
  return [
    ...(isPerVariable && variables.length === 0 ? [dataGaps.everyVariable] : []),
    ...(isLongMonth ? [dataGaps.month] : []),
    ...(question.kind === "aggregate" && readText(params, "qty") !== undefined ? [dataGaps.aggregate] : []),
    ...(question.kind === "summary" && fromMs === undefined ? [dataGaps.summary] : []),
    ...(question.kind === "conditional" && variables.length !== 1 ? [dataGaps.conditional] : []),
  ];
}

/** Assumptions the response to a valid query rests on. Errors name theirs where they are thrown. */
export function queryGaps(params: Params, query: DataQuery, nowMs: number): readonly Gap[] {
  const isUnread = (["qty", "skip", "ordination"] as const).some((name) => isUnreadable(params, name));
  return [
    ...(hasComma(params) ? [dataGaps.commas] : []),
    ...(isUnread ? [dataGaps.unreadable] : []),
    ...questionGaps(params, query, nowMs),
  ];
}
