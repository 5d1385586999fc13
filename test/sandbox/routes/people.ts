import { SEED_PROFILES } from "../../helpers/seed.ts";
import type { RouteCases, World } from "./case.ts";
import * as model from "./models.ts";
import {
  anyText,
  anything,
  dateOrNever,
  either,
  exactly,
  id,
  like,
  list,
  nullable,
  object,
  record,
  text,
} from "./shape.ts";
import { DEMO } from "./world.ts";

const own = { profileID: SEED_PROFILES.demoPlant };
const sharedAccount = "shared@example.test";

async function onProfile(world: World) {
  const { id: profileID } = await world.send<{ id: string }>("POST", "/profile/", { name: "Made here" });
  return { params: { profileID } };
}

/** A call of a portal user, with more parts of the path. */
const asUser =
  (more: (user: { email: string; password: string; id: string; token: string }, world: World) => object = () => ({})) =>
  async (world: World) => {
    const user = await world.newUser();
    const { params = {}, ...rest } = more(user, world) as { params?: Record<string, string> };
    return { token: user.token, ...rest, params: { url: world.runUrl, ...params } };
  };

async function onRunNotification(world: World) {
  const user = await world.newUser();
  const body = { run_user: user.id, title: "T", message: "M", buttons: [{ id: "ok", label: "Fine" }] };
  const { id: notificationID } = await world.send<{ id: string }>("POST", "/run/notification/", body);
  return { user, notificationID };
}

const withNotification =
  (body?: (notificationID: string) => unknown, more: Record<string, string> = {}) =>
  async (world: World) => {
    const { user, notificationID } = await onRunNotification(world);
    return {
      token: user.token,
      params: { url: world.runUrl, notificationID, ...more },
      ...(body && { body: body(notificationID) }),
    };
  };

const onUser = async (world: World) => ({ params: { userID: (await world.newUser()).id } });

/** The token of the mail that invites somebody to the team. */
async function invitation(world: World) {
  const { email } = await world.newAccount();
  await world.send("POST", `/profile/${own.profileID}/team`, { email });
  return { params: { token: world.mailedToken() } };
}

const domain = { domain: "example.test", subdomain: "plant", email: "a@example.test" };
async function onDomain(world: World) {
  await world.send("POST", `/run/customdomain/${own.profileID}`, domain);
  return { params: { profile_id: own.profileID } };
}

