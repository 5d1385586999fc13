import { assertId } from "../api/assert.ts";
import type { CallOptions } from "../api/client.ts";
import { Module } from "../api/module.ts";
import { del, get, post } from "../api/route.ts";
import type { BillingPaymentHistory, BillingPaymentMethod } from "./billing.ts";
import type { GenericToken } from "./data-types.ts";

/**
 * Routes of `Resources.paymentHistory`.
 *
 * @internal
 */
export const paymentHistoryRoutes = {
  getHistory: get("/account/payment_history/", { result: "any" }),
};

/**
 * Routes of `Resources.paymentMethods`.
 *
 * @internal
 */
export const paymentMethodRoutes = {
  create: post("/account/payment_method/"),
  list: get("/account/payment_method/"),
  delete: del("/account/payment_method/"),
};

/** The payments of the account. */
export class PaymentHistory extends Module {
  /**
   * Lists payments, the newest first.
   *
   * @example
   * ```ts
   * const payments = await resources.paymentHistory.getHistory();
   * const open = payments.filter(({ paid }) => !paid);
   * ```
   */
  getHistory(options?: CallOptions): Promise<BillingPaymentHistory[]> {
    return this.call(paymentHistoryRoutes.getHistory, { ...options });
  }
}

/** How the account pays. */
export class PaymentMethods extends Module {
  /**
   * Adds a card.
   *
   * @example
   * ```ts
   * await resources.paymentMethods.create({ name: "Jo", token: "tok_visa", brand: "visa", default_card: true });
   * ```
   */
  create(paymentMethodData: PaymentMethodCreate, options?: CallOptions): Promise<string> {
    return this.call(paymentMethodRoutes.create, { ...options, body: paymentMethodData });
  }

  /**
   * Retrieves how the account pays.
   *
   * @example
   * ```ts
   * const { card } = await resources.paymentMethods.list();
   * ```
   */
  list(options?: CallOptions): Promise<BillingPaymentMethod> {
    return this.call(paymentMethodRoutes.list, { ...options });
  }

  /**
   * Removes a card.
   *
   * @example
   * ```ts
   * await resources.paymentMethods.delete("card_1KZ");
   * ```
   */
  async delete(paymentMethodID: string, options?: CallOptions): Promise<string> {
    const body = { id: assertId(paymentMethodID, "paymentMethodID") };
    return this.call(paymentMethodRoutes.delete, { ...options, body });
  }
}

/** A card to pay with. */
export interface PaymentMethodCreate {
  /** Name on the card. */
  name: string;
  /** What the card service gave for the card. */
  token: GenericToken;
  /** Such as `visa`. */
  brand?: string;
  /** Whether to pay with this card from now on. */
  default_card?: boolean;
}
