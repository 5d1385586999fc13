import { MAX_DATA_STREAM_QTY } from "../../lib/core/limits.ts";
import type { Clock } from "../core/clock.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { Chunk } from "./chunks.ts";
import {
  bindable,
  compared,
  matching,
  NEWEST_FIRST,
  OLDEST_FIRST,
  page,
  picked,
  type Scope,
  type Tail,
  variablesOf,
} from "./select.ts";
import type { DataQuery, Interval, RowFilter, WireRow } from "./types.ts";

/**
 * Start of the interval that contains a time, in milliseconds, as SQL. Times before 1970 are negative, hence the double
 * `%`.
 */
function intervalStart(interval: Interval, time: string): string {
  const floored = (ms: number): string => `(${time} - ((${time} % ${ms}) + ${ms}) % ${ms})`;
  const seconds = `${floored(1000)} / 1000, 'unixepoch'`;
  const calendar = (...modifiers: readonly string[]): string =>
    `CAST(strftime('%s', ${seconds}, ${modifiers.join(", ")}) AS INTEGER) * 1000`;
  switch (interval) {
    case "minute":
      return floored(60_000);
    case "hour":
      return floored(3_600_000);
    case "day":
      return floored(86_400_000);
    case "month":
      return calendar("'start of month'");
    case "quarter":
      return calendar("'start of month'", `'-' || ((strftime('%m', ${seconds}) - 1) % 3) || ' months'`);
    case "year":
      return calendar("'start of year'");
  }
}

/**
 * Steps through the intervals from the newest to the oldest in the response: the rows of each are one range of the
 * index, in order, so nothing is sorted and nothing beyond the last interval is read. Values: device, variable, first
 * and last time.
 */
function steppedAggregate(interval: Interval, of: string): string {
  const rows = "device_data AS d INDEXED BY data_by_variable WHERE d.device = ?1 AND d.variable = ?2";
  const numbers = `${rows} AND d.number IS NOT NULL`;
  const start = intervalStart(interval, "newest.time");
  const last = "ORDER BY d.time DESC LIMIT 1";
  // One lower and one upper bound each: the index uses no more.
  return `WITH RECURSIVE newest(time) AS (
      SELECT (SELECT d.time FROM ${numbers} AND d.time >= ?3 AND d.time <= ?4 ${last})
      UNION ALL
      SELECT (SELECT d.time FROM ${numbers} AND d.time >= ?3 AND d.time < ${start} ${last})
      FROM newest WHERE newest.time IS NOT NULL
      LIMIT ${MAX_DATA_STREAM_QTY}
    )
    SELECT ${start} AS start,
      (SELECT ${of}(d.number) FROM ${numbers} AND d.time >= max(?3, ${start}) AND d.time <= newest.time) AS answer
    FROM newest WHERE newest.time IS NOT NULL`;
}

interface IntervalRow {
  readonly start: number;
  readonly answer: number | null;
}

const PAGE_ROWS = 2_000;

/** What cells of a row can contain, as SQL. */
const CELLS = {
  id: "id",
  variable: "variable",
  /** Numbers as numbers, everything else as strings. */
  value: "coalesce(number, text)",
  value_json: "wire -> '$.value'",
  value_number: "number",
  unit: "wire ->> '$.unit'",
  group: "grp",
  /** In milliseconds. */
  time: "time",
  location: "wire -> '$.location'",
  metadata: "wire -> '$.metadata'",
} as const;

/** A part of a row, or the same string for all rows. */
export type Cell = keyof typeof CELLS | { readonly constant: string };

/** A page of rows as JSON text: a list of lists. */
export interface CellPage {
  readonly json: string;
  readonly rows: number;
}

/** Reads stored rows, for queries and for pages of whole chunks. */
export class DataReader {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;

