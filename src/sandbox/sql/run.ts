import { setImmediate as nextTurn } from "node:timers/promises";
import type { Gap } from "../core/gap.ts";
import type { Plan } from "../core/plans.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { CellPage } from "../data/reader.ts";
import { checkStatement } from "./checks.ts";
import { type CompiledStatement, compileStatement, type ResultColumn } from "./compile.ts";
import type { Session, Values } from "./expressions.ts";
import { parseStatement } from "./parse.ts";
import { MAX_READ_ROWS, MAX_ROWS, refused, sqlGaps } from "./refusals.ts";
import { entitySchema, pagesOf, type RowParts } from "./rows.ts";
import type { SqlRunner } from "./runner.ts";

export interface SqlParts extends RowParts {
  readonly sql: SqlRunner;
}

/** A result in the format of `POST /sql/:id/execute`. */
export interface SqlResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly row_count: number;
  readonly execution_ms: number;
  readonly served_from_cache: boolean;
}

/** Who runs a statement. */
export interface SqlCaller {
  readonly profile: string;
  readonly plan: Plan;
  readonly session: Session;
  readonly assume: (gap: Gap) => void;
}

const NOBODY: Session = { userId: null, tag: () => null };

/** What every statement must meet, also one that is only stored. */
function checkCompiled({ hasJoin }: CompiledStatement, plan: Plan): void {
  if (!hasJoin || plan !== "free") return;
  const text = "SQL JOIN is not available in your plan. Please upgrade you plan or contact support.";
  throw new PlatformError(402, text).assumed(sqlGaps.plan);
}

/** Rejects a statement that can never run. What only the sandbox cannot run is stored. */
export function checkStored(query: string, plan: Plan): void {
  checkStatement(query);
  try {
    checkCompiled(compileStatement(parseStatement(query), { values: undefined, session: NOBODY }), plan);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.status !== 501) throw error;
  }
}

const READ: Readonly<Record<ResultColumn["form"], (cell: unknown) => unknown>> = {
  plain: (cell) => cell,
  boolean: (cell) => cell === 1,
  timestamp: (cell) => new Date(Number(cell)).toISOString(),
  json: (cell) => JSON.parse(String(cell)) as unknown,
  // Of several values: booleans are compared as strings.
  value: (cell) => (cell === "true" || cell === "false" ? cell === "true" : cell),
};

function rowOf(columns: readonly ResultColumn[], cells: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    columns.map(({ name, form }, at) => [name, cells[at] === null ? null : READ[form](cells[at])] as const),
  );
}

/** The pages of all tables. Other requests are served in between. */
async function* allPages(
  app: RowParts,
  profile: string,
  { loads }: CompiledStatement,
  after: string | undefined,
): AsyncGenerator<{ readonly table: number; readonly page: CellPage }> {
  let read = 0;
  for (const [table, load] of loads.entries()) {
    for (const page of pagesOf(app, profile, load, after)) {
      read += page.rows;
      if (read > MAX_READ_ROWS) {
        throw refused(`The query reads more than ${MAX_READ_ROWS.toLocaleString("en")} rows: add a condition on time`);
      }
      yield { table, page };
      await nextTurn();
    }
  }
}

/**
 * Runs a statement over the data of a profile, without blocking other requests.
 *
 * @param after of a fleet, only devices after this one are read
 * @throws PlatformError 501 for what the sandbox cannot run, 400 for mistakes and for what takes too long
 */
export async function runStatement(
  app: SqlParts,
  { profile, plan, session, assume }: SqlCaller,
  query: string,
  { values, after }: { readonly values: NonNullable<Values>; readonly after: string | undefined },
): Promise<SqlResult> {
  const startMs = performance.now();
  const compiled = compileStatement(parseStatement(query), {
    values,
    session,
    schemaOf: (form, args) => entitySchema(app, profile, form, args),
  });
  checkCompiled(compiled, plan);
  for (const gap of compiled.gaps) assume(gap);
  const { columns, loads, sql, bound } = compiled;
  const tables = loads.map(({ table, columns: all }) => ({
    name: table,
    columns: all.map(({ type, isJson }, at) => ({ name: `c${at}`, type, isJson })),
  }));
  const cells = await app.sql.run({ tables, sql, bound, pages: () => allPages(app, profile, compiled, after) });
  if (cells.length > MAX_ROWS) {
    throw refused(`The result has more than ${MAX_ROWS.toLocaleString("en")} rows: add a condition or LIMIT`);
  }
  return {
    columns: columns.map(({ name, type }) => ({ name, type: type === "null" ? "string" : type })),
    rows: cells.map((row) => rowOf(columns, row)),
    row_count: cells.length,
    execution_ms: Math.round(performance.now() - startMs),
    served_from_cache: false,
  };
}
