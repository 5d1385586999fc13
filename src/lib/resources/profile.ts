import type { ListQuery, Picked } from "../core/list-query.ts";
import { Module } from "../core/module.ts";
import { del, get, post } from "../core/route.ts";
import type { CallOptions } from "../http/client.ts";
import type { ExpireTime, GenericID, GenericToken, Permission } from "./data-types.ts";
import type { TokenCreateResponse, TokenData } from "./devices.ts";

/** Routes of `Resources.profiles`. */
export const profileRoutes = {
  list: get("/profile"),
  info: get("/profile/:profileID", { dates: ["info.created_at", "info.updated_at"] }),
  summary: get("/profile/:profileID/summary"),
  tokenList: get("/profile/:profileID/token", {
    dates: ["created_at", "expire_time", "last_authorization"],
    list: { fields: ["name", "token", "permission"], orderBy: ["created_at", "desc"] },
  }),
  tokenCreate: post("/profile/:profileID/token", { dates: ["expire_date"] }),
  tokenDelete: del("/profile/:profileID/token/:token"),
};

/** A profile in a list. */
export interface ProfileListInfo {
  id: GenericID;
  name: string;
  logo_url: string | null;
  account: GenericID;
  /** Shared by another account. */
  from_share?: boolean;
}

/** How much of each service a profile may use. */
export interface ProfileLimit {
  input: number;
  output: number;
  sms: number;
  email: number;
  /** Minutes. */
  analysis: number;
  data_records: number;
  run_users: number;
  push_notification: number;
  /** MB. */
  file_storage: number;
  tcore?: number;
}

/** Paid features of a profile. */
export interface ProfileAddOns {
  custom_dns: boolean;
  mobile: boolean;
  control_tower?: boolean;
}

/** A profile. */
export interface ProfileInfo {
  info: {
    id: GenericID;
    account: GenericID;
    name: string;
    logo_url: string | null;
    banner_url: string | null;
    region?: string;
    rpm?: { data_input?: number; data_output?: number } | null;
    created_at: Date;
    updated_at: Date;
  };
  allocation: ProfileLimit;
  addons: ProfileAddOns;
  account_plan: "free" | "starter" | "scale";
}

/** What a profile uses and holds. */
export interface ProfileSummary {
  limit: ProfileLimit;
  limit_used: Partial<ProfileLimit> & Record<string, number>;
  /** Number of resources of each kind. */
  amount: Record<string, number>;
  addons: ProfileAddOns;
  tago_run?: string;
}

/** A token, as `GET /info` and token lists show it. */
export interface TokenDataList {
  token: GenericToken;
  name: string;
  type: string;
  permission: Permission;
  serie_number: string | null;
  last_authorization: Date | null;
  verification_code: string | null;
  expire_time: ExpireTime;
  ref_id: GenericID;
  created_at: Date;
  created_by: GenericID | null;
}

/** A profile token to make; some accounts ask for the password again. */
export type ProfileTokenCreate = TokenData & {
  email?: string;
  password?: string;
  otp_type?: "sms" | "email" | "authenticator";
  pin_code?: string;
};

/** The profiles the token's account can reach. `current` stands for the token's own profile. */
export class Profiles extends Module {
  /** Lists the profiles. */
  list(options?: CallOptions): Promise<ProfileListInfo[]> {
    return this.call(profileRoutes.list, { ...options });
  }

  /** Retrieves a profile. @param profileID an id, or `current` */
  info(profileID: GenericID | "current", options?: CallOptions): Promise<ProfileInfo> {
    return this.call(profileRoutes.info, { ...options, params: { profileID } });
  }

  /** Retrieves limits and use of a profile. @param options.onlyAmount leaves out everything but the numbers of resources */
  summary(profileID: GenericID | "current", options?: CallOptions & { onlyAmount?: boolean }): Promise<ProfileSummary> {
    const { onlyAmount, ...rest } = options ?? {};
    return this.call(profileRoutes.summary, {
      ...rest,
      params: { profileID },
      query: { onlyAmount: onlyAmount || undefined },
    });
  }

  /** Lists the tokens of a profile, the newest first. */
  tokenList<const Q extends ListQuery<TokenDataList>>(
    profileID: GenericID | "current",
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<TokenDataList, Q, "name" | "token" | "permission">[]> {
    return this.page(profileRoutes.tokenList, queryObj, { ...options, params: { profileID } });
  }

  /** Creates a token for a profile. */
  tokenCreate(
    profileID: GenericID | "current",
    tokenParams: ProfileTokenCreate,
    options?: CallOptions,
  ): Promise<TokenCreateResponse> {
    return this.call(profileRoutes.tokenCreate, { ...options, params: { profileID }, body: tokenParams });
  }

  /** Deletes a token of a profile. */
  tokenDelete(profileId: GenericID | "current", token: GenericToken, options?: CallOptions): Promise<string> {
    return this.call(profileRoutes.tokenDelete, { ...options, params: { profileID: profileId, token } });
  }
}
