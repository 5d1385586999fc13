import type { BillingSubscription, BillingSubscriptionSummary, Resources } from "../../index.ts";
import { countText } from "../../text/count.ts";
import { type LimitRow, limitsOf } from "../kit/billing/limits.ts";
import { currencyOf, money } from "../kit/billing/price.ts";
import { serviceUnits } from "../kit/billing/service-names.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { expectLists, expectNumber, expectObjects, expectText, expectTexts } from "../kit/resource/reply.ts";

/** What the account pays for and how that stands. */
interface SummaryRow extends BillingSubscriptionSummary, Pick<BillingSubscription, "plan" | "addons"> {
  /** Of the plan, for a month; null where the price list does not have it. */
  readonly price: number | null;
  readonly currency: string;
  readonly next_invoice: { readonly total: number; readonly date: string };
  readonly profile: { readonly id: string; readonly name: string };
  /** What the profile uses, by service. */
  readonly usage: Readonly<Record<string, LimitRow>>;
}

const perMonth = ({ price, currency }: SummaryRow): string =>
  price === null ? "" : `${money(price, currency)} per month`;

const invoiceText = ({ next_invoice: { total, date }, currency }: SummaryRow): string =>
  `${money(total, currency)} on ${date.slice(0, 10)}`;

const addonsText = ({ addons }: SummaryRow): string =>
  Object.entries(addons)
    .filter(([, profiles]) => Array.isArray(profiles) && profiles.length > 0)
    .map(([name, profiles]) => `${name} (${profiles.length})`)
    .join(", ");

/** `12,345 of 5,000,000 records per month (0.2%)`. */
function usageText({ used, limit, unit, percent }: LimitRow): string {
  const most = limit === null ? "" : ` of ${countText(limit)}`;
  return `${countText(used)}${most} ${unit}${percent === null ? "" : ` (${percent}%)`}`.trimEnd();
}

const usageColumn = (service: string): Column<SummaryRow> => ({
  key: `usage.${service}`,
  header: service,
  kind: "json",
  value: ({ usage }) => {
    const row = usage[service];
    return row === undefined ? undefined : usageText(row);
  },
});

const summaryColumns: readonly Column<SummaryRow>[] = [
  { key: "plan" },
  { key: "price", kind: "number", value: perMonth },
  { key: "next_invoice", kind: "json", value: invoiceText },
  { key: "addons", header: "addons", kind: "json", value: addonsText },
  { key: "profile", header: "usage_of", kind: "json", value: ({ profile }) => profile.name },
  ...Object.keys(serviceUnits).map(usageColumn),
  { key: "processing", kind: "flag" },
  { key: "payment_error.message", header: "payment_error" },
  { key: "past_due", kind: "flag" },
  { key: "not_enough_balance", kind: "flag" },
  { key: "schedule", header: "downgrade_waits", kind: "flag" },
];

async function summaryOf(client: Resources): Promise<SummaryRow> {
  const { billing, profiles } = client;
  const [state, bought, prices, currency, { info }, use] = await Promise.all([
    billing.getSubscriptionSummary(),
    billing.getSubscription(),
    billing.getPrices(),
    currencyOf(client),
    profiles.info("current"),
    profiles.summary("current"),
  ]);
  expectTexts([bought], ["plan"], "with the subscription");
  expectObjects(bought, ["current_cycle", "addons"], "with the subscription");
  expectTexts([bought.current_cycle], ["end"], "with the subscription");
  expectLists(prices, ["plans"], "with the prices");
  expectNumber(bought.upcoming_invoice_total, "with the subscription");
  expectText(currency, "with the currency");
  expectTexts(prices.plans, ["name"], "with the prices");
  const price = prices.plans.find(({ name }) => name === bought.plan)?.price;
  expectTexts([info], ["id", "name"], "with the profile");
  return {
    ...state,
    plan: bought.plan,
    price: typeof price === "number" ? price : null,
    currency,
    next_invoice: { total: bought.upcoming_invoice_total, date: bought.current_cycle.end },
    addons: bought.addons,
    profile: { id: info.id, name: info.name },
    usage: Object.fromEntries(limitsOf(use).map((row) => [row.service, row])),
  };
}

export const summary = defineCommand({
  path: ["summary"],
  result: one(summaryColumns),
  effect: "reads",
  summary: "Show plan, price, next invoice, usage and payment status",
  details:
    "What the account pays for, on one page: the price of the plan, the next invoice with everything that is bought, the number of " +
    "profiles with each add-on, and what the profile in use has used this month. Prices are in the currency the account pays in.",
  examples: ["iot billing summary", "iot billing summary --json"],
  related: ["iot billing subscription", "iot billing pricing", "iot profile limits", "iot billing pending retry"],
  async run(ctx) {
    const found = await summaryOf(await ctx.client());
    await ctx.out.item(found, { columns: summaryColumns, idKey: "plan" });
  },
});
