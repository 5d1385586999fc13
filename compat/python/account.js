import { ID } from "../kit.js";
import { listQuery } from "./devices.js";

const demo = { email: "demo@example.test", password: "demo-password" };

export async function account(call, { profileId }) {
  const anonymous = { token: undefined };
  await call("Account.info", "GET /account", { result: { id: ID, email: demo.email } });
  await call("account.edit", "PUT /account", {
    body: { company: "Python Ltd" },
    result: "Account Successfully Updated",
  });
  await call("Account.login", "POST /account/login", { ...anonymous, body: demo, result: { email: demo.email } });
  await call("Account.login with a wrong password", "POST /account/login", {
    ...anonymous,
    body: { ...demo, password: "wrong" },
    refused: /Invalid credentials/,
  });
  await call("Account.tokenCreate", "POST /account/profile/token", {
    ...anonymous,
    body: { ...demo, profile_id: profileId, name: "Python", otp_type: null, pin_code: null },
    result: { token: /^p-.{34}$/ },
  });
  await call("account.info with a bad token", "GET /account", { token: "p-bad", refused: /Authorization Denied/i });
  await call("tags.getTagKeys", "GET /tags/keys/device", { result: (keys) => keys.length > 0 });

  await call("profiles.list", "GET /profile", { result: (rows) => rows.some(({ id }) => id === profileId) });
  await call("profiles.info", `GET /profile/${profileId}`, {
    result: ({ info }) => info.id === profileId && info.name === "Demo Plant",
  });
  await call("profiles.summary", `GET /profile/${profileId}/summary`, { result: (result) => result.amount.device > 0 });
  await call("profiles.usageStatisticList", `GET /profile/${profileId}/statistics`, {
    query: { date: "2026-11-01 00:00:00", timezone: "UTC", periodicity: null },
    result: (rows) => Array.isArray(rows),
  });
  await call("profiles.auditLog", `GET /profile/${profileId}/auditlog`, { query: { limit: 10, events: ["device"] } });
  const { token } = await call("profiles.tokenCreate", `POST /profile/${profileId}/token`, {
    body: { ...demo, name: "Python", permission: "full", expire_time: "never" },
    result: { token: /^p-/ },
  });
  await call("profiles.tokenList", `GET /profile/${profileId}/token`, {
    query: { ...listQuery, fields: ["name", "token"], orderBy: "created_at,desc" },
    result: (rows) => rows.length > 1,
  });
  await call("profiles.tokenDelete", `DELETE /profile/${profileId}/token/${token}`, { result: /Removed/ });
  await call("profiles.teamList", `GET /profile/${profileId}/team`, { result: (rows) => Array.isArray(rows) });
  await call("billing.getAllocation", "GET /account/allocation");
  await call("billing.getPrices", "GET /pricing", anonymous);
  for (const [method, path] of [
    ["getSubscription", "subscription"],
    ["getSubscriptionSummary", "subscription/summary"],
    ["getBillingInformation", "billing"],
    ["getPaymentHistory", "payment_history"],
    ["getPaymentMethod", "payment_method"],
  ]) {
    await call(`billing.${method}`, `GET /account/${path}`);
  }
  await call("Account.passwordRecover", `GET /account/passwordreset/${demo.email}`, { ...anonymous, result: /./ });
  await call("tagocores.list", "GET /tcore/instance", { query: listQuery, result: (rows) => rows.length > 0 });

  const { url } = await call("run.info", "GET /run", { result: { profile: profileId } });
  await call("run.edit", "PUT /run", { body: { name: "Python portal" }, result: "TagoIO Run Successfully Updated" });
  const person = { name: "Una Python", email: "una.python@example.test", password: "Secret-123", timezone: "UTC" };
  const { user } = await call("run.userCreate", "POST /run/users", {
    body: { ...person, active: true, company: null, tags: [{ key: "site", value: "plant" }] },
    result: { user: ID },
  });
  await call("run.listUsers", "GET /run/users", {
    query: { ...listQuery, fields: ["id", "name", "email"], filter: { name: "Una P*" } },
    result: (rows) => rows.length === 1 && rows[0].email === person.email,
  });
  await call("run.userInfo", `GET /run/users/${user}`, { result: { id: user, name: person.name, active: true } });
  await call("run.userEdit", `PUT /run/users/${user}`, { body: { name: "Una" }, result: /Updated/ });
  const logged = await call("run.loginAsUser", `GET /run/users/${user}/login`, {
    query: { expire_time: "1 hour" },
    result: { token: /./ },
  });
  const { id: notification } = await call("run.notificationCreate", "POST /run/notification/", {
    body: { run_user: user, title: "Python", message: "Hello", buttons: [] },
    result: { id: ID },
  });
  await call("run.notificationList", `GET /run/notification/${user}`, {
    result: (rows) => rows[0].id === notification,
  });
  await call("run.notificationEdit", `PUT /run/notification/${notification}`, {
    body: { title: "Changed" },
    result: /Updated/,
  });
  await call("run.notificationDelete", `DELETE /run/notification/${notification}`, { result: /Removed/ });
  await call("RunUser.login", `POST /run/${url}/login`, { ...anonymous, body: person, result: { token: /./ } });
  await call("RunUser.info", `GET /run/${url}/info`, { token: logged.token, result: { id: user, name: "Una" } });
  await call("run.ssoSAMLInfo", "GET /run/sso/saml");
  await call("RunUser.notificationList", `GET /run/${url}/notification`, { token: logged.token, result: [] });
  await call("RunUser.passwordRecover", `GET /run/${url}/passwordreset/${person.email}`, { ...anonymous, result: /./ });
  await call("run.emailTest", "POST /run/email_test", { body: { subject: "Hi", body: "There" } });
  await call("run.userDelete", `DELETE /run/users/${user}`, { result: /Removed/ });
}
