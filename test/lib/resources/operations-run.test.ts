import { describe, expect, it } from "vitest";
import { Authorization, Network, Resources, RunUser } from "../../../src/index.ts";
import { SDB } from "../../../src/lib/clients/run-user.ts";
import { Run } from "../../../src/lib/resources/index.ts";
import { frozen, methodsOf, type Operation, testOperations } from "../../helpers/operations.ts";
import { date, listQuery, moment, rowsOf } from "../../helpers/rows.ts";

const times = { created_at: moment, updated_at: moment, last_login: moment };
const dates = { created_at: date, updated_at: date, last_login: date };
const credentials = frozen({ email: "u@b.example", password: "p w" });
const user = frozen({ name: "Ann", email: "u@b.example", timezone: "UTC", password: "p w" });

const portal = rowsOf<Run>();
const portals: Operation<Run>[] = [
  portal("info", "GET /run", (it, o) => it.info(o), { answers: { name: "Portal", created_at: moment } }),
  portal("edit", "PUT /run", (it, o) => it.edit(frozen({ theme: { primary: "#000" } }), o), {
    body: { theme: { primary: "#000" } },
  }),
  portal(
    "listUsers",
    `GET /run/users?${listQuery(["id", "name"], "name,asc")}`,
    (it, o) => it.listUsers(undefined, o),
    {
      answers: [{ id: "u1", ...times }],
      gives: [{ id: "u1", ...dates }],
    },
  ),
  portal("userInfo", "GET /run/users/u1", (it, o) => it.userInfo("u1", o), {
    answers: { id: "u1", ...times },
    gives: { id: "u1", ...dates },
  }),
  portal("userCreate", "POST /run/users", (it, o) => it.userCreate(user, o), { body: user, answers: { user: "u1" } }),
  portal("userEdit", "PUT /run/users/u1", (it, o) => it.userEdit("u1", frozen({ active: true }), o), {
    body: { active: true },
  }),
  portal("userDelete", "DELETE /run/users/u1", (it, o) => it.userDelete("u1", o)),
  portal("loginAsUser", "GET /run/users/u1/login", (it, o) => it.loginAsUser("u1", o), {
    answers: { token: "u-1", expire_date: moment, expire_time: moment },
    gives: { token: "u-1", expire_date: date, expire_time: moment },
  }),
  portal(
    "loginAsUser",
    "GET /run/users/u1/login?expire_time=3 months",
    (it, o) => it.loginAsUser("u1", { ...o, expire_time: "3 months" }),
    { when: "for a time" },
  ),
  portal("emailTest", "POST /run/email_test", (it, o) => it.emailTest(frozen({ subject: "S", body: "B" }), o), {
    body: { subject: "S", body: "B" },
  }),
  portal("notificationList", "GET /run/notification/u1", (it, o) => it.notificationList("u1", o), {
    answers: [{ id: "f1", created_at: moment }],
  }),
  portal(
    "notificationCreate",
    "POST /run/notification/",
    (it, o) => it.notificationCreate("u1", frozen({ title: "T", message: "M", run_user: "other" }), o),
    { when: "whatever the data names", body: { title: "T", message: "M", run_user: "u1" }, answers: { id: "f1" } },
  ),
  portal(
    "notificationEdit",
    "PUT /run/notification/f1",
    (it, o) => it.notificationEdit("f1", frozen({ read: true }), o),
    { body: { read: true } },
  ),
  portal("notificationDelete", "DELETE /run/notification/f1", (it, o) => it.notificationDelete("f1", o)),
  portal("ssoSAMLInfo", "GET /run/sso/saml", (it, o) => it.ssoSAMLInfo(o)),
  portal("ssoSAMLEdit", "PUT /run/sso/saml", (it, o) => it.ssoSAMLEdit(frozen({ idp_metadata: "PHgvPg==" }), o), {
    body: { idp_metadata: "PHgvPg==" },
  }),
  portal(
    "createCustomDomain",
    "POST /run/customdomain/p1",
    (it, o) => it.createCustomDomain("p1", frozen({ domain: "a.example", subdomain: "x", email: "a@b.example" }), o),
    { body: { domain: "a.example", subdomain: "x", email: "a@b.example" } },
  ),
  portal("getCustomDomain", "GET /run/customdomain/p1", (it, o) => it.getCustomDomain("p1", o), {
    answers: { active: true, created_at: moment },
    gives: { active: true, created_at: date },
  }),
  portal("deleteCustomDomain", "DELETE /run/customdomain/p1", (it, o) => it.deleteCustomDomain("p1", o)),
  portal("regenerateCustomDomain", "PUT /run/customdomain/regenerate/p1", (it, o) =>
    it.regenerateCustomDomain("p1", o),
  ),
];

