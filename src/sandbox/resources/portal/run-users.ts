import { isRecord } from "../../../lib/core/json.ts";
import { runRoutes } from "../../../lib/resources/run.ts";
import { runUserCreate, runUserEdit } from "../../../schema/run.ts";
import { accountOf } from "../../accounts/owner.ts";
import type { App } from "../../app.ts";
import { allocationOf } from "../../billing/allocation.ts";
import { PlatformError } from "../../core/platform-error.ts";
import { textOf } from "../../core/query.ts";
import { editPortal, fillTemplate, portalOf } from "../../portal/settings.ts";
import type { EntityDocument } from "../../store/document.ts";
import type { StoredToken } from "../../store/tokens.ts";
import { refuseProtected } from "../kit.ts";

/** Lifetime of a token an administrator makes for a user (SERVER.md section 2). */
const LOGIN_AS_USER_TIME = "8 hours";
const ANONYMOUS_NAME = "anonymous";

/** A login of a portal user (MODEL.md, RunLogin): the end is sent under both names. */
export function presentLogin(token: StoredToken): Record<string, unknown> {
  return {
    token: token.token,
    name: token.name,
    run_user: token.refId,
    expire_date: token.expireTime,
    expire_time: token.expireTime,
    created_at: token.createdAt,
  };
}

/** A mail of the portal, from its template. */
export function sendPortalMail(
  app: App,
  user: EntityDocument,
  template: string,
  marks: Readonly<Record<string, string>> = {},
): void {
  const portal = portalOf(app.db, user.profile);
  const templates = isRecord(portal["email_templates"]) ? portal["email_templates"] : {};
  const found = templates[template];
  const { subject, value } = isRecord(found) ? found : { subject: String(portal["name"]), value: "" };
  const known = { name: String(user["name"]), email: String(user["email"]), portal: String(portal["name"]), ...marks };
  app.outbox.add("email", {
    profile: user.profile,
    to: user["email"],
    subject: fillTemplate(String(subject), known),
    message: fillTemplate(String(value), known),
    template,
    ...marks,
  });
}

/** The one user behind public dashboards. It has no password; its token is shown with the portal. */
function createAnonymous(app: App, profile: string, members: { readonly name: string }): EntityDocument {
  if (portalOf(app.db, profile)["anonymous_token"] !== null) {
    throw new PlatformError(400, "You have exceeded the maximum limit of Anonymous Users (1).");
  }
  const email = `${ANONYMOUS_NAME}@${profile}.invalid`;
  const user = app.runUsers.create(profile, { timezone: "UTC", ...members, email, active: true });
  const token = app.tokens.create({ kind: "run_user", profile, refId: user.id, name: "Anonymous", permission: "full" });
  editPortal(app.db, profile, { anonymous_token: token.token });
  return user;
}

/** Refuses a user more than the profile may have. */
function needUserRoom(app: App, profile: string): void {
  const most = Number(allocationOf(app.db, profile)["run_users"]);
  if (app.collection("run_user").count(profile) < most) return;
  const advice = "Please upgrade you plan or contact support.";
  throw new PlatformError(400, `You have exceeded the maximum limit of Run Users (${most}). ${advice}`);
}

/** Users of the portal, for its administrators. */
export function registerRunUserRoutes(app: App): void {
  const users = app.collection("run_user");
  const { runUsers } = app;

  app.handle(runRoutes.listUsers, ({ profile, query }) => users.list(profile, query));
  app.handle(runRoutes.userInfo, ({ params, profile }) => ({
    custom_preferences: {},
    agreements: [],
    ...users.need(params.userID, profile),
  }));

  app.handle(runRoutes.userCreate, { body: runUserCreate }, ({ body, principal, profile }) => {
    needUserRoom(app, profile);
    // New users are not active unless the body says so (MODEL.md, RunUser).
    const document =
      "type" in body ? createAnonymous(app, profile, body) : runUsers.create(profile, { active: false, ...body });
    app.signals.emit("resourceChanged", { profile, kind: "run_user", event: "create", document, principal });
    return { user: document.id };
  });

  app.handle(runRoutes.userEdit, { body: runUserEdit }, ({ body, params, principal, profile }) => {
    const before = users.need(params.userID, profile);
    const document = runUsers.edit(before.id, body);
    if (before["active"] !== true && document["active"] === true) sendPortalMail(app, document, "welcome_actived");
    app.signals.emit("resourceChanged", { profile, kind: "run_user", event: "edit", document, principal });
    return "TagoIO Run User Successfully Updated";
  });

  app.handle(runRoutes.userDelete, ({ params, principal, profile }) => {
    const document = users.need(params.userID, profile);
    refuseProtected(document);
    removeRunUser(app, document);
    app.signals.emit("resourceChanged", { profile, kind: "run_user", event: "delete", document, principal });
    return "Successfully Removed";
  });

  // A read that makes a token that can write: only for who may do everything.
  app.handle(runRoutes.loginAsUser, { permission: "full" }, ({ params, principal, profile, query }) => {
    const user = users.need(params.userID, profile);
    const account = app.accounts.get(accountOf(app, principal));
    const token = app.tokens.create({
      kind: "run_user",
      profile,
      refId: user.id,
      name: `Login by Run Administrator(${account?.email ?? ""})`,
      expireTime: textOf(query["expire_time"]) ?? LOGIN_AS_USER_TIME,
      createdBy: account?.id ?? null,
    });
    return presentLogin(token);
  });
}

/** True for the user behind the portal's `anonymous_token`. */
export function isAnonymous(app: App, user: EntityDocument): boolean {
  const anonymousToken = portalOf(app.db, user.profile)["anonymous_token"];
  return app.tokens.list("run_user", user.id).some(({ token }) => token === anonymousToken);
}

/** Takes a user away with tokens, notifications and stored values. */
export function removeRunUser(app: App, user: EntityDocument): void {
  const endsAnonymous = isAnonymous(app, user);
  app.runUsers.remove(user.id);
  if (endsAnonymous) editPortal(app.db, user.profile, { anonymous_token: null });
}