export const peopleCases: RouteCases = {
  "account.login": { as: "nobody", given: () => ({ body: DEMO }), result: model.accountLogin },
  "account.tokenCreate": {
    as: "nobody",
    given: () => ({ body: { ...DEMO, profile_id: own.profileID, name: "Made" } }),
    result: object({
      token: like(/^p-/),
      name: text,
      profile: id,
      permission: exactly("full"),
      created_by: id,
      expire_time: dateOrNever,
    }),
  },
  "account.passwordRecover": { as: "nobody", given: () => ({ params: { email: sharedAccount } }), result: text },
  "account.create": {
    as: "nobody",
    given: () => ({
      body: {
        name: "New",
        email: "made@example.test",
        password: "Secret-123",
        cpassword: "Secret-123",
        timezone: "UTC",
      },
    }),
    result: text,
  },
  "account.resendConfirmation": {
    as: "nobody",
    given: () => ({ params: { email: "made@example.test" } }),
    result: text,
  },
  "account.confirmAccount": {
    as: "nobody",
    given: async (world) => {
      const body = { name: "New", email: "other@example.test", password: "Secret-123", timezone: "UTC" };
      await world.send("POST", "/account", body);
      return { params: { token: world.mailedToken() } };
    },
    result: text,
  },
  "account.requestLoginPINCode": {
    as: "nobody",
    given: async (world) => {
      const { email, password, token } = await world.newAccount();
      await world.send("POST", "/account/otp/email/enable", { email, password }, token);
      await world.send("POST", "/account/otp/email/confirm", { pin_code: world.code() }, token);
      return { body: { email, password, otp_type: "email" } };
    },
    result: text,
  },
  "account.acceptTeamInvitation": { as: "nobody", given: invitation, result: text },
  "account.declineTeamInvitation": { as: "nobody", given: invitation, result: text },
  "ownAccount.info": { result: model.account },
  "ownAccount.edit": {
    given: () => ({ body: { company: "Edited Ltd" } }),
    result: exactly("Account Successfully Updated"),
  },
  "ownAccount.delete": { given: async (world) => ({ token: (await world.newAccount()).token }), result: text },
  "ownAccount.passwordChange": {
    given: async (world) => ({ token: (await world.newAccount()).token, body: { password: "Other-456" } }),
    result: text,
  },
  "ownAccount.enableOTP": {
    given: async (world) => {
      const { email, password, token } = await world.newAccount();
      return { token, params: { typeOTP: "authenticator" }, body: { email, password } };
    },
    result: either(text, record),
  },
  "ownAccount.disableOTP": {
    given: async (world) => {
      const { email, password, token } = await world.newAccount();
      await world.send("POST", "/account/otp/email/enable", { email, password }, token);
      await world.send("POST", "/account/otp/email/confirm", { pin_code: world.code() }, token);
      return { token, params: { typeOTP: "email" }, body: { email, password } };
    },
    result: text,
  },
  "ownAccount.confirmOTP": {
    given: async (world) => {
      const { email, password, token } = await world.newAccount();
      await world.send("POST", "/account/otp/email/enable", { email, password }, token);
      return { token, params: { typeOTP: "email" }, body: { pin_code: world.code() } };
    },
    result: text,
  },
  "profile.list": { result: list(model.profileListed) },
  "profile.info": { given: () => ({ params: { profileID: "current" } }), result: model.profile },
  "profile.summary": { given: () => ({ params: own }), result: model.profileSummary },
  "profile.create": { given: () => ({ body: { name: "Made" } }), result: object({ id }) },
  "profile.edit": {
    given: async (world) => ({ ...(await onProfile(world)), body: { name: "Edited" } }),
    result: exactly("Successfully Updated"),
  },
  "profile.delete": {
    given: async (world) => ({ ...(await onProfile(world)), body: { password: DEMO.password } }),
    result: exactly("Successfully Removed"),
  },
  "profile.usageStatisticList": { given: () => ({ params: own }), result: list(model.statistic) },
  "profile.auditLog": { given: () => ({ params: own }), result: model.auditLog },
  "profile.auditLogQuery": {
    given: async (world) => {
      const { queryId } = await world.send<{ queryId: string }>("GET", `/profile/${own.profileID}/auditlog`);
      return { params: { ...own, queryId } };
    },
    result: model.auditEvents,
  },
  "profile.addonList": { given: () => ({ params: own }), result: anything },
  "profile.addonEdit": { given: () => ({ params: own, body: { mobile: true } }), result: text },
  "profile.serviceEdit": { given: () => ({ params: own, body: { input: { limit: 1_000 } } }), result: text },
  "profile.transferTokenToAnotherProfile": {
    given: async (world) => {
      const { token } = await world.send<{ token: string }>("POST", `/profile/${own.profileID}/token`, {
        name: "Traveller",
      });
      return { token, params: { profileID: SEED_PROFILES.empty } };
    },
    result: exactly("Token Successfully Transferred"),
  },
  "profile.tokenList": { given: () => ({ params: own }), result: list(model.tokenListed) },
  "profile.tokenCreate": { given: () => ({ params: own, body: { name: "Made" } }), result: model.tokenCreated },
  "profile.tokenDelete": {
    given: async (world) => {
      const { token } = await world.send<{ token: string }>("POST", `/profile/${own.profileID}/token`, {
        name: "Short",
      });
      return { params: { ...own, token } };
    },
    result: exactly("Token Successfully Removed"),
  },
  "profile.removeAddOn": { given: () => ({ params: { ...own, addon: "mobile" } }), result: text },
  "profile.addTeamMember": {
    given: async (world) => ({ params: own, body: { email: (await world.newAccount()).email } }),
    result: exactly("User invited"),
  },
  "profile.teamList": { given: () => ({ params: own }), result: list(model.teamMember) },
  "profile.deleteTeamMember": {
    given: async (world) => {
      const team = await world.send<{ id: string; email: string }[]>("GET", `/profile/${own.profileID}/team`);
      return { params: { ...own, accountId: team.find(({ email }) => email === sharedAccount)?.id ?? "" } };
    },
    result: exactly("Account Successfully Removed"),
  },
  "run.info": { result: model.runInfo },
  "run.edit": {
    given: () => ({ body: { name: "Edited" } }),
    result: exactly("TagoIO Run Successfully Updated"),
  },
  "run.listUsers": { result: list(model.named) },
  "run.userInfo": { given: onUser, result: model.runUser },
  "run.userCreate": {
    given: () => ({ body: { name: "Made", email: "made-user@example.test", password: "Secret-123", timezone: "UTC" } }),
    result: object({ user: id }),
  },
  "run.userEdit": {
    given: async (world) => ({ ...(await onUser(world)), body: { name: "Edited" } }),
    result: exactly("TagoIO Run User Successfully Updated"),
  },
  "run.userDelete": { given: onUser, result: exactly("Successfully Removed") },
  "run.loginAsUser": {
    given: async (world) => ({ ...(await onUser(world)), query: "expire_time=1%20hour" }),
    result: model.runLogin,
  },
  "run.emailTest": { given: () => ({ body: { subject: "S", body: "B" } }), result: like(/^E-mail sent to /) },
  "run.notificationList": {
    given: async (world) => ({ params: { userID: (await onRunNotification(world)).user.id } }),
    result: list(model.runNotification),
  },
  "run.notificationCreate": {
    given: async (world) => ({ body: { run_user: (await world.newUser()).id, title: "T", message: "M" } }),
    result: object({ id }),
  },
  "run.notificationEdit": {
    given: async (world) => ({
      params: { notificationID: (await onRunNotification(world)).notificationID },
      body: { title: "Edited" },
    }),
    result: text,
  },
  "run.notificationDelete": {
    given: async (world) => ({ params: { notificationID: (await onRunNotification(world)).notificationID } }),
    result: exactly("Successfully Removed"),
  },
  "run.ssoSAMLInfo": {
    result: object({
      sp: object({ entity_id: text, acs_url: text, metadata: anyText }),
      idp: object({ issuer: nullable(anyText) }),
      mapping: record,
    }),
  },
  "run.ssoSAMLEdit": {
    given: () => ({ body: { mapping: { email: "mail" } } }),
    result: exactly("TagoIO Run SAML SSO Successfully Updated"),
  },
  "run.createCustomDomain": {
    given: () => ({ params: { profile_id: own.profileID }, body: domain }),
    result: like(/created/i),
  },
  "run.getCustomDomain": { given: onDomain, result: model.customDomain },
  "run.regenerateCustomDomain": { given: onDomain, result: like(/regenerated/i) },
  "run.deleteCustomDomain": { given: onDomain, result: like(/deleted/i) },
  "runUser.info": { given: asUser(), result: model.runUser },
  "runUser.create": {
    as: "nobody",
    given: (world) => ({
      params: { url: world.runUrl },
      body: { name: "Sue", email: "sue@example.test", password: "Secret-123", timezone: "UTC" },
    }),
    result: object({ user: id }),
  },
  "runUser.edit": { given: asUser(() => ({ body: { name: "Edited" } })), result: text },
  "runUser.delete": { given: asUser(), result: text },
  "runUser.login": {
    as: "nobody",
    given: async (world) => {
      const { email, password } = await world.newUser();
      return { params: { url: world.runUrl }, body: { email, password } };
    },
    result: model.runLogin,
  },
  "runUser.confirmUser": {
    as: "nobody",
    given: async (world) => {
      const body = { name: "Sam", email: "sam@example.test", password: "Secret-123", timezone: "UTC" };
      await world.send("POST", `/run/${world.runUrl}/signup`, body);
      return { params: { url: world.runUrl, token: world.mailedToken() } };
    },
    result: text,
  },
  "runUser.passwordRecover": {
    as: "nobody",
    given: async (world) => ({ params: { url: world.runUrl, email: (await world.newUser()).email } }),
    result: text,
  },
  "runUser.passwordChange": { given: asUser(() => ({ body: { password: "Other-456" } })), result: text },
  "runUser.notificationList": { given: withNotification(), result: list(model.runNotification) },
  "runUser.notificationMark": {
    given: withNotification((notificationID) => ({ notification_ids: [notificationID], read: true })),
    result: text,
  },
  "runUser.notificationMarkAllRead": { given: withNotification(), result: text },
  "runUser.notificationButton": { given: withNotification(undefined, { buttonID: "ok" }), result: text },
  "runUser.notificationDelete": { given: withNotification(), result: text },
  "runUser.requestLoginPINCode": {
    as: "nobody",
    given: async (world) => {
      const { email, password, token } = await world.newUser();
      const path = `/run/${world.runUrl}/otp/email`;
      await world.send("POST", `${path}/enable`, { email, password }, token);
      await world.send("POST", `${path}/confirm`, { pin_code: world.code() }, token);
      return { params: { url: world.runUrl }, body: { email, password, otp_type: "email" } };
    },
    result: text,
  },
  "runUser.enableOTP": {
    given: asUser(({ email, password }) => ({ params: { typeOTP: "authenticator" }, body: { email, password } })),
    result: either(text, record),
  },
  "runUser.disableOTP": {
    given: async (world) => {
      const { email, password, token } = await world.newUser();
      const path = `/run/${world.runUrl}/otp/email`;
      await world.send("POST", `${path}/enable`, { email, password }, token);
      await world.send("POST", `${path}/confirm`, { pin_code: world.code() }, token);
      return { token, params: { url: world.runUrl, typeOTP: "email" }, body: { email, password } };
    },
    result: text,
  },
  "runUser.confirmOTP": {
    given: async (world) => {
      const { email, password, token } = await world.newUser();
      await world.send("POST", `/run/${world.runUrl}/otp/email/enable`, { email, password }, token);
      return { token, params: { url: world.runUrl, typeOTP: "email" }, body: { pin_code: world.code() } };
    },
    result: text,
  },
  "sdb.getItem": {
    given: asUser(() => ({ params: { key: "colour" } })),
    result: nullable(text),
  },
  "sdb.setItem": { given: asUser(() => ({ params: { key: "colour" }, body: { deep: "red" } })), result: text },
  "sdb.removeItem": { given: asUser(() => ({ params: { key: "colour" } })), result: text },
};
