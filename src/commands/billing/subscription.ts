import type { BillingEditSubscription, BillingSubscription, Resources } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { addonPrice, type PriceOf, paidName, planPrice, servicesPrice, showPrice } from "../kit/billing/price.ts";
import { serviceAmounts } from "../kit/billing/service-amounts.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import type { Pair } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";
import { profileFinder } from "../kit/finders/profile.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";

const columns: readonly Column<BillingSubscription>[] = [
  { key: "plan" },
  { key: "current_cycle.start", header: "cycle_start", kind: "time" },
  { key: "current_cycle.end", header: "cycle_end", kind: "time" },
  { key: "upcoming_invoice_total", header: "next_invoice", kind: "number" },
  { key: "processing", kind: "flag" },
  { key: "payment_error.message", header: "payment_error" },
  { key: "past_due.amount_due", header: "past_due", kind: "number" },
  { key: "trial_end", kind: "time" },
  { key: "services", kind: "json", hidden: true },
  { key: "addons", kind: "json" },
  { key: "account", kind: "id" },
];

const subscription = defineCommand({
  path: ["subscription"],
  result: one(columns),
  effect: "reads",
  summary: "Show the subscription of the account",
  examples: ["iot billing subscription", "iot billing subscription --json --jq .services.sms.limit"],
  related: ["iot billing subscription update", "iot billing pricing", "iot billing schedule"],
  async run(ctx) {
    const { billing } = await ctx.client();
    await ctx.out.item(await billing.getSubscription(), { columns, idKey: "account" });
  },
});

const plans = ["free", "starter", "scale"] as const;
const addonNames = ["mobile", "custom_dns", "control_tower"] as const;

/** A change that costs: what is sent, how people call it, what it adds to what is paid. */
interface PaidChange {
  readonly body: BillingEditSubscription;
  readonly what: string;
  readonly priceOf: PriceOf;
}

const updateOptions = [
  { name: "plan", value: "plan", summary: "account plan", choices: plans },
  { name: "service", value: "service=n", summary: "service and amount to buy: sms=500", repeat: true },
  {
    name: "addon",
    kind: "pair",
    value: "name=profile",
    summary: "add-on and the profile to add it to",
    repeat: true,
    leadsAway: true,
  },
  {
    name: "remove-addon",
    kind: "pair",
    value: "name=profile",
    summary: "add-on and the profile to remove it from",
    repeat: true,
    leadsAway: true,
  },
  { name: "coupon", value: "code", summary: "coupon to apply" },
  { name: "recurrence", value: "text", summary: "billing period" },
] as const satisfies Options;

type Given = Input<[], typeof updateOptions>;

/** `addon=profile`, with the profile as an id or `name:…`. */
async function addonPairs(ctx: CommandContext, given: readonly Pair[]) {
  const pairs: { readonly addon: (typeof addonNames)[number]; readonly profile: string }[] = [];
  for (const { key, value } of given) {
    const addon = addonNames.find((name) => name === key);
    if (addon === undefined) throw unknownWord("add-on", key, addonNames, { code: "usage.invalid" });
    pairs.push({ addon, profile: (await resolveId(ctx, profileFinder, value)).id });
  }
  return pairs;
}

async function addonChange(ctx: CommandContext, client: Resources, input: Given): Promise<PaidChange> {
  const added = await addonPairs(ctx, input.options.addon);
  const removed = await addonPairs(ctx, input.options.removeAddon);
  const { addons: before } = await client.billing.getSubscription();
  const addons: Partial<Record<(typeof addonNames)[number], string[]>> = {};
  const more = new Map<string, number>();
  for (const name of new Set([...added, ...removed].map(({ addon }) => addon))) {
    const profiles = before[name] ?? [];
    const gone = new Set(removed.filter(({ addon }) => addon === name).map(({ profile }) => profile));
    const fresh = added.filter(({ addon }) => addon === name).map(({ profile }) => profile);
    addons[name] = [...new Set([...profiles, ...fresh])].filter((id) => !gone.has(id));
    more.set(name, (addons[name]?.length ?? 0) - profiles.length);
  }
  return {
    body: { addons },
    what: [...more]
      .map(
        ([name, count]) =>
          `Add-on ${name} for ${Math.abs(count)} ${count < 0 ? "fewer" : "more"} ${Math.abs(count) === 1 ? "profile" : "profiles"}`,
      )
      .join(", "),
    priceOf: (prices, bought) => {
      const each = [...more].map(([name, count]) => addonPrice(name, count)(prices, bought));
      return each.reduce<number | undefined>(
        (sum, price) => (sum === undefined || price === undefined ? undefined : sum + price),
        0,
      );
    },
  };
}

