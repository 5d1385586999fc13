import { accountRoutes, ownAccountRoutes } from "../../../lib/resources/account.ts";
import {
  accountCreate,
  accountEdit,
  accountLogin,
  accountPin,
  accountTokenCreate,
  otpConfirm,
  otpCredentials,
  passwordChange,
} from "../../../schema/account.ts";
import type { AccountDocument, Credentials } from "../../accounts/accounts.ts";
import { accountOf } from "../../accounts/owner.ts";
import { requireOtpType } from "../../accounts/second-factor.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { OldOptions } from "../../http/old-facts.ts";
import { removeAccount } from "../profiles/remove-profile.ts";
import { createLink, spendLink, takeLink } from "./links.ts";

/** Lifetime of a token made with a login that names none (SERVER.md section 2). */
const DEFAULT_EXPIRE_TIME = "3 months";

/** Writes a login into the log of every profile the account owns. */
function auditLogin(app: App, account: AccountDocument): void {
  for (const profile of app.accounts.profiles(account.id)) {
    if (profile.from_share === true) continue;
    app.audit.add({
      profile: profile.id,
      resourceName: "profile",
      resourceID: profile.id,
      message: `${account.email} logged in`,
      who: account.id,
    });
  }
}

/** Login and the token that follows it. */
function registerLogin(app: App): void {
  const { accounts } = app;

  app.handle(accountRoutes.login, { body: accountLogin }, ({ body }) => {
    const account = accounts.verify(body satisfies Credentials);
    const { id, email, company, name, phone } = account;
    auditLogin(app, account);
    return { type: "user", id, email, company, name, phone, profiles: accounts.profiles(id) };
  });

  app.handle(accountRoutes.tokenCreate, { body: accountTokenCreate }, ({ body }) => {
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
    app.audit.add({
      profile: profile.id,
      resourceName: "profile",
      resourceID: profile.id,
      message: `${account.email} made the token ${token.name}`,
      who: account.id,
    });
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

  app.handle(accountRoutes.requestLoginPINCode, { body: accountPin }, ({ body }) => {
    accounts.sendPin(body, body.otp_type);
    return "PIN code sent";
  });
}

/** Sign-up and the mails that go with it. An address nobody has is answered like one that somebody has. */
function registerSignUp(app: App): void {
  const { accounts } = app;

  const sendConfirmation = (account: { readonly id: string; readonly email: string }): void => {
    const token = createLink(app, { purpose: "Confirm account", refId: account.id });
    const message = `Confirm your account: GET /account/confirm/${token}`;
    app.outbox.add("email", { to: account.email, subject: "Confirm your account", message, token });
  };

  app.handle(accountRoutes.create, { body: accountCreate }, ({ body }) => {
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
    sendConfirmation({ id, email });
    return "Successfully Created";
  });

  app.handle(accountRoutes.resendConfirmation, ({ params }) => {
    const account = accounts.byEmail(params.email);
    if (account?.active === false) sendConfirmation(account);
    return `E-mail sent to ${params.email}`;
  });

  app.handle(accountRoutes.confirmAccount, ({ params }) => {
    const link = takeLink(app, params.token, "Confirm account");
    accounts.edit(link.refId, { active: true });
    return "Successfully Updated";
  });

  app.handle(accountRoutes.passwordRecover, ({ params }) => {
    const account = accounts.byEmail(params.email);
    if (account !== undefined) {
      const token = createLink(app, { purpose: "Reset password", refId: account.id });
      const message = `Set a new password: POST /account/passwordreset with the token ${token}`;
      app.outbox.add("email", { to: account.email, subject: "Set a new password", message, token });
    }
    return `E-mail sent to ${params.email}`;
  });

  app.handle(accountRoutes.acceptTeamInvitation, ({ params }) => {
    const link = takeLink(app, params.token, "Team invitation");
    const member = accounts.accept(link.refId);
    app.audit.add({
      profile: member.profile,
      resourceName: "profile",
      resourceID: member.profile,
      message: `${member.email} joined the team`,
      who: member.id,
    });
    return "Successfully Updated";
  });

  app.handle(accountRoutes.declineTeamInvitation, ({ params }) => {
    const link = takeLink(app, params.token, "Team invitation");
    accounts.removeMember(link.profile, link.refId);
    return "Successfully Removed";
  });
}

/** The account of a token. */
function registerOwnAccount(app: App): void {
  const { accounts } = app;
  const owners: OldOptions = { tokens: ["profile"], permission: "full" };

  app.handle(ownAccountRoutes.info, ({ principal }) => {
    const account = accounts.get(accountOf(app, principal));
    if (account === undefined) throw new PlatformError(404, "Account Not Found");
    return account;
  });

  app.handle(ownAccountRoutes.edit, { tokens: ["profile"], body: accountEdit }, ({ body, principal }) => {
    accounts.edit(accountOf(app, principal), body);
    return "Account Successfully Updated";
  });

  app.handle(ownAccountRoutes.delete, owners, ({ principal }) => {
    removeAccount(app, accountOf(app, principal), principal);
    return "Account Successfully Removed";
  });

  app.handle(
    ownAccountRoutes.passwordChange,
    { tokens: ["profile", "link"], rule: "own", permission: "full", body: passwordChange },
    ({ body, principal }) => {
      const id =
        principal.kind === "link" ? spendLink(app, principal, "Reset password").refId : accountOf(app, principal);
      accounts.setPassword(id, body.password);
      return "Successfully Updated";
    },
  );

  app.handle(ownAccountRoutes.enableOTP, { ...owners, body: otpCredentials }, ({ body, params, principal }) =>
    accounts.enableOtp(accountOf(app, principal), body, requireOtpType(params.typeOTP)),
  );
  app.handle(ownAccountRoutes.confirmOTP, { ...owners, body: otpConfirm }, ({ body, params, principal }) => {
    accounts.confirmOtp(accountOf(app, principal), requireOtpType(params.typeOTP), body.pin_code);
    return "Successfully Updated";
  });
  app.handle(ownAccountRoutes.disableOTP, { ...owners, body: otpCredentials }, ({ body, params, principal }) => {
    accounts.disableOtp(accountOf(app, principal), body, requireOtpType(params.typeOTP));
    return "Successfully Updated";
  });
}

/** Everything about accounts: login, sign-up, the account of a token and its second factors. */
export function registerAccountRoutes(app: App): void {
  registerLogin(app);
  registerSignUp(app);
  registerOwnAccount(app);
}
