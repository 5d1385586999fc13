import { describe, expect, it } from "vitest";
import { Account, Resources } from "../../../src/index.ts";
import {
  Billing,
  Notifications,
  OwnAccount,
  PaymentHistory,
  PaymentMethods,
  Plan,
  Profiles,
} from "../../../src/lib/resources/index.ts";
import { frozen, methodsOf, type Operation, testOperations } from "../../helpers/operations.ts";
import { date, listQuery, moment, rowsOf } from "../../helpers/rows.ts";

const credentials = frozen({ email: "a@b.example", password: "p w" });
const accountRow = { id: "o1", created_at: moment, last_login: null, options: { last_whats_new: moment } };
const accountWithDates = { id: "o1", created_at: date, last_login: null, options: { last_whats_new: date } };

/** `Resources.account` and the older `Account` have the same methods. */
type AccountMethods = Pick<
  Account,
  "info" | "edit" | "delete" | "passwordChange" | "enableOTP" | "disableOTP" | "confirmOTP"
>;
const account = rowsOf<AccountMethods>();
const accounts: Operation<AccountMethods>[] = [
  account("info", "GET /account", (it, o) => it.info(o), { answers: accountRow, gives: accountWithDates }),
  account("edit", "PUT /account", (it, o) => it.edit(frozen({ name: "Ann" }), o), { body: { name: "Ann" } }),
  account("delete", "DELETE /account", (it, o) => it.delete(o)),
  account("passwordChange", "POST /account/passwordreset", (it, o) => it.passwordChange("p w", o), {
    body: { password: "p w" },
  }),
  account(
    "enableOTP",
    "POST /account/otp/authenticator/enable",
    (it, o) => it.enableOTP(credentials, "authenticator", o),
    {
      body: credentials,
    },
  ),
  account("disableOTP", "POST /account/otp/sms/disable", (it, o) => it.disableOTP(credentials, "sms", o), {
    body: credentials,
  }),
  account("confirmOTP", "POST /account/otp/email/confirm", (it, o) => it.confirmOTP("123456", "email", o), {
    body: { pin_code: "123456" },
  }),
];

const bill = rowsOf<Billing>();
const bills: Operation<Billing>[] = [
  bill("getSubscription", "GET /account/subscription", (it, o) => it.getSubscription(o), {
    answers: { trial_end: moment, created_at: moment },
  }),
  bill("getSubscriptionSchedule", "GET /account/subscription/schedule", (it, o) => it.getSubscriptionSchedule(o)),
  bill("getPrices", "GET /pricing", (it, o) => it.getPrices(o)),
  bill("getProratedPrices", "GET /pricing/prorated", (it, o) => it.getProratedPrices(o)),
  bill("getPaymentMethod", "GET /account/payment_method", (it, o) => it.getPaymentMethod(o)),
  bill("getBillingInformation", "GET /account/billing", (it, o) => it.getBillingInformation(o)),
  bill("getAllocation", "GET /account/allocation", (it, o) => it.getAllocation(o)),
  bill("getSubscriptionSummary", "GET /account/subscription/summary", (it, o) => it.getSubscriptionSummary(o)),
  bill("editSubscription", "POST /account/subscription", (it, o) => it.editSubscription(frozen({ plan: "scale" }), o), {
    body: { plan: "scale" },
  }),
  bill("editPaymentMethod", "POST /account/payment_method", (it, o) => it.editPaymentMethod("tok_1", o), {
    body: { token: "tok_1" },
  }),
  bill("removePaymentMethod", "DELETE /account/payment_method", (it, o) => it.removePaymentMethod(o)),
  bill(
    "editBillingInformation",
    "PUT /account/billing",
    (it, o) => it.editBillingInformation(frozen({ city: "Oslo" }), o),
    { body: { city: "Oslo" } },
  ),
  bill(
    "editAllocation",
    "POST /account/allocation",
    (it, o) => it.editAllocation(frozen([{ profile: "p1", input: 10 }]), o),
    { body: [{ profile: "p1", input: 10 }] },
  ),
  bill("getPaymentHistory", "GET /account/payment_history?amount=10", (it, o) => it.getPaymentHistory(undefined, o)),
  bill(
    "getPaymentHistory",
    "GET /account/payment_history?amount=25&last_id=l1",
    (it, o) => it.getPaymentHistory(frozen({ amount: 25, lastId: "l1" }), o),
    { when: "with a query" },
  ),
  bill("checkDiscountCoupon", "GET /account/subscription/coupon/SAVE 10", (it, o) =>
    it.checkDiscountCoupon("SAVE 10", o),
  ),
  bill("cancelDowngrade", "DELETE /account/subscription/schedule", (it, o) => it.cancelDowngrade(o)),
  bill("retryLastPayment", "POST /account/subscription/pending/retry", (it, o) => it.retryLastPayment(o)),
  bill("cancelLastOperation", "POST /account/subscription/pending/cancel", (it, o) => it.cancelLastOperation(o)),
];

