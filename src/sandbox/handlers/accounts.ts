import { get, post } from "../../lib/core/route.ts";
import { accountRoutes } from "../../lib/resources/account.ts";
import { accountLogin, accountPin, accountTokenCreate } from "../../schema/account.ts";
import type { Credentials } from "../accounts.ts";
import type { FullApp } from "../app.ts";
import { PlatformError } from "../types.ts";

/** Routes of the account that the client's table does not have yet. */
export const moreAccountRoutes = {
  info: get("/account"),
  requestPin: post("/account/login/otp", { anonymous: true }),
};

/** Lifetime of a token made with a login that names none (SERVER.md section 2). */
const DEFAULT_EXPIRE_TIME = "3 months";

/** Login, the token that follows it, one-time codes, and the account of a token. */
export function registerAccountRoutes(app: FullApp): void {
  const { accounts } = app;

  app.handle(accountRoutes.login, { body: accountLogin }, ({ body }) => {
    const { id, email, company, name, phone } = accounts.verify(body satisfies Credentials);
    return { type: "user", id, email, company, name, phone, profiles: accounts.profiles(id) };
  });

  app.handle(accountRoutes.tokenCreate, { body: accountTokenCreate }, ({ body }) => {
    const account = accounts.verify(body);
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

  app.handle(moreAccountRoutes.requestPin, { body: accountPin }, ({ body }) => {
    accounts.sendPin(body, body.otp_type);
    return "PIN code sent";
  });

  app.handle(moreAccountRoutes.info, ({ profile }) => {
    const account = accounts.get(accounts.profile(profile)?.account ?? "");
    if (account === undefined) throw new PlatformError(404, "Account Not Found");
    return account;
  });
}
