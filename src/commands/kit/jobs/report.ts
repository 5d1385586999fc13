import type { CommandContext } from "../context.ts";
import { openReport } from "../rows/report.ts";
import type { ItemResult, JobKind } from "./job.ts";

/** Writes what became of each item to a file. Without a name, nothing is written. */
export async function writeReport(
  ctx: CommandContext,
  place: string | undefined,
  { columns }: Pick<JobKind, "columns">,
  results: AsyncIterable<ItemResult>,
): Promise<void> {
  if (place === undefined) return;
  const report = await openReport<Record<string, unknown>>(ctx, place, ["item", "result", ...columns, "reason"]);
  try {
    for await (const result of results)
      report.add(
        "row" in result
          ? { item: result.id, result: "done", ...result.row }
          : { item: result.id, result: "failed", reason: result.reason },
      );
  } finally {
    report.close();
  }
}
