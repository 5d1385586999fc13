import { option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import { parseDuration, parseInstant } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { expectObjects } from "../kit/resource/reply.ts";
import { lookUp, type Target } from "../kit/resource/resolve-id.ts";
import { profileArgument, profileFinder, profileOf } from "./finder.ts";
import { serviceUnits } from "./services.ts";

const shown: readonly Column<Record<string, unknown>>[] = [
  { key: "tago_run", header: "portal" },
  ...["device", "dashboard", "analysis", "action", "am", "run_users", "dictionary", "connectors", "networks"].map(
    (name) => ({ key: `amount.${name}`, header: name === "am" ? "access" : name, kind: "number" as const }),
  ),
  { key: "limit", kind: "json", hidden: true },
  { key: "limit_used", kind: "json", hidden: true },
  { key: "addons", kind: "json", hidden: true },
];

async function summaryOf(ctx: CommandContext, target: Target) {
  const { profiles } = await ctx.client();
  return lookUp(ctx, profileFinder, target.id, () => profiles.summary(target.id));
}

const summary = defineCommand({
  path: ["summary"],
  result: one(shown),
  effect: "reads",
  summary: "Show how many resources of each kind a profile holds",
  details: "JSON has what the profile may use and has used as well, as the platform answers it.",
  args: [profileArgument],
  examples: ["iot profile summary", 'iot profile summary "name:Demo Plant" --json'],
  related: ["iot profile limits", "iot profile statistics"],
  async run(ctx, input) {
    const found = await summaryOf(ctx, await profileOf(ctx, input));
    await ctx.out.item({ ...found }, { columns: shown });
  },
});

interface LimitRow {
  readonly service: string;
  readonly used: number;
  readonly limit: number | null;
  readonly left: number | null;
  /** Part of the limit that is used, in percent. */
  readonly percent: number | null;
  readonly unit: string;
}

const limitColumns: readonly Column<LimitRow>[] = [
  { key: "service", kind: "id" },
  { key: "used", kind: "number" },
  { key: "limit", kind: "number" },
  { key: "left", kind: "number" },
  { key: "percent", header: "%", kind: "number" },
  { key: "unit" },
];

function limitRow(service: string, limit: number | undefined, used: number): LimitRow {
  const known = limit ?? null;
  return {
    service,
    used,
    limit: known,
    left: known === null ? null : Math.max(0, known - used),
    percent: known === null || known === 0 ? null : Math.round((used / known) * 1_000) / 10,
    unit: serviceUnits[service] ?? "",
  };
}

const limits = defineCommand({
  path: ["limits"],
  result: rows(limitColumns),
  effect: "reads",
  summary: "Show what a profile may use of each service, and what is left",
  details: "Counters start at 0 with every month; stored records, users and files count as they are now.",
  args: [profileArgument],
  options: [{ name: "over", value: "percent", summary: "only services of which at least this much is used" }],
  groups: ["limit"],
  examples: ["iot profile limits", "iot profile limits --over 80 --json"],
  related: ["iot profile statistics", "iot profile services", "iot billing subscription"],
  async run(ctx, input) {
    const over = percentOf(option(input, "over"));
    const summary = await summaryOf(ctx, await profileOf(ctx, input));
    expectObjects(summary, ["limit", "limit_used"], "with the use of the profile");
    const { limit, limit_used: used } = summary;
    const amounts = new Map<string, unknown>(Object.entries(limit));
    const uses = new Map<string, unknown>(Object.entries(used));
    const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
    const all = [...amounts.keys()].map((service) =>
      limitRow(service, numberOf(amounts.get(service)), numberOf(uses.get(service)) ?? 0),
    );
    await ctx.out.list(
      all.filter(({ percent }) => over === undefined || (percent ?? 0) >= over),
      { columns: limitColumns, empty: "No service is used that much.", idKey: "service" },
    );
  },
});

function percentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text.replace(/%$/, ""));
  if (text.trim() !== "" && value >= 0 && Number.isFinite(value)) return value;
  throw usageError(`--over needs a percentage, not "${text}".`, { next: "Write a number such as 80." });
}

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
    throw usageError("--day, --last and --from/--to exclude each other.", { next: "Give one of them." });
  }
  const step = steps.find((name) => name === option(input, "step"));
  const zone = ctx.flags.tz;
  const common = {
    ...(step === undefined ? {} : { periodicity: step }),
    ...(zone === undefined ? {} : { timezone: zone }),
  };
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

const statistics = defineCommand({
  path: ["statistics"],
  result: rows(statisticColumns),
  effect: "reads",
  summary: "Show how much of each service a profile used over time",
  details:
    "Without a time it shows the days of this month. Counters grow within a month: the last row of a month is the whole of it.",
  args: [profileArgument],
  options: [
    { name: "from", value: "time", summary: "first moment" },
    { name: "to", value: "time", summary: "last moment (now)" },
    { name: "last", value: "duration", summary: "from this long ago: 30d" },
    { name: "day", value: "time", summary: "the hours of one day: today" },
    { name: "step", value: "step", summary: "time between two rows", choices: [...steps] },
  ],
  examples: ["iot profile statistics --last 7d", "iot profile statistics --day today --fields time,input,output"],
  related: ["iot profile limits"],
  async run(ctx, input) {
    const span = spanOf(ctx, input);
    const { id } = await profileOf(ctx, input);
    const { profiles } = await ctx.client();
    const found = await lookUp(ctx, profileFinder, id, () => profiles.usageStatisticList(id, span));
    await ctx.out.list(found, { columns: statisticColumns, empty: "Nothing was used in that time.", idKey: "time" });
  },
});

export const commands: readonly Command[] = [summary, limits, statistics];
