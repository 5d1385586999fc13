import type { BillingAllocation, BillingPaymentHistory, BillingPaymentMethod, Resources } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { argument, optionFlag, optionList, optionNumber } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { secretValue } from "../kit/resource/body.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { serviceAmounts } from "../profile/allocation.ts";
import { profileFinder } from "../profile/finder.ts";
import { serviceNames } from "../profile/services.ts";

interface AllocationRow extends BillingAllocation {
  /** Name of the profile. */
  readonly name: string;
}

const allocationColumns: readonly Column<AllocationRow>[] = [
  { key: "profile", kind: "id" },
  { key: "name" },
  ...serviceNames.map((key) => ({
    key,
    kind: "number" as const,
    hidden: !["input", "output", "data_records"].includes(key),
  })),
  { key: "updated_at", kind: "time", hidden: true },
];

async function allocationsOf({ billing, profiles }: Resources): Promise<AllocationRow[]> {
  const [shares, known] = await Promise.all([billing.getAllocation(), profiles.list()]);
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return shares.map((share) => ({ ...share, name: names.get(share.profile) ?? "" }));
}

const allocation = defineCommand({
  path: ["allocation"],
  result: rows(allocationColumns),
  effect: "reads",
  summary: "Show what each profile gets of the account's services",
  examples: ["iot billing allocation", "iot billing allocation --fields name,sms,email --json"],
  related: ["iot billing allocation update", "iot profile services", "iot billing subscription"],
  async run(ctx) {
    const shares = await allocationsOf(await ctx.client());
    await ctx.out.list(shares, { columns: allocationColumns, empty: "The account has no profiles.", idKey: "profile" });
  },
});

const updateAllocation = defineCommand({
  path: ["allocation", "update"],
  aliases: ["edit"],
  result: rows(allocationColumns),
  effect: "changes",
  summary: "Change what a profile gets of the account's services",
  details: "What profiles get comes out of what the account has bought: nothing is charged. Services left out stay.",
  args: [{ name: "profile", summary: "full id, a unique name:…, or current", required: true, leadsAway: true }],
  options: [{ name: "set", value: "service=n", summary: "a service and how much of it: sms=100", repeat: true }],
  groups: ["dryRun"],
  examples: [
    'iot billing allocation update "name:Empty" --set sms=100 --set email=1000',
    "iot billing allocation update current --set data_records=1000000 --dry-run",
  ],
  exitCodes: [1, 6],
  related: ["iot billing allocation", "iot profile services update"],
  async run(ctx, input) {
    const amounts = serviceAmounts(optionList(input, "set"), "--set");
    const target = await resolveId(ctx, profileFinder, argument(input, "profile") ?? "");
    const body = [{ profile: target.id, ...Object.fromEntries(amounts) }];
    if (await ctx.dryRun({ method: "POST", path: "/account/allocation", body })) return;
    const client = await ctx.client();
    await client.billing.editAllocation(body);
    const after = (await allocationsOf(client)).filter(({ profile }) => profile === target.id);
    await ctx.out.list(after, { columns: allocationColumns, empty: "Nothing was changed.", idKey: "profile" });
    const { label } = await ctx.connection();
    ctx.say.info(`Gave profile "${await target.name()}" ${[...amounts.keys()].join(", ")} in ${label}.`);
  },
});

const historyColumns: readonly Column<BillingPaymentHistory>[] = [
  { key: "created_at", header: "date", kind: "time", exact: true },
  { key: "invoice_number", header: "invoice" },
  { key: "total", kind: "number", rank: 1 },
  { key: "currency" },
  { key: "paid", kind: "flag" },
  { key: "status" },
  { key: "card.last4", header: "card", hidden: true },
  { key: "receipt_url", hidden: true },
  { key: "stripe_id", kind: "id", hidden: true },
];

const DEFAULT_LIMIT = 20;
const PAGE = 100;

/** Payments page by page, the newest first: a page begins after the last payment of the one before. */
async function* payments({ billing }: Resources): AsyncGenerator<BillingPaymentHistory> {
  let lastId: string | undefined;
  for (;;) {
    const page = await billing.getPaymentHistory({ amount: PAGE, ...(lastId === undefined ? {} : { lastId }) });
    yield* page;
    lastId = page.at(-1)?.stripe_id;
    if (page.length < PAGE || lastId === undefined) return;
  }
}

