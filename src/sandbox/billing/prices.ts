import { serviceKeys } from "../../lib/resources/enums.ts";

/** Plans in order of size. */
export const PLANS = ["free", "starter", "scale"] as const;

type PlanName = (typeof PLANS)[number];

/** US dollars a month. Figures of the sandbox's own, as everything here that costs. */
const PLAN_PRICES: Readonly<Record<PlanName, number>> = { free: 0, starter: 49, scale: 199 };

const ADDON_PRICES = { mobile: 99, custom_dns: 19 } as const;

/** Steps of a service, by the size and price of the first one. */
const STEPS: Readonly<Record<(typeof serviceKeys)[number], readonly [amount: number, price: number]>> = {
  input: [1_000_000, 5],
  output: [2_000_000, 5],
  analysis: [1_000, 4],
  data_records: [5_000_000, 10],
  sms: [100, 3],
  email: [5_000, 4],
  run_users: [50, 10],
  push_notification: [5_000, 2],
  file_storage: [1_000, 3],
};

const FACTORS = [1, 5, 10, 50] as const;

export const planPrice = (plan: string): number => PLAN_PRICES[PLANS.find((name) => name === plan) ?? "free"];

const cents = (price: number): number => Math.round(price * 100) / 100;

/** What everything costs, `share` (0 to 1) of a month. */
export function pricesFor(share = 1): Record<string, unknown> {
  const services = Object.entries(STEPS).map(([service, [amount, price]]) => [
    service,
    FACTORS.map((factor) => ({ amount: amount * factor, price: cents(price * factor * share) })),
  ]);
  return {
    plans: PLANS.map((name) => ({ name, price: cents(PLAN_PRICES[name] * share) })),
    addons: Object.entries(ADDON_PRICES).map(([name, price]) => ({ name, price: cents(price * share) })),
    ...Object.fromEntries(services),
  };
}

/** What each service has in a plan. */
export function planServices(plan: string): Record<string, { limit: number }> {
  const factor = plan === "scale" ? 50 : plan === "starter" ? 5 : 1;
  return Object.fromEntries(serviceKeys.map((service) => [service, { limit: STEPS[service][0] * factor }]));
}

/** The one coupon that is known. */
export const DEMO_COUPON = {
  code: "DEMO20",
  amount_off: null,
  percentage_off: 20,
  applies_to: ["starter", "scale"],
  restrictions: { only_first_time: false, minimum_order_value: 0 },
  duration_cycles: 3,
} as const;
