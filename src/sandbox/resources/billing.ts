import { get } from "../../lib/api/route.ts";
import { billingRoutes } from "../../lib/resources/billing.ts";
import { planRoutes } from "../../lib/resources/plan.ts";
import { allocationEdit, billingEdit, paymentMethodCreate, planSet, subscriptionEdit } from "../../schema/billing.ts";
import { accountOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { allocationOf, DEFAULT_ALLOCATION, setAllocation } from "../billing/allocation.ts";
import { DEMO_COUPON, planPrice, pricesFor } from "../billing/prices.ts";
import { createSubscriptions, objectMember, type Subscriptions } from "../billing/subscriptions.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { numberOf, textOf } from "../core/query.ts";
import type { OldOptions } from "../http/old-facts.ts";
import { readSetting, writeSetting } from "../store/settings.ts";

const readers: OldOptions = { tokens: ["profile"] };
const owners: OldOptions = { tokens: ["profile"], permission: "full" };

/** Anybody may ask for the prices (SERVER.md section 2). */
const pricingRoute = get("/pricing", { anonymous: true });

const DEFAULT_PAYMENTS = 10;
const MAX_PAYMENTS = 100;
const CARD_YEARS = 3;

type Owner = (principal: Principal) => string;

function registerSubscription(app: App, subscriptions: Subscriptions, owner: Owner): void {
  app.handle(billingRoutes.getSubscription, readers, ({ principal }) => subscriptions.show(owner(principal)));
  app.handle(billingRoutes.getSubscriptionSchedule, readers, ({ principal }) =>
    subscriptions.schedule(owner(principal)),
  );
  app.handle(billingRoutes.getSubscriptionSummary, readers, ({ principal }) => subscriptions.summary(owner(principal)));

  app.handle(billingRoutes.editSubscription, { ...owners, body: subscriptionEdit }, ({ body, principal }) => {
    const { coupon, recurrence: _, ...change } = body;
    const reachable = app.accounts.profiles(owner(principal)).map(({ id }) => id);
    const strange = Object.values(change.addons ?? {})
      .flat()
      .find((id) => !reachable.includes(id));
    if (strange !== undefined) throw new PlatformError(404, "Profile Not Found");
    subscriptions.change(owner(principal), change, coupon);
    return "Successfully Updated";
  });

  app.handle(billingRoutes.cancelDowngrade, owners, ({ principal }) => {
    subscriptions.cancelSchedule(owner(principal));
    return "Successfully Removed";
  });
  app.handle(billingRoutes.retryLastPayment, owners, ({ principal }) => {
    subscriptions.retry(owner(principal));
    return "Successfully Updated";
  });
  app.handle(billingRoutes.cancelLastOperation, owners, ({ principal }) => {
    subscriptions.cancel(owner(principal));
    return "Successfully Updated";
  });

  app.handle(billingRoutes.checkDiscountCoupon, readers, ({ params }) => {
    if (params.code !== DEMO_COUPON.code) throw new PlatformError(404, "Coupon Not Found");
    return DEMO_COUPON;
  });
}

function registerPrices(app: App, subscriptions: Subscriptions): void {
  app.handle(pricingRoute, () => pricesFor());
  app.handle(billingRoutes.getProratedPrices, ({ now }) => {
    const { startMs, endMs } = subscriptions.cycle();
    return pricesFor((endMs - now) / (endMs - startMs));
  });
}

function registerPayments(app: App, owner: Owner): void {
  const { db } = app;

  const methodOf = (account: string) => {
    const saved = readSetting(db, "account", account, "payment_method");
    const coupon = objectMember(saved, "coupon");
    return {
      card: objectMember(saved, "card"),
      balance: { amount: 0, currency: "usd" },
      ...(coupon !== null && { coupon }),
    };
  };

  app.handle(billingRoutes.getPaymentMethod, readers, ({ principal }) => methodOf(owner(principal)));

  app.handle(billingRoutes.editPaymentMethod, { ...owners, body: paymentMethodCreate }, ({ body, now, principal }) => {
    const account = owner(principal);
    const card = {
      name: body.name ?? app.accounts.get(account)?.name ?? "",
      brand: body.brand ?? "Visa",
      last4: "4242",
      funding: "credit",
      exp_month: 12,
      exp_year: new Date(now).getUTCFullYear() + CARD_YEARS,
    };
    writeSetting(db, "account", account, "payment_method", {
      ...readSetting(db, "account", account, "payment_method"),
      card,
    });
    return "Successfully Updated";
  });

  app.handle(billingRoutes.removePaymentMethod, owners, ({ principal }) => {
    writeSetting(db, "account", owner(principal), "payment_method", { card: null });
    return "Successfully Removed";
  });

  app.handle(billingRoutes.getBillingInformation, readers, ({ principal, now }) => {
    const account = owner(principal);
    const company = app.accounts.get(account)?.company ?? "";
    const none = { country: null, state: null, city: null, street: null, zip_code: null, comments: null };
    const saved = readSetting(db, "account", account, "billing") ?? { updated_at: new Date(now).toISOString() };
    return { account, company, ...none, ...saved, payment_method: methodOf(account) };
  });

  app.handle(billingRoutes.editBillingInformation, { ...owners, body: billingEdit }, ({ body, now, principal }) => {
    const account = owner(principal);
    const saved = readSetting(db, "account", account, "billing");
    writeSetting(db, "account", account, "billing", { ...saved, ...body, updated_at: new Date(now).toISOString() });
    return "Successfully Updated";
  });

  app.handle(billingRoutes.getPaymentHistory, readers, ({ principal, query }) => {
    const account = owner(principal);
    const asked = Math.trunc(numberOf(query["amount"]) ?? DEFAULT_PAYMENTS);
    const lastId = textOf(query["last_id"]);
    const last = db.get<{ created_at: number }>(
      "SELECT created_at FROM payment WHERE stripe_id = ? AND account = ?",
      lastId ?? "",
      account,
    );
    if (lastId !== undefined && last === undefined) throw new PlatformError(404, "Payment Not Found");
    const rows = db.all<{ doc: string }>(
      "SELECT doc FROM payment WHERE account = ? AND created_at < ? ORDER BY created_at DESC LIMIT ?",
      account,
      last?.created_at ?? Number.MAX_SAFE_INTEGER,
      Math.max(1, Math.min(MAX_PAYMENTS, asked)),
    );
    return rows.map((row): unknown => JSON.parse(row.doc));
  });
}

function registerAllocation(app: App, owner: Owner): void {
  const { accounts, db } = app;
  const services = Object.keys(DEFAULT_ALLOCATION);

  app.handle(billingRoutes.getAllocation, readers, ({ principal }) => {
    const account = owner(principal);
    const own = accounts.profiles(account).filter((profile) => profile.account === account);
    return own.map(({ id }) => {
      const limits = allocationOf(db, id);
      const changed = readSetting(db, "profile", id, "allocation")?.["updated_at"];
      const updated_at = changed ?? accounts.profile(id)?.updated_at ?? null;
      return { profile: id, updated_at, ...Object.fromEntries(services.map((name) => [name, limits[name]])) };
    });
  });

  app.handle(billingRoutes.editAllocation, { ...owners, body: allocationEdit }, ({ body, now, principal }) => {
    const account = owner(principal);
    for (const { profile, ...limits } of body) {
      if (accounts.profile(profile)?.account !== account) throw new PlatformError(404, "Profile Not Found");
      setAllocation(db, profile, limits, now);
    }
    return "Profile resource allocation Successfully Updated";
  });
}

/** The older form of the subscription. */
function registerPlan(app: App, subscriptions: Subscriptions, owner: Owner): void {
  const { accounts, db } = app;

  app.handle(planRoutes.getActivePlan, ({ principal }) => {
    const account = owner(principal);
    const found = accounts.get(account);
    const plan = found?.plan ?? "free";
    const { email, sms, data_records, analysis, input } = DEFAULT_ALLOCATION;
    const set = readSetting(db, "account", account, "plan");
    const end_date = new Date(subscriptions.cycle().endMs).toISOString();
    return {
      plan,
      id: account,
      active: 1,
      price: planPrice(plan),
      next_plan: plan,
      sms,
      email,
      data_records,
      device_request: input,
      analysis,
      ...set,
      end_date,
      created_at: found?.["created_at"] ?? null,
    };
  });

  app.handle(planRoutes.setPlanParameters, { ...owners, body: planSet }, ({ body, principal }) => {
    const account = owner(principal);
    const { plan, ...amounts } = body;
    if (plan !== undefined) subscriptions.change(account, { plan });
    if (Object.keys(amounts).length > 0) {
      writeSetting(db, "account", account, "plan", { ...readSetting(db, "account", account, "plan"), ...amounts });
    }
    return "Successfully Updated";
  });
}

/** What accounts buy and how they pay: stored and echoed, nothing is charged. */
export function registerBillingRoutes(app: App): void {
  const { accounts, clock, db } = app;
  const subscriptions = createSubscriptions({
    db,
    clock,
    planOf: (account) => accounts.get(account)?.plan ?? "free",
    setPlan: (account, plan) => {
      accounts.edit(account, { plan });
    },
  });
  const owner: Owner = (principal) => accountOf(app, principal);
  registerSubscription(app, subscriptions, owner);
  registerPrices(app, subscriptions);
  registerPayments(app, owner);
  registerAllocation(app, owner);
  registerPlan(app, subscriptions, owner);
}
