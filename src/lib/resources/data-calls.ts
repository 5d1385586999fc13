import { InputError } from "../core/errors.ts";
import { DATA_STREAM_WAIT_MS, MAX_DATA_STREAM_QTY } from "../core/limits.ts";
import { batchQty, batchWait, type PageStream } from "../core/streaming.ts";
import type { Clock } from "../http/retry.ts";
import type { DataQuery, DataStreamOptions, GenericID } from "./data-types.ts";

/** The query as it goes out: `default` is what the platform does without one. */
export function dataParameters(query: DataQuery | undefined): Record<string, unknown> | undefined {
  if (query === undefined || query === null) return undefined;
  const { query: kind, ...rest } = query;
  return kind === undefined || kind === "default" ? { ...rest } : { ...rest, query: kind };
}

/** Refuses conditions that vanish on the wire: an empty id list would turn "these" into "any". */
export function deleteParameters(query: DataQuery | undefined): Record<string, unknown> | undefined {
  for (const name of ["ids", "variables", "variable", "groups", "series", "values"] as const) {
    const value = query?.[name];
    if (Array.isArray(value) && value.length === 0)
      throw new InputError(`Nothing to delete: "${name}" is an empty list`, name);
  }
  return dataParameters(query);
}

/** How many variables a query names: the platform applies qty and skip to each. */
function variableCount(query: DataQuery): number {
  const { variables } = query;
  return Array.isArray(variables) && variables.length > 0 ? variables.length : 1;
}

/** The pages of a data query, ascending by time. */
export function dataStream<Row>(
  query: DataQuery,
  options: DataStreamOptions,
  clock: Clock,
  read: (parameters: Record<string, unknown>) => Promise<Row[]>,
): PageStream<Row> {
  const total = batchQty(options.poolingRecordQty, MAX_DATA_STREAM_QTY);
  const qty = Math.ceil(total / variableCount(query));
  const { query: _kind, ...rest } = query;
  return {
    qty,
    waitMs: batchWait(options.poolingTime, DATA_STREAM_WAIT_MS),
    initialSkip: options.initialSkip ?? 0,
    neverStop: options.neverStop ?? false,
    clock,
    signal: options.signal,
    read: (skip) => read({ ...rest, qty, skip, ordination: "ascending" }),
  };
}

/** One id or several, as a list. */
export function idList(ids: GenericID | readonly GenericID[]): readonly GenericID[] {
  return typeof ids === "string" ? [ids] : ids;
}
