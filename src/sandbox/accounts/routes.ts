import { accountRoutes, ownAccountRoutes } from "../../lib/resources/account.ts";
import {
  accountCreate,
  accountEdit,
  accountLogin,
  accountPin,
  accountTokenCreate,
  otpConfirm,
  otpCredentials,
  passwordChange,
} from "../../schema/account.ts";
import { onAll } from "../access/catalogue.ts";
import { whole } from "../access/demands.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { removeAccount } from "../profiles/remove-profile.ts";
import { DEFAULT_EXPIRE_TIME, tokenGaps } from "../profiles/token-lifetime.ts";
import type { Resource } from "../resource.ts";
import type { AccountDocument, Credentials } from "./accounts.ts";
import { createLink, linkGaps, spendLink, takeLink } from "./links.ts";
import { accountOf } from "./owner.ts";
import { refusalGaps } from "./refusal-gaps.ts";
import { requireOtpType } from "./second-factor.ts";

const { invitation: _, ...loginGaps } = refusalGaps;

const gaps = {
  ...loginGaps,
  ...linkGaps,
  pin: { subject: "POST /account/login/otp", choice: "PIN code sent; the code is in the outbox" },
  authenticator: {
    subject: "Enabling an authenticator",
    choice: "the otpauth link as text; it counts once a code is confirmed",
  },
  signUp: {
    subject: "POST /account",
    choice: "Successfully Created; plan free, one profile of the same name; no login before the email is confirmed",
  },
  unknownAddress: {
    subject: "Emails to an address nobody has",
    choice: "answered as if sent, nothing is in the outbox",
    // Naming them in a response would reveal whether an address has an account.
    general: true,
  },
  memberAccount: {
    subject: "GET /account with the token of a team member",
    choice: "the account that created the token",
  },
} as const;

const rule = "anyone";
const owners = { rule: "owner", permission: "full" } as const;

/** Logs a login in every profile the account owns. */
function auditLogin(app: App, account: AccountDocument): void {
  for (const profile of app.accounts.profiles(account.id)) {
    if (profile.from_share === true) continue;
    app.audit.addToProfile(profile.id, `${account.email} logged in`, account.id);
  }
}

/** Login and the token that follows it. */
function serveLogin(app: App): void {
  const { accounts } = app;

  app.on(accountRoutes.login, { rule, body: accountLogin }, ({ body }) => {
    const account = accounts.verify(body satisfies Credentials);
    const { id, email, company, name, phone } = account;
    auditLogin(app, account);
    return { type: "user", id, email, company, name, phone, profiles: accounts.profiles(id) };
  });

  app.on(accountRoutes.tokenCreate, { rule, body: accountTokenCreate }, ({ assume, body }) => {
    if (!body.expire_time) assume(tokenGaps.lifetime);
    const account = accounts.verify(body, "token");
    const profile = accounts.profiles(account.id).find(({ id }) => id === body.profile_id);
    if (profile === undefined) throw new PlatformError(404, "Profile Not Found");
    const token = app.tokens.create({
      kind: "profile",
      profile: profile.id,
      refId: profile.id,
      name: body.name,
      expireTime: body.expire_time || DEFAULT_EXPIRE_TIME,
      createdBy: account.id,
    });
    app.audit.addToProfile(profile.id, `${account.email} made the token ${token.name}`, account.id);
    return {
      token: token.token,
      name: token.name,
      profile: profile.id,
      permission: token.permission,
      created_by: account.id,
      expire_time: token.expireTime,
      expire_date: token.expireTime,
    };
  });

  app.on(accountRoutes.requestLoginPINCode, { rule, gaps: [gaps.pin], body: accountPin }, ({ body }) => {
    accounts.sendPin(body, body.otp_type);
    return "PIN code sent";
  });
}

function sendConfirmation(app: App, account: { readonly id: string; readonly email: string }): void {
  const token = createLink(app, { purpose: "Confirm account", refId: account.id });
  const message = `Confirm your account: GET /account/confirm/${token}`;
  app.outbox.add("email", { to: account.email, subject: "Confirm your account", message, token });
}

