import { get } from "../../../lib/api/route.ts";
import { runUserRoutes, sdbRoutes } from "../../../lib/clients/run-user.ts";
import { isRecord } from "../../../lib/core/json.ts";
import { accountLogin, accountPin, otpConfirm, otpCredentials, passwordChange } from "../../../schema/account.ts";
import { runSelfEdit, runSignUp } from "../../../schema/run.ts";
import { requireOtpType } from "../../accounts/second-factor.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import { readText } from "../../http/body.ts";
import type { OldOptions } from "../../http/old-facts.ts";
import { needPortal } from "../../portal/settings.ts";
import type { EntityDocument } from "../../store/document.ts";
import { createLink, spendLink, takeLink } from "../accounts/links.ts";
import { portalUser } from "./portal-user.ts";
import { isAnonymous, presentLogin, removeRunUser, sendPortalMail } from "./run-users.ts";

/** What anybody may know of a portal: enough to draw its login page. */
const portalRoutes = { status: get("/run/:url", { anonymous: true }) };

const PUBLIC_MEMBERS = [
  "profile",
  "active",
  "name",
  "sub_title",
  "url",
  "favicon",
  "logo",
  "logo_options",
  "signup_logo",
  "signup_logo_options",
  "signup_method",
  "signup_fields",
  "signin_buttons",
  "theme",
  "dictionary",
  "sso_saml_active",
] as const;

const portal: OldOptions = { tokens: ["run_user"], rule: "own" };

/** Tags of a sign-up: only keys the form asks for, so that nobody writes tags that access rules look at. */
function signUpTags(fields: unknown, tags: readonly { key: string; value: string }[]): readonly unknown[] {
  const asked = Array.isArray(fields) ? fields.filter(isRecord).map(({ name }) => name) : [];
  return tags.filter(({ key }) => asked.includes(key));
}

/** Sign-up, login and lost passwords. */
function registerAnonymous(app: App): void {
  const { db, runUsers } = app;

  app.handle(portalRoutes.status, ({ params }) => {
    const found = needPortal(db, params.url);
    return Object.fromEntries(PUBLIC_MEMBERS.map((name) => [name, found[name] ?? null]));
  });

  app.handle(runUserRoutes.create, { body: runSignUp }, ({ body, params }) => {
    const { profile, signup_method: method, signup_fields: fields } = needPortal(db, params.url);
    if (method === "disabled") throw new PlatformError(403, "Sign up is disabled");
    const tags = signUpTags(fields, body.tags ?? []);
    const document = runUsers.create(profile, { ...body, tags, active: false });
    const token = createLink(app, { purpose: "Confirm user", refId: document.id, profile });
    const template = method === "admin" ? "welcome_adminconfirm" : "welcome_autoconfirm";
    sendPortalMail(app, document, template, { url: `/run/${params.url}/confirm/${token}`, token });
    const principal = { kind: "run_user", profile, refId: document.id, permission: "full", key: "" } as const;
    app.signals.emit("resourceChanged", { profile, kind: "run_user", event: "create", document, principal });
    return { user: document.id };
  });

  app.handle(runUserRoutes.confirmUser, ({ params }) => {
    const { profile, signup_method: method } = needPortal(db, params.url);
    const link = takeLink(app, params.token, "Confirm user");
    if (link.profile !== profile) throw new PlatformError(404, "Token Not Found");
    // With the other method an administrator lets the user in.
    if (method !== "admin") runUsers.edit(link.refId, { active: true });
    return "TagoIO Run User Successfully Updated";
  });

  app.handle(runUserRoutes.login, { body: accountLogin }, ({ body, params }) => {
    const { profile, auth_token_ttl: lifetime } = needPortal(db, params.url);
    const user = runUsers.verify(profile, body);
    app.audit.add({
      profile,
      resourceName: "runuser",
      resourceID: user.id,
      message: `${String(user["email"])} logged in`,
      who: user.id,
    });
    const expireTime = String(lifetime);
    return presentLogin(app.tokens.create({ kind: "run_user", profile, refId: user.id, name: "Login", expireTime }));
  });

  app.handle(runUserRoutes.requestLoginPINCode, { body: accountPin }, ({ body, params }) => {
    runUsers.sendPin(needPortal(db, params.url).profile, body, body.otp_type);
    return "PIN code sent";
  });

  app.handle(runUserRoutes.passwordRecover, ({ params }) => {
    const { profile } = needPortal(db, params.url);
    const user = runUsers.byEmail(profile, params.email);
    if (user !== undefined) {
      const token = createLink(app, { purpose: "Reset password", refId: user.id, profile });
      sendPortalMail(app, user, "password_recover", { url: `/run/${params.url}/passwordreset`, token });
    }
    return `E-mail sent to ${params.email}`;
  });
}

