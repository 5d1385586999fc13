import type { CallOptions } from "../api/client.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { PAYMENT_HISTORY_AMOUNT } from "../core/limits.ts";
import type {
  BillingAllocation,
  BillingCoupon,
  BillingEditAllocation,
  BillingEditInformation,
  BillingEditSubscription,
  BillingInformation,
  BillingPaymentHistory,
  BillingPaymentHistoryQuery,
  BillingPaymentMethod,
  BillingPrices,
  BillingSubscription,
  BillingSubscriptionSchedule,
  BillingSubscriptionSummary,
} from "./billing-types.ts";
import type { GenericToken } from "./data-types.ts";

/**
 * Routes of `Resources.billing`.
 *
 * @internal
 */
export const billingRoutes = {
  getSubscription: get("/account/subscription"),
  getSubscriptionSchedule: get("/account/subscription/schedule"),
  getPrices: get("/pricing"),
  getProratedPrices: get("/pricing/prorated"),
  getPaymentMethod: get("/account/payment_method"),
  getBillingInformation: get("/account/billing"),
  getAllocation: get("/account/allocation", { gives: ["rows", "object"] }),
  getSubscriptionSummary: get("/account/subscription/summary"),
  editSubscription: post("/account/subscription"),
  editPaymentMethod: post("/account/payment_method"),
  removePaymentMethod: del("/account/payment_method"),
  editBillingInformation: put("/account/billing"),
  editAllocation: post("/account/allocation"),
  getPaymentHistory: get("/account/payment_history", { gives: "rows" }),
  checkDiscountCoupon: get("/account/subscription/coupon/:code"),
  cancelDowngrade: del("/account/subscription/schedule"),
  retryLastPayment: post("/account/subscription/pending/retry"),
  cancelLastOperation: post("/account/subscription/pending/cancel"),
};

/** What the account has bought and how it pays (specification, section 7). */
export class Billing extends Module {
  /**
   * Retrieves what the account has bought.
   *
   * @example
   * ```ts
   * const { plan, services, current_cycle } = await resources.billing.getSubscription();
   * ```
   */
  getSubscription(options?: CallOptions): Promise<BillingSubscription> {
    return this.call(billingRoutes.getSubscription, { ...options });
  }

  /**
   * Retrieves the downgrade that waits for the end of the cycle.
   *
   * @example
   * ```ts
   * const { release_at, subscription } = await resources.billing.getSubscriptionSchedule();
   * ```
   */
  getSubscriptionSchedule(options?: CallOptions): Promise<BillingSubscriptionSchedule> {
    return this.call(billingRoutes.getSubscriptionSchedule, { ...options });
  }

  /**
   * Retrieves what the platform costs.
   *
   * @example
   * ```ts
   * const { plans, data_records } = await resources.billing.getPrices();
   * ```
   */
  getPrices(options?: CallOptions): Promise<BillingPrices> {
    return this.call(billingRoutes.getPrices, { ...options });
  }

  /**
   * Retrieves what the platform costs for the rest of the present cycle.
   *
   * @example
   * ```ts
   * const { data_records } = await resources.billing.getProratedPrices();
   * ```
   */
  getProratedPrices(options?: CallOptions): Promise<BillingPrices> {
    return this.call(billingRoutes.getProratedPrices, { ...options });
  }

  /**
   * Retrieves how the account pays.
   *
   * @example
   * ```ts
   * const { card, balance } = await resources.billing.getPaymentMethod();
   * ```
   */
  getPaymentMethod(options?: CallOptions): Promise<BillingPaymentMethod> {
    return this.call(billingRoutes.getPaymentMethod, { ...options });
  }

  /**
   * Retrieves whom invoices are for.
   *
   * @example
   * ```ts
   * const { company, country } = await resources.billing.getBillingInformation();
   * ```
   */
  getBillingInformation(options?: CallOptions): Promise<BillingInformation> {
    return this.call(billingRoutes.getBillingInformation, { ...options });
  }

  /**
   * Retrieves what each profile gets of the account's services.
   *
   * @example
   * ```ts
   * const shares = await resources.billing.getAllocation();
   * const records = shares.map(({ profile, data_records }) => `${profile}: ${data_records}`);
   * ```
   */
  getAllocation(options?: CallOptions): Promise<BillingAllocation[]> {
    return this.call(billingRoutes.getAllocation, { ...options });
  }