const url = "my.run.example";
const own = rowsOf<RunUser>();
const users: Operation<RunUser>[] = [
  own("info", `GET /run/${url}/info`, (it, o) => it.info(url, o), {
    answers: { id: "u1", ...times },
    gives: { id: "u1", ...times, created_at: date },
  }),
  own("edit", `PUT /run/${url}/info`, (it, o) => it.edit(url, frozen({ name: "Bea" }), o), { body: { name: "Bea" } }),
  own("delete", `DELETE /run/${url}/delete`, (it, o) => it.delete(url, o)),
  own("passwordChange", `POST /run/${url}/passwordreset`, (it, o) => it.passwordChange(url, "p w", o), {
    body: { password: "p w" },
  }),
  own("notificationList", `GET /run/${url}/notification`, (it, o) => it.notificationList(url, undefined, o), {
    answers: [{ id: "f1", created_at: moment }],
    gives: [{ id: "f1", created_at: date }],
  }),
  own(
    "notificationList",
    `GET /run/${url}/notification?page=2&filter[read]=false`,
    (it, o) => it.notificationList(url, frozen({ page: 2, filter: { read: false } }), o),
    { when: "with a query", answers: [] },
  ),
  own("notificationMarkRead", `PUT /run/${url}/notification`, (it, o) => it.notificationMarkRead(url, "f1", o), {
    body: { notification_ids: ["f1"], read: true },
  }),
  own(
    "notificationMarkUnread",
    `PUT /run/${url}/notification`,
    (it, o) => it.notificationMarkUnread(url, frozen(["f1"]), o),
    { body: { notification_ids: ["f1"], read: false } },
  ),
  own("notificationMarkAllRead", `PUT /run/${url}/notification/markallread`, (it, o) =>
    it.notificationMarkAllRead(url, o),
  ),
  own("notificationButton", `PUT /run/${url}/notification/f1/b1`, (it, o) => it.notificationButton(url, "f1", "b1", o)),
  own("notificationDelete", `DELETE /run/${url}/notification/f1`, (it, o) => it.notificationDelete(url, "f1", o)),
  own("enableOTP", `POST /run/${url}/otp/sms/enable`, (it, o) => it.enableOTP(url, credentials, "sms", o), {
    body: credentials,
  }),
  own("disableOTP", `POST /run/${url}/otp/email/disable`, (it, o) => it.disableOTP(url, credentials, "email", o), {
    body: credentials,
  }),
  own("confirmOTP", `POST /run/${url}/otp/sms/confirm`, (it, o) => it.confirmOTP(url, "1", "sms", o), {
    body: { pin_code: "1" },
  }),
];

const item = rowsOf<SDB>();
const items: Operation<SDB>[] = [
  item("getItem", `GET /run/${url}/sdb/k 1`, (it, o) => it.getItem(url, "k 1", o)),
  item("setItem", `POST /run/${url}/sdb/k1`, (it, o) => it.setItem(url, "k1", frozen({ an: "object" }), o), {
    body: { an: "object" },
  }),
  item("setItem", `POST /run/${url}/sdb/k1`, (it, o) => it.setItem(url, "k1", 0, o), { when: "of a number", body: 0 }),
  item("removeItem", `DELETE /run/${url}/sdb/k1`, (it, o) => it.removeItem(url, "k1", o)),
];