async function changeOf(ctx: CommandContext, client: Resources, input: Given): Promise<PaidChange> {
  const { plan, service: services } = input.options;
  const hasAddons = input.options.addon.length + input.options.removeAddon.length > 0;
  const kinds = [plan !== undefined, services.length > 0, hasAddons].filter(Boolean).length;
  if (kinds !== 1) {
    throw usageError(kinds === 0 ? "No changes given." : "Only one kind of change is possible at a time.", {
      why: "A request can change either the plan, services or add-ons.",
      next: "Give --plan, --service or --addon.",
    });
  }
  if (plan !== undefined) {
    const { plan: before } = await client.billing.getSubscription();
    return { body: { plan }, what: `Plan ${before} to ${plan}`, priceOf: planPrice(plan) };
  }
  if (hasAddons) return addonChange(ctx, client, input);
  const amounts = serviceAmounts(services, "--service");
  return {
    body: { services: Object.fromEntries([...amounts].map(([name, limit]) => [name, { limit }])) },
    what: [...amounts].map(([name, limit]) => `${name} ${limit}`).join(", "),
    priceOf: servicesPrice(amounts),
  };
}

const update = defineCommand({
  path: ["subscription", "update"],
  aliases: ["edit"],
  result: one(columns),
  effect: "changes",
  summary: "Change the plan, services or add-ons of the account",
  details:
    "Changes what the account pays. Shows the price for the rest of this month and each following month first. Confirm with the " +
    'environment name, or "billing" if there is no environment. Downgrades take effect at the end of the month.',
  options: updateOptions,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot billing subscription update --service sms=500 --dry-run",
    "iot billing subscription update --service sms=10000 --coupon DEMO20 --confirm billing",
    'iot billing subscription update --addon "mobile=name:Demo Plant" --dry-run',
  ],
  exitCodes: [1, 6],
  related: ["iot billing pricing", "iot billing coupon", "iot billing schedule"],
  async run(ctx, input) {
    const client = await ctx.client();
    const change = await changeOf(ctx, client, input);
    const [coupon, recurrence] = [input.options.coupon, input.options.recurrence];
    const body = { ...change.body, ...defined({ coupon, recurrence }) };
    await showPrice(ctx, client, change.what, change.priceOf);
    if (coupon !== undefined) await showCoupon(ctx, client, coupon);
    if (await ctx.dryRun({ method: "POST", path: "/account/subscription", body })) return;
    await ctx.confirm({ level: 2, action: `Change the subscription (${change.what})`, name: await paidName(ctx) });
    await client.billing.editSubscription(body);
    const after = await client.billing.getSubscription();
    await ctx.out.item(after, { columns, idKey: "account" });
    const { label } = await ctx.connection();
    ctx.say.info(`Changed the subscription in ${label}: ${change.what}.`);
    const { release_at: releaseAt } = await client.billing.getSubscriptionSchedule();
    if (releaseAt !== null) ctx.say.hint(`A change is scheduled for ${releaseAt}; see "iot billing schedule".`);
    else if (after.processing) ctx.say.hint('The payment is in progress; check it with "iot billing summary".');
  },
});

async function showCoupon(ctx: CommandContext, { billing }: Resources, code: string): Promise<void> {
  const { percentage_off: percent, amount_off: amount } = await billing.checkDiscountCoupon(code);
  ctx.say.info(`Coupon ${code} takes ${percent === null ? String(amount) : `${percent}%`} off.`);
}

export const commands: readonly Command[] = [subscription, update];
