import type { Region } from "../core/regions.ts";
import { post } from "../core/route.ts";
import type { CallOptions } from "../http/client.ts";
import type { ExpireTime, GenericID, GenericToken } from "./data-types.ts";
import type { ProfileListInfo } from "./profile.ts";
import { Resources } from "./resources.ts";

/** Anonymous routes of `Account`. */
export const accountRoutes = {
  login: post("/account/login", { anonymous: true }),
  tokenCreate: post("/account/profile/token", { anonymous: true, dates: ["expire_time", "expire_date"] }),
};

/** Kinds of a second factor. */
export type OTPType = "authenticator" | "sms" | "email";

/** Credentials of an account. */
export interface LoginParams {
  email: string;
  password: string;
  /** With a second factor. */
  otp_type?: OTPType;
  pin_code?: string;
}

/** What a login gives: who it is and which profiles there are. No token: `Account.tokenCreate` makes one. */
export interface LoginResponse {
  type: string;
  id: GenericID;
  email: string;
  company: string;
  name: string;
  phone?: string | null;
  profiles: ProfileListInfo[];
}

/** A profile token to make with the account's credentials. */
export interface TokenCreateInfo extends LoginParams {
  profile_id: GenericID;
  name: string;
  /** `never`, a date, or a duration such as `3 months`. */
  expire_time?: string;
}

/** The token that was made. */
export interface AccountTokenCreated {
  token: GenericToken;
  name: string;
  profile: GenericID;
  permission: "full";
  created_by: GenericID;
  expire_time?: ExpireTime;
}

/** An account: the older name of `Resources`, with the calls that need no token. */
export class Account extends Resources {
  /** Creates a profile token from the account's e-mail and password. */
  static tokenCreate(
    tokenParams: TokenCreateInfo,
    region?: Region,
    options?: CallOptions,
  ): Promise<AccountTokenCreated> {
    return Account.anonymous(accountRoutes.tokenCreate, { ...options, body: tokenParams }, region);
  }

  /**
   * Checks an account's e-mail and password and lists its profiles.
   *
   * @throws ApiError whose message is JSON (`otp_enabled`, `otp_autosend`) when a second factor is needed
   */
  static login(credentials: LoginParams, region?: Region, options?: CallOptions): Promise<LoginResponse> {
    return Account.anonymous(accountRoutes.login, { ...options, body: credentials }, region);
  }
}
