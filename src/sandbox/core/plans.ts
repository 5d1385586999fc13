/** Plans of an account; every limit has one number per plan. */
export const PLANS = ["free", "starter", "scale"] as const;
/** A plan of an account, from the smallest to the largest. */
export type Plan = (typeof PLANS)[number];

export function isPlan(value: unknown): value is Plan {
  return PLANS.some((plan) => plan === value);
}

/** One number for each plan. */
export type PerPlan = Readonly<Record<Plan, number>>;

export const perPlan = (free: number, starter: number, scale: number): PerPlan => ({ free, starter, scale });
