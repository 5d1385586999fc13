import { allMarked, allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { PlanName, ServiceAmounts } from "./billing.ts";
import type { ExpireTime, GenericID, GenericToken, OTPType, PermissionOption } from "./data-types.ts";
import type { TokenCreateResponse, TokenData } from "./devices.ts";

const tokenFields = ["name", "token", "permission"] as const;

/**
 * Routes of `Resources.profiles`.
 *
 * @internal
 */
export const profileRoutes = {
  list: get("/profile", { result: "list" }),
  info: get("/profile/:profileID", { dates: ["info.created_at", "info.updated_at"] }),
  summary: get("/profile/:profileID/summary"),
  create: post("/profile/", { result: "object" }),
  edit: put("/profile/:profileID"),
  delete: del("/profile/:profileID"),
  usageStatisticList: get("/profile/:profileID/statistics", {
    result: "list",
    dates: ["time"] satisfies DateKeys<UsageStatistic>,
  }),
  auditLog: get("/profile/:profileID/auditlog", {
    dates: ["events.date"] satisfies [`events.${DateKeys<AuditEvent>[number]}`],
  }),
  auditLogQuery: get("/profile/:profileID/auditlog/:queryId", {
    dates: ["events.date"] satisfies [`events.${DateKeys<AuditEvent>[number]}`],
  }),
  addonList: get("/profile/:profileID/addons", { result: "any" }),
  addonEdit: post("/profile/:profileID/addons"),
  serviceEdit: post("/profile/:profileID/services"),
  transferTokenToAnotherProfile: put("/profile/switch/:profileID"),
  tokenList: get("/profile/:profileID/token", {
    dates: ["created_at", "expire_time", "last_authorization"] satisfies DateKeys<TokenDataList>,
    list: { fields: tokenFields, orderBy: ["created_at", "desc"] },
  }),
  tokenCreate: post("/profile/:profileID/token", {
    result: "object",
    dates: ["expire_date"] satisfies DateKeys<TokenCreateResponse>,
  }),
  tokenDelete: del("/profile/:profileID/token/:token"),
  removeAddOn: del("/profile/:profileID/:addon"),
  addTeamMember: post("/profile/:profileID/team"),
  teamList: get("/profile/:profileID/team", { result: "list" }),
  deleteTeamMember: del("/profile/:profileID/team/:accountId"),
};

/** The profiles the token's account can reach. `current` stands for the token's own profile. */
export class Profiles extends Module {
  /**
   * Lists the profiles.
   *
   * @example
   * ```ts
   * const profiles = await resources.profiles.list();
   * ```
   */
  list(options?: CallOptions): Promise<StoredProfile[]> {
    return this.call(profileRoutes.list, { ...options });
  }

  /**
   * Iterates over all profiles the token can reach.
   *
   * @example
   * ```ts
   * for await (const { id, name } of resources.profiles.all()) console.log(id, name);
   * ```
   */
  all(options?: CallOptions): AsyncGenerator<StoredProfile, void, undefined> {
    return allMarked(1, options, async (_, call) => ({ rows: await this.list(call), next: undefined }));
  }

  /**
   * Retrieves a profile.
   *
   * @param profileID an id, or `current`
   * @example
   * ```ts
   * const { info, allocation } = await resources.profiles.info("current");
   * ```
   */
  info(profileID: GenericID | "current", options?: CallOptions): Promise<ProfileInfo> {
    return this.call(profileRoutes.info, { ...options, params: { profileID } });
  }

  /**
   * Retrieves limits and use of a profile.
   *
   * @param options.onlyAmount leaves out everything but the numbers of resources
   * @example
   * ```ts
   * const { limit, limit_used, amount } = await resources.profiles.summary("current");
   * ```
   */
  summary(profileID: GenericID | "current", options?: ProfileSummaryOptions): Promise<ProfileSummary> {
    const { onlyAmount, ...rest } = options ?? {};
    return this.call(profileRoutes.summary, {
      ...rest,
      params: { profileID },
      query: { onlyAmount: onlyAmount || undefined },
    });
  }

  /**
   * Creates a profile.
   *
   * @param options.allocate_free_resources allocates what the account has not allocated yet
   * @example
   * ```ts
   * const { id } = await resources.profiles.create({ name: "Plant two" }, { allocate_free_resources: true });
   * ```
   */
  create(profileObj: ProfileCreateInfo, options?: ProfileCreateOptions): Promise<ProfileCreateResponse> {
    const { allocate_free_resources, ...rest } = options ?? {};
    const query = { allocate_free_resources: allocate_free_resources || undefined };
    return this.call(profileRoutes.create, { ...rest, query, body: profileObj });
  }

  /**
   * Changes a profile.
   *
   * @example
   * ```ts
   * await resources.profiles.edit(profileID, { name: "Plant 2" });
   * ```
   */
  edit(profileID: GenericID | "current", profileObj: ProfileEditInfo, options?: CallOptions): Promise<string> {
    return this.call(profileRoutes.edit, { ...options, params: { profileID }, body: profileObj });
  }

  /**
   * Deletes a profile with everything in it.
   *
   * @example
   * ```ts
   * await resources.profiles.delete(profileID, { password: "secret" });
   * ```
   */
  delete(profileID: GenericID | "current", credentials: ProfileCredentials, options?: CallOptions): Promise<string> {
    return this.call(profileRoutes.delete, { ...options, params: { profileID }, body: credentials });
  }

  /**
   * Lists how much of each service was used; the numbers grow within a month.
   *
   * @param dateObj a day, or a time span
   * @example
   * ```ts
   * const use = await resources.profiles.usageStatisticList("current", {
   *   start_date: "2026-11-01",
   *   end_date: "2026-11-30",
   *   periodicity: "day",
   * });
   * for (const { time, input = 0 } of use) console.log(time.toISOString(), input);
   * ```
   */
  usageStatisticList(
    profileID: GenericID | "current",
    dateObj?: Given<UsageStatisticQuery>,
    options?: CallOptions,
  ): Promise<UsageStatistic[]> {
    const query = dateObj && { ...dateObj };
    return this.call(profileRoutes.usageStatisticList, { ...options, params: { profileID }, query });
  }

  /**
   * Begins a search in the log of changes; `auditLogQuery` reads on with its `queryId` while it runs.
   *
   * @example
   * ```ts
   * const { queryId, status } = await resources.profiles.auditLog("current", {
   *   resourceName: "device",
   *   find: "deleted",
   *   start_date: "2026-11-20",
   * });
   * ```
   */
  async auditLog(
    profileID: GenericID | "current",
    filterObj?: AuditLogFilter,
    options?: CallOptions,
  ): Promise<AuditLog> {
    const query = filterObj && { ...filterObj };
    const log: AuditLog = await this.call(profileRoutes.auditLog, { ...options, params: { profileID }, query });
    return withEvents(log);
  }

  /**
   * Reads the result of a search in the log of changes.
   *
   * @throws InputError without a `queryId`
   * @example
   * ```ts
   * let log = await resources.profiles.auditLog("current");
   * while (log.status === "Running") log = await resources.profiles.auditLogQuery("current", log.queryId);
   * ```
   */
  async auditLogQuery(profileID: GenericID | "current", queryId?: string, options?: CallOptions): Promise<AuditLog> {
    const params = { profileID, queryId: queryId ?? "" };
    const log: AuditLog = await this.call(profileRoutes.auditLogQuery, { ...options, params });
    return withEvents(log);
  }

  /**
   * Lists the add-ons of a profile.
   *
   * @example
   * ```ts
   * const addons = await resources.profiles.addonList("current");
   * ```
   */
  addonList(profileID: GenericID | "current", options?: CallOptions): Promise<AddonInfo[]> {
    return this.call(profileRoutes.addonList, { ...options, params: { profileID } });
  }

  /**
   * Turns add-ons of a profile on or off.
   *
   * @example
   * ```ts
   * await resources.profiles.addonEdit(profileID, { mobile: true });
   * ```
   */
  addonEdit(
    profileID: GenericID | "current",
    addonObj: Partial<ProfileAddOns & AddonInfo>,
    options?: CallOptions,
  ): Promise<string> {
    return this.call(profileRoutes.addonEdit, { ...options, params: { profileID }, body: addonObj });
  }

  /**
   * Changes how much of the services a profile may use.
   *
   * @example
   * ```ts
   * await resources.profiles.serviceEdit(profileID, { sms: { limit: 100 } });
   * ```
   */
  serviceEdit(
    profileID: GenericID | "current",
    serviceObj: { [Key in keyof ServiceAmounts]?: ProfileServiceLimit | number },
    options?: CallOptions,
  ): Promise<string> {
    return this.call(profileRoutes.serviceEdit, { ...options, params: { profileID }, body: serviceObj });
  }

  /**
   * Moves the token of this object to another profile of the account.
   *
   * @example
   * ```ts
   * await resources.profiles.transferTokenToAnotherProfile(profileID);
   * ```
   */
  transferTokenToAnotherProfile(targetProfileID: GenericID, options?: CallOptions): Promise<string> {
    const params = { profileID: targetProfileID };
    return this.call(profileRoutes.transferTokenToAnotherProfile, { ...options, params });
  }

  /**
   * Lists the tokens of a profile, the newest first.
   *
   * @example
   * ```ts
   * const tokens = await resources.profiles.tokenList("current", { fields: ["name", "last_authorization"] });
   * ```
   */
  tokenList<const Q extends Given<ListQuery<TokenDataList>>>(
    profileID: GenericID | "current",
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<TokenDataList, Q, (typeof tokenFields)[number]>[]> {
    return this.page(profileRoutes.tokenList, queryObj, { ...options, params: { profileID } });
  }

  /**
   * Iterates over all tokens of a profile, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `tokenList`; starts at its `page`
   * @example
   * ```ts
   * for await (const { name } of resources.profiles.allTokens("current")) console.log(name);
   * ```
   */
  allTokens<const Q extends Given<ListQuery<TokenDataList>>>(
    profileID: GenericID | "current",
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<TokenDataList, Q, (typeof tokenFields)[number]>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.tokenList(profileID, page, call));
  }

  /**
   * Creates a token for a profile.
   *
   * @example
   * ```ts
   * const { token } = await resources.profiles.tokenCreate("current", { name: "Reader", permission: "read" });
   * ```
   */
  tokenCreate(
    profileID: GenericID | "current",
    tokenParams: ProfileTokenCreate,
    options?: CallOptions,
  ): Promise<TokenCreateResponse> {
    return this.call(profileRoutes.tokenCreate, { ...options, params: { profileID }, body: tokenParams });
  }

  /**
   * Deletes a token of a profile.
   *
   * @example
   * ```ts
   * await resources.profiles.tokenDelete("current", token);
   * ```
   */
  tokenDelete(profileId: GenericID | "current", token: GenericToken, options?: CallOptions): Promise<string> {
    return this.call(profileRoutes.tokenDelete, { ...options, params: { profileID: profileId, token } });
  }

  /**
   * Takes an add-on away from a profile.
   *
   * @example
   * ```ts
   * await resources.profiles.removeAddOn(profileID, "mobile");
   * ```
   */
  removeAddOn(
    profileId: GenericID | "current",
    addon: Exclude<keyof ProfileAddOns, "profile" | "updated_at"> | (string & {}),
    options?: CallOptions,
  ): Promise<string> {
    return this.call(profileRoutes.removeAddOn, { ...options, params: { profileID: profileId, addon } });
  }

  /**
   * Invites an account to a profile.
   *
   * @example
   * ```ts
   * await resources.profiles.addTeamMember("current", "jo@example.org");
   * ```
   */
  addTeamMember(id: GenericID | "current", email: string, options?: CallOptions): Promise<string> {
    return this.call(profileRoutes.addTeamMember, { ...options, params: { profileID: id }, body: { email } });
  }

  /**
   * Lists the accounts a profile is shared with.
   *
   * @example
   * ```ts
   * const team = await resources.profiles.teamList("current");
   * const invited = team.filter(({ active }) => !active);
   * ```
   */
  teamList(id: GenericID | "current", options?: CallOptions): Promise<TeamInfo[]> {
    return this.call(profileRoutes.teamList, { ...options, params: { profileID: id } });
  }

  /**
   * Removes the access of an account to a profile.
   *
   * @example
   * ```ts
   * const [member] = await resources.profiles.teamList("current");
   * if (member !== undefined) await resources.profiles.deleteTeamMember("current", member.id);
   * ```
   */
  deleteTeamMember(id: GenericID | "current", accountId: GenericID, options?: CallOptions): Promise<string> {
    return this.call(profileRoutes.deleteTeamMember, { ...options, params: { profileID: id, accountId } });
  }
}

/** A profile in a list. */
export interface ProfileListInfo {
  /** For the calls that ask for a `profileID`. */
  id: GenericID;
  /** Name shown in lists. */
  name: string;
  /** Address of the logo; null: none. */
  logo_url: string | null;
  /** Account that owns it. */
  account?: GenericID;
  /** Shared by another account. */
  from_share?: boolean;
}

/** A profile in a list as the platform returns it. */
export type StoredProfile = Stored<ProfileListInfo, "account">;

/** How much of each service a profile may use. */
export interface ProfileLimits extends ServiceAmounts {
  /** Core instances; absent without them. */
  tcore?: number;
}

/** What a profile has used: the services of the month, and what it holds now. The platform may leave out a service of which nothing was used. */
export interface ProfileUse extends ServiceAmounts {
  /** Core instances. */
  tcore: number;
  /** Records read by dashboards. */
  dashboard_output?: number;
  /** Clusters of core instances. */
  tcore_cluster?: number;
}

/** Number of resources of each kind. */
export interface ProfileAmounts {
  /** Devices, active or not. */
  device: number;
  /** @deprecated as many as devices */
  bucket: number;
  /** Dashboards and blueprints. */
  dashboard: number;
  /** Dashboards shared by others; that kind of sharing is gone. */
  dashboard_shared: number;
  /** Analyses, active or not. */
  analysis: number;
  /** Actions, active or not. */
  action: number;
  /** Access rules. */
  am: number;
  /** Users of the portal. */
  run_users: number;
  /** Dictionaries. */
  dictionary: number;
  /** Own connectors, without the public ones. */
  connectors: number;
  /** Own networks, without the public ones. */
  networks: number;
  /** Core instances. */
  tcore: number;
  /** Clusters of core instances. */
  tcore_cluster?: number;
}

/** Paid features of a profile. */
export interface ProfileAddOns {
  /** A portal at a domain of one's own. */
  custom_dns: boolean;
  /** A mobile app of one's own. */
  mobile: boolean;
  /** Absent where the platform does not offer it. */
  control_tower?: boolean;
  /** Profile they belong to. */
  profile?: GenericID;
  /** ISO 8601. */
  updated_at?: string;
}

/** A profile. */
export interface ProfileInfo {
  /** What it is. */
  info: {
    /** Set by the platform. */
    id: GenericID;
    /** Account that owns it. */
    account: GenericID;
    /** Name shown in lists. */
    name: string;
    /** Address of the logo; null: none. */
    logo_url: string | null;
    /** Address of the banner; null: none. */
    banner_url: string | null;
    /** Where its data is kept, e.g. `us-1`. */
    region?: string;
    /** Limits in requests a minute; null: the usual ones. */
    rpm?: {
      /** Requests that send data. */
      data_input?: number;
      /** Requests that read data. */
      data_output?: number;
    } | null;
    /** When the profile was created. */
    created_at: Date;
    /** Last change. */
    updated_at: Date;
  };
  /** How much of each service it may use. */
  allocation: ProfileLimits;
  /** Paid features. */
  addons: ProfileAddOns;
  /** Plan of the account that owns it. */
  account_plan: PlanName | (string & {});
}

/** What a profile uses and holds. With `onlyAmount` there is nothing but `amount`. */
export interface ProfileSummary {
  /** How much of each service it may use. */
  limit: ProfileLimits;
  /** How much of it was used this month. */
  limit_used: ProfileUse;
  /** Number of resources of each kind. */
  amount: ProfileAmounts;
  /** Paid features. */
  addons: ProfileAddOns;
  /** Host name of the portal. */
  tago_run?: string;
}

/** Options of a summary. */
export interface ProfileSummaryOptions extends CallOptions {
  /** Leaves out everything but `amount`. @default false */
  onlyAmount?: boolean;
}

/** A token, as it shows itself. */
export interface TokenInfo {
  /** The token itself; only in lists. */
  token?: GenericToken;
  /** Name shown in lists. */
  name: string;
  /** What the token is for, such as `profile` or `serviceauth`. */
  type: string;
  /** `deny`: the token opens nothing. */
  permission: PermissionOption;
  /** Serial number; of devices, else null. */
  serie_number: string | null;
  /** Last use; null: never used. */
  last_authorization: Date | null;
  /** The additional parameter of a service authorization. */
  verification_code: string | null;
  /** End of the token. */
  expire_time: ExpireTime;
  /** What the token opens: a profile, a device, an analysis ... */
  ref_id: GenericID;
  /** When the token was created. */
  created_at: Date;
  /** Account that created it; null: not known. */
  created_by: GenericID | null;
}

/** A token in a list. */
export interface TokenDataList extends TokenInfo {
  /** The token itself. */
  token: GenericToken;
}

/** A profile token to make; some accounts ask for the password again. */
export type ProfileTokenCreate = TokenData & {
  /** Address of the account; goes with `password`. */
  email?: string;
  /** Password of the account. */
  password?: string;
  /** Kind of the two-factor PIN. */
  otp_type?: OTPType;
  /** Two-factor PIN, when it is enabled. */
  pin_code?: string;
};

/** Fields for creating a profile. */
export interface ProfileCreateInfo {
  /** Name shown in lists. */
  name: string;
  /** Address of the logo; null takes it away. */
  logo_url?: string | null;
  /** Address of the banner; null takes it away. */
  banner_url?: string | null;
}

/** Changes to a profile; properties left out stay as they are. */
export type ProfileEditInfo = Partial<ProfileCreateInfo & ProfileInfo>;

/** Options of making a profile. */
export interface ProfileCreateOptions extends CallOptions {
  /** Allocates what the account has not allocated yet. @default false */
  allocate_free_resources?: boolean;
}

/** What comes back for a new profile. */
export interface ProfileCreateResponse {
  /** Id of the profile. */
  id: GenericID;
}

/** Proof that the account's owner asks; the PIN with two-factor authentication. */
export interface ProfileCredentials {
  /** Password of the account. */
  password: string;
  /** The PIN from two-factor authentication. */
  pin_code?: string;
}

/** A limit to set. */
export interface ProfileServiceLimit {
  /** How much may be used, in the unit of the service. */
  limit: number;
}

/** An add-on of a profile. */
export interface AddonInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Name of the add-on, such as `mobile`. */
  name: string;
  /** Address of its picture; null: none. */
  logo_url: string | null;
}

