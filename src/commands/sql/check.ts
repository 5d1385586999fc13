import type { StatementFacts } from "../../sandbox/sql/describe.ts";
import { cleanText } from "../../text/clean.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { lineAt } from "../kit/files/line-at.ts";

interface Checked extends StatementFacts {
  readonly file: string;
  /** Of the problem, from 1. */
  readonly line?: number;
  readonly column?: number;
}

const columns: readonly Column<Checked>[] = [
  { key: "file", rank: 1 },
  { key: "result", rank: 1 },
  { key: "line", kind: "number" },
  { key: "column", kind: "number" },
  { key: "problem" },
  { key: "tables", kind: "json", hidden: true },
  { key: "params", kind: "json", hidden: true },
  { key: "assumptions", kind: "json", hidden: true },
];

/** The line of a problem with a mark below its part: at most this much of it before and after. */
const MARGIN = 60;

function located(file: string, query: string, facts: StatementFacts): Checked {
  const { span } = facts;
  if (span === undefined) return { file, ...facts };
  const before = query.slice(0, span.start);
  return { file, ...facts, line: lineAt(query, span.start), column: before.length - before.lastIndexOf("\n") };
}

/** `file:line:column: problem`, and the line with carets below the part it is about. */
function shown({ file, line, column, problem, span }: Checked, query: string): string {
  if (span === undefined || line === undefined || column === undefined) return `${file}: ${problem}\n`;
  const start = span.start - column + 1;
  const end = query.indexOf("\n", span.start);
  const from = Math.max(start, span.start - MARGIN);
  const text = query.slice(from, end < 0 ? undefined : end).slice(0, span.start - from + MARGIN);
  const carets = Math.max(1, Math.min(span.end, from + text.length) - span.start);
  const indent = text.slice(0, span.start - from).replaceAll(/[^\t]/g, " ");
  return `${file}:${line}:${column}: ${problem}\n    ${text.trimEnd()}\n    ${indent}${"^".repeat(carets)}\n`;
}

export const checkCommand: Command = defineCommand({
  path: ["check"],
  effect: "reads",
  asks: "nothing",
  summary: "Check SQL files without running them",
  details:
    "Checks statements as the sandbox does when a query is stored: their form, tables, columns and functions. Nothing " +
    "is sent. Columns of entities and values of parameters are not checked. The result is ok, refused, or unknown for SQL " +
    "that the sandbox cannot read; assumptions lists what the platform may not run.",
  args: [
    { name: "file", file: "in", summary: "files with one statement each; - is stdin", required: true, variadic: true },
  ],
  result: rows(columns),
  examples: ["iot sql check examples/sql/warm-freezer.sql", "iot sql check examples/sql/warm-freezer.sql --json"],
  exitCodes: [3],
  related: ["iot sql run", "iot sql create"],
  async run(ctx, input) {
    const { describeStatement } = await import("../../sandbox/sql/describe.ts");
    const all: Checked[] = [];
    for (const file of input.args.file) {
      const query = await ctx.readInput(file, "The statement");
      const checked = located(file, query, describeStatement(query));
      all.push(checked);
      if (checked.problem !== undefined) ctx.io.writeError(cleanText(shown(checked, query)));
    }
    await ctx.out.list(all, { columns, empty: "No files.", idKey: "file" });
    const refused = all.filter(({ result }) => result === "refused").length;
    if (refused > 0) ctx.say.warning(`The platform would reject ${countOf(refused, "statement")} of ${all.length}.`);
    return refused > 0 ? 3 : 0;
  },
});
