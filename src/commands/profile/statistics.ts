import { defined } from "../../lib/core/defined.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Options, OptionsOf } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { chosenProfile, profileArgument, profileFinder } from "../kit/finders/profile.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";

const statisticColumns: readonly Column<{ readonly time: Date }>[] = [
  { key: "time", kind: "time", exact: true },
  ...["input", "output", "analysis", "data_records", "sms", "email"].map((key) => ({ key, kind: "number" as const })),
  ...["push_notification", "run_users", "file_storage"].map((key) => ({
    key,
    kind: "number" as const,
    hidden: true,
  })),
];

const options = [
  { name: "from", kind: "instant", summary: "start time" },
  { name: "to", kind: "instant", summary: "end time (now)" },
  { name: "last", kind: "duration", summary: "start this long ago: 30d", conflicts: ["from", "to"] },
  { name: "day", kind: "instant", summary: "show the hours of one day: today", conflicts: ["last", "from", "to"] },
  { name: "step", value: "step", summary: "interval between rows", choices: ["hour", "day", "month"] },
] as const satisfies Options;

function spanOf(ctx: CommandContext, { from, to, last, day, step }: OptionsOf<typeof options>) {
  const common = defined({ periodicity: step, timezone: ctx.flags.tz });
  if (day !== undefined) return { ...common, date: day.toISOString() };
  const start = last === undefined ? from : new Date(ctx.clock.now() - last);
  return { ...common, ...defined({ start_date: start?.toISOString(), end_date: to?.toISOString() }) };
}

export const statistics = defineCommand({
  path: ["statistics"],
  result: rows(statisticColumns),
  effect: "reads",
  summary: "Show the service usage of a profile over time",
  details:
    "Shows the days of this month by default. Counters add up within a month: the last row of a month is its total.",
  args: [profileArgument],
  options,
  examples: ["iot profile statistics --last 7d", "iot profile statistics --day today --fields time,input,output"],
  related: ["iot profile limits"],
  async run(ctx, input) {
    const span = spanOf(ctx, input.options);
    const { id } = await chosenProfile(ctx, input.args.id);
    const { profiles } = await ctx.client();
    const found = await lookUp(ctx, profileFinder, id, () => profiles.usageStatisticList(id, span));
    await ctx.out.list(found, { columns: statisticColumns, empty: "No usage in that time.", idKey: "time" });
  },
});
