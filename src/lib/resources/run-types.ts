import type { ListQuery } from "../core/list-query.ts";
import type { GenericID, GenericToken, Tag } from "./data-types.ts";
import type { NotificationButton } from "./notifications.ts";

/** A button in the side bar of a portal. */
export interface RunButton {
  type: string;
  text: string;
  href: string;
  iconUrl: string;
  color: string;
  value?: string;
  isInNewLine?: boolean;
}

/** A question of the sign-up form; its name becomes a tag key of the user. */
export interface SignupField {
  name: string;
  placeholder: string;
  /** `text`, `number` or `hidden`. */
  type: string;
  required: boolean;
}

/** A portal. */
export interface RunInfo {
  profile: GenericID;
  active: boolean;
  name: string;
  sub_title: string;
  /** Host name, e.g. `example.tago.run`. */
  url: string;
  email_domain: string | null;
  /** How somebody who signs up becomes a user. */
  signup_method: string;
  favicon: string | null;
  logo: string | null;
  logo_options?: Record<string, unknown>;
  signup_logo: string | null;
  signup_logo_options: Record<string, unknown>;
  sidebar_buttons: RunButton[];
  signin_buttons: { label: string; type: "link"; url: string }[];
  signup_fields: SignupField[];
  /** By occasion: `password_recover`, `welcome_autoconfirm` ... The text is Markdown with marks such as `$name$`. */
  email_templates: Record<string, { subject: string; value: string }>;
  /** Colours by place. */
  theme: Record<string, string>;
  feature_devicewifisetup: Record<string, unknown> | null;
  feature_geolocation: Record<string, unknown> | null;
  integration: Record<string, unknown>;
  security: Record<string, unknown>;
  sso_saml_active: boolean;
  /** Opens public dashboards. */
  anonymous_token: GenericToken | null;
  /** How long a login lasts, e.g. `3 months`. */
  auth_token_ttl: string;
  dictionary: GenericID | null;
  /** ISO 8601. */
  created_at?: string;
}

/** Changes to a portal; members left out stay. */
export type RunEditInfo = Partial<Omit<RunInfo, "profile" | "created_at" | "anonymous_token">>;

/** How numbers and times are shown to a user. */
export interface UserOptions {
  decimal_separator?: string;
  thousand_separator?: string;
  /** `MM/DD/YYYY` ... */
  date_format?: string;
  time_format?: "12" | "24";
  show_last_updated_at?: string;
}

/** The second factors in use. */
export interface OTPFlags {
  authenticator?: boolean;
  sms?: boolean;
  email?: boolean;
}

/** A user of a portal. */
export interface UserInfo {
  id: GenericID;
  profile: GenericID;
  name: string;
  /** Once per profile; fixed once the user exists. */
  email: string;
  timezone: string;
  company?: string;
  phone?: string | null;
  language?: string;
  active: boolean;
  newsletter?: boolean | null;
  tags: Tag[];
  options?: UserOptions;
  otp?: OTPFlags;
  last_login: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** What a user is made of. */
export type UserCreateInfo = Pick<UserInfo, "name" | "email" | "timezone"> &
  Partial<Omit<UserInfo, "id" | "profile" | "name" | "email" | "timezone" | "otp" | UserTimes>> & { password: string };
type UserTimes = "last_login" | "created_at" | "updated_at";
/** Changes to a user; members left out stay. */
export type UserEditInfo = Partial<Omit<UserCreateInfo, "email">>;
/** Asks for part of the list of users. */
export type UserQuery = ListQuery<UserInfo, "name" | "active" | "last_login" | "created_at" | "updated_at">;

/** A login of a user. */
export interface RunUserLoginResponse {
  token: GenericToken;
  /** Of the token. */
  name?: string;
  run_user?: GenericID;
  expire_date: Date | "never";
  /** ISO 8601, or `never`. */
  expire_time?: string;
  /** ISO 8601. */
  created_at?: string;
}

/** A mail to try. */
export interface RunEmailTest {
  subject: string;
  body: string;
}

/** A notification of a user. Moments are ISO texts. */
export interface RunNotificationInfo {
  id: GenericID;
  run_user: GenericID;
  title: string;
  message: string;
  /** Up to 4. */
  buttons?: NotificationButton[];
  buttons_enabled?: boolean;
  /** Whether one press disables all buttons. */
  buttons_autodisable?: boolean;
  read?: boolean;
  created_at: string;
  updated_at: string;
}

/** A notification to make. */
export type RunNotificationCreate = Pick<RunNotificationInfo, "title" | "message"> &
  Partial<Pick<RunNotificationInfo, "buttons" | "buttons_enabled" | "buttons_autodisable" | "read">>;

/** Which claim of the identity provider fills which member of a user. */
export interface RunSAMLMapping {
  email: string;
  firstName: string;
  lastName?: string;
  phone?: string;
  company?: string;
  language?: string;
  timezone?: string;
  /** By tag key. */
  tags?: Record<string, string>;
}

/** How users log in through an identity provider. */
export interface RunSAMLInfo {
  /** For the identity provider to know. */
  sp: { entity_id: string; acs_url: string; metadata: string };
  idp: { issuer: string };
  mapping: RunSAMLMapping;
}

/** Changes to the login through an identity provider. */
export interface RunSAMLEditInfo {
  /** The provider's XML, base64. */
  idp_metadata?: string;
  mapping?: Partial<RunSAMLMapping>;
}

/** A record that a domain must have. */
export interface DNSRecord {
  /** Whether the domain has it. */
  status: boolean;
  type: string;
  key: string;
  value: string;
  /** What the domain has instead. */
  current_value?: string;
}

/** A domain to show a portal at. */
export interface CustomDomainCreate {
  domain: string;
  subdomain: string;
  email: string;
}

/** A domain a portal is shown at. */
export interface CustomDomainInfo extends CustomDomainCreate {
  /** Whether the domain has all the records. */
  active: boolean;
  dns_ssl: DNSRecord;
  dns_page: DNSRecord;
  dns_email_1: DNSRecord;
  dns_email_2: DNSRecord;
  dns_email_3: DNSRecord;
  created_at: Date;
}
