import type { ProfileSummary } from "../../index.ts";
import { option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { expectObjects } from "../kit/resource/reply.ts";
import { profileArgument, profileOf } from "./finder.ts";
import { serviceUnits } from "./service-names.ts";
import { summaryOf } from "./summary.ts";

export interface LimitRow {
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

/** The services of a summary, each with its limit and use. */
export function limitsOf(summary: Pick<ProfileSummary, "limit" | "limit_used">): LimitRow[] {
  expectObjects(summary, ["limit", "limit_used"], "with the usage of the profile");
  const amounts = new Map<string, unknown>(Object.entries(summary.limit));
  const uses = new Map<string, unknown>(Object.entries(summary.limit_used));
  const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
  return [...amounts.keys()].map((service) =>
    limitRow(service, numberOf(amounts.get(service)), numberOf(uses.get(service)) ?? 0),
  );
}

export const limits = defineCommand({
  path: ["limits"],
  result: rows(limitColumns),
  effect: "reads",
  summary: "Show the limit and usage of each service of a profile",
  details: "Counters reset every month; stored records, users and files show the current amount.",
  args: [profileArgument],
  options: [{ name: "over", value: "percent", summary: "only services with at least this usage" }],
  groups: ["limit"],
  examples: ["iot profile limits", "iot profile limits --over 80 --json"],
  related: ["iot profile statistics", "iot profile services", "iot billing subscription"],
  async run(ctx, input) {
    const over = percentOf(option(input, "over"));
    const summary = await summaryOf(ctx, await profileOf(ctx, input));
    const all = limitsOf(summary);
    await ctx.out.list(
      all.filter(({ percent }) => over === undefined || (percent ?? 0) >= over),
      { columns: limitColumns, empty: "No service has that much usage.", idKey: "service" },
    );
  },
});

function percentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text.replace(/%$/, ""));
  if (text.trim() !== "" && value >= 0 && Number.isFinite(value)) return value;
  throw usageError(`--over needs a percentage, not "${text}".`, { next: "Write a number such as 80." });
}
