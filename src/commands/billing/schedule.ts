import type { BillingSchedule } from "../../index.ts";
import { currencyOf, money, type PriceOf, paidName, planPrice, servicesPrice } from "../kit/billing/price.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { expectText } from "../kit/resource/reply.ts";

const scheduleColumns: readonly Column<BillingSchedule>[] = [
  { key: "release_at", kind: "time" },
  { key: "subscription.plan", header: "plan" },
  { key: "subscription.services", header: "services", kind: "json" },
  { key: "subscription.addons", header: "addons", kind: "json" },
  { key: "account", kind: "id" },
];

const schedule = defineCommand({
  path: ["schedule"],
  result: one(scheduleColumns),
  effect: "reads",
  summary: "Show the downgrade scheduled for the end of the month",
  examples: ["iot billing schedule", "iot billing schedule --json"],
  related: ["iot billing schedule cancel", "iot billing subscription update"],
  async run(ctx) {
    const { billing } = await ctx.client();
    const waiting = await billing.getSubscriptionSchedule();
    await ctx.out.item(waiting, { columns: scheduleColumns, idKey: "account" });
    if (waiting.release_at === null) ctx.say.info("No downgrade is scheduled.");
  },
});

/** What a downgrade would have saved each month. */
function saving(waiting: BillingSchedule): PriceOf {
  const { plan, services } = waiting.subscription ?? {};
  if (plan !== undefined) return planPrice(plan);
  const limits = Object.entries(services ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.limit] as const],
  );
  return servicesPrice(new Map(limits));
}

const cancelSchedule = defineCommand({
  path: ["schedule", "cancel"],
  result: one(scheduleColumns),
  effect: "changes",
  summary: "Cancel the scheduled downgrade",
  details: "The account keeps its current subscription. Shows the extra cost per month first.",
  groups: ["confirm", "dryRun"],
  examples: ["iot billing schedule cancel --dry-run", "iot billing schedule cancel --confirm billing"],
  exitCodes: [1],
  related: ["iot billing schedule"],
  async run(ctx) {
    const client = await ctx.client();
    const { billing } = client;
    const waiting = await billing.getSubscriptionSchedule();
    if (waiting.release_at === null) {
      await ctx.out.item(waiting, { columns: scheduleColumns, idKey: "account" });
      ctx.say.info("No downgrade is scheduled; nothing to cancel.");
      return;
    }
    const [prices, bought, currency] = await Promise.all([
      billing.getPrices(),
      billing.getSubscription(),
      currencyOf(client),
    ]);
    expectText(waiting.release_at, "with the scheduled downgrade");
    const less = saving(waiting)(prices, bought);
    const cost =
      less === undefined
        ? "the price of the current subscription"
        : `${money(Math.max(0, -less), currency)} more per month`;
    ctx.say.warning(
      `Without the downgrade: nothing now (this month is paid), then ${cost} from ${waiting.release_at.slice(0, 10)}.`,
    );
    if (await ctx.dryRun({ method: "DELETE", path: "/account/subscription/schedule" })) return;
    await ctx.confirm({ level: 2, action: "Cancel the scheduled downgrade", name: await paidName(ctx) });
    await billing.cancelDowngrade();
    await ctx.out.item(await billing.getSubscriptionSchedule(), { columns: scheduleColumns, idKey: "account" });
    await ctx.done(`Cancelled the downgrade`);
  },
});

export const commands: readonly Command[] = [schedule, cancelSchedule];
