import { allRows } from "../api/all-rows.ts";
import { assertId } from "../api/assert.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, RecursivePartial } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import { idList } from "./data-calls.ts";
import type { GenericID, GenericToken, Tag } from "./data-types.ts";
import type { NotificationButton, NotificationCreateResponse, NotificationIcon } from "./notifications.ts";

const dates = ["created_at", "updated_at", "last_login"] as const satisfies DateKeys<UserInfo>;

const loginDates = ["expire_date"] as const satisfies DateKeys<RunUserLoginResponse>;

const domainDates = ["created_at"] as const satisfies DateKeys<CustomDomainInfo>;

const listFields = ["id", "name"] as const;

/**
 * Routes of `Resources.run`.
 *
 * @internal
 */
export const runRoutes = {
  info: get("/run"),
  edit: put("/run"),
  listUsers: get("/run/users", { dates, list: { fields: listFields, orderBy: ["name", "asc"] } }),
  userInfo: get("/run/users/:userID", { dates }),
  userCreate: post("/run/users", { result: "object" }),
  userEdit: put("/run/users/:userID"),
  userDelete: del("/run/users/:userID"),
  loginAsUser: get("/run/users/:userID/login", { dates: loginDates }),
  emailTest: post("/run/email_test"),
  notificationList: get("/run/notification/:userID", { result: "list" }),
  notificationCreate: post("/run/notification/", { result: "object" }),
  notificationEdit: put("/run/notification/:notificationID"),
  notificationDelete: del("/run/notification/:notificationID"),
  ssoSAMLInfo: get("/run/sso/saml"),
  ssoSAMLEdit: put("/run/sso/saml"),
  createCustomDomain: post("/run/customdomain/:profile_id"),
  getCustomDomain: get("/run/customdomain/:profile_id", { dates: domainDates }),
  deleteCustomDomain: del("/run/customdomain/:profile_id"),
  regenerateCustomDomain: put("/run/customdomain/regenerate/:profile_id"),
};

