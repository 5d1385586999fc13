import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { Region } from "../core/regions.ts";
import type { PlanName } from "./billing.ts";
import type { ExpireTime, GenericID, GenericToken, OTPType } from "./data-types.ts";
import type { ProfileListInfo } from "./profile.ts";
import { ProfileResources } from "./profile-resources.ts";
import type { OTPFlags } from "./run.ts";

/**
 * Anonymous routes of `Account`.
 *
 * @internal
 */
export const accountRoutes = {
  login: post("/account/login", { anonymous: true }),
  tokenCreate: post("/account/profile/token", {
    anonymous: true,
    dates: ["expire_time", "expire_date"] satisfies [...DateKeys<AccountTokenCreated>, "expire_date"],
  }),
  passwordRecover: get("/account/passwordreset/:email", { result: "any", anonymous: true }),
  create: post("/account", { anonymous: true }),
  resendConfirmation: get("/account/resend_confirmation/:email", { result: "any", anonymous: true }),
  confirmAccount: get("/account/confirm/:token", { result: "any", anonymous: true }),
  requestLoginPINCode: post("/account/login/otp", { anonymous: true }),
  acceptTeamInvitation: get("/profile/team/accept/:token", { result: "any", anonymous: true }),
  declineTeamInvitation: get("/profile/team/decline/:token", { result: "any", anonymous: true }),
};

const dates = ["created_at", "updated_at", "last_login"] as const satisfies DateKeys<AccountInfo>;

const optionDates = ["options.last_whats_new"] as const satisfies readonly [
  `options.${DateKeys<AccountOptions>[number]}`,
];

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

/**
 * An account: the older class for what `Resources` opens (but entities, secrets and stored queries), with the calls
 * that need no token.
 */
export class Account extends ProfileResources {
  readonly #own = new OwnAccount(this.client);
  /** @deprecated older name of `serviceAuthorization` */
  readonly ServiceAuthorization = this.serviceAuthorization;

  /**
   * Retrieves the account.
   *
   * @returns the account, with its dates as `Date`
   * @example
   * ```ts
   * const { email, plan, created_at } = await account.info();
   * ```
   */
  info(options?: CallOptions): Promise<AccountInfo> {
    return this.#own.info(options);
  }

  /**
   * Changes the account.
   *
   * @example
   * ```ts
   * await account.edit({ timezone: "Europe/Lisbon" });
   * ```
   */
  edit(accountObj: AccountEditInfo, options?: CallOptions): Promise<string> {
    return this.#own.edit(accountObj, options);
  }

  /**
   * Deletes the account with all its profiles. It cannot be undone.
   *
   * @example
   * ```ts
   * await account.delete();
   * ```
   */
  delete(options?: CallOptions): Promise<string> {
    return this.#own.delete(options);
  }

  /**
   * Changes the password.
   *
   * @example
   * ```ts
   * await account.passwordChange("a new, long password");
   * ```
   */
  passwordChange(password: string, options?: CallOptions): Promise<string> {
    return this.#own.passwordChange(password, options);
  }

  /**
   * Enables two-factor authentication; `confirmOTP` completes it.
   *
   * @param typeOTP `authenticator`, `sms` or `email`
   * @example
   * ```ts
   * await account.enableOTP({ email: "jo@example.org", password: "secret" }, "authenticator");
   * ```
   */
  enableOTP(credentials: Credentials, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    return this.#own.enableOTP(credentials, typeOTP, options);
  }

  /**
   * Disables two-factor authentication.
   *
   * @example
   * ```ts
   * await account.disableOTP({ email: "jo@example.org", password: "secret" }, "authenticator");
   * ```
   */
  disableOTP(credentials: Credentials, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    return this.#own.disableOTP(credentials, typeOTP, options);
  }

  /**
   * Confirms two-factor authentication with its PIN.
   *
   * @example
   * ```ts
   * await account.confirmOTP("123456", "authenticator");
   * ```
   */
  confirmOTP(pinCode: string, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    return this.#own.confirmOTP(pinCode, typeOTP, options);
  }