  constructor(db: SandboxDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The SELECTs whose rows form the response, in this order; `undefined` when the response has no rows. */
  rowTails(deviceId: string, { filter, question }: DataQuery, mutableOnly: boolean): readonly Tail[] | undefined {
    const scope: Scope = { deviceId, filter, mutableOnly };
    const forEach = (names: readonly string[], make: (of: Scope) => Tail): Tail[] =>
      names.map((variable) => make({ ...scope, variable }));
    switch (question.kind) {
      case "page": {
        const order = question.ascending ? OLDEST_FIRST : NEWEST_FIRST;
        const make = (of: Scope): Tail => page(of, order, question.qty, question.skip);
        return filter.variables.length === 0 ? [make(scope)] : forEach(filter.variables, make);
      }
      case "pick":
        return forEach(variablesOf(this.#db, deviceId, filter), (of) => picked(of, question.pick));
      case "conditional":
        return [compared(scope, question.comparison, question.threshold, question.qty)];
      default:
        return undefined;
    }
  }

  /** Time of the first and the last row. */
  span(deviceId: string): { readonly fromMs: number; readonly toMs: number } | undefined {
    const fromMs = this.#edge(deviceId, "ASC");
    const toMs = this.#edge(deviceId, "DESC");
    return fromMs === undefined || toMs === undefined ? undefined : { fromMs, toMs };
  }

  /** Rows of one chunk, or all of them, oldest first, read on demand. */
  *pages(deviceId: string, chunk?: Chunk): Iterable<WireRow[]> {
    const fromMs = chunk === undefined ? Number.MIN_SAFE_INTEGER : Date.parse(chunk.from);
    const toMs = chunk === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(chunk.to);
    let last = { time: fromMs, seq: 0 };
    for (;;) {
      const rows = this.#db.all<{ time: number; seq: number; wire: string }>(
        `SELECT time, seq, wire FROM device_data
           WHERE device = ?1 AND (time, seq) > (?2, ?3) AND time <= ?4 ${chunk === undefined ? "" : "AND chunk = ?5"}
           ORDER BY time, seq LIMIT ${PAGE_ROWS}`,
        ...[deviceId, last.time, last.seq, toMs],
        ...(chunk === undefined ? [] : [fromMs]),
      );
      if (rows.length > 0) yield rows.map(({ wire }) => JSON.parse(wire));
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE_ROWS) return;
      last = end;
    }
  }

  /** Cells of rows, oldest first, read on demand. The pages are made by the database: no row becomes an object. */
  *cells(deviceId: string, filter: RowFilter, cells: readonly Cell[]): Iterable<CellPage> {
    const constants = cells.flatMap((cell) => (typeof cell === "string" ? [] : [cell.constant]));
    const list = cells.map((cell) => (typeof cell === "string" ? CELLS[cell] : "?")).join(", ");
    for (let last = { time: Number.MIN_SAFE_INTEGER, seq: 0 }; ; ) {
      const rest = { sql: "(time, seq) > (?, ?)", values: [last.time, last.seq] };
      const { sql, values } = matching({ deviceId, filter }, rest);
      const page = this.#db.get<{ json: string | null; rows: number; time: number; seq: number }>(
        // Beside max(), the other columns are those of its row: the last one.
        `SELECT '[' || group_concat(cells, ',') || ']' AS json, max(n) AS rows, time, seq FROM (
           SELECT row_number() OVER () AS n, time, seq, json_array(${list}) AS cells
             FROM (SELECT * ${sql} ORDER BY ${OLDEST_FIRST} LIMIT ${PAGE_ROWS}))`,
        ...constants,
        ...values,
      );
      if (page === undefined || page.json === null) return;
      yield { json: page.json, rows: page.rows };
      if (page.rows < PAGE_ROWS) return;
      last = page;
    }
  }

