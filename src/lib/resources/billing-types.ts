import type { GenericID } from "./data-types.ts";

/** Services that are counted and paid for. `analysis` is minutes, `file_storage` MB. */
export type ServiceKey =
  | "input"
  | "output"
  | "analysis"
  | "data_records"
  | "sms"
  | "email"
  | "run_users"
  | "push_notification"
  | "file_storage";

/** Plans of an account. */
export type PlanName = "free" | "starter" | "scale";
/** Features that are paid for by profile. */
export type AddOnName = "mobile" | "custom_dns" | "control_tower";

/** How much of a service was bought. */
export interface ServiceLimit {
  limit: number;
  /** Only in a schedule. */
  proportional_change?: number;
}

/** What an account has bought. Moments are ISO texts. */
export interface BillingSubscription {
  account: GenericID;
  plan: PlanName;
  services: Partial<Record<ServiceKey, ServiceLimit>>;
  /** Profiles with each add-on. */
  addons: Partial<Record<AddOnName, GenericID[]>>;
  current_cycle: { start: string; end: string };
  /** A change is being carried out. */
  processing: boolean;
  payment_error?: { message: string; details?: unknown } | null;
  past_due?: { amount_due: number; attempt_count: number; invoice_url: string };
  upcoming_invoice_total: number;
  trial_end: string | null;
}

/** A change to what is bought: one of plan, services and add-ons. */
export interface BillingEditSubscription {
  plan?: PlanName;
  recurrence?: string;
  services?: Partial<Record<ServiceKey, Pick<ServiceLimit, "limit">>>;
  addons?: Partial<Record<AddOnName, GenericID[]>>;
  coupon?: string;
}

/** A downgrade that waits for the end of the cycle. */
export interface BillingSubscriptionSchedule {
  account: GenericID;
  /** ISO 8601. */
  release_at: string | null;
  subscription?: Partial<Pick<BillingSubscription, "plan" | "services" | "addons">>;
}

/** How a subscription stands. */
export interface BillingSubscriptionSummary {
  processing: boolean;
  payment_error: { message: string; details?: unknown } | null;
  past_due: boolean;
  not_enough_balance: boolean;
  /** Whether a downgrade waits. */
  schedule: boolean;
}

/** Steps of a service and what they cost. */
export type ServicePrices = Partial<Record<ServiceKey, { amount: number; price: number }[]>>;

/** What the platform costs. */
export interface BillingPrices extends ServicePrices {
  plans: { name: string; price: number }[];
  addons: { name: string; price: number }[];
}

/** A card. */
export interface BillingCard {
  name: string;
  brand: string;
  last4: string;
  funding: string;
  exp_month: number;
  exp_year: number;
}

/** A coupon. */
export interface BillingCoupon {
  code: string;
  amount_off: number | null;
  percentage_off: number | null;
  applies_to: string[] | null;
  restrictions?: { only_first_time?: boolean; minimum_order_value?: number };
  /** Months, `forever` or `once`. */
  duration_cycles: number | string;
}

/** How an account pays. */
export interface BillingPaymentMethod {
  card: BillingCard | null;
  balance?: { amount: number; currency: string };
  coupon?: BillingCoupon;
}

/** Whom invoices are for. */
export interface BillingInformation {
  account: GenericID;
  company: string;
  country: string | null;
  state: string | null;
  city: string | null;
  street: string | null;
  zip_code: string | null;
  comments: string | null;
  payment_method: BillingPaymentMethod | null;
  /** ISO 8601. */
  updated_at: string;
}

/** Changes to whom invoices are for. */
export type BillingEditInformation = Partial<Omit<BillingInformation, "account" | "payment_method" | "updated_at">> & {
  name?: string;
  address?: Record<string, unknown>;
};

/** A payment. */
export interface BillingPaymentHistory {
  /** Also the mark for `lastId`. */
  stripe_id: string;
  invoice_number?: string | null;
  total: number;
  currency: string;
  receipt_url?: string | null;
  paid: boolean;
  status: string;
  card: Pick<BillingCard, "brand" | "last4"> | null;
  /** ISO 8601. */
  created_at: string;
}

/** Asks for part of the payments. */
export interface BillingPaymentHistoryQuery {
  /** @default 10 */
  amount?: number;
  /** `stripe_id` of the last payment of the page before. */
  lastId?: string;
}

/** How much of the account's services a profile gets. */
export interface BillingAllocation extends Record<ServiceKey, number> {
  profile: GenericID;
  /** ISO 8601. */
  updated_at: string;
}

/** Changes to what profiles get. */
export type BillingEditAllocation = Pick<BillingAllocation, "profile"> & Partial<Record<ServiceKey, number>>;
