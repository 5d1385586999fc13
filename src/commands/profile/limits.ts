import { type LimitRow, limitsOf } from "../kit/billing/limits.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { chosenProfile, profileArgument } from "../kit/finders/profile.ts";
import { summaryOf } from "./summary.ts";

const limitColumns: readonly Column<LimitRow>[] = [
  { key: "service", kind: "id" },
  { key: "used", kind: "number" },
  { key: "limit", kind: "number" },
  { key: "left", kind: "number" },
  { key: "percent", header: "%", kind: "number" },
  { key: "unit" },
];

export const limits = defineCommand({
  path: ["limits"],
  result: rows(limitColumns),
  effect: "reads",
  summary: "Show the limit and usage of each service of a profile",
  details: "Counters reset every month; stored records, users and files show the current amount.",
  args: [profileArgument],
  options: [
    { name: "min-usage", formerly: ["over"], value: "percent", summary: "only services with at least this usage" },
  ],
  groups: ["limit"],
  examples: ["iot profile limits", "iot profile limits --min-usage 80 --json"],
  related: ["iot profile statistics", "iot profile services", "iot billing subscription"],
  async run(ctx, input) {
    const least = percentOf(input.options.minUsage);
    const summary = await summaryOf(ctx, await chosenProfile(ctx, input.args.id));
    const all = limitsOf(summary);
    await ctx.out.list(
      all.filter(({ percent }) => least === undefined || (percent ?? 0) >= least),
      { columns: limitColumns, empty: "No service has that much usage.", idKey: "service" },
    );
  },
});

function percentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text.replace(/%$/, ""));
  if (text.trim() !== "" && value >= 0 && Number.isFinite(value)) return value;
  throw usageError(`--min-usage needs a percentage, not "${text}".`, { next: "Write a number such as 80." });
}
