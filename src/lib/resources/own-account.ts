import type { CallOptions } from "../api/client.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { PlanName } from "./billing-types.ts";
import type { GenericID } from "./data-types.ts";
import type { OTPFlags } from "./run-types.ts";

const dates = ["created_at", "updated_at", "last_login"] as const satisfies readonly (keyof AccountInfo)[];
const optionDates = ["options.last_whats_new"] as const satisfies readonly `options.${keyof AccountOptions & string}`[];

/**
 * Routes of `Resources.account`.
 *
 * @internal
 */
export const ownAccountRoutes = {
  info: get("/account", { dates: [...dates, ...optionDates] }),
  edit: put("/account"),
  delete: del("/account"),
  passwordChange: post("/account/passwordreset"),
  enableOTP: post("/account/otp/:typeOTP/enable"),
  disableOTP: post("/account/otp/:typeOTP/disable"),
  confirmOTP: post("/account/otp/:typeOTP/confirm"),
};

/** Kinds of a second factor. */
export type OTPType = "authenticator" | "sms" | "email";

/** How the account sees things. */
export interface AccountOptions {
  /** Whether the welcome was seen. */
  user_view_welcome: boolean;
  /** Between units and tenths, e.g. `.`. */
  decimal_separator: string;
  /** Between groups of three digits, e.g. `,`. */
  thousand_separator: string;
  /** E.g. `MM/DD/YYYY`. */
  date_format?: string;
  /** Hours of a clock. */
  time_format?: "12" | "24";
  /** Where widgets show their age, e.g. `footer`. */
  show_last_updated_at?: string;
  /** When the news were last seen; null: never. */
  last_whats_new: Date | null;
}

/** An account. */
export interface AccountInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Name of the owner. */
  name: string;
  /** Used to log in. */
  email: string;
  /** IANA name, e.g. `Europe/Lisbon`. */
  timezone: string;
  /** Absent when not given. */
  company?: string;
  /** Whether the owner wants news by mail. */
  newsletter?: boolean;
  /** Whether it can be used; set by the platform. */
  active: boolean;
  /** Whether the platform has shut it. */
  blocked: boolean;
  /** `en`, `en-us` ... */
  language: string;
  /** Number for text messages; null: none. */
  phone?: string | null;
  /** How numbers and times are shown. */
  options: AccountOptions;
  /** Whether invoices come by mail. */
  send_invoice: boolean;
  /** Id at the payment service; null: none. */
  stripe_id: string | null;
  /** `user`. */
  type: string;
  /** What was bought. */
  plan: PlanName;
  /** The second factors in use. */
  otp?: OTPFlags;
  /** Null before the first login. */
  last_login: Date | null;
  /** When the account was made. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** What an account is made of. */
export interface AccountCreateInfo extends Pick<AccountInfo, "name" | "email" | "timezone"> {
  /** Never given back. */
  password: string;
  /** The password once more. */
  cpassword: string;
  /** Never given back. */
  country?: string;
  /** Whom the owner works for. */
  company?: string;
  /** Whether the owner wants news by mail. */
  newsletter?: boolean;
  /** Whether the owner is a developer; never given back. */
  developer?: boolean;
}

/** Changes to an account; members left out stay. */
export type AccountEditInfo = Partial<
  Omit<
    AccountInfo,
    "id" | "last_login" | "created_at" | "updated_at" | "active" | "blocked" | "options" | "otp" | "plan" | "stripe_id"
  >
> & {
  /** Options left out stay. */
  options?: Partial<AccountOptions>;
};

/** E-mail and password. */
export interface Credentials {
  /** Address of the account, or of the portal's user. */
  email: string;
  /** As the owner types it. */
  password: string;
}

/** The account the token belongs to (specification, section 7). */
export class OwnAccount extends Module {
  /**
   * Retrieves the account.
   *
   * @returns the account, its moments as dates
   * @example
   * ```ts
   * const { email, plan, created_at } = await resources.account.info();
   * ```
   */
  info(options?: CallOptions): Promise<AccountInfo> {
    return this.call(ownAccountRoutes.info, { ...options });
  }

  /**
   * Changes the account.
   *
   * @returns what the platform says, such as `Account Successfully Updated`
   * @example
   * ```ts
   * await resources.account.edit({ timezone: "Europe/Lisbon", options: { decimal_separator: "," } });
   * ```
   */
  edit(accountObj: AccountEditInfo, options?: CallOptions): Promise<string> {
    return this.call(ownAccountRoutes.edit, { ...options, body: accountObj });
  }

  /**
   * Deletes the account with all its profiles. It cannot be taken back.
   *
   * @example
   * ```ts
   * await resources.account.delete();
   * ```
   */
  delete(options?: CallOptions): Promise<string> {
    return this.call(ownAccountRoutes.delete, { ...options });
  }

  /**
   * Changes the password.
   *
   * @example
   * ```ts
   * await resources.account.passwordChange("a new, long password");
   * ```
   */
  passwordChange(password: string, options?: CallOptions): Promise<string> {
    return this.call(ownAccountRoutes.passwordChange, { ...options, body: { password } });
  }

  /**
   * Begins to use a second factor; `confirmOTP` ends it.
   *
   * @param typeOTP `authenticator`, `sms` or `email`
   * @example
   * ```ts
   * await resources.account.enableOTP({ email: "jo@example.org", password: "secret" }, "email");
   * ```
   */
  enableOTP(credentials: Credentials, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    return this.call(ownAccountRoutes.enableOTP, { ...options, params: { typeOTP }, body: credentials });
  }

  /**
   * Stops using a second factor.
   *
   * @example
   * ```ts
   * await resources.account.disableOTP({ email: "jo@example.org", password: "secret" }, "sms");
   * ```
   */
  disableOTP(credentials: Credentials, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    return this.call(ownAccountRoutes.disableOTP, { ...options, params: { typeOTP }, body: credentials });
  }

  /**
   * Proves a second factor with the PIN it gave.
   *
   * @example
   * ```ts
   * await resources.account.enableOTP({ email: "jo@example.org", password: "secret" }, "email");
   * await resources.account.confirmOTP("123456", "email");
   * ```
   */
  confirmOTP(pinCode: string, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    const body = { pin_code: pinCode };
    return this.call(ownAccountRoutes.confirmOTP, { ...options, params: { typeOTP }, body });
  }
}