  /**
   * Creates a profile token from the account's email and password.
   *
   * @returns the token, which opens the profile `profile_id` names
   * @example
   * ```ts
   * const { token, expire_time } = await Account.tokenCreate({
   *   email: "jo@example.org",
   *   password: "secret",
   *   profile_id: profileID,
   *   name: "Nightly report",
   *   expire_time: "3 months",
   * });
   * ```
   */
  static tokenCreate(
    tokenParams: TokenCreateInfo,
    region?: Region,
    options?: CallOptions,
  ): Promise<AccountTokenCreated> {
    return Account.anonymous(accountRoutes.tokenCreate, { ...options, body: tokenParams }, region);
  }

  /**
   * Checks an account's email and password and lists its profiles.
   *
   * @throws ApiError whose message is JSON (`otp_enabled`, `otp_autosend`) when two-factor authentication is needed
   * @example
   * ```ts
   * const { profiles } = await Account.login({ email: "jo@example.org", password: "secret" }, "eu-w1");
   * for (const { id, name } of profiles) console.log(id, name);
   * ```
   */
  static login(credentials: LoginParams, region?: Region, options?: CallOptions): Promise<LoginResponse> {
    return Account.anonymous(accountRoutes.login, { ...options, body: credentials }, region);
  }

  /**
   * Sends an email to set a new password with.
   *
   * @example
   * ```ts
   * await Account.passwordRecover("jo@example.org");
   * ```
   */
  static passwordRecover(email: string, region?: Region, options?: CallOptions): Promise<string> {
    return Account.anonymous(accountRoutes.passwordRecover, { ...options, params: { email } }, region);
  }

  /**
   * Creates an account, which its owner confirms by email.
   *
   * @example
   * ```ts
   * await Account.create({
   *   name: "Jo",
   *   email: "jo@example.org",
   *   password: "secret",
   *   cpassword: "secret",
   *   timezone: "Europe/Lisbon",
   * });
   * ```
   */
  static create(createParams: AccountCreateInfo, region?: Region, options?: CallOptions): Promise<string> {
    return Account.anonymous(accountRoutes.create, { ...options, body: createParams }, region);
  }

  /**
   * Sends the confirmation email again.
   *
   * @example
   * ```ts
   * await Account.resendConfirmation("jo@example.org");
   * ```
   */
  static resendConfirmation(email: string, region?: Region, options?: CallOptions): Promise<string> {
    return Account.anonymous(accountRoutes.resendConfirmation, { ...options, params: { email } }, region);
  }

  /**
   * Confirms an account.
   *
   * @param token from the email
   * @example
   * ```ts
   * await Account.confirmAccount("token-from-the-mail");
   * ```
   */
  static confirmAccount(token: GenericToken, region?: Region, options?: CallOptions): Promise<string> {
    return Account.anonymous(accountRoutes.confirmAccount, { ...options, params: { token } }, region);
  }

  /**
   * Sends the PIN of two-factor authentication for a login.
   *
   * @example
   * ```ts
   * const credentials = { email: "jo@example.org", password: "secret" };
   * await Account.requestLoginPINCode(credentials, "email");
   * await Account.login({ ...credentials, otp_type: "email", pin_code: "123456" });
   * ```
   */
  static requestLoginPINCode(
    credentials: Credentials,
    typeOTP: OTPType,
    region?: Region,
    options?: CallOptions,
  ): Promise<string> {
    const body = { ...credentials, otp_type: typeOTP };
    return Account.anonymous(accountRoutes.requestLoginPINCode, { ...options, body }, region);
  }

  /**
   * Accepts an invitation to a profile.
   *
   * @param token from the email
   * @example
   * ```ts
   * await Account.acceptTeamInvitation("token-from-the-mail");
   * ```
   */
  static acceptTeamInvitation(token: GenericToken, region?: Region, options?: CallOptions): Promise<string> {
    return Account.anonymous(accountRoutes.acceptTeamInvitation, { ...options, params: { token } }, region);
  }

