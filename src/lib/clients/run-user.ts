import { allRows } from "../api/all-rows.ts";
import { checkListQuery } from "../api/check-query.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, Stored } from "../api/list-query.ts";
import { type GenericModuleParams, Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { Region } from "../core/regions.ts";
import type { Credentials } from "../resources/account.ts";
import { idList } from "../resources/data-calls.ts";
import type { GenericID, GenericToken, OTPType } from "../resources/data-types.ts";
import type { NotificationQuery } from "../resources/notifications.ts";
import type {
  OTPFlags,
  RunNotificationInfo,
  RunUserLoginResponse,
  UserCreateInfo,
  UserEditInfo,
  UserInfo,
} from "../resources/run.ts";

const dates = ["created_at"] as const satisfies DateKeys<RunUserInfo> & DateKeys<RunUserNotification>;
const loginDates = ["expire_date"] as const satisfies DateKeys<RunUserLoginResponse>;

/**
 * Routes of portal users.
 *
 * @internal
 */
export const runUserRoutes = {
  info: get("/run/:url/info", { dates }),
  create: post("/run/:url/signup", { result: "object", anonymous: true }),
  edit: put("/run/:url/info"),
  delete: del("/run/:url/delete"),
  login: post("/run/:url/login", { result: "object", anonymous: true, dates: loginDates }),
  confirmUser: get("/run/:url/confirm/:token", { result: "any", anonymous: true }),
  passwordRecover: get("/run/:url/passwordreset/:email", { result: "any", anonymous: true }),
  passwordChange: post("/run/:url/passwordreset"),
  notificationList: get("/run/:url/notification", { result: "list", dates }),
  notificationMark: put("/run/:url/notification"),
  notificationMarkAllRead: put("/run/:url/notification/markallread"),
  notificationButton: put("/run/:url/notification/:notificationID/:buttonID"),
  notificationDelete: del("/run/:url/notification/:notificationID"),
  requestLoginPINCode: post("/run/:url/login/otp", { anonymous: true }),
  enableOTP: post("/run/:url/otp/:typeOTP/enable"),
  disableOTP: post("/run/:url/otp/:typeOTP/disable"),
  confirmOTP: post("/run/:url/otp/:typeOTP/confirm"),
};

/** The user as seen by the portal. Only `created_at` is a Date; the other timestamps are ISO strings. */
export interface RunUserInfo
  extends Omit<UserInfo, "last_login" | "updated_at" | RunUserOptional>,
    Partial<Pick<UserInfo, RunUserOptional>> {
  /** ISO 8601; null before the first login. */
  last_login?: string | null;
  /** Last change, ISO 8601. */
  updated_at?: string;
  /** Enabled methods of two-factor authentication. */
  otp?: OTPFlags;
}

type RunUserOptional = "profile" | "tags" | "options" | "newsletter";

/** A notification of the user. */
export interface RunUserNotification extends Omit<RunNotificationInfo, "created_at"> {
  /** When it was sent. */
  created_at: Date;
}

/** Credentials of a user. */
export interface RunUserLogin extends Credentials {
  /** Type of two-factor authentication, when it is enabled. */
  otp_type?: OTPType;
  /** Two-factor authentication code. */
  pin_code?: string;
}

/**
 * Routes of the key-value storage of portal users.
 *
 * @internal
 */
export const sdbRoutes = {
  getItem: get("/run/:url/sdb/:key", { result: "any" }),
  setItem: post("/run/:url/sdb/:key"),
  removeItem: del("/run/:url/sdb/:key"),
};

/** Key-value storage of a portal user. `tagoRunURL` is the host name of the portal. */
export class SDB extends Module {
  /**
   * Reads a value; null when there is none.
   *
   * @example
   * ```ts
   * const theme = await user.SDB.getItem("example.tago.run", "theme");
   * ```
   */
  getItem(tagoRunURL: string, key: string, options?: CallOptions): Promise<string | null> {
    return this.call(sdbRoutes.getItem, { ...options, params: { url: tagoRunURL, key } });
  }

  /**
   * Stores a value. A string is sent as it is, anything else as JSON.
   *
   * @example
   * ```ts
   * await user.SDB.setItem("example.tago.run", "theme", { dark: true });
   * ```
   */
  setItem(tagoRunURL: string, key: string, value: unknown, options?: CallOptions): Promise<string> {
    return this.call(sdbRoutes.setItem, { ...options, params: { url: tagoRunURL, key }, body: value });
  }

  /**
   * Removes a value.
   *
   * @example
   * ```ts
   * await user.SDB.removeItem("example.tago.run", "theme");
   * ```
   */
  removeItem(tagoRunURL: string, key: string, options?: CallOptions): Promise<string> {
    return this.call(sdbRoutes.removeItem, { ...options, params: { url: tagoRunURL, key } });
  }
}

/** A portal user, accessed with the user's own token. `tagoIORunURL` is the host name of the portal. */
export class RunUser extends Module {
  /** Key-value storage of the user. */
  SDB: SDB;

  constructor(params: GenericModuleParams) {
    super(params);
    this.SDB = new SDB(this.client);
  }

  /**
   * Retrieves the user.
   *
   * @example
   * ```ts
   * const { name, timezone } = await user.info("example.tago.run");
   * ```
   */
  info(
    tagoIORunURL: string,
    options?: CallOptions,
  ): Promise<Stored<RunUserInfo, "last_login" | "updated_at" | RunUserOptional>> {
    return this.call(runUserRoutes.info, { ...options, params: { url: tagoIORunURL } });
  }

  /**
   * Signs up a user.
   *
   * @returns the id of the user as `user`
   * @example
   * ```ts
   * const { user: id } = await RunUser.create("example.tago.run", {
   *   name: "Jo",
   *   email: "jo@example.org",
   *   password: "secret",
   *   timezone: "Europe/Lisbon",
   * });
   * ```
   */
  static create(
    tagoIORunURL: string,
    newUserObj: UserCreateInfo,
    region?: Region,
    options?: CallOptions,
  ): Promise<{ user: GenericID }> {
    const input = { ...options, params: { url: tagoIORunURL }, body: newUserObj };
    return RunUser.anonymous(runUserRoutes.create, input, region);
  }

  /**
   * Changes the user.
   *
   * @example
   * ```ts
   * await user.edit("example.tago.run", { options: { time_format: "24" } });
   * ```
   */
  edit(tagoIORunURL: string, userChangesObj: UserEditInfo, options?: CallOptions): Promise<string> {
    return this.call(runUserRoutes.edit, { ...options, params: { url: tagoIORunURL }, body: userChangesObj });
  }

  /**
   * Requests the deletion of the user.
   *
   * @example
   * ```ts
   * await user.delete("example.tago.run");
   * ```
   */
  delete(tagoIORunURL: string, options?: CallOptions): Promise<string> {
    return this.call(runUserRoutes.delete, { ...options, params: { url: tagoIORunURL } });
  }

  /**
   * Logs a user in.
   *
   * @throws ApiError whose message is JSON (`otp_enabled`, `otp_autosend`) when two-factor authentication is required
   * @example
   * ```ts
   * const { token } = await RunUser.login("example.tago.run", { email: "jo@example.org", password: "secret" });
   * const jo = new RunUser({ token });
   * ```
   */
  static login(
    tagoIORunURL: string,
    credentialsObj: RunUserLogin,
    region?: Region,
    options?: CallOptions,
  ): Promise<RunUserLoginResponse> {
    const input = { ...options, params: { url: tagoIORunURL }, body: credentialsObj };
    return RunUser.anonymous(runUserRoutes.login, input, region);
  }

  /**
   * Confirms a user who signed up.
   *
   * @param token from the email
   * @example
   * ```ts
   * await RunUser.confirmUser("example.tago.run", "token-from-the-email");
   * ```
   */
  static confirmUser(
    tagoIORunURL: string,
    token: GenericToken,
    region?: Region,
    options?: CallOptions,
  ): Promise<string> {
    const params = { url: tagoIORunURL, token };
    return RunUser.anonymous(runUserRoutes.confirmUser, { ...options, params }, region);
  }

  /**
   * Sends an email to reset the password.
   *
   * @example
   * ```ts
   * await RunUser.passwordRecover("example.tago.run", "jo@example.org");
   * ```
   */
  static passwordRecover(tagoIORunURL: string, email: string, region?: Region, options?: CallOptions): Promise<string> {
    const params = { url: tagoIORunURL, email };
    return RunUser.anonymous(runUserRoutes.passwordRecover, { ...options, params }, region);
  }

  /**
   * Changes the user's password.
   *
   * @example
   * ```ts
   * await user.passwordChange("example.tago.run", "a new, long password");
   * ```
   */
  passwordChange(tagoIORunURL: string, password: string, options?: CallOptions): Promise<string> {
    return this.call(runUserRoutes.passwordChange, { ...options, params: { url: tagoIORunURL }, body: { password } });
  }

  /**
   * Lists the user's notifications.
   *
   * @param queryObj page, amount, orderBy, filter (read)
   * @example
   * ```ts
   * const unread = await user.notificationList("example.tago.run", { filter: { read: false } });
   * ```
   */
  async notificationList(
    tagoIORunURL: string,
    queryObj?: Given<NotificationQuery>,
    options?: CallOptions,
  ): Promise<RunUserNotification[]> {
    checkListQuery(queryObj);
    const query = queryObj && { ...queryObj };
    return this.call(runUserRoutes.notificationList, { ...options, params: { url: tagoIORunURL }, query });
  }

  /**
   * Iterates over all of the user's notifications, the newest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `notificationList`; starts at its `page`
   * @example
   * ```ts
   * for await (const { title } of user.allNotifications("example.tago.run")) console.log(title);
   * ```
   */
  allNotifications(
    tagoIORunURL: string,
    queryObj?: Given<NotificationQuery>,
    options?: CallOptions,
  ): AsyncGenerator<RunUserNotification, void, undefined> {
    return allRows(
      queryObj,
      options,
      (page: Given<NotificationQuery>, call) => this.notificationList(tagoIORunURL, page, call),
      null,
    );
  }

  /**
   * Marks one or several notifications as read.
   *
   * @example
   * ```ts
   * await user.notificationMarkRead("example.tago.run", [notificationID]);
   * ```
   */
  async notificationMarkRead(
    tagoIORunURL: string,
    notificationIDs: GenericID | readonly GenericID[],
    options?: CallOptions,
  ): Promise<string> {
    const body = { notification_ids: idList(notificationIDs), read: true };
    return this.call(runUserRoutes.notificationMark, { ...options, params: { url: tagoIORunURL }, body });
  }

  /**
   * Marks one or several notifications as unread.
   *
   * @example
   * ```ts
   * await user.notificationMarkUnread("example.tago.run", notificationID);
   * ```
   */
  async notificationMarkUnread(
    tagoIORunURL: string,
    notificationIDs: GenericID | readonly GenericID[],
    options?: CallOptions,
  ): Promise<string> {
    const body = { notification_ids: idList(notificationIDs), read: false };
    return this.call(runUserRoutes.notificationMark, { ...options, params: { url: tagoIORunURL }, body });
  }

  /**
   * Marks all of the user's notifications as read.
   *
   * @example
   * ```ts
   * await user.notificationMarkAllRead("example.tago.run");
   * ```
   */
  notificationMarkAllRead(tagoIORunURL: string, options?: CallOptions): Promise<string> {
    return this.call(runUserRoutes.notificationMarkAllRead, { ...options, params: { url: tagoIORunURL } });
  }

  /**
   * Presses a button of a notification.
   *
   * @example
   * ```ts
   * await user.notificationButton("example.tago.run", notificationID, "open");
   * ```
   */
  notificationButton(
    tagoIORunURL: string,
    notificationID: GenericID,
    buttonID: string,
    options?: CallOptions,
  ): Promise<string> {
    const params = { url: tagoIORunURL, notificationID, buttonID };
    return this.call(runUserRoutes.notificationButton, { ...options, params });
  }

  /**
   * Deletes a notification.
   *
   * @example
   * ```ts
   * await user.notificationDelete("example.tago.run", notificationID);
   * ```
   */
  notificationDelete(tagoIORunURL: string, notificationID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(runUserRoutes.notificationDelete, { ...options, params: { url: tagoIORunURL, notificationID } });
  }

  /**
   * Sends the two-factor PIN for a login.
   *
   * @example
   * ```ts
   * const credentials = { email: "jo@example.org", password: "secret" };
   * await RunUser.requestLoginPINCode("example.tago.run", credentials, "sms");
   * ```
   */
  static requestLoginPINCode(
    tagoIORunURL: string,
    credentials: Credentials,
    typeOTP: OTPType,
    region?: Region,
    options?: CallOptions,
  ): Promise<string> {
    const body = { ...credentials, otp_type: typeOTP };
    const input = { ...options, params: { url: tagoIORunURL }, body };
    return RunUser.anonymous(runUserRoutes.requestLoginPINCode, input, region);
  }

  /**
   * Starts to enable two-factor authentication; `confirmOTP` completes it.
   *
   * @example
   * ```ts
   * await user.enableOTP("example.tago.run", { email: "jo@example.org", password: "secret" }, "email");
   * ```
   */
  enableOTP(tagoIORunURL: string, credentials: Credentials, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    const params = { url: tagoIORunURL, typeOTP };
    return this.call(runUserRoutes.enableOTP, { ...options, params, body: credentials });
  }

  /**
   * Disables two-factor authentication.
   *
   * @example
   * ```ts
   * await user.disableOTP("example.tago.run", { email: "jo@example.org", password: "secret" }, "email");
   * ```
   */
  disableOTP(tagoIORunURL: string, credentials: Credentials, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    const params = { url: tagoIORunURL, typeOTP };
    return this.call(runUserRoutes.disableOTP, { ...options, params, body: credentials });
  }

  /**
   * Confirms two-factor authentication with its PIN.
   *
   * @example
   * ```ts
   * await user.confirmOTP("example.tago.run", "123456", "email");
   * ```
   */
  confirmOTP(tagoIORunURL: string, pinCode: string, typeOTP: OTPType, options?: CallOptions): Promise<string> {
    const params = { url: tagoIORunURL, typeOTP };
    return this.call(runUserRoutes.confirmOTP, { ...options, params, body: { pin_code: pinCode } });
  }
}