/** The portal of the profile and its users. */
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
   * @param query filter, order and page. Defaults: fields id and name; order `name,asc`
   * @example
   * ```ts
   * const users = await resources.run.listUsers({ fields: ["name", "email", "last_login"], filter: { active: true } });
   * ```
   */
  listUsers<const Q extends Given<UserQuery>>(
    query?: Q,
    options?: CallOptions,
  ): Promise<Picked<StoredUser, Q, (typeof listFields)[number]>[]> {
    return this.page(runRoutes.listUsers, query, { ...options });
  }

  /**
   * Iterates over all users, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param query as for `listUsers`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, email } of resources.run.allUsers({ fields: ["email"] })) console.log(id, email);
   * ```
   */
  allUsers<const Q extends Given<UserQuery>>(
    query?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StoredUser, Q, (typeof listFields)[number]>, void, undefined> {
    return allRows(query, options, (page: Q, call) => this.listUsers(page, call));
  }

  /**
   * Retrieves a user.
   *
   * @example
   * ```ts
   * const { email, tags } = await resources.run.userInfo(userID);
   * ```
   */
  userInfo(userID: GenericID, options?: CallOptions): Promise<StoredUser> {
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
   * @param options.expire_time when it expires: a duration such as `3 months`, or `never`
   * @example
   * ```ts
   * const { token, expire_date } = await resources.run.loginAsUser(userID, { expire_time: "1 hour" });
   * ```
   */
  loginAsUser(userID: GenericID, options?: LoginAsUserOptions): Promise<LoginResponseRun> {
    const { signal, timeoutMs, ...query } = options ?? {};
    return this.call(runRoutes.loginAsUser, { signal, timeoutMs, params: { userID }, query });
  }

  /**
   * Sends an email to the account, to see what the emails of the portal look like.
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
    const run_user = typeof userID === "string" ? assertId(userID, "userID") : idList(userID);
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

/** A button in the side bar of a portal. */
export interface RunButton {
  /** Kind of button, stored as sent. */
  type: string;
  /** Label. */
  text: string;
  /** Address a press opens. */
  href: string;
  /** Address of the icon. */
  iconUrl: string;
  /** CSS colour. */
  color: string;
  /** What `type` refers to, such as the id of a dashboard. */
  value?: string;
  /** Whether it begins a line of its own. */
  isInNewLine?: boolean;
}

/** A link on the sign-in page of a portal. */
export interface RunSigninButton {
  /** Text of the link. */
  label: string;
  /** No other kind is known. */
  type: "link";
  /** Address the link opens. */
  url: string;
}

/** A question of the sign-up form; its name becomes a tag key of the user. */
export interface SignupField {
  /** Key of the tag that stores the input. */
  name: string;
  /** Text shown while the field is empty. */
  placeholder: string;
  /** `text`, `number` or `hidden`. */
  type: string;
  /** Whether the field is required. */
  required: boolean;
}

/** An email of a portal. */
export interface RunEmailTemplate {
  /** May hold marks, as `value`. */
  subject: string;
  /** Markdown with marks such as `$name$`. */
  value: string;
}

/** How the logo of a portal is shown. */
export interface RunLogoOptions {
  /** Text shown over the logo. */
  tooltip?: string;
  /** Kind of logo, stored as sent. */
  type?: string;
  /** What `type` refers to. */
  value?: string;
}

/** How locations of the portal's users are sent to a device. */
export interface RunGeolocation {
  /** Whether locations are sent. */
  enabled?: boolean;
  /** Id of the device that receives them. */
  device?: GenericID | null;
  /** Where they go, stored as sent. */
  target?: string;
  /** Address of the middleware they go through. */
  middleware_url?: string;
  /** Locations that are collected before they are sent. */
  buffer_size?: number;
  /** Distance between two locations; the unit is not documented. */
  minimum_distance?: number;
  /** Time between two locations; the unit is not documented. */
  minimum_interval?: number;
}

/** Security settings of a portal; rules for passwords and others are stored as sent. */
export interface RunSecurity {
  /** Methods of two-factor authentication that users may enable. */
  otp?: OTPFlags;
  [key: string]: unknown;
}

/** A portal. */
export interface RunInfo {
  /** Profile the portal belongs to. */
  profile: GenericID;
  /** Whether the portal can be used. */
  active: boolean;
  /** Title of the portal. */
  name: string;
  /** Line below the title; may be empty. */
  sub_title: string;
  /** Host name, e.g. `example.tago.run`. */
  url: string;
  /** Domain of the portal's emails; null: none set. */
  email_domain: string | null;
  /** How a sign-up becomes a user; on the sandbox `auto`, `admin` or `disabled`. */
  signup_method: string;
  /** Address of the icon in the browser's tab; null: none. */
  favicon: string | null;
  /** Address of the picture; null: none. */
  logo: string | null;
  /** Absent while nothing was set. */
  logo_options?: RunLogoOptions;
  /** Picture on the sign-up page; null: none. */
  signup_logo: string | null;
  /** Stored as sent; `{}` while nothing was set. */
  signup_logo_options: object;
  /** In the order shown. */
  sidebar_buttons: RunButton[];
  /** Links on the sign-in page, in the order shown. */
  signin_buttons: RunSigninButton[];
  /** Questions to somebody who signs up. */
  signup_fields: SignupField[];
  /** By occasion: `password_recover`, `welcome_autoconfirm`, `welcome_adminconfirm`, `welcome_actived`. */
  email_templates: Record<string, RunEmailTemplate>;
  /** Colours by location, and the `auth_*` settings. */
  theme: Record<string, string>;
  /** Wi-Fi set-up of devices: `enabled`, `ip`, `port`, strings by language ...; null: none. */
  feature_devicewifisetup: Record<string, unknown> | null;
  /** Locations of users; null: none are sent. */
  feature_geolocation: RunGeolocation | null;
  /** Ids at other services. */
  integration: {
    /** Measurement id; empty: off. */
    google_analytics?: string;
    /** Id of the chat widget; empty: off. */
    zoho_salesiq?: string;
  };
  /** Two-factor authentication, rules for passwords, captcha. */
  security: RunSecurity;
  /** Whether users may log in through an identity provider. */
  sso_saml_active: boolean;
  /** Opens public dashboards; null: no anonymous user. */
  anonymous_token: GenericToken | null;
  /** How long a login lasts, e.g. `3 months`. */
  auth_token_ttl: string;
  /** Dictionary of the portal's strings; null: none. */
  dictionary: GenericID | null;
  /** ISO 8601. */
  created_at?: string;
}

/** Changes to a portal; properties left out stay as they are. */
export type RunEditInfo = RecursivePartial<RunInfo>;

/** How numbers and times are shown to a user. */
export interface UserOptions {
  /** Decimal separator, for example `.`. */
  decimal_separator?: string;
  /** Between groups of three digits, e.g. `,`. */
  thousand_separator?: string;
  /** E.g. `MM/DD/YYYY`. */
  date_format?: string;
  /** Hours of a clock. */
  time_format?: string;
  /** Where the "last updated" time is shown, for example `footer`. */
  show_last_updated_at?: string;
}

/** Enabled methods of two-factor authentication; `{}` when none was ever set. */
export interface OTPFlags {
  /** An app that makes PINs. */
  authenticator?: boolean;
  /** PINs by text message. */
  sms?: boolean;
  /** PINs by email. */
  email?: boolean;
}

/** A user of a portal. */
export interface UserInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile whose portal the user belongs to. */
  profile: GenericID;
  /** Shown to the user and in lists. */
  name: string;
  /** Unique within the profile. Cannot be changed. */
  email: string;
  /** IANA name, e.g. `Europe/Lisbon`. */
  timezone: string;
  /** Absent when not given. */
  company?: string;
  /** Number for text messages; null when removed. */
  phone?: string | null;
  /** E.g. `en-us`. */
  language?: string;
  /** Only active users can log in. @default false for new users */
  active: boolean;
  /** Whether the user wants news by email. */
  newsletter: boolean;
  /** At most 30; access rules look at them. */
  tags: Tag[];
  /** How numbers and times are shown. */
  options: UserOptions;
  /** Null before the first login. */
  last_login: Date | null;
  /** When the user was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** A user of a portal as the platform returns it. */
export interface StoredUser extends UserInfo {
  /** Enabled methods of two-factor authentication. */
  otp?: OTPFlags;
}

/** Fields for creating a user. */
export type UserCreateInfo = Pick<UserInfo, "name" | "email" | "timezone"> &
  Partial<Omit<UserInfo, "id" | "profile" | "name" | "email" | "timezone" | "newsletter" | UserTimes>> & {
    /** Whether the user wants news by email; null as false. */
    newsletter?: boolean | null;
    /** Never returned. */
    password: string;
  };

type UserTimes = "last_login" | "created_at" | "updated_at";

/** Changes to a user; properties left out stay as they are. */
export type UserEditInfo = Partial<Omit<UserInfo, "newsletter"> & UserCreateInfo>;

/** Asks for part of the list of users. */
export type UserQuery = ListQuery<StoredUser, "name" | "active" | "last_login" | "created_at" | "updated_at">;

/** Options of a login for a user. */
export interface LoginAsUserOptions extends CallOptions {
  /** A duration such as `3 months`, an ISO date or `never`. @default "8 hours" on the sandbox */
  expire_time?: string;
}

/** What comes back for a new user. */
export interface UserCreateResponse {
  /** Id of the user. */
  user: GenericID;
}

/** A login of a user. */
export interface RunUserLoginResponse {
  /** Opens what the user may see; begins with `u-`. */
  token: GenericToken;
  /** Label of the token. */
  name?: string;
  /** Id of the user. */
  run_user?: GenericID;
  /** End of the token. */
  expire_date: Date | "never";
  /** The same as a string: ISO 8601, or `never`. */
  expire_time?: string;
  /** ISO 8601. */
  created_at?: string;
}

/** A login in the name of a user. */
export interface LoginResponseRun extends RunUserLoginResponse {
  /** Label of the token. */
  name: string;
  /** Id of the user. */
  run_user: GenericID;
  /** ISO 8601. */
  created_at: string;
}

/** A test email. */
export interface RunEmailTest {
  /** May hold marks such as `$name$`. */
  subject: string;
  /** Markdown, with placeholders as in `email_templates`. */
  body: string;
}

/** A notification of a user. Dates are ISO strings. */
export interface RunNotificationInfo {
  /** Set by the platform. */
  id: GenericID;
  /** User it is for. */
  run_user: GenericID;
  /** First line. */
  title: string;
  /** Text below the title. */
  message: string;
  /** Picture beside the text. */
  icon?: NotificationIcon | null;
  /** Up to 4. */
  buttons?: NotificationButton[];
  /** Whether the buttons can be pressed. @default true */
  buttons_enabled?: boolean;
  /** Whether one press disables all buttons. */
  buttons_autodisable?: boolean;
  /** Whether the user has read it. */
  read?: boolean;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
}

/** A notification to make. */
export type RunNotificationCreate = Pick<RunNotificationInfo, "title" | "message"> &
  Partial<Pick<RunNotificationInfo, "icon" | "buttons" | "buttons_enabled" | "buttons_autodisable" | "read">>;

/** Which claim of the identity provider fills which field of a user. */
export interface RunSAMLMapping {
  /** Claim with the address that names the user. */
  email: string;
  /** Claim with the first name. */
  firstName: string;
  /** Claim with the last name. */
  lastName?: string;
  /** Claim for `phone`. */
  phone?: string;
  /** Claim for `company`. */
  company?: string;
  /** Claim for `language`. */
  language?: string;
  /** Claim for `timezone`. */
  timezone?: string;
  /** Claims by tag key. */
  tags?: Record<string, string>;
}

/** How users log in through an identity provider. */
export interface RunSAMLInfo {
  /** For the identity provider to know. */
  sp: {
    /** Name of the portal at the provider. */
    entity_id: string;
    /** Address the provider sends its responses to. */
    acs_url: string;
    /** The portal's own SAML metadata. */
    metadata: string;
  };
  /** The identity provider. */
  idp: {
    /** Its name, from its metadata. */
    issuer: string;
  };
  /** Which claim fills which field. */
  mapping: RunSAMLMapping;
}

/** Changes to the login through an identity provider. */
export interface RunSAMLEditInfo {
  /** The provider's XML, base64. */
  idp_metadata?: string;
  /** Properties left out stay as they are. */
  mapping?: Partial<RunSAMLMapping>;
}

/** A record that a domain must have. */
export interface DNSRecord {
  /** Whether the domain has it. */
  status: boolean;
  /** Type of record, e.g. `CNAME`. */
  type: string;
  /** Host name the record is for. */
  key: string;
  /** What the record must hold. */
  value: string;
  /** What the domain has instead. */
  current_value?: string;
}

/** A domain to show a portal at. */
export interface CustomDomainCreate {
  /** E.g. `example.org`. */
  domain: string;
  /** First part of the portal's host name, e.g. `portal`. */
  subdomain: string;
  /** Email address of the portal at this domain. */
  email: string;
}

/** A domain a portal is shown at. */
export interface CustomDomainInfo extends CustomDomainCreate {
  /** Whether the domain has all the records. */
  active: boolean;
  /** For the certificate of the domain. */
  dns_ssl: DNSRecord;
  /** Leads to the portal. */
  dns_page: DNSRecord;
  /** First of three records for emails in the domain's name. */
  dns_email_1: DNSRecord;
  /** Second record for emails. */
  dns_email_2: DNSRecord;
  /** Third record for emails. */
  dns_email_3: DNSRecord;
  /** When the domain was set. */
  created_at: Date;
}
