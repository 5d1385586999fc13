import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import type { Gap } from "../core/gap.ts";
import { PlatformError } from "../core/platform-error.ts";

/** Part of a statement, as offsets in its text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Time limit of a statement. */
export const LIMIT_MS = 5_000;
/** Records and resources that one statement may read. */
export const MAX_READ_ROWS = 1_000_000;
/** Rows of a result. */
export const MAX_ROWS = MAX_LIST_AMOUNT;
/** Devices of one run over a fleet. */
export const MAX_FLEET = 1_000;

export const sqlGaps = {
  execution: {
    subject: "Limits of a statement",
    choice:
      `${MAX_ROWS} rows in the result, ${MAX_READ_ROWS} rows read, ${LIMIT_MS / 1000} seconds, ${MAX_FLEET} devices of a fleet ` +
      "per run: 400 beyond them; no limit of the time range",
    general: true,
  },
  comparisons: {
    subject: "Comparisons and order in SQL",
    choice: "LIKE is case-sensitive; missing values sort last; a tag fits as a whole; the record stored later is newer",
    general: true,
  },
  adHoc: {
    subject: "POST /sql/execute",
    choice: "404: only stored queries run. Two published examples still call it",
    general: true,
  },
  subset: {
    subject: "SQL that the platform may not run",
    choice:
      "run: LEFT JOIN, three or more tables, subqueries, WITH, UNION, DISTINCT, HAVING, OFFSET, CASE, CAST, arithmetic, ||, lower, " +
      "upper, length, round, abs, nullif, min and max of several values",
  },
  notRun: { subject: "SQL that the sandbox does not run", choice: "501" },
  pages: {
    subject: "Custom dashboards",
    choice:
      "any HTML file is shown as one: how the platform stores them is not known; 404 is not_found, 401 and 403 forbidden, 402 " +
      "plan_limit, 408 and 504 timeout, 429 rate_limited, other 4xx bad_params, all else api_error",
    general: true,
  },
  columns: {
    subject: "Columns of SQL tables that no published example names",
    choice: "those of a record or resource; * returns all of them",
  },
  pairs: { subject: "Several tags in device_data_by_tag", choice: "key, value, key, value ... up to 5 pairs" },
  hasTag: { subject: "has_tag", choice: "a condition over devices() and entities(), also by tag" },
  entityTag: { subject: "entity_tag", choice: "the first entity by id with the tag" },
  sessions: { subject: "Session functions for an analysis token", choice: "null, as for the owner of the profile" },
  plan: { subject: "JOIN in SQL on the plan free", choice: "402" },
  rate: {
    subject: "rate_limit_rpm of a stored query is reached",
    choice: "429, results from the cache are not counted",
  },
  mistakes: {
    subject: "Mistakes in SQL",
    choice: "400 with a text of the sandbox, when the query is stored or when it runs",
  },
} as const satisfies Readonly<Record<string, Gap>>;

/** An error about a part of a statement. */
export class StatementError extends PlatformError {
  /** The part. Absent for the statement as a whole. */
  readonly span?: Span;

  constructor(status: number, message: string, span?: Span) {
    super(status, message);
    if (span !== undefined) this.span = { start: span.start, end: span.end };
  }
}

/** For a statement that ends too early. */
export const incomplete = (why: string, span: Span): StatementError =>
  new StatementError(501, `The sandbox does not run this statement: ${why}`, span).assumed(sqlGaps.notRun);

/** For a statement, or a part of one, that the sandbox cannot run. */
export const notRun = (what: string, span: Span): StatementError => incomplete(`${what} is not supported`, span);

/** For a mistake in a statement. */
export const refused = (message: string, span?: Span): StatementError =>
  new StatementError(400, message, span).assumed(sqlGaps.mistakes);

/** For a statement that the platform rejects with the same text. */
export const rejected = (message: string, span?: Span): StatementError => new StatementError(400, message, span);

export const invalidParam = (key: string, span?: Span): StatementError =>
  new StatementError(400, `Invalid value for parameter ${key}`, span);

/** A name of a statement for a message. */
export const shortened = (name: string): string => name.slice(0, 100);