/** The user of the token. */
function registerOwnUser(app: App): void {
  const { runUsers } = app;

  app.handle(runUserRoutes.info, portal, ({ params, principal }) => portalUser(app, params.url, principal));

  app.handle(runUserRoutes.edit, { ...portal, body: runSelfEdit }, ({ body, params, principal, profile }) => {
    const user = needPerson(app, portalUser(app, params.url, principal));
    const document = runUsers.edit(user.id, body);
    app.signals.emit("resourceChanged", { profile, kind: "run_user", event: "edit", document, principal });
    return "TagoIO Run User Successfully Updated";
  });

  app.handle(runUserRoutes.delete, { ...portal, permission: "full" }, ({ params, principal, profile }) => {
    const document = needPerson(app, portalUser(app, params.url, principal));
    removeRunUser(app, document);
    app.signals.emit("resourceChanged", { profile, kind: "run_user", event: "delete", document, principal });
    return "Successfully Removed";
  });

  app.handle(
    runUserRoutes.passwordChange,
    { ...portal, tokens: ["run_user", "link"], body: passwordChange },
    ({ body, params, principal }) => {
      const { profile } = needPortal(app.db, params.url);
      if (principal.profile !== profile) throw new PlatformError(401, "Authorization Denied");
      const id =
        principal.kind === "link"
          ? spendLink(app, principal, "Reset password").refId
          : needPerson(app, portalUser(app, params.url, principal)).id;
      runUsers.setPassword(id, body.password);
      return "Successfully Updated";
    },
  );

  app.handle(runUserRoutes.enableOTP, { ...portal, body: otpCredentials }, ({ body, params, principal }) =>
    runUsers.enableOtp(portalUser(app, params.url, principal).id, body, requireOtpType(params.typeOTP)),
  );
  app.handle(runUserRoutes.confirmOTP, { ...portal, body: otpConfirm }, ({ body, params, principal }) => {
    const user = portalUser(app, params.url, principal);
    runUsers.confirmOtp(user.id, requireOtpType(params.typeOTP), body.pin_code);
    return "Successfully Updated";
  });
  app.handle(runUserRoutes.disableOTP, { ...portal, body: otpCredentials }, ({ body, params, principal }) => {
    const user = portalUser(app, params.url, principal);
    runUsers.disableOtp(user.id, body, requireOtpType(params.typeOTP));
    return "Successfully Updated";
  });
}

/** The anonymous user belongs to everybody: nobody changes it with its own token. */
function needPerson(app: App, user: EntityDocument): EntityDocument {
  if (isAnonymous(app, user)) throw new PlatformError(401, "Authorization Denied");
  return user;
}

const MAX_KEY_CHARS = 255;
const MAX_VALUE_BYTES = 1024 * 1024;

/** Small values kept for a user. */
function registerStorage(app: App): void {
  const { runUsers } = app;
  const checkKey = (key: string): string => {
    if (key.length <= MAX_KEY_CHARS) return key;
    throw new PlatformError(400, `Invalid key: at most ${MAX_KEY_CHARS} characters`);
  };

  app.handle(sdbRoutes.getItem, portal, ({ params, principal }) =>
    runUsers.item(portalUser(app, params.url, principal).id, params.key),
  );
  app.handle(
    sdbRoutes.setItem,
    { ...portal, read: async (incoming) => ({ body: await readText(incoming, MAX_VALUE_BYTES) }) },
    ({ body, params, principal }) => {
      const { id } = portalUser(app, params.url, principal);
      runUsers.setItem(id, checkKey(params.key), typeof body === "string" ? body : "");
      return "Successfully Updated";
    },
  );
  app.handle(sdbRoutes.removeItem, { ...portal, permission: "write" }, ({ params, principal }) => {
    runUsers.removeItem(portalUser(app, params.url, principal).id, params.key);
    return "Successfully Removed";
  });
}

/** What the users of a portal call. */
export function registerPortalRoutes(app: App): void {
  registerAnonymous(app);
  registerOwnUser(app);
  registerStorage(app);
}
