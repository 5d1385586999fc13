import { profileRoutes } from "../../lib/resources/profile.ts";
import { profileTokenCreate } from "../../schema/account.ts";
import { teamInvite } from "../../schema/profile.ts";
import { createLink } from "../accounts/links.ts";
import { accountOf } from "../accounts/owner.ts";
import { refusalGaps } from "../accounts/refusal-gaps.ts";
import type { App } from "../app.ts";
import { requireId } from "../core/ids.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import { refuseMore } from "../http/auth.ts";
import { created } from "../http/handler.ts";
import { presentToken } from "../info/routes.ts";
import type { Resource } from "../resource.ts";
import { listRecords } from "../store/list-records.ts";
import { memberGaps, ownProfile, reachProfile } from "./accessible-profiles.ts";
import { DEFAULT_EXPIRE_TIME, tokenGaps } from "./token-lifetime.ts";

const rule = "owner";
const writes = { rule } as const;
const fullWrites = { ...writes, permission: "full" } as const;

function serveTokens(app: App): void {
  const tokenDefaults = profileRoutes.tokenList.list ?? {};

  app.on(profileRoutes.tokenList, { rule }, ({ params, principal, query }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    return listRecords(
      app.tokens.list("profile", id).map((token) => presentToken(token, principal)),
      query,
      tokenDefaults,
    );
  });

  app.on(profileRoutes.tokenCreate, { ...writes, body: profileTokenCreate }, ({ assume, body, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    refuseMore(principal, body.permission);
    if (!body.expire_time) assume(tokenGaps.lifetime);
    const account = accountOf(app, principal);
    const token = app.tokens.create({
      kind: "profile",
      profile: id,
      refId: id,
      name: body.name,
      permission: body.permission,
      expireTime: body.expire_time || DEFAULT_EXPIRE_TIME,
      createdBy: account,
    });
    const document = { id, name: token.name };
    app.signals.emit("resourceChanged", { profile: id, kind: "token", event: "create", document, principal });
    return created({
      token: token.token,
      name: token.name,
      permission: token.permission,
      expire_date: token.expireTime,
      expire_time: token.expireTime,
      profile: id,
      created_by: account,
    });
  });

  app.on(profileRoutes.tokenDelete, fullWrites, ({ params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    const token = app.tokens.find(params.token);
    if (token === undefined || token.kind !== "profile" || token.refId !== id) {
      throw new PlatformError(404, "Token Not Found");
    }
    const document = { id, name: token.name };
    app.signals.emit("resourceChanged", { profile: id, kind: "token", event: "delete", document, principal });
    app.tokens.remove(token.token);
    return "Token Successfully Removed";
  });

  app.on(profileRoutes.transferTokenToAnotherProfile, writes, ({ params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    app.tokens.transfer(principal.key, id);
    return "Token Successfully Transferred";
  });
}

/** The tokens of a profile. */
export const profileTokens: Resource = {
  kinds: [{ kind: "token", audit: ["profile", "Token"] }],
  gaps: tokenGaps,
  serve: serveTokens,
};

function serveTeam(app: App): void {
  const { accounts } = app;

  app.on(profileRoutes.teamList, { rule }, ({ params, principal }) =>
    accounts.team(reachProfile(app, params.profileID, principal).id),
  );

  app.on(profileRoutes.addTeamMember, { ...fullWrites, body: teamInvite }, ({ body, params, principal }) => {
    const profile = ownProfile(app, params.profileID, principal);
    const { email } = body;
    const isMember = accounts.team(profile.id).some((member) => member.active && member.email === email);
    if (isMember || accounts.get(profile.account)?.email === email) {
      throw invalidBody({ email: ["This account has access already"] });
    }
    const refId = accounts.invite(profile.id, email);
    const token = createLink(app, { purpose: "Team invitation", refId, profile: profile.id });
    const message = `Join ${profile.name}: GET /profile/team/accept/${token} or /profile/team/decline/${token}`;
    app.outbox.add("email", { to: email, subject: `Invitation to ${profile.name}`, message, token });
    app.audit.addToProfile(profile.id, `${email} was invited`, accountOf(app, principal));
    return "User invited";
  });

  app.on(profileRoutes.deleteTeamMember, fullWrites, ({ params, principal }) => {
    const profile = reachProfile(app, params.profileID, principal);
    const accountId = requireId(params.accountId, "Account");
    if (!accounts.removeMember(profile.id, accountId)) throw new PlatformError(404, "Account Not Found");
    for (const link of app.tokens.list("link", accountId)) {
      if (link.profile === profile.id) app.tokens.remove(link.token);
    }
    for (const token of app.tokens.list("profile", profile.id)) {
      if (token.createdBy === accountId) app.tokens.remove(token.token);
    }
    app.audit.addToProfile(profile.id, "A member left the team", accountOf(app, principal));
    return "Account Successfully Removed";
  });
}

/** The accounts a profile is shared with. */
export const teams: Resource = {
  gaps: { ...memberGaps, invitation: refusalGaps.invitation },
  serve: serveTeam,
};
