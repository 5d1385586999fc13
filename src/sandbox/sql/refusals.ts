import { PlatformError } from "../core/platform-error.ts";

/** A column of a table that statements read. */
export interface Column {
  readonly name: string;
  readonly type: unknown;
}

export const sqlGaps = {
  execution: {
    subject: "POST /sql/{id}/execute",
    choice:
      "one table (device, device_tag, devices), columns and aggregates, WHERE, GROUP BY, ORDER BY, LIMIT; 10,000 rows, " +
      "5 seconds; no cache, no session_context; after_device is ignored",
  },
  subset: {
    subject: "SQL beyond the subset of the sandbox",
    choice: "501: joins, subqueries, other functions, arithmetic, DISTINCT, HAVING, OFFSET and entities are not run",
  },
  mistakes: { subject: "Mistakes in SQL found when it is run", choice: "400 with a text of the sandbox" },
} as const;

/** For a statement, or a part of one, that the sandbox cannot run. */
export const notRun = (what: string): PlatformError =>
  new PlatformError(501, `The sandbox does not run this statement: ${what} is not supported`).assumed(sqlGaps.subset);

/** For a mistake in a statement. */
export const refused = (message: string): PlatformError => new PlatformError(400, message).assumed(sqlGaps.mistakes);

export const invalidParam = (key: string): PlatformError =>
  new PlatformError(400, `Invalid value for parameter ${key}`);
