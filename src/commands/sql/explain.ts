import type { TableRead } from "../../sandbox/sql/describe.ts";
import type { Column } from "../kit/command/columns.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { messageOf } from "../kit/resource/batch.ts";

export const explainColumns: readonly Column<TableRead>[] = [
  { key: "table", rank: 1 },
  { key: "reads", rank: 1 },
  { key: "variables", kind: "json" },
  { key: "from", kind: "time", exact: true },
  { key: "to", kind: "time", exact: true },
];

/** Prints what a statement reads of each table. Nothing is run, so it costs no data output. */
export async function explain(ctx: CommandContext, query: string, values: ReadonlyMap<string, string>): Promise<void> {
  const { explainStatement } = await import("../../sandbox/sql/describe.ts");
  let reads: readonly TableRead[];
  try {
    reads = explainStatement(query, values);
  } catch (error) {
    throw inputError("The statement cannot be explained.", {
      code: "sql.unexplained",
      why: messageOf(error),
      next: 'Check it with "iot sql check"; --param sets the values of parameters.',
      cause: error,
    });
  }
  await ctx.out.list(reads, { columns: explainColumns, empty: "The statement reads no table.", idKey: "table" });
}
