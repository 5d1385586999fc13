import { assertId } from "../api/assert.ts";
import type { Given } from "../api/list-query.ts";
import { batchQty, batchWait, pacer, readPages, readsByTime } from "../api/streaming.ts";
import { readWindows, type WindowStream } from "../api/time-window.ts";
import { InputError } from "../core/errors.ts";
import { DATA_STREAM_WAIT_MS, MAX_DATA_STREAM_QTY } from "../core/limits.ts";
import { stoppable } from "../core/stoppable.ts";
import type { Clock } from "../http/retry.ts";
import type { DataQuery, DataStreamOptions, DeviceData, GenericID } from "./data-types.ts";

/** The query as it goes out: `default` is what the platform does without one. */
export function dataParameters(query: Given<DataQuery> | undefined): Record<string, unknown> | undefined {
  if (query === undefined || query === null) return undefined;
  const { query: kind, ...rest } = query;
  return kind === undefined || kind === "default" ? { ...rest } : { ...rest, query: kind };
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === "";

/** Rejects conditions that vanish on the wire: an empty id list would turn "these" into "any". */
export function deleteParameters(query: Given<DataQuery> | undefined): Record<string, unknown> | undefined {
  if (query === undefined || query === null) return undefined;
  if (typeof query !== "object" || Array.isArray(query))
    throw new InputError("Invalid queryParams: it must be an object", "queryParams");
  // A program that names ids means those ids, also when it has none.
  if (Object.hasOwn(query, "ids") && isNothing(query.ids))
    throw new InputError('Nothing to delete: "ids" is empty', "ids");
  for (const name of ["ids", "variables", "variable", "groups", "series", "values"] as const) {
    const value: unknown = query[name];
    if (!Array.isArray(value) && value !== "") continue;
    if (value === "" || value.length === 0)
      throw new InputError(`Nothing to delete: "${name}" is ${value === "" ? "empty" : "an empty list"}`, name);
    if (value.some(isNothing)) throw new InputError(`Nothing to delete: "${name}" holds an empty item`, name);
  }
  return dataParameters(query);
}

/** The variables of a query when there are several: the platform applies qty and skip to each of them. */
function severalVariables({ variables }: Given<DataQuery>): readonly string[] | undefined {
  return Array.isArray(variables) && variables.length > 1 ? variables : undefined;
}

/** A variable named twice would be read twice. */
function withDistinctVariables(query: Given<DataQuery>): Given<DataQuery> {
  const { variables } = query;
  return Array.isArray(variables) ? { ...query, variables: [...new Set(variables as readonly string[])] } : query;
}

type Read<Row> = (parameters: Record<string, unknown>) => Promise<Row[]>;

/** The pages of a data query, ascending by time. Leaving the stream aborts the request or wait it is in. */
export function dataStream<Row>(
  query: Given<DataQuery> | undefined,
  options: DataStreamOptions | undefined,
  clock: Clock,
  read: (parameters: Record<string, unknown>, signal: AbortSignal) => Promise<Row[]>,
): AsyncGenerator<Row[], void, undefined> {
  return stoppable(options?.signal, (signal) =>
    dataPages<Row>(query, { ...options, signal }, clock, (parameters) => read(parameters, signal)),
  );
}

async function* dataPages<Row>(
  givenQuery: Given<DataQuery> | undefined,
  givenOptions: DataStreamOptions | undefined,
  clock: Clock,
  read: Read<Row>,
): AsyncGenerator<Row[], void, undefined> {
  const query = withDistinctVariables(givenQuery ?? {});
  const options = givenOptions ?? {};
  const total = batchQty(options.poolingRecordQty, MAX_DATA_STREAM_QTY);
  const waitMs = batchWait(options.poolingTime, DATA_STREAM_WAIT_MS);
  const { query: _kind, ...rest } = query;
  const several = severalVariables(query);
  const initialSkip = options.initialSkip ?? 0;
  if (readsByTime(options.window)) {
    const queries = several === undefined ? [rest] : several.map((variables) => ({ ...rest, variables }));
    const windows = queries.map((one) => dataWindow(one, read));
    const { neverStop = false, signal } = options;
    yield* readWindows(windows, { qty: total, waitMs, initialSkip, neverStop, clock, signal });
    return;
  }
  if (several !== undefined && options.neverStop === true) {
    const streams = several.map((variables) => ({ parameters: { ...rest, variables, qty: total }, skip: initialSkip }));
    yield* readInTurn(streams, pacer(clock, waitMs, options.signal), read);
    return;
  }
  const qty = Math.ceil(total / (several?.length ?? 1));
  yield* readPages({
    qty,
    waitMs,
    initialSkip,
    neverStop: options.neverStop ?? false,
    clock,
    signal: options.signal,
    read: (skip) => read({ ...rest, qty, skip, ordination: "ascending" }),
  });
}

/** A data query by the time of its records. */
function dataWindow<Row>(query: Omit<Given<DataQuery>, "query">, read: Read<Row>): WindowStream<Row> {
  return {
    maxQty: MAX_DATA_STREAM_QTY,
    keyOf: (row) => (row as DeviceData).id,
    momentOf: (row) => (row as DeviceData).time,
    read: (from, qty, turn) => {
      const start = from === undefined ? {} : { start_date: from };
      return read({ ...query, ...start, qty, skip: turn * qty, ordination: "ascending" });
    },
  };
}

/** Records still to come move each variable on by a different number, so each has its own position. Never ends by itself. */
async function* readInTurn<Row>(
  streams: { readonly parameters: Record<string, unknown>; skip: number }[],
  pace: () => Promise<void>,
  read: Read<Row>,
): AsyncGenerator<Row[], void, undefined> {
  for (;;) {
    for (const stream of streams) {
      await pace();
      const rows = await read({ ...stream.parameters, skip: stream.skip, ordination: "ascending" });
      if (rows.length > 0) yield rows;
      stream.skip += rows.length;
    }
  }
}

/** One id or several, as a list. @throws InputError for anything else */
export function idList(ids: GenericID | readonly GenericID[]): readonly GenericID[] {
  if (typeof ids === "string") return [assertId(ids, "ids")];
  if (Array.isArray(ids) && ids.every((id) => typeof id === "string" && id !== "")) return ids;
  throw new InputError("Invalid ids: it must be an id or a list of ids", "ids");
}
