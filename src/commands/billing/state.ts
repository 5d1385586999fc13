import type { BillingSubscriptionSummary, PlanInfo, PlanSetInfo, ServicePrice } from "../../index.ts";
import { argument, option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import { type BodyField, bodyOptions, needChange, readBody } from "../kit/resource/body.ts";
import { expectLists, expectNumber } from "../kit/resource/reply.ts";
import { serviceUnits } from "../profile/services.ts";
import { currencyOf, money, paidName, planPrice, servicesPrice, showPrice } from "./price.ts";

const summaryColumns: readonly Column<BillingSubscriptionSummary>[] = [
  { key: "processing", kind: "flag" },
  { key: "payment_error.message", header: "payment_error" },
  { key: "past_due", kind: "flag" },
  { key: "not_enough_balance", kind: "flag" },
  { key: "schedule", header: "downgrade_waits", kind: "flag" },
];

const summary = defineCommand({
  path: ["summary"],
  result: one(summaryColumns),
  effect: "reads",
  summary: "Show how the subscription stands: payments, and what waits",
  examples: ["iot billing summary", "iot billing summary --json"],
  related: ["iot billing subscription", "iot billing pending retry"],
  async run(ctx) {
    const { billing } = await ctx.client();
    await ctx.out.item(await billing.getSubscriptionSummary(), { columns: summaryColumns, idKey: "processing" });
  },
});

const couponColumns = [
  { key: "code", kind: "id" },
  { key: "percentage_off", kind: "number" },
  { key: "amount_off", kind: "number" },
  { key: "applies_to", kind: "json" },
  { key: "duration_cycles", schema: { type: ["number", "string"] } },
  { key: "restrictions", kind: "json" },
] as const;

const coupon = defineCommand({
  path: ["coupon"],
  result: one(couponColumns),
  effect: "reads",
  summary: "Look a coupon up",
  args: [{ name: "code", summary: "code of the coupon", required: true }],
  examples: ["iot billing coupon DEMO20", "iot billing coupon DEMO20 --json"],
  exitCodes: [6],
  related: ["iot billing subscription update"],
  async run(ctx, input) {
    const { billing } = await ctx.client();
    const found = await billing.checkDiscountCoupon(argument(input, "code") ?? "");
    await ctx.out.item(found, { columns: couponColumns, idKey: "code" });
  },
});

interface PriceRow {
  readonly kind: "plan" | "addon" | "service";
  readonly name: string;
  readonly amount: number | null;
  readonly unit: string;
  readonly price: number;
  readonly prorated: number | null;
}

const priceColumns: readonly Column<PriceRow>[] = [
  { key: "kind" },
  { key: "name", kind: "id" },
  { key: "amount", kind: "number" },
  { key: "unit", hidden: true },
  { key: "price", header: "price_a_month", kind: "number" },
  { key: "prorated", header: "rest_of_month", kind: "number" },
];

interface NamedPrice {
  readonly name: string;
  readonly price: number;
}

function namedRows(
  kind: "plan" | "addon",
  monthly: readonly NamedPrice[],
  prorated: readonly NamedPrice[],
): PriceRow[] {
  return monthly.map(({ name, price }) => ({
    kind,
    name,
    amount: null,
    unit: "",
    price,
    prorated: prorated.find((one) => one.name === name)?.price ?? null,
  }));
}

function stepRows(service: string, monthly: readonly ServicePrice[], prorated: readonly ServicePrice[]): PriceRow[] {
  return monthly.map(({ amount, price }) => ({
    kind: "service",
    name: service,
    amount,
    unit: serviceUnits[service] ?? "",
    price,
    prorated: prorated.find((step) => step.amount === amount)?.price ?? null,
  }));
}

const pricing = defineCommand({
  path: ["pricing"],
  result: rows(priceColumns),
  effect: "reads",
  summary: "Show what plans, add-ons and services cost",
  details:
    "price_a_month is for a whole month, rest_of_month for what is left of the one that is paid for. A service is bought in " +
    "steps; a step holds what is bought in all, not what is added. More than the largest step is reckoned at its rate.",
  options: [{ name: "name", value: "name", summary: "only this plan, add-on or service: sms" }],
  examples: ["iot billing pricing", "iot billing pricing --name sms --json"],
  exitCodes: { only: [4, 10] },
  related: ["iot billing subscription update", "iot profile limits"],
  async run(ctx, input) {
    const client = await ctx.client();
    const [monthly, prorated] = await Promise.all([client.billing.getPrices(), client.billing.getProratedPrices()]);
    for (const prices of [monthly, prorated]) expectLists(prices, ["plans", "addons"], "with the prices");
    const later = new Map<string, unknown>(Object.entries(prorated));
    const steps = (given: unknown): readonly ServicePrice[] => (Array.isArray(given) ? given : []);
    const all = [
      ...namedRows("plan", monthly.plans, prorated.plans),
      ...namedRows("addon", monthly.addons, prorated.addons),
      ...Object.entries(monthly)
        .filter(([name]) => name !== "plans" && name !== "addons")
        .flatMap(([name, prices]) => stepRows(name, steps(prices), steps(later.get(name)))),
    ];
    const name = option(input, "name");
    const kept = name === undefined ? all : all.filter((row) => row.name === name);
    await ctx.out.list(kept, { columns: priceColumns, empty: "No price has that name.", idKey: "name" });
  },
});

const planColumns: readonly Column<PlanInfo>[] = [
  { key: "plan", kind: "id" },
  { key: "price", kind: "number" },
  { key: "next_plan" },
  { key: "end_date", header: "cycle_end", kind: "time" },
  ...["sms", "email", "data_records", "device_request", "analysis"].map((key) => ({ key, kind: "number" as const })),
  { key: "created_at", kind: "time", hidden: true },
];

const plan = defineCommand({
  path: ["plan"],
  result: one(planColumns),
  effect: "reads",
  summary: "Show the plan of the account in the platform's older form",
  examples: ["iot billing plan", "iot billing plan --json"],
  related: ["iot billing subscription", "iot billing pricing"],
  async run(ctx) {
    const client = await ctx.client();
    await ctx.out.item(await client.plan.getActivePlan(), { columns: planColumns, idKey: "plan" });
  },
});

const planFields: readonly BodyField[] = [
  { flag: "plan", summary: "plan of the account", choices: ["free", "starter", "scale"] },
  { flag: "sms", kind: "number", summary: "text messages a month" },
  { flag: "email", kind: "number", summary: "mails a month" },
  { flag: "data-records", kind: "number", summary: "records that may be stored" },
  { flag: "device-request", kind: "number", summary: "requests of devices a month" },
  { flag: "analysis", kind: "number", summary: "minutes of analyses a month" },
];

const updatePlan = defineCommand({
  path: ["plan", "update"],
  aliases: ["edit"],
  result: one(planColumns),
  effect: "changes",
  summary: "Change the plan of the account in the platform's older form",
  details:
    "A paid change, as iot billing subscription update, which the platform has now: the price is shown first, and the name " +
    "of the environment (or the word billing, without one) confirms it.",
  options: bodyOptions(planFields),
  groups: ["confirm", "dryRun"],
  examples: [
    "iot billing plan update --plan scale --dry-run",
    "iot billing plan update --plan scale --confirm billing",
  ],
  exitCodes: [1, 3],
  related: ["iot billing subscription update"],
  async run(ctx, input) {
    const body: PlanSetInfo = await readBody(ctx, input, planFields);
    needChange({ ...body }, "--plan scale");
    const client = await ctx.client();
    const { plan: wanted, device_request: requests, ...amounts } = body;
    const limits = new Map<string, number>(Object.entries(amounts));
    if (requests !== undefined) limits.set("input", requests);
    if (wanted !== undefined) await showPrice(ctx, client, `Plan ${wanted}`, planPrice(wanted));
    if (limits.size > 0) await showPrice(ctx, client, [...limits.keys()].join(", "), servicesPrice(limits));
    if (await ctx.dryRun({ method: "POST", path: "/account/plan", body })) return;
    await ctx.confirm({ level: 2, action: "Change the plan of the account", name: await paidName(ctx) });
    await client.plan.setPlanParameters(body);
    await ctx.out.item(await client.plan.getActivePlan(), { columns: planColumns, idKey: "plan" });
    ctx.say.info(`Changed the plan in ${(await ctx.connection()).label}.`);
  },
});

const pendingColumns = [
  { key: "processing", kind: "flag" },
  { key: "past_due", kind: "flag" },
  { key: "not_enough_balance", kind: "flag" },
  { key: "schedule", kind: "flag" },
] as const;

function pending(verb: "retry" | "cancel"): Command {
  const isRetry = verb === "retry";
  return defineCommand({
    path: ["pending", verb],
    result: one(pendingColumns),
    effect: "changes",
    summary: isRetry ? "Try a payment that failed once more" : "Take back the change whose payment failed",
    details: isRetry
      ? "What is to be paid is shown first; the name of the environment (or the word billing, without one) confirms it."
      : "The account keeps what it had before; the name of the environment (or the word billing, without one) confirms it.",
    groups: ["confirm", "dryRun"],
    examples: [`iot billing pending ${verb} --dry-run`, `iot billing pending ${verb} --confirm billing`],
    exitCodes: [1],
    related: ["iot billing summary", `iot billing pending ${isRetry ? "cancel" : "retry"}`],
    async run(ctx) {
      const client = await ctx.client();
      const { billing } = client;
      const { past_due: due, processing, upcoming_invoice_total: upcoming } = await billing.getSubscription();
      expectNumber(upcoming, "with the subscription");
      const currency = await currencyOf(client);
      const open = due === undefined ? "no invoice is open" : `${money(due.amount_due, currency)} are to be paid`;
      const state = processing ? ", a change is being paid for" : "";
      ctx.say.warning(`Payments: ${open}${state}; the next invoice comes to ${money(upcoming, currency)}.`);
      if (await ctx.dryRun({ method: "POST", path: `/account/subscription/pending/${verb}` })) return;
      const action = isRetry ? "Try the last payment again" : "Take back the change that waits for its payment";
      await ctx.confirm({ level: 2, action, name: await paidName(ctx) });
      if (isRetry) await billing.retryLastPayment();
      else await billing.cancelLastOperation();
      await ctx.out.item(await billing.getSubscriptionSummary(), { columns: pendingColumns, idKey: "processing" });
      const done = isRetry ? "Asked for the payment again" : "Took the change back";
      ctx.say.info(`${done} in ${(await ctx.connection()).label}.`);
    },
  });
}

export const commands: readonly Command[] = [
  summary,
  coupon,
  pricing,
  plan,
  updatePlan,
  pending("retry"),
  pending("cancel"),
];
