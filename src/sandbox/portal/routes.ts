import { get } from "../../lib/api/route.ts";
import { runUserRoutes, sdbRoutes } from "../../lib/clients/run-user.ts";
import { isRecord } from "../../lib/core/json.ts";
import { accountLogin, accountPin, otpConfirm, otpCredentials, passwordChange } from "../../schema/account.ts";
import { runSelfEdit, runSignUp } from "../../schema/run.ts";
import { createLink, spendLink, takeLink } from "../accounts/links.ts";
import { requireOtpType } from "../accounts/second-factor.ts";
import type { App } from "../app.ts";
import { denied, PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { readText } from "../http/body.ts";
import type { Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { portalGaps } from "./gaps.ts";
import { portalUser } from "./portal-user.ts";
import { needPortal } from "./settings.ts";
import { isAnonymous, presentLogin, removeRunUser, sendPortalMail } from "./user-routes.ts";

/** Public data of a portal: enough to show its login page. */
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

const gaps = {
  ...portalGaps,
  signUp: {
    subject: "Portal users who sign up",
    choice:
      "not active until the email is answered; signup_method auto, admin (the administrator lets them in) or disabled (403); tags only for keys of signup_fields",
  },
  leaving: {
    subject: "DELETE /run/{url}/delete",
    choice: "removes the user at once; the platform does so, mails the owner or runs an analysis, by a setting",
  },
} as const;

const anyone = { rule: "anyone" } as const;
const own = { tokens: ["run_user"], rule: "own" } as const;

/** A user without a token: changes during sign-up are recorded as the user's own. */
const asUser = (profile: string, refId: string): Principal => ({
  kind: "run_user",
  profile,
  refId,
  permission: "full",
  key: "",
});

/** Tags of a sign-up: only keys of the form, so that users cannot set tags that access rules check. */
function signUpTags(fields: unknown, tags: readonly { key: string; value: string }[]): readonly unknown[] {
  const asked = Array.isArray(fields) ? fields.filter(isRecord).map(({ name }) => name) : [];
  return tags.filter(({ key }) => asked.includes(key));
}

/** The public routes of a portal, and sign-up. */
function serveSignUp(app: App): void {
  const { db, runUsers } = app;

  app.on(portalRoutes.status, anyone, ({ params }) => {
    const found = needPortal(db, params.url);
    return Object.fromEntries(PUBLIC_MEMBERS.map((name) => [name, found[name] ?? null]));
  });

  app.on(runUserRoutes.create, { ...anyone, body: runSignUp }, ({ assume, body, params }) => {
    const { profile, signup_method: method, signup_fields: fields } = needPortal(db, params.url);
    if (method === "disabled") throw new PlatformError(403, "Sign up is disabled").assumed(gaps.signUp);
    const given = body.tags ?? [];
    const tags = signUpTags(fields, given);
    if (method === "admin" || tags.length < given.length) assume(gaps.signUp);
    const id = app.ids.id();
    const user = { ...body, id, tags, active: false };
    const document = app.caller.as(asUser(profile, id), () => runUsers.create(profile, user));
    const token = createLink(app, { purpose: "Confirm user", refId: id, profile });
    const template = method === "admin" ? "welcome_adminconfirm" : "welcome_autoconfirm";
    sendPortalMail(app, document, template, { url: `/run/${params.url}/confirm/${token}`, token });
    return { user: id };
  });

  app.on(runUserRoutes.confirmUser, anyone, ({ assume, params }) => {
    const { profile, signup_method: method } = needPortal(db, params.url);
    const { profile: owner, refId } = takeLink(app, params.token, "Confirm user");
    if (owner !== profile) throw new PlatformError(404, "Token Not Found");
    // With the other method an administrator activates the user.
    if (method === "admin") assume(gaps.signUp);
    else app.caller.as(asUser(profile, refId), () => runUsers.edit(refId, { active: true }));
    return "TagoIO Run User Successfully Updated";
  });
}

/** Logins and forgotten passwords. */
function serveLogin(app: App): void {
  const { db, runUsers } = app;

  app.on(runUserRoutes.login, { ...anyone, body: accountLogin }, ({ body, params }) => {
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

  app.on(runUserRoutes.requestLoginPINCode, { ...anyone, body: accountPin }, ({ body, params }) => {
    runUsers.sendPin(needPortal(db, params.url).profile, body, body.otp_type);
    return "PIN code sent";
  });

  app.on(runUserRoutes.passwordRecover, anyone, ({ params }) => {
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
function serveOwnUser(app: App): void {
  const { runUsers } = app;

  app.on(runUserRoutes.info, own, ({ params, principal }) => portalUser(app, params.url, principal));

  app.on(runUserRoutes.edit, { ...own, body: runSelfEdit }, ({ body, params, principal }) => {
    runUsers.edit(needPerson(app, portalUser(app, params.url, principal)).id, body);
    return "TagoIO Run User Successfully Updated";
  });

  const leaves = { ...own, permission: "full", gaps: [gaps.leaving] } as const;
  app.on(runUserRoutes.delete, leaves, ({ params, principal }) => {
    removeRunUser(app, needPerson(app, portalUser(app, params.url, principal)));
    return "Successfully Removed";
  });

  app.on(
    runUserRoutes.passwordChange,
    { ...own, tokens: ["run_user", "link"], body: passwordChange },
    ({ body, params, principal }) => {
      const { profile } = needPortal(app.db, params.url);
      if (principal.profile !== profile) throw denied();
      const id =
        principal.kind === "link"
          ? spendLink(app, principal, "Reset password").refId
          : needPerson(app, portalUser(app, params.url, principal)).id;
      runUsers.setPassword(id, body.password);
      return "Successfully Updated";
    },
  );

  app.on(runUserRoutes.enableOTP, { ...own, body: otpCredentials }, ({ body, params, principal }) =>
    runUsers.enableOtp(portalUser(app, params.url, principal).id, body, requireOtpType(params.typeOTP)),
  );
  app.on(runUserRoutes.confirmOTP, { ...own, body: otpConfirm }, ({ body, params, principal }) => {
    const user = portalUser(app, params.url, principal);
    runUsers.confirmOtp(user.id, requireOtpType(params.typeOTP), body.pin_code);
    return "Successfully Updated";
  });
  app.on(runUserRoutes.disableOTP, { ...own, body: otpCredentials }, ({ body, params, principal }) => {
    const user = portalUser(app, params.url, principal);
    runUsers.disableOtp(user.id, body, requireOtpType(params.typeOTP));
    return "Successfully Updated";
  });
}

/** The anonymous user is shared: it cannot be changed with its own token. */
function needPerson(app: App, user: EntityDocument): EntityDocument {
  if (isAnonymous(app, user)) throw denied();
  return user;
}

const MAX_KEY_CHARS = 255;
const MAX_VALUE_BYTES = 1024 * 1024;

/** Small values stored for a user. */
function serveStorage(app: App): void {
  const { runUsers } = app;
  const checkKey = (key: string): string => {
    if (key.length <= MAX_KEY_CHARS) return key;
    throw new PlatformError(400, `Invalid key: at most ${MAX_KEY_CHARS} characters`);
  };
  /** Values as clients send them: strings, and anything else as JSON. */
  const isUsual = (contentType: string): boolean => /^(text\/plain|application\/json|$)/i.test(contentType);

  app.on(sdbRoutes.getItem, own, ({ params, principal }) =>
    runUsers.item(portalUser(app, params.url, principal).id, params.key),
  );
  app.on(
    sdbRoutes.setItem,
    { ...own, read: async (incoming) => ({ body: await readText(incoming, MAX_VALUE_BYTES) }) },
    ({ assume, body, params, principal, request }) => {
      const { id } = portalUser(app, params.url, principal);
      if (!isUsual(request.contentType)) assume(gaps.storedValues);
      runUsers.setItem(id, checkKey(params.key), typeof body === "string" ? body : "");
      return "Successfully Updated";
    },
  );
  app.on(sdbRoutes.removeItem, { ...own, permission: "write" }, ({ params, principal }) => {
    runUsers.removeItem(portalUser(app, params.url, principal).id, params.key);
    return "Successfully Removed";
  });
}

/** Routes for the users of a portal. */
export const portal: Resource = {
  tables: { currentRunUserRoutes: runUserRoutes, sdbRoutes },
  gaps,
  serve: (app) => {
    serveSignUp(app);
    serveLogin(app);
    serveOwnUser(app);
    serveStorage(app);
  },
};
