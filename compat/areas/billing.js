import { equal, has, ok, refused } from "../kit.js";

export async function run(row, world) {
  const { billing, paymentHistory, paymentMethods, plan } = world.resources;

  await row("billing.getSubscription, getSubscriptionSummary", async () => {
    const subscription = await billing.getSubscription();
    has(subscription, { plan: "scale", processing: false });
    ok(subscription.services.input.limit > 0);
    has(await billing.getSubscriptionSummary(), { processing: false });
  });
  await row("billing.getPrices, getProratedPrices", async () => {
    ok((await billing.getPrices()).plans.length > 0);
    ok((await billing.getProratedPrices()).plans.length > 0);
  });
  await row("billing.editSubscription makes a schedule for a lower plan", async () => {
    ok(await billing.editSubscription({ plan: "starter" }));
    const schedule = await billing.getSubscriptionSchedule();
    equal(schedule.subscription.plan, "starter");
    ok(await billing.cancelDowngrade());
    ok(!(await billing.getSubscriptionSummary()).schedule);
  });
  await row("billing.getPaymentMethod, editPaymentMethod, removePaymentMethod", async () => {
    ok("card" in (await billing.getPaymentMethod()));
    ok(await billing.editPaymentMethod("tok_compat"));
    ok(await billing.removePaymentMethod());
  });
  await row("billing.getBillingInformation, editBillingInformation", async () => {
    ok(await billing.editBillingInformation({ company: "Compat Ltd", country: "IT" }));
    has(await billing.getBillingInformation(), { company: "Compat Ltd", country: "IT" });
  });
  await row("billing.getAllocation, editAllocation", async () => {
    const [first] = await billing.getAllocation();
    ok(first.profile && first.input > 0);
    ok(await billing.editAllocation([{ ...first, sms: 5 }]));
    const changed = (await billing.getAllocation()).find(({ profile }) => profile === first.profile);
    equal(changed.sms, 5);
  });
  await row("billing.getPaymentHistory", async () => {
    const [first] = await billing.getPaymentHistory({ amount: 2 });
    has(first, { currency: /./, status: /./ });
    ok(typeof first.total === "number");
  });
  await row("billing.checkDiscountCoupon", async () => {
    await refused(billing.checkDiscountCoupon("NOPE"), /./);
  });
  await row("billing.retryLastPayment, cancelLastOperation", async () => {
    ok(await billing.retryLastPayment());
    ok(await billing.cancelLastOperation());
  });
  await row("paymentHistory.getHistory", async () => ok(Array.isArray(await paymentHistory.getHistory())));
  await row("paymentMethods.create, list, delete", async () => {
    ok(await paymentMethods.create({ token: "tok_compat" }));
    ok(await paymentMethods.list());
    ok(await paymentMethods.delete("pm_compat"));
  });
  await row("plan.getActivePlan, getCurrentPrices, setPlanParameters", async () => {
    has(await plan.getActivePlan(), { plan: "scale" });
    ok(await plan.getCurrentPrices());
    ok(await plan.setPlanParameters({ plan: "scale", sms: 10 }));
  });
}
