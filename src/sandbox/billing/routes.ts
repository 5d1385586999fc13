import { get } from "../../lib/api/route.ts";
import { billingRoutes } from "../../lib/resources/billing.ts";
import { planRoutes } from "../../lib/resources/plan.ts";
import { allocationEdit, billingEdit, paymentMethodCreate, planSet, subscriptionEdit } from "../../schema/billing.ts";
import { whole } from "../access/demands.ts";
import { accountOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { numberOf, textOf } from "../core/query.ts";
import type { Resource } from "../resource.ts";
import { readSetting, type SettingDocument, writeSetting } from "../store/settings.ts";
import { allocationGap, allocationOf, DEFAULT_ALLOCATION, setAllocation } from "./allocation.ts";
import { paymentsOf } from "./payments.ts";
import { COUPON, PRICES, planPrice } from "./prices.ts";
import { cancelDowngrade, changeSubscription, cycleAt, isoText, subscriptionOf } from "./subscription.ts";

const gaps = {
  figures: {
    subject: "Prices, invoices, cards",
    choice: "figures of the sandbox's own, the prorated prices are those of a month; every card is 4242; no charges",
  },
  subscription: {
    subject: "POST /account/subscription",
    choice: "larger: bought at once; smaller: stays scheduled for the end of the calendar month until it is canceled",
  },
  coupons: { subject: "Coupons", choice: "DEMO20 is known and changes no price, others 404 Coupon Not Found" },
  allocation: allocationGap,
} as const;

const rule = "owner";
const money = { rule, gaps: [gaps.figures] } as const;
const moneyWrites = { ...money, permission: "full" } as const;
const changes = { rule, gaps: [gaps.subscription] } as const;
const changeWrites = { ...changes, permission: "full" } as const;
const shares = { rule, gaps: [gaps.allocation] } as const;

/** The prices are public. */
const pricingRoute = get("/pricing", { anonymous: true });

const DEFAULT_PAYMENTS = 10;
const CARD_YEARS = 3;

type Owner = (principal: Principal) => string;

/** A stored section of the account. */
const settingOf = ({ db }: App, account: string, name: string): SettingDocument =>
  readSetting(db, "account", account, name) ?? {};

/** Changes a stored section of the account; omitted fields stay. */
const saveSetting = (app: App, account: string, name: string, values: SettingDocument): void =>
  writeSetting(app.db, "account", account, name, { ...settingOf(app, account, name), ...values });

function serveSubscription(app: App, owner: Owner): void {
  app.on(billingRoutes.getSubscription, changes, ({ now, principal }) => {
    const account = owner(principal);
    const { schedule: _, ...bought } = subscriptionOf(app, account);
    const payment = { processing: false, payment_error: null, upcoming_invoice_total: planPrice(bought.plan) };
    return { account, ...bought, current_cycle: cycleAt(now), ...payment, trial_end: null };
  });

  app.on(billingRoutes.getSubscriptionSchedule, changes, ({ principal }) => {
    const account = owner(principal);
    const { schedule } = subscriptionOf(app, account);
    if (schedule === undefined) return { account, release_at: null };
    return { account, release_at: schedule.releaseAt, subscription: schedule.change };
  });

  app.on(billingRoutes.getSubscriptionSummary, changes, ({ principal }) => {
    const { schedule } = subscriptionOf(app, owner(principal));
    const payment = { processing: false, payment_error: null, past_due: false, not_enough_balance: false };
    return { schedule: schedule !== undefined, ...payment };
  });

  app.on(billingRoutes.editSubscription, { ...changeWrites, body: subscriptionEdit }, ({ body, principal }) => {
    const { coupon, recurrence: _, ...change } = body;
    const reachable = app.accounts.profiles(owner(principal)).map(({ id }) => id);
    const isUnknown = (id: string): boolean => !reachable.includes(id);
    const named = Object.values(change.addons ?? {}).flat();
    if (named.some(isUnknown)) throw new PlatformError(404, "Profile Not Found");
    if (coupon !== undefined && coupon !== COUPON.code) throw noCoupon();
    changeSubscription(app, owner(principal), change);
    return "Successfully Updated";
  });

  app.on(billingRoutes.cancelDowngrade, changeWrites, ({ principal }) => {
    cancelDowngrade(app, owner(principal));
    return "Successfully Removed";
  });
  // Payments never wait or fail.
  for (const route of [billingRoutes.cancelLastOperation, billingRoutes.retryLastPayment] as const)
    app.on(route, changeWrites, () => "Successfully Updated");
}

const noCoupon = (): PlatformError => new PlatformError(404, "Coupon Not Found").assumed(gaps.coupons);

function servePrices(app: App): void {
  app.on(pricingRoute, { rule: "anyone", gaps: [gaps.figures] }, () => PRICES);
  const prorated = { rule: whole("account", "access"), gaps: [gaps.figures] };
  app.on(billingRoutes.getProratedPrices, prorated, () => PRICES);
  app.on(billingRoutes.checkDiscountCoupon, { rule, gaps: [gaps.coupons] }, ({ params }) => {
    if (params.code !== COUPON.code) throw noCoupon();
    return COUPON;
  });
}

function servePayments(app: App, owner: Owner): void {
  const methodOf = (account: string): SettingDocument => ({
    card: null,
    balance: { amount: 0, currency: "usd" },
    ...settingOf(app, account, "payment_method"),
  });

  app.on(billingRoutes.getPaymentMethod, money, ({ principal }) => methodOf(owner(principal)));

  app.on(billingRoutes.editPaymentMethod, { ...moneyWrites, body: paymentMethodCreate }, ({ body, now, principal }) => {
    const account = owner(principal);
    const { name = app.accounts.get(account)?.name ?? "", brand = "Visa" } = body;
    const exp_year = new Date(now).getUTCFullYear() + CARD_YEARS;
    const card = { name, brand, last4: "4242", funding: "credit", exp_month: 12, exp_year };
    saveSetting(app, account, "payment_method", { card });
    return "Successfully Updated";
  });

  app.on(billingRoutes.removePaymentMethod, moneyWrites, ({ principal }) => {
    saveSetting(app, owner(principal), "payment_method", { card: null });
    return "Successfully Removed";
  });

  app.on(billingRoutes.getBillingInformation, money, ({ principal, now }) => {
    const account = owner(principal);
    const company = app.accounts.get(account)?.company ?? "";
    const none = { country: null, state: null, city: null, street: null, zip_code: null, comments: null };
    const saved = { updated_at: isoText(now), ...settingOf(app, account, "billing") };
    return { account, company, ...none, ...saved, payment_method: methodOf(account) };
  });

  app.on(billingRoutes.editBillingInformation, { ...moneyWrites, body: billingEdit }, ({ body, now, principal }) => {
    saveSetting(app, owner(principal), "billing", { ...body, updated_at: isoText(now) });
    return "Successfully Updated";
  });

  app.on(billingRoutes.getPaymentHistory, money, ({ principal, query }) => {
    const amount = Math.trunc(numberOf(query["amount"]) ?? DEFAULT_PAYMENTS);
    return paymentsOf(app.db, owner(principal), { amount, lastId: textOf(query["last_id"]) });
  });
}

function serveAllocation(app: App, owner: Owner): void {
  const { accounts, db } = app;

  app.on(billingRoutes.getAllocation, shares, ({ principal }) => {
    const account = owner(principal);
    const own = accounts.profiles(account).filter((profile) => profile.account === account);
    return own.map(({ id }) => {
      const { tcore: _, ...limits } = allocationOf(db, id);
      const changed = readSetting(db, "profile", id, "allocation")?.["updated_at"];
      return { profile: id, updated_at: changed ?? accounts.profile(id)?.updated_at ?? null, ...limits };
    });
  });

  const writes = { ...shares, permission: "full", body: allocationEdit } as const;
  app.on(billingRoutes.editAllocation, writes, ({ body, now, principal }) => {
    const account = owner(principal);
    for (const { profile, ...limits } of body) {
      if (accounts.profile(profile)?.account !== account) throw new PlatformError(404, "Profile Not Found");
      setAllocation(db, profile, limits, now);
    }
    return "Profile resource allocation Successfully Updated";
  });
}

/** The older format of the subscription. */
function servePlan(app: App, owner: Owner): void {
  const readers = { rule: whole("account", "access"), gaps: [gaps.figures] };

  app.on(planRoutes.getActivePlan, readers, ({ now, principal }) => {
    const id = owner(principal);
    const found = app.accounts.get(id);
    const { plan = "free" } = found ?? {};
    const { email, sms, data_records, analysis, input: device_request } = DEFAULT_ALLOCATION;
    const amounts = { email, sms, data_records, analysis, device_request, ...settingOf(app, id, "plan") };
    const end_date = cycleAt(now).end;
    return {
      id,
      plan,
      active: 1,
      price: planPrice(plan),
      next_plan: plan,
      ...amounts,
      end_date,
      created_at: found?.["created_at"] ?? null,
    };
  });

  app.on(planRoutes.setPlanParameters, { ...changeWrites, body: planSet }, ({ body, principal }) => {
    const { plan, ...amounts } = body;
    if (plan !== undefined) changeSubscription(app, owner(principal), { plan });
    saveSetting(app, owner(principal), "plan", amounts);
    return "Successfully Updated";
  });
}

/** Purchases and payment data of accounts: stored and returned, nothing is charged. */
export const billing: Resource = {
  tables: { billingRoutes, planRoutes },
  kinds: [{ kind: "financial", trigger: ["financial"] }],
  gaps,
  serve: (app) => {
    const owner: Owner = (principal) => accountOf(app, principal);
    serveSubscription(app, owner);
    servePrices(app);
    servePayments(app, owner);
    serveAllocation(app, owner);
    servePlan(app, owner);
  },
};