const history = defineCommand({
  path: ["history"],
  result: rows(historyColumns),
  effect: "reads",
  summary: "List the payments of the account, newest first",
  options: [
    { name: "limit", value: "n", summary: `at most this many payments (${DEFAULT_LIMIT})` },
    { name: "all", summary: "every payment" },
    { name: "unpaid", summary: "only payments that are open or failed" },
  ],
  examples: ["iot billing history --limit 3", "iot billing history --all --fields created_at,total,receipt_url -o csv"],
  related: ["iot billing payment-method", "iot billing pending retry"],
  async run(ctx, input) {
    const limit = optionFlag(input, "all") ? Number.POSITIVE_INFINITY : (optionNumber(input, "limit") ?? DEFAULT_LIMIT);
    const isUnpaid = optionFlag(input, "unpaid");
    const client = await ctx.client();
    let more = false;
    async function* wanted(): AsyncGenerator<BillingPaymentHistory> {
      let given = 0;
      for await (const payment of payments(client)) {
        if (isUnpaid && payment.paid) continue;
        more = given === limit;
        if (more) return;
        given += 1;
        yield payment;
      }
    }
    await ctx.out.list(wanted(), { columns: historyColumns, empty: "No payment matches.", idKey: "stripe_id" });
    if (more) ctx.say.hint(`${countOf(limit, "payment")} shown; more exist. Use --limit <n> or --all.`);
  },
});

const methodColumns: readonly Column<BillingPaymentMethod>[] = [
  { key: "card.brand", header: "brand" },
  { key: "card.last4", header: "last4" },
  { key: "card.name", header: "name" },
  { key: "card.funding", header: "funding", hidden: true },
  { key: "card.exp_month", header: "exp_month", kind: "number" },
  { key: "card.exp_year", header: "exp_year", kind: "number" },
  { key: "balance.amount", header: "balance", kind: "number" },
  { key: "balance.currency", header: "currency" },
  { key: "coupon.code", header: "coupon" },
];

const paymentMethod = defineCommand({
  path: ["payment-method"],
  result: one(methodColumns),
  effect: "reads",
  summary: "Show how the account pays",
  examples: ["iot billing payment-method", "iot billing payment-method --json"],
  related: ["iot billing payment-method update", "iot billing history"],
  async run(ctx) {
    const { billing } = await ctx.client();
    await ctx.out.item(await billing.getPaymentMethod(), { columns: methodColumns, idKey: "card.last4" });
  },
});

async function printMethod(ctx: CommandContext, done: string): Promise<void> {
  const { billing } = await ctx.client();
  await ctx.out.item(await billing.getPaymentMethod(), { columns: methodColumns, idKey: "card.last4" });
  ctx.say.info(`${done} in ${(await ctx.connection()).label}.`);
}

const updateMethod = defineCommand({
  path: ["payment-method", "update"],
  aliases: ["edit"],
  result: one(methodColumns),
  effect: "changes",
  summary: "Change the card the account pays with",
  details:
    "Takes the token that the card service made for the card, from stdin or a prompt: a card number never goes through this " +
    "program. Nothing is charged now; the next payments use the new card.",
  options: [{ name: "token-stdin", summary: "read the token of the card from stdin" }],
  groups: ["confirm", "dryRun"],
  examples: [
    "echo tok_visa | iot billing payment-method update --token-stdin --yes",
    "iot billing payment-method update --token-stdin --dry-run < token.txt",
  ],
  exitCodes: [1, 3],
  related: ["iot billing payment-method"],
  async run(ctx, input) {
    const token = await secretValue(ctx, input, "token", "Token of the card");
    rememberSecret(token);
    if (await ctx.dryRun({ method: "POST", path: "/account/payment_method", body: { token: "…" } })) return;
    await ctx.confirm({ level: 1, action: "Change the card the account pays with", name: "card" });
    const { billing } = await ctx.client();
    await billing.editPaymentMethod(token);
    await printMethod(ctx, "Changed the card");
  },
});

const deleteMethod = defineCommand({
  path: ["payment-method", "delete"],
  aliases: ["rm"],
  result: one(methodColumns),
  effect: "deletes",
  summary: "Remove the card the account pays with",
  details: "Payments fail from then on, until there is another card.",
  groups: ["confirm", "dryRun"],
  examples: ["iot billing payment-method delete --dry-run", "iot billing payment-method delete --dry-run --json"],
  exitCodes: [1],
  related: ["iot billing payment-method update"],
  async run(ctx) {
    if (await ctx.dryRun({ method: "DELETE", path: "/account/payment_method" })) return;
    const { billing } = await ctx.client();
    const { card } = await billing.getPaymentMethod();
    const shown = card?.brand === undefined ? "the card" : `the ${card.brand} card that ends with ${card.last4}`;
    await ctx.confirm({ level: 1, action: `Remove ${shown}`, name: card?.last4 ?? "card" });
    await billing.removePaymentMethod();
    await printMethod(ctx, `Removed ${shown}`);
  },
});

export const commands: readonly Command[] = [
  allocation,
  updateAllocation,
  history,
  paymentMethod,
  updateMethod,
  deleteMethod,
];
