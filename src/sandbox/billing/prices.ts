import type { BillingCoupon, BillingPrices, ServicePrice } from "../../lib/resources/billing.ts";

const steps = (amount: number, price: number): ServicePrice[] =>
  [1, 5, 10, 50].map((factor) => ({ amount: amount * factor, price: price * factor }));

/** US dollars a month. */
export const PRICES = {
  plans: [
    { name: "free", price: 0 },
    { name: "starter", price: 49 },
    { name: "scale", price: 199 },
  ],
  addons: [
    { name: "mobile", price: 99 },
    { name: "custom_dns", price: 19 },
  ],
  input: steps(1_000_000, 5),
  output: steps(2_000_000, 5),
  analysis: steps(1_000, 4),
  data_records: steps(5_000_000, 10),
  sms: steps(100, 3),
  email: steps(5_000, 4),
  run_users: steps(50, 10),
  push_notification: steps(5_000, 2),
  file_storage: steps(1_000, 3),
} as const satisfies BillingPrices;

export const planPrice = (plan: string): number => PRICES.plans.find(({ name }) => name === plan)?.price ?? 0;

/** The only coupon. */
export const COUPON = {
  code: "DEMO20",
  amount_off: null,
  percentage_off: 20,
  applies_to: ["starter", "scale"],
  restrictions: { only_first_time: false, minimum_order_value: 0 },
  duration_cycles: 3,
} as const satisfies BillingCoupon;