/** Sign-up and its emails. No response reveals whether an address has an account. */
function serveSignUp(app: App): void {
  const { accounts } = app;

  app.on(accountRoutes.create, { rule, gaps: [gaps.signUp], body: accountCreate }, ({ body }) => {
    const { name, email, password, timezone, company, newsletter = false } = body;
    const { id } = accounts.create({
      name,
      email,
      password,
      timezone,
      newsletter,
      plan: "free",
      active: false,
      ...(company !== undefined && { company }),
    });
    accounts.createProfile({ account: id, name });
    sendConfirmation(app, { id, email });
    return "Successfully Created";
  });

  app.on(accountRoutes.resendConfirmation, { rule }, ({ params }) => {
    const account = accounts.byEmail(params.email);
    if (account?.active === false) sendConfirmation(app, account);
    return `E-mail sent to ${params.email}`;
  });

  app.on(accountRoutes.confirmAccount, { rule }, ({ params }) => {
    const link = takeLink(app, params.token, "Confirm account");
    accounts.edit(link.refId, { active: true });
    return "Successfully Updated";
  });

  app.on(accountRoutes.passwordRecover, { rule }, ({ params }) => {
    const account = accounts.byEmail(params.email);
    if (account !== undefined) {
      const token = createLink(app, { purpose: "Reset password", refId: account.id });
      const message = `Set a new password: POST /account/passwordreset with the token ${token}`;
      app.outbox.add("email", { to: account.email, subject: "Set a new password", message, token });
    }
    return `E-mail sent to ${params.email}`;
  });

  app.on(accountRoutes.acceptTeamInvitation, { rule }, ({ params }) => {
    const link = takeLink(app, params.token, "Team invitation");
    const member = accounts.accept(link.refId);
    app.audit.addToProfile(member.profile, `${member.email} joined the team`, member.id);
    return "Successfully Updated";
  });

  app.on(accountRoutes.declineTeamInvitation, { rule }, ({ params }) => {
    const link = takeLink(app, params.token, "Team invitation");
    accounts.removeMember(link.profile, link.refId);
    return "Successfully Removed";
  });
}

/** The account of a token. */
function serveOwnAccount(app: App): void {
  const { accounts } = app;

  const readers = { rule: whole("account", "access") };
  app.on(ownAccountRoutes.info, readers, ({ assume, principal, profile }) => {
    const account = accounts.get(accountOf(app, principal));
    if (account === undefined) throw new PlatformError(404, "Account Not Found");
    if (account.id !== accounts.profile(profile)?.account) assume(gaps.memberAccount);
    return account;
  });

  const writers = { rule: "owner", body: accountEdit } as const;
  app.on(ownAccountRoutes.edit, writers, ({ body, principal }) => {
    accounts.edit(accountOf(app, principal), body);
    return "Account Successfully Updated";
  });

  app.on(ownAccountRoutes.delete, owners, ({ principal }) => {
    removeAccount(app, accountOf(app, principal), principal);
    return "Account Successfully Removed";
  });

  app.on(
    ownAccountRoutes.passwordChange,
    { tokens: ["profile", "link"], rule: "own", permission: "full", body: passwordChange },
    ({ body, principal }) => {
      const id =
        principal.kind === "link" ? spendLink(app, principal, "Reset password").refId : accountOf(app, principal);
      accounts.setPassword(id, body.password);
      return "Successfully Updated";
    },
  );

  app.on(ownAccountRoutes.enableOTP, { ...owners, body: otpCredentials }, ({ assume, body, params, principal }) => {
    const type = requireOtpType(params.typeOTP);
    if (type === "authenticator") assume(gaps.authenticator);
    return accounts.enableOtp(accountOf(app, principal), body, type);
  });
  app.on(ownAccountRoutes.confirmOTP, { ...owners, body: otpConfirm }, ({ body, params, principal }) => {
    accounts.confirmOtp(accountOf(app, principal), requireOtpType(params.typeOTP), body.pin_code);
    return "Successfully Updated";
  });
  app.on(ownAccountRoutes.disableOTP, { ...owners, body: otpCredentials }, ({ body, params, principal }) => {
    accounts.disableOtp(accountOf(app, principal), body, requireOtpType(params.typeOTP));
    return "Successfully Updated";
  });
}

/** Accounts: login, sign-up, the account of a token and its two-factor authentication. */
export const accountsAndLogin: Resource = {
  tables: { accountRoutes, ownAccountRoutes },
  access: { account: { label: "Account", analysis: onAll("access", "access_profile", "access_profile_statistics") } },
  gaps,
  serve: (app) => {
    serveLogin(app);
    serveSignUp(app);
    serveOwnAccount(app);
  },
};
