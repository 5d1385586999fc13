import { cleanLine } from "../../../text/clean.ts";
import { isFormatChosen } from "../ask/terminal.ts";
import type { ListOptions } from "../command/columns.ts";
import type { CommandContext } from "../context.ts";
import { jsonText } from "./machines.ts";

/**
 * Prints each row as it comes: a line for people on a terminal, ndjson elsewhere, unless a format was chosen. A table
 * would wait for more rows to know how wide its columns are.
 */
export async function printFollowed<Row extends object>(
  ctx: CommandContext,
  rows: AsyncIterable<Row>,
  list: ListOptions<Row>,
  readable: (row: Row) => string,
): Promise<void> {
  if (isFormatChosen(ctx)) {
    await ctx.out.list(rows, list);
    return;
  }
  for await (const row of rows)
    await ctx.io.write(`${ctx.io.stdoutIsTerminal ? cleanLine(readable(row)) : jsonText(row)}\n`);
}