/** Use of the services up to a date; only the services that were used. */
export interface UsageStatistic extends Partial<ServiceAmounts> {
  /** The date the numbers are for. */
  time: Date;
}

/** The time to show the use of: a day, or from `start_date` to `end_date`. */
export interface UsageStatisticQuery {
  /** A day; without `start_date` and `end_date`. */
  date?: string | Date;
  /** First date. */
  start_date?: string | Date;
  /** Last date. */
  end_date?: string | Date;
  /** Step between two entries. */
  periodicity?: "hour" | "day" | "month";
  /** For dates without an offset. */
  timezone?: string;
}

/** Kinds of resources whose changes are logged. */
export type AuditResource =
  | "action"
  | "am"
  | "analysis"
  | "connector"
  | "dashboard"
  | "device"
  | "dictionary"
  | "network"
  | "profile"
  | "run"
  | "runuser";

/** What to search the log of changes for. */
export interface AuditLogFilter {
  /** Changes of this resource only. */
  resourceID?: GenericID;
  /** Changes of this kind of resource only. */
  resourceName?: AuditResource;
  /** Text in the message. */
  find?: string;
  /** First date. */
  start_date?: string | Date;
  /** At most 7 days after `start_date`. */
  end_date?: string | Date;
  /** Events at most. */
  limit?: number;
}

