import { defined } from "../../lib/core/defined.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Options, OptionsOf } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { chosenProfile, profileArgument, profileFinder } from "../kit/finders/profile.ts";
import { expectDates } from "../kit/resource/reply.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { type Amounts, dailyUse, totalUse } from "./usage.ts";

const DAY_MS = 86_400_000;

const statisticColumns: readonly Column<Amounts>[] = [
  { key: "time", kind: "time", exact: true },
  { key: "input", kind: "number" },
  { key: "output", kind: "number" },
  { key: "analysis", header: "analysis_min", kind: "number" },
  { key: "data_records", header: "stored_records", kind: "number" },
  { key: "sms", kind: "number" },
  { key: "email", kind: "number" },
  { key: "push_notification", kind: "number", hidden: true },
  { key: "run_users", kind: "number", hidden: true },
  { key: "file_storage", header: "file_storage_mb", kind: "number", hidden: true },
];

const options = [
  { name: "from", kind: "instant", summary: "start time" },
  { name: "to", kind: "instant", summary: "end time (now)" },
  { name: "last", kind: "duration", summary: "start this long ago: 30d", conflicts: ["from", "to"] },
  { name: "day", kind: "instant", summary: "show the hours of one day: today", conflicts: ["last", "from", "to"] },
  { name: "step", value: "step", summary: "interval between rows", choices: ["hour", "day", "month"] },
  { name: "daily", summary: "what each day used, instead of running totals", conflicts: ["day", "step", "total"] },
  { name: "total", summary: "one row: what the whole time range used", conflicts: ["day", "step"] },
] as const satisfies Options;

type Given = OptionsOf<typeof options>;

const startOf = (ctx: CommandContext, { from, last }: Given): Date | undefined =>
  last === undefined ? from : new Date(ctx.clock.now() - last);

function spanOf(ctx: CommandContext, given: Given) {
  const { to, day, step, daily, total } = given;
  const common = defined({ periodicity: daily || total ? ("day" as const) : step, timezone: ctx.flags.tz });
  if (day !== undefined) return { ...common, date: day.toISOString() };
  const start = startOf(ctx, given);
  // What the first day used is its total less that of the day before.
  const first = start === undefined || !(daily || total) ? start : new Date(start.getTime() - DAY_MS);
  return { ...common, ...defined({ start_date: first?.toISOString(), end_date: to?.toISOString() }) };
}

/** Differences of the running totals, without the day before the first. */
function chosenUse(ctx: CommandContext, given: Given, totals: readonly Amounts[]): readonly Amounts[] {
  const { daily, total } = given;
  if (!(daily || total)) return totals;
  expectDates(totals, "time", "with the usage");
  const startMs = startOf(ctx, given)?.getTime() ?? Number.NEGATIVE_INFINITY;
  const days = dailyUse(totals, ctx.flags.tz).filter(({ time }) => time.getTime() > startMs - DAY_MS);
  return daily ? days : totalUse(days);
}

export const statistics = defineCommand({
  path: ["statistics"],
  result: rows(statisticColumns),
  effect: "reads",
  summary: "Show the service usage of a profile over time",
  details:
    "Shows the days of this month by default, as running totals: each row is what was used since the start of its month, so the last " +
    "row of a month is its total. --daily shows what each day used, and --total the sum; a cell is empty where the day before is not " +
    "known. input and output are records, analysis is minutes, file_storage MB; data_records (stored), run_users and file_storage are what " +
    "was there at that time.",
  args: [profileArgument],
  options,
  examples: [
    "iot profile statistics --last 7d --daily",
    "iot profile statistics --total",
    "iot profile statistics --day today --fields time,input,output",
  ],
  related: ["iot profile limits"],
  async run(ctx, input) {
    const span = spanOf(ctx, input.options);
    const { id } = await chosenProfile(ctx, input.args.id);
    const { profiles } = await ctx.client();
    const found = await lookUp(ctx, profileFinder, id, () => profiles.usageStatisticList(id, span));
    const shown = chosenUse(
      ctx,
      input.options,
      found.map((row) => ({ ...row })),
    );
    await ctx.out.list(shown, { columns: statisticColumns, empty: "No usage in that time.", idKey: "time" });
    if (input.options.daily || input.options.total) return;
    ctx.say.hint(
      "Each row is a running total since the start of its month. Use --daily for each day, --total for the sum.",
    );
  },
});