  /**
   * Retrieves how the subscription stands.
   *
   * @example
   * ```ts
   * const { past_due, schedule } = await resources.billing.getSubscriptionSummary();
   * ```
   */
  getSubscriptionSummary(options?: CallOptions): Promise<BillingSubscriptionSummary> {
    return this.call(billingRoutes.getSubscriptionSummary, { ...options });
  }

  /**
   * Changes what the account buys: a plan, services or add-ons. A downgrade waits for the end of the cycle.
   *
   * @example
   * ```ts
   * await resources.billing.editSubscription({ services: { sms: { limit: 500 } } });
   * ```
   */
  editSubscription(subscription: BillingEditSubscription, options?: CallOptions): Promise<string> {
    return this.call(billingRoutes.editSubscription, { ...options, body: subscription });
  }

  /**
   * Changes the card.
   *
   * @param stripeCardToken what the card service gave for the card
   * @example
   * ```ts
   * await resources.billing.editPaymentMethod("tok_visa");
   * ```
   */
  editPaymentMethod(stripeCardToken: GenericToken, options?: CallOptions): Promise<string> {
    return this.call(billingRoutes.editPaymentMethod, { ...options, body: { token: stripeCardToken } });
  }

  /**
   * Removes the card.
   *
   * @example
   * ```ts
   * await resources.billing.removePaymentMethod();
   * ```
   */
  removePaymentMethod(options?: CallOptions): Promise<string> {
    return this.call(billingRoutes.removePaymentMethod, { ...options });
  }

  /**
   * Changes whom invoices are for.
   *
   * @example
   * ```ts
   * await resources.billing.editBillingInformation({ company: "Example Ltd", country: "PT" });
   * ```
   */
  editBillingInformation(billingInformation: BillingEditInformation, options?: CallOptions): Promise<string> {
    return this.call(billingRoutes.editBillingInformation, { ...options, body: billingInformation });
  }

  /**
   * Changes what profiles get of the account's services.
   *
   * @example
   * ```ts
   * await resources.billing.editAllocation([{ profile: profileID, data_records: 1_000_000, sms: 100 }]);
   * ```
   */
  editAllocation(allocation: readonly BillingEditAllocation[], options?: CallOptions): Promise<string> {
    return this.call(billingRoutes.editAllocation, { ...options, body: allocation });
  }

  /**
   * Lists payments, the newest first.
   *
   * @param queryObj amount (10), lastId
   * @example
   * ```ts
   * const page = await resources.billing.getPaymentHistory({ amount: 20 });
   * const next = await resources.billing.getPaymentHistory({ amount: 20, lastId: page.at(-1)?.stripe_id ?? "" });
   * ```
   */
  getPaymentHistory(queryObj?: BillingPaymentHistoryQuery, options?: CallOptions): Promise<BillingPaymentHistory[]> {
    const query = { amount: queryObj?.amount ?? PAYMENT_HISTORY_AMOUNT, last_id: queryObj?.lastId || undefined };
    return this.call(billingRoutes.getPaymentHistory, { ...options, query });
  }

  /**
   * Looks a coupon up.
   *
   * @throws InputError without a code
   * @example
   * ```ts
   * const { percentage_off, duration_cycles } = await resources.billing.checkDiscountCoupon("WELCOME10");
   * ```
   */
  checkDiscountCoupon(code?: string, options?: CallOptions): Promise<BillingCoupon> {
    return this.call(billingRoutes.checkDiscountCoupon, { ...options, params: { code: code ?? "" } });
  }

  /**
   * Takes back a downgrade that waits.
   *
   * @example
   * ```ts
   * await resources.billing.cancelDowngrade();
   * ```
   */
  cancelDowngrade(options?: CallOptions): Promise<string> {
    return this.call(billingRoutes.cancelDowngrade, { ...options });
  }

  /**
   * Tries a payment that failed once more.
   *
   * @example
   * ```ts
   * await resources.billing.retryLastPayment();
   * ```
   */
  retryLastPayment(options?: CallOptions): Promise<string> {
    return this.call(billingRoutes.retryLastPayment, { ...options });
  }

  /**
   * Takes back the change whose payment failed.
   *
   * @example
   * ```ts
   * await resources.billing.cancelLastOperation();
   * ```
   */
  cancelLastOperation(options?: CallOptions): Promise<string> {
    return this.call(billingRoutes.cancelLastOperation, { ...options });
  }
}