const network = rowsOf<Network>();
const deviceTimes = {
  created_at: moment,
  updated_at: moment,
  last_input: moment,
  last_output: null,
  inspected_at: moment,
};
const deviceDates = { created_at: date, updated_at: date, last_input: date, last_output: null, inspected_at: date };
const message = { topic: "t", message: "m", qos: 1 as const, retain: true, device: "d1" };
const networks: Operation<Network>[] = [
  network("info", "GET /info", (it, o) => it.info(o), { answers: { id: "k1", created_at: moment } }),
  network("resolveToken", "GET /integration/network/resolve/SN 1", (it, o) => it.resolveToken("SN 1", undefined, o)),
  network("resolveToken", "GET /integration/network/resolve/SN1/at1", (it, o) => it.resolveToken("SN1", "at1", o), {
    when: "with an authorization",
  }),
  network(
    "publishToRelay",
    "POST /integration/network/publish",
    (it, o) => it.publishToRelay(frozen({ ...message, bucket: "d1" }), o),
    { body: message },
  ),
  network(
    "deviceList",
    "GET /integration/network/c1/devices?page=1&amount=20&orderBy=name,asc",
    (it, o) => it.deviceList("c1", undefined, o),
    { answers: [{ id: "d1", ...deviceTimes }], gives: [{ id: "d1", ...deviceDates }] },
  ),
  network(
    "deviceList",
    "GET /integration/network/c1/devices?page=2&filter[name]=a&amount=5&orderBy=name,desc",
    (it, o) =>
      it.deviceList("c1", frozen({ page: 2, amount: 5, filter: { name: "a" }, orderBy: ["name", "desc"] } as const), o),
    { when: "with a query", answers: [] },
  ),
  network(
    "deviceParamSet",
    "POST /integration/network/d1/params",
    (it, o) => it.deviceParamSet("d1", frozen([{ key: "k", value: "v" }]), undefined, o),
    { body: [{ key: "k", value: "v" }] },
  ),
  network(
    "deviceParamSet",
    "POST /integration/network/d1/params",
    (it, o) => it.deviceParamSet("d1", frozen({ id: "other", key: "k" }), "m1", o),
    { when: "of one, whatever it names", body: { id: "m1", key: "k" } },
  ),
];

const tokenInfo = { created_at: moment, expire_time: "never", last_authorization: moment };
const tokenDates = { created_at: date, expire_time: "never", last_authorization: date };
const authorizations: Operation<Authorization>[] = [
  rowsOf<Authorization>()("info", "GET /info", (it, o) => it.info(o), { answers: tokenInfo, gives: tokenDates }),
];
const detailed: Operation<Authorization>[] = [
  rowsOf<Authorization>()("info", "GET /info?details=true", (it, o) => it.info(o)),
];
const detailedNetworks: Operation<Network>[] = [
  network("info", "GET /info?details=true", (it, o) => it.info(o)),
  network("resolveToken", "GET /integration/network/resolve/SN1?details=true", (it, o) =>
    it.resolveToken("SN1", undefined, o),
  ),
];

describe("Run", () => testOperations((params) => new Resources(params).run, portals));
describe("RunUser", () => testOperations((params) => new RunUser(params), users));
describe("RunUser.SDB", () => testOperations((params) => new RunUser(params).SDB, items));
describe("Network", () => testOperations((params) => new Network(params), networks));
describe("Network with details", () =>
  testOperations((params) => new Network({ ...params, details: true }), detailedNetworks));
describe("Authorization", () => testOperations((params) => new Authorization(params), authorizations));
describe("Authorization with details", () =>
  testOperations((params) => new Authorization({ ...params, details: true }), detailed));

describe("the tables", () => {
  it.each([
    ["Run", Run, portals],
    ["RunUser", RunUser, users],
    ["SDB", SDB, items],
    ["Network", Network, networks],
    ["Authorization", Authorization, authorizations],
  ] as const)("name every method of %s", (_name, type, operations) => {
    expect([...new Set(operations.map(({ method }) => method))].sort()).toEqual(methodsOf(type).sort());
  });
});
