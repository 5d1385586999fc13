import type { BillingPrices, BillingSubscription, Resources } from "../../../index.ts";
import type { CommandContext } from "../context.ts";
import { objectOf } from "../files/files.ts";
import { expectObjects, expectText } from "../resource/reply.ts";

/** What a change adds to what is paid, by a price list; undefined where the list has no such price. */
export type PriceOf = (prices: BillingPrices, bought: BillingSubscription) => number | undefined;

/** The price of a plan, less the one in use. */
export const planPrice =
  (plan: string): PriceOf =>
  (prices, bought) => {
    const priceOf = (name: string): number | undefined => prices.plans.find((one) => one.name === name)?.price;
    return difference(priceOf(plan), priceOf(bought.plan));
  };

/** The price of the steps that hold these limits, less those that are bought. */
export const servicesPrice =
  (limits: ReadonlyMap<string, number>): PriceOf =>
  (prices, bought) => {
    const steps = new Map<string, unknown>(Object.entries(prices));
    const present = new Map<string, unknown>(Object.entries(bought.services ?? {}));
    let total = 0;
    for (const [service, limit] of limits) {
      const step = stepPrice(steps.get(service), limit);
      const now = stepPrice(steps.get(service), limitOf(present.get(service)));
      const more = difference(step, now);
      if (more === undefined) return undefined;
      total += more;
    }
    return total;
  };

/** The price of an add-on for a number of further profiles. */
export const addonPrice =
  (addon: string, profiles: number): PriceOf =>
  (prices) => {
    const price = prices.addons.find(({ name }) => name === addon)?.price;
    return price === undefined ? undefined : price * profiles;
  };

const difference = (after: number | undefined, before: number | undefined): number | undefined =>
  after === undefined ? undefined : after - (before ?? 0);

function limitOf(value: unknown): number {
  return Number(objectOf(value)["limit"] ?? 0);
}

/** The price of the smallest step that is large enough; above the largest one, at the rate of that step. */
function stepPrice(steps: unknown, limit: number): number | undefined {
  if (limit === 0) return 0;
  if (!Array.isArray(steps)) return undefined;
  const known = steps.filter((step: unknown): step is { readonly amount: number; readonly price: number } => {
    return typeof step === "object" && step !== null && "amount" in step && "price" in step;
  });
  const ordered = known.sort((a, b) => a.amount - b.amount);
  const largest = ordered.at(-1);
  if (largest === undefined || largest.amount === 0) return undefined;
  return ordered.find(({ amount }) => amount >= limit)?.price ?? (largest.price * limit) / largest.amount;
}

/** Money as people read it: `74.50 USD`. */
export const money = (amount: number, currency: string): string => `${amount.toFixed(2)} ${currency.toUpperCase()}`;

/** The currency the account pays in. */
export async function currencyOf({ billing }: Resources): Promise<string> {
  return (await billing.getPaymentMethod()).balance?.currency ?? "usd";
}

/** Prints the cost of a paid change on stderr: for the rest of the paid month, and then per month. */
export async function showPrice(ctx: CommandContext, client: Resources, what: string, priceOf: PriceOf): Promise<void> {
  const { billing } = client;
  const [prorated, monthly, bought, currency] = await Promise.all([
    billing.getProratedPrices(),
    billing.getPrices(),
    billing.getSubscription(),
    currencyOf(client),
  ]);
  expectObjects(bought, ["current_cycle"], "with the subscription");
  expectText(bought.current_cycle.end, "with the subscription");
  const end = bought.current_cycle.end.slice(0, 10);
  const now = priceOf(prorated, bought);
  const later = priceOf(monthly, bought);
  ctx.say.warning(`${what}: ${priceText(now, later, end, currency)}.`);
}

function priceText(now: number | undefined, later: number | undefined, end: string, currency: string): string {
  if (now === undefined || later === undefined) {
    return "not in the price list; the platform sets the price";
  }
  if (later < 0) return `no refund; ${money(-later, currency)} less per month from ${end}`;
  const first = `${money(now, currency)} for the rest of this month (prorated, until ${end})`;
  return `${first}, then ${money(later, currency)} more per month`;
}

/** What is typed at level 2 to confirm a change that is paid for: the environment, where there is one. */
export async function paidName(ctx: CommandContext): Promise<string> {
  return (await ctx.target()).envName || "billing";
}
