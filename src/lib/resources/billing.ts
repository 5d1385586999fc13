import { allMarked } from "../api/all-rows.ts";
import { checkQuery, wholeNumber } from "../api/check-query.ts";
import type { CallOptions } from "../api/client.ts";
import type { Given } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { ALL_PAYMENTS_AMOUNT, PAYMENT_HISTORY_AMOUNT } from "../core/limits.ts";
import type { GenericID, GenericToken } from "./data-types.ts";
import type { planNames, serviceKeys } from "./enums.ts";

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
  getAllocation: get("/account/allocation", { result: "any" }),
  getSubscriptionSummary: get("/account/subscription/summary"),
  editSubscription: post("/account/subscription"),
  editPaymentMethod: post("/account/payment_method"),
  removePaymentMethod: del("/account/payment_method"),
  editBillingInformation: put("/account/billing"),
  editAllocation: post("/account/allocation"),
  getPaymentHistory: get("/account/payment_history", { result: "list" }),
  checkDiscountCoupon: get("/account/subscription/coupon/:code"),
  cancelDowngrade: del("/account/subscription/schedule"),
  retryLastPayment: post("/account/subscription/pending/retry"),
  cancelLastOperation: post("/account/subscription/pending/cancel"),
};

/** What the account has bought and how it pays. */
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
  getSubscriptionSchedule(options?: CallOptions): Promise<BillingSchedule> {
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
  async getPaymentHistory(
    queryObj?: Given<BillingPaymentHistoryQuery>,
    options?: CallOptions,
  ): Promise<BillingPaymentHistory[]> {
    wholeNumber(checkQuery(queryObj)["amount"], "amount");
    const query = { amount: queryObj?.amount ?? PAYMENT_HISTORY_AMOUNT, last_id: queryObj?.lastId || undefined };
    return this.call(billingRoutes.getPaymentHistory, { ...options, query });
  }

  /**
   * Iterates over all payments, the newest first. Reads pages of `amount` payments (100) as they are needed.
   *
   * @param queryObj as for `getPaymentHistory`; starts after its `lastId`
   * @example
   * ```ts
   * for await (const { created_at, total } of resources.billing.allPayments()) console.log(created_at, total);
   * ```
   */
  allPayments(
    queryObj?: Given<BillingPaymentHistoryQuery>,
    options?: CallOptions,
  ): AsyncGenerator<BillingPaymentHistory, void, undefined> {
    return allMarked(queryObj?.lastId ?? "", options, async (lastId, call) => {
      const amount = wholeNumber(checkQuery(queryObj)["amount"], "amount") ?? ALL_PAYMENTS_AMOUNT;
      const rows = await this.getPaymentHistory({ amount, lastId }, call);
      return { rows, next: rows.length === amount ? rows.at(-1)?.stripe_id : undefined };
    });
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
   * Cancels a scheduled downgrade.
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
   * Cancels the change whose payment failed.
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

/** Services that are counted and paid for. `analysis` is minutes, `file_storage` MB. */
export type ServiceKey = (typeof serviceKeys)[number];

/** An amount of each service; most services are counted by the month. */
export interface ServiceAmounts {
  /** Records that arrive. */
  input: number;
  /** Records that are read. */
  output: number;
  /** Minutes that analyses run. */
  analysis: number;
  /** Records stored at a time. */
  data_records: number;
  /** Text messages sent. */
  sms: number;
  /** Emails sent. */
  email: number;
  /** Users of the portal at a time. */
  run_users: number;
  /** Push messages sent. */
  push_notification: number;
  /** MB stored at a time. */
  file_storage: number;
}

/** Plans of an account. */
export type PlanName = (typeof planNames)[number];

/** Add-ons of a profile. */
export type BillingAddOn = "mobile" | "custom_dns";
/** Features that are paid for by profile. */
export type AddOnName = BillingAddOn | "control_tower";

/** How much of a service was bought. */
export interface ServiceLimit {
  /** In the unit of the service. */
  limit: number;
  /** Difference to what there is now; only in a schedule. */
  proportional_change?: number;
}

/** A payment that failed. */
export interface BillingPaymentError {
  /** Why, as a sentence. */
  message: string | null;
  /** What the payment service said. */
  details: string | null;
}

/** What an account has bought. Dates are ISO strings. */
export interface BillingSubscription {
  /** Id of the account. */
  account: GenericID;
  /** Plan in use now. */
  plan: PlanName;
  /** Purchased amount per service. */
  services: Record<ServiceKey, ServiceLimit>;
  /** Profiles with each add-on. */
  addons: Record<BillingAddOn, GenericID[]> & Partial<Record<AddOnName, GenericID[]>>;
  /** Month that is paid for. */
  current_cycle: {
    /** ISO 8601. */
    start: string;
    /** ISO 8601. */
    end: string;
  };
  /** A change is being carried out. */
  processing: boolean;
  /** Null or absent: the last payment went through. */
  payment_error?: BillingPaymentError | null;
  /** An invoice that is not paid; absent: none. */
  past_due?: {
    /** What is to pay. */
    amount_due: number;
    /** Tries to take the payment. */
    attempt_count: number;
    /** Address of the invoice. */
    invoice_url: string;
  };
  /** What the next invoice comes to. */
  upcoming_invoice_total: number;
  /** End of the trial, ISO 8601; null: no trial. */
  trial_end: string | null;
}

/** A change to what is bought: one of plan, services and add-ons. */
export interface BillingEditSubscription {
  /** A smaller one waits for the end of the cycle. */
  plan?: PlanName;
  /** How often to pay; the values are not documented. */
  recurrence?: string;
  /** Services left out stay. */
  services?: { [Key in keyof ServiceAmounts]?: Pick<ServiceLimit, "limit"> };
  /** All profiles with the add-on, by add-on. */
  addons?: Partial<Record<AddOnName, GenericID[]>>;
  /** Code of a coupon. */
  coupon?: string;
}

/** A downgrade that waits for the end of the cycle. */
export interface BillingSchedule {
  /** Id of the account. */
  account: GenericID;
  /** When it happens, ISO 8601; null: nothing waits. */
  release_at: string | null;
  /** What changes; absent: nothing waits. */
  subscription?: BillingSubscriptionSchedule;
}

/** What a downgrade changes. */
export interface BillingSubscriptionSchedule {
  /** Plan afterwards. */
  plan?: PlanName;
  /** Services afterwards. */
  services?: BillingSubscription["services"];
  /** Profiles with each add-on afterwards. */
  addons?: Partial<BillingSubscription["addons"]>;
}

/** How a subscription stands. */
export interface BillingSubscriptionSummary {
  /** A change is being carried out. */
  processing: boolean;
  /** Null: the last payment went through. */
  payment_error: BillingPaymentError | null;
  /** Whether an invoice is not paid. */
  past_due: boolean;
  /** Whether the card could not pay. */
  not_enough_balance: boolean;
  /** Whether a downgrade waits. */
  schedule: boolean;
}

/** A step of a service and what it costs. */
export interface ServicePrice {
  /** How much, in the unit of the service. */
  amount: number;
  /** What it costs. */
  price: number;
}

/** Steps of a service and what they cost. */
export type ServicePrices = Record<ServiceKey, ServicePrice[]>;

/** What the platform costs: for a month, or for what is left of it. */
export interface BillingPrices extends ServicePrices {
  /** What each plan costs. */
  plans: {
    /** Name of the plan. */
    name: PlanName;
    /** What it costs. */
    price: number;
  }[];
  /** What each add-on costs. */
  addons: {
    /** The add-on. */
    name: AddOnName;
    /** For one profile. */
    price: number;
  }[];
}

/** A card. */
export interface BillingCard {
  /** Name on the card. */
  name: string;
  /** Such as `Visa`. */
  brand: string;
  /** Last four digits. */
  last4: string;
  /** Such as `credit` or `debit`. */
  funding: string;
  /** Last month it can be used in, 1 to 12. */
  exp_month: number;
  /** Year of that month, four digits. */
  exp_year: number;
}

/** A coupon. */
export interface BillingCoupon {
  /** Text to enter. */
  code: string;
  /** Off the total; null: a percentage. */
  amount_off: number | null;
  /** 0 to 100; null: an amount. */
  percentage_off: number | null;
  /** What it is for; null: everything. */
  applies_to: (Exclude<PlanName, "free"> | ServiceKey | BillingAddOn)[] | null;
  /** Absent: none. */
  restrictions?: {
    /** Only for a first purchase. */
    only_first_time: boolean;
    /** Smallest total it is for; null: any. */
    minimum_order_value: number | null;
  };
  /** Months, `forever` or `once`. */
  duration_cycles: number | "forever" | "once";
}

/** How an account pays. */
export interface BillingPaymentMethod {
  /** Null: no card. */
  card: BillingCard | null;
  /** Account balance. */
  balance?: {
    /** How much, in `currency`. */
    amount: number;
    /** ISO 4217 code, e.g. `usd`. */
    currency: string;
  };
  /** Coupon in use; absent: none. */
  coupon?: BillingCoupon;
}

/** Whom invoices are for. */
export interface BillingInformation {
  /** Id of the account. */
  account: GenericID;
  /** Name on the invoice. */
  company: string;
  /** Null: not given. */
  country: string | null;
  /** Null: not given. */
  state: string | null;
  /** Null: not given. */
  city: string | null;
  /** Street and number; null: not given. */
  street: string | null;
  /** Null: not given. */
  zip_code: string | null;
  /** Free-form text; null: none. */
  comments: string | null;
  /** Null: none. */
  payment_method: BillingPaymentMethod | null;
  /** ISO 8601. */
  updated_at: string;
}

/** Changes to whom invoices are for. */
export type BillingEditInformation = Partial<Omit<BillingInformation, "account" | "payment_method" | "updated_at">> & {
  /** Name of a person; not returned. */
  name?: string;
  /** An address in one piece; stored as sent. */
  address?: Record<string, unknown>;
};

/** A payment. */
export interface BillingPaymentHistory {
  /** Also the mark for `lastId`. */
  stripe_id: string;
  /** Null or absent before there is an invoice. */
  invoice_number?: string | null;
  /** What was paid, in `currency`. */
  total: number;
  /** ISO 4217 code, e.g. `usd`. */
  currency: string;
  /** Page with the receipt; null or absent: none. */
  receipt_url?: string | null;
  /** False while it is open or when it failed. */
  paid: boolean;
  /** State at the payment service. */
  status: string;
  /** Null: not paid by card. */
  card: {
    /** Null where it is not known. */
    brand: string | null;
    /** Last digits of its number; null where they are not known. */
    last4: string | null;
  } | null;
  /** ISO 8601. */
  created_at: string;
}

/** Asks for part of the payments. */
export interface BillingPaymentHistoryQuery {
  /** Payments per page. @default 10 */
  amount?: number;
  /** `stripe_id` of the last payment of the page before. */
  lastId?: string;
}

/** How much of the account's services a profile gets. */
export interface BillingAllocation extends ServiceAmounts {
  /** Id of the profile. */
  profile: GenericID;
  /** ISO 8601. */
  updated_at: string;
}

/** Changes to what profiles get. */
export type BillingEditAllocation = Partial<Omit<BillingAllocation, "updated_at">>;
