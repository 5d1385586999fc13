import { isRecord } from "../../lib/core/json.ts";
import { runRoutes } from "../../lib/resources/run.ts";
import { runUserCreate, runUserEdit } from "../../schema/run.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { creation, record } from "../access/demands.ts";
import { accountOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { allocationOf } from "../billing/allocation.ts";
import { PlatformError } from "../core/platform-error.ts";
import { textOf } from "../core/query.ts";
import { refuseProtected, resource } from "../resource.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import type { StoredToken } from "../store/tokens.ts";
import { editPortal, fillTemplate, portalOf } from "./settings.ts";

const gaps = {
  anonymous: {
    subject: "Anonymous portal user",
    choice: 'POST /run/users {type: "anonymous", name}; its token never ends',
  },
  loginAsUser: {
    subject: "GET /run/users/{id}/login",
    choice: "needs a token of full permission",
    general: true,
  },
  preferences: {
    subject: "Agreements, preferences and hidden sign-up fields of portal users",
    choice: "agreements and custom_preferences are empty in responses; a hidden field makes no tag",
    general: true,
  },
} as const;

/** Lifetime of a token an administrator creates for a user. */
const LOGIN_AS_USER_TIME = "8 hours";
const ANONYMOUS_NAME = "anonymous";

/** A login of a portal user: the expiry is sent under both names. */
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

/** An email of the portal, from its template. */
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

/** The shared user of public dashboards. It has no password; its token is shown with the portal. */
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

/** Rejects a user above the limit of the profile. */
function needUserRoom(app: App, profile: string): void {
  const most = Number(allocationOf(app.db, profile)["run_users"]);
  if (app.collection("run_user").count(profile) < most) return;
  const advice = "Please upgrade you plan or contact support.";
  throw new PlatformError(400, `You have exceeded the maximum limit of Run Users (${most}). ${advice}`);
}

/** Writing routes, and logging in as a user. */
function serveUsers(app: App, users: Collection): void {
  const { runUsers } = app;
  const user = (...actions: readonly string[]) => ({ rule: record("run_user", "userID", ...actions) });

  app.on(
    runRoutes.userCreate,
    { rule: creation("run_user", "create"), body: runUserCreate },
    ({ assume, body, profile }) => {
      needUserRoom(app, profile);
      if ("type" in body) {
        assume(gaps.anonymous);
        return { user: createAnonymous(app, profile, body).id };
      }
      // New users are inactive unless the body says otherwise.
      return { user: runUsers.create(profile, { active: false, ...body }).id };
    },
  );

  app.on(runRoutes.userEdit, { ...user("edit"), body: runUserEdit }, ({ body, params, profile }) => {
    const before = users.need(params.userID, profile);
    const after = runUsers.edit(before.id, body);
    if (before["active"] !== true && after["active"] === true) sendPortalMail(app, after, "welcome_actived");
    return "TagoIO Run User Successfully Updated";
  });

  app.on(runRoutes.userDelete, user("delete"), ({ params, profile }) => {
    const document = users.need(params.userID, profile);
    refuseProtected(document);
    removeRunUser(app, document);
    return "Successfully Removed";
  });

  // A GET that creates a token with write access: requires full permission.
  const login = { ...user("login_as_user", "login"), permission: "full" } as const;
  app.on(runRoutes.loginAsUser, login, ({ params, principal, profile, query }) => {
    const { id } = users.need(params.userID, profile);
    const account = app.accounts.get(accountOf(app, principal));
    const token = app.tokens.create({
      kind: "run_user",
      profile,
      refId: id,
      name: `Login by Run Administrator(${account?.email ?? ""})`,
      expireTime: textOf(query["expire_time"]) ?? LOGIN_AS_USER_TIME,
      createdBy: account?.id ?? null,
    });
    return presentLogin(token);
  });
}

/** Users of the portal, for its administrators. */
export const portalUsers = resource({
  kind: "run_user",
  thing: "User",
  keys: { name: "text", email: "text", active: "boolean", company: "text", last_login: "date" },
  defaults: { ...runRoutes.listUsers.list, fields: [] },
  sortable: ["name", "active", "last_login", "created_at", "updated_at"],
  audit: ["runuser", "Portal user"],
  trigger: ["user"],
  tagged: true,
  backup: { file: "run_users" },
  amounts: ["run_users"],
  routes: { list: runRoutes.listUsers, info: runRoutes.userInfo },
  rule: "run_user",
  portal: true,
  access: {
    label: "Run user",
    analysis: onRecords(...ORDINARY_ACTIONS, "login_as_user", "notification"),
    runUser: onRecords("access"),
  },
  shown: (user) => ({ custom_preferences: {}, agreements: [], ...user }),
  more: serveUsers,
  gaps,
});

/** True for the user behind the portal's `anonymous_token`. */
export function isAnonymous(app: App, user: EntityDocument): boolean {
  const anonymousToken = portalOf(app.db, user.profile)["anonymous_token"];
  return app.tokens.list("run_user", user.id).some(({ token }) => token === anonymousToken);
}

/** Removes a user with tokens, notifications and stored values. */
export function removeRunUser(app: App, user: EntityDocument): void {
  const endsAnonymous = isAnonymous(app, user);
  app.runUsers.remove(user.id);
  if (endsAnonymous) editPortal(app.db, user.profile, { anonymous_token: null });
}