const payment = rowsOf<PaymentMethods>();
const card = frozen({ name: "Card", token: "tok_1", brand: "visa", default_card: true });
const payments: Operation<PaymentMethods>[] = [
  payment("create", "POST /account/payment_method/", (it, o) => it.create(card, o), { body: card }),
  payment("list", "GET /account/payment_method/", (it, o) => it.list(o), { answers: { card: null } }),
  payment("delete", "DELETE /account/payment_method/", (it, o) => it.delete("m1", o), { body: { id: "m1" } }),
];

const history: Operation<PaymentHistory>[] = [
  rowsOf<PaymentHistory>()("getHistory", "GET /account/payment_history/", (it, o) => it.getHistory(o)),
];

const plan = rowsOf<Plan>();
const plans: Operation<Plan>[] = [
  plan(
    "setPlanParameters",
    "POST /account/plan/",
    (it, o) => it.setPlanParameters(frozen({ plan: "free", sms: 1 }), o),
    {
      body: { plan: "free", sms: 1 },
    },
  ),
  plan("getActivePlan", "GET /account/plan", (it, o) => it.getActivePlan(o), {
    answers: { plan: "free", created_at: moment, end_date: null },
    gives: { plan: "free", created_at: date, end_date: null },
  }),
  plan("getCurrentPrices", "GET /pricing", (it, o) => it.getCurrentPrices(o)),
];

const profile = rowsOf<Profiles>();
const log = { queryId: "q1", status: "Complete", events: [{ message: "m", date: moment }] };
const logWithDates = { ...log, events: [{ message: "m", date }] };
const profiles: Operation<Profiles>[] = [
  profile("list", "GET /profile", (it, o) => it.list(o), { answers: [{ id: "p1" }] }),
  profile("info", "GET /profile/current", (it, o) => it.info("current", o), {
    answers: { info: { id: "p1", created_at: moment }, account_plan: "free" },
    gives: { info: { id: "p1", created_at: date }, account_plan: "free" },
  }),
  profile("summary", "GET /profile/p1/summary", (it, o) => it.summary("p1", o)),
  profile(
    "summary",
    "GET /profile/p1/summary?onlyAmount=true",
    (it, o) => it.summary("p1", { ...o, onlyAmount: true }),
    {
      when: "with amounts only",
    },
  ),
  profile("create", "POST /profile/", (it, o) => it.create(frozen({ name: "Plant" }), o), {
    body: { name: "Plant" },
    answers: { id: "p2" },
  }),
  profile(
    "create",
    "POST /profile/?allocate_free_resources=true",
    (it, o) => it.create(frozen({ name: "Plant" }), { ...o, allocate_free_resources: true }),
    { when: "with free resources", body: { name: "Plant" } },
  ),
  profile("edit", "PUT /profile/p1", (it, o) => it.edit("p1", frozen({ name: "New" }), o), { body: { name: "New" } }),
  profile("delete", "DELETE /profile/p1", (it, o) => it.delete("p1", frozen({ password: "p w", pin_code: "1" }), o), {
    body: { password: "p w", pin_code: "1" },
  }),
  profile("usageStatisticList", "GET /profile/p1/statistics", (it, o) => it.usageStatisticList("p1", undefined, o), {
    answers: [{ time: moment, input: 1 }],
    gives: [{ time: date, input: 1 }],
  }),
  profile(
    "usageStatisticList",
    `GET /profile/p1/statistics?date=${moment}&timezone=UTC`,
    (it, o) => it.usageStatisticList("p1", frozen({ date, timezone: "UTC" }), o),
    { when: "of a day", answers: [] },
  ),
  profile("auditLog", "GET /profile/p1/auditlog", (it, o) => it.auditLog("p1", undefined, o), {
    answers: log,
    gives: logWithDates,
  }),
  profile(
    "auditLog",
    `GET /profile/p1/auditlog?resourceName=device&start_date=${moment}&limit=5`,
    (it, o) => it.auditLog("p1", frozen({ resourceName: "device", start_date: date, limit: 5 }), o),
    { when: "with a filter, while nothing was found", answers: { queryId: "q1", status: "Running" } },
  ),
  profile("auditLogQuery", "GET /profile/p1/auditlog/q1", (it, o) => it.auditLogQuery("p1", "q1", o), {
    answers: log,
    gives: logWithDates,
  }),
  profile("addonList", "GET /profile/p1/addons", (it, o) => it.addonList("p1", o), { answers: [] }),
  profile("addonEdit", "POST /profile/p1/addons", (it, o) => it.addonEdit("p1", frozen({ mobile: true }), o), {
    body: { mobile: true },
  }),
  profile(
    "serviceEdit",
    "POST /profile/p1/services",
    (it, o) => it.serviceEdit("p1", frozen({ input: { limit: 1 } }), o),
    { body: { input: { limit: 1 } } },
  ),
  profile("transferTokenToAnotherProfile", "PUT /profile/switch/p2", (it, o) =>
    it.transferTokenToAnotherProfile("p2", o),
  ),
  profile(
    "tokenList",
    `GET /profile/p1/token?${listQuery(["name", "token", "permission"], "created_at,desc")}`,
    (it, o) => it.tokenList("p1", undefined, o),
    {
      answers: [{ name: "T", created_at: moment, expire_time: "never", last_authorization: null }],
      gives: [{ name: "T", created_at: date, expire_time: "never", last_authorization: null }],
    },
  ),
  profile("tokenCreate", "POST /profile/p1/token", (it, o) => it.tokenCreate("p1", frozen({ name: "T" }), o), {
    body: { name: "T" },
    answers: { token: "t", expire_date: moment },
    gives: { token: "t", expire_date: date },
  }),
  profile("tokenDelete", "DELETE /profile/p1/token/t1", (it, o) => it.tokenDelete("p1", "t1", o)),
  profile("removeAddOn", "DELETE /profile/p1/mobile", (it, o) => it.removeAddOn("p1", "mobile", o)),
  profile("addTeamMember", "POST /profile/p1/team", (it, o) => it.addTeamMember("p1", "a@b.example", o), {
    body: { email: "a@b.example" },
  }),
  profile("teamList", "GET /profile/p1/team", (it, o) => it.teamList("p1", o), { answers: [{ created_at: moment }] }),
  profile("deleteTeamMember", "DELETE /profile/p1/team/o2", (it, o) => it.deleteTeamMember("p1", "o2", o)),
];

