import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import { Module } from "../api/module.ts";
import { get, post } from "../api/route.ts";
import type { BillingPrices, PlanName } from "./billing.ts";
import type { GenericID } from "./data-types.ts";

const dates = ["created_at", "end_date"] as const satisfies DateKeys<PlanInfo>;

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

/** The plan of the account. */
export interface PlanInfo {
  /** Name of the plan, such as `scale`. */
  plan: string;
  /** Set by the platform. */
  id?: GenericID;
  /** 1 when active. */
  active?: number;
  /** What it costs. */
  price?: number;
  /** Plan of the next cycle. */
  next_plan?: string;
  /** Text messages a month. */
  sms?: number;
  /** Emails a month. */
  email?: number;
  /** Records that may be stored. */
  data_records?: number;
  /** Requests of devices a month. */
  device_request?: number;
  /** Minutes a month. */
  analysis?: number;
  /** End of the cycle; null: none. */
  end_date?: Date | null;
  /** Begin of the plan. */
  created_at?: Date;
}

/** A plan to change to. */
export interface PlanSetInfo {
  /** A smaller one waits for the end of the cycle. */
  plan?: PlanName | (string & {});
  /** Text messages a month. */
  sms?: number;
  /** Emails a month. */
  email?: number;
  /** Records that may be stored. */
  data_records?: number;
  /** Requests of devices a month. */
  device_request?: number;
  /** Minutes a month. */
  analysis?: number;
}