/** A change. */
export interface AuditEvent {
  /** Kind of resource. */
  resourceName: AuditResource | (string & {});
  /** Resource that was changed. */
  resourceID: GenericID;
  /** What happened, in words. */
  message: string;
  /** Account that created it. */
  who: GenericID;
  /** When it happened. */
  date: Date;
}

/** A search in the log of changes. */
export interface AuditLog {
  /** What was found so far. */
  events?: AuditEvent[] | undefined;
  /** How far the search has come. */
  statistics?: {
    /** Events found. */
    recordsMatched: number;
    /** Events looked at. */
    recordsScanned: number;
    /** Bytes looked at. */
    bytesScanned: number;
  };
  /** `Running`: ask again with `auditLogQuery`. */
  status?: "Running" | "Complete" | "Failed" | "Timeout" | "Unknown";
  /** For `auditLogQuery`. */
  queryId: string;
}

/** An account a profile is shared with. */
export interface TeamInfo {
  /** Id of the account. */
  id: GenericID;
  /** Name of the owner. */
  name: string;
  /** Where the invitation went. */
  email: string;
  /** False until the invitation is accepted. */
  active: boolean;
  /** When the account was invited, ISO 8601. */
  created_at: string;
}

/** The property is present even while nothing has been found. */
function withEvents(log: AuditLog): AuditLog {
  return typeof log === "object" && log !== null ? { ...log, events: log.events } : log;
}