const notification = rowsOf<Notifications>();
const notifications: Operation<Notifications>[] = [
  notification("list", "GET /notification/", (it, o) => it.list(undefined, o), {
    answers: [{ id: "f1", created_at: moment }],
    gives: [{ id: "f1", created_at: date }],
  }),
  notification(
    "list",
    "GET /notification/?page=1&orderBy[0]=created_at&orderBy[1]=desc&filter[read]=false",
    (it, o) => it.list(frozen({ page: 1, orderBy: ["created_at", "desc"], filter: { read: false } }), o),
    { when: "with a query", answers: [] },
  ),
  notification("markAsRead", "PUT /notification/read", (it, o) => it.markAsRead("f1", o), {
    body: { notification_ids: ["f1"], read: true },
  }),
  notification("markAsRead", "PUT /notification/read", (it, o) => it.markAsRead(frozen(["f1", "f2"]), o), {
    when: "of several",
    body: { notification_ids: ["f1", "f2"], read: true },
  }),
  notification("markAsUnread", "PUT /notification/read", (it, o) => it.markAsUnread("f1", o), {
    body: { notification_ids: ["f1"], read: false },
  }),
  notification("markAllAsRead", "PUT /notification/markallread", (it, o) => it.markAllAsRead(o)),
  notification("notificationButton", "PUT /notification/f1/b1", (it, o) => it.notificationButton("f1", "b1", o)),
  notification(
    "create",
    "POST /notification",
    (it, o) => it.create(frozen({ title: "T", message: "M", buttons: [] }), o),
    {
      body: { title: "T", message: "M", buttons: [] },
      answers: { id: "f1" },
    },
  ),
  notification("remove", "DELETE /notification/f1", (it, o) => it.remove("f1", o)),
  notification("registerDevice", "POST /notification/push/register", (it, o) => it.registerDevice("x1", "ios", o), {
    body: { device_token: "x1", platform: "ios" },
  }),
  notification("unRegisterDevice", "POST /notification/push/unregister", (it, o) => it.unRegisterDevice("x1", o), {
    body: { device_token: "x1" },
  }),
];

describe("OwnAccount", () => testOperations((params) => new Resources(params).account, accounts));
describe("Account", () => testOperations((params) => new Account(params), accounts));
describe("Billing", () => testOperations((params) => new Resources(params).billing, bills));
describe("PaymentMethods", () => testOperations((params) => new Resources(params).paymentMethods, payments));
describe("PaymentHistory", () => testOperations((params) => new Resources(params).paymentHistory, history));
describe("Plan", () => testOperations((params) => new Resources(params).plan, plans));
describe("Profiles", () => testOperations((params) => new Resources(params).profiles, profiles));
describe("Notifications", () => testOperations((params) => new Resources(params).notifications, notifications));

describe("the tables", () => {
  it.each([
    ["OwnAccount", OwnAccount, accounts],
    ["Account", Account, accounts],
    ["Billing", Billing, bills],
    ["PaymentMethods", PaymentMethods, payments],
    ["PaymentHistory", PaymentHistory, history],
    ["Plan", Plan, plans],
    ["Profiles", Profiles, profiles],
    ["Notifications", Notifications, notifications],
  ] as const)("name every method of %s", (_name, type, operations) => {
    expect([...new Set(operations.map(({ method }) => method))].sort()).toEqual(methodsOf(type).sort());
  });
});
