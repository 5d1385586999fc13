import type { CallOptions } from "../api/client.ts";
import type { ListQuery, Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { ServiceAmounts } from "./billing-types.ts";
import type { GenericID, GenericToken } from "./data-types.ts";
import type { TokenCreateResponse } from "./devices.ts";
import type {
  AddonInfo,
  AuditLog,
  AuditLogFilter,
  ProfileAddOns,
  ProfileCreateInfo,
  ProfileCreateOptions,
  ProfileCreateResponse,
  ProfileCredentials,
  ProfileInfo,
  ProfileListInfo,
  ProfileServiceLimit,
  ProfileSummary,
  ProfileSummaryOptions,
  ProfileTokenCreate,
  TeamInfo,
  TokenDataList,
  UsageStatistic,
  UsageStatisticQuery,
} from "./profile-types.ts";

/**
 * Routes of `Resources.profiles`.
 *
 * @internal
 */
export const profileRoutes = {
  list: get("/profile", { gives: "rows" }),
  info: get("/profile/:profileID", { dates: ["info.created_at", "info.updated_at"] }),
  summary: get("/profile/:profileID/summary"),
  create: post("/profile/", { gives: "object" }),
  edit: put("/profile/:profileID"),
  delete: del("/profile/:profileID"),
  usageStatisticList: get("/profile/:profileID/statistics", { gives: "rows", dates: ["time"] }),
  auditLog: get("/profile/:profileID/auditlog", { dates: ["events.date"] }),
  auditLogQuery: get("/profile/:profileID/auditlog/:queryId", { dates: ["events.date"] }),
  addonList: get("/profile/:profileID/addons", { gives: ["rows", "object"] }),
  addonEdit: post("/profile/:profileID/addons"),
  serviceEdit: post("/profile/:profileID/services"),
  transferTokenToAnotherProfile: put("/profile/switch/:profileID"),
  tokenList: get("/profile/:profileID/token", {
    dates: ["created_at", "expire_time", "last_authorization"],
    list: { fields: ["name", "token", "permission"], orderBy: ["created_at", "desc"] },
  }),
  tokenCreate: post("/profile/:profileID/token", { gives: "object", dates: ["expire_date"] }),
  tokenDelete: del("/profile/:profileID/token/:token"),
  removeAddOn: del("/profile/:profileID/:addon"),
  addTeamMember: post("/profile/:profileID/team"),
  teamList: get("/profile/:profileID/team", { gives: "rows" }),
  deleteTeamMember: del("/profile/:profileID/team/:accountId"),
};

/** The profiles the token's account can reach. `current` stands for the token's own profile (specification, section 7). */
export class Profiles extends Module {
  /**
   * Lists the profiles.
   *
   * @example
   * ```ts
   * const profiles = await resources.profiles.list();
   * ```
   */
  list(options?: CallOptions): Promise<ProfileListInfo[]> {
    return this.call(profileRoutes.list, { ...options });
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
   * @param options.allocate_free_resources gives it what the account has not allocated yet
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
  edit(
    profileID: GenericID | "current",
    profileObj: Partial<ProfileCreateInfo>,
    options?: CallOptions,
  ): Promise<string> {
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
    dateObj?: UsageStatisticQuery,
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
    addonObj: Partial<Omit<ProfileAddOns, "profile" | "updated_at">>,
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
  tokenList<const Q extends ListQuery<TokenDataList>>(
    profileID: GenericID | "current",
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<TokenDataList, Q, "name" | "token" | "permission">[]> {
    return this.page(profileRoutes.tokenList, queryObj, { ...options, params: { profileID } });
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
   * Ends the access of an account to a profile.
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

/** The member is there while nothing has been found yet, too. */
function withEvents(log: AuditLog): AuditLog {
  return typeof log === "object" && log !== null ? { ...log, events: log.events } : log;
}
