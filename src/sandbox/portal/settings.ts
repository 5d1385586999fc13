import { isId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import { fold } from "../store/list-query.ts";
import { readSetting, type SettingDocument, writeSetting } from "../store/settings.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { portalGaps } from "./gaps.ts";

const RUN = "run";
const DOMAIN = "custom_domain";

const THEME = {
  color_primary: "#1a6fb3",
  color_secondary: "#0f4c75",
  color_background: "#f7f9fb",
  color_text: "#1f2933",
  navbar_background: "#0f4c75",
  navbar_text: "#ffffff",
  sidebar_background: "#ffffff",
  sidebar_text: "#1f2933",
  widget_background: "#ffffff",
  widget_border: "#d9e2ec",
  button_primary_background: "#1a6fb3",
  button_primary_text: "#ffffff",
  auth_background: "#0f4c75",
  auth_form_background: "#ffffff",
  auth_button_background: "#1a6fb3",
  auth_button_text: "#ffffff",
} as const;

const EMAIL_TEMPLATES = {
  password_recover: { subject: "Set a new password", value: "Hello $name$, set a new password: $url$" },
  welcome_actived: { subject: "Welcome to $portal$", value: "Hello $name$, your account is active." },
  welcome_adminconfirm: { subject: "Welcome to $portal$", value: "Hello $name$, somebody will look at your request." },
  welcome_autoconfirm: { subject: "Welcome to $portal$", value: "Hello $name$, confirm your account: $url$" },
} as const;

/** Default host of a portal. */
const defaultHost = (profile: string): string => `${profile}.tago.run`;

function defaultPortal(profile: string): SettingDocument {
  return {
    profile,
    active: true,
    name: "Portal",
    sub_title: "",
    url: defaultHost(profile),
    email_domain: null,
    signup_method: "auto",
    favicon: null,
    logo: null,
    logo_options: { tooltip: "", type: "text", value: "" },
    signup_logo: null,
    signup_logo_options: {},
    sidebar_buttons: [],
    signin_buttons: [],
    signup_fields: [],
    email_templates: EMAIL_TEMPLATES,
    theme: THEME,
    feature_devicewifisetup: null,
    feature_geolocation: null,
    integration: { google_analytics: "", zoho_salesiq: "" },
    security: { otp: { authenticator: true, sms: true, email: true }, captcha: false },
    sso_saml_active: false,
    anonymous_token: null,
    auth_token_ttl: "3 months",
    dictionary: null,
  };
}

/** The portal of a profile; every profile has one. */
export function portalOf(db: SandboxDatabase, profile: string): SettingDocument {
  return { ...defaultPortal(profile), ...readSetting(db, "profile", profile, RUN), profile };
}

/** Changes a portal; omitted fields stay. */
export function editPortal(db: SandboxDatabase, profile: string, changes: SettingDocument): SettingDocument {
  const next = { ...readSetting(db, "profile", profile, RUN), ...changes };
  writeSetting(db, "profile", profile, RUN, next);
  return portalOf(db, profile);
}

export function runHost(db: SandboxDatabase, profile: string): string {
  return String(portalOf(db, profile)["url"]);
}

/** Profile of the portal at a host: its own, a custom domain, or the first label of the default one. */
export function profileAt(db: SandboxDatabase, host: string): string | undefined {
  const name = fold(host.trim());
  const named = db.get<{ owner: string }>(
    `SELECT owner FROM profile_setting WHERE
       (name = '${RUN}' AND lower(json_extract(doc, '$.url')) = ?) OR
       (name = '${DOMAIN}' AND lower(json_extract(doc, '$.subdomain') || '.' || json_extract(doc, '$.domain')) = ?)`,
    name,
    name,
  );
  if (named !== undefined) return named.owner;
  const [id = ""] = name.split(".");
  if (!isId(id) || (name !== id && name !== defaultHost(id))) return undefined;
  return db.get("SELECT id FROM profile WHERE id = ?", id) === undefined ? undefined : id;
}

/** The active portal at a host. Throws 404. */
export function needPortal(db: SandboxDatabase, host: string): SettingDocument & { readonly profile: string } {
  const profile = profileAt(db, host);
  const portal = profile === undefined ? undefined : portalOf(db, profile);
  if (profile === undefined || portal?.["active"] === false)
    throw new PlatformError(404, "TagoIO Run Not Found").assumed(portalGaps.missing);
  return { ...portal, profile };
}

/** A text of an email template with its `$placeholders$` filled in. */
export function fillTemplate(text: string, marks: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$([a-z_]{1,40})\$/g, (mark, name: string) =>
    Object.hasOwn(marks, name) ? (marks[name] ?? mark) : mark,
  );
}
