import type { CallOptions } from "../api/client.ts";
import { needId } from "../api/ids.ts";
import type { Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { idList } from "./data-calls.ts";
import type { GenericID } from "./data-types.ts";
import type { NotificationCreateResponse } from "./notifications.ts";
import type {
  CustomDomainCreate,
  CustomDomainInfo,
  LoginAsUserOptions,
  RunEditInfo,
  RunEmailTest,
  RunInfo,
  RunNotificationCreate,
  RunNotificationInfo,
  RunSAMLEditInfo,
  RunSAMLInfo,
  RunUserLoginResponse,
  UserCreateInfo,
  UserCreateResponse,
  UserEditInfo,
  UserInfo,
  UserQuery,
} from "./run-types.ts";

const dates = ["created_at", "updated_at", "last_login"] as const satisfies readonly (keyof UserInfo)[];
const loginDates = ["expire_date"] as const satisfies readonly (keyof RunUserLoginResponse)[];
const domainDates = ["created_at"] as const satisfies readonly (keyof CustomDomainInfo)[];

/**
 * Routes of `Resources.run`.
 *
 * @internal
 */
export const runRoutes = {
  info: get("/run"),
  edit: put("/run"),
  listUsers: get("/run/users", { dates, list: { fields: ["id", "name"], orderBy: ["name", "asc"] } }),
  userInfo: get("/run/users/:userID", { dates }),
  userCreate: post("/run/users", { gives: "object" }),
  userEdit: put("/run/users/:userID"),
  userDelete: del("/run/users/:userID"),
  loginAsUser: get("/run/users/:userID/login", { dates: loginDates }),
  emailTest: post("/run/email_test"),
  notificationList: get("/run/notification/:userID", { gives: "rows" }),
  notificationCreate: post("/run/notification/", { gives: "object" }),
  notificationEdit: put("/run/notification/:notificationID"),
  notificationDelete: del("/run/notification/:notificationID"),
  ssoSAMLInfo: get("/run/sso/saml"),
  ssoSAMLEdit: put("/run/sso/saml"),
  createCustomDomain: post("/run/customdomain/:profile_id"),
  getCustomDomain: get("/run/customdomain/:profile_id", { dates: domainDates }),
  deleteCustomDomain: del("/run/customdomain/:profile_id"),
  regenerateCustomDomain: put("/run/customdomain/regenerate/:profile_id"),
};

/** The portal of the profile and its users (specification, section 7). */
export class Run extends Module {
  /**
   * Retrieves the portal.
   *
   * @example
   * ```ts
   * const { name, url, signup_fields } = await resources.run.info();
   * ```
   */
  info(options?: CallOptions): Promise<RunInfo> {
    return this.call(runRoutes.info, { ...options });
  }

  /**
   * Changes the portal.
   *
   * @example
   * ```ts
   * await resources.run.edit({ name: "Cold store", auth_token_ttl: "1 month" });
   * ```
   */
  edit(data: RunEditInfo, options?: CallOptions): Promise<string> {
    return this.call(runRoutes.edit, { ...options, body: data });
  }

  /**
   * Lists users.
   *
   * @param query page (1), fields (id, name), filter, amount (20), order (`name,asc`)
   * @example
   * ```ts
   * const users = await resources.run.listUsers({ fields: ["name", "email", "last_login"], filter: { active: true } });
   * ```
   */
  listUsers<const Q extends UserQuery>(
    query?: Q,
    options?: CallOptions,
  ): Promise<Picked<UserInfo, Q, "id" | "name">[]> {
    return this.page(runRoutes.listUsers, query, { ...options });
  }

  /**
   * Retrieves a user.
   *
   * @example
   * ```ts
   * const { email, tags } = await resources.run.userInfo(userID);
   * ```
   */
  userInfo(userID: GenericID, options?: CallOptions): Promise<UserInfo> {
    return this.call(runRoutes.userInfo, { ...options, params: { userID } });
  }

  /**
   * Creates a user.
   *
   * @returns the id of the user as `user`
   * @example
   * ```ts
   * const { user: id } = await resources.run.userCreate({
   *   name: "Jo",
   *   email: "jo@example.org",
   *   password: "secret",
   *   timezone: "Europe/Lisbon",
   *   tags: [{ key: "role", value: "operator" }],
   * });
   * ```
   */
  userCreate(data: UserCreateInfo, options?: CallOptions): Promise<UserCreateResponse> {
    return this.call(runRoutes.userCreate, { ...options, body: data });
  }

  /**
   * Changes a user.
   *
   * @example
   * ```ts
   * await resources.run.userEdit(userID, { active: false });
   * ```
   */
  userEdit(userID: GenericID, data: UserEditInfo, options?: CallOptions): Promise<string> {
    return this.call(runRoutes.userEdit, { ...options, params: { userID }, body: data });
  }

  /**
   * Deletes a user.
   *
   * @example
   * ```ts
   * await resources.run.userDelete(userID);
   * ```
   */
  userDelete(userID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(runRoutes.userDelete, { ...options, params: { userID } });
  }

  /**
   * Makes a token of a user.
   *
   * @param options.expire_time when it ends: a duration such as `3 months`, or `never`
   * @example
   * ```ts
   * const { token, expire_date } = await resources.run.loginAsUser(userID, { expire_time: "1 hour" });
   * ```
   */
  loginAsUser(userID: GenericID, options?: LoginAsUserOptions): Promise<RunUserLoginResponse> {
    const { signal, timeoutMs, ...query } = options ?? {};
    return this.call(runRoutes.loginAsUser, { signal, timeoutMs, params: { userID }, query });
  }

  /**
   * Sends a mail to the account, to see what mails of the portal look like.
   *
   * @example
   * ```ts
   * await resources.run.emailTest({ subject: "Trial", body: "Hello $name$" });
   * ```
   */
  emailTest(data: RunEmailTest, options?: CallOptions): Promise<string> {
    return this.call(runRoutes.emailTest, { ...options, body: data });
  }

  /**
   * Lists the notifications of a user.
   *
   * @example
   * ```ts
   * const notifications = await resources.run.notificationList(userID);
   * ```
   */
  notificationList(userID: GenericID, options?: CallOptions): Promise<RunNotificationInfo[]> {
    return this.call(runRoutes.notificationList, { ...options, params: { userID } });
  }

  /**
   * Creates a notification for one or several users.
   *
   * @returns the id of the notification
   * @example
   * ```ts
   * const { id } = await resources.run.notificationCreate([userID], {
   *   title: "Tank",
   *   message: "It is full.",
   *   buttons: [{ id: "open", label: "Open", url: "https://example.tago.run" }],
   * });
   * ```
   */
  async notificationCreate(
    userID: GenericID | readonly GenericID[],
    data: RunNotificationCreate,
    options?: CallOptions,
  ): Promise<NotificationCreateResponse> {
    const run_user = typeof userID === "string" ? needId(userID, "userID") : idList(userID);
    return this.call(runRoutes.notificationCreate, {
      ...options,
      body: { ...data, run_user },
    });
  }

  /**
   * Changes a notification of a user.
   *
   * @example
   * ```ts
   * await resources.run.notificationEdit(notificationID, { message: "It is empty again." });
   * ```
   */
  notificationEdit(
    notificationID: GenericID,
    data: Partial<RunNotificationCreate>,
    options?: CallOptions,
  ): Promise<string> {
    return this.call(runRoutes.notificationEdit, { ...options, params: { notificationID }, body: data });
  }

  /**
   * Deletes a notification of a user.
   *
   * @example
   * ```ts
   * await resources.run.notificationDelete(notificationID);
   * ```
   */
  notificationDelete(notificationID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(runRoutes.notificationDelete, { ...options, params: { notificationID } });
  }

  /**
   * Retrieves how users log in through an identity provider.
   *
   * @example
   * ```ts
   * const { sp, mapping } = await resources.run.ssoSAMLInfo();
   * ```
   */
  ssoSAMLInfo(options?: CallOptions): Promise<RunSAMLInfo> {
    return this.call(runRoutes.ssoSAMLInfo, { ...options });
  }

  /**
   * Changes how users log in through an identity provider.
   *
   * @example
   * ```ts
   * await resources.run.ssoSAMLEdit({ mapping: { email: "mail", firstName: "givenName", tags: { role: "department" } } });
   * ```
   */
  ssoSAMLEdit(data: RunSAMLEditInfo, options?: CallOptions): Promise<string> {
    return this.call(runRoutes.ssoSAMLEdit, { ...options, body: data });
  }

  /**
   * Shows the portal at a domain of one's own, once the domain has the records `getCustomDomain` names.
   *
   * @example
   * ```ts
   * await resources.run.createCustomDomain(profileID, {
   *   domain: "example.org",
   *   subdomain: "portal",
   *   email: "jo@example.org",
   * });
   * ```
   */
  createCustomDomain(
    profile_id: GenericID,
    customDomainData: CustomDomainCreate,
    options?: CallOptions,
  ): Promise<string> {
    return this.call(runRoutes.createCustomDomain, { ...options, params: { profile_id }, body: customDomainData });
  }

  /**
   * Retrieves the domain of the portal with the records it must have.
   *
   * @example
   * ```ts
   * const { active, dns_page } = await resources.run.getCustomDomain(profileID);
   * console.log(active ? "ready" : `${dns_page.type} ${dns_page.key} ${dns_page.value}`);
   * ```
   */
  getCustomDomain(profile_id: GenericID, options?: CallOptions): Promise<CustomDomainInfo> {
    return this.call(runRoutes.getCustomDomain, { ...options, params: { profile_id } });
  }

  /**
   * Takes the domain of the portal away.
   *
   * @example
   * ```ts
   * await resources.run.deleteCustomDomain(profileID);
   * ```
   */
  deleteCustomDomain(profile_id: GenericID, options?: CallOptions): Promise<string> {
    return this.call(runRoutes.deleteCustomDomain, { ...options, params: { profile_id } });
  }

  /**
   * Creates the records of the portal's domain again.
   *
   * @example
   * ```ts
   * await resources.run.regenerateCustomDomain(profileID);
   * ```
   */
  regenerateCustomDomain(profile_id: GenericID, options?: CallOptions): Promise<string> {
    return this.call(runRoutes.regenerateCustomDomain, { ...options, params: { profile_id } });
  }
}