  /**
   * Declines an invitation to a profile.
   *
   * @param token from the email
   * @example
   * ```ts
   * await Account.declineTeamInvitation("token-from-the-mail");
   * ```
   */
  static declineTeamInvitation(token: GenericToken, region?: Region, options?: CallOptions): Promise<string> {
    return Account.anonymous(accountRoutes.declineTeamInvitation, { ...options, params: { token } }, region);
  }
}

/** The account the token belongs to. */
export class OwnAccount extends Module {
  /**
   * Retrieves the account.
   *
   * @returns the account, with its dates as `Date`
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
   * Deletes the account with all its profiles. It cannot be undone.
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
   * Enables two-factor authentication; `confirmOTP` completes it.
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
   * Disables two-factor authentication.
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
   * Confirms two-factor authentication with its PIN.
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

/** Credentials of an account. */
export interface LoginParams extends Credentials {
  /** Kind of the two-factor PIN. */
  otp_type?: OTPType;
  /** Two-factor PIN, when it is enabled. */
  pin_code?: string;
}

/** Result of a login: the account and its profiles. Holds no token: `Account.tokenCreate` creates one. */
export interface LoginResponse {
  /** `user`. */
  type: string;
  /** Id of the account. */
  id: GenericID;
  /** As given. */
  email: string;
  /** May be empty. */
  company: string;
  /** Name of the owner. */
  name: string;
  /** Null or absent: none. */
  phone?: string | null;
  /** Own ones, and those shared with the account. */
  profiles: ProfileListInfo[];
}

/** A profile token to make with the account's credentials. */
export interface TokenCreateInfo extends LoginParams {
  /** Profile the token is to open. */
  profile_id: GenericID;
  /** Name of the token, shown in lists. */
  name: string;
  /** `never`, a date, or a duration such as `3 months`. @default "3 months" */
  expire_time?: Date | string;
}

/** The token that was made. */
export interface AccountTokenCreated {
  /** Opens the profile; begins with `p-`. */
  token: GenericToken;
  /** As given. */
  name: string;
  /** Profile the token opens. */
  profile: GenericID;
  /** No other can be asked for. */
  permission: "full";
  /** Id of the account. */
  created_by: GenericID;
  /** End of the token. */
  expire_time?: ExpireTime;
}

/** How the account sees things. */
export interface AccountOptions {
  /** Whether the welcome was seen. */
  user_view_welcome: boolean;
  /** Decimal separator, for example `.`. */
  decimal_separator: string;
  /** Between groups of three digits, e.g. `,`. */
  thousand_separator: string;
  /** E.g. `MM/DD/YYYY`. */
  date_format?: string;
  /** Hours of a clock. */
  time_format?: string;
  /** Where the "last updated" time is shown, for example `footer`. */
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
  /** Whether the owner wants news by email. */
  newsletter?: boolean;
  /** Whether the account belongs to a developer. */
  developer?: boolean;
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
  /** Whether invoices come by email. */
  send_invoice: boolean;
  /** Id at the payment service; null: none. */
  stripe_id: string | null;
  /** `user`. */
  type: string;
  /** What was bought. */
  plan: PlanName | (string & {});
  /** Enabled methods of two-factor authentication. */
  otp?: OTPFlags;
  /** Null before the first login. */
  last_login: Date | null;
  /** When the account was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** Fields for creating an account. */
export interface AccountCreateInfo extends Pick<AccountInfo, "name" | "email" | "timezone"> {
  /** Never returned. */
  password: string;
  /** The password once more. */
  cpassword: string;
  /** Never returned. */
  country?: string;
  /** Whom the owner works for. */
  company?: string;
  /** Whether the owner wants news by email. */
  newsletter?: boolean;
  /** Whether the owner is a developer; never returned. */
  developer?: boolean;
}

/** Changes to an account; properties left out stay as they are. */
export type AccountEditInfo = Partial<Omit<AccountInfo, "options"> & Pick<AccountCreateInfo, "country">> & {
  /** Settings left out stay as they are. */
  options?: Partial<AccountOptions>;
};

/** Email and password. */
export interface Credentials {
  /** Address of the account, or of the portal's user. */
  email: string;
  /** As the owner types it. */
  password: string;
}
