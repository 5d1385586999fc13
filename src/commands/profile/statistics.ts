import { defined } from "../../lib/core/defined.ts";
import { option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type CommandInput, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { parseDuration, parseInstant } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { profileArgument, profileFinder, profileOf } from "../kit/finders/profile.ts";
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

const steps = ["hour", "day", "month"] as const;

function spanOf(ctx: CommandContext, input: CommandInput) {
  const nowMs = ctx.clock.now();
  const [day, last, from, to] = ["day", "last", "from", "to"].map((name) => option(input, name));
  const given = [day, last, from ?? to].filter((text) => text !== undefined);
  if (given.length > 1) {
    throw usageError("--day, --last and --from/--to cannot be used together.", { next: "Use one of them." });
  }
  const step = steps.find((name) => name === option(input, "step"));
  const common = defined({ periodicity: step, timezone: ctx.flags.tz });
  if (day !== undefined) return { ...common, date: parseInstant(day, "--day", nowMs).toISOString() };
  const startMs = last === undefined ? undefined : nowMs - parseDuration(last, "--last");
  const start = from === undefined ? startMs : parseInstant(from, "--from", nowMs).getTime();
  const end = to === undefined ? undefined : parseInstant(to, "--to", nowMs).getTime();
  return {
    ...common,
    ...(start === undefined ? {} : { start_date: new Date(start).toISOString() }),
    ...(end === undefined ? {} : { end_date: new Date(end).toISOString() }),
  };
}

export const statistics = defineCommand({
  path: ["statistics"],
  result: rows(statisticColumns),
  effect: "reads",
  summary: "Show the service usage of a profile over time",
  details:
    "Shows the days of this month by default. Counters add up within a month: the last row of a month is its total.",
  args: [profileArgument],
  options: [
    { name: "from", value: "time", summary: "start time" },
    { name: "to", value: "time", summary: "end time (now)" },
    { name: "last", value: "duration", summary: "start this long ago: 30d" },
    { name: "day", value: "time", summary: "show the hours of one day: today" },
    { name: "step", value: "step", summary: "interval between rows", choices: [...steps] },
  ],
  examples: ["iot profile statistics --last 7d", "iot profile statistics --day today --fields time,input,output"],
  related: ["iot profile limits"],
  async run(ctx, input) {
    const span = spanOf(ctx, input);
    const { id } = await profileOf(ctx, input);
    const { profiles } = await ctx.client();
    const found = await lookUp(ctx, profileFinder, id, () => profiles.usageStatisticList(id, span));
    await ctx.out.list(found, { columns: statisticColumns, empty: "No usage in that time.", idKey: "time" });
  },
});