  /** The response to a query as JSON text: a list, or a number. */
  read(deviceId: string, query: DataQuery): string {
    const { question, filter } = query;
    if (question.kind === "number") return String(this.#readNumber({ deviceId, filter }, question.of));
    if (question.kind === "aggregate") {
      return this.#perVariable(deviceId, query, (scope) => this.#readAggregate(scope, question.interval, question.of));
    }
    if (question.kind === "summary")
      return this.#perVariable(deviceId, query, (scope) => this.#readSummary(scope, question.of));
    const tails = this.rowTails(deviceId, query, false) ?? [];
    return `[${tails
      .map((tail) => readRows(this.#db, tail, query.details))
      .filter((text) => text !== "")
      .join(",")}]`;
  }

  #readNumber(scope: Scope, of: "count" | "avg" | "sum"): number {
    const rows = of === "count" ? matching(scope) : matching(scope, { sql: "number IS NOT NULL" });
    const expression = of === "count" ? "count(*)" : `${of}(number)`;
    const row = this.#db.get<{ answer: number | null }>(`SELECT ${expression} AS answer ${rows.sql}`, ...rows.values);
    return finite(row?.answer);
  }

  #readAggregate(scope: Scope, interval: Interval, of: string): object[] {
    const { filter, deviceId, variable = "" } = scope;
    const isPlain = filter.groups.length + filter.ids.length + filter.values.length === 0;
    const { fromMs = Number.MIN_SAFE_INTEGER, toMs = Number.MAX_SAFE_INTEGER } = filter;
    const rows = matching(scope, { sql: "number IS NOT NULL" });
    const grouped = `SELECT ${intervalStart(interval, "time")} AS start, ${of}(number) AS answer ${rows.sql}
       GROUP BY start ORDER BY start DESC LIMIT ${MAX_DATA_STREAM_QTY}`;
    const found = isPlain
      ? this.#db.all<IntervalRow>(steppedAggregate(interval, of), deviceId, bindable(variable), fromMs, toMs)
      : this.#db.all<IntervalRow>(grouped, ...rows.values);
    return found.map(({ start, answer }) => summaryRow(scope, answer, start));
  }

  #readSummary(scope: Scope, of: string): object[] {
    const rows = of === "count" ? matching(scope) : matching(scope, { sql: "number IS NOT NULL" });
    const expression = of === "count" ? "count(*)" : `${of}(number)`;
    const row = this.#db.get<{ answer: number | null; amount: number }>(
      `SELECT ${expression} AS answer, count(*) AS amount ${rows.sql}`,
      ...rows.values,
    );
    return row === undefined || row.amount === 0 ? [] : [summaryRow(scope, row.answer, this.#clock.now())];
  }

  #perVariable(deviceId: string, query: DataQuery, read: (scope: Scope) => object[]): string {
    const names = variablesOf(this.#db, deviceId, query.filter);
    const rows = names.flatMap((variable) => read({ deviceId, filter: query.filter, variable }));
    return JSON.stringify(rows.slice(0, MAX_DATA_STREAM_QTY));
  }

  #edge(deviceId: string, order: "ASC" | "DESC"): number | undefined {
    return this.#db.get<{ time: number }>(
      `SELECT time FROM device_data WHERE device = ? ORDER BY time ${order} LIMIT 1`,
      deviceId,
    )?.time;
  }
}

/** The rows of a SELECT as JSON, separated by commas. */
function readRows(db: SandboxDatabase, tail: Tail, details: boolean): string {
  if (!details) {
    const rows = db.all<{ wire: string }>(`SELECT wire ${tail.sql}`, ...tail.values);
    return rows.map((row) => row.wire).join(",");
  }
  const rows = db.all<{ wire: string; created_at: number }>(`SELECT wire, created_at ${tail.sql}`, ...tail.values);
  return rows.map(withCreatedAt).join(",");
}

function withCreatedAt(row: { readonly wire: string; readonly created_at: number }): string {
  return `${row.wire.slice(0, -1)},"created_at":"${new Date(row.created_at).toISOString()}"}`;
}

function summaryRow(scope: Scope, answer: number | null, timeMs: number): object {
  const time = new Date(timeMs).toISOString();
  return { variable: scope.variable, value: finite(answer), time, device: scope.deviceId };
}

/** JSON has no infinity, which a sum of very large numbers can reach. The sum of no values is 0. */
function finite(answer: number | null | undefined): number {
  if (answer === null || answer === undefined || Number.isNaN(answer)) return 0;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, answer));
}
