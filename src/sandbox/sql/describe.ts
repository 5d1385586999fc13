import { checkStatement, paramsOf } from "./checks.ts";
import { compileStatement } from "./compile.ts";
import { parseStatement } from "./parse.ts";
import { type Span, StatementError } from "./refusals.ts";

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
