import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { dashboardArgument } from "./duplicate.ts";

interface Shared {
  readonly dashboard: string;
  readonly label: string;
  readonly token: string;
  readonly expire_time: Date | string;
}

const columns: readonly Column<Shared>[] = [
  { key: "dashboard", kind: "id" },
  { key: "label" },
  { key: "token" },
  { key: "expire_time", kind: "time" },
];

export const shareDashboard = defineCommand({
  path: ["share"],
  effect: "changes",
  summary: "Create a public key to view a dashboard without login",
  details:
    "The key is printed once, in full. Anyone who has it can view the dashboard until --expire; earlier keys stay valid. " +
    "To share a dashboard with portal users, use access rules (iot access).",
  args: [dashboardArgument],
  options: [{ name: "expire", kind: "expiry", summary: "30d, 2027-01-31 or never", default: "30d" }],
  groups: ["dryRun"],
  examples: [
    'iot dashboard share "name:Plant overview" --expire 1d',
    'iot dashboard share "name:Plant overview" --expire never --json',
  ],
  related: ["iot dashboard open", "iot widget token"],
  result: one(columns),
  async run(ctx, { args, options: { expire: end } }) {
    const { id, name } = await resolveOrPick(ctx, dashboardFinder, args.id);
    const path = `/dashboard/${id}/share/public?expire_time=${encodeURIComponent(end)}`;
    if (await ctx.dryRun({ method: "GET", path })) return;
    const { dashboards } = await ctx.client();
    const key = await lookUp(ctx, dashboardFinder, id, () => dashboards.getPublicKey(id, end));
    const label = await name();
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(key.token);
    else await ctx.out.item({ dashboard: id, label, ...key }, { columns });
    const until = end === "never" ? "without an end date" : `until ${end}`;
    ctx.say.info(`Anyone with the key can view dashboard "${label}" in ${(await ctx.connection()).label} ${until}.`);
  },
});
