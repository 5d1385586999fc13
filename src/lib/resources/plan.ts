import { Module } from "../core/module.ts";
import { get, post } from "../core/route.ts";
import type { CallOptions } from "../http/client.ts";
import type { BillingPrices, PlanName } from "./billing-types.ts";
import type { GenericID } from "./data-types.ts";

const dates = ["created_at", "end_date"] as const satisfies readonly (keyof PlanInfo)[];

/**
 * Routes of `Resources.plan`.
 *
 * @internal
 */
export const planRoutes = {
  setPlanParameters: post("/account/plan/"),
  getActivePlan: get("/account/plan", { dates }),
  getCurrentPrices: get("/pricing"),
};

/** The plan of the account. */
export interface PlanInfo {
  plan: string;
  id?: GenericID;
  active?: number;
  price?: number;
  /** Plan of the next cycle. */
  next_plan?: string;
  sms?: number;
  email?: number;
  data_records?: number;
  device_request?: number;
  /** Minutes. */
  analysis?: number;
  end_date?: Date | null;
  created_at?: Date;
}

/** A plan to change to. */
export interface PlanSetInfo {
  plan?: PlanName;
  sms?: number;
  email?: number;
  data_records?: number;
  device_request?: number;
  analysis?: number;
}

/**
 * The plan of the account.
 *
 * @deprecated the platform has `billing` for this
 */
export class Plan extends Module {
  /**
   * Changes the plan.
   *
   * @example
   * ```ts
   * await resources.plan.setPlanParameters({ plan: "starter", sms: 100 });
   * ```
   */
  setPlanParameters(data: PlanSetInfo, options?: CallOptions): Promise<string> {
    return this.call(planRoutes.setPlanParameters, { ...options, body: data });
  }

  /**
   * Retrieves the plan.
   *
   * @example
   * ```ts
   * const { plan, end_date } = await resources.plan.getActivePlan();
   * ```
   */
  getActivePlan(options?: CallOptions): Promise<PlanInfo> {
    return this.call(planRoutes.getActivePlan, { ...options });
  }

  /**
   * Retrieves what the platform costs.
   *
   * @example
   * ```ts
   * const { plans } = await resources.plan.getCurrentPrices();
   * ```
   */
  getCurrentPrices(options?: CallOptions): Promise<BillingPrices> {
    return this.call(planRoutes.getCurrentPrices, { ...options });
  }
}
