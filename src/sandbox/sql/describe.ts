import { checkStatement, paramsOf } from "./checks.ts";
import { compileStatement } from "./compile.ts";
import { parseStatement } from "./parse.ts";
import { MAX_FLEET, type Span, StatementError } from "./refusals.ts";
import type { TableForm, TableKind } from "./tables.ts";

/** What is known of a statement that was not run. */
export interface StatementFacts {
  /** `refused`: the platform or the sandbox rejects it. `unknown`: the sandbox cannot read all of it. */
  readonly result: "ok" | "refused" | "unknown";
  readonly problem?: string;
  /** Part of the statement the problem is about. */
  readonly span?: Span;
  /** Table functions it calls. */
  readonly tables: readonly string[];
  /** Keys of its parameters. */
  readonly params: readonly string[];
  /** What is not known of the platform and was assumed. */
  readonly assumptions: readonly string[];
}

const NOTHING = { tables: [], params: [], assumptions: [] } as const;

/** Checks a statement as the sandbox does when it is stored. Columns of entities and values of parameters are not known. */
export function describeStatement(query: string): StatementFacts {
  try {
    checkStatement(query);
    const params = paramsOf(query);
    const session = { userId: null, tag: () => null };
    const { loads, gaps } = compileStatement(parseStatement(query), { values: undefined, session });
    const tables = [...new Set(loads.map(({ name }) => name))];
    return { result: "ok", tables, params, assumptions: [...gaps].map(({ subject }) => subject) };
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const result = error.status === 501 ? "unknown" : "refused";
    return { ...NOTHING, result, problem: error.message, ...(error.span !== undefined && { span: error.span }) };
  }
}

/** What a statement reads of one of its tables. */
export interface TableRead {
  /** As it is called, with the values of parameters. */
  readonly table: string;
  readonly reads: string;
  /** Conditions by which less is read; absent where there are none. */
  readonly variables?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

const READS: Readonly<Record<TableKind, readonly [plain: string, byTag: string]>> = {
  records: ["records of the device", "records of the first device by id with the tag"],
  fleet: ["", `one record for each active device with the tags, at most ${MAX_FLEET.toLocaleString("en")} devices`],
  devices: ["one row for each device", "one row for each device with the tag"],
  entities: ["one row for each entity", "one row for each entity with the tag"],
  rows: ["rows of the entity", "rows of the first entity by id with the tag"],
};

const readsOf = ({ kind, isByTag }: TableForm): string => READS[kind][isByTag ? 1 : 0];

/**
 * What a statement reads, without running it. Session functions are null, as for the owner of the profile.
 *
 * @param values of its parameters, by key
 * @throws StatementError for one that cannot be stored or read
 */
export function explainStatement(query: string, values: ReadonlyMap<string, string>): readonly TableRead[] {
  checkStatement(query);
  const session = { userId: null, tag: () => null };
  const { loads } = compileStatement(parseStatement(query), { values, session });
  return loads.map(({ name, args, form, filter: { variables, fromMs, toMs } }) => ({
    table: `${name}(${args.map((arg) => (arg === null ? "NULL" : `'${arg.replaceAll("'", "''")}'`)).join(", ")})`,
    reads: readsOf(form),
    ...(variables !== undefined && { variables }),
    ...(fromMs !== undefined && { from: new Date(fromMs).toISOString() }),
    ...(toMs !== undefined && { to: new Date(toMs).toISOString() }),
  }));
}
